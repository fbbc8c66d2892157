/** Document of `graph diff`. */
import { z } from 'zod';
import { count, oid } from '../../output-parts.js';
import { edgeKind, header, line, nodePlace, some } from '../output-parts.js';

const cycleStep = nodePlace.extend({ line, use: edgeKind });

const dependency = z.strictObject({
  change: z.enum(['added', 'removed', 'changed']).describe('Changed: on both sides, with other uses.'),
  from: z.string(),
  to: z.string(),
  line: line.describe('In `from`, on the side that has it.'),
  use: edgeKind,
  gained: z.array(z.string()).describe('Symbols of `to` that are used now, and were not.'),
  lost: z.array(z.string()).describe('Symbols of `to` that were used, and are no longer.'),
});

const cycle = z.strictObject({
  change: z.enum(['added', 'grown', 'shrunk', 'removed']),
  size: count.describe('Files that reach each other, on the side that has them.'),
  was: count.describe('Files before; 0 for an added one.'),
  shortest: z.array(cycleStep).describe('A shortest way round.'),
  closedBy: z
    .array(z.strictObject({ from: z.string(), to: z.string(), line }))
    .describe('New imports within: taking one of them back may open the circle.'),
});

export const apiChange = nodePlace.extend({
  change: z.enum(['added', 'removed', 'changed', 'moved']),
  signature: z.string().nullable().describe('Declaration on one line; null where it could not be read.'),
  was: z.string().optional().describe('Declaration before.'),
  from: z.string().optional().describe('Path before, of one that moved.'),
  members: count.optional().describe('Exported symbols inside that came, went or moved with it.'),
});

const changes = z.strictObject({ added: count, removed: count, changed: count });

export const graphDiffResponseSchema = z.strictObject({
  ...header,
  from: z.strictObject({ ref: z.string(), commit: oid.nullable() }),
  to: z.strictObject({ ref: z.string(), commit: oid.nullable() }).nullable().describe('Null: the work tree.'),
  movedFiles: z.array(z.strictObject({ from: z.string(), to: z.string() })).describe('Compared as one file each.'),
  counts: z.strictObject({
    dependencies: changes,
    uses: z.strictObject({ added: count, removed: count }).describe('Pairs of symbols, within files too.'),
    cycles: z.strictObject({ added: count, grown: count, shrunk: count, removed: count }),
    api: changes.extend({ moved: count }),
  }),
  dependencies: some(dependency).describe('Between files: imports, or uses where a language needs no import.'),
  cycles: some(cycle).describe('Files that import each other in circles; imports of types alone do not count.'),
  api: some(apiChange).describe('Exported symbols outside of tests.'),
});

export type GraphDiffResponse = z.infer<typeof graphDiffResponseSchema>;
export type DependencyChange = z.infer<typeof dependency>;
export type CycleChange = z.infer<typeof cycle>;
export type ApiChange = z.infer<typeof apiChange>;
