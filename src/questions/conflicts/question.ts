/** `conflicts`, `codebase_conflicts`: branches and work trees that change the same as what is checked out, or what it uses. */
import { defineQuestion } from '../question.js';
import { MAX_GRAPH_LIMIT, REF } from '../shared-params.js';
import type { ConflictsDocument } from './output.js';
import { conflictsSchema } from './output.js';
import { LISTED_BRANCHES, params } from './params.js';

export const question = defineQuestion<typeof params, ConflictsDocument>({
  name: 'conflicts',
  summary: 'branches and work trees that conflict with what is checked out, or change symbols that it changes or uses',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerConflicts,
  text: async () => (await import('./text.js')).conflictsText,
  documents: { conflicts: { schema: conflictsSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['conflicts', 'with every branch and work tree that is not stale, uncommitted changes included'],
      ['conflicts feature/cart', 'with one branch'],
      ['conflicts --ref main --with "origin/*"', 'of main with the fetched branches of a remote'],
    ],
    isNegative: ({ branches }) => branches.list.every(({ overlap }) => overlap === 'none'),
  },
  tool: {
    name: 'codebase_conflicts',
    title: 'Conflicts with branches',
    toolset: 'history',
    description:
      'Branches and work trees that conflict with what is checked out when merged, change the same symbols, or change symbols that it uses. Ask before a merge or a larger edit.',
    params: {
      branch: 'One branch, work tree or commit; default: all.',
      with: { summary: 'Glob of branch names; !glob excludes.', one: true },
      maxAge: 'Days behind the newest branch; default {default}.',
      ref: REF,
    },
    maxTokens: 3_000,
    page: { size: LISTED_BRANCHES, most: MAX_GRAPH_LIMIT },
  },
});
