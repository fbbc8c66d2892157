/** Scanners of source text: names, white space with comments, brackets, lists. Each is bounded by its arguments. */
import type { ArgumentList, LexicalConventions } from './relations.js';

/** Longest comment or string that is looked for backwards: scanning backwards must not become quadratic. */
export const MAX_LOOK_BACK_LENGTH = 2_000;
/** Longest literal that can name a route or a test. */
const MAX_LITERAL_LENGTH = 100;

export const OPENING = '([{';
export const CLOSING = ')]}';

export function isNameCode(code: number, extra = ''): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code > 127 ||
    (extra !== '' && extra.includes(String.fromCharCode(code)))
  );
}

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}

/** Offset of the first character at or after `at` that is neither white space nor in a comment, at most `end`. */
export function skipSpace(text: string, at: number, end: number, lexical: LexicalConventions): number {
  for (let from = at; from < end; ) {
    if (isSpace(text.charCodeAt(from))) from++;
    else {
      const after = skipComment(text, from, end, lexical);
      if (after === from) return from;
      from = after;
    }
  }
  return end;
}

/** The end of a comment that starts here, else `at`. */
export function skipComment(
  text: string,
  at: number,
  end: number,
  { lineComments, blockComment }: LexicalConventions,
): number {
  if (blockComment !== undefined && text.startsWith(blockComment[0], at)) {
    return endOf(text, blockComment[1], at + blockComment[0].length, end);
  }
  for (const open of lineComments) if (text.startsWith(open, at)) return endOf(text, '\n', at, end);
  return at;
}

function endOf(text: string, close: string, from: number, end: number): number {
  const at = text.indexOf(close, from);
  return at === -1 || at >= end ? end : at + close.length;
}

/** Offset after the last character before `at` that is neither white space nor in a comment, at least `floor`. */
export function skipSpaceBack(text: string, at: number, floor: number, lexical: LexicalConventions): number {
  let end = at;
  for (;;) {
    const before = end;
    while (end > floor && isSpace(text.charCodeAt(end - 1))) end--;
    if (end === before && !endsComment(text, end, lexical)) return Math.max(end, floor);
    end = beforeComment(text, end, before, floor, lexical);
    if (end === before || end <= floor) return Math.max(end, floor);
    if (!isSpace(text.charCodeAt(end - 1)) && !endsComment(text, end, lexical)) return end;
  }
}

function endsComment(text: string, end: number, { blockComment }: LexicalConventions): boolean {
  return blockComment !== undefined && text.startsWith(blockComment[1], end - blockComment[1].length);
}

/** Start of the comment that ends at `end`, else `end`. `from`: end of the white space after it. */
function beforeComment(text: string, end: number, from: number, floor: number, lexical: LexicalConventions): number {
  const lowest = Math.max(floor, end - MAX_LOOK_BACK_LENGTH);
  const { blockComment } = lexical;
  if (blockComment !== undefined && endsComment(text, end, lexical)) {
    const open = text.slice(lowest, end - blockComment[1].length).lastIndexOf(blockComment[0]);
    if (open !== -1) return lowest + open;
  }
  // A line comment ends with its line: without a line break between, there is none.
  if (!text.slice(end, Math.min(from, end + MAX_LOOK_BACK_LENGTH)).includes('\n')) return end;
  const lineStart = lowest + text.slice(lowest, end).lastIndexOf('\n') + 1;
  const line = text.slice(lineStart, end);
  for (const open of lexical.lineComments) {
    const at = line.indexOf(open);
    if (at !== -1 && (at === 0 || isSpace(line.charCodeAt(at - 1)) || ';,)}'.includes(line[at - 1])))
      return lineStart + at;
  }
  return end;
}

