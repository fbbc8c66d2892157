/** Document of `pack`. */
import { z } from 'zod';
import { mentionedIn, some } from '../graph/output-parts.js';
import { mentions } from '../note/mention/output.js';
import { answer, count } from '../output-parts.js';
import { toldSummaries } from '../summarize/told/output.js';

const line = z.int().positive();

const place = {
  path: z.string(),
  startLine: line,
  endLine: line,
  symbol: z.string().nullable().describe('What stands there; null where that is several things, or none.'),
};

export const packResponseSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ...answer,
  task: z.string(),
  linked: z.boolean().describe('False: callers, callees and tests are missing, the graph is not linked yet.'),
  budget: count.describe('Tokens asked for.'),
  tokens: count.describe('Tokens of this document, estimated; its text has fewer.'),
  items: z
    .array(
      z.strictObject({
        ...place,
        kind: z
          .enum(['code', 'signature', 'test'])
          .describe('Whole lines, or a list of declarations with their lines.'),
        why: z.string(),
        tokens: count,
        content: z.string().describe('Untrusted repository content.'),
      }),
    )
    .describe('In the order of reading: files by importance, definitions before their users.'),
  past: z
    .strictObject({
      coupled: z
        .array(z.strictObject({ path: z.string(), with: z.string(), together: count, of: count }))
        .describe('Files that usually change with one of these: `together` of the `of` commits that changed `with`.'),
      owners: z
        .array(
          z.strictObject({
            author: z.string().describe('Untrusted repository content.'),
            commits: count,
            share: z
              .number()
              .min(0)
              .max(1)
              .describe('Of the commits that changed these files, newer ones weighing more.'),
            last: z.string().nullable().describe('Date of the newest.'),
          }),
        )
        .describe('Who changed the main files of the pack most.'),
    })
    .optional()
    .describe('What the history tells, where there is room and it tells something.'),
  notes: mentions.optional(),
  summaries: toldSummaries.optional(),
  mentionedIn: mentionedIn.describe('Documents that mention the code shown, where any do.'),
  dropped: some(z.strictObject({ ...place, tokens: count, why: z.string() })).describe('What did not fit, best first.'),
});

export type PackResponse = z.infer<typeof packResponseSchema>;
