/** Searches a repository and its linked ones: asks each at its own HEAD and merges the results into one list. */
import { SocraticodeError } from '../../base/errors.js';
import type { SearchResponse } from '../../questions/search/output.js';
import type { SearchOptions } from '../search/searcher.js';
import { fuse } from './fusion.js';
import { inspectLink } from './linked-repository.js';
import { findLinks } from './links.js';
import { type LinkAccess, OtherRepositories, type Outcome, type Searchable, statesOf } from './other-repositories.js';

/** Throws as `Searcher.search` does for this repository; failures of linked ones are part of the answer. */
export async function searchLinked(
  main: Searchable,
  options: SearchOptions,
  access: LinkAccess,
): Promise<SearchResponse> {
  if (options.in !== undefined || options.allRefs) {
    const message = 'linked repositories are searched at their own HEAD: a range or all branches are of one repository';
    throw new SocraticodeError('BAD_ARGUMENT', message, { hint: 'Search them without a range, or this one alone.' });
  }
  const origin = await main.session.origin(options.ref, { unborn: true });
  // Merging reads the texts of results.
  const full = { ...options, noContent: false, mayBeEmpty: true };
  const answering = main.searcher.search(full);
  answering.catch(() => {});
  const search = ({ searcher }: Searchable, signal: AbortSignal) =>
    searcher.search({ ...full, ref: undefined, signal });
  const others = new OtherRepositories(search, access, options.signal);
  const { list, consent } = await findLinks(main.session, origin);
  const asking = others.ask(list, (link, directory) => inspectLink(link, directory, main.session.repository, consent));
  asking.catch(() => {});
  try {
    const answer = await answering;
    const outcomes = await others.outcomes(asking, list);
    const { config } = await main.session.configOfOrigin(origin);
    const all = joined(answer, outcomes, { limit: options.limit ?? config.search.limit, own: config.projectId });
    return options.noContent ? { ...all, results: all.results.map(({ content: _, ...rest }) => rest) } : all;
  } finally {
    others.stop();
  }
}

function joined(
  answer: SearchResponse,
  outcomes: readonly Outcome<SearchResponse>[],
  { limit, own }: { limit: number; own: string | undefined },
): SearchResponse {
  const states = statesOf(outcomes, own);
  const lists = outcomes.flatMap(({ response }, i) =>
    response === null ? [] : { ...response, project: states[i].project },
  );
  const results = fuse(answer.query, [{ ...answer, project: null }, ...lists], limit);
  const linked = states.map(({ reason, ...state }) => ({
    ...state,
    results: results.filter(({ project }) => project === state.project).length,
    reason,
  }));
  return { ...answer, linked, results };
}
