/** Documents of `export` and `import`. */
import { z } from 'zod';
import { count, oid } from '../output-parts.js';

const shelf = { kind: z.enum(['syntax', 'vectors']), profile: z.string() };

export const exportReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ref: z.string(),
  commit: oid.nullable(),
  directory: z.string(),
  profiles: z.array(
    z.strictObject({
      ...shelf,
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

export const importReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  source: z.string().describe('Directory, or tree and path.'),
  profiles: z.array(
    z.strictObject({
      ...shelf,
      files: count,
      added: count.describe('Records that were written to the notes.'),
      known: count.describe('Records that the notes had.'),
      foreign: count.describe('Records of blobs that this repository does not have.'),
      bad: count.describe('Files and items that are no records of this kind.'),
    }),
  ),
  otherProfiles: z.array(z.string()).describe('Records that this installation cannot use.'),
});

export type ExportReport = Omit<z.infer<typeof exportReportSchema>, 'schemaVersion'>;
export type ImportReport = Omit<z.infer<typeof importReportSchema>, 'schemaVersion'>;
