/** `hooks install`, `hooks uninstall`, `hooks status`; and `hooks run`, which the hooks themselves call. */
import { commandText } from '../../params/command-line.js';
import { flag, text, type Values } from '../../params/param.js';
import { defineQuestion, NO_DOCUMENT } from '../question.js';
import { hooksChangeSchema, hooksStatusSchema } from './output.js';

const print = flag({ summary: 'print what would be written; write nothing' });
const installParams = { share: flag({ summary: 'share the index after each push, too' }), print } as const;
const uninstallParams = { print } as const;
const runParams = {
  event: text({ summary: 'queue this event first', cli: { value: 'name' } }),
  argument: text({ summary: 'its first argument: for pre-push the remote', cli: { value: 'text' } }),
} as const;

export type HooksInstallValues = Values<typeof installParams>;
export type HooksUninstallValues = Values<typeof uninstallParams>;
export type HooksRunValues = Values<typeof runParams>;

const json = 'print the report as JSON';
const changeText = async () => (await import('./text.js')).hooksChangeText;
const changeDocuments = {
  'hooks-change': {
    schema: hooksChangeSchema,
    title: commandText('hooks install|uninstall', { json: true }),
  },
};

const install = defineQuestion({
  name: 'hooks install',
  summary: 'index after commits, merges, checkouts and rebases',
  effect: 'writes',
  params: installParams,
  answer: async () => (await import('./answer.js')).answerHooksInstall,
  text: changeText,
  documents: changeDocuments,
  command: {
    group: 'Index',
    json,
    examples: [
      ['hooks install', 'index in the background from the next commit on'],
      ['hooks install --share', 'also share the index after each push'],
      ['hooks install --print', 'look at the hooks first'],
    ],
    isNegative: ({ byHand }) => byHand !== null,
  },
});

const uninstall = defineQuestion({
  name: 'hooks uninstall',
  summary: 'remove exactly what `hooks install` added',
  effect: 'writes',
  params: uninstallParams,
  answer: async () => (await import('./answer.js')).answerHooksUninstall,
  text: changeText,
  documents: changeDocuments,
  command: {
    group: 'Index',
    json,
    examples: [
      ['hooks uninstall', 'hooks of other programs stay as they are'],
      ['hooks uninstall --print', 'look at the change first'],
    ],
  },
});

const status = defineQuestion({
  name: 'hooks status',
  summary: 'say which hooks run, and what they did last',
  effect: 'reads',
  params: {},
  answer: async () => (await import('./answer.js')).answerHooksStatus,
  text: async () => (await import('./text.js')).hooksStatusText,
  documents: { 'hooks-status': { schema: hooksStatusSchema } },
  command: {
    group: 'Index',
    json,
    examples: [
      ['hooks status', 'which hooks are installed, and the last lines of their log'],
      ['hooks status --json', 'the same for a script'],
    ],
    isNegative: ({ hooks }) =>
      hooks.some(({ event, state }) => event === 'post-commit' && (state === 'absent' || state === 'foreign')),
  },
});

const run = defineQuestion({
  ...NO_DOCUMENT,
  name: 'hooks run',
  summary: 'serve the events that hooks have queued',
  effect: 'writes',
  openWorld: true,
  params: runParams,
  command: {
    group: 'Index',
    hidden: true,
    json: false,
    examples: [
      ['hooks run', 'serve the queue until it is empty'],
      ['hooks run --event post-commit', 'queue an event first'],
    ],
    withoutSession: true,
    stream: { when: () => true, load: async () => (await import('./run/stream.js')).streamHookWorker },
  },
});

export const questions = [install, uninstall, status, run];