/** The end of a string that starts here, else `at`. Backslashes escape; without a closing quote it ends with its line. */
export function skipString(text: string, at: number, end: number, quotes: string): number {
  const quote = text[at];
  if (quote === undefined || !quotes.includes(quote)) return at;
  const code = quote.charCodeAt(0);
  for (let to = at + 1; to < end; to++) {
    const here = text.charCodeAt(to);
    if (here === 92) to++;
    else if (here === code) return to + 1;
    else if (here === 10 && quote !== '`') return to;
  }
  return end;
}

/** Offset after the bracket that closes the one at `open`, at most `limit`. `jumps`: known ends of brackets, by their start. */
export function closingOf(
  text: string,
  open: number,
  limit: number,
  lexical: LexicalConventions,
  jumps?: ReadonlyMap<number, number>,
): number {
  let depth = 0;
  for (let at = open; at < limit; at++) {
    if (isPlain(text.charCodeAt(at))) continue;
    const char = text[at];
    if (OPENING.includes(char)) {
      const jump = at === open ? undefined : jumps?.get(at);
      if (jump !== undefined) at = jump - 1;
      else depth++;
    } else if (CLOSING.includes(char)) {
      if (--depth <= 0) return at + 1;
    } else at = skipOpaque(text, at, limit, lexical) - 1;
  }
  return limit;
}

/** Is it a space, a letter, a digit or a dot? Most of a text is, and none of these is a bracket, a separator, or starts a string or comment. */
export function isPlain(code: number): boolean {
  return (
    code === 32 ||
    code === 46 ||
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57)
  );
}

/** The end of a string or comment that starts here, else the next offset. */
export function skipOpaque(text: string, at: number, end: number, lexical: LexicalConventions): number {
  if (isPlain(text.charCodeAt(at))) return at + 1;
  const after = skipString(text, at, end, lexical.quotes);
  if (after > at) return after;
  return Math.max(at + 1, skipComment(text, at, end, lexical));
}

/** Offset of the bracket that the one before `end` closes, or -1; looks back a bounded distance. */
export function openingOf(text: string, end: number, floor: number, lexical: LexicalConventions): number {
  const lowest = Math.max(floor, end - MAX_LOOK_BACK_LENGTH);
  let depth = 0;
  for (let at = end - 1; at >= lowest; at--) {
    const char = text[at];
    if (CLOSING.includes(char)) depth++;
    else if (OPENING.includes(char)) {
      if (--depth === 0) return at;
    } else if (lexical.quotes.includes(char)) {
      const open = at === 0 ? -1 : text.lastIndexOf(char, at - 1);
      if (open >= lowest) at = open;
    }
  }
  return -1;
}

/** Skips `<…>`, which are brackets only here. `=>` and `->` inside do not count. */
export function openingAngle(text: string, end: number, floor: number): number {
  const lowest = Math.max(floor, end - MAX_LOOK_BACK_LENGTH);
  let depth = 0;
  for (let at = end - 1; at >= lowest; at--) {
    const char = text[at];
    if (char === '>' && text[at - 1] !== '=' && text[at - 1] !== '-') depth++;
    else if (char === '<' && --depth === 0) return at;
    else if (char === ';') return -1;
  }
  return -1;
}

export function scanArguments(
  text: string,
  open: number,
  close: number,
  lexical: LexicalConventions,
  jumps?: ReadonlyMap<number, number>,
): ArgumentList {
  const end = close - 1;
  const first = skipSpace(text, open + 1, end, lexical);
  if (first >= end) return { count: 0, literal: '' };
  let count = 1;
  let depth = 0;
  let fresh = true;
  for (let at = first; at < end; at++) {
    const code = text.charCodeAt(at);
    if (fresh && !isSpace(code)) {
      if (lexical.spread?.test(text.slice(at, at + 4))) return { count: -1, literal: '' };
      fresh = false;
    }
    if (isPlain(code)) continue;
    const char = text[at];
    if (char === ',' && depth === 0) {
      at = skipSpace(text, at + 1, end, lexical) - 1;
      if (at + 1 < end) count++;
      fresh = true;
    } else if (OPENING.includes(char)) {
      const jump = jumps?.get(at);
      if (jump !== undefined) at = jump - 1;
      else depth++;
    } else if (CLOSING.includes(char)) depth--;
    else at = skipOpaque(text, at, end, lexical) - 1;
  }
  return { count, literal: literalAt(text, first, end, lexical) };
}

