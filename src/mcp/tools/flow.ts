/** `codebase_flow` */
import { z } from 'zod';
import {
  type GraphEntriesResponse,
  type GraphFlowResponse,
  graphEntriesResponseSchema,
  graphFlowResponseSchema,
} from '../../questions/graph/flow/output.js';
import type { Pen } from '../../questions/writing/pen.js';
import { renderEntries, renderFlow } from '../../questions/graph/flow/text.js';
import { reading, text } from '../inputs.js';
import { answerOrCandidates } from '../outputs.js';
import { defineTool } from '../tool.js';
import { answerText, questionOf } from './question.js';

const LINES = 100;
const ENTRIES = 20;
const MAX_DEPTH = 10;

const input = z.strictObject({
  entrypoint: text.optional().describe('Function, method, class or file; default: lists entry points.'),
  file: text.optional().describe('File or directory the entry point is defined in.'),
  depth: z.int().min(1).max(MAX_DEPTH).optional().describe('Calls below calls; default 5.'),
  ...reading,
});

export const flow = defineTool({
  name: 'codebase_flow',
  title: 'Flow of calls',
  toolset: 'graph',
  description: 'What runs when an entry point runs, as a tree; without one, the entry points there are.',
  effect: 'reads',
  input,
  output: answerOrCandidates(graphFlowResponseSchema, graphEntriesResponseSchema),
  maxTokens: 5_000,
  async run({ entrypoint: entry, file, depth, ref }, call) {
    const { session, graphs, asked } = await questionOf(call, { ref, limit: entry === undefined ? ENTRIES : LINES });
    const { runFlow } = await import('../../questions/graph/flow/answer.js');
    return runFlow(session, { ...asked, entry, file, depth }, graphs);
  },
  render: (document, _, skip) => answerText(document, renderEither, skip),
});

function renderEither(answer: GraphFlowResponse | GraphEntriesResponse, pen: Pen): string {
  return 'tree' in answer ? renderFlow(answer, pen) : renderEntries(answer, pen);
}
