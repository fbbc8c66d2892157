/** `export`: records as files to commit, or the graph as a SCIP index. */
import { commandText } from '../../params/command-line.js';
import { text, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { committedRef } from '../shared-params.js';
import { exportReportSchema } from './output.js';
import { scipExportSchema } from './scip/output.js';

const params = {
  ref: committedRef,
  output: text({
    summary: 'directory to write to',
    defaultText: '.socraticode at the top of the work tree',
    completes: 'directory',
    cli: { value: 'dir' },
  }),
  scip: text({
    summary: 'write definitions and references to this file instead, as a SCIP index',
    minLength: 1,
    cli: { value: 'file' },
  }),
} as const;

export type ExportValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'export',
  summary: 'write the records of a snapshot as files to commit, or its code graph as a SCIP index',
  effect: 'writes',
  params,
  answer: async () => (await import('./answer.js')).answerExport,
  text: async () => (await import('./text.js')).exportText,
  documents: {
    export: { schema: exportReportSchema },
    'export-scip': { schema: scipExportSchema, title: commandText('export', { scip: 'FILE', json: true }) },
  },
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['export', 'write .socraticode, to be committed'],
      ['export --scip index.scip', 'definitions and references of HEAD, for readers of SCIP such as Sourcegraph'],
      ['export --ref v1.2 --output ../records', 'the records of a release, elsewhere'],
    ],
  },
});
