/** Document of `diff`. */
import { z } from 'zod';
import { count, oid, placeSchema } from '../output-parts.js';

const sideSchema = z.strictObject({ ref: z.string(), commit: oid.nullable(), tree: oid });

const lines = placeSchema.omit({ path: true, blob: true, refs: true }).shape;

const symbolChangeSchema = z.strictObject({
  change: z.enum(['added', 'removed', 'changed', 'moved']),
  symbol: z.string().describe('Qualified name.'),
  kind: z.string(),
  exported: z.boolean(),
  ...lines,
  parts: z
    .array(z.enum(['signature', 'body', 'doc', 'layout']))
    .optional()
    .describe('What changed, members apart; layout is white space alone.'),
  members: count.optional().describe('Symbols inside that came or went with it.'),
  from: z
    .strictObject({ path: z.string(), symbol: z.string(), ...lines })
    .optional()
    .describe('Where it was before it moved.'),
});

const fileChangeSchema = z.strictObject({
  path: z.string(),
  oldPath: z.string().optional(),
  status: z.enum(['added', 'removed', 'changed', 'renamed']),
  symbols: z.array(symbolChangeSchema),
  unchanged: count.describe('Symbols that are the same on both sides; in a renamed file, they moved with it.'),
  outside: z.boolean().describe('Text outside of all symbols changed.'),
  compared: z.boolean().describe('False where symbols are not known, so that the file is compared as a whole.'),
});

export const diffResponseSchema = z.strictObject({
  schemaVersion: z.literal(1),
  from: sideSchema,
  to: sideSchema,
  symmetric: z.boolean().describe('With A...B, `from` is the merge base of A and B.'),
  counts: z.strictObject({
    files: z.strictObject({ added: count, removed: count, changed: count, renamed: count }),
    symbols: z.strictObject({ added: count, removed: count, changed: count, moved: count }),
  }),
  files: z.array(fileChangeSchema),
  leftOut: z
    .strictObject({
      files: count.describe('Further files, beyond the limit.'),
      symbols: count.describe('Further symbols, beyond the limit.'),
      skipped: count.describe('Files that are not indexed: binary, secret, excluded, links, submodules.'),
      unreadable: count.describe('Blobs that could not be read.'),
    })
    .describe('Number of entries that are not listed.'),
});

export type DiffResponse = z.infer<typeof diffResponseSchema>;
