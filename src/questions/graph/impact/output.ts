/** Document of `graph impact`. */
import * as s from '../../../params/shape.js';
import { fleetUses } from '../../fleet/uses/output.js';
import { mentions } from '../../note/mention/output.js';
import { count, oid } from '../../output-parts.js';
import { linkedUses } from '../linked/output.js';
import {
  asked,
  confidence,
  header,
  line,
  mentionedIn,
  nodePlace,
  reachingTest,
  some,
  stepKind,
} from '../output-parts.js';
import { bothSides, coupled } from './sides/output.js';

const affected = nodePlace.extend({
  use: stepKind(['overrides', 'contains']).describe(
    'How it uses the step before; overrides: a member that the changed one stands in for; contains: defined in it.',
  ),
  line: line.describe('The line of its file that says so.'),
  confidence,
  via: s.string().describe('What it uses: the step before it.'),
});

const hop = s.object({
  hop: count,
  affected: s.array(affected),
  leftOut: count,
});

const impact = {
  affected: count.describe('Symbols and files that use it, directly or through others; tests are not among them.'),
  files: count.describe('Files that those are in.'),
  risk: s.object({ level: s.enum(['low', 'medium', 'high', 'critical']), reasons: s.array(s.string()) }),
  hops: s.array(hop),
  tests: some(reachingTest).describe('Test files that reach it, nearest first.'),
  possible: count.describe('Uses of its name that could not be resolved and may be uses of it.'),
};

const changed = nodePlace
  .extend({
    change: s.enum(['added', 'changed', 'moved', 'renamed']),
    was: s.string().optional().describe('Its former name.'),
    ownBody: s
      .literal(true)
      .optional()
      .describe('Only its own body differs, beside members: its users are not among those of all changes.'),
    ...impact,
  })
  .describe('One that differs.');

const removed = s.object({
  path: s.string(),
  symbol: s.string(),
  kind: s.string(),
  uses: some(s.object({ path: s.string(), line })).describe(
    'Uses of that name that lead nowhere now, and may have meant it.',
  ),
});

export const graphImpactResponseSchema = s.object({
  ...header,
  ...asked,
  depth: count,
  minConfidence: s.number(),
  definitions: s.array(nodePlace).describe('What changes; with a range or nothing named, see `changes`.'),
  ...impact,
  mentionedIn,
  coupled: some(coupled)
    .optional()
    .describe('Files that usually change in the same commits as the file of the target, where they were asked for.'),
  linked: linkedUses.optional().describe('With `linked`: uses by other repositories.'),
  fleet: fleetUses.optional().describe('With `fleet`: uses by repositories of the fleet.'),
  notes: mentions.optional(),
  changes: s
    .object({
      from: s.object({ ref: s.string(), commit: oid.nullable() }),
      to: s.object({ ref: s.string(), commit: oid.nullable() }).nullable().describe('Null: the work tree.'),
      files: count.describe('Indexed files that differ.'),
      notIndexed: count.describe('Further files that differ, which are not indexed.'),
      ...bothSides,
      symbols: some(changed).describe('Largest effect first.'),
      removed: some(removed),
    })
    .optional()
    .describe('With a range, or for uncommitted changes.'),
});

export type GraphImpactResponse = s.Infer<typeof graphImpactResponseSchema>;
/** Of what differs between two sides. */
export type ChangeImpactResponse = GraphImpactResponse & Required<Pick<GraphImpactResponse, 'changes'>>;
/** Something that uses what changes, directly or through others. */
export type Affected = s.Infer<typeof affected>;
export type Hop = s.Infer<typeof hop>;
export type Impact = Omit<s.Infer<typeof changed>, keyof NodePlace | 'change' | 'was'>;
/** A symbol that differs, with its impact. */
export type ChangeImpact = s.Infer<typeof changed>;
/** A symbol that is gone, with uses that may have meant it. */
export type RemovedUses = s.Infer<typeof removed>;
type NodePlace = s.Infer<typeof nodePlace>;
