/** `similar`: the chunks nearest to a place. */
// Loaded with this file, while git answers.
import { groupDigits } from '../../base/digits.js';
import '../../session/search/searcher.js';
import { SocraticodeError } from '../../base/errors.js';
import { hasFilters } from '../../search/query-filters.js';
import { prefixOf } from '../../session/prefix.js';
import type { Asker } from '../asker.js';
import type { SimilarResponse } from './output.js';
import { MAX_SNIPPET, type SimilarValues } from './params.js';

/** Throws BAD_ARGUMENT where the snapshot has no such file or no vectors, UNKNOWN_REF and the errors of indexing. */
export async function answerSimilar(at: Asker, values: SimilarValues): Promise<SimilarResponse> {
  const place = values.place === '-' ? undefined : values.place;
  const snippet = values.place === '-' ? await readSnippet(at) : values.snippet;
  if ((place === undefined) === (snippet === undefined))
    throw new SocraticodeError('BAD_ARGUMENT', 'one of place and snippet is needed', {
      hint: 'A place is a file and a line, such as src/index.ts:42; a snippet is code.',
    });
  const searcher = await at.searcher();
  const prefix = prefixOf(at.session, at.directory);
  const within = hasFilters(values) ? await (await import('../file-filters.js')).narrow(at, values) : {};
  return searcher.similar({ ...values, ...within, place, snippet, prefix, signal: at.signal });
}

/** Code on stdin, up to the longest snippet. Throws BAD_ARGUMENT where there is none, or no stdin. */
async function readSnippet({ command }: Asker): Promise<string> {
  let text = '';
  for await (const part of command?.io.stdin ?? []) {
    text += String(part);
    if (text.length > MAX_SNIPPET) break;
  }
  if (text.trim() === '' || text.length > MAX_SNIPPET)
    throw new SocraticodeError('BAD_ARGUMENT', `a snippet has 1 to ${groupDigits(MAX_SNIPPET)} characters`);
  return text;
}
