/** Document of the commands that look after a fleet's store. */
import * as s from '../../params/shape.js';
import { count } from '../output-parts.js';

const tableSchema = s.object({
  rows: count,
  bytes: count.nullable().describe('Of the newest version.'),
  unindexed: count.describe('Rows that searches scan until the next maintenance.'),
});

export const fleetReportSchema = s.object({
  schemaVersion: s.literal(1),
  at: s.string(),
  action: s.enum(['init', 'status', 'fsck', 'maintain', 'drop', 'rebuild']),
  profile: s.string().describe('Version and embedder of the contents.'),
  repositories: count.optional(),
  refs: count.optional(),
  tables: s.object({ unit: tableSchema, record: tableSchema, view: tableSchema }).optional(),
  maintainer: s
    .object({ holder: s.string(), until: s.string() })
    .nullable()
    .optional()
    .describe('Null if nobody holds the lease.'),
  checked: count.optional().describe('Contents that were opened.'),
  damaged: s
    .array(s.object({ repo: s.string(), ref: s.string(), problem: s.string() }))
    .optional()
    .describe('Views that need to be published again.'),
  faults: s.array(s.string()).optional().describe('Tables and indexes that cannot be read: rebuild the store.'),
  created: s.boolean().optional().describe('False for a store that was there before.'),
  rebuilt: s
    .object({
      copied: count.describe('Views that were whole.'),
      published: count.describe('Refs that were published from clones.'),
      left: s.array(s.object({ repo: s.string(), ref: s.string(), problem: s.string() })),
      unreadable: s
        .string()
        .nullable()
        .describe('Why nothing could be copied; null if the old tables could be opened.'),
      switched: s.boolean().describe('False if refs are left: the old tables are still in use.'),
    })
    .optional(),
  maintained: s
    .object({ orphans: count, duplicates: count, tombstones: count, optimized: s.boolean(), freedBytes: count })
    .nullable()
    .optional()
    .describe('Null if another process maintains the store.'),
  dropped: s.object({ repo: s.string(), refs: count }).optional(),
});

export type FleetReport = s.Infer<typeof fleetReportSchema>;
