/** Document of `status --left-out`: the files that are not indexed, by the rule that leaves them out. */
import { z } from 'zod';
import { leftOutRule } from '../../explain/output.js';
import { REASONS, type ReasonName } from '../../explain/reasons.js';
import { answer, count } from '../../output-parts.js';

const NAMES = Object.keys(REASONS) as [ReasonName, ...ReasonName[]];

export const leftOutSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ref: answer.ref,
  commit: answer.commit,
  below: z.string().describe("The folder asked for; '' for all."),
  total: count.describe('Files below it, uncommitted ones included.'),
  leftOut: count.describe('How many of them are not indexed.'),
  groups: z
    .array(
      z.strictObject({
        reason: z.enum(NAMES),
        rule: leftOutRule.nullable(),
        count,
        paths: z.array(z.string()).describe('The first of them.'),
        next: z.string().nullable().describe('What to type or do about the first one.'),
      }),
    )
    .describe('Most files first.'),
});

export type LeftOutResponse = z.infer<typeof leftOutSchema>;
