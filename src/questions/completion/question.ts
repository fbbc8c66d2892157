/** `completion`: scripts that let shells complete commands, options and their values. */
import { choice, flag, list, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const params = {
  shell: choice(SHELLS, { summary: 'the shell', required: true, cli: { argument: '<shell>' } }),
  words: list({
    summary: 'words of the command line so far, the one being typed last',
    maxLength: 4_096,
    cli: { argument: '[words...]' },
  }),
  install: flag({ summary: "write the script where the shell looks for it, in this user's directories" }),
} as const;

export type CompletionValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'completion',
  summary: 'print a script that completes commands, options, refs, paths, languages and symbols',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerCompletion,
  text: async () => (document) => document.text,
  isExact: () => true,
  documents: {},
  command: {
    group: 'Maintain',
    examples: [
      ['completion bash --install', 'complete from the next shell on'],
      ['completion zsh > ~/.zfunc/_git-socraticode', 'for a directory of $fpath of your own'],
      ['completion fish | source', 'for this shell alone'],
    ],
    withoutSession: true,
    json: false,
  },
});
