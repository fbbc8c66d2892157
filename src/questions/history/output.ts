/** Document of `history`. */
import { z } from 'zod';
import { count, oid, placeSchema } from '../output-parts.js';

const commitSchema = z.strictObject({
  commit: oid,
  date: z
    .string()
    .nullable()
    .describe("The author's date, ISO 8601 in its time zone; null if the commit's date is none."),
  author: z.string().describe('Untrusted text of the commit.'),
  subject: z.string().describe('First line of the message; untrusted text of the commit.'),
});

const eventSchema = z.strictObject({
  type: z.enum(['appeared', 'changed', 'moved', 'disappeared']),
  ...commitSchema.shape,
  path: z.string().describe('Where it stood after the commit; before it, if it disappeared.'),
  from: z.string().optional().describe('Path that it moved from; the same one if only its name or container changed.'),
  symbol: z.string().nullable().describe('Qualified name there.'),
  parts: z
    .array(z.enum(['signature', 'body', 'layout']))
    .optional()
    .describe('What a change touched; layout is white space alone.'),
});

const historyResultSchema = placeSchema.extend({
  symbol: z.string().nullable().describe('Qualified name; null for text that is about no definition.'),
  kind: z.string(),
  present: z.boolean().describe('Is it there at the ref?'),
  paths: z.array(z.string()).describe('Every path that it ever had in what was walked.'),
  firstAppeared: commitSchema
    .nullable()
    .describe('Null if it is older than what was walked, or in a version that is missing here.'),
  lastChanged: commitSchema.nullable().describe('The newest change of its text; null if none is known.'),
  disappeared: commitSchema
    .extend({ merge: z.boolean().describe('A merge dropped it, without a commit that removes it.') })
    .nullable()
    .describe('Null if it is present, or if no commit tells.'),
  changes: count.describe('Commits that changed it, moves included.'),
  events: z.array(eventSchema).describe('Newest first.'),
  eventsLeftOut: count.describe('Further events, older than those listed but the first appearance.'),
  blob: oid.describe('The version that the lines and the text are of: the newest one.'),
  show: z.string().nullable().describe('`git show` prints the file with this version: COMMIT:PATH.'),
  content: z.string().optional().describe('Its text, read from the blob; untrusted repository content.'),
});

export const historyResponseSchema = z.strictObject({
  schemaVersion: z.literal(1),
  query: z.string(),
  kind: z.enum(['symbol', 'natural', 'question']).describe('How the query was understood.'),
  ref: z.string().describe('The ref as asked for.'),
  commit: oid.nullable(),
  window: z
    .strictObject({
      commits: count.describe('Commits that were walked.'),
      complete: z.boolean().describe('Did the walk reach the beginning of history?'),
      oldest: oid.nullable(),
      end: z.enum(['root', 'max-commits', 'since', 'shallow']).describe('Why the walk ended.'),
    })
    .describe('How much of the history was searched.'),
  versions: z
    .strictObject({ examined: count, leftOut: count, unreadable: count })
    .describe('File versions that were searched, left out because there were too many, and unreadable.'),
  ignoredCase: z.boolean().optional().describe('The name was found in another case only.'),
  suggestions: z.array(z.string()).optional().describe('Names that resemble one that was never defined.'),
  results: z.array(historyResultSchema),
  resultsLeftOut: count.describe('Further definitions of the name, beyond the limit.'),
});

export type HistoryResponse = z.infer<typeof historyResponseSchema>;
