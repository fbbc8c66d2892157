/** A look whether there are summaries at all, for answers of which few have some. */
import { mayHaveRefs } from '../../git/may-have-refs.js';
import { NOTES_PREFIX, type Repository } from '../../git/repository.js';
import { PRIVATE_PREFIX, SUMMARIES_KIND } from '../../knowledge/kinds.js';

/** Prefixes of refs of summaries: of shared ones, and of those that stay here. */
export const SUMMARY_PREFIXES = [NOTES_PREFIX, PRIVATE_PREFIX].map((prefix) => `${prefix}/${SUMMARIES_KIND}`);

/** Three looks at git's files: false spares a repository without summaries everything else. */
export function mayHaveSummaries(repository: Pick<Repository, 'commonDir'>): boolean {
  return mayHaveRefs(repository, SUMMARY_PREFIXES);
}
