/** `similar`, `codebase_similar`: chunks that resemble a place or a snippet. */
import { defineQuestion } from '../question.js';
import { MAX_RESULTS, ONE_GLOB, REF } from '../shared-params.js';
import { similarResponseSchema } from './output.js';
import { params } from './params.js';

export const question = defineQuestion({
  name: 'similar',
  summary: 'find code that resembles a place or a snippet: the nearest chunks by meaning',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerSimilar,
  text: async () => (await import('./text.js')).similarText,
  documents: { similar: { schema: similarResponseSchema } },
  command: {
    group: 'Find code',
    examples: [
      ['similar src/cart.ts:42', 'code that resembles the function at line 42'],
      ['similar - < draft.ts', 'code that resembles a draft, which need not be a file of the repository'],
      ['similar src/cart.ts:42 --path "!test/**" --limit 3', 'the nearest three, tests left out'],
    ],
    readOnly: true,
    isNegative: ({ results }) => results.length === 0,
  },
  tool: {
    name: 'codebase_similar',
    title: 'Similar code',
    toolset: 'graph',
    description: 'Code that resembles a place or an unsaved snippet: look before you write it again.',
    params: {
      place: 'PATH:LINE.',
      snippet: 'Code, instead of a place.',
      limit: { summary: 'Results; default 10.', max: 50 },
      path: { ...ONE_GLOB, name: 'fileFilter' },
      ref: REF,
    },
    maxTokens: 2_500,
    page: { size: 10, most: MAX_RESULTS, isOpenEnded: true },
  },
});
