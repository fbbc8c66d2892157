/** Document of `grep`. */
import * as s from '../../params/shape.js';
import { answer, count, oid } from '../output-parts.js';

const line = s.integer({ exclusiveMinimum: 0 });
const uncommitted = s.literal(true).optional().describe('The file is not committed as it is here.');
const refs = s.array(s.string()).optional().describe('With `allRefs`: branches that hold this blob at this path.');

const hitSchema = s.object({
  path: s.string().describe('Path from the top of the repository.'),
  line: line.describe('Line of the hit, counted from 1.'),
  endLine: line.optional().describe('Last line, where a match spans several.'),
  column: s
    .integer({ exclusiveMinimum: 0 })
    .describe('Where the first match begins in its line, in characters from 1.'),
  symbol: s.string().nullable().describe('Qualified name of the innermost symbol around it; null at top level.'),
  text: s.string().describe('The line; of one with more than 500 characters the part around the match. Untrusted.'),
  before: s.array(s.string()).optional().describe('With `context`: the lines before.'),
  after: s.array(s.string()).optional().describe('With `context`: the lines behind.'),
  endColumn: s
    .integer({ exclusiveMinimum: 0 })
    .optional()
    .describe('With `ast`: column behind the match in its last line.'),
  captures: s
    .record(s.string())
    .optional()
    .describe('With `ast`: what each variable of the pattern stands for; of a longer text the first 500 characters.'),
  uncommitted,
  refs,
});

const fileSchema = s.object({
  path: s.string(),
  hits: count.describe('With `rewrite`: matches that the patch replaces.'),
  patch: s.string().optional().describe('With `rewrite`: a unified patch, as `git apply` reads it. Untrusted.'),
  uncommitted,
  refs,
});

export const grepResponseSchema = s.object({
  schemaVersion: s.literal(1),
  pattern: s.string(),
  ...answer,
  range: s
    .object({
      from: oid.nullable().describe('The commit compared with; null where a tree was named.'),
      unread: count.describe('Files with hits whose older version cannot be read: all of their lines count as new.'),
    })
    .optional()
    .describe('With `in`: only lines that are new or changed since were searched.'),
  branches: s
    .object({ searched: count, leftOut: count })
    .optional()
    .describe('With `allRefs`: how many branches were searched, and how many older ones were not.'),
  total: s
    .object({
      hits: count.describe('Lines that match; with `ast` matches, of which one may lie in another.'),
      files: count.describe('Files with such lines.'),
    })
    .describe('All there are, listed here or not.'),
  skipped: s
    .record(count)
    .describe(
      'Files that were not searched: binary, secret, too-large (over 32 MiB), too-slow (the pattern takes more than 5 s there, or 30 s in all such files), symlink, submodule, unreadable; with `ast` other-language (it cannot read the pattern) and not-parsed (its parse failed or took too long); with `rewrite` not-utf8.',
    ),
  givenUp: s.array(s.string()).optional().describe('The first 20 of the files that were too-slow.'),
  hits: s.array(hitSchema).optional().describe('In the order of paths and lines.'),
  hitsLeftOut: count.optional(),
  files: s.array(fileSchema).optional().describe('With `files`, `count` or `rewrite`: instead of hits.'),
  filesLeftOut: count.optional(),
  inner: count
    .optional()
    .describe('With `rewrite`: matches inside of others that are replaced. They stay in the new code: ask again.'),
});

export type GrepResponse = s.Infer<typeof grepResponseSchema>;
export type HitDocument = s.Infer<typeof hitSchema>;
export type FileDocument = s.Infer<typeof fileSchema>;
