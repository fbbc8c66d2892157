/** The lines of a text that answer best: for terminals, and for models that pay by the word. */
import type { SearchResponse } from '../search/output.js';
import { createHighlighter, type Highlight } from './highlight.js';

type Matches = (text: string) => Highlight[];
type Result = Pick<SearchResponse['results'][number], 'startLine' | 'endLine' | 'contentLine' | 'content' | 'symbol'>;

export const splitLines = (content: string): string[] => content.split('\n').map((line) => line.replace(/\r$/, ''));

/** Finds the words of a response's query in a text, those that correct it included. */
export function highlighterOf({ query, corrections }: Pick<SearchResponse, 'query' | 'corrections'>): Matches {
  return createHighlighter(query, Object.values(corrections ?? {}).flat());
}

/** The lines of a result without `context`: from `first` to before `end`, of `count`. */
export function ownLines(
  { startLine, endLine, contentLine = startLine }: Result,
  { count, context }: { count: number; context: number },
) {
  if (context === 0) return { first: 0, end: count };
  const first = Math.min(count, Math.max(0, startLine - contentLine));
  return { first, end: Math.max(first, Math.min(count, endLine - contentLine + 1)) };
}

/** Indices of the lines to show, ascending: the definition's line, and the window of lines with most matches. */
export function chooseLines(lines: readonly string[], symbol: string | null, matches: Matches, most: number): number[] {
  const all = lines.map((_, i) => i);
  if (most <= 0 || lines.length <= most) return all;
  const size = Math.max(1, most - 1);
  const best = densest(lines, matches, size);
  const definition = definitionLine(lines, symbol);
  const shown = new Set([definition, ...all.slice(best, best + size), Math.min(best + size, lines.length - 1)]);
  const chosen = [...shown].slice(0, most).sort((a, b) => a - b);
  while (chosen.length > 1 && lines[chosen[chosen.length - 1]].trim() === '') chosen.pop();
  return chosen;
}

/**
 * Cuts each text of an answer to one piece of at most `linesOf(rank)` lines, 0 for all; `contentLine` is its first line. The
 * piece is the one with most words of the query, or the one that begins at the definition if that has as many.
 */
export function withExcerpts<
  R extends Result,
  T extends Pick<SearchResponse, 'query' | 'corrections'> & { results: R[] },
>(response: T, linesOf: (rank: number) => number, context = 0): T {
  const matches = highlighterOf(response);
  const cut = (result: R, rank: number) => excerpt(result, matches, { most: linesOf(rank), context });
  return { ...response, results: response.results.map(cut) };
}

function excerpt<R extends Result>(
  result: R,
  matches: Matches,
  { most, context }: { most: number; context: number },
): R {
  if (result.content === undefined || most <= 0) return result;
  const all = splitLines(result.content);
  const { first, end } = ownLines(result, { count: all.length, context });
  const lines = all.slice(first, end);
  if (lines.length <= most) return result;
  const definition = definitionLine(lines, result.symbol);
  const best = first + densest(lines, matches, most, definition);
  const from = Math.max(0, best - context);
  // Empty lines at its ends say nothing.
  const content = all
    .slice(from, best + most + context)
    .join('\n')
    .replace(/\s+$/, '');
  return { ...result, contentLine: (result.contentLine ?? result.startLine) + from, content };
}

/** First line of the window of `size` lines with most of the query in it; `preferred` unless another has more. */
function densest(lines: readonly string[], matches: Matches, size: number, preferred = 0): number {
  const hits = lines.map((line) => new Set(matches(line).flatMap((match) => match.terms)));
  const score = (from: number) => {
    const window = hits.slice(from, from + size);
    const terms = new Set(window.flatMap((found) => [...found]));
    return terms.size * size + window.filter((found) => found.size > 0).length;
  };
  const last = lines.length - size;
  let best = Math.min(preferred, last);
  let most = score(best);
  for (let from = 0; from <= last; from++) {
    const here = score(from);
    if (here > most) [best, most] = [from, here];
  }
  return best;
}

const NAME_PART = /[\p{ID_Continue}$]/u;
const COMMENT = /^\s*(?:\/?\*|\/\/|#|--|;|"""|''')/;

/** The first line of code that has the symbol's name, as a word: a doc comment's opening says nothing. 0 where none has. */
export function definitionLine(lines: readonly string[], symbol: string | null): number {
  const name = symbol?.split('.').pop();
  if (!name) return 0;
  return Math.max(
    0,
    lines.findIndex((line) => !COMMENT.test(line) && hasWord(line, name)),
  );
}

/** `Intermediate` is no word of `IntermediateLifetime`. */
function hasWord(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line[at - 1] ?? '', line[at + name.length] ?? ''];
    if (!NAME_PART.test(before) && !NAME_PART.test(after)) return true;
  }
  return false;
}
