/** Document of `graph cycles`. */
import { z } from 'zod';
import { edgeKind, header, line, nodePlace, some } from '../output-parts.js';
import { count } from '../../output-parts.js';

export const graphCyclesResponseSchema = z.strictObject({
  ...header,
  of: z.enum(['files', 'symbols']),
  count: count.describe('Groups that reach each other in a circle.'),
  involved: count.describe('Files or functions in any of them.'),
  cycles: some(
    z.strictObject({
      size: count,
      shortest: z
        .array(nodePlace.extend({ line: line.describe('Leads to the next; the last to the first.'), use: edgeKind }))
        .describe('A shortest way round.'),
      members: some(nodePlace),
    }),
  ).describe('Largest first.'),
});

export type GraphCyclesResponse = z.infer<typeof graphCyclesResponseSchema>;
