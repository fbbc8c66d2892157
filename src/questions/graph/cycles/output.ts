/** Document of `graph cycles`. */
import { z } from 'zod';
import { count } from '../../output-parts.js';
import { edgeKind, header, line, nodePlace, some } from '../output-parts.js';

const step = nodePlace.extend({ line: line.describe('Leads to the next; the last to the first.'), use: edgeKind });

const facts = {
  of: z.enum(['files', 'symbols']),
  count: count.describe('Groups that reach each other in a circle.'),
  involved: count.describe('Files or functions in any of them.'),
  cycles: some(
    z.strictObject({
      size: count,
      shortest: z.array(step).describe('A shortest way round.'),
      members: some(nodePlace),
    }),
  ).describe('Largest first.'),
};

export const graphCyclesResponseSchema = z.strictObject({
  ...header,
  ...facts,
});

export type GraphCyclesResponse = z.infer<typeof graphCyclesResponseSchema>;
/** The circles, without the snapshot that they are of. */
export type Cycles = z.infer<z.ZodObject<typeof facts>>;
export type Cycle = Cycles['cycles']['list'][number];
export type CycleStep = z.infer<typeof step>;
