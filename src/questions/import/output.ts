/** Document of `import`. */
import { z } from 'zod';
import { recordSet } from '../export/output.js';
import { count } from '../output-parts.js';

export const importReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  source: z.string().describe('Directory, or tree and path.'),
  profiles: z.array(
    z.strictObject({
      ...recordSet,
      files: count,
      added: count.describe('Records that were written to the notes.'),
      known: count.describe('Records that the notes had.'),
      foreign: count.describe('Records of blobs that this repository does not have.'),
      bad: count.describe('Files and items that are no records of this kind.'),
    }),
  ),
  otherProfiles: z.array(z.string()).describe('Records that this installation cannot use.'),
});

export type ImportDocument = z.infer<typeof importReportSchema>;
export type ImportReport = Omit<ImportDocument, 'schemaVersion'>;
