/** Document of `search --fleet`. */
import { z } from 'zod';
import { count, oid, placeSchema } from '../../output-parts.js';
import { searchResultSchema } from '../../results/output.js';

const coverage = z.strictObject({ covered: count, total: count });

/** Repository and published ref that a place is of. */
const published = {
  repo: z.string(),
  ref: z.string().describe('Branch or tag, as it was published.'),
  commit: oid,
};

export const publishedView = {
  ...published,
  publishedAt: z.string().describe('When the commit was published, as ISO 8601.'),
  coverage: coverage.describe('Files of the commit that the fleet has, and how many could be indexed.'),
};

export const fleetSearchSchema = z.strictObject({
  schemaVersion: z.literal(1),
  query: z.string(),
  kind: z.enum(['symbol', 'natural', 'question']).describe('How the query was understood.'),
  mode: z.enum(['lexical', 'hybrid', 'semantic']).describe('The mode that was used.'),
  fleet: z.strictObject({
    searched: count.describe('Number of repositories that were searched: all that match and that the token may read.'),
    withoutRef: count.describe('Repositories that match, but have not published the ref.'),
    damaged: count.describe('Repositories that match, but whose list of files is damaged until they publish again.'),
  }),
  coverage: coverage.describe('Files of the searched repositories that the fleet has, and how many could be indexed.'),
  results: z.array(
    searchResultSchema
      .omit({ project: true, uncommitted: true, artifact: true })
      .extend({ ...publishedView, places: z.array(placeSchema.extend(published)).optional() }),
  ),
});

export type FleetSearchDocument = z.infer<typeof fleetSearchSchema>;
