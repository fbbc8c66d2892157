/** Rewrites matches of structural search by a template, as `ast-grep run --rewrite` does, and writes the edits as a unified patch. */
import { SocraticodeError } from '../../base/errors.js';
import { type LineChange, lineChanges } from '../../base/line-diff.js';
import { lineAt, lineStarts } from '../../base/lists.js';
import { type TreeMatch, type TreeSpan, VARIABLE, variablesOf } from '../../extract/structural-search.js';
import { endOfLine, startOfLine } from './hits.js';

/** Another text for a part of a file, in UTF-16 units. */
export interface Edit extends TreeSpan {
  text: string;
}

/** Throws BAD_ARGUMENT for a variable that the pattern does not capture. */
export function checkTemplate(template: string, pattern: string): void {
  const captured = new Set(variablesOf(pattern).map(({ name }) => name));
  const unknown = [...template.matchAll(VARIABLE)].find(([, list, one]) => !captured.has(list ?? one));
  if (unknown === undefined) return;
  const names = [...captured].map((name) => `$${name}`).join(', ');
  throw new SocraticodeError('BAD_ARGUMENT', `the pattern captures no ${unknown[0]}`, {
    hint: `It captures ${names === '' ? 'nothing' : names}; a variable whose name begins with "_" is not captured.`,
  });
}

/**
 * Returns edits in order that do not overlap. Of nested matches the outermost is rewritten; `inner` counts the others, which the new text
 * still contains. A match that already is as the template wants it gives no edit.
 */
export function rewrite(
  text: string,
  matches: readonly TreeMatch[],
  template: string,
): { edits: Edit[]; inner: number } {
  const edits: Edit[] = [];
  let [inner, end] = [0, -1];
  for (const match of matches) {
    if (match.start < end) {
      inner++;
      continue;
    }
    end = match.end;
    const fresh = fill(text, match, template);
    if (fresh !== text.slice(match.start, match.end)) edits.push({ start: match.start, end: match.end, text: fresh });
  }
  return { edits, inner };
}

/** Fills in the template's variables, under the indentation and with the line ends of the match. */
function fill(text: string, match: TreeMatch, template: string): string {
  const indent = indentAt(text, match.start);
  const lines = template.split(/\r?\n/).map((line, i) => {
    const inner = i === 0 ? indent : indent + (/^[ \t]*/.exec(line)?.[0] ?? '');
    const filled = line.replace(VARIABLE, (_, list?: string, one?: string) => {
      const capture = match.captures.find(({ name }) => name === (list ?? one));
      return capture === undefined ? '' : moved(text, capture, inner);
    });
    return i > 0 && line !== '' ? indent + filled : filled;
  });
  const isCrlf = text[endOfLine(text, match.start) - 1] === '\r';
  return lines.join(isCrlf ? '\r\n' : '\n');
}

/** Replaces the indentation of a captured text's place by `indent`. */
function moved(text: string, { start, end }: TreeSpan, indent: string): string {
  const captured = text.slice(start, end);
  const own = indentAt(text, start);
  if (own === indent || !captured.includes('\n')) return captured;
  const [first, ...rest] = captured.split('\n');
  return [first, ...rest.map((line) => (line.startsWith(own) ? indent + line.slice(own.length) : line))].join('\n');
}

/** White space at the beginning of a line. */
function indentAt(text: string, at: number): string {
  const start = startOfLine(text, at);
  let end = start;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return text.slice(start, end);
}

/** Lines of context around each change, as in git. */
const CONTEXT = 3;

/**
 * Patch of one file, in the form of `git diff`, which `git apply` reads; '' if the edits change nothing. `edits` are in order and do not
 * overlap. `to`: its new path, if the file moves.
 */
export function patchOf(path: string, text: string, edits: readonly Edit[], to = path): string {
  const lines = linesOf(text);
  const hunks = hunksOf(changesOf(text, lines, edits));
  if (hunks.length === 0) return '';
  const [before, after] = [`a/${path}`, `b/${to}`].map(quoted);
  const moved = to === path ? [] : [`rename from ${quoted(path)}`, `rename to ${quoted(to)}`];
  const head = [`diff --git ${before} ${after}`, ...moved, `--- ${before}${tab(path)}`, `+++ ${after}${tab(to)}`];
  let shift = 0;
  const blocks = hunks.map((changes) => {
    const [block, grown] = hunkText(lines, changes, shift);
    shift += grown;
    return block;
  });
  return `${head.join('\n')}\n${blocks.join('')}`;
}

