/** `export`: records as files to commit. */
import { text, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { committedRef } from '../shared-params.js';

const params = {
  ref: committedRef,
  output: text({
    summary: 'directory to write to',
    defaultText: '.socraticode at the top of the work tree',
    completes: 'directory',
    cli: { value: 'dir' },
  }),
} as const;

export type ExportValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'export',
  summary: 'write the records of a snapshot as files to commit, for hosts that drop notes',
  effect: 'writes',
  params,
  answer: async () => (await import('./answer.js')).answerExport,
  text: async () => (await import('./text.js')).exportText,
  documents: async () => ({ export: { schema: (await import('./output.js')).exportReportSchema } }),
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['export', 'write .socraticode, to be committed'],
      ['export --ref v1.2 --output ../records', 'the records of a release, elsewhere'],
    ],
  },
});