/** The plain string that is the whole argument at `at`, without quotes; else ''. */
export function literalAt(text: string, at: number, end: number, lexical: LexicalConventions): string {
  const after = skipString(text, at, Math.min(end, at + MAX_LITERAL_LENGTH + 2), lexical.quotes);
  if (after - at < 3 || text[after - 1] !== text[at]) return '';
  const next = text[skipSpace(text, after, end, lexical)];
  if (next !== ',' && next !== ')' && after < end && skipSpace(text, after, end, lexical) < end) return '';
  const literal = text.slice(at + 1, after - 1);
  return /[\n\\]|\$\{/.test(literal) ? '' : literal;
}

/** Last name of a path with dots. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** The path without its last part, '' if that is the only one. */
export function beforeLast(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

export interface TextRange {
  start: number;
  end: number;
}

/**
 * Splits a list [from, to) at separators (a single character) outside of brackets and strings. Parts are without white space and comments
 * around them. `angles`: `<…>` are brackets too, as in lists of types and parameters, but not the arrow of a channel (`<-chan int`).
 */
export function splitList(
  text: string,
  from: number,
  to: number,
  separator: string,
  lexical: LexicalConventions,
  angles = false,
): TextRange[] {
  const parts: TextRange[] = [];
  let start = from;
  let depth = 0;
  const push = (end: number) => {
    const first = skipSpace(text, start, end, lexical);
    const last = skipSpaceBack(text, end, first, lexical);
    if (last > first) parts.push({ start: first, end: last });
  };
  for (let at = from; at < to; at++) {
    if (isPlain(text.charCodeAt(at))) continue;
    const char = text[at];
    if (char === separator && depth <= 0) {
      push(at);
      start = at + 1;
    } else if (OPENING.includes(char) || (angles && char === '<' && text[at + 1] !== '-')) depth++;
    else if (CLOSING.includes(char)) depth--;
    else if (angles && char === '>') depth -= text[at - 1] === '=' || text[at - 1] === '-' ? 0 : 1;
    else at = skipOpaque(text, at, to, lexical) - 1;
  }
  push(to);
  return parts;
}

/** Offset of the first of `stops` (single characters) outside of brackets and strings; `to` if there is none. `angles` as above. */
export function findOutside(
  text: string,
  from: number,
  to: number,
  stops: string,
  lexical: LexicalConventions,
  angles = false,
): number {
  const isPlainStop = /[ .\w]/.test(stops);
  let depth = 0;
  for (let at = from; at < to; at++) {
    if (!isPlainStop && isPlain(text.charCodeAt(at))) continue;
    const char = text[at];
    if (depth <= 0 && stops.includes(char)) return at;
    if (OPENING.includes(char) || (angles && char === '<')) depth++;
    else if (CLOSING.includes(char) && --depth < 0) return at;
    else if (angles && char === '>') depth -= text[at - 1] === '=' || text[at - 1] === '-' ? 0 : 1;
    else at = skipOpaque(text, at, to, lexical) - 1;
  }
  return to;
}

/** The end of a string or comment that starts here, else the next offset. Three quotes in a row open a text of several lines. */
export function skipLiteral(text: string, at: number, lexical: LexicalConventions): number {
  const quotes = text.slice(at, at + 3);
  if (!/^(?:"""|''')$/.test(quotes) || !lexical.quotes.includes(quotes[0]))
    return skipOpaque(text, at, text.length, lexical);
  const close = text.indexOf(quotes, at + 3);
  return close < 0 ? text.length : close + 3;
}
