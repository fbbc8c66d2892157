/** Document of `graph cycles`. */
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { edgeKind, header, line, nodePlace, some } from '../output-parts.js';

const step = nodePlace.extend({ line: line.describe('Leads to the next; the last to the first.'), use: edgeKind });

const facts = {
  of: s.enum(['files', 'symbols']),
  count: count.describe('Groups that reach each other in a circle.'),
  involved: count.describe('Files or functions in any of them.'),
  cycles: some(
    s.object({
      size: count,
      shortest: s.array(step).describe('A shortest way round.'),
      members: some(nodePlace),
    }),
  ).describe('Largest first.'),
};

export const graphCyclesResponseSchema = s.object({
  ...header,
  ...facts,
});

export type GraphCyclesResponse = s.Infer<typeof graphCyclesResponseSchema>;
/** The circles, without the snapshot that they are of. */
export type Cycles = s.InferFields<typeof facts>;
export type Cycle = Cycles['cycles']['list'][number];
export type CycleStep = s.Infer<typeof step>;
