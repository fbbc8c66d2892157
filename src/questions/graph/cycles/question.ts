/** `graph cycles`, `codebase_graph_circular`: files or functions that reach each other in circles. */
import { flag, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count } from '../../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion, LISTED } from '../graph-question.js';
import { edgeKind, header, line, nodePlace, some } from '../output.js';

const step = nodePlace.extend({ line: line.describe('Leads to the next; the last to the first.'), use: edgeKind });

const facts = {
  of: s.enum(['files', 'symbols']),
  count: count.describe('Groups that reach each other in a circle.'),
  involved: count.describe('Files or functions in any of them.'),
  cycles: some(
    s.object({
      size: count,
      shortest: s.array(step).describe('A shortest way round.'),
      members: some(nodePlace),
    }),
  ).describe('Largest first.'),
};

export const graphCyclesResponseSchema = s.object({
  ...header,
  ...facts,
});

export type GraphCyclesResponse = s.Infer<typeof graphCyclesResponseSchema>;
/** The circles without the header of the answer. */
export type Cycles = s.InferFields<typeof facts>;
export type Cycle = Cycles['cycles']['list'][number];
export type CycleStep = s.Infer<typeof step>;

const params = {
  types: flag({ summary: 'count imports that only name types, too' }),
  symbols: flag({ summary: 'list functions that call each other instead' }),
  ...snapshot,
  limit: graphLimit('groups', LISTED.cycles),
} as const;

export type CyclesValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph cycles',
  summary: 'files that import each other in circles; exits with 1 if there are none',
  effect: 'reads',
  params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerCycles,
  text: async () => (await import('./answer.js')).cyclesText,
  documents: { 'graph-cycles': { schema: graphCyclesResponseSchema } },
  command: {
    group: 'Follow code',
    examples: [
      ['graph cycles', 'circles of imports, largest first'],
      ['graph cycles --symbols', 'functions that call each other'],
    ],
    isNegative: ({ count }) => count === 0,
  },
  tool: {
    name: 'codebase_graph_circular',
    title: 'Circular imports',
    toolset: 'graph',
    description: 'Files that import each other in circles.',
    params: {
      types: 'Imports of types alone count, too.',
      symbols: 'Functions that call each other instead.',
      ref: REF,
    },
    maxTokens: 3_000,
    page: { size: LISTED.cycles, most: MAX_GRAPH_LIMIT },
  },
});
