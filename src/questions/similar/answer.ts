/** `similar`: the chunks nearest to a place. */
// Loaded with this file, while git answers.
import '../../session/search/searcher.js';
import { hasFilters } from '../../search/query-filters.js';
import { prefixOf } from '../../session/prefix.js';
import type { Asker } from '../asker.js';
import type { SimilarResponse } from './output.js';
import type { SimilarValues } from './question.js';

/** Throws BAD_ARGUMENT where the snapshot has no such file or no vectors, UNKNOWN_REF and the errors of indexing. */
export async function answerSimilar(at: Asker, values: SimilarValues): Promise<SimilarResponse> {
  const searcher = await at.searcher();
  const prefix = prefixOf(at.session, at.directory);
  const within = hasFilters(values) ? await (await import('../file-filters.js')).narrow(at, values) : {};
  return searcher.similar({ ...values, ...within, prefix, signal: at.signal });
}
