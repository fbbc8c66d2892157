/** Text of results: a heading with path and symbol, then the lines that answer, like `rg --heading`. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import type { CommitsDocument } from '../history/commits/output.js';
import type { SearchResponse } from '../search/output.js';
import { dateText, formatCount, linkedLines, shortName, windowLines } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import { chooseLines, definitionLine, ownLines, splitLines } from './excerpt.js';
import type { Highlight } from './highlight.js';
import type { ResultDocument } from './output.js';

interface ResultsOptions {
  pen: Pen;
  /** Finds the words of the query in a line, to mark them. */
  matches: (text: string) => Highlight[];
  /** Lines shown of each result, or of the result of a rank (from 0); 0 for all. */
  lines: number | ((rank: number) => number);
  /** Lines of context around the lines shown. */
  context?: number;
  /** For agents: places in headings, and nothing that the first line of a reply has said. */
  compact: boolean;
}

/** A document that lists chunks of a snapshot. */
type ResultsDocument = Pick<SearchResponse, 'ref' | 'coverage' | 'dirty' | 'overlay' | 'results'> &
  Partial<Pick<SearchResponse, 'corrections' | 'range' | 'branches' | 'vectors' | 'linked'>>;

/** `src/cart.ts:12-30` */
export const placeLine = ({ path, startLine, endLine }: Pick<ResultDocument, 'path' | 'startLine' | 'endLine'>) =>
  `${visibleLine(path)}:${startLine}-${endLine}`;

export function resultsText(response: ResultsDocument, { lines, ...style }: ResultsOptions): string {
  const linesOf = (rank: number) => (typeof lines === 'number' ? lines : lines(rank));
  const blocks = response.results.map((result, rank) => resultText(result, { ...style, lines: linesOf(rank) }));
  const { whole } = style.pen.words;
  const isCut = response.results.some(
    ({ startLine, endLine }, rank) => linesOf(rank) > 0 && endLine - startLine >= linesOf(rank),
  );
  const rest = isCut && whole !== '' ? `${style.pen.dim(whole)}\n` : '';
  return `${blocks.join('\n')}${blocks.length > 0 ? '\n' : ''}${rest}${footer(response, style)}`;
}

interface Style extends Omit<ResultsOptions, 'lines'> {
  lines: number;
}

/** Number of further paths with the same text. */
const otherPaths = ({ path, places = [] }: Pick<ResultDocument, 'path' | 'places'>): number =>
  new Set([path, ...places.map((place) => place.path)]).size - 1;

function resultText(result: ResultDocument, style: Style): string {
  const { pen } = style;
  const symbol =
    result.symbol === null
      ? ''
      : `  ${pen.symbol(visibleLine(style.compact ? shortName(result.symbol, result.path) : result.symbol))}`;
  const others = otherPaths(result);
  const also = others > 0 ? pen.dim(`  (+${formatCount(others, 'more path')})`) : '';
  const state = result.uncommitted ? pen.dim('  (uncommitted)') : '';
  const artifact = result.artifact === undefined ? '' : pen.dim(`  [${visibleLine(result.artifact)}]`);
  const project = result.project === undefined ? '' : `${visibleLine(result.project)}:`;
  const shown = result.content === undefined ? null : shownLines(result, style);
  // A terminal opens the file at the line of the heading: that of the symbol if it is shown, else the first that is shown.
  const place = style.compact ? placeLine(result) : `${visibleLine(result.path)}:${shown?.first ?? result.startLine}`;
  const heading = `${pen.path(`${project}${place}`)}${symbol}  ${pen.dim(result.kind)}${artifact}${also}${state}\n${refsLine(result, pen)}`;
  const why = result.explain === undefined ? '' : `${pen.dim(explainLine(result))}\n`;
  const range = style.compact ? '' : `${pen.line(`${result.startLine}-${result.endLine}`)}\n`;
  return heading + why + (shown?.text ?? range) + alsoLine(result, pen);
}

