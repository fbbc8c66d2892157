/** Document of the commands that look after a fleet's store. */
import { z } from 'zod';
import { count } from '../output-parts.js';

const tableSchema = z.strictObject({
  rows: count,
  bytes: count.nullable().describe('Of the newest version.'),
  unindexed: count.describe('Rows that searches scan until the next maintenance.'),
});

export const fleetReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  at: z.string(),
  action: z.enum(['init', 'status', 'fsck', 'maintain', 'drop', 'rebuild']),
  profile: z.string().describe('Version and embedder of the contents.'),
  repositories: count.optional(),
  refs: count.optional(),
  tables: z.strictObject({ unit: tableSchema, record: tableSchema, view: tableSchema }).optional(),
  maintainer: z
    .strictObject({ holder: z.string(), until: z.string() })
    .nullable()
    .optional()
    .describe('Null if nobody holds the lease.'),
  checked: count.optional().describe('Contents that were opened.'),
  damaged: z
    .array(z.strictObject({ repo: z.string(), ref: z.string(), problem: z.string() }))
    .optional()
    .describe('Views that need to be published again.'),
  faults: z.array(z.string()).optional().describe('Tables and indexes that cannot be read: rebuild the store.'),
  created: z.boolean().optional().describe('False for a store that was there before.'),
  rebuilt: z
    .strictObject({
      copied: count.describe('Views that were whole.'),
      published: count.describe('Refs that were published from clones.'),
      left: z.array(z.strictObject({ repo: z.string(), ref: z.string(), problem: z.string() })),
      unreadable: z
        .string()
        .nullable()
        .describe('Why nothing could be copied; null if the old tables could be opened.'),
      switched: z.boolean().describe('False if refs are left: the old tables are still in use.'),
    })
    .optional(),
  maintained: z
    .strictObject({ orphans: count, duplicates: count, tombstones: count, optimized: z.boolean(), freedBytes: count })
    .nullable()
    .optional()
    .describe('Null if another process maintains the store.'),
  dropped: z.strictObject({ repo: z.string(), refs: count }).optional(),
});

export type FleetReport = z.infer<typeof fleetReportSchema>;
