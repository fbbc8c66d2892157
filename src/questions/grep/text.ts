/** Text of the hits below their files, as `rg --heading` writes them, and how many there are. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import type { Pattern, Span } from '../../search/grep/pattern.js';
import type { StructuralPattern } from '../../session/grep/structural.js';
import { formatCount, formatCounts } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { FileDocument, GrepResponse, HitDocument } from './output.js';
import type { GrepValues } from './params.js';
import { patternOf, withExpression } from './pattern.js';

interface Writing {
  pen: Pen;
  values: GrepValues;
  isCommand: boolean;
}

export function grepText(response: GrepResponse, { pen, values, isCommand }: Writing): string {
  const { hits, files = [] } = response;
  if (values.rewrite !== undefined) {
    const notes = patchNotes(response, { pen, values, isCommand });
    // git takes text behind the last hunk for no part of the patch.
    return [...files.map(({ patch = '' }) => pen.raw(patch)), ...notes.map((note) => `${pen.dim(note)}\n`)].join('');
  }
  if (response.files !== undefined) {
    const names = files.map((file) => fileLine(file, values, pen));
    const isWhole = response.filesLeftOut === 0 && files.length > 0 && isCommand;
    // A list that is complete is names alone, so that it can be piped to another program.
    return `${[...names, ...(isWhole ? [] : footer(response, { pen, values, isCommand }))].join('\n')}\n`;
  }
  const style = { pen, pattern: patternOf(withExpression(values)), until: performance.now() + MARKS_MS };
  // Branches may have a path with other lines: each version is shown by itself.
  const blocks = groupBy(hits ?? [], ({ path, refs = [] }) => [path, ...refs].join('\0')).map((group) =>
    fileText(group, style),
  );
  return `${[...blocks, footer(response, { pen, values, isCommand }).join('\n')].join('\n\n')}\n`;
}

interface Style {
  pen: Pen;
  pattern: Pattern | StructuralPattern;
  /** Time after which matches are not marked. */
  until: number;
}

function fileLine({ path, hits, uncommitted }: FileDocument, { count }: GrepValues, pen: Pen): string {
  const name = pen.path(visibleLine(path));
  if (!count) return name;
  return `${name}:${pen.line(String(hits))}${uncommitted ? pen.dim('  (uncommitted)') : ''}`;
}

function fileText(hits: readonly HitDocument[], style: Style): string {
  const [{ path, uncommitted, refs }] = hits;
  const { pen } = style;
  const state = uncommitted ? pen.dim('  (uncommitted)') : '';
  const on = refs === undefined ? '' : pen.dim(`  on ${namesOf(refs, 'branch', 'branches')}`);
  const lines = [`${pen.path(visibleLine(path))}${state}${on}`];
  let symbol: string | null = null;
  let last = 0;
  for (const [i, hit] of hits.entries()) {
    const next = hits[i + 1]?.line ?? Number.POSITIVE_INFINITY;
    const rows = rowsOf(hit, style).filter(({ line, isHit }) => line > last && (isHit || line < next));
    if (last > 0 && hit.before !== undefined && rows[0].line > last + 1) lines.push(pen.dim('…'));
    if (hit.symbol !== symbol)
      lines.push(` ${pen.symbol(hit.symbol === null ? 'top level' : visibleLine(hit.symbol))}`);
    symbol = hit.symbol;
    for (const { line, isHit, text } of rows) lines.push(`${pen.line(String(line))}${isHit ? ':' : '-'}${text}`);
    last = rows.at(-1)?.line ?? last;
  }
  return lines.join('\n');
}

interface Row {
  line: number;
  isHit: boolean;
  text: string;
}

function rowsOf(hit: HitDocument, style: Style): Row[] {
  const { line, endLine = line, text, before = [], after = [] } = hit;
  const around = (lines: readonly string[], first: number) =>
    lines.map((each, i): Row => ({ line: first + i, isHit: false, text: visible(each) }));
  const own = text
    .split('\n')
    .map((each, i): Row => ({ line: line + i, isHit: true, text: marked(each, style, spanIn(hit, each, i)) }));
  return [...around(before, line - before.length), ...own, ...around(after, endLine + 1)];
}

/** Marks that one line may have: a pattern such as `.` has one at each letter. */
const MAX_MARKS = 20;
/** Time for all marks, in milliseconds: finding the places of some patterns takes 50 ms a line. */
const MARKS_MS = 500;

/** The part of a line that a match of structural search takes; null where lines do not tell. */
function spanIn({ column, endColumn, line, endLine = line, text }: HitDocument, own: string, i: number): Span | null {
  // Columns count in whole lines.
  if (endColumn === undefined || text.startsWith('…')) return null;
  return { start: i === 0 ? column - 1 : 0, end: line + i === endLine ? endColumn - 1 : own.length };
}

