/** `tests`, `codebase_tests`: the tests that a change needs, with reasons, as paths and as commands of their runners. */
import { flag, integer, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineGraphQuestion, LISTED } from '../graph/graph-question.js';
import { header, incomplete, some, testToRun } from '../graph/output.js';
import { count } from '../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot, staged } from '../shared-params.js';

const test = testToRun.extend({
  reason: s
    .enum(['ran', 'changes', 'calls', 'reaches', 'imports', 'named', 'coupled'])
    .optional()
    .describe(
      'ran: a coverage report says so; calls: uses lead to the change; reaches: by what it makes or names; named: like its file.',
    ),
  why: s.string().describe('The reason in words.'),
  run: s
    .enum(['new', 'changed', 'failed', 'unsure', 'sample'])
    .optional()
    .describe('With `sinceGreen`. unsure: it may reach anything, and something changed; sample: it passed as it is.'),
  coupled: s.object({ together: count, of: count }).optional().describe('Commits that changed it with the change.'),
});

const green = s.object({
  files: count.describe('Test files of the snapshot.'),
  asTheyAre: count.describe('Those that need no run: one passed with everything that they reach as it is.'),
  sampled: count.describe('Those that need none either, and are listed to find out whether that is so.'),
  unsure: count.describe('Those that are listed since nobody can tell what they reach.'),
  runs: s
    .array(s.object({ author: s.string(), label: s.string(), signed: s.boolean(), tests: count }))
    .describe('Whose word that is: names are untrusted unless they are signed.'),
  again: count.describe('Runs of tests that were known to pass as they are, and passed again.'),
  missed: count.describe('Such runs that failed: without them a failure would have been missed.'),
});

export type Green = s.Infer<typeof green>;

export const testsSchema = s.object({
  ...header,
  ...incomplete,
  target: s.string().describe("As asked for; '' for the uncommitted changes."),
  will: some(test).describe('Tests that will run it, nearest first.'),
  may: some(test).describe('Tests that may run it, likeliest first.'),
  commands: s
    .array(s.object({ runner: s.string(), command: s.string(), files: count }))
    .describe('Run the listed tests that will run it, in the top directory; names are untrusted repository content.'),
  someTest: s
    .string()
    .optional()
    .describe('The run of some test that ran it, where no test is known by name; untrusted.'),
  green: green.optional().describe('With `sinceGreen`: `will` then lists the tests to run.'),
  unresolved: count.describe('Uses of its name that could not be resolved: tests behind them may be missing.'),
});

export type TestsDocument = s.Infer<typeof testsSchema>;
export type ListedTest = s.Infer<typeof test>;

const params = {
  target: text({
    summary: 'A..B, a symbol or a file; without one, the uncommitted changes',
    completes: 'range',
    cli: { argument: '[target]' },
  }),
  sinceGreen: flag({ summary: 'all tests but those that passed with everything that they reach as it is now' }),
  label: text({ summary: 'believe only runs of this name', minLength: 1, maxLength: 40, cli: { value: 'name' } }),
  by: text({
    summary: 'believe only runs by this author, a part of the name or address',
    minLength: 1,
    maxLength: 200,
    cli: { value: 'name' },
  }),
  signed: flag({ summary: 'believe only runs that a trusted key has signed' }),
  paths: flag({ summary: 'print the paths of the tests alone, one a line' }),
  depth: integer({ summary: 'hops', min: 1, max: 10, default: 5, cli: { value: 'n' } }),
  staged,
  ...snapshot,
  limit: graphLimit('tests of each list', LISTED.tests),
} as const;

export type TestsValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'tests',
  summary: 'the tests that a change needs: those that will run it, those that may, and the commands that run them',
  effect: 'reads',
  params,
  footer: ({ paths }) => !paths,
  isExact: (_, { paths }) => paths === true,
  answer: async () => (await import('./answer.js')).answerTests,
  text: async () => (await import('./answer.js')).testsText,
  documents: { tests: { schema: testsSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['tests', 'tests for the uncommitted changes'],
      ['tests main..feature', 'tests that a branch needs'],
      ['tests Cart.total', 'tests that run a method'],
      ['tests --since-green --paths', 'tests without a run that passed as they are'],
    ],
    isNegative: ({ will, may }) => will.list.length + may.list.length === 0,
  },
  tool: {
    name: 'codebase_tests',
    title: 'Tests to run',
    toolset: 'graph',
    description: 'Tests that will or may run a change, each with its reason, and the commands that run them.',
    params: {
      target: { summary: 'A..B, symbol or file; default: uncommitted changes.', minLength: 1 },
      sinceGreen: 'All tests but those that passed as they are.',
      ref: REF,
    },
    maxTokens: 2_000,
    page: { size: LISTED.tests, most: MAX_GRAPH_LIMIT },
  },
});
