/** `graph references`, `codebase_references`: every use of a symbol or a file. */
import { text, type Values } from '../../../params/param.js';
import { file, graphLimit, linkedUsers, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { LISTED } from '../limits.js';
import { graphReferencesResponseSchema } from './output.js';

const params = {
  name: text({
    summary: 'total, Cart.total, src/cart.ts:Cart.total, src/cart.ts:42 or a file',
    required: true,
    completes: 'symbol',
    cli: { argument: '<name>' },
  }),
  file,
  linked: linkedUsers,
  ...snapshot,
  limit: graphLimit('uses', LISTED.references),
} as const;

export type ReferencesValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph references',
  summary: 'every use of a symbol: calls, reads, writes, types, inheritance, imports; exits with 1 if there are none',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerReferences,
  text: async () => (await import('./text.js')).referencesText,
  documents: {
    'graph-references': { schema: graphReferencesResponseSchema },
  },
  command: {
    group: 'Follow code',
    examples: [
      ['graph references Cart.total', 'every use of a method'],
      ['graph references total --file src/cart.ts', 'uses of the one that this file defines'],
      ['graph references Cart.total --linked', 'in the linked repositories, too'],
    ],
    isNegative: ({ uses, possible, linked }) =>
      uses.list.length + possible.list.length + (linked?.uses.list.length ?? 0) === 0,
  },
  tool: {
    name: 'codebase_references',
    title: 'References',
    toolset: 'core',
    description: 'Every use of a symbol or file: calls, reads, writes, types, imports; possible ones by likelihood.',
    params: {
      name: 'NAME, Class.method, PATH:NAME, PATH:LINE or a file.',
      file: 'File or directory it is defined in.',
      ref: REF,
    },
    maxTokens: 2_500,
    page: { size: LISTED.references, most: MAX_GRAPH_LIMIT },
  },
});
