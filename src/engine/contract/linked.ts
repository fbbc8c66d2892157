/** What answers that include linked repositories say of each. */
import { z } from 'zod';
import { count, oid } from '../../questions/output-parts.js';

export const linkState = z.enum([
  ...(['searched', 'indexing', 'same', 'missing', 'not-a-repository', 'not-allowed', 'failed', 'left-out'] as const),
]);

export const linkedAnswerSchema = z.strictObject({
  project: z.string().describe('What its results are labelled with.'),
  path: z.string().describe('As the settings name it; of a submodule, its path.'),
  state: linkState.describe(
    'indexing: answered from what there was. same: this repository, or one named before. left-out: beyond the limit of 20.',
  ),
  commit: oid.nullable(),
  coverage: z.strictObject({ covered: count, total: count }).nullable(),
  results: count.describe('Of those in this answer.'),
  reason: z.string().nullable().describe('Why it was not searched, and what to do about it.'),
});

export type LinkState = z.infer<typeof linkState>;
export type LinkedAnswer = z.infer<typeof linkedAnswerSchema>;
