/** `search`, `codebase_search`: chunks that answer a query best. */
import { choice, commandText, flag, integer, list, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import {
  answer,
  count,
  errorSchema,
  linkedAnswerSchema,
  oid,
  searchedVectors,
  searchResultSchema,
  told,
} from '../shared-output.js';
import {
  context,
  fileFilters,
  inRange,
  kind,
  lang,
  MAX_RESULTS,
  minScore,
  noContent,
  ONE_GLOB,
  path,
  REF,
  resultLimit,
  snapshot,
} from '../shared-params.js';
import {
  type CommitsDocument,
  commitsSchema,
  type FleetSearchDocument,
  fleetSearchSchema,
  PAGE_SIZE,
  REPLY_TOKENS,
  TERMINAL_LINES,
  worthShowing,
} from './output.js';

/** Parameters of one query: options, and keys of a line of `--stdin`. */
export const queryParams = {
  query: text({
    summary: 'what to look for; several words need no quotes',
    maxLength: 100_000,
    completes: 'symbol',
    cli: { argument: '[query...]' },
  }),
  also: list({
    summary: 'the same in other words: results of all wordings are ranked together; repeatable',
    maxLength: 10_000,
    cli: { value: 'words' },
  }),
  ...snapshot,
  limit: resultLimit,
  path,
  lang,
  kind,
  in: inRange('only files that are new or changed from A to B; "main.." is what this branch changes'),
  allRefs: flag({ summary: 'search every local and remote branch at once' }),
  commits: flag({ summary: 'search commits instead: their messages, with the files and symbols that they changed' }),
  fleet: flag({ summary: 'search the repositories of the fleet (setting fleet.url) instead of this one' }),
  repo: list({
    summary: 'of the fleet only these repositories, as globs such as "acme/*"; "!glob" excludes; repeatable',
    maxLength: 400,
    cli: { value: 'glob' },
  }),
  linked: flag({ summary: 'search the linked repositories and submodules, too, each as it is checked out' }),
  mode: choice(['hybrid', 'lexical', 'semantic'], {
    summary: 'by words and vectors, words alone, or vectors alone',
    defaultText: 'the setting search.mode',
    cli: { value: 'mode' },
  }),
  minScore,
  ...fileFilters,
  noHistory: flag({ summary: 'order without what messages of earlier commits say of the files that they changed' }),
  explain: flag({ summary: 'show every contribution to the scores' }),
  noContent,
  context,
  lines: integer({
    summary: 'lines to show of each result, the best matching ones; 0 for all',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    defaultText: `${TERMINAL_LINES}; in JSON all`,
    cli: { value: 'n' },
  }),
} as const;

/** Parameters of the command, whose queries may come from stdin. */
export const params = {
  ...queryParams,
  stdin: flag({ summary: 'read queries from stdin, a line each: text, or a JSON object of these options' }),
  jsonl: flag({ summary: 'print one JSON document a line, as for queries from stdin' }),
} as const;

export type SearchValues = Values<typeof params>;

export const searchResponseSchema = s.object({
  schemaVersion: s.literal(1),
  query: s.string(),
  kind: s.enum(['symbol', 'natural', 'question']).describe('How the query was understood.'),
  mode: s.enum(['lexical', 'hybrid', 'semantic']).describe('The mode that was used.'),
  ...answer,
  range: s
    .object({
      from: oid.nullable().describe('The commit compared with; null where a tree was named.'),
      files: count.describe('Files of the snapshot whose blob is new.'),
    })
    .optional()
    .describe('With `in`: only what is new was searched.'),
  branches: s
    .object({ searched: count, leftOut: count })
    .optional()
    .describe('With `allRefs`: how many branches were searched, and how many older ones were not.'),
  vectors: searchedVectors
    .optional()
    .describe('Chunks of the snapshot that can be found by meaning; absent in lexical mode.'),
  corrections: s
    .record(s.array(s.string()))
    .optional()
    .describe('Words no document has, and those searched for instead; none: the parts of an identifier.'),
  told,
  linked: s.array(linkedAnswerSchema).optional().describe('With `linked`: the repositories searched beside this one.'),
  results: s.array(searchResultSchema),
});

export type SearchResponse = s.Infer<typeof searchResponseSchema>;

export const question = defineQuestion<typeof params, SearchResponse | CommitsDocument | FleetSearchDocument>({
  name: 'search',
  summary: 'find code by words, names, meaning or a question',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerSearch,
  text: async () => (await import('../result-text.js')).searchText,
  multiline: ['content'],
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
      load: async () => (await import('./answer.js')).answerLines,
    },
  },
  tool: {
    name: 'codebase_search',
    title: 'Search code',
    toolset: 'core',
    description: 'Finds code by name, words or meaning. Start here, before grep or reading files.',
    params: {
      query: { summary: 'Name, words or question.', minLength: 1, maxLength: 10_000, required: true },
      also: 'Other wordings.',
      limit: { summary: `Default ${PAGE_SIZE}.`, max: 50 },
      path: { ...ONE_GLOB, name: 'fileFilter' },
      lang: { summary: '', name: 'languageFilter', one: true },
      kind: { summary: 'E.g. function, class, text.', one: true },
      mode: '',
      in: 'A..B: only changed files.',
      allRefs: '',
      linked: { summary: '', name: 'includeLinked' },
      context: '',
      minScore: '',
      ref: REF,
    },
    maxTokens: REPLY_TOKENS,
    page: { size: PAGE_SIZE, most: MAX_RESULTS, isOpenEnded: true, worth: worthShowing },
  },
});
