/** Document of `graph diff`. */
import * as s from '../../../params/shape.js';
import { count, oid } from '../../output-parts.js';
import { edgeKind, header, line, nodePlace, some } from '../output-parts.js';

const cycleStep = nodePlace.extend({ line, use: edgeKind });

const dependency = s.object({
  change: s.enum(['added', 'removed', 'changed']).describe('Changed: on both sides, with other uses.'),
  from: s.string(),
  to: s.string(),
  line: line.describe('In `from`, on the side that has it.'),
  use: edgeKind,
  gained: s.array(s.string()).describe('Symbols of `to` that are used now, and were not.'),
  lost: s.array(s.string()).describe('Symbols of `to` that were used, and are no longer.'),
});

const cycle = s.object({
  change: s.enum(['added', 'grown', 'shrunk', 'removed']),
  size: count.describe('Files that reach each other, on the side that has them.'),
  was: count.describe('Files before; 0 for an added one.'),
  shortest: s.array(cycleStep).describe('A shortest way round.'),
  closedBy: s
    .array(s.object({ from: s.string(), to: s.string(), line }))
    .describe('New imports within: taking one of them back may open the circle.'),
});

export const apiChange = nodePlace.extend({
  change: s.enum(['added', 'removed', 'changed', 'moved']),
  signature: s.string().nullable().describe('Declaration on one line; null where it could not be read.'),
  was: s.string().optional().describe('Declaration before.'),
  from: s.string().optional().describe('Path before, of one that moved.'),
  members: count.optional().describe('Exported symbols inside that came, went or moved with it.'),
});

const changes = s.object({ added: count, removed: count, changed: count });

export const graphDiffResponseSchema = s.object({
  ...header,
  from: s.object({ ref: s.string(), commit: oid.nullable() }),
  to: s.object({ ref: s.string(), commit: oid.nullable() }).nullable().describe('Null: the work tree.'),
  movedFiles: s.array(s.object({ from: s.string(), to: s.string() })).describe('Compared as one file each.'),
  counts: s.object({
    dependencies: changes,
    uses: s.object({ added: count, removed: count }).describe('Pairs of symbols, within files too.'),
    cycles: s.object({ added: count, grown: count, shrunk: count, removed: count }),
    api: changes.extend({ moved: count }),
  }),
  dependencies: some(dependency).describe('Between files: imports, or uses where a language needs no import.'),
  cycles: some(cycle).describe('Files that import each other in circles; imports of types alone do not count.'),
  api: some(apiChange).describe('Exported symbols outside of tests.'),
});

export type GraphDiffResponse = s.Infer<typeof graphDiffResponseSchema>;
export type DependencyChange = s.Infer<typeof dependency>;
export type CycleChange = s.Infer<typeof cycle>;
export type ApiChange = s.Infer<typeof apiChange>;
