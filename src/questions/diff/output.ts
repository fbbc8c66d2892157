/** Document of `diff`. */
import * as s from '../../params/shape.js';
import { count, oid, placeSchema } from '../output-parts.js';

const sideSchema = s.object({ ref: s.string(), commit: oid.nullable(), tree: oid });

const lines = placeSchema.omit('path', 'blob', 'refs').fields;

const symbolChangeSchema = s.object({
  change: s.enum(['added', 'removed', 'changed', 'moved']),
  symbol: s.string().describe('Qualified name.'),
  kind: s.string(),
  exported: s.boolean(),
  ...lines,
  parts: s
    .array(s.enum(['signature', 'body', 'doc', 'layout']))
    .optional()
    .describe('What changed, members apart; layout is white space alone.'),
  members: count.optional().describe('Symbols inside that came or went with it.'),
  from: s
    .object({ path: s.string(), symbol: s.string(), ...lines })
    .optional()
    .describe('Where it was before it moved.'),
});

const fileChangeSchema = s.object({
  path: s.string(),
  oldPath: s.string().optional(),
  status: s.enum(['added', 'removed', 'changed', 'renamed']),
  symbols: s.array(symbolChangeSchema),
  unchanged: count.describe('Symbols that are the same on both sides; in a renamed file, they moved with it.'),
  outside: s.boolean().describe('Text outside of all symbols changed.'),
  compared: s.boolean().describe('False where symbols are not known, so that the file is compared as a whole.'),
});

export const diffResponseSchema = s.object({
  schemaVersion: s.literal(1),
  from: sideSchema,
  to: sideSchema,
  symmetric: s.boolean().describe('With A...B, `from` is the merge base of A and B.'),
  counts: s.object({
    files: s.object({ added: count, removed: count, changed: count, renamed: count }),
    symbols: s.object({ added: count, removed: count, changed: count, moved: count }),
  }),
  files: s.array(fileChangeSchema),
  leftOut: s
    .object({
      files: count.describe('Further files, beyond the limit.'),
      symbols: count.describe('Further symbols, beyond the limit.'),
      skipped: count.describe('Files that are not indexed: binary, secret, excluded, links, submodules.'),
      unreadable: count.describe('Blobs that could not be read.'),
    })
    .describe('Number of entries that are not listed.'),
});

export type DiffResponse = s.Infer<typeof diffResponseSchema>;
