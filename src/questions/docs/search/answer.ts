/** Answers `docs search`: a search in files of document languages. */
import { allLanguages } from '../../../languages/registry.js';
import type { Asker } from '../../asker.js';
import { answerSearch } from '../../search/answer.js';
import type { SearchResponse, SearchValues } from '../../search/question.js';
import type { DocsSearchValues } from './question.js';

/** Throws what searching throws. */
export async function answerDocsSearch(at: Asker, values: DocsSearchValues): Promise<SearchResponse> {
  const lang = [...allLanguages()].filter(({ document }) => document !== undefined).map(({ id }) => id);
  // Only a search for commits has another document.
  return (await answerSearch(at, { ...(values as SearchValues), lang })) as SearchResponse;
}
