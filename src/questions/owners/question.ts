/** `owners`, `codebase_owners`: who knows files, by the history. */
import { flag, integer, list, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { committedRef, MAX_GRAPH_LIMIT, REF } from '../shared-params.js';
import type { OwnersDocument } from './output.js';
import { ownersSchema } from './output.js';

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
  limit: integer({
    summary: 'authors',
    min: 1,
    max: MAX_GRAPH_LIMIT,
    default: LISTED,
    cli: { short: '-n', value: 'n' },
  }),
} as const;

export type OwnersValues = Values<typeof params>;

export const question = defineQuestion<typeof params, OwnersDocument>({
  name: 'owners',
  summary: 'who knows files: the authors who changed them most and last, or who wrote their lines',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerOwners,
  text: async () => (await import('./text.js')).ownersText,
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
