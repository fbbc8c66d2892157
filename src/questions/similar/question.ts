/** `similar`: chunks that resemble a place. */
import { integer, text, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import {
  context,
  fileFilters,
  kind,
  lang,
  minScore,
  noContent,
  path,
  resultLimit,
  snapshot,
} from '../shared-params.js';

const params = {
  place: text({
    summary: 'a file, from the current directory or the top, and a line: src/index.ts:42',
    required: true,
    completes: 'path',
    cli: { argument: '<place>' },
  }),
  ...snapshot,
  limit: resultLimit,
  path,
  lang,
  kind,
  minScore,
  ...fileFilters,
  noContent,
  context,
  lines: integer({
    summary: 'lines shown of each result, 0 for all',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 8,
    cli: { value: 'n' },
  }),
} as const;

export type SimilarValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'similar',
  summary: 'find code that resembles a place: the nearest chunks by meaning',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerSimilar,
  text: async () => (await import('./text.js')).similarText,
  documents: async () => ({ similar: { schema: (await import('./output.js')).similarResponseSchema } }),
  command: {
    group: 'Find code',
    examples: [
      ['similar src/cart.ts:42', 'code that resembles the function at line 42'],
      ['similar src/cart.ts:42 --path "!test/**" --limit 3', 'the nearest three, tests left out'],
    ],
    readOnly: true,
    isNegative: ({ results }) => results.length === 0,
  },
});
