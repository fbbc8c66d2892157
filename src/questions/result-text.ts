/**
 * Text of results: a heading with path and symbol, then the most relevant lines, like `rg --heading`. Results of a fleet also have their
 * repository, and the footer names their commits. Also the text of found commits, the choice of lines, by which documents are cut for agents,
 * too, and the marks of the query's words.
 */
import { shortOid, signs } from '../base/printable.js';
import { eachIdentifier, identifierTerms } from '../extract/terms.js';
import { type Place, placesIn } from '../search/exact.js';
import { parseQuery } from '../search/query.js';
import { coverageTexts, dateText, dirtyTexts, formatCount, linkedLines, shortName, windowLines } from './format.js';
import type { Pen, Writing } from './pen.js';
import type { CommitsDocument, FleetSearchDocument } from './search/output.js';
import { type LinesOf, runnerUp, SHARE_OF_TRACE, TERMINAL_LINES, textLines } from './search/output.js';
import type { SearchResponse } from './search/question.js';
import type { ResultDocument } from './shared-output.js';

interface ResultsOptions {
  pen: Pen;
  /** Finds the words of the query in a line, to mark them. */
  matches: (text: string) => Highlight[];
  /** Lines shown of each result, whose rank is counted from 0; 0 for all, -1 for none. */
  lines: number | ((of: LinesOf) => number);
  /** Lines of context around the lines shown. */
  context?: number;
  /** Text for agents: headings hold the place, and nothing repeats the reply's first line. */
  compact: boolean;
}

/** A document with chunks of a snapshot. */
type ResultsDocument = Pick<SearchResponse, 'ref' | 'coverage' | 'dirty' | 'overlay' | 'results'> &
  Partial<Pick<SearchResponse, 'query' | 'corrections' | 'told' | 'range' | 'branches' | 'vectors' | 'linked'>>;

/** `src/cart.ts:12-30` */
export const placeLine = ({ path, startLine, endLine }: Pick<ResultDocument, 'path' | 'startLine' | 'endLine'>) =>
  `${path}:${startLine}-${endLine}`;

export function resultsText(response: ResultsDocument, { lines, ...style }: ResultsOptions): string {
  const { context } = style;
  const places = placesIn(response.query ?? '');
  const share = places.length > 0 ? SHARE_OF_TRACE : runnerUp(response.results);
  const linesOf = (result: ResultDocument, rank: number) =>
    typeof lines === 'number' ? lines : lines({ rank, length: lengthOf(result), runnerUp: share, context });
  const blocks = response.results.map((result, rank) =>
    resultText(result, { ...style, places, lines: linesOf(result, rank) }),
  );
  // Blocks of a single line are a list, without empty lines between them.
  const isLine = (block: string) => block.indexOf('\n') === block.length - 1;
  const text = blocks.map((block, i) => (i === 0 || (isLine(block) && isLine(blocks[i - 1])) ? block : `\n${block}`));
  return `${text.join('')}${blocks.length > 0 ? '\n' : ''}${footer(response, style)}`;
}

/** Line of a result that the query names, as a trace does: -1 if there is none. Traces have less of a path than the repository, or more. */
function namedLine(
  { path, startLine, endLine }: Pick<ResultDocument, 'path' | 'startLine' | 'endLine'>,
  places: readonly Place[],
) {
  const isHere = (place: Place) =>
    path === place.path || path.endsWith(`/${place.path}`) || place.path.endsWith(`/${path}`);
  return places.find((place) => isHere(place) && startLine <= place.line && place.line <= endLine)?.line ?? -1;
}

const lengthOf = ({ startLine, endLine }: Result): number => endLine - startLine + 1;

interface Style extends Omit<ResultsOptions, 'lines'> {
  lines: number;
  /** Places that the query names. */
  places: readonly Place[];
}

/** Number of further paths with the same text. */
const otherPaths = ({ path, places = [] }: Pick<ResultDocument, 'path' | 'places'>): number =>
  new Set([path, ...places.map((place) => place.path)]).size - 1;

