/** `graph unused`, `codebase_graph_unused`: definitions that nothing reaches. */
import { choice, flag, text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count, oid } from '../../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT, ONE_GLOB, path, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion, LISTED } from '../graph-question.js';
import { header, incomplete, nodePlace, some } from '../output.js';

const certainty = s
  .enum(['certain', 'exported', 'possible'])
  .describe('Exported: code outside of the repository may use it; possible: something here may, unseen.');

const unused = nodePlace.extend({
  certainty,
  usedBy: s
    .enum(['nothing', 'unused', 'tests'])
    .describe('Unused: only definitions that are unused themselves; tests: nothing but tests.'),
  verdict: s
    .enum([
      ...(['certain', 'exported', 'mentioned', 'unresolved-uses', 'framework', 'indirect'] as const),
      ...(['entry-point', 'no-call-facts', 'degraded'] as const),
    ])
    .describe('Why it may be used all the same.'),
  reason: s.string(),
  members: count.describe('Symbols inside, which are unused with it.'),
  since: s
    .object({
      event: s.enum(['last-use-removed', 'never-used']),
      commit: oid,
      date: s.string().nullable(),
      subject: s.string().describe('Untrusted repository content.'),
      path: s.string().describe('The file that used it last; of one that was never used, its own.'),
    })
    .nullable()
    .optional()
    .describe('The commit since which nothing uses it; null if it is older than what was walked.'),
});

const explained = nodePlace.extend({
  certainty: certainty.nullable().describe('Null if it is used.'),
  because: s.array(s.string()).describe('What speaks for it; names are untrusted repository content.'),
  refutedBy: s.array(s.string()).describe('What would show that it is wrong.'),
});

const graphUnusedResponseSchema = s.object({
  ...header,
  schemaVersion: s.literal(2).describe('2: likely is called exported.'),
  ...incomplete,
  explained: s.array(explained).optional().describe('Definitions of the symbol that was to be explained.'),
  if: s
    .object({ target: s.string(), definitions: s.array(nodePlace) })
    .optional()
    .describe('Taken for deleted: only definitions are listed that would become unused.'),
  minCertainty: certainty,
  lines: count.describe('Lines of all that is unused.'),
  inTests: count.describe('Unused definitions in tests that are left out.'),
  unused: some(unused).describe('By certainty, what only tests use behind the rest, then by place.'),
});

export type GraphUnusedResponse = s.Infer<typeof graphUnusedResponseSchema>;
export type UnusedSymbol = s.Infer<typeof unused>;
export type Explained = s.Infer<typeof explained>;

const params = {
  path,
  minCertainty: choice(['certain', 'exported', 'possible'], {
    summary: 'list what is less certain, too',
    defaultText: 'certain; of what becomes unused, exported',
    form: 'one of certain, exported (once called likely), possible',
    cli: { value: 'level' },
  }),
  if: text({
    summary: 'only what becomes unused if this symbol or file is deleted',
    minLength: 1,
    completes: 'symbol',
    cli: { value: 'target' },
  }),
  explain: text({
    summary: 'why this symbol is believed to be unused or used, and what would refute it',
    minLength: 1,
    completes: 'symbol',
    cli: { value: 'symbol' },
  }),
  since: flag({ summary: 'find the commit that removed the last use of each' }),
  tests: flag({ summary: 'definitions in tests, too' }),
  ...snapshot,
  limit: graphLimit('definitions', LISTED.unused),
} as const;

export type UnusedValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph unused',
  summary:
    'functions, types and values that nothing reaches, and why that is certain or not; exits with 1 if there are none',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerUnused,
  text: async () => (await import('./answer.js')).unusedText,
  documents: { 'graph-unused': { schema: graphUnusedResponseSchema } },
  command: {
    group: 'Follow code',
    examples: [
      ['graph unused', 'code that can go'],
      ['graph unused --min-certainty exported --path "src/**"', 'exported code, too, in one folder'],
      ['graph unused --if Cart.total', 'what becomes unused with a method'],
      ['graph unused --explain Cart.total', 'why one is believed to be unused, and what would refute it'],
    ],
    isNegative: ({ unused }) => unused.list.length === 0,
  },
  tool: {
    name: 'codebase_graph_unused',
    title: 'Unused code',
    toolset: 'graph',
    description: 'Functions, types, fields and constants that nothing reaches, each with its certainty and the reason.',
    params: {
      path: ONE_GLOB,
      minCertainty:
        'exported: code that others may use, too; possible: what something may use unseen. Default: certain; with if, exported.',
      if: 'Symbol or file: what becomes unused if it is deleted.',
      explain: 'Symbol: why it counts as unused or used, and what would refute it.',
      ref: REF,
    },
    maxTokens: 3_000,
    page: { size: LISTED.unused, most: MAX_GRAPH_LIMIT },
  },
});
