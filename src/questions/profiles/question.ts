/** `profiles`: kinds of records known here. */
import { defineQuestion } from '../question.js';
import { profilesReportSchema } from './output.js';

export const question = defineQuestion({
  name: 'profiles',
  summary:
    'list the profiles known here: every version and setting that changes records has one; say where the records are, and which are in use',
  effect: 'reads',
  params: {},
  answer: async () => (await import('./answer.js')).answerProfiles,
  text: async () => (await import('./text.js')).profilesText,
  documents: { profiles: { schema: profilesReportSchema } },
  command: {
    group: 'Maintain',
    json: 'print the report as JSON',
    examples: [
      ['profiles', 'which records are here, and which are in use'],
      ['profiles --json', 'also what each profile stands for'],
    ],
  },
});
