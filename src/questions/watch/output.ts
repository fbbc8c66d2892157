/** A line of `watch --json`. */
import * as s from '../../params/shape.js';
import { count, oid } from '../output-parts.js';

export const watchEventSchema = s.object({
  schemaVersion: s.literal(1),
  event: s.enum(['refreshed', 'failed']),
  commit: oid.nullable().describe('HEAD; null before the first commit.'),
  parsed: count.nullable().describe('Blobs of HEAD parsed, where HEAD had moved; null where it had not.'),
  dirty: count.describe('Files of the work tree that differ from HEAD.'),
  overlay: count.describe('Of those, the files that searches know as they are now.'),
  ms: s.number(),
  error: s.string().optional(),
});

export type WatchEvent = s.Infer<typeof watchEventSchema>;
