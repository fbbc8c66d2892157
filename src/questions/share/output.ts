/** Documents of `push`, `pull` and `share`. */
import { z } from 'zod';
import { count } from '../output-parts.js';

const refCountSchema = z.strictObject({ ref: z.string(), records: count });

export const pushReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  remote: z.string(),
  status: z
    .enum(['sent', 'would-send', 'up-to-date', 'denied'])
    .describe('`would-send` after a dry run, `denied` only where an earlier push was: the remote was not asked again.'),
  refs: z.array(refCountSchema).describe('Notes refs of the remote that grew, and by how many records.'),
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

export const pullReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  remote: z.string(),
  refs: z
    .array(refCountSchema)
    .describe('Notes refs that the remote has, and how many of their records were new here.'),
  received: count,
  verified: z
    .strictObject({
      equal: count,
      different: z.array(z.string()).describe('Ids of blobs whose records are not what the blobs give.'),
      notComparable: count.describe(
        'Their records are refused anyway, or their blobs are not here or cannot be parsed.',
      ),
    })
    .nullable()
    .describe('New records that were derived again, as many as `share.verify` says; null for none.'),
});

export const shareReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  remote: z.string(),
  enabled: z.boolean().describe('Does a plain `git fetch` bring the index?'),
  changed: z.boolean().describe('Did this command change that?'),
  refspec: z.string(),
  mirrored: z
    .boolean()
    .describe(
      '`git fetch` replaces the local notes with those of the remote, as in a mirror: records not pushed are lost by it.',
    ),
  refs: z
    .array(
      z.strictObject({
        ref: z.string(),
        ahead: count.describe('Records that only this repository has.'),
        behind: count.describe('Records that only the remote has.'),
        local: z.boolean().describe('Is the ref here?'),
        tracked: z.boolean().describe('Was it on the remote at the last fetch?'),
      }),
    )
    .describe('As of the last fetch; the remote is not asked.'),
});

export type PushReport = Omit<z.infer<typeof pushReportSchema>, 'schemaVersion'>;
export type PullReport = Omit<z.infer<typeof pullReportSchema>, 'schemaVersion'>;
export type ShareReport = Omit<z.infer<typeof shareReportSchema>, 'schemaVersion'>;
