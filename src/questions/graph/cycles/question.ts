/** `graph cycles`, `codebase_graph_circular`: files or functions that reach each other in circles. */
import { flag, type Values } from '../../../params/param.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { LISTED } from '../limits.js';
import { graphCyclesResponseSchema } from './output.js';

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
  text: async () => (await import('./text.js')).cyclesText,
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