function resultText(result: ResultDocument, style: Style): string {
  const { pen } = style;
  // A place without a name says too little.
  const most = style.lines < 0 && result.symbol === null ? 1 : style.lines;
  const shown = result.content === undefined || most < 0 ? null : shownLines(result, { ...style, lines: most });
  const isListed = style.compact && shown === null;
  const heading = `${headingOf(result, style, shown?.first)}\n${refsLine(result, pen)}`;
  const why = result.explain === undefined ? '' : `${pen.dim(explainLine(result))}\n`;
  const range = style.compact ? '' : `${pen.line(`${result.startLine}-${result.endLine}`)}\n`;
  // A trace names all parts that it is about.
  const next = isListed || style.places.length > 0 ? '' : alsoLine(result, pen);
  return heading + why + (shown?.text ?? range) + next;
}

/** Place and name of a result. `first`: its first shown line, undefined if none is shown. */
function headingOf(result: ResultDocument, { pen, compact }: Style, first: number | undefined): string {
  const named = compact && result.symbol !== null ? shortName(result.symbol, result.path) : result.symbol;
  const symbol = named === null ? '' : `  ${pen.symbol(named)}`;
  const others = otherPaths(result);
  const also = others > 0 ? pen.dim(`  (+${formatCount(others, 'more path')})`) : '';
  const state = result.uncommitted ? pen.dim('  (uncommitted)') : '';
  const artifact = result.artifact === undefined ? '' : pen.dim(`  [${result.artifact}]`);
  const project = result.project === undefined ? '' : `${result.project}:`;
  // A terminal opens the file at the heading's line: the symbol's if it is shown, else the first shown line.
  // So does one of an agent's lists, where a place and a name are enough to read it.
  const isListed = compact && first === undefined;
  const place = compact && !isListed ? placeLine(result) : `${result.path}:${first ?? result.startLine}`;
  const kind = isListed && symbol !== '' ? '' : `  ${pen.dim(result.kind)}`;
  return `${pen.path(`${project}${place}`)}${symbol}${kind}${artifact}${also}${state}`;
}

/** Names the next parts, shortened by what they share with the result's name. */
function alsoLine({ also = [], symbol, path }: ResultDocument, pen: Pen): string {
  if (also.length === 0) return '';
  const nameOf = (part: string) => shortName(withoutOuter(part, symbol ?? ''), path);
  const names = also.map((part) => `${part.startLine} ${nameOf(part.symbol)}`);
  return `${pen.dim(`also ${names.join(', ')}`)}\n`;
}

/** Shortens `Cart.total` to `total` beside `Cart` or `Cart.add`. */
function withoutOuter(name: string, shown: string): string {
  const inner = `${shown}.`;
  const outer = shown.slice(0, shown.lastIndexOf('.') + 1);
  return name.slice(name.startsWith(inner) ? inner.length : name.startsWith(outer) ? outer.length : 0);
}

/** Most branches named under a result. */
const MAX_REFS = 4;

function refsLine({ refs, refsLeftOut = 0 }: ResultDocument, pen: Pen): string {
  if (refs === undefined) return '';
  const rest = refs.length - MAX_REFS + refsLeftOut;
  const more = rest > 0 ? ` and ${formatCount(rest, 'more branch', 'more branches')}` : '';
  return pen.dim(`on ${refs.slice(0, MAX_REFS).join(', ')}${more}\n`);
}

function branchesLine({ searched, leftOut }: { searched: number; leftOut: number }): string {
  const more = leftOut > 0 ? `; ${formatCount(leftOut, 'older one')} not searched` : '';
  return `${formatCount(searched, 'branch', 'branches')} searched${more}`;
}

const olderVersion = ({ from }: { from: string | null }) => from?.slice(0, 12) ?? 'that tree';

/** Prefix of contributions that are ranks in lists of candidates. */
const RANK = 'rank:';

function explainLine(result: ResultDocument): string {
  const all = Object.entries(result.explain ?? {});
  const ranks = all
    .filter(([name]) => name.startsWith(RANK))
    .map(([name, at]) => `#${at} by ${name.slice(RANK.length)}`);
  const parts = all.filter(([name]) => !name.startsWith(RANK)).map(([name, value]) => `${name} ${value.toFixed(3)}`);
  return [`score ${result.score.toFixed(3)} = ${parts.join(', ')}`, ...ranks].join('; ');
}

