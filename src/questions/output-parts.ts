/** Pieces that several documents share. */
import * as s from '../params/shape.js';

export const count = s.integer({ minimum: 0 });
export const oid = s.string({ pattern: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/ });
export const counts = s.record(count);

export const placeSchema = s.object({
  path: s.string().describe('Path from the top of the repository.'),
  startLine: s.integer({ exclusiveMinimum: 0 }).describe('First line, counted from 1.'),
  endLine: s.integer({ exclusiveMinimum: 0 }).describe('Last line, inclusive.'),
  blob: oid.optional().describe('With `allRefs`: the blob that the text stands in.'),
  refs: s.array(s.string()).optional().describe('With `allRefs`: branches that hold this blob at this path.'),
});

/** Snapshot and coverage, as every answer about a snapshot names them. */
export const answer = {
  ref: s.string().describe('The ref as asked for.'),
  commit: oid.nullable().describe('The commit that the answer is about; null where a tree was named.'),
  coverage: s
    .object({ covered: count, total: count })
    .describe('Files of the snapshot that were searched, and how many could be.'),
  dirty: count.describe('Files of the work tree that differ from HEAD.'),
  overlay: count.describe('Of those, the files that the answer knows as they are now; 0 where a ref was named.'),
};

export const faultSchema = s.object({ code: s.string(), message: s.string(), hint: s.string() });

/** A failure that is told as JSON. */
export const errorSchema = s.object({
  schemaVersion: s.literal(1),
  error: s.object({ code: s.string(), message: s.string(), hint: s.string() }),
});

export type ErrorDocument = s.Infer<typeof errorSchema>;
