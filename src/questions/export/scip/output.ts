/** Document of `export` of a SCIP index. */
import * as s from '../../../params/shape.js';
import { answer, count } from '../../output-parts.js';

export const scipExportSchema = s.object({
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
