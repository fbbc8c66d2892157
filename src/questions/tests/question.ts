/** `tests`, `codebase_tests`: the tests that a change needs, with reasons, as paths and as commands of their runners. */
import { integer, text, type Values } from '../../params/param.js';
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
  coupled: s.object({ together: count, of: count }).optional().describe('Commits that changed it with the change.'),
});

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
  answer: async () => (await import('./answer.js')).answerTests,
  text: async () => (await import('./answer.js')).testsText,
  documents: { tests: { schema: testsSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['tests', 'tests for the uncommitted changes'],
      ['tests main..feature', 'tests that a branch needs'],
      ['tests Cart.total', 'tests that run a method'],
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
      ref: REF,
    },
    maxTokens: 2_000,
    page: { size: LISTED.tests, most: MAX_GRAPH_LIMIT },
  },
});
