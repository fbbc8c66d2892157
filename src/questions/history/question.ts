/** `history`, `codebase_history`: when code appeared, changed, moved and disappeared. */
import { commandText } from '../../params/command-line.js';
import { defineQuestion } from '../question.js';
import { MAX_RESULTS, ONE_GLOB, REF } from '../shared-params.js';
import type { CommitsDocument } from './commits/output.js';
import { commitsSchema } from './commits/output.js';
import type { HistoryResponse } from './output.js';
import { historyResponseSchema } from './output.js';
import { params } from './params.js';

export const question = defineQuestion<typeof params, HistoryResponse | CommitsDocument>({
  name: 'history',
  summary: 'say when code appeared, changed, moved and disappeared; finds deleted code too',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerHistory,
  text: async () => (await import('./text.js')).historyText,
  documents: {
    history: { schema: historyResponseSchema },
    commits: { schema: commitsSchema, title: commandText('search', { commits: true, json: true }) },
  },
  command: {
    group: 'See changes',
    examples: [
      ['history Cart.total', 'the commits that added, changed or moved a method'],
      ['history retry with backoff --deleted', 'code that is gone, by what it was about'],
    ],
    isNegative: ({ results }) => results.length === 0,
  },
  tool: {
    name: 'codebase_history',
    title: 'History of code',
    toolset: 'history',
    description: 'In which commits code appeared, changed, moved and disappeared. Finds deleted code.',
    params: {
      query: {
        summary: 'Symbol (Cart.total), or what the code was about.',
        minLength: 1,
        maxLength: 10_000,
        required: true,
      },
      deleted: 'Only code that is gone.',
      commits: 'Search commit messages instead.',
      maxCommits: 'How far back.',
      since: 'Date: 2024-05-31, "3 months ago".',
      path: ONE_GLOB,
      limit: { summary: 'Results; default {default}.', default: 5, max: 50 },
      ref: REF,
    },
    maxTokens: 4_000,
    page: { size: 5, most: MAX_RESULTS, isOpenEnded: true },
  },
});
