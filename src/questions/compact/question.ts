/** `compact`: squashes the history of the notes and drops records of unreachable blobs. */
import { flag, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { remoteOption } from '../shared-params.js';
import { compactReportSchema } from './output.js';

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
  text: async () => (await import('./text.js')).compactText,
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
