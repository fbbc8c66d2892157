/** Documents of `tags` and `tag`. */
import { z } from 'zod';
import { header, line, some } from '../graph/output-parts.js';
import { claimant } from '../note/output.js';
import { count, oid } from '../output-parts.js';

const told = {
  unread: count.optional().describe('Files in which an expression of a rule took too long.'),
  gone: count.optional().describe('Tags given by hand whose code is gone.'),
  unreadable: count.optional().describe('Entries that this version cannot read.'),
};

export const tagsSchema = z.strictObject({
  ...header,
  tags: z.array(
    z.strictObject({
      tag: z.string(),
      files: count.describe('Files that have it as a whole.'),
      symbols: count.describe('Symbols that have it, in other files.'),
      byHand: count.describe('Places that somebody gave it.'),
    }),
  ),
  ...told,
});

export const givenTag = z
  .strictObject({
    id: oid,
    author: claimant,
    date: z.string().describe("By the author's clock."),
    shared: z.boolean().describe('False: it stays in this clone.'),
    status: z.enum(['current', 'moved', 'stale']).describe('stale: the code changed since.'),
  })
  .describe('By hand: a claim of its author.');

export const tagPlace = z.strictObject({
  path: z.string(),
  symbol: z.string().nullable().describe('Qualified name; null for a whole file, and for lines.'),
  startLine: line.nullable().describe('Null for a whole file.'),
  endLine: line.nullable(),
  given: givenTag.optional(),
});

export const tagListSchema = z.strictObject({
  ...header,
  tag: z.string(),
  files: count,
  symbols: count,
  places: some(tagPlace).describe(
    'Production code first, then by path. Symbols of a file that has the tag are left out.',
  ),
  ...told,
});

export const tagReason = z.strictObject({
  rule: z.strictObject({
    number: line.describe('Of the rules of this source, the first is 1.'),
    source: z.enum(['built-in', '.socraticode.json']),
    why: z.string().optional(),
  }),
  of: tagPlace.omit({ given: true }).describe('What the rule is about: the symbol, one around it, or its file.'),
  found: z.array(z.string()).describe('The conditions and what fulfils them; untrusted repository content.'),
});

export const tagWhySchema = z.strictObject({
  ...header,
  target: z.string(),
  place: tagPlace.omit({ given: true }),
  tags: z.array(
    z.strictObject({
      tag: z.string(),
      reasons: z.array(tagReason),
      given: z.array(givenTag.extend({ of: tagPlace.omit({ given: true }) })),
    }),
  ),
  ...told,
});

export const tagChangeSchema = z.strictObject({
  schemaVersion: z.literal(1),
  tag: z.string(),
  place: tagPlace.omit({ given: true }),
  has: z.boolean().describe('Whether the code has the tag now.'),
  isNew: z.boolean().describe('False: it was so before, and nothing was written.'),
  shared: z.boolean(),
});

export type TagsDocument = z.infer<typeof tagsSchema>;
export type TagListDocument = z.infer<typeof tagListSchema>;
export type TagWhyDocument = z.infer<typeof tagWhySchema>;
export type TagChangeDocument = z.infer<typeof tagChangeSchema>;
export type TagPlaceItem = z.infer<typeof tagPlace>;
export type TagReason = z.infer<typeof tagReason>;
