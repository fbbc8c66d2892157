/** `fsck`: checks that the index is true, and repairs it. */
import { flag, text, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { fsckReportSchema } from './output.js';

/** Enough to meet a writer that makes one record in a hundred differently, six times out of seven. */
const SAMPLE = '200';

const params = {
  rederive: text({
    summary: 'derive records again and compare them: this many, or "all"',
    defaultText: SAMPLE,
    pattern: /^(?:all|[1-9]\d{0,8})$/,
    form: 'a number of records, or "all"',
    cli: { value: 'n', bare: SAMPLE },
  }),
  profile: text({
    summary: 'only records of this profile; a repair then changes them even if it is not the one in use',
    cli: { value: 'id' },
  }),
  repair: flag({ summary: 'move damaged parts aside and build them again' }),
} as const;

export type FsckValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'fsck',
  summary: 'check records and local files; exits with 1 if something is wrong',
  effect: 'writes',
  params,
  answer: async () => (await import('./answer.js')).answerFsck,
  text: async () => (await import('./text.js')).fsckText,
  documents: { fsck: { schema: fsckReportSchema } },
  command: {
    group: 'Maintain',
    json: 'print the report as JSON',
    examples: [
      ['fsck', 'check every record and every local file'],
      ['fsck --rederive', 'also derive 200 records again'],
      ['fsck --repair', 'move damaged parts aside and build them again'],
    ],
    isNegative: ({ ok }) => !ok,
  },
});
