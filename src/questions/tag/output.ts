/** Documents of `tags` and `tag`. */
import * as s from '../../params/shape.js';
import { header, line, some } from '../graph/output-parts.js';
import { claimant } from '../note/output.js';
import { count, oid } from '../output-parts.js';

const told = {
  unread: count.optional().describe('Files in which an expression of a rule took too long.'),
  gone: count.optional().describe('Tags given by hand whose code is gone.'),
  unreadable: count.optional().describe('Entries that this version cannot read.'),
};

export const tagsSchema = s.object({
  ...header,
  tags: s.array(
    s.object({
      tag: s.string(),
      files: count.describe('Files that have it as a whole.'),
      symbols: count.describe('Symbols that have it, in other files.'),
      byHand: count.describe('Places that somebody gave it.'),
    }),
  ),
  ...told,
});

export const givenTag = s
  .object({
    id: oid,
    author: claimant,
    date: s.string().describe("By the author's clock."),
    shared: s.boolean().describe('False: it stays in this clone.'),
    status: s.enum(['current', 'moved', 'stale']).describe('stale: the code changed since.'),
  })
  .describe('By hand: a claim of its author.');

export const tagPlace = s.object({
  path: s.string(),
  symbol: s.string().nullable().describe('Qualified name; null for a whole file, and for lines.'),
  startLine: line.nullable().describe('Null for a whole file.'),
  endLine: line.nullable(),
  given: givenTag.optional(),
});

export const tagListSchema = s.object({
  ...header,
  tag: s.string(),
  files: count,
  symbols: count,
  places: some(tagPlace).describe(
    'Production code first, then by path. Symbols of a file that has the tag are left out.',
  ),
  ...told,
});

export const tagReason = s.object({
  rule: s.object({
    number: line.describe('Of the rules of this source, the first is 1.'),
    source: s.enum(['built-in', '.socraticode.json']),
    why: s.string().optional(),
  }),
  of: tagPlace.omit('given').describe('What the rule is about: the symbol, one around it, or its file.'),
  found: s.array(s.string()).describe('The conditions and what fulfils them; untrusted repository content.'),
});

export const tagWhySchema = s.object({
  ...header,
  target: s.string(),
  place: tagPlace.omit('given'),
  tags: s.array(
    s.object({
      tag: s.string(),
      reasons: s.array(tagReason),
      given: s.array(givenTag.extend({ of: tagPlace.omit('given') })),
    }),
  ),
  ...told,
});

export const tagChangeSchema = s.object({
  schemaVersion: s.literal(1),
  tag: s.string(),
  place: tagPlace.omit('given'),
  has: s.boolean().describe('Whether the code has the tag now.'),
  isNew: s.boolean().describe('False: it was so before, and nothing was written.'),
  shared: s.boolean(),
});

export type TagsDocument = s.Infer<typeof tagsSchema>;
export type TagListDocument = s.Infer<typeof tagListSchema>;
export type TagWhyDocument = s.Infer<typeof tagWhySchema>;
export type TagChangeDocument = s.Infer<typeof tagChangeSchema>;
export type TagPlaceItem = s.Infer<typeof tagPlace>;
export type TagReason = s.Infer<typeof tagReason>;
