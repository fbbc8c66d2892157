/** `search`, `codebase_search`: chunks that answer a query best. */
import { commandText } from '../../params/command-line.js';
import type { FleetSearchDocument } from '../fleet/search/output.js';
import { fleetSearchSchema } from '../fleet/search/output.js';
import type { CommitsDocument } from '../history/commits/output.js';
import { commitsSchema } from '../history/commits/output.js';
import { errorSchema } from '../output-parts.js';
import { defineQuestion } from '../question.js';
import { MAX_RESULTS, ONE_GLOB, REF } from '../shared-params.js';
import { PAGE_SIZE, REPLY_TOKENS } from './excerpts.js';
import type { SearchResponse } from './output.js';
import { searchResponseSchema } from './output.js';
import { params } from './params.js';

export const question = defineQuestion<typeof params, SearchResponse | CommitsDocument | FleetSearchDocument>({
  name: 'search',
  summary: 'find code by words, names, meaning or a question',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerSearch,
  text: async () => (await import('./text.js')).searchText,
  documents: {
    search: { schema: searchResponseSchema },
    commits: { schema: commitsSchema, title: commandText('search', { commits: true, json: true }), tool: false },
    'fleet-search': {
      schema: fleetSearchSchema,
      title: commandText('search', { fleet: true, json: true }),
      tool: false,
    },
    error: { schema: errorSchema, title: 'A failure, where the answer is asked for as JSON', tool: false },
  },

  command: {
    group: 'Find code',
    examples: [
      ['search where are sessions stored', 'by meaning and words'],
      ['search Cart.total --ref v1.2', 'a definition, as of a tag'],
      ['search --commits session timeout', 'commits, by their messages and what they changed'],
      ['search discount --in main..', 'in what this branch changes'],
      ['search --fleet retry with backoff --repo "acme/*"', 'in many repositories at once, as their CI published them'],
    ],
    readOnly: true,
    withoutSession: ({ fleet }) => fleet === true,
    isNegative: ({ results }) => results.length === 0,
    stream: {
      when: ({ stdin }) => stdin === true,
      load: async () => (await import('./lines.js')).answerLines,
    },
  },
  tool: {
    name: 'codebase_search',
    title: 'Search code',
    toolset: 'core',
    description: 'Finds code by name, words, meaning or question. Start here, before grep or reading files.',
    params: {
      query: { summary: 'A name, words, or a question.', minLength: 1, maxLength: 10_000, required: true },
      limit: { summary: `Results; default ${PAGE_SIZE}.`, max: 50 },
      path: { ...ONE_GLOB, name: 'fileFilter' },
      lang: { summary: 'Language id, e.g. typescript.', name: 'languageFilter', one: true },
      kind: { summary: 'E.g. function, class, text.', one: true },
      minScore: '',
      mode: '',
      in: 'A..B: only changed files.',
      allRefs: '',
      linked: { summary: '', name: 'includeLinked' },
      context: '',
      explain: '',
      ref: REF,
    },
    maxTokens: REPLY_TOKENS,
    page: { size: PAGE_SIZE, most: MAX_RESULTS, isOpenEnded: true },
  },
});
