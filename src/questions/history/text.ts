/** Text of histories: what it is, when it came and went, and its newest text. */
import { shellWord, visibleLine } from '../../base/hygiene.js';
import { commitsText } from '../results/text.js';
import { formatCount } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { Words } from '../writing/words.js';
import type { CommitsDocument } from './commits/output.js';
import type { HistoryResponse } from './output.js';
import { REPLY_LINES } from './params.js';

interface Style {
  pen: Pen;
  /** Lines of text shown of each result; 0 for all. */
  lines: number;
  /** Lists events. */
  events?: boolean;
}

interface HistoryWriting {
  pen: Pen;
  values: { lines?: number; events?: boolean };
  isCommand: boolean;
}

type Result = HistoryResponse['results'][number];
type Commit = NonNullable<Result['firstAppeared']>;

export function historyText(
  response: HistoryResponse | CommitsDocument,
  { pen, values, isCommand }: HistoryWriting,
): string {
  if (!('kind' in response)) return commitsText(response, { pen });
  const { lines = REPLY_LINES, events } = values;
  const style: Style = isCommand ? { pen, lines, events } : { pen, lines: REPLY_LINES, events: true };
  const blocks = response.results.map((result) => resultText(result, response, style));
  const foot = footer(response, pen.words).map((line) => `${pen.dim(line)}\n`);
  return `${blocks.join('\n')}${blocks.length > 0 ? '\n' : ''}${foot.join('')}`;
}

/** Events that the rows above do not tell. */
function untold({ events, firstAppeared, disappeared }: Result): Result['events'] {
  return events.filter(
    ({ type, commit }) =>
      !(type === 'appeared' && commit === firstAppeared?.commit) &&
      !(type === 'disappeared' && commit === disappeared?.commit),
  );
}

function resultText(result: Result, response: HistoryResponse, style: Style): string {
  const { pen } = style;
  const { firstAppeared: first, lastChanged: changed, disappeared: gone } = result;
  const state = result.present ? 'present' : pen.match('deleted');
  const name = result.symbol === null ? '' : `  ${pen.symbol(visibleLine(nameOf(result.symbol, result.kind)))}`;
  const lines = [`${pen.path(visibleLine(result.path))}${name}  ${pen.dim(result.kind)}  ${state}`];
  lines.push(row('first appeared', first === null ? before(response) : commitLine(first, pen)));
  if (changed !== null) lines.push(row('last changed', `${commitLine(changed, pen)}${countOf(result)}`));
  if (gone !== null) lines.push(row('disappeared', `${commitLine(gone, pen)}${gone.merge ? ' (in a merge)' : ''}`));
  else if (!result.present) lines.push(row('disappeared', 'in a commit that was not found'));
  const others = result.paths.slice(1);
  if (others.length > 0) lines.push(row('also at', others.map(visibleLine).join(', ')));
  if (style.events) lines.push(...untold(result).map((event) => eventLine(event, pen)));
  if (style.events && result.eventsLeftOut > 0) lines.push(`  (${formatCount(result.eventsLeftOut, 'more event')})`);
  lines.push(...contentLines(result, style));
  if (!result.present && result.show !== null)
    lines.push(pen.dim(`  git show ${shellWord(visibleLine(result.show.replace(LONG_OID, '$1')))}`));
  return `${lines.join('\n')}\n`;
}

const row = (label: string, text: string): string => `  ${label.padEnd(15)}${text}`;

const countOf = ({ changes }: Result): string => (changes > 1 ? ` (${formatCount(changes, 'change')})` : '');

const SHORT_OID = 9;
/** Cuts object ids to 12 digits, as git does in repositories with hundreds of thousands of objects. */
const LONG_OID = /^([0-9a-f]{12})[0-9a-f]{28,}(?=:)/;
const DATE_LENGTH = 10;

function commitLine({ commit, date, author, subject }: Commit, pen: Pen): string {
  const words = [pen.line(commit.slice(0, SHORT_OID)), date?.slice(0, DATE_LENGTH) ?? 'no date'];
  return [...words, visibleLine(subject), pen.dim(`(${visibleLine(author)})`)].join(' ');
}

function eventLine(event: Result['events'][number], pen: Pen): string {
  const from = event.from === undefined || event.from === event.path ? '' : ` from ${visibleLine(event.from)}`;
  const parts = event.parts === undefined ? '' : ` (${event.parts.join(', ')})`;
  const what = `${event.type}${parts}${from}`;
  return `    ${commitLine(event, pen)}  ${what}`;
}

