/** `graph symbols`, `codebase_symbols`: definitions of a file, or those with such a name. */
import { list, text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count } from '../../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion, LISTED } from '../graph-question.js';
import { header, nodePlace, some } from '../output.js';

export const graphSymbolsResponseSchema = s.object({
  ...header,
  total: count.describe('Symbols that match, before the limit.'),
  symbols: some(nodePlace.extend({ uses: count.describe('Calls that lead there.') })),
  suggestions: s.array(s.string()).optional().describe('Names that resemble one that nothing has.'),
});

export type GraphSymbolsResponse = s.Infer<typeof graphSymbolsResponseSchema>;
export type SymbolList = Pick<GraphSymbolsResponse, 'total' | 'symbols'>;

const PAGE = 200;

const params = {
  query: text({
    summary: 'part of a name, or the beginnings of its words: gUN finds getUserName',
    completes: 'symbol',
    cli: { argument: '[query]' },
  }),
  file: text({
    summary: 'only this file, or what is below this directory',
    completes: 'path',
    cli: { value: 'path' },
  }),
  queryOption: text({ summary: 'the same as the argument', cli: { option: 'query', value: 'part' } }),
  kind: list({
    summary: 'only these kinds (function, class, method and others); repeatable',
    commas: true,
    cli: { value: 'kind' },
  }),
  ...snapshot,
  limit: graphLimit('symbols', LISTED.symbols),
} as const;

export type SymbolsValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph symbols',
  summary: 'symbols of files, or symbols that match a name',
  effect: 'reads',
  params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerSymbols,
  text: async () => (await import('./answer.js')).symbolsText,
  documents: { 'graph-symbols': { schema: graphSymbolsResponseSchema } },
  command: {
    group: 'Follow code',
    examples: [
      ['graph symbols gUN', 'definitions whose name has these beginnings of words'],
      ['graph symbols --file src --kind class', 'classes below a directory'],
    ],
    isNegative: ({ total }) => total === 0,
  },
  tool: {
    name: 'codebase_symbols',
    title: 'List symbols',
    toolset: 'graph',
    description: 'Lists definitions of a file or directory, or those with such a name.',
    params: {
      file: 'Only this file or directory.',
      query: 'Part of a name, or beginnings of its words (gUN: getUserName).',
      limit: { summary: `Default ${PAGE}.`, max: 1_000 },
      ref: REF,
    },
    maxTokens: 6_000,
    page: { size: PAGE, most: MAX_GRAPH_LIMIT },
  },
});
