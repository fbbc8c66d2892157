/** Document of `compact`. */
import * as s from '../../params/shape.js';
import { count } from '../output-parts.js';

export const compactReportSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string().nullable().describe('The remote whose notes were compacted; null for the local ones.'),
  dryRun: s.boolean().describe('Nothing was changed.'),
  refs: s.array(
    s.object({
      ref: s.string(),
      records: s.object({ kept: count, dropped: count.describe('Their blobs are not reached any more.') }),
      commits: count.describe('Of the history before; afterwards it is one.'),
      bytes: s
        .object({ before: count, after: count })
        .describe('In the object store, history included. What is freed is given back by `git gc`.'),
      changed: s.boolean(),
    }),
  ),
  reason: s.string().nullable().describe('Why records of unreached blobs were kept; null if none were.'),
  otherProfiles: s.array(s.string()).describe('Notes refs that this installation does not write.'),
});

export type CompactReport = Omit<s.Infer<typeof compactReportSchema>, 'schemaVersion'>;
