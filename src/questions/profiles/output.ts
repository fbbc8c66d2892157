/** Document of `profiles`. */
import { z } from 'zod';
import { count } from '../output-parts.js';

export const profilesReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  profiles: z.array(
    z.strictObject({
      kind: z.string().describe('`syntax`, `vectors` or `compiler`.'),
      profile: z.string(),
      use: z
        .enum(['current', 'readable', 'newer', 'older', 'other', 'unknown'])
        .describe(
          'What this installation makes of it: writes and reads it; reads it under other settings; was written by a newer or an older version; by another one; nobody says.',
        ),
      about: z
        .record(z.string(), z.unknown())
        .nullable()
        .describe(
          'What the profile stands for, as its writer said; null if nobody said, or something that cannot be true.',
        ),
      places: z.array(
        z.strictObject({
          where: z.enum(['notes', 'remote', 'tree', 'shards']),
          name: z.string().describe('Ref, `<tree>:.socraticode/…`, or directory.'),
          records: count.nullable().describe('Null where counting would mean reading everything.'),
          bytes: count.describe('Of the records as they are stored, or of the files.'),
          date: z.string().nullable().describe('Of the newest commit, ISO 8601.'),
        }),
      ),
    }),
  ),
  notice: z.string().nullable().describe('Records that this installation cannot use, and what to do about it.'),
});

export type ProfilesReport = Omit<z.infer<typeof profilesReportSchema>, 'schemaVersion'>;
