/** `watch` for people, who see a line at every refresh; `codebase_watch` for agents. */
import { commandText } from '../../params/command-line.js';
import { choice, type Values } from '../../params/param.js';
import { defineQuestion, NO_DOCUMENT } from '../question.js';
import { watchEventSchema } from './output.js';
import { watchReportSchema } from './server/output.js';

const watch = defineQuestion({
  ...NO_DOCUMENT,
  name: 'watch',
  summary: 'keep the index, uncommitted changes included, up to date while you work; exits with its parent process',
  effect: 'writes',
  params: {},
  documents: {
    watch: {
      schema: watchEventSchema,
      title: `A line of ${commandText('watch', { json: true })}`,
    },
  },
  command: {
    group: 'Index',
    json: 'print a JSON document on stdout at every refresh',
    examples: [
      ['watch', 'until Ctrl-C, or until its parent ends'],
      ['watch --json', 'one JSON document a line, for an editor'],
    ],
    withoutSession: true,
    stream: { when: () => true, load: async () => (await import('./stream.js')).streamWatch },
  },
});

const serverParams = {
  action: choice(['start', 'stop', 'status'], { summary: 'what to do', required: true, cli: false }),
} as const;

export type ServerWatchValues = Values<typeof serverParams>;

const serverWatch = defineQuestion({
  name: 'watch',
  summary: 'say whether a server notices changes by itself',
  effect: 'writes',
  params: serverParams,
  answer: async () => (await import('./server/answer.js')).answerServerWatch,
  text: async () => (await import('./server/text.js')).serverWatchText,
  documents: { 'mcp-watch': { schema: watchReportSchema } },
  tool: {
    name: 'codebase_watch',
    title: 'Watch the work tree',
    toolset: 'admin',
    description: 'Says whether changes are noticed by themselves; start catches up with them now.',
    params: { action: '' },
    reply: ['projectPath'],
    maxTokens: 1_000,
  },
});

export const questions = [watch, serverWatch];
