/** Document of `export`. */
import { z } from 'zod';
import { count, oid } from '../output-parts.js';

/** Kind and profile of a set of records. */
export const recordSet = { kind: z.enum(['syntax', 'vectors']), profile: z.string() };

export const exportReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ref: z.string(),
  commit: oid.nullable(),
  directory: z.string(),
  profiles: z.array(
    z.strictObject({
      ...recordSet,
      records: count,
      missing: count.describe('Blobs of the snapshot without a record.'),
      files: count,
      bytes: count.describe('Of all files.'),
      written: count.describe('Files that were new or have changed.'),
      removed: count.describe('Files that are not needed any more.'),
    }),
  ),
  otherProfiles: z.array(z.string()).describe('Directories of other profiles, left as they are.'),
});

export type ExportDocument = z.infer<typeof exportReportSchema>;
export type ExportReport = Omit<ExportDocument, 'schemaVersion'>;
