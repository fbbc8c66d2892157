/** `codebase_symbols` */
import { z } from 'zod';
import { graphSymbolsResponseSchema } from '../../questions/graph/symbols/output.js';
import { renderSymbols } from '../../questions/graph/symbols/text.js';
import { reading, text } from '../inputs.js';
import { defineTool } from '../tool.js';
import { PEN, questionOf } from './question.js';

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1_000;

const input = z.strictObject({
  file: text.optional().describe('Only this file or directory.'),
  query: text.optional().describe('Part of a name, or beginnings of its words (gUN: getUserName).'),
  limit: z.int().min(1).max(MAX_LIMIT).optional().describe('Default 200.'),
  ...reading,
});

export const symbols = defineTool({
  name: 'codebase_symbols',
  title: 'List symbols',
  toolset: 'graph',
  description: 'Lists definitions of a file or directory, or those with such a name.',
  effect: 'reads',
  input,
  output: graphSymbolsResponseSchema,
  maxTokens: 6_000,
  async run({ file, query, limit = DEFAULT_LIMIT, ref }, call) {
    const { session, graphs, asked } = await questionOf(call, { ref, limit });
    const { runSymbols } = await import('../../questions/graph/symbols/answer.js');
    return runSymbols(session, { ...asked, file, query }, graphs);
  },
  render: (document) => renderSymbols(document, PEN),
});
