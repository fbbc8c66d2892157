/** `import`: records from files that `export` wrote. */
import { text, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { committedRef } from '../shared-params.js';

const params = {
  directory: text({
    summary: 'directory to read from',
    defaultText: '.socraticode of the work tree, or of HEAD',
    completes: 'directory',
    cli: { argument: '[dir]' },
  }),
  ref: { ...committedRef, summary: 'take .socraticode of this ref', defaultText: undefined },
} as const;

export type ImportValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'import',
  summary: 'add records from files that `export` wrote to the local notes',
  effect: 'writes',
  params,
  answer: async () => (await import('./answer.js')).answerImport,
  text: async () => (await import('./text.js')).importText,
  documents: async () => ({ import: { schema: (await import('./output.js')).importReportSchema } }),
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['import', 'from .socraticode of the work tree, or of HEAD'],
      ['import --ref origin/main', 'from what a remote branch holds'],
    ],
    isNegative: ({ profiles }) => profiles.length === 0,
  },
});
