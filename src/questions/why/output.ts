/** Document of `why`. */
import * as s from '../../params/shape.js';
import { line, some } from '../graph/output-parts.js';
import { count, oid } from '../output-parts.js';

export const mention = s.object({
  kind: s.enum(['pull', 'issue', 'unknown']).describe('A pull or merge request, an issue, or either of them.'),
  text: s.string().describe('As written: #123, GH-12 or an address; untrusted text of the commit.'),
});

const reason = s.object({
  commit: oid,
  date: s.string().nullable().describe("The author's date, ISO 8601; null if the commit's date is none."),
  author: s.string().describe('Untrusted text of the commit.'),
  subject: s.string().describe('First line of the message; untrusted text of the commit.'),
  body: s.string().describe('The rest of the message, its beginning unless it is asked for whole; untrusted.'),
  lines: count.describe('Lines of the place that it wrote and that stand unchanged.'),
  from: s.string().optional().describe('Path that the lines had then, where it was another one.'),
  merge: s
    .object({ commit: oid, subject: s.string().describe('Untrusted text of the commit.') })
    .optional()
    .describe('The merge that brought the commit to this branch.'),
  mentions: s.array(mention).describe('Pull requests and issues that the messages of commit and merge name.'),
});

export const whySchema = s.object({
  schemaVersion: s.literal(1),
  place: s.string().describe('As asked for.'),
  ref: s.string().describe('The ref as asked for.'),
  commit: oid,
  path: s.string(),
  symbol: s.string().nullable().describe('Qualified name, where a symbol was asked for.'),
  startLine: line,
  endLine: line,
  uncommitted: count.describe('Lines of them that no commit has yet.'),
  basis: s
    .enum(['lines', 'file'])
    .describe(
      'lines: the commits that changed these lines; file: this clone lacks old versions, so all that changed the file.',
    ),
  commits: some(reason).describe('Newest first.'),
});

export type WhyDocument = s.Infer<typeof whySchema>;
