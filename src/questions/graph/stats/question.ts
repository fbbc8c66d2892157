/** `graph stats`, `codebase_graph_stats`: sizes of the graph, and how much of it is resolved. */
import type { Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count } from '../../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion, LISTED } from '../graph-question.js';
import { header, nodePlace, some } from '../output.js';

export const shares = s
  .object({ total: count, resolved: count, external: count, ambiguous: count, unresolved: count })
  .describe('Where they lead.');

const language = s.object({
  language: s.string(),
  files: count,
  symbols: count,
  calls: shares,
  imports: shares,
});
const connectedFile = s.object({ path: s.string(), dependents: count, imports: count });
const connectedSymbol = nodePlace.extend({ uses: count, files: count });

const facts = {
  files: count,
  states: s.record(count).describe('Files by what is known of them.'),
  symbols: count,
  edges: s.record(count).describe('By kind.'),
  calls: shares,
  imports: shares,
  languages: s.array(language),
  connectedFiles: some(connectedFile),
  connectedSymbols: some(connectedSymbol),
  orphans: some(s.string()).describe('Code files that no import connects.'),
  cycles: count.describe('Circles of imports.'),
  advice: s.array(s.string()).describe('What makes answers less complete than they look.'),
};

export const graphStatsResponseSchema = s.object({
  ...header,
  ...facts,
});

export type GraphStatsResponse = s.Infer<typeof graphStatsResponseSchema>;
/** The numbers without the header of the answer. */
export type Stats = s.InferFields<typeof facts>;
/** Numbers of edges of one sort by their targets. */
export type Shares = s.Infer<typeof shares>;
export type LanguageStats = s.Infer<typeof language>;

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
  text: async () => (await import('./answer.js')).statsText,
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
