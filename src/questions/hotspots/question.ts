/** `hotspots`, `codebase_hotspots`: complex code that much rests on and that changes often. */
import { flag, integer, list, text, type Values } from '../../params/param.js';
import { defineGraphQuestion } from '../graph/graph-question.js';
import { committedRef, MAX_GRAPH_LIMIT, REF } from '../shared-params.js';
import { hotspotsSchema } from './output.js';

const LISTED = 20;

const params = {
  paths: list({
    summary: 'files and directories; without any, the whole repository',
    completes: 'path',
    cli: { argument: '[paths...]' },
  }),
  symbols: flag({ summary: 'functions of the hottest files instead of files' }),
  tests: flag({ summary: 'tests, too' }),
  since: text({
    summary: 'only commits that are not before this date: 6m, 2024-05-31, yesterday',
    minLength: 1,
    maxLength: 64,
    cli: { value: 'date' },
  }),
  ref: committedRef,
  limit: integer({
    summary: 'entries',
    min: 1,
    max: MAX_GRAPH_LIMIT,
    default: LISTED,
    cli: { short: '-n', value: 'n' },
  }),
} as const;

export type HotspotsValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'hotspots',
  summary: 'code that changes often, is complex, and that much rests on: where work on quality pays most',
  effect: 'reads',
  params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerHotspots,
  text: async () => (await import('./text.js')).hotspotsText,
  documents: { hotspots: { schema: hotspotsSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['hotspots', 'files where refactoring and review pay most'],
      ['hotspots src/shop --symbols', 'functions of one directory'],
      ['hotspots --since 6m', 'by the commits of half a year'],
    ],
    isNegative: ({ hotspots }) => hotspots.list.length === 0,
  },
  tool: {
    name: 'codebase_hotspots',
    title: 'Hotspots',
    toolset: 'history',
    description: 'Files or functions that change often, are complex and are central, each factor with its number.',
    params: {
      paths: { summary: 'Files and directories; default: the whole repository.', minLength: 1, maxEntries: 100 },
      symbols: 'Functions of the hottest files instead of files.',
      since: 'Only commits from this date on: 6m, 2024-05-31.',
      ref: REF,
    },
    maxTokens: 2_000,
    page: { size: LISTED, most: MAX_GRAPH_LIMIT },
  },
});