/** Names the next parts, without what their names share with the name of the result. */
function alsoLine({ also = [], symbol }: ResultDocument, pen: Pen): string {
  if (also.length === 0) return '';
  const names = also.map((part) => `${part.startLine} ${visibleLine(withoutOuter(part.symbol, symbol ?? ''))}`);
  return `${pen.dim(`also ${names.join(', ')}`)}\n`;
}

/** `Cart.total` beside `Cart` or `Cart.add` is `total`. */
function withoutOuter(name: string, shown: string): string {
  const inner = `${shown}.`;
  const outer = shown.slice(0, shown.lastIndexOf('.') + 1);
  return name.slice(name.startsWith(inner) ? inner.length : name.startsWith(outer) ? outer.length : 0);
}

/** Most branches named under a result. */
const MAX_REFS = 4;

function refsLine({ refs }: ResultDocument, pen: Pen): string {
  if (refs === undefined) return '';
  const more =
    refs.length > MAX_REFS ? ` and ${formatCount(refs.length - MAX_REFS, 'more branch', 'more branches')}` : '';
  return pen.dim(`on ${refs.slice(0, MAX_REFS).map(visibleLine).join(', ')}${more}\n`);
}

function branchesLine({ searched, leftOut }: { searched: number; leftOut: number }): string {
  const more = leftOut > 0 ? `; ${formatCount(leftOut, 'older one')} not searched` : '';
  return `${formatCount(searched, 'branch', 'branches')} searched${more}`;
}

const oldSide = ({ from }: { from: string | null }) => from?.slice(0, 12) ?? 'that tree';

/** Prefix of contributions that are ranks in the lists of candidates. */
const RANK = 'rank:';

function explainLine(result: ResultDocument): string {
  const all = Object.entries(result.explain ?? {});
  const ranks = all
    .filter(([name]) => name.startsWith(RANK))
    .map(([name, at]) => `#${at} by ${name.slice(RANK.length)}`);
  const parts = all.filter(([name]) => !name.startsWith(RANK)).map(([name, value]) => `${name} ${value.toFixed(3)}`);
  return [`score ${result.score.toFixed(3)} = ${parts.join(', ')}`, ...ranks].join('; ');
}

/** The lines chosen of a result, with the number of the first. */
function shownLines(result: ResultDocument, style: Style): { first: number; text: string } {
  const lines = splitLines(result.content ?? '');
  const { context = 0 } = style;
  const { first: own, end } = ownLines(result, { count: lines.length, context });
  const chosen = chooseLines(lines.slice(own, end), result.symbol, style.matches, style.lines);
  const shown = widened(
    chosen.map((index) => own + index),
    { context, count: lines.length },
  );
  const from = result.contentLine ?? result.startLine;
  let text = '';
  let before = -1;
  for (const index of shown) {
    if (before >= 0 && index > before + 1) text += `${style.pen.dim('…')}\n`;
    text += `${style.pen.line(String(from + index))}:${highlight(lines[index], style)}\n`;
    before = index;
  }
  const definition = definitionLine(lines.slice(own, end), result.symbol);
  const first = chosen.includes(definition) ? definition : (chosen.find((index) => lines[own + index].trim()) ?? 0);
  return { first: from + own + first, text };
}

/** Indices of lines with those around them. */
function widened(indices: readonly number[], { context, count }: { context: number; count: number }): number[] {
  if (context === 0) return [...indices];
  const wide = indices.flatMap((index) => Array.from({ length: 2 * context + 1 }, (_, i) => index - context + i));
  return [...new Set(wide)].filter((index) => index >= 0 && index < count).sort((a, b) => a - b);
}

/** Longest line that is shown whole, in UTF-16 code units: minified code fills a terminal. */
const MAX_LINE = 240;

function highlight(line: string, { pen, matches }: Style): string {
  const text = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
  let out = '';
  let at = 0;
  for (const { offset, length } of matches(text)) {
    out += visible(text.slice(at, offset)) + pen.match(visible(text.slice(offset, offset + length)));
    at = offset + length;
  }
  return out + visible(text.slice(at));
}

