/** `graph diff`, `codebase_graph_diff`: dependencies, circles of imports and exported symbols that differ between two snapshots. */
import { list, text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count, oid } from '../../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT, ONE_GLOB, path } from '../../shared-params.js';
import { defineGraphQuestion, LISTED } from '../graph-question.js';
import { edgeKind, header, line, nodePlace, some } from '../output.js';

const cycleStep = nodePlace.extend({ line, use: edgeKind });

const dependency = s.object({
  change: s.enum(['added', 'removed', 'changed']).describe('Changed: on both sides, with other uses.'),
  from: s.string(),
  to: s.string(),
  line: line.describe('In `from`, on the side that has it.'),
  use: edgeKind,
  gained: s.array(s.string()).describe('Symbols of `to` that are used now, and were not.'),
  lost: s.array(s.string()).describe('Symbols of `to` that were used, and are no longer.'),
});

const cycle = s.object({
  change: s.enum(['added', 'grown', 'shrunk', 'removed']),
  size: count.describe('Files that reach each other, on the side that has them.'),
  was: count.describe('Files before; 0 for an added one.'),
  shortest: s.array(cycleStep).describe('A shortest way round.'),
  closedBy: s
    .array(s.object({ from: s.string(), to: s.string(), line }))
    .describe('New imports within: taking one of them back may open the circle.'),
});

export const apiChange = nodePlace.extend({
  change: s.enum(['added', 'removed', 'changed', 'moved']),
  signature: s.string().nullable().describe('Declaration on one line; null where it could not be read.'),
  was: s.string().optional().describe('Declaration before.'),
  from: s.string().optional().describe('Path before, of one that moved.'),
  members: count.optional().describe('Exported symbols inside that came, went or moved with it.'),
});

const changes = s.object({ added: count, removed: count, changed: count });

const graphDiffResponseSchema = s.object({
  ...header,
  from: s.object({ ref: s.string(), commit: oid.nullable() }),
  to: s.object({ ref: s.string(), commit: oid.nullable() }).nullable().describe('Null: the work tree.'),
  movedFiles: s.array(s.object({ from: s.string(), to: s.string() })).describe('Compared as one file each.'),
  counts: s.object({
    dependencies: changes,
    uses: s.object({ added: count, removed: count }).describe('Pairs of symbols, within files too.'),
    cycles: s.object({ added: count, grown: count, shrunk: count, removed: count }),
    api: changes.extend({ moved: count }),
  }),
  dependencies: some(dependency).describe('Between files: imports, or uses where a language needs no import.'),
  cycles: some(cycle).describe('Files that import each other in circles; imports of types alone do not count.'),
  api: some(apiChange).describe('Exported symbols outside of tests.'),
});

export type GraphDiffResponse = s.Infer<typeof graphDiffResponseSchema>;
export type DependencyChange = s.Infer<typeof dependency>;
export type CycleChange = s.Infer<typeof cycle>;
export type ApiChange = s.Infer<typeof apiChange>;

/** A snapshot as agents name it. */
const versionParam = (summary: string) =>
  text({ summary, maxLength: 1_024, minLength: 1, completes: 'range', cli: false });

const params = {
  refs: list({
    summary: 'A (compared with the work tree), A B, A..B, or A...B (since they parted)',
    defaultText: 'HEAD',
    completes: 'range',
    minLength: 1,
    cli: { argument: '[refs...]' },
  }),
  from: versionParam('the older side, or both as A..B or A...B'),
  to: versionParam('the newer side'),
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
  text: async () => (await import('./answer.js')).graphDiffText,
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
