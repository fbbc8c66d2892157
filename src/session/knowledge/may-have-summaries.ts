/** Looks for refs of summaries. Most repositories have none, and then nothing else about summaries is loaded. */
import { mayHaveRefs } from '../../git/cheap-checks.js';
import { NOTES_PREFIX, type Repository } from '../../git/repository.js';
import { PRIVATE_PREFIX, SUMMARIES_KIND } from '../../knowledge/kinds.js';

/** Prefixes of refs of summaries: of shared ones, and of private ones. */
export const SUMMARY_PREFIXES = [NOTES_PREFIX, PRIVATE_PREFIX].map((prefix) => `${prefix}/${SUMMARIES_KIND}`);

/** Returns false for a repository without summaries, after three looks at git's files. */
export function mayHaveSummaries(repository: Pick<Repository, 'commonDir'>): boolean {
  return mayHaveRefs(repository, SUMMARY_PREFIXES);
}
