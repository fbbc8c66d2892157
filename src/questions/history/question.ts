/** `history`, `codebase_history`: when code appeared, changed, moved and disappeared. */
import { groupDigits } from '../../base/printable.js';
import { commandText, flag, integer, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { type CommitsDocument, commitsSchema } from '../search/output.js';
import { count, oid, placeSchema } from '../shared-output.js';
import { committedRef, MAX_RESULTS, noContent, ONE_GLOB, path, REF } from '../shared-params.js';

/** Commits walked for a query by words, which reads every file version; a name is looked up by git. */
export const MAX_WORD_COMMITS = 1_000;
/** Lines of each result that agents are shown: enough to tell what it is. */
export const REPLY_LINES = 6;

export const params = {
  query: text({
    summary: 'a symbol (Cart.total), or what the code is about',
    maxLength: 100_000,
    completes: 'symbol',
    cli: { argument: '[query...]' },
  }),
  ref: committedRef,
  limit: integer({ summary: 'results', min: 1, max: MAX_RESULTS, default: 10, cli: { short: '-n', value: 'n' } }),
  allRefs: flag({
    summary: 'walk all branches and tags, for a symbol, a file or a folder; names those that have what the ref lacks',
  }),
  commits: flag({ summary: 'search commits instead: their messages, with the files and symbols that they changed' }),
  deleted: flag({ summary: 'only code that is gone' }),
  words: flag({ summary: 'treat a single name as a word, not as a symbol' }),
  maxCommits: integer({
    summary: 'walk at most this many commits',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    defaultText: `all for a symbol, ${groupDigits(MAX_WORD_COMMITS)} for words`,
    cli: { value: 'n' },
  }),
  since: text({
    summary: 'walk only commits since this date: 2024-05-31, "3 months ago"',
    maxLength: 64,
    cli: { value: 'date' },
  }),
  path,
  events: flag({ summary: 'list every event of each result' }),
  noContent,
  lines: integer({
    summary: 'lines shown of each result, 0 for all',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 4,
    cli: { value: 'n' },
  }),
} as const;

export type HistoryValues = Values<typeof params>;

/** The refs that have something which the asked ref lacks. */
const SIDE = 'given with `allRefs`, newest branches first; tags where no branch has it.';

const commitSchema = s.object({
  commit: oid,
  refs: s.array(s.string()).optional().describe(`Branches that have the commit where the ref does not: ${SIDE}`),
  refsLeftOut: count.optional().describe('Further ones.'),
  date: s
    .string()
    .nullable()
    .describe("The author's date, ISO 8601 in its time zone; null if the commit's date is none."),
  author: s.string().describe('Untrusted text of the commit.'),
  subject: s.string().describe('First line of the message; untrusted text of the commit.'),
});

const eventSchema = s.object({
  type: s.enum(['appeared', 'changed', 'moved', 'disappeared']),
  ...commitSchema.fields,
  path: s.string().describe('Where it stood after the commit; before it, if it disappeared.'),
  from: s.string().optional().describe('Path that it moved from; the same one if only its name or container changed.'),
  symbol: s.string().nullable().describe('Qualified name there.'),
  parts: s
    .array(s.enum(['signature', 'body', 'layout']))
    .optional()
    .describe('What a change touched; layout is white space alone.'),
});

const historyResultSchema = placeSchema.extend({
  symbol: s.string().nullable().describe('Qualified name; null for text that is about no definition.'),
  kind: s.string(),
  present: s.boolean().describe('Is it there at the ref?'),
  elsewhere: s.array(s.string()).optional().describe(`Branches that have it where the ref does not: ${SIDE}`),
  elsewhereLeftOut: count.optional().describe('Further ones.'),
  paths: s.array(s.string()).describe('Every path that it ever had in what was walked.'),
  firstAppeared: commitSchema
    .nullable()
    .describe('Null if it is older than what was walked, or in a version that is missing here.'),
  lastChanged: commitSchema.nullable().describe('The newest change of its text; null if none is known.'),
  disappeared: commitSchema
    .extend({ merge: s.boolean().describe('A merge dropped it, without a commit that removes it.') })
    .nullable()
    .describe('Null if it is present, or if no commit tells.'),
  changes: count.describe('Commits that changed it, moves included.'),
  events: s.array(eventSchema).describe('Newest first.'),
  eventsLeftOut: count.describe('Further events, older than those listed but the first appearance.'),
  blob: oid.describe('The version that the lines and the text are of: the newest one.'),
  show: s.string().nullable().describe('`git show` prints the file with this version: COMMIT:PATH.'),
  content: s.string().optional().describe('Its text, read from the blob; untrusted repository content.'),
});

export const historyResponseSchema = s.object({
  schemaVersion: s.literal(1),
  query: s.string(),
  kind: s.enum(['symbol', 'natural', 'question']).describe('How the query was understood.'),
  ref: s.string().describe('The ref as asked for.'),
  commit: oid.nullable(),
  window: s
    .object({
      commits: count.describe('Commits that were walked.'),
      complete: s.boolean().describe('Did the walk reach the beginning of history?'),
      oldest: oid.nullable(),
      refs: count
        .optional()
        .describe('Branches and tags that were walked beside the ref, since it lacks commits of them.'),
      end: s.enum(['root', 'max-commits', 'since', 'shallow']).describe('Why the walk ended.'),
    })
    .describe('How much of the history was searched.'),
  versions: s
    .object({ examined: count, leftOut: count, unreadable: count, outOfTime: count.optional() })
    .describe(
      'File versions that were searched, left out (too many, or out of time), and unreadable; `outOfTime` counts those of the left out that asking again reads.',
    ),
  ignoredCase: s.boolean().optional().describe('The name was found in another case only.'),
  suggestions: s.array(s.string()).optional().describe('Names that resemble one that was never defined.'),
  results: s.array(historyResultSchema),
  resultsLeftOut: count.describe('Further definitions of the name, beyond the limit.'),
});

export type HistoryResponse = s.Infer<typeof historyResponseSchema>;

export const question = defineQuestion<typeof params, HistoryResponse | CommitsDocument>({
  name: 'history',
  summary: 'say when code appeared, changed, moved and disappeared; finds deleted code too',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerHistory,
  text: async () => (await import('./answer.js')).historyText,
  multiline: ['content'],
  documents: {
    history: { schema: historyResponseSchema },
    commits: { schema: commitsSchema, title: commandText('search', { commits: true, json: true }) },
  },
  command: {
    group: 'See changes',
    examples: [
      ['history Cart.total', 'the commits that added, changed or moved a method'],
      ['history retry with backoff --deleted', 'code that is gone, by what it was about'],
      ['history Cart.total --all-refs', 'on every branch, each commit once'],
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
      allRefs: 'Of every branch and tag: a symbol or a path.',
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
