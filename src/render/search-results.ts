/** Search results for people: a heading with path and symbol, then the lines that answer, like `rg --heading`. */
import { visibleLine } from '../base/hygiene.js';
import type { SearchResponse, SimilarResponse } from '../engine/contract.js';
import { createHighlighter, type Highlight } from '../engine/search/highlight.js';
import { formatCount } from './format.js';
import type { Pen } from './pen.js';

export interface RenderOptions {
  pen: Pen;
  /** Lines shown of each result; 0 for all. */
  lines: number;
}

type Result = SearchResponse['results'][number];

export function renderSearch(response: SearchResponse, options: RenderOptions): string {
  const matches = createHighlighter(response.query, Object.values(response.corrections ?? {}).flat());
  return renderResults(response, matches, options);
}

/** Exact copies of a place that are listed. */
const MAX_COPIES = 5;

const placeLine = ({ path, startLine, endLine }: Pick<Result, 'path' | 'startLine' | 'endLine'>) =>
  `${visibleLine(path)}:${startLine}-${endLine}`;

/** What is similar to a place: nothing in it is marked, since no words were asked for. */
export function renderSimilar(response: SimilarResponse, options: RenderOptions): string {
  const { place } = response;
  const symbol = place.symbol === null ? '' : ` (${visibleLine(place.symbol)})`;
  const copies = place.places ?? [];
  const lines = [
    `like ${placeLine(place)}${symbol}`,
    ...copies.slice(0, MAX_COPIES).map((copy) => `same text: ${placeLine(copy)}`),
    ...(copies.length > MAX_COPIES ? [`(+${formatCount(copies.length - MAX_COPIES, 'more place')})`] : []),
  ];
  return `${options.pen.dim(lines.join('\n'))}\n\n${renderResults(response, () => [], options)}`;
}

function renderResults(
  response: SearchResponse | SimilarResponse,
  matches: Style['matches'],
  { pen, lines }: RenderOptions,
): string {
  const blocks = response.results.map((result) => renderResult(result, { pen, matches, lines }));
  return `${blocks.join('\n')}${blocks.length > 0 ? '\n' : ''}${footer(response, pen)}`;
}

interface Style {
  pen: Pen;
  matches: (text: string) => Highlight[];
  lines: number;
}

function renderResult(result: Result, style: Style): string {
  const { pen } = style;
  const symbol = result.symbol === null ? '' : `  ${pen.symbol(visibleLine(result.symbol))}`;
  const also = result.paths.length > 1 ? pen.dim(`  (+${formatCount(result.paths.length - 1, 'more path')})`) : '';
  const state = result.uncommitted ? pen.dim('  (uncommitted)') : '';
  const heading = `${pen.path(visibleLine(result.path))}${symbol}  ${pen.dim(result.kind)}${also}${state}\n${refsLine(result, pen)}`;
  const why = result.explain === undefined ? '' : `${pen.dim(explainLine(result))}\n`;
  const text =
    result.content === undefined
      ? `${pen.line(`${result.startLine}-${result.endLine}`)}\n`
      : contentLines(result, style);
  return heading + why + text;
}

/** Branches named under a result. */
const MAX_REFS = 4;

function refsLine({ refs }: Result, pen: Pen): string {
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

/** Places in the lists that candidates come from. */
const RANK = 'rank:';

function explainLine(result: Result): string {
  const all = Object.entries(result.explain ?? {});
  const ranks = all
    .filter(([name]) => name.startsWith(RANK))
    .map(([name, at]) => `#${at} by ${name.slice(RANK.length)}`);
  const parts = all.filter(([name]) => !name.startsWith(RANK)).map(([name, value]) => `${name} ${value.toFixed(3)}`);
  return [`score ${result.score.toFixed(3)} = ${parts.join(', ')}`, ...ranks].join('; ');
}

function contentLines(result: Result, style: Style): string {
  const lines = (result.content ?? '').split('\n').map((line) => line.replace(/\r$/, ''));
  const shown = chooseLines(lines, result.symbol, style);
  let out = '';
  let before = -1;
  for (const index of shown) {
    if (before >= 0 && index > before + 1) out += `${style.pen.dim('…')}\n`;
    out += `${style.pen.line(String(result.startLine + index))}:${highlight(lines[index], style)}\n`;
    before = index;
  }
  return out;
}

/** The line that says what this is, and the densest window of matching lines. */
function chooseLines(lines: readonly string[], symbol: string | null, style: Style): number[] {
  const all = lines.map((_, i) => i);
  if (style.lines <= 0 || lines.length <= style.lines) return all;
  const hits = lines.map((line) => new Set(style.matches(line).flatMap((match) => match.terms)));
  const size = Math.max(1, style.lines - 1);
  let best = 0;
  let bestScore = -1;
  for (let from = 0; from + size <= lines.length; from++) {
    const terms = new Set(hits.slice(from, from + size).flatMap((found) => [...found]));
    const score = terms.size * size + hits.slice(from, from + size).filter((found) => found.size > 0).length;
    if (score > bestScore) [best, bestScore] = [from, score];
  }
  const window = all.slice(best, best + size);
  const shown = new Set([definitionLine(lines, symbol), ...window, Math.min(best + size, lines.length - 1)]);
  return [...shown].slice(0, style.lines).sort((a, b) => a - b);
}

const COMMENT = /^\s*(?:\/?\*|\/\/|#|--|;|"""|''')/;

/** The first line of code that has the symbol's name: a doc comment's opening says nothing. */
function definitionLine(lines: readonly string[], symbol: string | null): number {
  const name = symbol?.split('.').pop();
  if (!name) return 0;
  return Math.max(
    0,
    lines.findIndex((line) => line.includes(name) && !COMMENT.test(line)),
  );
}

/** Long lines are cut: nobody reads minified code in a terminal. */
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

/** Tabs indent code and stay. */
function visible(text: string): string {
  return text.split('\t').map(visibleLine).join('\t');
}

function footer(response: SearchResponse | SimilarResponse, pen: Pen): string {
  const lines: string[] = [];
  const corrections = 'corrections' in response ? response.corrections : undefined;
  for (const [word, terms] of Object.entries(corrections ?? {})) {
    lines.push(
      `no document has "${visibleLine(word)}"; searched for ${terms.map((term) => `"${visibleLine(term)}"`).join(', ')}`,
    );
  }
  if (response.results.length === 0) lines.push(pen.words.noResults);
  if ('range' in response && response.range)
    lines.push(
      `in ${formatCount(response.range.files, 'file')} that are new or changed since ${oldSide(response.range)}`,
    );
  if ('branches' in response && response.branches) lines.push(branchesLine(response.branches));
  if (response.vectors?.reason) lines.push(visibleLine(response.vectors.reason));
  const { covered, total } = response.coverage;
  if (covered < total)
    lines.push(`partial: ${covered.toLocaleString('en')} of ${formatCount(total, 'file')} could be searched`);
  if (response.dirty > 0) lines.push(dirtyLine(response));
  return lines.map((line) => `${pen.dim(line)}\n`).join('');
}

function dirtyLine({ dirty, overlay, ref }: Pick<SearchResponse, 'dirty' | 'overlay' | 'ref'>): string {
  if (overlay === 0)
    return `${formatCount(dirty, 'uncommitted file')} not searched: this is ${visibleLine(ref)} as committed`;
  const leftOut = dirty - overlay;
  const rest = leftOut === 0 ? '' : `, ${leftOut.toLocaleString('en')} left out: too many, or not readable`;
  return `${formatCount(overlay, 'uncommitted file')} included${rest}`;
}
