/** Document of `why`. */
import { z } from 'zod';
import { line, some } from '../graph/output-parts.js';
import { count, oid } from '../output-parts.js';

export const mention = z.strictObject({
  kind: z.enum(['pull', 'issue', 'unknown']).describe('A pull or merge request, an issue, or either of them.'),
  text: z.string().describe('As written: #123, GH-12 or an address; untrusted text of the commit.'),
});

const reason = z.strictObject({
  commit: oid,
  date: z.string().nullable().describe("The author's date, ISO 8601; null if the commit's date is none."),
  author: z.string().describe('Untrusted text of the commit.'),
  subject: z.string().describe('First line of the message; untrusted text of the commit.'),
  body: z.string().describe('The rest of the message, its beginning unless it is asked for whole; untrusted.'),
  lines: count.describe('Lines of the place that it wrote and that stand unchanged.'),
  from: z.string().optional().describe('Path that the lines had then, where it was another one.'),
  merge: z
    .strictObject({ commit: oid, subject: z.string().describe('Untrusted text of the commit.') })
    .optional()
    .describe('The merge that brought the commit to this branch.'),
  mentions: z.array(mention).describe('Pull requests and issues that the messages of commit and merge name.'),
});

export const whySchema = z.strictObject({
  schemaVersion: z.literal(1),
  place: z.string().describe('As asked for.'),
  ref: z.string().describe('The ref as asked for.'),
  commit: oid,
  path: z.string(),
  symbol: z.string().nullable().describe('Qualified name, where a symbol was asked for.'),
  startLine: line,
  endLine: line,
  uncommitted: count.describe('Lines of them that no commit has yet.'),
  basis: z
    .enum(['lines', 'file'])
    .describe(
      'lines: the commits that changed these lines; file: this clone lacks old versions, so all that changed the file.',
    ),
  commits: some(reason).describe('Newest first.'),
});

export type WhyDocument = z.infer<typeof whySchema>;
