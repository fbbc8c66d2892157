/** `similar`, `codebase_similar`: chunks that resemble a place or a snippet, or with `all` the functions that are copies of each other. */
import { flag, integer, number, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { answer, count, searchedVectors, searchResultSchema } from '../shared-output.js';
import {
  context,
  fileFilters,
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

/** Longest snippet, in UTF-16 code units. A vector covers about a thousand, and people paste whole files. */
export const MAX_SNIPPET = 100_000;

export const params = {
  place: text({
    summary:
      'a file, from the current directory or the top, and a line: src/index.ts:42; "-" reads a snippet of code from stdin',
    completes: 'path',
    cli: { argument: '[place]' },
  }),
  snippet: text({
    summary: 'code to compare with instead of a place, saved nowhere',
    minLength: 1,
    maxLength: MAX_SNIPPET,
    cli: { value: 'code' },
  }),
  all: flag({ summary: 'instead: functions of the whole snapshot that are copies of each other, or nearly so' }),
  tests: flag({ summary: 'copies in tests, too' }),
  minLines: integer({
    summary: 'of copies: lines of the shortest function',
    min: 3,
    max: 1_000,
    default: 6,
    cli: { value: 'n' },
  }),
  minShare: number({
    summary: 'of copies: share of the code in common',
    min: 0.5,
    max: 1,
    default: 0.8,
    cli: { value: 'share' },
  }),
  ...snapshot,
  limit: resultLimit,
  path,
  lang,
  kind,
  minScore,
  ...fileFilters,
  noContent,
  context,
  lines: integer({
    summary: 'lines shown of each result, 0 for all',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 8,
    cli: { value: 'n' },
  }),
} as const;

export type SimilarValues = Values<typeof params>;

const copyGroup = s.object({
  likeness: s
    .enum(['same', 'renamed', 'near'])
    .describe('The same code but for white space and comments; also but for names, numbers and texts; or most of it.'),
  share: s.number().describe('Share of the code that the least alike has in common with the first.'),
  saved: count.describe('Lines of all but the longest.'),
  places: s.array(
    s.object({
      path: s.string(),
      symbol: s.string().nullable(),
      startLine: s.integer({ exclusiveMinimum: 0 }),
      endLine: s.integer({ exclusiveMinimum: 0 }),
    }),
  ),
});

export type CopyGroup = s.Infer<typeof copyGroup>;

export const similarResponseSchema = s.object({
  schemaVersion: s.literal(1),
  place: searchResultSchema.nullable().describe('The chunk at the place asked for; null for a snippet, and for `all`.'),
  ...answer,
  vectors: searchedVectors.describe('Chunks of the snapshot that can be found by meaning.'),
  copies: s
    .object({
      compared: s.object({ files: count, functions: count }),
      groups: count.describe('All of them, as are the next two.'),
      functions: count,
      saved: count.describe('Lines of the functions of each group but its longest.'),
      list: s.array(copyGroup).describe('Most lines saved first.'),
      leftOut: count.describe('Further groups, beyond the limit.'),
    })
    .optional()
    .describe('With `all`: groups of functions that are copies, or nearly so.'),
  results: s.array(searchResultSchema).describe('None with `all`.'),
});

export type SimilarResponse = s.Infer<typeof similarResponseSchema>;

export const question = defineQuestion({
  name: 'similar',
  summary: 'find code that resembles a place or a snippet: the nearest chunks by meaning; or copies anywhere',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerSimilar,
  text: async () => (await import('./answer.js')).similarText,
  multiline: ['content'],
  documents: { similar: { schema: similarResponseSchema } },
  command: {
    group: 'Find code',
    examples: [
      ['similar src/cart.ts:42', 'code that resembles the function at line 42'],
      ['similar - < draft.ts', 'code that resembles a draft, which need not be a file of the repository'],
      ['similar src/cart.ts:42 --path "!test/**" --limit 3', 'the nearest three, tests left out'],
      ['similar --all', 'functions that are copies of each other, with the lines that one of each would save'],
    ],
    readOnly: true,
    isNegative: ({ copies, results }) => (copies?.list ?? results).length === 0,
  },
  tool: {
    name: 'codebase_similar',
    title: 'Similar code',
    toolset: 'graph',
    description: 'Code that resembles a place or an unsaved snippet: look before you write it again. Or all copies.',
    params: {
      place: 'PATH:LINE.',
      snippet: 'Code, instead of a place.',
      all: 'Instead: groups of functions that are copies, or nearly so.',
      limit: { summary: 'Results; default 10.', max: 50 },
      path: { ...ONE_GLOB, name: 'fileFilter' },
      ref: REF,
    },
    maxTokens: 2_500,
    page: { size: 10, most: MAX_RESULTS, isOpenEnded: true },
  },
});
