/** Document of `import` of a SCIP index. */
import * as s from '../../../params/shape.js';
import { answer, count } from '../../output-parts.js';

export const scipImportSchema = s.object({
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
