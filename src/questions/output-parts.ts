/** Pieces that several documents share. */
import { z } from 'zod';

export const count = z.number().int().nonnegative();
export const oid = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
export const counts = z.record(z.string(), count);

export const placeSchema = z.strictObject({
  path: z.string().describe('Path from the top of the repository.'),
  startLine: z.number().int().positive().describe('First line, counted from 1.'),
  endLine: z.number().int().positive().describe('Last line, inclusive.'),
  blob: oid.optional().describe('With `allRefs`: the blob that the text stands in.'),
  refs: z.array(z.string()).optional().describe('With `allRefs`: branches that hold this blob at this path.'),
});

/** Snapshot and coverage, as every answer about a snapshot names them. */
export const answer = {
  ref: z.string().describe('The ref as asked for.'),
  commit: oid.nullable().describe('The commit that the answer is about; null where a tree was named.'),
  coverage: z
    .strictObject({ covered: count, total: count })
    .describe('Files of the snapshot that were searched, and how many could be.'),
  dirty: count.describe('Files of the work tree that differ from HEAD.'),
  overlay: count.describe('Of those, the files that the answer knows as they are now; 0 where a ref was named.'),
};

export const faultSchema = z.strictObject({ code: z.string(), message: z.string(), hint: z.string() });

/** A failure that is told as JSON. */
export const errorSchema = z.strictObject({
  schemaVersion: z.literal(1),
  error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }),
});

export type ErrorDocument = z.infer<typeof errorSchema>;
