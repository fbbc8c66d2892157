/** Document of `compact`. */
import { z } from 'zod';
import { count } from '../output-parts.js';

export const compactReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  remote: z.string().nullable().describe('The remote whose notes were compacted; null for the local ones.'),
  dryRun: z.boolean().describe('Nothing was changed.'),
  refs: z.array(
    z.strictObject({
      ref: z.string(),
      records: z.strictObject({ kept: count, dropped: count.describe('Their blobs are not reached any more.') }),
      commits: count.describe('Of the history before; afterwards it is one.'),
      bytes: z
        .strictObject({ before: count, after: count })
        .describe('In the object store, history included. What is freed is given back by `git gc`.'),
      changed: z.boolean(),
    }),
  ),
  reason: z.string().nullable().describe('Why records of unreached blobs were kept; null if none were.'),
  otherProfiles: z.array(z.string()).describe('Notes refs that this installation does not write.'),
});

export type CompactReport = Omit<z.infer<typeof compactReportSchema>, 'schemaVersion'>;
