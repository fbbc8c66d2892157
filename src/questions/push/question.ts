/** `push`: sends records to a remote. */
import { defineQuestion } from '../question.js';
import { pushReportSchema } from '../share/output.js';
import { pushParams } from '../share/transfer-params.js';

export const question = defineQuestion({
  name: 'push',
  summary: 'upload the index to a remote, for commits that the remote already has',
  effect: 'writes',
  openWorld: true,
  params: pushParams,
  answer: async () => (await import('../share/answer.js')).answerPush,
  text: async () => (await import('../share/text.js')).pushText,
  documents: { push: { schema: pushReportSchema } },
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['push', 'records of what the usual remote has'],
      ['push --dry-run', 'how much would be sent'],
      ['push upstream --all', 'records of every profile, to a remote by its name'],
    ],
  },
});
