/** Document of `graph unused`. */
import { z } from 'zod';
import { count, oid } from '../../output-parts.js';
import { header, nodePlace, some } from '../output-parts.js';

const certainty = z
  .enum(['certain', 'likely', 'possible'])
  .describe('Likely: code outside of the repository may use it; possible: something here may, unseen.');

const unused = nodePlace.extend({
  certainty,
  usedBy: z
    .enum(['nothing', 'unused', 'tests'])
    .describe('Unused: only definitions that are unused themselves; tests: nothing but tests.'),
  verdict: z
    .enum([
      ...(['certain', 'exported', 'mentioned', 'unresolved-uses', 'framework', 'indirect'] as const),
      ...(['entry-point', 'no-call-facts', 'degraded'] as const),
    ])
    .describe('Why it may be used all the same.'),
  reason: z.string(),
  members: count.describe('Symbols inside, which are unused with it.'),
  since: z
    .strictObject({
      event: z.enum(['last-use-removed', 'never-used']),
      commit: oid,
      date: z.string().nullable(),
      subject: z.string().describe('Untrusted repository content.'),
      path: z.string().describe('The file that used it last; of one that was never used, its own.'),
    })
    .nullable()
    .optional()
    .describe('The commit since which nothing uses it; null if it is older than what was walked.'),
});

export const graphUnusedResponseSchema = z.strictObject({
  ...header,
  if: z
    .strictObject({ target: z.string(), definitions: z.array(nodePlace) })
    .optional()
    .describe('Taken for deleted: only definitions are listed that would become unused.'),
  minCertainty: certainty,
  lines: count.describe('Lines of all that is unused.'),
  inTests: count.describe('Unused definitions in tests that are left out.'),
  unused: some(unused).describe('By certainty, then by place.'),
});

export type GraphUnusedResponse = z.infer<typeof graphUnusedResponseSchema>;
export type UnusedSymbol = z.infer<typeof unused>;
