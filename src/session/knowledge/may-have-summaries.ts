/**
 * Tells by the names of refs whether there can be summaries at all: most repositories have none, and are spared
 * everything else.
 */
import { mayHaveRefs } from '../../git/cheap-checks.js';
import { NOTES_PREFIX, type Repository } from '../../git/repository.js';
import { PRIVATE_PREFIX, SUMMARIES_KIND } from '../../knowledge/kinds.js';

/** Prefixes of refs of summaries: of shared ones, and of those that stay here. */
export const SUMMARY_PREFIXES = [NOTES_PREFIX, PRIVATE_PREFIX].map((prefix) => `${prefix}/${SUMMARIES_KIND}`);

/** Three looks at git's files: false spares a repository without summaries everything else. */
export function mayHaveSummaries(repository: Pick<Repository, 'commonDir'>): boolean {
  return mayHaveRefs(repository, SUMMARY_PREFIXES);
}
