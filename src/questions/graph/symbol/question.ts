/** `graph symbol`, `codebase_symbol`: definitions, each with its callers, callees, relatives and tests. */

import { commandText } from '../../../params/command-line.js';
import { list, type Values } from '../../../params/param.js';
import { file, graphLimit, linkedUsers, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { LISTED, listedFor } from '../limits.js';
import type { GraphSeveralSymbols, GraphSymbolResponse } from './output.js';
import { graphSeveralSymbolsSchema, graphSymbolResponseSchema } from './output.js';

/** Most names of one question. */
const MAX_NAMES = 100;

const params = {
  names: list({
    summary: 'total, Cart.total, src/cart.ts:Cart.total or src/cart.ts:42; several at once',
    required: true,
    minLength: 1,
    maxEntries: MAX_NAMES,
    completes: 'symbol',
    cli: { argument: '<names...>' },
  }),
  file,
  linked: linkedUsers,
  ...snapshot,
  limit: graphLimit('entries of each list', LISTED.symbol),
} as const;

export type SymbolValues = Values<typeof params>;

export const question = defineGraphQuestion<typeof params, GraphSymbolResponse | GraphSeveralSymbols>({
  name: 'graph symbol',
  summary: 'definitions, each with its callers, its callees, its base and derived types, its tests',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerSymbol,
  text: async () => (await import('./text.js')).symbolText,
  documents: {
    'graph-symbol': {
      schema: graphSymbolResponseSchema,
      title: commandText('graph symbol NAME', { json: true }),
    },
    'graph-symbol-several': {
      schema: graphSeveralSymbolsSchema,
      title: commandText('graph symbol NAME NAME…', { json: true }),
    },
  },
  command: {
    group: 'Follow code',
    examples: [
      ['graph symbol Cart.total', 'callers, callees and tests of a method'],
      ['graph symbol src/cart.ts:42', 'the definition around a line'],
      ['graph symbol Cart.total --linked', 'and its users in the linked repositories'],
      ['graph symbol Cart.total Cart.add', 'two methods, one after the other'],
    ],
    isNegative: (answer) => 'problems' in answer && answer.problems.length > 0,
  },
  tool: {
    name: 'codebase_symbol',
    title: 'Symbol',
    toolset: 'graph',
    description: 'Definitions: callers, callees, relatives, tests.',
    params: {
      // As the other tools about the graph call it: an agent gives one name or a list.
      names: { name: 'name', summary: 'Class.method, PATH:NAME, PATH:LINE.' },
      file: '',
      ref: REF,
    },
    maxTokens: 2_000,
    page: { size: ({ names }) => listedFor(names), most: MAX_GRAPH_LIMIT },
  },
});
