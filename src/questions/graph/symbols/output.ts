/** Document of `graph symbols`. */
import { z } from 'zod';
import { count } from '../../output-parts.js';
import { header, nodePlace, some } from '../output-parts.js';

export const graphSymbolsResponseSchema = z.strictObject({
  ...header,
  total: count.describe('Symbols that match, before the limit.'),
  symbols: some(nodePlace.extend({ uses: count.describe('Calls that lead there.') })),
  suggestions: z.array(z.string()).optional().describe('Names that resemble one that nothing has.'),
});

export type GraphSymbolsResponse = z.infer<typeof graphSymbolsResponseSchema>;
export type SymbolList = Pick<GraphSymbolsResponse, 'total' | 'symbols'>;
