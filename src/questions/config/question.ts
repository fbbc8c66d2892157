/** `config`: the settings in effect. */
import { flag, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { committedRef } from '../shared-params.js';

export const configReportSchema = s.object({
  schemaVersion: s.literal(1),
  values: s.array(s.object({ key: s.string(), value: s.unknown(), origin: s.string() })),
  unread: s
    .array(
      s.object({
        name: s.string(),
        instead: s.string().describe('A command that sets the same here, or why there is nothing to set.'),
      }),
    )
    .optional()
    .describe('Variables of SocratiCode that are set and not read; absent for none.'),
});

export type ConfigReport = s.Infer<typeof configReportSchema>;

const params = {
  showOrigin: flag({ summary: 'print where each value comes from' }),
  ref: { ...committedRef, summary: 'settings of this ref instead of the work tree', defaultText: undefined },
} as const;

export type ConfigValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'config',
  summary: 'print the settings in effect',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerConfig,
  text: async () => (await import('./answer.js')).configText,
  documents: { config: { schema: configReportSchema } },
  command: {
    readOnly: true,
    group: 'Maintain',
    json: 'print values and origins as JSON',
    examples: [
      ['config --show-origin', 'which file or setting of git each value comes from'],
      ['config --ref v1.2', 'the settings that a release had'],
    ],
  },
});
