/** `similar`: the chunks nearest to a place. */
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits } from '../../base/printable.js';
import { hasFilters } from '../../search/query-filters.js';
import { searcherOf } from '../../session/search/searcher.js';
import { prefixOf } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import type { Writing } from '../pen.js';
import { placeLine, resultsText } from '../result-text.js';
import { MAX_SNIPPET, type SimilarResponse, type SimilarValues } from './question.js';

/** Throws BAD_ARGUMENT where the snapshot has no such file or no vectors, UNKNOWN_REF and the errors of indexing. */
export async function answerSimilar(at: Asker, values: SimilarValues): Promise<SimilarResponse> {
  const place = values.place === '-' ? undefined : values.place;
  const snippet = values.place === '-' ? await readSnippet(at) : values.snippet;
  if ((place === undefined) === (snippet === undefined))
    throw new SocraticodeError('BAD_ARGUMENT', 'one of place and snippet is needed', {
      hint: 'A place is a file and a line, such as src/index.ts:42; a snippet is code.',
    });
  const prefix = prefixOf(at.session, at.directory);
  const within = hasFilters(values) ? await (await import('../file-filters.js')).narrow(at, values) : {};
  return searcherOf(at.session).similar({ ...values, ...within, place, snippet, prefix, signal: at.signal });
}

/** Reads code from stdin, up to the longest snippet. Throws BAD_ARGUMENT without code or stdin. */
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

/** Most exact copies of the place that are listed. */
const MAX_COPIES = 5;

export function similarText(
  response: SimilarResponse,
  { pen, values, isCommand }: Writing<{ lines: number; context?: number }>,
): string {
  const { place } = response;
  // Nothing is highlighted: there is no query.
  const results = resultsText(response, {
    pen,
    matches: () => [],
    lines: values.lines,
    context: values.context,
    compact: !isCommand,
  });
  if (place === null) return results;
  const symbol = place.symbol === null ? '' : ` (${place.symbol})`;
  const copies = place.places ?? [];
  const lines = [
    `like ${placeLine(place)}${symbol}`,
    ...copies.slice(0, MAX_COPIES).map((copy) => `same text: ${placeLine(copy)}`),
    ...(copies.length > MAX_COPIES ? [`(+${formatCount(copies.length - MAX_COPIES, 'more place')})`] : []),
  ];
  return `${pen.dim(lines.join('\n'))}\n\n${results}`;
}
