/** `explain`: whether a path is indexed, by which rule it is not, and what the index has of it. */
import { list, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { snapshot } from '../shared-params.js';
import type { ExplainResponse } from './output.js';
import { explainSchema } from './output.js';

/** Most paths of one question. */
export const MAX_PATHS = 1_000;

const params = {
  paths: list({
    summary: 'files or folders, from the current directory or from the top',
    required: true,
    minLength: 1,
    maxEntries: MAX_PATHS,
    completes: 'path',
    cli: { argument: '<paths...>' },
  }),
  ...snapshot,
} as const;

export type ExplainValues = Values<typeof params>;

export const question = defineQuestion<typeof params, ExplainResponse>({
  name: 'explain',
  summary: 'say whether files are indexed, by which rule they are not, and what the index has of them',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerExplain,
  text: async () => (await import('./text.js')).explainText,
  documents: { explain: { schema: explainSchema } },
  command: {
    group: 'Index',
    examples: [
      ['explain src/cart.ts', 'whether a file is indexed, and with what'],
      ['explain certs/ca.pem --ref v1.2', 'why a release has no result in a file'],
    ],
    readOnly: true,
    isNegative: ({ files }) => files.some(({ state }) => state !== 'indexed' && state !== 'folder'),
  },
});