function marked(line: string, { pen, pattern, until }: Style, span: Span | null): string {
  if (span !== null)
    return `${visible(line.slice(0, span.start))}${pen.match(visible(line.slice(span.start, span.end)))}${visible(line.slice(span.end))}`;
  if ('ast' in pattern) return visible(line);
  let out = '';
  let at = 0;
  for (let marks = 0; marks < MAX_MARKS && performance.now() < until; marks++) {
    const span = pattern.find(line, at);
    if (span === null || span.end <= span.start) break;
    out += visible(line.slice(at, span.start)) + pen.match(visible(line.slice(span.start, span.end)));
    at = span.end;
  }
  return out + visible(line.slice(at));
}

/** Control characters made visible, except tabs, which indent code. */
const visible = (text: string): string => text.replace(/\r$/, '').split('\t').map(visibleLine).join('\t');

/** Most branches or files that are named. */
const MAX_NAMES = 4;

function namesOf(names: readonly string[], one: string, many = `${one}s`): string {
  const more = names.length - MAX_NAMES;
  const rest = more > 0 ? ` and ${formatCount(more, `more ${one}`, `more ${many}`)}` : '';
  return `${names.slice(0, MAX_NAMES).map(visibleLine).join(', ')}${rest}`;
}

function footer(response: GrepResponse, { pen, values, isCommand }: Writing): string[] {
  const isStructural = values.ast === true;
  const { total, range, branches, skipped, givenUp = [], dirty, overlay, ref } = response;
  const lines = [total.hits === 0 ? (isStructural ? 'no code matches' : 'no line matches') : countLine(response, pen)];
  if (range) lines.push(`only lines that are new or changed since ${range.from?.slice(0, 12) ?? 'that tree'}`);
  const unread = range?.unread ?? 0;
  if (unread > 0)
    lines.push(`all lines of ${formatCount(unread, 'file')} count as new: this clone lacks the older version`);
  if (branches) {
    const more = branches.leftOut > 0 ? `; ${formatCount(branches.leftOut, 'older one')} not searched` : '';
    lines.push(`${formatCount(branches.searched, 'branch', 'branches')} searched${more}`);
  }
  const { secret, unreadable, 'too-large': large, 'not-parsed': failed, 'other-language': other, binary } = skipped;
  const left = formatCounts({
    ...(total.hits === 0 && { binary: binary ?? 0 }),
    secret,
    unreadable,
    'too large': large,
    'not parsed': failed,
    ...(total.hits === 0 && { 'of other languages': other }),
  });
  if (left !== '') lines.push(`files not searched: ${left}`);
  const { 'too-slow': slow = 0 } = skipped;
  if (slow > 0)
    lines.push(`${formatCount(slow, 'file')} given up, where this pattern takes too long: ${namesOf(givenUp, 'file')}`);
  if (dirty > 0 && isCommand) {
    const included = `${formatCount(overlay, 'uncommitted file')} included`;
    lines.push(
      overlay > 0 ? included : `${formatCount(dirty, 'uncommitted file')} not searched: this is ${visibleLine(ref)}`,
    );
  }
  return lines.map(pen.dim);
}

/** All that a reader of a patch has to know beside it; nothing where it is whole, so that it can be piped to git. */
function patchNotes(response: GrepResponse, writing: Writing): string[] {
  const { files = [], filesLeftOut = 0, inner = 0, total, skipped } = response;
  const notes: string[] = [];
  if (total.hits > 0 && files.length === 0) notes.push('no match changes');
  if (filesLeftOut > 0) notes.push(`first ${formatCount(files.length, 'file')}; ${filesLeftOut} more change`);
  if (inner > 0)
    notes.push(`${formatCount(inner, 'match lies', 'matches lie')} inside of others: apply this, then ask again`);
  const notUtf8 = skipped['not-utf8'] ?? 0;
  if (notUtf8 > 0) notes.push(`${formatCount(notUtf8, 'file')} not changed: not UTF-8`);
  return [...notes, ...footer(response, writing).slice(total.hits === 0 ? 0 : 1)];
}

/** `41 hits in 12 files, all shown`; `first 100 of 3,204 hits in 310 files`. */
function countLine({ total, hits, files, filesLeftOut }: GrepResponse, { skipped = 0, words }: Pen): string {
  const all = `${formatCount(total.hits, 'hit')} in ${formatCount(total.files, 'file')}`;
  if (files !== undefined) return filesLeftOut === 0 ? all : `first ${formatCount(files.length, 'file')}; ${all}`;
  const shown = hits?.length ?? 0;
  if (shown === total.hits) return `${all}, all shown`;
  const which = skipped === 0 ? `first ${groupDigits(shown)}` : `${skipped + 1} to ${skipped + shown}`;
  return `${which} of ${all}${words.more === '' ? '' : `; ${words.more}`}`;
}

function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups: T[][] = [];
  for (const item of list) {
    const last = groups.at(-1);
    if (last !== undefined && keyOf(last[0]) === keyOf(item)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}
