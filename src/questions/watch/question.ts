/** `watch` for people, who see a line at every refresh; `codebase_watch` for agents. */
import { choice, commandText, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { indexingSchema } from '../index/question.js';
import { defineQuestion, NO_DOCUMENT } from '../question.js';
import { count, oid } from '../shared-output.js';

export const watchEventSchema = s.object({
  schemaVersion: s.literal(1),
  event: s.enum(['refreshed', 'failed']),
  commit: oid.nullable().describe('HEAD; null before the first commit.'),
  parsed: count.nullable().describe('Blobs of HEAD parsed, where HEAD had moved; null where it had not.'),
  dirty: count.describe('Files of the work tree that differ from HEAD.'),
  overlay: count.describe('Of those, the files that searches know as they are now.'),
  ms: s.number(),
  error: s.string().optional(),
});

export type WatchEvent = s.Infer<typeof watchEventSchema>;

const watchReportSchema = s.object({
  schemaVersion: s.literal(1),
  action: s.enum(['start', 'stop', 'status']),
  watches: s.boolean().describe('Changes are noticed by themselves; without that, git is asked with every question.'),
  watcher: s.integer().nullable().describe('Another process that keeps this work tree ready.'),
  reason: s.string().nullable().describe('Why nothing can be watched.'),
  indexing: indexingSchema.nullable().describe('With start: catching up with what is there now.'),
});

export type WatchReport = s.Infer<typeof watchReportSchema>;

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
    stream: { when: () => true, load: async () => (await import('./work-tree.js')).streamWatch },
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
  answer: async () => (await import('../index/answer.js')).answerServerWatch,
  text: async () => (await import('../index/answer.js')).serverWatchText,
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
