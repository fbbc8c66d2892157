/** `share enable`, `share disable`, `share status`: whether a plain `git fetch` brings the index. */
import { commandText } from '../../params/command-line.js';
import type { Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { remoteArgument as remote } from '../shared-params.js';
import { shareReportSchema } from './output.js';

const params = { remote } as const;

export type ShareValues = Values<typeof params>;

const json = 'print the report as JSON';

type ShareExamples = readonly (readonly [line: string, purpose: string])[];

function shareQuestion(action: 'enable' | 'disable' | 'status', summary: string, examples: ShareExamples) {
  return defineQuestion({
    name: `share ${action}`,
    summary,
    effect: action === 'status' ? 'reads' : 'writes',
    params,
    answer: async () => (await import('./answer.js')).answerShare[action],
    text: async () => (await import('./text.js')).shareText,
    documents: {
      share: { schema: shareReportSchema, title: commandText('share', { json: true }) },
    },
    command: { group: 'Share', json, examples },
  });
}

export const questions = [
  shareQuestion('enable', 'let a plain `git fetch` bring the index, too', [
    ['share enable', 'for the usual remote'],
    ['share enable upstream', 'for a remote by its name'],
  ]),
  shareQuestion('disable', 'stop a plain `git fetch` from bringing the index', [
    ['share disable', 'for the usual remote'],
    ['share disable upstream', 'for a remote by its name'],
  ]),
  shareQuestion('status', 'say what is shared, and what only one side has (as of the last fetch)', [
    ['share status', 'for the usual remote'],
    ['share status upstream', 'for a remote by its name'],
  ]),
];
