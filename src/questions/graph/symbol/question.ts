/** `graph symbol`, `codebase_symbol`: one definition with its callers, callees, relatives and tests. */
import { text, type Values } from '../../../params/param.js';
import { file, graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { LISTED } from '../limits.js';

const params = {
  name: text({
    summary: 'total, Cart.total, src/cart.ts:Cart.total or src/cart.ts:42',
    required: true,
    completes: 'symbol',
    cli: { argument: '<name>' },
  }),
  file,
  ...snapshot,
  limit: graphLimit('entries of each list', LISTED.symbol),
} as const;

export type SymbolValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph symbol',
  summary: 'one definition: its callers, its callees, its base and derived types, its tests',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerSymbol,
  text: async () => (await import('./text.js')).symbolText,
  documents: async () => ({ 'graph-symbol': { schema: (await import('./output.js')).graphSymbolResponseSchema } }),
  command: {
    group: 'Follow code',
    examples: [
      ['graph symbol Cart.total', 'callers, callees and tests of a method'],
      ['graph symbol src/cart.ts:42', 'the definition around a line'],
    ],
  },
  tool: {
    name: 'codebase_symbol',
    title: 'Symbol',
    toolset: 'core',
    description: 'One definition: signature, lines, callers, callees, relatives, tests.',
    params: {
      name: 'NAME, Class.method, PATH:NAME or PATH:LINE.',
      file: 'File or directory it is defined in.',
      ref: REF,
    },
    maxTokens: 2_000,
    page: { size: LISTED.symbol, most: MAX_GRAPH_LIMIT },
  },
});
