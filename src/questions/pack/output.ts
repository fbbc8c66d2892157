/** Document of `pack`. */
import * as s from '../../params/shape.js';
import { mentionedIn, some } from '../graph/output-parts.js';
import { mentions } from '../note/mention/output.js';
import { answer, count } from '../output-parts.js';
import { toldSummaries } from '../summarize/told/output.js';

const line = s.integer({ exclusiveMinimum: 0 });

const place = {
  path: s.string(),
  startLine: line,
  endLine: line,
  symbol: s.string().nullable().describe('What stands there; null where that is several things, or none.'),
};

export const packResponseSchema = s.object({
  schemaVersion: s.literal(1),
  ...answer,
  task: s.string(),
  linked: s.boolean().describe('False: callers, callees and tests are missing, the graph is not linked yet.'),
  budget: count.describe('Tokens asked for.'),
  tokens: count.describe('Tokens of this document, estimated; its text has fewer.'),
  items: s
    .array(
      s.object({
        ...place,
        kind: s
          .enum(['code', 'signature', 'test'])
          .describe('Whole lines, or a list of declarations with their lines.'),
        why: s.string(),
        tokens: count,
        content: s.string().describe('Untrusted repository content.'),
      }),
    )
    .describe('In the order of reading: files by importance, definitions before their users.'),
  past: s
    .object({
      coupled: s
        .array(s.object({ path: s.string(), with: s.string(), together: count, of: count }))
        .describe('Files that usually change with one of these: `together` of the `of` commits that changed `with`.'),
      owners: s
        .array(
          s.object({
            author: s.string().describe('Untrusted repository content.'),
            commits: count,
            share: s
              .number({ minimum: 0, maximum: 1 })
              .describe('Of the commits that changed these files, newer ones weighing more.'),
            last: s.string().nullable().describe('Date of the newest.'),
          }),
        )
        .describe('Who changed the main files of the pack most.'),
    })
    .optional()
    .describe('What the history tells, where there is room and it tells something.'),
  notes: mentions.optional(),
  summaries: toldSummaries.optional(),
  mentionedIn: mentionedIn.describe('Documents that mention the code shown, where any do.'),
  dropped: some(s.object({ ...place, tokens: count, why: s.string() })).describe('What did not fit, best first.'),
});

export type PackResponse = s.Infer<typeof packResponseSchema>;
