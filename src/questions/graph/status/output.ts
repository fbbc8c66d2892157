/** Document of `graph status`. */
import * as s from '../../../params/shape.js';
import { count, oid } from '../../output-parts.js';
import { cachedGraphs } from '../output-parts.js';
import { shares } from '../stats/output.js';

export const graphStatusSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string().describe('The ref as asked for.'),
  commit: oid.nullable(),
  state: s.enum(['linked', 'building', 'none']).describe('none: it is linked with the next question about it.'),
  version: count.describe('Of the rules of linking; graphs of another one are made anew.'),
  coverage: s
    .object({ covered: count, total: count })
    .nullable()
    .describe('Files in the graph, and how many could be; null where there is no graph.'),
  graph: s
    .object({
      ...{ files: count, symbols: count, edges: count, calls: shares, imports: shares },
      compiled: count.describe('Files that a compiler told about.'),
    })
    .nullable()
    .describe('As committed; uncommitted files are linked on top of it.'),
  building: s
    .object({ phase: s.string(), done: count, total: count.nullable().describe('Null where it is not known.') })
    .nullable()
    .describe('A graph that is being linked now.'),
  cache: cachedGraphs.describe('Linked graphs kept on this machine, of all refs.'),
});

export type GraphStatus = s.Infer<typeof graphStatusSchema>;
