/** `remove` and `codebase_remove` delete the index, agents the local one only. `compact` drops what the index does not need. */
import { flag, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { count } from '../shared-output.js';
import { remoteOption } from '../shared-params.js';

export const removeReportSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string().nullable().describe('The remote whose notes were deleted as well.'),
  dryRun: s.boolean().describe('Nothing was deleted.'),
  refs: s.array(s.string()).describe('Notes refs of this repository, those tracked of remotes included.'),
  remoteRefs: s.array(s.string()),
  paths: s.array(s.object({ path: s.string(), bytes: count })).describe('Local state.'),
  kept: s.array(s.string()).describe('What stays, and how to get rid of it.'),
});

export type RemoveReport = Omit<s.Infer<typeof removeReportSchema>, 'schemaVersion'>;

const params = {
  remote: remoteOption('on a remote as well; asks for a confirmation'),
  profile: text({ summary: 'only what belongs to this profile', cli: { value: 'id' } }),
  knowledge: flag({ summary: 'notes, tasks and tags that people and agents wrote, too: nothing makes them again' }),
  yes: flag({ summary: "confirm that a remote's records are deleted for everybody, or what people wrote" }),
  dryRun: flag({ summary: 'say what would be deleted; change nothing' }),
} as const;

export type RemoveValues = Values<typeof params>;

const remove = defineQuestion({
  name: 'remove',
  summary: 'delete the index: records and local state, all of which can be built again',
  effect: 'deletes',
  openWorld: true,
  params,
  answer: async () => (await import('./answer.js')).answerRemove,
  text: async () => (await import('./answer.js')).removeText,
  documents: { remove: { schema: removeReportSchema } },
  command: {
    group: 'Maintain',
    json: 'print the report as JSON',
    examples: [
      ['remove --dry-run', 'what would be deleted'],
      ['remove --profile 0123abcd', 'records of settings that are not used any more'],
      ['remove --remote origin --yes', 'here and on the remote, for everybody'],
      ['remove --knowledge --yes', 'what people and agents wrote, too'],
    ],
  },
});

const serverRemove = defineQuestion({
  name: 'remove',
  summary: 'delete the local index of a repository',
  effect: 'deletes',
  params: {},
  answer: async () => (await import('./answer.js')).answerServerRemove,
  text: async () => (await import('./answer.js')).removeText,
  documents: remove.documents,
  tool: {
    name: 'codebase_remove',
    title: 'Delete the index',
    toolset: 'admin',
    description:
      'Deletes the local index of a repository: records and caches, which can be made again. Never code, never a remote, never what people wrote.',
    params: {},
    reply: ['projectPath'],
    maxTokens: 1_000,
  },
});

// `compact`: squashes the history of the notes and drops records of unreachable blobs.

export const compactReportSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string().nullable().describe('The remote whose notes were compacted; null for the local ones.'),
  dryRun: s.boolean().describe('Nothing was changed.'),
  refs: s.array(
    s.object({
      ref: s.string(),
      records: s.object({ kept: count, dropped: count.describe('Their blobs are not reached any more.') }),
      commits: count.describe('Of the history before; afterwards it is one.'),
      bytes: s
        .object({ before: count, after: count })
        .describe('In the object store, history included. What is freed is given back by `git gc`.'),
      changed: s.boolean(),
    }),
  ),
  reason: s.string().nullable().describe('Why records of unreached blobs were kept; null if none were.'),
  otherProfiles: s.array(s.string()).describe('Notes refs that this installation does not write.'),
});

export type CompactReport = Omit<s.Infer<typeof compactReportSchema>, 'schemaVersion'>;

const compactParams = {
  remote: remoteOption('compact the notes of a remote instead; without a name, of the usual one'),
  dryRun: flag({ summary: 'say what would be done; change nothing' }),
} as const;

export type CompactValues = Values<typeof compactParams>;

const compact = defineQuestion({
  name: 'compact',
  summary: 'squash the history of the notes and drop records of unreachable blobs',
  effect: 'writes',
  openWorld: true,
  params: compactParams,
  answer: async () => (await import('./answer.js')).answerCompact,
  text: async () => (await import('./answer.js')).compactText,
  documents: { compact: { schema: compactReportSchema } },
  command: {
    group: 'Maintain',
    json: 'print the report as JSON',
    examples: [
      ['compact --dry-run', 'how much would be dropped'],
      ['compact --remote origin', 'the notes of a remote'],
    ],
  },
});

export const questions = [serverRemove, remove, compact];
