/** Document of `graph symbols`. */
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { header, nodePlace, some } from '../output-parts.js';

export const graphSymbolsResponseSchema = s.object({
  ...header,
  total: count.describe('Symbols that match, before the limit.'),
  symbols: some(nodePlace.extend({ uses: count.describe('Calls that lead there.') })),
  suggestions: s.array(s.string()).optional().describe('Names that resemble one that nothing has.'),
});

export type GraphSymbolsResponse = s.Infer<typeof graphSymbolsResponseSchema>;
export type SymbolList = Pick<GraphSymbolsResponse, 'total' | 'symbols'>;
