/** `lsp`: answers editors. The command line runs its server, which is a layer above questions. */
import { flag, type Values } from '../../params/param.js';
import { defineQuestion, NO_DOCUMENT } from '../question.js';

const params = {
  stdio: flag({
    summary: 'use stdin and stdout, which is the only way; accepted because some editors add this option',
  }),
} as const;

export type LspValues = Values<typeof params>;

export const question = defineQuestion({
  ...NO_DOCUMENT,
  name: 'lsp',
  summary: 'answer an editor over the Language Server Protocol: definitions, references, callers, tests',
  effect: 'writes',
  params,
  command: {
    group: 'Follow code',
    json: false,
    examples: [
      ['lsp', 'serve an editor over stdin and stdout; docs/editors.md has the settings of editors'],
      ['lsp --stdio', 'the same, for editors that add this option'],
    ],
    isRunByFrontEnd: true,
  },
});
