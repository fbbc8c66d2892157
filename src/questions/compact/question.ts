/** `compact`: squashes the history of the notes and drops records of unreachable blobs. */
import { flag, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { count } from '../shared-output.js';
import { remoteOption } from '../shared-params.js';

export const compactReportSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string().nullable().describe('The remote whose notes were compacted; null for the local ones.'),
  dryRun: s.boolean().describe('Nothing was changed.'),
  refs: s.array(
    s.object({
      ref: s.string(),
      records: s.object({ kept: count, dropped: count.describe('Their blobs are not reached any more.') }),
      commits: count.describe('Of the history before; afterwards it is one.'),
      bytes: s
        .object({ before: count, after: count })
        .describe('In the object store, history included. What is freed is given back by `git gc`.'),
      changed: s.boolean(),
    }),
  ),
  reason: s.string().nullable().describe('Why records of unreached blobs were kept; null if none were.'),
  otherProfiles: s.array(s.string()).describe('Notes refs that this installation does not write.'),
});

export type CompactReport = Omit<s.Infer<typeof compactReportSchema>, 'schemaVersion'>;

const params = {
  remote: remoteOption('compact the notes of a remote instead; without a name, of the usual one'),
  dryRun: flag({ summary: 'say what would be done; change nothing' }),
} as const;

export type CompactValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'compact',
  summary: 'squash the history of the notes and drop records of unreachable blobs',
  effect: 'writes',
  openWorld: true,
  params,
  answer: async () => (await import('./answer.js')).answerCompact,
  text: async () => (await import('./answer.js')).compactText,
  documents: { compact: { schema: compactReportSchema } },
  command: {
    group: 'Maintain',
    json: 'print the report as JSON',
    examples: [
      ['compact --dry-run', 'how much would be dropped'],
      ['compact --remote origin', 'the notes of a remote'],
    ],
  },
});
