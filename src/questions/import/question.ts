/** `import`: records from files that `export` wrote, or what a compiler says in a SCIP index. */
import { commandText, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { recordSet } from '../export/question.js';
import { defineQuestion } from '../question.js';
import { answer, count } from '../shared-output.js';
import { committedRef } from '../shared-params.js';

export const importReportSchema = s.object({
  schemaVersion: s.literal(1),
  source: s.string().describe('Directory, or tree and path.'),
  profiles: s.array(
    s.object({
      ...recordSet,
      files: count,
      added: count.describe('Records that were written to the notes.'),
      known: count.describe('Records that the notes had.'),
      foreign: count.describe('Records of blobs that this repository does not have.'),
      bad: count.describe('Files and items that are no records of this kind.'),
    }),
  ),
  otherProfiles: s.array(s.string()).describe('Records that this installation cannot use.'),
});

export type ImportDocument = s.Infer<typeof importReportSchema>;
export type ImportReport = Omit<ImportDocument, 'schemaVersion'>;

const scipImportSchema = s.object({
  schemaVersion: s.literal(1),
  file: s.string().describe('The index that was read.'),
  ref: answer.ref,
  commit: answer.commit,
  root: s.string().describe('Folder that its documents were found below; empty for the top of the repository.'),
  tool: s.object({ name: s.string(), version: s.string() }).describe('The indexer, as the index names it.'),
  documents: count.describe('Documents of the index.'),
  added: count.describe('Records that were written to the notes.'),
  known: count.describe('Records that the notes had.'),
  missing: count.describe('Documents that are no file of the snapshot, or repeat one.'),
  different: count.describe('Documents about another text than that of the file.'),
  occurrences: count.describe('Names in all records whose meaning is told.'),
});

export type ScipImportReport = s.Infer<typeof scipImportSchema>;

const params = {
  directory: text({
    summary: 'directory to read from',
    defaultText: '.socraticode of the work tree, or of HEAD',
    completes: 'directory',
    cli: { argument: '[dir]' },
  }),
  scip: text({
    summary: 'take in this SCIP index of a compiler instead; its uses take precedence over those that we find',
    minLength: 1,
    cli: { value: 'file' },
  }),
  ref: {
    ...committedRef,
    summary: 'take .socraticode of this ref; the commit of a SCIP index',
    defaultText: undefined,
  },
} as const;

export type ImportValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'import',
  summary: 'add records to the local notes, from files that `export` wrote or from a SCIP index',
  effect: 'writes',
  params,
  answer: async () => (await import('./answer.js')).answerImport,
  text: async () => (await import('../export/text.js')).importText,
  documents: {
    import: { schema: importReportSchema },
    'import-scip': { schema: scipImportSchema, title: commandText('import', { scip: 'FILE', json: true }) },
  },
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['import', 'from .socraticode of the work tree, or of HEAD'],
      ['import --scip index.scip', 'what scip-typescript, scip-python or rust-analyzer found at HEAD'],
      ['import --ref origin/main', 'from what a remote branch holds'],
    ],
    isNegative: (report) => ('tool' in report ? report.added + report.known : report.profiles.length) === 0,
  },
});
