/** `graph path`, `codebase_path`: the shortest path from one node to another. */
import { flag, text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count } from '../../shared-output.js';
import { graphLimit, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion, LISTED } from '../graph-question.js';
import { confidence, header, incomplete, likelyStep, line, nodePlace, some, stepKind } from '../output.js';

export const graphPathResponseSchema = s.object({
  ...header,
  ...incomplete,
  from: s.string().describe('As asked for.'),
  to: s.string(),
  path: s
    .object({
      by: s.enum(['uses', 'imports']),
      steps: s.array(
        s.object({
          from: nodePlace,
          to: nodePlace,
          use: stepKind(['override', 'constructor', 'contains']),
          line: line.describe('The line that says so: of the file of `from`, or of a member that stands in, its own.'),
          confidence,
          likely: likelyStep,
        }),
      ),
    })
    .nullable()
    .describe('A shortest way; null if there is none.'),
  gaps: s
    .object({
      reached: count.describe('Functions and other symbols that `from` leads to.'),
      leading: count.describe('Those that lead to `to`, itself included.'),
      sites: some(
        s.object({
          from: nodePlace,
          line,
          text: s.string().describe('As written; untrusted repository content.'),
          to: nodePlace.describe('Leads to `to`, and the use may mean it.'),
          why: s.enum(['ambiguous', 'unresolved']).describe('Several definitions fit, or none was found by the type.'),
        }),
      ).describe('Uses that `from` leads to, and that would close the way; the nearest first.'),
      unused: some(nodePlace).describe(
        'Symbols that lead to `to`, itself included, and that nothing known uses: the way begins there.',
      ),
    })
    .optional()
    .describe('Where the way stops, if there is none by calls and uses.'),
  reverse: s.boolean().describe('There is none, but there is one from `to` to `from`.'),
});

export type Gaps = NonNullable<s.Infer<typeof graphPathResponseSchema>['gaps']>;
export type GraphPathResponse = s.Infer<typeof graphPathResponseSchema>;
/** A path along uses of symbols, or along imports if there is none along uses. */
export type FoundPath = NonNullable<GraphPathResponse['path']>;
export type PathStep = FoundPath['steps'][number];

const params = {
  from: text({ summary: 'a symbol or a file', required: true, completes: 'symbol', cli: { argument: '<from>' } }),
  to: text({ summary: 'another symbol or file', required: true, completes: 'symbol', cli: { argument: '<to>' } }),
  reverse: flag({ summary: 'the path in the other direction' }),
  ...snapshot,
  limit: graphLimit('candidates of an ambiguous name', LISTED.candidates),
} as const;

export type PathValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph path',
  summary: 'the shortest path from one symbol or file to another: by calls and uses, else by imports',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerPath,
  text: async () => (await import('./answer.js')).pathText,
  documents: { 'graph-path': { schema: graphPathResponseSchema } },
  command: {
    group: 'Follow code',
    examples: [
      ['graph path main Cart.total', 'how one function reaches another'],
      ['graph path src/app.ts src/cart.ts --reverse', 'the way back between two files'],
    ],
    isNegative: ({ path }) => path === null,
  },
  tool: {
    name: 'codebase_path',
    title: 'Path',
    toolset: 'graph',
    description:
      'The shortest path from one symbol or file to another, each step with its line; or the uses where it may break off.',
    params: { from: 'A symbol or file.', to: '', reverse: '', ref: REF },
    maxTokens: 1_500,
  },
});
