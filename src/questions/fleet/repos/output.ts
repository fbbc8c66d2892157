/** Document of `codebase_fleet_repos`. */
import { z } from 'zod';
import { count } from '../../output-parts.js';
import { publishedView } from '../search/output.js';

export const fleetReposSchema = z.strictObject({
  schemaVersion: z.literal(1),
  damaged: count.describe('Repositories whose list of files is damaged until they publish again.'),
  results: z.array(
    z.strictObject({
      ...publishedView,
      files: count.describe('Paths of the commit that can be searched.'),
      refs: z.array(z.string()).describe('Refs that are published.'),
      refsLeftOut: count,
    }),
  ),
  resultsLeftOut: count,
});

export type FleetReposDocument = z.infer<typeof fleetReposSchema>;