/** Longest name of a section that is shown whole, in UTF-16 code units. */
const MAX_HEADING = 60;

/** A section's name has all headings above it, which are sentences: of a long one the last heading counts, where it can be told. */
function nameOf(symbol: string, kind: string): string {
  if (kind !== 'section' || symbol.length <= MAX_HEADING) return symbol;
  // Headings are joined by a dot, and have dots of their own: "1.0", "and so on. Then".
  const headings = symbol.split(/(?<!\d)\.(?!\s)|\.(?![\s\d])/);
  let name = headings.pop() ?? symbol;
  while (headings.length > 0 && `${headings.at(-1)}.${name}`.length < MAX_HEADING) name = `${headings.pop()}.${name}`;
  const cut = name.length > MAX_HEADING ? `${name.slice(0, MAX_HEADING).trimEnd()}…` : name;
  return headings.length > 0 ? `… ${cut}` : cut;
}

function before({ window, versions }: HistoryResponse): string {
  if (versions.unreadable > 0)
    return `not known: this clone lacks ${formatCount(versions.unreadable, 'version')} of files`;
  const oldest = window.oldest?.slice(0, SHORT_OID);
  return oldest === undefined
    ? 'not in the commits that were walked'
    : `in or before ${oldest}, the oldest commit that was walked`;
}

/** Longest line that is shown whole, in UTF-16 code units: minified code fills a terminal. */
const MAX_LINE = 200;

function contentLines({ content, startLine, endLine }: Result, { lines, pen }: Style): string[] {
  if (content === undefined) return [];
  const all = content.split('\n').map((line) => line.replace(/\r$/, ''));
  const shown = lines <= 0 ? all : all.slice(0, lines);
  const text = shown.map((line, i) => {
    const cut = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
    return `  ${pen.line(String(startLine + i))}:${cut.split('\t').map(visibleLine).join('\t')}`;
  });
  const rest = Math.max(all.length, endLine - startLine + 1) - shown.length;
  if (rest > 0) text.push(pen.dim(`  … ${formatCount(rest, 'more line')}`));
  return text;
}

function footer(response: HistoryResponse, words: Words): string[] {
  const { window, versions, results, suggestions, resultsLeftOut } = response;
  const lines: string[] = [];
  const name = visibleLine(response.query);
  if (results.length === 0) lines.push(response.kind === 'symbol' ? neverDefined(name, response) : 'nothing found');
  if (suggestions !== undefined) lines.push(`did you mean ${suggestions.map(visibleLine).join(', ')}?`);
  if (results.length === 0 && response.kind === 'symbol') lines.push(words.words);
  if (response.ignoredCase) lines.push(`no definition is written ${name}; upper and lower case were ignored`);
  if (resultsLeftOut > 0) lines.push(`${formatCount(resultsLeftOut, 'more definition')}: ${words.narrower}`);
  if (!window.complete) lines.push(`searched ${formatCount(window.commits, 'commit')}${windowEnd(window, words)}`);
  if (versions.leftOut > 0)
    lines.push(`${formatCount(versions.leftOut, 'file version')} not looked into: too many; ${words.path}`);
  if (versions.unreadable > 0 && (results.length > 0 || response.kind !== 'symbol'))
    lines.push(`${formatCount(versions.unreadable, 'file version')} could not be read`);
  return lines;
}

/** A clone that lacks files or commits cannot say "never": what it lacks stands in the sentence itself. */
function neverDefined(name: string, { window, versions }: HistoryResponse): string {
  const gaps = [
    ...(window.end === 'shallow' ? ['the commits before those of this shallow clone'] : []),
    ...(versions.unreadable > 0
      ? [`${formatCount(versions.unreadable, 'version')} of files that this clone lacks`]
      : []),
  ];
  if (gaps.length === 0) return `${name} was never defined in what was searched`;
  return `${name} was not found; it may be defined in ${gaps.join(', and in ')}: not searched`;
}

function windowEnd({ end }: HistoryResponse['window'], words: Words): string {
  if (end === 'max-commits') return `: ${words.maxCommits}`;
  if (end === 'shallow') return `: this is a shallow clone, ${words.unshallow}`;
  return end === 'since' ? ' since the given date' : '';
}
