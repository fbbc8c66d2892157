/** `hooks install`, `hooks uninstall`, `hooks status`; and `hooks run`, which the hooks themselves call. */
import { commandText, flag, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion, NO_DOCUMENT } from '../question.js';
import { count } from '../shared-output.js';

const manager = s
  .enum(['files', 'config', 'husky', 'lefthook', 'pre-commit'])
  .describe('Who looks after hooks here: files of git, entries of its configuration, or another tool.');
const event = s.enum(['post-commit', 'post-merge', 'post-checkout', 'post-rewrite', 'post-applypatch', 'pre-push']);

const byHand = s
  .string()
  .nullable()
  .describe('What to add by hand, where nothing can or should be written; null if nothing is left to do.');

export const hooksChangeSchema = s.object({
  schemaVersion: s.literal(1),
  action: s.enum(['install', 'uninstall']),
  manager,
  managerFile: s.string().nullable().describe("The tool's own file, where what `byHand` says belongs."),
  directory: s.string().nullable().describe('Where the hooks are; null if that cannot be said.'),
  committed: s.boolean().describe('The files are part of the work tree: others get them with the next commit.'),
  written: s.boolean().describe('False with `print`, and where nothing had to change.'),
  hooks: s.array(
    s.object({
      event,
      path: s.string().describe("File, or section of git's configuration."),
      change: s.enum(['create', 'add', 'update', 'remove', 'delete', 'none', 'refuse']),
      reason: s.string().nullable().describe('Why a hook is left as it is.'),
      text: s.string().nullable().describe('With `print`: what the file would hold.'),
    }),
  ),
  byHand,
});

export const hooksStatusSchema = s.object({
  schemaVersion: s.literal(1),
  manager,
  managerFile: s.string().nullable(),
  directory: s.string().nullable(),
  refusal: s.string().nullable().describe('Why hooks cannot be installed here.'),
  hooks: s.array(
    s.object({
      event,
      state: s
        .enum(['installed', 'outdated', 'foreign', 'absent'])
        .describe('Foreign: there is a hook, but not of ours. Outdated: of another version.'),
      path: s.string(),
    }),
  ),
  tool: s.string().nullable().describe('The program as PATH finds it; null if hooks have to name it themselves.'),
  fallback: s.string().nullable().describe('The program that the post-commit hook names, if it is still there.'),
  worker: s.integer().nullable().describe('Process that is serving the queue.'),
  queued: count.describe('Events that wait for it.'),
  log: s.object({
    path: s.string(),
    lines: s.array(s.string()).describe('The last ones of workers.'),
    output: s.array(s.string()).describe('What the last worker printed: nothing, unless it could not be run.'),
  }),
});

export type HooksChange = s.Infer<typeof hooksChangeSchema>;
export type HooksStatus = s.Infer<typeof hooksStatusSchema>;

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
const change = {
  text: async () => (await import('./answer.js')).hooksChangeText,
  multiline: ['text', 'byHand'],
  documents: {
    'hooks-change': {
      schema: hooksChangeSchema,
      title: commandText('hooks install|uninstall', { json: true }),
    },
  },
};

const install = defineQuestion({
  name: 'hooks install',
  summary: 'index after commits, merges, checkouts and rebases',
  effect: 'writes',
  params: installParams,
  answer: async () => (await import('./answer.js')).answerHooksInstall,
  ...change,
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
  ...change,
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
  text: async () => (await import('./answer.js')).hooksStatusText,
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
    stream: { when: () => true, load: async () => (await import('./worker.js')).streamHookWorker },
  },
});

export const questions = [install, uninstall, status, run];
