/** `pull`: brings the records of a remote. */
import { defineQuestion } from '../question.js';
import { pullReportSchema } from '../share/output.js';
import { params } from '../share/transfer-params.js';

export const question = defineQuestion({
  name: 'pull',
  summary: "fetch a remote's records and merge them into the local notes",
  effect: 'writes',
  openWorld: true,
  params,
  answer: async () => (await import('../share/answer.js')).answerPull,
  text: async () => (await import('../share/text.js')).pullText,
  documents: { pull: { schema: pullReportSchema } },
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['pull', 'records of the usual remote'],
      ['pull upstream --all', 'records of every profile, from a remote by its name'],
    ],
  },
});
