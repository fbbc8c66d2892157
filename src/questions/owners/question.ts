/** `owners`, `codebase_owners`: who knows files, by the history. */
import { flag, list, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { owner } from '../graph/changes/output.js';
import { some } from '../graph/output.js';
import { defineQuestion } from '../question.js';
import { count, pastHeader } from '../shared-output.js';
import { committedRef, listLimit, MAX_GRAPH_LIMIT, REF } from '../shared-params.js';

export const ownersSchema = s.object({
  ...pastHeader,
  paths: s.array(s.string()).describe('As asked for: files, directories and symbols.'),
  method: s
    .enum(['commits', 'lines'])
    .describe(
      'commits: by the commits that changed the files, newer ones weighing more; lines: by the lines that stand.',
    ),
  files: count.describe('Files that they mean.'),
  changes: count.describe('Commits that changed any of them; merges and commits of more than 30 files left out.'),
  unread: count
    .optional()
    .describe('By lines: number of files that were not read. At most 50 files are, the most often changed ones.'),
  missing: count.optional().describe('By lines: files whose older versions this clone lacks.'),
  owners: some(
    owner.extend({ lines: count.optional().describe('By lines: lines that this author wrote; share is of them.') }),
  ).describe('The author who knows them best first.'),
});

export type OwnersDocument = s.Infer<typeof ownersSchema>;

const LISTED = 10;

const params = {
  paths: list({
    summary: 'files, directories and symbols; without any, the whole repository',
    completes: 'path',
    cli: { argument: '[paths...]' },
  }),
  lines: flag({
    summary: 'count the lines that stand now, as git blame does, and not commits; for symbols it is always so',
  }),
  ref: committedRef,
  limit: listLimit('authors', LISTED),
} as const;

export type OwnersValues = Values<typeof params>;

export const question = defineQuestion<typeof params, OwnersDocument>({
  name: 'owners',
  summary: 'who knows files: the authors who changed them most and last, or who wrote their lines',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerOwners,
  text: async () => (await import('./answer.js')).ownersBlocks,
  documents: { owners: { schema: ownersSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['owners src/cart.ts', 'who to ask about a file'],
      ['owners src/cart.ts --lines', 'who wrote the lines that stand there'],
      ['owners src/shop test/shop --ref v1.2', 'who knew two directories at a tag'],
    ],
    isNegative: ({ owners }) => owners.list.length === 0,
  },
  tool: {
    name: 'codebase_owners',
    title: 'Who knows files',
    toolset: 'history',
    description: 'Authors who know files or directories best, by what they changed and when.',
    params: {
      paths: { summary: 'Default: the whole repository.', minLength: 1, maxEntries: 100 },
      lines: 'By the lines that stand (git blame).',
      ref: REF,
    },
    maxTokens: 1_500,
    page: { size: LISTED, most: MAX_GRAPH_LIMIT },
  },
});