/** Chosen lines of a result, and the number of the first. */
function shownLines(result: ResultDocument, style: Style): { first: number; text: string } {
  const lines = splitLines(result.content ?? '');
  const { context = 0 } = style;
  const { first: own, end } = ownLines(result, { count: lines.length, context });
  const named = namedLine(result, style.places);
  const at = named < 0 ? -1 : named - (result.contentLine ?? result.startLine) - own;
  const chosen = chooseLines(lines.slice(own, end), result.symbol, { ...style, at });
  const shown = widened(
    chosen.map((index) => own + index),
    { context, count: lines.length },
  );
  const from = result.contentLine ?? result.startLine;
  let text = '';
  let before = -1;
  for (const index of shown) {
    if (before >= 0 && index > before + 1) text += `${style.pen.dim(signs.cut)}\n`;
    text += `${style.pen.line(String(from + index))}:${highlight(lines[index], style)}\n`;
    before = index;
  }
  const definition = definitionLine(lines.slice(own, end), result.symbol);
  const first = chosen.includes(definition) ? definition : (chosen.find((index) => lines[own + index].trim()) ?? 0);
  return { first: from + own + first, text };
}

/** Adds context to line indices. */
function widened(indices: readonly number[], { context, count }: { context: number; count: number }): number[] {
  if (context === 0) return [...indices];
  const wide = indices.flatMap((index) => Array.from({ length: 2 * context + 1 }, (_, i) => index - context + i));
  return [...new Set(wide)].filter((index) => index >= 0 && index < count).sort((a, b) => a - b);
}

/** Longest line that is shown whole, in UTF-16 code units: minified code fills a terminal. */
const MAX_LINE = 240;

