/** Search results for people: a heading with path and symbol, then the lines that answer, like `rg --heading`. */
import { visibleLine } from '../base/hygiene.js';
import type { SearchResponse, SimilarResponse } from '../engine/contract.js';
import { chooseLines, highlighterOf, splitLines } from '../engine/search/excerpt.js';
import type { Highlight } from '../engine/search/highlight.js';
import { formatCount, shortName } from '../questions/writing/format.js';
import type { Pen } from '../questions/writing/pen.js';
import { linkedLines } from './linked.js';

export interface RenderOptions {
  pen: Pen;
  /** Lines shown of each result, or of the result of a rank (from 0); 0 for all. */
  lines: number | ((rank: number) => number);
  /** For agents: places in headings, and nothing that the first line of a reply has said. */
  compact?: boolean;
}

type Result = SearchResponse['results'][number];

export function renderSearch(response: SearchResponse, options: RenderOptions): string {
  return renderResults(response, highlighterOf(response), options);
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
  { pen, lines, compact = false }: RenderOptions,
): string {
  const blocks = response.results.map((result, rank) =>
    renderResult(result, { pen, matches, lines: typeof lines === 'number' ? lines : lines(rank), compact }),
  );
  return `${blocks.join('\n')}${blocks.length > 0 ? '\n' : ''}${footer(response, pen, compact)}`;
}

interface Style {
  pen: Pen;
  matches: (text: string) => Highlight[];
  lines: number;
  compact: boolean;
}

function renderResult(result: Result, style: Style): string {
  const { pen } = style;
  const symbol =
    result.symbol === null
      ? ''
      : `  ${pen.symbol(visibleLine(style.compact ? shortName(result.symbol, result.path) : result.symbol))}`;
  const also = result.paths.length > 1 ? pen.dim(`  (+${formatCount(result.paths.length - 1, 'more path')})`) : '';
  const state = result.uncommitted ? pen.dim('  (uncommitted)') : '';
  const artifact = result.artifact === undefined ? '' : pen.dim(`  [${visibleLine(result.artifact)}]`);
  const project = result.project === undefined ? '' : `${visibleLine(result.project)}:`;
  const place = style.compact ? placeLine(result) : visibleLine(result.path);
  const heading = `${pen.path(`${project}${place}`)}${symbol}  ${pen.dim(result.kind)}${artifact}${also}${state}\n${refsLine(result, pen)}`;
  const why = result.explain === undefined ? '' : `${pen.dim(explainLine(result))}\n`;
  const range = style.compact ? '' : `${pen.line(`${result.startLine}-${result.endLine}`)}\n`;
  return heading + why + (result.content === undefined ? range : contentLines(result, style));
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
  const lines = splitLines(result.content ?? '');
  const shown = chooseLines(lines, result.symbol, style.matches, style.lines);
  const first = result.contentLine ?? result.startLine;
  let out = '';
  let before = -1;
  for (const index of shown) {
    if (before >= 0 && index > before + 1) out += `${style.pen.dim('…')}\n`;
    out += `${style.pen.line(String(first + index))}:${highlight(lines[index], style)}\n`;
    before = index;
  }
  return out;
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

function footer(response: SearchResponse | SimilarResponse, pen: Pen, compact: boolean): string {
  const lines: string[] = [];
  const corrections = 'corrections' in response ? response.corrections : undefined;
  for (const [word, terms] of Object.entries(corrections ?? {})) {
    const instead = terms.length === 0 ? 'its parts' : terms.map((term) => `"${visibleLine(term)}"`).join(', ');
    lines.push(`no document has "${visibleLine(word)}"; searched for ${instead}`);
  }
  const { covered, total } = response.coverage;
  if (response.results.length === 0)
    lines.push(covered === 0 && total > 0 ? 'nothing is indexed yet' : pen.words.noResults);
  if ('range' in response && response.range)
    lines.push(
      `in ${formatCount(response.range.files, 'file')} that are new or changed since ${oldSide(response.range)}`,
    );
  if ('branches' in response && response.branches) lines.push(branchesLine(response.branches));
  if (response.vectors?.reason) lines.push(visibleLine(response.vectors.reason));
  if (covered < total && !compact)
    lines.push(`partial: ${covered.toLocaleString('en')} of ${formatCount(total, 'file')} could be searched`);
  if (response.dirty > 0 && !compact) lines.push(dirtyLine(response));
  if ('linked' in response && response.linked) lines.push(...linkedLines(response.linked));
  return lines.map((line) => `${pen.dim(line)}\n`).join('');
}

function dirtyLine({ dirty, overlay, ref }: Pick<SearchResponse, 'dirty' | 'overlay' | 'ref'>): string {
  if (overlay === 0)
    return `${formatCount(dirty, 'uncommitted file')} not searched: this is ${visibleLine(ref)} as committed`;
  const leftOut = dirty - overlay;
  const rest = leftOut === 0 ? '' : `, ${leftOut.toLocaleString('en')} left out: too many, or not readable`;
  return `${formatCount(overlay, 'uncommitted file')} included${rest}`;
}
