/** Document of `status --left-out`: the files that are not indexed, by the rule that leaves them out. */
import * as s from '../../../params/shape.js';
import { leftOutRule } from '../../explain/output.js';
import { REASONS, type ReasonName } from '../../explain/reasons.js';
import { answer, count } from '../../output-parts.js';

const NAMES = Object.keys(REASONS) as [ReasonName, ...ReasonName[]];

export const leftOutSchema = s.object({
  schemaVersion: s.literal(1),
  ref: answer.ref,
  commit: answer.commit,
  below: s.string().describe("The folder asked for; '' for all."),
  total: count.describe('Files below it, uncommitted ones included.'),
  leftOut: count.describe('How many of them are not indexed.'),
  groups: s
    .array(
      s.object({
        reason: s.enum(NAMES),
        rule: leftOutRule.nullable(),
        count,
        paths: s.array(s.string()).describe('The first of them.'),
        next: s.string().nullable().describe('What to type or do about the first one.'),
      }),
    )
    .describe('Most files first.'),
});

export type LeftOutResponse = s.Infer<typeof leftOutSchema>;
