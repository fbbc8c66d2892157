/** Document of `graph status`. */
import { z } from 'zod';
import { count, oid } from '../../output-parts.js';
import { cachedGraphs } from '../output-parts.js';
import { shares } from '../stats/output.js';

export const graphStatusSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ref: z.string().describe('The ref as asked for.'),
  commit: oid.nullable(),
  state: z.enum(['linked', 'building', 'none']).describe('none: it is linked with the next question about it.'),
  version: count.describe('Of the rules of linking; graphs of another one are made anew.'),
  coverage: z
    .strictObject({ covered: count, total: count })
    .nullable()
    .describe('Files in the graph, and how many could be; null where there is no graph.'),
  graph: z
    .strictObject({
      ...{ files: count, symbols: count, edges: count, calls: shares, imports: shares },
      compiled: count.describe('Files that a compiler told about.'),
    })
    .nullable()
    .describe('As committed; uncommitted files are linked on top of it.'),
  building: z
    .strictObject({ phase: z.string(), done: count, total: count.nullable().describe('Null where it is not known.') })
    .nullable()
    .describe('A graph that is being linked now.'),
  cache: cachedGraphs.describe('Linked graphs kept on this machine, of all refs.'),
});

export type GraphStatus = z.infer<typeof graphStatusSchema>;
