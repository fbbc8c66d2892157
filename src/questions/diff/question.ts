/** `diff`, `codebase_diff`: the symbols that differ between two refs. */
import { defineQuestion } from '../question.js';
import { ONE_GLOB } from '../shared-params.js';
import type { DiffResponse } from './output.js';
import { diffResponseSchema } from './output.js';
import { params } from './params.js';

export const question = defineQuestion<typeof params, DiffResponse>({
  name: 'diff',
  summary: 'list the symbols added, removed, moved and changed between two refs; exits with 1 if there are none',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerDiff,
  text: async () => (await import('./text.js')).diffText,
  documents: { diff: { schema: diffResponseSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['diff main..feature', 'between two branches'],
      ['diff v1.2', 'since a tag'],
      ['diff main...feature --path "src/**"', 'on a branch since it left main, in one folder'],
    ],
    json: 'print the differences as JSON',
    isNegative: ({ files }) => files.length === 0,
  },
  tool: {
    name: 'codebase_diff',
    title: 'Symbols that differ',
    toolset: 'history',
    description: 'Symbols added, removed, moved and changed between two commits.',
    params: {
      from: {
        summary: 'Branch, tag or commit; A..B; or A...B, since they parted.',
        minLength: 1,
        required: true,
      },
      to: 'Default: HEAD.',
      path: ONE_GLOB,
      limit: { summary: 'Symbols; default: as many as fit.', max: 5_000 },
    },
    maxTokens: 4_000,
  },
});