function highlight(line: string, { pen, matches }: Style): string {
  const text = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}${signs.cut}` : line;
  let out = '';
  let at = 0;
  for (const { offset, length } of matches(text)) {
    out += text.slice(at, offset) + pen.match(text.slice(offset, offset + length));
    at = offset + length;
  }
  return out + text.slice(at);
}

function rangeLine(range: NonNullable<ResultsDocument['range']>): string {
  const since = `changed since ${olderVersion(range)}`;
  if (range.files === 0) return `no file ${since}, so there was nothing to search`;
  return `only the ${formatCount(range.files, 'file')} that ${since} ${range.files === 1 ? 'was' : 'were'} searched`;
}

function footer(response: ResultsDocument, { pen, compact }: Pick<ResultsOptions, 'pen' | 'compact'>): string {
  const { corrections = {}, range, branches, vectors, linked, results } = response;
  const lines = Object.entries(corrections).map(([word, terms]) => {
    const instead = terms.length === 0 ? 'its parts' : terms.map((term) => `"${term}"`).join(', ');
    return `"${word}" does not occur here; searched for ${instead}`;
  });
  lines.push(...(response.told ?? []));
  const { covered, total } = response.coverage;
  // If the range has no files, other words would not help, and the line about the range says so.
  if (results.length === 0 && range?.files !== 0)
    lines.push(covered === 0 && total > 0 ? 'nothing is indexed yet' : pen.words.noResults);
  if (range) lines.push(rangeLine(range));
  if (branches) lines.push(branchesLine(branches));
  if (vectors?.reason) lines.push(vectors.reason);
  if (!compact)
    lines.push(...coverageTexts(response.coverage, 'could be searched'), ...dirtyTexts(response, 'searched'));
  if (linked) lines.push(...linkedLines(linked));
  return lines.map((line) => `${pen.dim(line)}\n`).join('');
}

const SHOWN_PATHS = 4;
const SHOWN_SYMBOLS = 6;

/** Most branches that are listed of each thing that several have. */
const MAX_LISTED_REFS = 5;
const SHOWN_REFS = 2;

/** The first of many names as a list of a document, and how many more there are. */
export function cutNames<K extends string>(key: K, names: readonly string[]) {
  const more = names.length - MAX_LISTED_REFS;
  return {
    [key]: names.slice(0, MAX_LISTED_REFS),
    ...(more > 0 ? { [`${key}LeftOut`]: more } : {}),
  } as Record<K, string[]> & Partial<Record<`${K}LeftOut`, number>>;
}

/** `feature, fix and 7 more`. */
export function namesOf(names: readonly string[], leftOut = 0): string {
  const rest = names.length - SHOWN_REFS + leftOut;
  const shown = names.slice(0, SHOWN_REFS);
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Text of a search for commits: messages, and changed symbols and files. */
export function commitsText({ results, resultsLeftOut, window }: CommitsDocument, { pen }: { pen: Pen }): string {
  const lines = results.flatMap(
    ({ commit, date, author, subject, paths, files, symbols, symbolsLeftOut, refs, refsLeftOut }) => {
      const head = `${pen.line(shortOid(commit))} ${dateText(date)} ${subject}`;
      const shown = paths.slice(0, SHOWN_PATHS).map((path) => pen.path(path));
      const others = files - shown.length;
      const rest =
        others <= 0 ? '' : shown.length === 0 ? formatCount(files, 'file') : ` and ${formatCount(others, 'more file')}`;
      const names = symbols.slice(0, SHOWN_SYMBOLS).map((name) => pen.symbol(name));
      const further = symbolsLeftOut + symbols.length - names.length;
      return [
        `${head} ${pen.dim(`(${author})`)}${refs === undefined ? '' : ` on ${namesOf(refs, refsLeftOut)}`}`,
        ...(files === 0 ? [] : [`  ${shown.join(', ')}${rest}`]),
        ...(names.length === 0 ? [] : [`  ${names.join(', ')}${further > 0 ? pen.dim(` and ${further} more`) : ''}`]),
      ];
    },
  );
  if (results.length === 0) lines.push('no commit has a word of the query');
  if (resultsLeftOut > 0) lines.push(pen.dim(`  ${signs.cut} ${formatCount(resultsLeftOut, 'more commit')}`));
  lines.push(...windowLines(window, pen, false).map(pen.dim));
  return `${lines.join('\n')}\n`;
}

export function searchText(
  response: SearchResponse | CommitsDocument | FleetSearchDocument,
  { pen, values, isCommand }: Writing<{ lines?: number; context?: number }>,
): string {
  if ('window' in response) return commitsText(response, { pen });
  if ('fleet' in response) return fleetSearchText(response, { pen, values, isCommand });
  const lines = isCommand ? (values.lines ?? TERMINAL_LINES) : textLines;
  return resultsText(response, {
    pen,
    matches: highlighterOf(response),
    lines,
    context: values.context,
    compact: !isCommand,
  });
}

export function fleetSearchText(
  response: FleetSearchDocument,
  { pen, values, isCommand }: Writing<{ lines?: number; context?: number }>,
): string {
  const results = response.results.map(({ repo, places: _, ...result }) => ({ ...result, project: repo }));
  const lines = isCommand ? (values.lines ?? TERMINAL_LINES) : textLines;
  const shown = { ref: '', coverage: { covered: 0, total: 0 }, dirty: 0, overlay: 0, results };
  const text = resultsText(shown, {
    ...{ pen, matches: highlighterOf(response), lines, context: values.context },
    compact: !isCommand,
  });
  return `${text}${fleetFooter(response)
    .map((line) => `${pen.dim(line)}\n`)
    .join('')}`;
}

/** One line for each published commit among the results, and one for the fleet. */
function fleetFooter({ fleet, results }: FleetSearchDocument): string[] {
  const views = new Map(results.map((result) => [`${result.repo}\0${result.ref}`, result]));
  const lines = [...views.values()].map(viewLine);
  const also = [
    ...(fleet.withoutRef > 0 ? [`${fleet.withoutRef} without this ref`] : []),
    ...(fleet.damaged > 0 ? [`${fleet.damaged} damaged until they publish again`] : []),
  ];
  const searched = formatCount(fleet.searched, 'repository', 'repositories');
  return [...lines, [`${searched} searched`, ...also].join(', ')];
}

type Published = Pick<FleetSearchDocument['results'][number], 'repo' | 'ref' | 'commit' | 'publishedAt' | 'coverage'>;

export function viewLine(view: Published): string {
  const { repo, ref, commit, publishedAt, coverage } = view;
  const partial = coverage.covered < coverage.total ? `, ${coverage.covered} of ${coverage.total} files` : '';
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '');
  return `${repo}: ${name} @ ${shortOid(commit)}, published ${ageText(publishedAt)}${partial}`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Age in the largest unit of which it has at least one. */
function ageText(date: string, now = Date.now()): string {
  const seconds = (now - Date.parse(date)) / 1_000;
  for (const [unit, length] of UNITS)
    if (seconds >= length) return `${formatCount(Math.floor(seconds / length), unit)} ago`;
  return 'just now';
}

// Chooses the most relevant lines of a text, for terminals and for models that pay by the word, and marks the query's words.

type Matches = (text: string) => Highlight[];
type Result = Pick<SearchResponse['results'][number], 'startLine' | 'endLine' | 'contentLine' | 'content' | 'symbol'>;

const splitLines = (content: string): string[] => content.split('\n').map((line) => line.replace(/\r$/, ''));

/** Finds words of a query in a text, corrections included. */
export function highlighterOf({ query, corrections }: Pick<SearchResponse, 'query' | 'corrections'>): Matches {
  return createHighlighter(query, Object.values(corrections ?? {}).flat());
}

/** Lines of a result without `context`, as indexes from `first` to before `end`, and their number `count`. */
function ownLines(
  { startLine, endLine, contentLine = startLine }: Result,
  { count, context }: { count: number; context: number },
) {
  if (context === 0) return { first: 0, end: count };
  const first = Math.min(count, Math.max(0, startLine - contentLine));
  return { first, end: Math.max(first, Math.min(count, endLine - contentLine + 1)) };
}

/** Ascending indices of the lines to show: the definition's line, and the window with most matches. */
export function chooseLines(
  lines: readonly string[],
  symbol: string | null,
  { matches, lines: most, at = -1 }: { matches: Matches; lines: number; at?: number },
): number[] {
  const all = lines.map((_, i) => i);
  if (most <= 0 || lines.length <= most) return all;
  const definition = definitionLine(lines, symbol);
  // Lines that were cut out of a long definition have none of their own that names it.
  const size = Math.max(1, definition < 0 ? most : most - 1);
  const best =
    at < 0 ? densest(lines, besidesName(matches, symbol), size, { definition }) : windowAt(at, size, lines.length);
  const first = definition < 0 ? [] : [definition];
  const shown = new Set([...first, ...all.slice(best, best + size), Math.min(best + size, lines.length - 1)]);
  const chosen = [...shown].slice(0, most).sort((a, b) => a - b);
  while (chosen.length > 1 && lines[chosen[chosen.length - 1]].trim() === '') chosen.pop();
  return chosen;
}

/**
 * Cuts each text of an answer to at most `linesOf(…)` lines, 0 for all, -1 for none; `contentLine` is the first. Takes the window with most words of
 * the query, or the one at the definition if it has as many.
 */
export function withExcerpts<
  R extends Result & Parameters<typeof runnerUp>[0][number],
  T extends Pick<SearchResponse, 'query' | 'corrections'> & { results: R[] },
>(response: T, linesOf: (of: LinesOf) => number, context = 0): T {
  const matches = highlighterOf(response);
  const places = placesIn(response.query);
  const share = places.length > 0 ? SHARE_OF_TRACE : runnerUp(response.results);
  const cut = (result: R, rank: number) => {
    const most = linesOf({ rank, length: lengthOf(result), runnerUp: share, context });
    return excerpt(result, matches, { most, context, named: namedLine(result, places) });
  };
  return { ...response, results: response.results.map(cut) };
}

interface Excerpt {
  most: number;
  context: number;
  /** The line that the query names, or -1. */
  named: number;
}

function excerpt<R extends Result>(result: R, matches: Matches, { most, ...how }: Excerpt): R {
  if (result.content === undefined || most === 0) return result;
  if (most < 0 && result.symbol !== null) {
    const { content: _, ...place } = result;
    return place as R;
  }
  return cutOut(result, matches, { most: Math.max(1, most), ...how });
}

function cutOut<R extends Result>(result: R, matches: Matches, { most, context, named }: Excerpt): R {
  const all = splitLines(result.content ?? '');
  const { first, end } = ownLines(result, { count: all.length, context });
  const lines = all.slice(first, end);
  if (lines.length <= most) return result;
  const definition = Math.max(0, definitionLine(lines, result.symbol));
  const at = named < 0 ? -1 : named - result.startLine;
  const counted = besidesName(matches, result.symbol);
  const best =
    first +
    (at < 0 ? densest(lines, counted, most, { definition, preferred: definition }) : windowAt(at, most, lines.length));
  const from = Math.max(0, best - context);
  // Drops empty lines at both ends.
  const content = all
    .slice(from, best + most + context)
    .join('\n')
    .replace(/\s+$/, '');
  return { ...result, contentLine: (result.contentLine ?? result.startLine) + from, content };
}

/** First line of a window of `size` lines that has a line near its end: what led to it stands above. */
const windowAt = (line: number, size: number, count: number): number =>
  Math.max(0, Math.min(line - Math.ceil((2 * size) / 3) + 1, count - size));

/** Lines from which on a definition is long. */
const LONG = 80;

/** Matches without the words of the definition's own name, which messages in it repeat. The heading has said them. */
function besidesName(matches: Matches, symbol: string | null): Matches {
  const own = new Set(symbol === null ? [] : matches(symbol).flatMap(({ terms }) => terms));
  if (own.size === 0) return matches;
  return (line) =>
    matches(line)
      .map((match) => ({ ...match, terms: match.terms.filter((term) => !own.has(term)) }))
      .filter(({ terms }) => terms.length > 0);
}

/** First line of the window of `size` lines that matches most of the query; `preferred` unless another one matches more. */
function densest(
  lines: readonly string[],
  matches: Matches,
  size: number,
  { definition, preferred = 0 }: { definition: number; preferred?: number },
): number {
  const hits = lines.map((line) => new Set(matches(line).flatMap((match) => match.terms)));
  const score = (from: number) => {
    const window = hits.slice(from, from + size);
    const terms = new Set(window.flatMap((found) => [...found]));
    return terms.size * size + window.filter((found) => found.size > 0).length;
  };
  const last = lines.length - size;
  // The comment above a long definition has many words of a query, and its code what the query is about.
  const begin = lines.length > LONG ? Math.max(0, Math.min(definition, last)) : 0;
  let best = Math.max(begin, Math.min(preferred, last));
  let most = score(best);
  for (let from = begin; from <= last; from++) {
    const here = score(from);
    if (here > most) [best, most] = [from, here];
  }
  while (best < last && lines[best].trim() === '') best++;
  return best;
}

const NAME_PART = /[\p{ID_Continue}$]/u;
const COMMENT = /^\s*(?:\/?\*|\/\/|#|--|;|"""|''')/;

/** First line of code with the symbol's name as a word, -1 if none has it. Doc comments say little at their beginning. */
function definitionLine(lines: readonly string[], symbol: string | null): number {
  const name = symbol?.split('.').pop();
  return name ? lines.findIndex((line) => !COMMENT.test(line) && hasWord(line, name)) : 0;
}

/** True for a whole word: `Intermediate` is none of `IntermediateLifetime`. */
function hasWord(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line[at - 1] ?? '', line[at + name.length] ?? ''];
    if (!NAME_PART.test(before) && !NAME_PART.test(after)) return true;
  }
  return false;
}

interface Highlight {
  offset: number;
  length: number;
  /** Terms of the query that the word contains. */
  terms: string[];
}

/** Finds terms of the query; `extra` terms (corrections of misspelt words) count as well. */
export function createHighlighter(query: string, extra: readonly string[] = []): (text: string) => Highlight[] {
  const wanted = new Set([...parseQuery(query).terms, ...extra]);
  return (text) => {
    const found: Highlight[] = [];
    eachIdentifier(text, (identifier, offset) => {
      const terms = identifierTerms(identifier).filter((term) => wanted.has(term));
      if (terms.length > 0) found.push({ offset, length: identifier.length, terms });
    });
    return found;
  };
}
