/** Document of `import`. */
import * as s from '../../params/shape.js';
import { recordSet } from '../export/output.js';
import { count } from '../output-parts.js';

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