/** Patch that makes a file. */
export function newFilePatch(path: string, text: string): string {
  const [before, after] = [`a/${path}`, `b/${path}`].map(quoted);
  const head = `diff --git ${before} ${after}\nnew file mode 100644\n--- /dev/null\n+++ ${after}${tab(path)}\n`;
  const fresh = linesOf(text);
  return head + hunkText([], [{ first: 0, old: [], fresh }], 0)[0];
}

/** Lines, each with its line break. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Lines from `first` to `last`, counted from 0, with the edits in them. */
interface EditedLines {
  first: number;
  last: number;
  edits: Edit[];
}

function changesOf(text: string, lines: readonly string[], edits: readonly Edit[]): LineChange[] {
  if (lines.length === 0) return [{ first: 0, old: [], fresh: linesOf(edits.map((each) => each.text).join('')) }];
  const starts = lineStarts(text);
  return editedLines(starts, lines.length, edits).flatMap(({ first, last, edits: own }) => {
    const range = { start: starts[first], end: starts[last + 1] ?? text.length };
    return lineChanges(lines.slice(first, last + 1), linesOf(editedRange(text, range, own)), first);
  });
}

/** Text of a range after the edits inside of it. */
export function editedRange(text: string, { start, end }: TreeSpan, edits: readonly Edit[]): string {
  let [fresh, at] = ['', start];
  for (const edit of edits) {
    if (edit.start < start || edit.end > end) continue;
    fresh += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return fresh + text.slice(at, end);
}

/** Groups edits by lines: those of one line, or of lines that an edit joins, belong together. */
function editedLines(starts: readonly number[], count: number, edits: readonly Edit[]): EditedLines[] {
  const lineOf = (at: number) => Math.min(lineAt(starts, at), count) - 1;
  const groups: EditedLines[] = [];
  for (const edit of edits) {
    const [first, last] = [lineOf(edit.start), lineOf(edit.end)];
    const group = groups.at(-1);
    if (group === undefined || first > group.last) groups.push({ first, last, edits: [edit] });
    else {
      group.last = last;
      group.edits.push(edit);
    }
  }
  return groups;
}

/** Changes whose context would touch form one hunk. */
function hunksOf(changes: readonly LineChange[]): LineChange[][] {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    const isNear = last !== undefined && change.first - (last.first + last.old.length) <= 2 * CONTEXT;
    if (isNear) hunks[hunks.length - 1].push(change);
    else hunks.push([change]);
  }
  return hunks;
}

/** Text of a hunk, and the number of lines that the file has gained after it. `shift`: the number before it. */
function hunkText(lines: readonly string[], changes: readonly LineChange[], shift: number): [string, number] {
  const first = Math.max(0, changes[0].first - CONTEXT);
  const rows: string[] = [];
  let [at, grown] = [first, 0];
  for (const { first: from, old, fresh } of changes) {
    rows.push(...lines.slice(at, from).map((line) => ` ${line}`));
    rows.push(...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`));
    grown += fresh.length - old.length;
    at = from + old.length;
  }
  const end = Math.min(lines.length, at + CONTEXT);
  rows.push(...lines.slice(at, end).map((line) => ` ${line}`));
  const ranges = [`-${range(first, end - first)}`, `+${range(first + shift, end - first + grown)}`];
  const text = rows.map((row) => (row.endsWith('\n') ? row : `${row}\n\\ No newline at end of file\n`));
  return [`@@ ${ranges.join(' ')} @@\n${text.join('')}`, grown];
}

/** Range of a hunk. If it has no lines, it names the line before, as git does. */
const range = (first: number, count: number): string => `${count === 0 ? first : first + 1},${count}`;

/** Git writes a tab after a name with a space, so that other programs see where it ends. */
const tab = (path: string): string => (path.includes(' ') ? '\t' : '');

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t' };

/** Quotes a name as git does: control characters would end the line. */
function quoted(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape.
  const escaped = name.replace(/["\\\x00-\x1f\x7f]/g, (letter) => {
    return ESCAPES[letter] ?? `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return escaped === name ? name : `"${escaped}"`;
}
