/** Document of `graph unused`. */
import * as s from '../../../params/shape.js';
import { count, oid } from '../../output-parts.js';
import { header, nodePlace, some } from '../output-parts.js';

const certainty = s
  .enum(['certain', 'likely', 'possible'])
  .describe('Likely: code outside of the repository may use it; possible: something here may, unseen.');

const unused = nodePlace.extend({
  certainty,
  usedBy: s
    .enum(['nothing', 'unused', 'tests'])
    .describe('Unused: only definitions that are unused themselves; tests: nothing but tests.'),
  verdict: s
    .enum([
      ...(['certain', 'exported', 'mentioned', 'unresolved-uses', 'framework', 'indirect'] as const),
      ...(['entry-point', 'no-call-facts', 'degraded'] as const),
    ])
    .describe('Why it may be used all the same.'),
  reason: s.string(),
  members: count.describe('Symbols inside, which are unused with it.'),
  since: s
    .object({
      event: s.enum(['last-use-removed', 'never-used']),
      commit: oid,
      date: s.string().nullable(),
      subject: s.string().describe('Untrusted repository content.'),
      path: s.string().describe('The file that used it last; of one that was never used, its own.'),
    })
    .nullable()
    .optional()
    .describe('The commit since which nothing uses it; null if it is older than what was walked.'),
});

export const graphUnusedResponseSchema = s.object({
  ...header,
  if: s
    .object({ target: s.string(), definitions: s.array(nodePlace) })
    .optional()
    .describe('Taken for deleted: only definitions are listed that would become unused.'),
  minCertainty: certainty,
  lines: count.describe('Lines of all that is unused.'),
  inTests: count.describe('Unused definitions in tests that are left out.'),
  unused: some(unused).describe('By certainty, then by place.'),
});

export type GraphUnusedResponse = s.Infer<typeof graphUnusedResponseSchema>;
export type UnusedSymbol = s.Infer<typeof unused>;
