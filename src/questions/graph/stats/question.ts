/** `graph stats`, `codebase_graph_stats`: sizes of the graph, and how much of it is resolved. */
import type { Values } from '../../../params/param.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { LISTED } from '../limits.js';
import { graphStatsResponseSchema } from './output.js';

const params = {
  ...snapshot,
  limit: graphLimit('entries of each list', `${LISTED.connected}; ${LISTED.orphans} orphans`),
} as const;

export type StatsValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph stats',
  summary: 'size of the graph, most connected files, and share of uses that were resolved',
  effect: 'reads',
  params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerStats,
  text: async () => (await import('./text.js')).statsText,
  documents: { 'graph-stats': { schema: graphStatsResponseSchema } },
  command: {
    group: 'Follow code',
    examples: [
      ['graph stats', 'sizes of the graph, and what stands out in it'],
      ['graph stats --ref v1.0 --limit 30', 'longer lists about a release'],
    ],
    isNegative: ({ files }) => files === 0,
  },
  tool: {
    name: 'codebase_graph_stats',
    title: 'Graph statistics',
    toolset: 'graph',
    description: 'Sizes, what is most connected, orphans, and how much could be resolved.',
    params: { ref: REF },
    reply: ['maxTokens', 'projectPath'],
    maxTokens: 3_000,
    page: { size: LISTED.connected, most: MAX_GRAPH_LIMIT },
  },
});
