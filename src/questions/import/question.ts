/** `import`: records from files that `export` wrote, a compiler's facts in a SCIP index, what tests ran, or how they ended. */
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

const coverageImportSchema = s.object({
  schemaVersion: s.literal(1),
  file: s.string().describe('The report that was read.'),
  format: s.enum(['lcov', 'coverage.py', 'cobertura', 'jacoco', 'go-cover', 'v8']),
  label: s.string().describe('Name of the run.'),
  commit: s.string().describe('The commit that was checked out.'),
  files: count.describe('Files of the report.'),
  tests: count.describe('Test files that are known to have run something.'),
  added: count.describe('Pairs of a test file and a file that it ran that were added.'),
  known: count.describe('Such pairs that were known.'),
  missing: count.describe('Files that are not in the repository.'),
  different: count.describe('Files whose text is not that of HEAD.'),
  unnamed: count.describe('Names of tests that are the name of no file: some test ran these lines.'),
});

export type CoverageImportReport = s.Infer<typeof coverageImportSchema>;

const resultsImportSchema = s.object({
  schemaVersion: s.literal(1),
  file: s.string().describe('The report that was read.'),
  format: s.enum(['junit', 'jest', 'mocha', 'pytest', 'go-test', 'node']),
  label: s.string().describe('Name of the run.'),
  commit: s.string().describe('The commit that was checked out.'),
  passed: count.describe('Test files that passed.'),
  failed: count.describe('Test files that failed.'),
  unsure: count.describe(
    'Of these, test files that count for the very same snapshot alone, since nobody can tell what they reach.',
  ),
  different: count.describe(
    'Test files that are left out: something that they reach differs from HEAD, or changed after the report.',
  ),
  unnamed: count.describe('Cases of no known test file; if one of them failed, nothing counts as passed.'),
  added: count.describe('Outcomes that were added.'),
  known: count.describe('Outcomes that were known.'),
  again: count.describe('Of the test files that passed, those that were known to pass as they are.'),
  missed: count.describe('Test files that failed although they were known to pass as they are.'),
});

export type ResultsImportReport = s.Infer<typeof resultsImportSchema>;

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
  coverage: text({
    summary: 'take in this coverage report: which tests ran which lines of the files at HEAD',
    minLength: 1,
    cli: { value: 'file' },
  }),
  results: text({
    summary: 'take in these results of a test runner: which test files passed as they are at HEAD',
    minLength: 1,
    cli: { value: 'file' },
  }),
  label: text({ summary: 'name of the run, such as "ci"', default: 'local', minLength: 1, cli: { value: 'name' } }),
  ranBy: text({
    summary: 'the test file that ran, for a coverage report that names no tests',
    minLength: 1,
    cli: { value: 'path' },
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
  summary:
    'add records to the local notes, from files that `export` wrote, a SCIP index, a coverage report or test results',
  effect: 'writes',
  params,
  answer: async () => (await import('./answer.js')).answerImport,
  text: async () => (await import('./answer.js')).importText,
  documents: {
    import: { schema: importReportSchema },
    'import-scip': { schema: scipImportSchema, title: commandText('import', { scip: 'FILE', json: true }) },
    'import-coverage': {
      schema: coverageImportSchema,
      title: commandText('import', { coverage: 'FILE', json: true }),
    },
    'import-results': { schema: resultsImportSchema, title: commandText('import', { results: 'FILE', json: true }) },
  },
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['import', 'from .socraticode of the work tree, or of HEAD'],
      ['import --scip index.scip', 'what scip-typescript, scip-python or rust-analyzer found at HEAD'],
      ['import --coverage coverage.json --label ci', 'which tests ran which lines'],
      ['import --results junit.xml --label ci', 'which test files passed'],
      ['import --ref origin/main', 'from what a remote branch holds'],
    ],
    isNegative: (report) => ('profiles' in report ? report.profiles.length : report.added + report.known) === 0,
  },
});
