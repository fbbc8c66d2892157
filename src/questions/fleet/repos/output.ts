/** Document of `codebase_fleet_repos`. */
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { publishedView } from '../search/output.js';

export const fleetReposSchema = s.object({
  schemaVersion: s.literal(1),
  damaged: count.describe('Repositories whose list of files is damaged until they publish again.'),
  results: s.array(
    s.object({
      ...publishedView,
      files: count.describe('Paths of the commit that can be searched.'),
      refs: s.array(s.string()).describe('Refs that are published.'),
      refsLeftOut: count,
    }),
  ),
  resultsLeftOut: count,
});

export type FleetReposDocument = s.Infer<typeof fleetReposSchema>;
