/** `hotspots`, `codebase_hotspots`: complex code that much rests on and that changes often. */
import { flag, list, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineGraphQuestion } from '../graph/graph-question.js';
import { header, nodePlace, some } from '../graph/output.js';
import { count, pastWindow } from '../shared-output.js';
import { committedRef, listLimit, MAX_GRAPH_LIMIT, REF } from '../shared-params.js';

const hotspot = nodePlace.omit('exported').extend({
  heat: s.number().describe('churn x centrality x complexity.'),
  churn: s.number().describe('Commits that changed it; newer ones count more: 1, and half as much every 500 commits.'),
  commits: count.describe('Number of these commits.'),
  last: s.string().nullable().describe('Date of the newest of them, ISO 8601.'),
  centrality: s
    .number()
    .describe('Of a file: its rank among files that use each other, 1 for the first. Of a function: log2(2 + uses).'),
  uses: count.optional().describe('Of a function: places that use it.'),
  complexity: count.describe('Depth of indentation of its lines of code, added up.'),
  codeLines: count.describe('Lines with code: neither blank, nor comments or brackets alone.'),
});

const functionSize = nodePlace.omit('exported').extend({
  cyclomatic: count.describe(
    '1, and 1 for each place where code may go another way: branches, loops, cases, && and ||.',
  ),
  cognitive: count.describe('Branches and loops, each counted by its depth; else, and runs of && and ||, count 1.'),
  lines: count.describe('Lines from the first to the last.'),
  parameters: count.optional().describe('Absent where they cannot be read.'),
});

export const hotspotsSchema = s.object({
  ...header,
  window: pastWindow,
  paths: s.array(s.string()).describe('As asked for.'),
  since: s.string().optional().describe('As asked for.'),
  aside: s
    .object({ tests: count, others: count })
    .describe(
      'Changed files that are not ranked: tests; and generated, vendored and deleted ones, examples, text and data.',
    ),
  compared: s
    .object({ files: count, commits: count })
    .optional()
    .describe('Of functions: the hottest files, and the newest commits of those, that they were compared in.'),
  functions: some(functionSize)
    .optional()
    .describe('As asked for: functions by their own complexity, the most complex first.'),
  hotspots: some(hotspot).describe('The hottest first; none where functions were asked for.'),
});

export type HotspotsDocument = s.Infer<typeof hotspotsSchema>;
export type FunctionSize = s.Infer<typeof functionSize>;
export type Hotspot = s.Infer<typeof hotspot>;

const LISTED = 20;

const params = {
  paths: list({
    summary: 'files and directories; without any, the whole repository',
    completes: 'path',
    cli: { argument: '[paths...]' },
  }),
  symbols: flag({ summary: 'functions of the hottest files instead of files, by what changed them' }),
  functions: flag({ summary: 'all functions by their own complexity, whatever changed them' }),
  tests: flag({ summary: 'tests, too' }),
  since: text({
    summary: 'only commits that are not before this date: 6m, 2024-05-31, yesterday',
    minLength: 1,
    maxLength: 64,
    cli: { value: 'date' },
  }),
  ref: committedRef,
  limit: listLimit('entries', LISTED),
} as const;

export type HotspotsValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'hotspots',
  summary: 'code that changes often, is complex, and that much rests on: where work on quality pays most',
  effect: 'reads',
  params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerHotspots,
  text: async () => (await import('./answer.js')).hotspotsText,
  documents: { hotspots: { schema: hotspotsSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['hotspots', 'files where refactoring and review pay most'],
      ['hotspots src/shop --symbols', 'functions of one directory'],
      ['hotspots --functions', 'the most complex functions, as `graph check` limits them'],
      ['hotspots --since 6m', 'by the commits of half a year'],
    ],
    isNegative: ({ functions, hotspots }) => (functions ?? hotspots).list.length === 0,
  },
  tool: {
    name: 'codebase_hotspots',
    title: 'Hotspots',
    toolset: 'history',
    description: 'Files or functions that change often, are complex and are central, each factor with its number.',
    params: {
      paths: { summary: 'Files and directories; default: the whole repository.', minLength: 1, maxEntries: 100 },
      symbols: 'Functions of the hottest files instead of files.',
      functions: 'All functions by their own complexity.',
      since: 'Only commits from this date on: 6m, 2024-05-31.',
      ref: REF,
    },
    maxTokens: 2_000,
    page: { size: LISTED, most: MAX_GRAPH_LIMIT },
  },
});
