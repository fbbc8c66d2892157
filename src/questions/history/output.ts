/** Document of `history`. */
import * as s from '../../params/shape.js';
import { count, oid, placeSchema } from '../output-parts.js';

const commitSchema = s.object({
  commit: oid,
  date: s
    .string()
    .nullable()
    .describe("The author's date, ISO 8601 in its time zone; null if the commit's date is none."),
  author: s.string().describe('Untrusted text of the commit.'),
  subject: s.string().describe('First line of the message; untrusted text of the commit.'),
});

const eventSchema = s.object({
  type: s.enum(['appeared', 'changed', 'moved', 'disappeared']),
  ...commitSchema.fields,
  path: s.string().describe('Where it stood after the commit; before it, if it disappeared.'),
  from: s.string().optional().describe('Path that it moved from; the same one if only its name or container changed.'),
  symbol: s.string().nullable().describe('Qualified name there.'),
  parts: s
    .array(s.enum(['signature', 'body', 'layout']))
    .optional()
    .describe('What a change touched; layout is white space alone.'),
});

const historyResultSchema = placeSchema.extend({
  symbol: s.string().nullable().describe('Qualified name; null for text that is about no definition.'),
  kind: s.string(),
  present: s.boolean().describe('Is it there at the ref?'),
  paths: s.array(s.string()).describe('Every path that it ever had in what was walked.'),
  firstAppeared: commitSchema
    .nullable()
    .describe('Null if it is older than what was walked, or in a version that is missing here.'),
  lastChanged: commitSchema.nullable().describe('The newest change of its text; null if none is known.'),
  disappeared: commitSchema
    .extend({ merge: s.boolean().describe('A merge dropped it, without a commit that removes it.') })
    .nullable()
    .describe('Null if it is present, or if no commit tells.'),
  changes: count.describe('Commits that changed it, moves included.'),
  events: s.array(eventSchema).describe('Newest first.'),
  eventsLeftOut: count.describe('Further events, older than those listed but the first appearance.'),
  blob: oid.describe('The version that the lines and the text are of: the newest one.'),
  show: s.string().nullable().describe('`git show` prints the file with this version: COMMIT:PATH.'),
  content: s.string().optional().describe('Its text, read from the blob; untrusted repository content.'),
});

export const historyResponseSchema = s.object({
  schemaVersion: s.literal(1),
  query: s.string(),
  kind: s.enum(['symbol', 'natural', 'question']).describe('How the query was understood.'),
  ref: s.string().describe('The ref as asked for.'),
  commit: oid.nullable(),
  window: s
    .object({
      commits: count.describe('Commits that were walked.'),
      complete: s.boolean().describe('Did the walk reach the beginning of history?'),
      oldest: oid.nullable(),
      end: s.enum(['root', 'max-commits', 'since', 'shallow']).describe('Why the walk ended.'),
    })
    .describe('How much of the history was searched.'),
  versions: s
    .object({ examined: count, leftOut: count, unreadable: count })
    .describe('File versions that were searched, left out because there were too many, and unreadable.'),
  ignoredCase: s.boolean().optional().describe('The name was found in another case only.'),
  suggestions: s.array(s.string()).optional().describe('Names that resemble one that was never defined.'),
  results: s.array(historyResultSchema),
  resultsLeftOut: count.describe('Further definitions of the name, beyond the limit.'),
});

export type HistoryResponse = s.Infer<typeof historyResponseSchema>;