/** Control characters made visible, except tabs, which indent code. */
function visible(text: string): string {
  return text.split('\t').map(visibleLine).join('\t');
}

function rangeLine(range: NonNullable<ResultsDocument['range']>): string {
  const since = `changed since ${oldSide(range)}`;
  if (range.files === 0) return `no file ${since}, so there was nothing to search`;
  return `only the ${formatCount(range.files, 'file')} that ${since} ${range.files === 1 ? 'was' : 'were'} searched`;
}

function footer(response: ResultsDocument, { pen, compact }: Pick<ResultsOptions, 'pen' | 'compact'>): string {
  const { corrections = {}, range, branches, vectors, linked, results } = response;
  const lines = Object.entries(corrections).map(([word, terms]) => {
    const instead = terms.length === 0 ? 'its parts' : terms.map((term) => `"${visibleLine(term)}"`).join(', ');
    return `"${visibleLine(word)}" does not occur here; searched for ${instead}`;
  });
  const { covered, total } = response.coverage;
  // Other words find nothing among no files, which the line about the range says.
  if (results.length === 0 && range?.files !== 0)
    lines.push(covered === 0 && total > 0 ? 'nothing is indexed yet' : pen.words.noResults);
  if (range) lines.push(rangeLine(range));
  if (branches) lines.push(branchesLine(branches));
  if (vectors?.reason) lines.push(visibleLine(vectors.reason));
  if (covered < total && !compact)
    lines.push(`partial: ${groupDigits(covered)} of ${formatCount(total, 'file')} could be searched`);
  if (response.dirty > 0 && !compact) lines.push(dirtyLine(response));
  if (linked) lines.push(...linkedLines(linked));
  return lines.map((line) => `${pen.dim(line)}\n`).join('');
}

function dirtyLine({ dirty, overlay, ref }: Pick<SearchResponse, 'dirty' | 'overlay' | 'ref'>): string {
  if (overlay === 0)
    return `${formatCount(dirty, 'uncommitted file')} not searched: this is ${visibleLine(ref)} as committed`;
  const leftOut = dirty - overlay;
  const rest = leftOut === 0 ? '' : `, ${groupDigits(leftOut)} left out: too many, or not readable`;
  return `${formatCount(overlay, 'uncommitted file')} included${rest}`;
}

const SHORT_OID = 9;
const SHOWN_PATHS = 4;
const SHOWN_SYMBOLS = 6;

/** Text of a search for commits: what each says, and what it changed. */
export function commitsText({ results, resultsLeftOut, window }: CommitsDocument, { pen }: { pen: Pen }): string {
  const lines = results.flatMap(({ commit, date, author, subject, paths, files, symbols, symbolsLeftOut }) => {
    const head = `${pen.line(commit.slice(0, SHORT_OID))} ${dateText(date)} ${visibleLine(subject)}`;
    const shown = paths.slice(0, SHOWN_PATHS).map((path) => pen.path(visibleLine(path)));
    const others = files - shown.length;
    const rest =
      others <= 0 ? '' : shown.length === 0 ? formatCount(files, 'file') : ` and ${formatCount(others, 'more file')}`;
    const names = symbols.slice(0, SHOWN_SYMBOLS).map((name) => pen.symbol(visibleLine(name)));
    const further = symbolsLeftOut + symbols.length - names.length;
    return [
      `${head} ${pen.dim(`(${visibleLine(author)})`)}`,
      ...(files === 0 ? [] : [`  ${shown.join(', ')}${rest}`]),
      ...(names.length === 0 ? [] : [`  ${names.join(', ')}${further > 0 ? pen.dim(` and ${further} more`) : ''}`]),
    ];
  });
  if (results.length === 0) lines.push('no commit has a word of the query');
  if (resultsLeftOut > 0) lines.push(pen.dim(`  … ${formatCount(resultsLeftOut, 'more commit')}`));
  lines.push(...windowLines(window, pen, false));
  return `${lines.join('\n')}\n`;
}
