/** Document of `search --fleet`. */
import * as s from '../../../params/shape.js';
import { count, oid, placeSchema } from '../../output-parts.js';
import { searchResultSchema } from '../../results/output.js';

const coverage = s.object({ covered: count, total: count });

/** Repository and published ref that a place is of. */
const published = {
  repo: s.string(),
  ref: s.string().describe('Branch or tag, as it was published.'),
  commit: oid,
};

export const publishedView = {
  ...published,
  publishedAt: s.string().describe('When the commit was published, as ISO 8601.'),
  coverage: coverage.describe('Files of the commit that the fleet has, and how many could be indexed.'),
};

export const fleetSearchSchema = s.object({
  schemaVersion: s.literal(1),
  query: s.string(),
  kind: s.enum(['symbol', 'natural', 'question']).describe('How the query was understood.'),
  mode: s.enum(['lexical', 'hybrid', 'semantic']).describe('The mode that was used.'),
  fleet: s.object({
    searched: count.describe('Number of repositories that were searched: all that match and that the token may read.'),
    withoutRef: count.describe('Repositories that match, but have not published the ref.'),
    damaged: count.describe('Repositories that match, but whose list of files is damaged until they publish again.'),
  }),
  coverage: coverage.describe('Files of the searched repositories that the fleet has, and how many could be indexed.'),
  results: s.array(
    searchResultSchema
      .omit('project', 'uncommitted', 'artifact')
      .extend({ ...publishedView, places: s.array(placeSchema.extend(published)).optional() }),
  ),
});

export type FleetSearchDocument = s.Infer<typeof fleetSearchSchema>;
