/** Ranges of the Language Server Protocol: lines from 0, columns in UTF-16 units. */
import type { Range } from 'vscode-languageserver-types';

const NAME = /[\p{L}\p{N}_$]+/gu;

/** Range of the first mention of a name on lines `from` to `to`, counted from 1; the beginning of `from` if there is none. */
export function rangeOfName(lines: readonly string[], name: string, from: number, to = from): Range {
  for (const wanted of spellings(name)) {
    for (let line = from; line <= Math.min(to, lines.length); line++) {
      const column = columnOf(lines[line - 1], wanted, name);
      if (column >= 0) return span(line - 1, column, column + wanted.length);
    }
  }
  return span(Math.max(0, from - 1), 0, 0);
}

/** Whole lines, counted from 1. */
export function rangeOfLines(lines: readonly string[], from: number, to: number): Range {
  return { start: { line: from - 1, character: 0 }, end: { line: to - 1, character: lines[to - 1]?.length ?? 0 } };
}

const span = (line: number, start: number, end: number): Range => ({
  start: { line, character: start },
  end: { line, character: end },
});

/** The name itself of `Cart.total` or `this.cart.total`, then all of it, since names in data have dots. */
function spellings(name: string): string[] {
  const last = /[^.:#]+$/.exec(name)?.[0] ?? name;
  return last === name ? [name] : [last, name];
}

/** Of several mentions on a line the one that stands behind what `written` has before the name: `cart.` or nothing. */
function columnOf(line: string, name: string, written: string): number {
  const before = written.slice(0, written.length - name.length);
  const found: number[] = [];
  for (const { 0: word, index } of line.matchAll(NAME)) if (word === name) found.push(index);
  const isMeant = (at: number) =>
    before === '' ? !MEMBER.test(line.slice(0, at)) : line.slice(0, at).endsWith(before);
  if (found.length > 0) return found.find(isMeant) ?? found[0];
  return /^[\p{L}\p{N}_$]+$/u.test(name) ? -1 : line.indexOf(name);
}

const MEMBER = /(?:\.|::|->)$/;
