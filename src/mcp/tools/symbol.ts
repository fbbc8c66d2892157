/** `codebase_symbol` */
import { z } from 'zod';
import { graphSymbolResponseSchema } from '../../questions/graph/symbol/output.js';
import { renderSymbol } from '../../questions/graph/symbol/text.js';
import { reading, text } from '../inputs.js';
import { answerOrCandidates } from '../outputs.js';
import { defineTool } from '../tool.js';
import { answerText, questionOf } from './question.js';

const LIMIT = 30;

const input = z.strictObject({
  name: text.describe('NAME, Class.method, PATH:NAME or PATH:LINE.'),
  file: text.optional().describe('File or directory it is defined in.'),
  ...reading,
});

export const symbol = defineTool({
  name: 'codebase_symbol',
  title: 'Symbol',
  toolset: 'core',
  description: 'One definition: signature, lines, callers, callees, relatives, tests.',
  effect: 'reads',
  input,
  output: answerOrCandidates(graphSymbolResponseSchema),
  maxTokens: 2_000,
  async run({ name, file, ref }, call) {
    const { session, graphs, asked } = await questionOf(call, { ref, limit: LIMIT });
    const { runSymbol } = await import('../../questions/graph/symbol/answer.js');
    return runSymbol(session, { ...asked, name, file }, graphs);
  },
  render: (document, _, skip) => answerText(document, renderSymbol, skip),
});
