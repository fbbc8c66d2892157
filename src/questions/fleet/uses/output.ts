/** Piece of documents about the graph: uses by the repositories of a fleet. */
import * as s from '../../../params/shape.js';
import { linkedUse } from '../../graph/linked/output.js';
import { some } from '../../graph/output-parts.js';
import { count } from '../../output-parts.js';
import { publishedView } from '../search/output.js';

export const fleetUses = s.object({
  schemaVersion: s.literal(1),
  fleet: s.object({
    searched: count.describe(
      'Number of repositories that were searched: all that the token may read, except this one.',
    ),
    withoutRef: count,
    damaged: count,
    unknown: count.describe('Repositories that were published without what they use: their uses are not known.'),
  }),
  repositories: s
    .array(s.object({ ...publishedView, uses: count, files: count.describe('Files with uses.') }))
    .describe('Repositories that use it, those with most uses first.'),
  uses: some(
    linkedUse.extend({ project: s.string().describe('The repository, as `repositories` names it.') }),
  ).describe('Nearest and surest first.'),
});

export type FleetUsesDocument = s.Infer<typeof fleetUses>;
