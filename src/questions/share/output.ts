/** Documents of `push`, `pull` and `share`. */
import * as s from '../../params/shape.js';
import { count } from '../output-parts.js';

const refCountSchema = s.object({ ref: s.string(), records: count });

export const pushReportSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string(),
  status: s
    .enum(['sent', 'would-send', 'up-to-date', 'denied'])
    .describe('`would-send` after a dry run, `denied` only where an earlier push was: the remote was not asked again.'),
  refs: s.array(refCountSchema).describe('Notes refs of the remote that grew, and by how many records.'),
  sent: count,
  withheld: count.describe(
    'Records and entries that stay here: they tell of what no branch or tag of the remote reaches.',
  ),
  unseen: count.describe(
    'Branches and tags of the remote whose commits are not here, counted where something stays here: once they are fetched, more may be sent.',
  ),
  received: count.describe('Records that the remote had and this repository lacked.'),
  bytes: count.describe('Of the records sent, before git compresses them.'),
  attempts: count.describe('More than one where others were pushing at the same time.'),
});

export const pullReportSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string(),
  refs: s
    .array(refCountSchema)
    .describe('Notes refs that the remote has, and how many of their records were new here.'),
  received: count,
  verified: s
    .object({
      equal: count,
      different: s.array(s.string()).describe('Ids of blobs whose records are not what the blobs give.'),
      notComparable: count.describe(
        'Their records are refused anyway, or their blobs are not here or cannot be parsed.',
      ),
    })
    .nullable()
    .describe('New records that were derived again, as many as `share.verify` says; null for none.'),
});

export const shareReportSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string(),
  enabled: s.boolean().describe('Does a plain `git fetch` bring the index?'),
  changed: s.boolean().describe('Did this command change that?'),
  refspec: s.string(),
  mirrored: s
    .boolean()
    .describe(
      '`git fetch` replaces the local notes with those of the remote, as in a mirror: records not pushed are lost by it.',
    ),
  refs: s
    .array(
      s.object({
        ref: s.string(),
        ahead: count.describe('Records that only this repository has.'),
        behind: count.describe('Records that only the remote has.'),
        local: s.boolean().describe('Is the ref here?'),
        tracked: s.boolean().describe('Was it on the remote at the last fetch?'),
      }),
    )
    .describe('As of the last fetch; the remote is not asked.'),
});

export type PushReport = Omit<s.Infer<typeof pushReportSchema>, 'schemaVersion'>;
export type PullReport = Omit<s.Infer<typeof pullReportSchema>, 'schemaVersion'>;
export type ShareReport = Omit<s.Infer<typeof shareReportSchema>, 'schemaVersion'>;
