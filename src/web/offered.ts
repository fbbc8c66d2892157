/**
 * Questions that pages may ask, with their parameters (data). All only read; parameters that write a file, read another
 * repository or stdin are left out. A name that is not here does not exist for a page.
 */

const SNAPSHOT = ['ref', 'committed'];
const FILTERS = ['path', 'lang', 'author', 'since', 'until', 'is', 'uses'];

export const OFFERED: Readonly<Record<string, readonly string[]>> = {
  search: [
    ...SNAPSHOT,
    ...FILTERS,
    'query',
    'limit',
    'kind',
    'in',
    'mode',
    'noHistory',
    'commits',
    'noContent',
    'lines',
    'minScore',
  ],
  show: [...SNAPSHOT, 'targets', 'in', 'context'],
  history: ['query', 'ref', 'limit', 'maxCommits', 'since', 'deleted', 'path', 'events', 'noContent'],
  why: ['place', 'ref', 'full', 'limit'],
  review: ['range', 'committed', 'depth', 'limit'],
  coupling: ['target', 'ref', 'minShare', 'minCommits', 'limit'],
  owners: ['paths', 'lines', 'ref', 'limit'],
  hotspots: ['paths', 'symbols', 'tests', 'since', 'ref', 'limit'],
  status: ['ref'],
  'docs links': [...SNAPSHOT, 'target', 'file', 'minConfidence', 'limit'],
  'graph symbol': [...SNAPSHOT, 'names', 'file', 'limit'],
  'graph symbols': [...SNAPSHOT, 'query', 'file', 'kind', 'limit'],
  'graph outline': [...SNAPSHOT, 'files', 'limit', 'maxTokens'],
  'graph deps': [...SNAPSHOT, 'file', 'limit'],
  'graph cycles': [...SNAPSHOT, 'symbols', 'limit'],
  'graph visualize': [...SNAPSHOT, 'view', 'tests', 'path', 'limit'],
  'fleet search': ['query', 'repo', 'ref', 'limit', 'lang', 'kind', 'mode'],
  'fleet repos': ['repo', 'limit'],
  'fleet file': ['repo', 'path', 'ref'],
};

/** Formats that are documents: others are pictures, and `output` would write them. */
export const FIXED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'graph visualize': { format: 'json' },
};
