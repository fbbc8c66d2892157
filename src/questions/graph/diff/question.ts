/** `graph diff`, `codebase_graph_diff`: dependencies, circles of imports and exported symbols that differ between two sides. */
import { list, text, type Values } from '../../../params/param.js';
import { graphLimit, MAX_GRAPH_LIMIT, ONE_GLOB, path } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { LISTED } from '../limits.js';
import { graphDiffResponseSchema } from './output.js';

/** A side as agents name it. */
const side = (summary: string) => text({ summary, maxLength: 1_024, minLength: 1, completes: 'range', cli: false });

const params = {
  refs: list({
    summary: 'A (compared with the work tree), A B, A..B, or A...B (since they parted)',
    defaultText: 'HEAD',
    completes: 'range',
    minLength: 1,
    cli: { argument: '[refs...]' },
  }),
  from: side('the older side, or both as A..B or A...B'),
  to: side('the newer side'),
  path,
  limit: graphLimit('entries of each list', LISTED.diff),
} as const;

export type GraphDiffValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph diff',
  summary: 'dependencies, import cycles and exported symbols that differ between two sides; exits with 1 if none do',
  effect: 'reads',
  params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerGraphDiff,
  text: async () => (await import('./text.js')).graphDiffText,
  documents: { 'graph-diff': { schema: graphDiffResponseSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['graph diff', 'what the uncommitted changes do to the graph'],
      ['graph diff main..feature', 'what a branch does to it'],
      ['graph diff v1.0 v2.0 --path "src/**"', 'between two releases, in one folder'],
    ],
    isNegative: ({ dependencies, cycles, api }) => [dependencies, cycles, api].every(({ list }) => list.length === 0),
  },
  tool: {
    name: 'codebase_graph_diff',
    title: 'Graphs that differ',
    toolset: 'graph',
    description: 'File dependencies, import cycles and exported symbols added, removed and changed between two sides.',
    params: {
      from: 'Branch, tag or commit; A..B; or A...B, since they parted. Default: HEAD.',
      to: 'Default: work tree.',
      path: ONE_GLOB,
    },
    maxTokens: 3_000,
    page: { size: LISTED.diff, most: MAX_GRAPH_LIMIT },
  },
});
