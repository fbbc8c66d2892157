/** A line of `watch --json`. */
import { z } from 'zod';
import { count, oid } from '../output-parts.js';

export const watchEventSchema = z.strictObject({
  schemaVersion: z.literal(1),
  event: z.enum(['refreshed', 'failed']),
  commit: oid.nullable().describe('HEAD; null before the first commit.'),
  parsed: count.nullable().describe('Blobs of HEAD parsed, where HEAD had moved; null where it had not.'),
  dirty: count.describe('Files of the work tree that differ from HEAD.'),
  overlay: count.describe('Of those, the files that searches know as they are now.'),
  ms: z.number(),
  error: z.string().optional(),
});

export type WatchEvent = z.infer<typeof watchEventSchema>;
