/** `knowledge push|pull|status|compact|fsck`: what people and agents wrote, shared and looked after like the index. */
import { commandText, flag, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { fsckReportSchema } from '../fsck/question.js';
import { defineQuestion } from '../question.js';
import { compactReportSchema } from '../remove/question.js';
import { pullReportSchema, pushReportSchema } from '../share/question.js';
import { count } from '../shared-output.js';
import { remoteArgument as remote, remoteOption } from '../shared-params.js';

const knowledgeStatusSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string().nullable().describe('The remote that is compared with; null if there is none.'),
  kinds: s
    .array(
      s.object({
        kind: s.string().describe('notes, tasks, tags, summaries, evidence or approvals.'),
        shared: count.describe('Entries that pushes send.'),
        own: count.describe('Entries that stay in this clone.'),
        ahead: count.describe('Shared entries that the remote lacked at the last fetch.'),
        behind: count.describe('Entries of the remote, as of the last fetch, that are not here.'),
      }),
    )
    .describe('Kinds of which there are entries.'),
});

export type KnowledgeStatus = s.Infer<typeof knowledgeStatusSchema>;

const transferParams = { remote } as const;
const compactParams = {
  remote: remoteOption('compact what a remote has instead'),
  dryRun: flag({ summary: 'say what would be done; change nothing' }),
} as const;
const fsckParams = { repair: flag({ summary: 'take damaged entries out and keep them aside' }) } as const;

export type KnowledgeStatusValues = Values<typeof transferParams>;

const GROUP = 'Knowledge';
const json = 'print the report as JSON';

const push = defineQuestion({
  name: 'knowledge push',
  summary: 'send shared entries to a remote, if they are about code that it already has',
  effect: 'writes',
  openWorld: true,
  params: transferParams,
  answer: async () => (await import('../share/answer.js')).answerKnowledgePush,
  text: async () => (await import('../share/answer.js')).entriesPushText,
  documents: {
    push: { schema: pushReportSchema, title: commandText('push', { json: true }) },
  },
  command: {
    group: GROUP,
    json,
    examples: [
      ['knowledge push', 'to the usual remote; `push` sends them, too'],
      ['knowledge push upstream', 'to a remote by its name'],
    ],
  },
});

const pull = defineQuestion({
  name: 'knowledge pull',
  summary: 'fetch the entries of a remote and unite them with those here',
  effect: 'writes',
  openWorld: true,
  params: transferParams,
  answer: async () => (await import('../share/answer.js')).answerKnowledgePull,
  text: async () => (await import('../share/answer.js')).entriesPullText,
  documents: {
    pull: { schema: pullReportSchema, title: commandText('pull', { json: true }) },
  },
  command: {
    group: GROUP,
    json,
    examples: [
      ['knowledge pull', 'from the usual remote; `pull` brings them, too'],
      ['knowledge pull upstream', 'from a remote by its name'],
    ],
  },
});

const status = defineQuestion({
  name: 'knowledge status',
  summary: 'say how many entries there are, which of them are shared, and what only one side has',
  effect: 'reads',
  params: transferParams,
  answer: async () => (await import('../share/answer.js')).answerKnowledgeStatus,
  text: async () => (await import('../share/answer.js')).knowledgeStatusText,
  documents: { 'knowledge-status': { schema: knowledgeStatusSchema } },
  command: {
    group: GROUP,
    json,
    examples: [
      ['knowledge status', 'as of the last fetch from the usual remote'],
      ['knowledge status upstream', 'compared with a remote by its name'],
    ],
  },
});

const compact = defineQuestion({
  name: 'knowledge compact',
  summary: 'squash the history of the entries; none of them is dropped',
  effect: 'writes',
  openWorld: true,
  params: compactParams,
  answer: async () => (await import('../remove/answer.js')).answerKnowledgeCompact,
  text: async () => (await import('../remove/answer.js')).compactText,
  documents: {
    compact: {
      schema: compactReportSchema,
      title: commandText('compact', { json: true }),
    },
  },
  command: {
    group: GROUP,
    json,
    examples: [
      ['knowledge compact --dry-run', 'how much would be saved'],
      ['knowledge compact --remote origin', 'what a remote has'],
    ],
  },
});

const fsck = defineQuestion({
  name: 'knowledge fsck',
  summary: 'check every entry; exits with 1 if something is wrong',
  effect: 'writes',
  params: fsckParams,
  answer: async () => (await import('../fsck/answer.js')).answerKnowledgeFsck,
  text: async () => (await import('../fsck/answer.js')).fsckText,
  documents: {
    fsck: { schema: fsckReportSchema, title: commandText('fsck', { json: true }) },
  },
  command: {
    group: GROUP,
    json,
    examples: [
      ['knowledge fsck', 'check what people and agents wrote'],
      ['knowledge fsck --repair', 'take damaged entries out'],
    ],
    isNegative: ({ ok }) => !ok,
  },
});

export const questions = [push, pull, status, compact, fsck];
