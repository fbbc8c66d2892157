/** Document of `export`. */
import * as s from '../../params/shape.js';
import { count, oid } from '../output-parts.js';

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
