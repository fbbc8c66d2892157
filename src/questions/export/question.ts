/** `export`: records as files to commit, or the graph as a SCIP index. */
import { commandText, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { answer, count, oid } from '../shared-output.js';
import { committedRef } from '../shared-params.js';

/** Kind and profile of a set of records. */
export const recordSet = { kind: s.enum(['syntax', 'vectors']), profile: s.string() };

export const exportReportSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string(),
  commit: oid.nullable(),
  directory: s.string(),
  profiles: s.array(
    s.object({
      ...recordSet,
      records: count,
      missing: count.describe('Blobs of the snapshot without a record.'),
      files: count,
      bytes: count.describe('Of all files.'),
      written: count.describe('Files that were new or have changed.'),
      removed: count.describe('Files that are not needed any more.'),
    }),
  ),
  otherProfiles: s.array(s.string()).describe('Directories of other profiles, left as they are.'),
});

export type ExportDocument = s.Infer<typeof exportReportSchema>;
export type ExportReport = Omit<ExportDocument, 'schemaVersion'>;

const scipExportSchema = s.object({
  schemaVersion: s.literal(1),
  ref: answer.ref,
  commit: answer.commit,
  coverage: answer.coverage,
  file: s.string().describe('The index that was written.'),
  bytes: count.describe('Its size.'),
  documents: count.describe('Files that it is about.'),
  symbols: count,
  definitions: count,
  references: count.describe('Uses whose target is proven.'),
  relationships: count.describe('Symbols that inherit, implement, override or have the type of another.'),
  unplaced: count.describe('Uses that were left out, since their name is not on the line of the use.'),
});

export type ScipExportReport = s.Infer<typeof scipExportSchema>;

const params = {
  ref: committedRef,
  output: text({
    summary: 'directory to write to',
    defaultText: '.socraticode at the top of the work tree',
    completes: 'directory',
    cli: { short: '-o', value: 'dir' },
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
  text: async () => (await import('./answer.js')).exportText,
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
