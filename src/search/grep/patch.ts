/** Writes edits of a text as a unified patch, in the form of `git diff`, which `git apply` reads. */
import { type LineChange, lineChanges } from '../../base/line-changes.js';
import type { Edit } from './rewrite.js';

/** Lines of context around each change, as git has them. */
const CONTEXT = 3;

/** Patch of one file; '' where the edits change nothing. `edits` are in order, and none lies over another. */
export function patchOf(path: string, text: string, edits: readonly Edit[]): string {
  const lines = linesOf(text);
  const hunks = hunksOf(changesOf(text, lines, edits));
  if (hunks.length === 0) return '';
  const [before, after] = [`a/${path}`, `b/${path}`].map(quoted);
  const head = [`diff --git ${before} ${after}`, `--- ${before}${tab(path)}`, `+++ ${after}${tab(path)}`];
  let shift = 0;
  const blocks = hunks.map((changes) => {
    const [block, grown] = hunkText(lines, changes, shift);
    shift += grown;
    return block;
  });
  return `${head.join('\n')}\n${blocks.join('')}`;
}

/** Lines, each with its line break. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function changesOf(text: string, lines: readonly string[], edits: readonly Edit[]): LineChange[] {
  const changes: LineChange[] = [];
  let [line, start] = [0, 0];
  for (let i = 0; i < edits.length; ) {
    while (line < lines.length - 1 && start + lines[line].length <= edits[i].start) start += lines[line++].length;
    const [first, from] = [line, start];
    let fresh = '';
    let at = from;
    // Edits of one line are one change, and so are those whose lines touch.
    for (let end = from + lines[line].length; i < edits.length && edits[i].start < end; i++) {
      fresh += text.slice(at, edits[i].start) + edits[i].text;
      at = edits[i].end;
      while (line < lines.length - 1 && end <= at) end += lines[++line].length;
    }
    start = from + lines.slice(first, line).join('').length;
    const old = lines.slice(first, line + 1);
    fresh += text.slice(at, start + lines[line].length);
    changes.push(...lineChanges(old, linesOf(fresh), first));
    start += lines[line].length;
    line++;
  }
  return changes;
}

/** Changes whose context would touch stand in one hunk. */
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

/** Text of a hunk, and by how many lines the file is longer behind it. `shift`: by how many before it. */
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

/** Range of a hunk; of a side without lines it names the line before, as git does. */
const range = (first: number, count: number): string => `${count === 0 ? first : first + 1},${count}`;

/** Behind a name with a space git writes a tab, so that other programs see where it ends. */
const tab = (path: string): string => (path.includes(' ') ? '\t' : '');

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t' };

/** A name as git quotes it: control characters would end the line. */
function quoted(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape.
  const escaped = name.replace(/["\\\x00-\x1f\x7f]/g, (letter) => {
    return ESCAPES[letter] ?? `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return escaped === name ? name : `"${escaped}"`;
}
