/** `codebase_impact` */
import { z } from 'zod';
import { graphImpactResponseSchema } from '../../engine/contract/graph/impact.js';
import { renderImpact } from '../../render/graph/impact.js';
import { reading, text } from '../inputs.js';
import { answerOrCandidates } from '../outputs.js';
import { defineTool } from '../tool.js';
import { answerText, questionOf } from './question.js';

const LIMIT = 50;
/** Of each of many changes it is told how much it affects, not what. */
const PAGES = { perHop: true, limitInside: 0 };
const MAX_DEPTH = 10;

const input = z.strictObject({
  target: text.optional().describe('Symbol, file or range A..B; default: uncommitted changes.'),
  file: text.optional().describe('File or directory the symbol is defined in.'),
  depth: z.int().min(1).max(MAX_DEPTH).optional().describe('Hops; default 3.'),
  minConfidence: z.number().min(0).max(1).optional(),
  ...reading,
});

export const impact = defineTool({
  name: 'codebase_impact',
  title: 'Impact of a change',
  toolset: 'core',
  description: 'What may break when something changes, hop by hop, and which tests to run. Ask before editing.',
  effect: 'reads',
  input,
  output: answerOrCandidates(graphImpactResponseSchema),
  maxTokens: 2_500,
  async run({ target, file, depth, minConfidence, ref }, call) {
    const { session, graphs, asked } = await questionOf(call, { ref, limit: LIMIT });
    const { runImpact } = await import('../../engine/graph/impact-operation.js');
    return runImpact(session, { ...asked, ...PAGES, target, file, depth, minConfidence }, graphs);
  },
  render: (document, _, skip) => answerText(document, renderImpact, skip),
});
