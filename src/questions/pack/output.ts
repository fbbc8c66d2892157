/** Document of `pack`. */
import { z } from 'zod';
import { some } from '../graph/output-parts.js';
import { answer, count } from '../output-parts.js';

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
  dropped: some(z.strictObject({ ...place, tokens: count, why: z.string() })).describe('What did not fit, best first.'),
});

export type PackResponse = z.infer<typeof packResponseSchema>;
