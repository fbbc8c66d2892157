/** `codebase_graph_query`, `codebase_graph_stats`, `codebase_graph_circular` */
import { z } from 'zod';
import { graphCyclesResponseSchema } from '../../questions/graph/cycles/output.js';
import { graphDepsResponseSchema } from '../../questions/graph/deps/output.js';
import { graphStatsResponseSchema } from '../../questions/graph/stats/output.js';
import { renderCycles } from '../../questions/graph/cycles/text.js';
import { renderDeps } from '../../questions/graph/deps/text.js';
import { renderStats } from '../../questions/graph/stats/text.js';
import { maxTokens, projectPath, reading, ref, text } from '../inputs.js';
import { answerOrCandidates } from '../outputs.js';
import { defineTool } from '../tool.js';
import { answerText, PEN, questionOf } from './question.js';

const LINKS = 50;
const STANDING_OUT = 10;
const CYCLES = 20;

export const graphQuery = defineTool({
  name: 'codebase_graph_query',
  title: 'Imports of a file',
  toolset: 'graph',
  description: 'What a file imports, and which files import it.',
  effect: 'reads',
  input: z.strictObject({ filePath: text, ...reading }),
  output: answerOrCandidates(graphDepsResponseSchema),
  maxTokens: 3_000,
  async run({ filePath: file, ref }, call) {
    const { session, graphs, asked } = await questionOf(call, { ref, limit: LINKS });
    const { runDeps } = await import('../../questions/graph/deps/answer.js');
    return runDeps(session, { ...asked, file }, graphs);
  },
  render: (document, _, skip) => answerText(document, renderDeps, skip),
});

export const graphStats = defineTool({
  name: 'codebase_graph_stats',
  title: 'Graph statistics',
  toolset: 'graph',
  description: 'Sizes, what is most connected, orphans, and how much could be resolved.',
  effect: 'reads',
  input: z.strictObject({ ref, maxTokens, projectPath }),
  output: graphStatsResponseSchema,
  maxTokens: 3_000,
  async run({ ref }, call) {
    const { session, graphs, asked } = await questionOf(call, { ref, limit: STANDING_OUT });
    const { runGraphStats } = await import('../../questions/graph/stats/answer.js');
    return runGraphStats(session, asked, graphs);
  },
  render: (document) => renderStats(document, PEN),
});

export const graphCircular = defineTool({
  name: 'codebase_graph_circular',
  title: 'Circular imports',
  toolset: 'graph',
  description: 'Files that import each other in circles.',
  effect: 'reads',
  input: z.strictObject({
    types: z.boolean().optional().describe('Imports of types alone count, too.'),
    symbols: z.boolean().optional().describe('Functions that call each other instead.'),
    ...reading,
  }),
  output: graphCyclesResponseSchema,
  maxTokens: 3_000,
  async run({ types, symbols, ref }, call) {
    const { session, graphs, asked } = await questionOf(call, { ref, limit: CYCLES });
    const { runCycles } = await import('../../questions/graph/cycles/answer.js');
    return runCycles(session, { ...asked, types, symbols }, graphs);
  },
  render: (document) => renderCycles(document, PEN),
});
