/** `search --fleet` and `codebase_fleet_search`. */
import { SocraticodeError } from '../../../base/errors.js';
import { optionOf } from '../../../params/command-line.js';
import { hasFilters, splitFilters } from '../../../search/query-filters.js';
import type { Asker } from '../../asker.js';
import { documentLines } from '../../search/excerpts.js';
import { params, type SearchValues } from '../../search/params.js';
import type { FleetAsking, FleetQuery } from '../asking.js';
import { askFleet } from '../connect.js';
import type { FleetSearchDocument } from './output.js';

export { connected } from '../connect.js';

/** Options that need the history, the graph or the work tree of one repository. */
const OF_ONE = [
  'in',
  'allRefs',
  'linked',
  'committed',
  'author',
  'since',
  'until',
  'is',
  'uses',
  'tag',
  'commits',
] as const;

/** Throws EMPTY_QUERY, BAD_ARGUMENT, UNKNOWN_REF and the errors of the fleet. */
export async function answerFleetSearch(
  at: Asker,
  fleet: FleetAsking,
  values: SearchValues,
): Promise<FleetSearchDocument> {
  const { query = '', ...options } = values;
  const given = OF_ONE.find((key) => values[key] !== undefined && values[key] !== false);
  const { filters } = splitFilters(query);
  const other = given ?? (hasFilters(filters) ? (Object.keys(filters)[0] as 'is') : undefined);
  if (other !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', `${optionOf(other, params[other])} is about one repository`, {
      hint: 'Search a clone of it, or leave the option out.',
    });
  const { repo, ref, limit, path, lang, kind, mode, minScore, explain, noContent, context } = options;
  const asked = { query, repo, ref, limit, path, lang, kind, mode, minScore, explain, noContent, context };
  const response = await fleet.search(asked, at.signal);
  const lines = documentLines(at, values);
  if (lines === null) return response;
  const { withExcerpts } = await import('../../results/excerpt.js');
  return withExcerpts<FleetSearchDocument['results'][number], FleetSearchDocument>(response, lines, context);
}

/** The tool: it has no options of one repository. */
export async function answerFleetTool(at: Asker, values: FleetQuery): Promise<FleetSearchDocument> {
  return askFleet(at, (fleet) => answerFleetSearch(at, fleet, { ...values } as SearchValues));
}
