/** `why`, `codebase_why`: the commits that gave lines their present form, with their messages and what these name. */
import { flag, integer, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { line, some } from '../graph/output.js';
import { defineQuestion } from '../question.js';
import { count, mention, oid } from '../shared-output.js';
import { committedRef, REF } from '../shared-params.js';

/** Most commits that are listed, and that are read of each range. */
export const MAX_COMMITS = 200;

const reason = s.object({
  commit: oid,
  date: s.string().nullable().describe("The author's date, ISO 8601; null if the commit's date is none."),
  author: s.string().describe('Untrusted text of the commit.'),
  subject: s.string().describe('First line of the message; untrusted text of the commit.'),
  body: s.string().describe('The rest of the message, its beginning unless it is asked for whole; untrusted.'),
  lines: count.describe('Lines of the place that it wrote and that stand unchanged.'),
  from: s.string().optional().describe('Path that the lines had then, where it was another one.'),
  merge: s
    .object({ commit: oid, subject: s.string().describe('Untrusted text of the commit.') })
    .optional()
    .describe('The merge that brought the commit to this branch.'),
  mentions: s.array(mention).describe('Pull requests and issues that the messages of commit and merge name.'),
});

export const whySchema = s.object({
  schemaVersion: s.literal(1),
  place: s.string().describe('As asked for.'),
  ref: s.string().describe('The ref as asked for.'),
  commit: oid,
  path: s.string(),
  symbol: s.string().nullable().describe('Qualified name, where a symbol was asked for.'),
  startLine: line,
  endLine: line,
  uncommitted: count.describe('Lines of them that no commit has yet.'),
  basis: s
    .enum(['lines', 'file'])
    .describe(
      'lines: the commits that changed these lines; file: this clone lacks old versions, so all that changed the file.',
    ),
  commits: some(reason).describe('Newest first.'),
});

export type WhyDocument = s.Infer<typeof whySchema>;

const LISTED = 10;

const params = {
  place: text({
    summary: 'a symbol, or lines of a file: Cart.total, src/cart.ts:42, src/cart.ts:40-60',
    required: true,
    completes: 'symbol',
    cli: { argument: '<place>' },
  }),
  ref: committedRef,
  full: flag({ summary: 'print messages whole' }),
  limit: integer({ summary: 'commits', min: 1, max: MAX_COMMITS, default: LISTED, cli: { short: '-n', value: 'n' } }),
} as const;

export type WhyValues = Values<typeof params>;

export const question = defineQuestion<typeof params, WhyDocument>({
  name: 'why',
  summary: 'why lines are as they are: the commits that made them so, with messages, pull requests and issues',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerWhy,
  text: async () => (await import('./answer.js')).whyText,
  multiline: ['body'],
  documents: { why: { schema: whySchema } },
  command: {
    group: 'See changes',
    examples: [
      ['why src/cart.ts:42', 'the commits behind one line'],
      ['why Cart.total --full', 'the commits behind a method, with their whole messages'],
    ],
    isNegative: ({ commits }) => commits.list.length === 0,
  },
  tool: {
    name: 'codebase_why',
    title: 'Why code is as it is',
    toolset: 'history',
    description: 'The commits that made lines or a symbol what they are: messages, authors, pull requests and issues.',
    params: {
      place: { summary: 'Symbol, FILE:LINE or FILE:LINE-LINE.', minLength: 1 },
      full: 'Whole messages.',
      ref: REF,
    },
    maxTokens: 3_000,
    page: { size: LISTED, most: MAX_COMMITS },
  },
});
