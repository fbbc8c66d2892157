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
function skipComment(
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

export interface TextRange {
  start: number;
  end: number;
}

/**
 * Splits a list [from, to) at separators (a single character) outside of brackets and strings. Parts are without white space and comments
 * around them. `angles`: `<…>` are brackets too, as in lists of types and parameters.
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
    } else if (OPENING.includes(char) || (angles && char === '<')) depth++;
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

// Texts without what a grammar does not know, of the same length.

/** `by`: what stands there instead, at its beginning. */
export type Blank = [start: number, end: number, by: string];

/** The text with ranges blanked out, apart from ends of lines. */
export function blanked(text: string, ranges: Blank[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, end, by] of ranges.sort((a, b) => a[0] - b[0])) {
    if (start < at) continue;
    parts.push(text.slice(at, start), by, text.slice(start + by.length, end).replace(/[^\n\r]/g, ' '));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

export type Range = readonly [start: number, end: number];
type BodiesOf = (text: string) => readonly (readonly [start: number, end: number, head: number])[];
/** Lines that a grammar cannot read; null if it reads all. */
type ErrorsOf = (text: string) => readonly Range[] | null;

/** Bodies in bodies that are looked at by themselves. */
const MAX_BODIES_DEEP = 3;

/**
 * The text without the lines that the grammar cannot read, each body by itself, so that none hides what stands around it. Lines around a
 * body, its head and its end, stay.
 */
export function withoutBroken(text: string, bodiesOf: BodiesOf, errorsOf: ErrorsOf, depth = 0): string {
  const bodies = depth < MAX_BODIES_DEEP ? bodiesOf(text) : [];
  const kept = bodies.flatMap(([, end, head]) => [head, text.indexOf('\n', end)]);
  const around = blanked(
    text,
    bodies.map(([start, end]): Blank => [start, end, '']),
  );
  const errors = errorsOf(around);
  let outside = errors === null ? around : blanked(around, withoutKept(errors, kept, text));
  if (errors !== null && errorsOf(outside) !== null)
    outside = blanked(around, withoutKept([[0, text.length]], kept, text));
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of bodies) {
    const body = text.slice(start, end);
    const isBroken = errorsOf(body) !== null;
    parts.push(outside.slice(at, start), isBroken ? withoutBroken(body, bodiesOf, errorsOf, depth + 1) : body);
    at = end;
  }
  return parts.join('') + outside.slice(at);
}

/** Parts of ranges outside of the kept ones, of which each pair is a body with its two lines. */
function withoutKept(ranges: readonly Range[], kept: readonly number[], text: string): Blank[] {
  const found: Blank[] = [];
  let next = 0;
  for (const [start, end] of ranges) {
    let at = start;
    while (next < kept.length && kept[next + 1] !== -1 && kept[next + 1] <= at) next += 2;
    for (let i = next; i < kept.length && kept[i] < end; i += 2) {
      if (kept[i] > at) found.push([at, kept[i], '']);
      at = kept[i + 1] === -1 ? text.length : Math.max(at, kept[i + 1]);
    }
    if (at < end) found.push([at, end, '']);
  }
  return found;
}

const CONDITION = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|elseif|else|endif)\b/;

/** A branch of a condition; `last`: the last character of its code, '' without code; `around`: the bracket that it stands in. */
interface Branch {
  start: number;
  end: number;
  last: string;
  around: string;
}

interface Condition {
  directives: Blank[];
  branches: Branch[];
  /** Does it stand in the middle of an expression? */
  isInside: boolean;
  /** The branch that is read if not all of them are: the first one that is no `#if 0`. */
  chosen: number;
  /** Brackets that were open before it, and behind the chosen branch; `isBalanced`: behind each branch those before it are. */
  before: string;
  after: string;
  isBalanced: boolean;
}

/**
 * Ranges to blank so that each condition is read by one branch, if its branches are no whole statements: `#if A`, `if (a) {`,
 * `#else`, `if (b) {`, `#endif`. Branches that are items of a list all stay. `tokens`: an expression with the flag g for directives,
 * comments, literals and single characters.
 */
export function brokenConditions(text: string, tokens: RegExp, isWhole: (branch: Branch) => boolean): Blank[] {
  const blank: Blank[] = [];
  const conditions: Condition[] = [];
  let brackets = '';
  let last = '';
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const directive = CONDITION.exec(token)?.[1];
    if (directive === undefined) {
      if (token.length > 1) continue;
      if (OPENING.includes(token)) brackets = (brackets + token).slice(-MAX_BRACKETS);
      else if (CLOSING.includes(token)) brackets = brackets.slice(0, -1);
      last = token;
      continue;
    }
    if (directive.startsWith('if')) {
      const state = { before: brackets, after: brackets, isBalanced: true };
      const isInside = OPERATOR.test(last) || (last === '' && conditions.at(-1)?.isInside === true);
      const chosen = NEVER.test(token) ? 1 : 0;
      conditions.push({ directives: [], branches: [], isInside, chosen, ...state });
    }
    const here = conditions.at(-1);
    if (here === undefined) continue;
    const branch = here.branches.at(-1);
    if (branch !== undefined) {
      Object.assign(branch, { end: index, last });
      here.isBalanced &&= brackets === here.before;
      if (here.branches.length === here.chosen + 1) here.after = brackets;
    }
    here.directives.push([index, index + token.length, '']);
    last = '';
    if (directive !== 'endif') {
      brackets = here.before;
      const start = index + token.length;
      here.branches.push({ start, end: start, last: '', around: brackets.slice(-1) });
    } else {
      conditions.pop();
      last = here.branches.find((each) => each.last !== '')?.last ?? '';
      brackets = here.after;
      blank.push(...withoutBranches(here, isWhole));
    }
  }
  return blank;
}

/** More open brackets than this are none of readable code. */
const MAX_BRACKETS = 200;
const OPERATOR = /^[=+\-|&?(]$/;
/** Code that no compiler reads. */
const NEVER = /^[ \t]*#[ \t]*if[ \t]+0[ \t\r]*$/;

function withoutBranches(
  { directives, branches, isInside, chosen, isBalanced }: Condition,
  isWhole: (branch: Branch) => boolean,
): Blank[] {
  if (isBalanced && !isInside && branches.every(isWhole)) return [];
  if (isBalanced && branches.every(({ last }) => last === '' || last === ',')) return directives;
  return [...directives, ...branches.filter((_, i) => i !== chosen).map(({ start, end }): Blank => [start, end, ''])];
}

/** Marks of template engines: `{{ cart.total }}`, `{%- if open -%}`, `{# note #}`, `<% each %>`. The longest that are read have 2,000 characters. */
const MARK = /\{\{[\s\S]{0,2000}?\}\}\}?|\{%[\s\S]{0,2000}?%\}|\{#[\s\S]{0,2000}?#\}|<%[\s\S]{0,2000}?%>/g;
/** Marks that print nothing. */
const SILENT_MARK =
  /^(?:\{[%#]|<%(?!=)|\{\{[-~]?\s*(?:[#/!^>]|if\b|else\b|end\b|with\b|range\b|define\b|break\b|continue\b|\$\w+\s*:?=))/;

/** Of alternatives in one line the first counts: `{{ if open }} a {{ else }} b {{ end }}`. */
const OTHERWISE = /\{[{%][-+~]?\s*(?:else|elif)\b[^{}\n]{0,300}[%}]\}[^{}\n]{0,300}(?=\{[{%][-+~]?\s*end)/g;

/**
 * The text, of the same length, without the marks of template engines. A mark that prints becomes a word, in a line of its own nothing:
 * it prints lines.
 */
export function withoutMarks(text: string): string {
  if (!/\{[{%#]|<%/.test(text)) return text;
  const chosen = text.replace(OTHERWISE, (other) => other.replace(/[^\r]/g, ' '));
  return chosen.replace(MARK, (mark, at: number) => {
    const isSilent = SILENT_MARK.test(mark) || (isLineStart(chosen, at) && isLineEnd(chosen, at + mark.length));
    const [first, ...lines] = mark.split('\n');
    // An item that is printed as a mapping can go on with keys below it.
    const isItem = lines.length === 0 && chosen.startsWith('- ', at - 2) && isLineEnd(chosen, at + mark.length);
    if (isItem && first.includes('toYaml')) return `${'x'.repeat(first.length - 3)}: x`;
    return [first.replace(/[^\r]/g, isSilent ? ' ' : 'x'), ...lines.map((line) => line.replace(/[^\r]/g, ' '))].join(
      '\n',
    );
  });
}

function isLineStart(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (text[before] === ' ' || text[before] === '\t')) before--;
  return before < 0 || text[before] === '\n';
}

function isLineEnd(text: string, at: number): boolean {
  let behind = at;
  while (behind < text.length && /[ \t\r]/.test(text[behind])) behind++;
  return behind === text.length || text[behind] === '\n';
}

// Islands: declarations behind a bracket that nothing closes, or behind one too many

/** Beginnings of lines that declare something, whatever is open. */
const DECLARES =
  /[ \t]*(?:(?:(?:export|public|private|protected|internal|static|abstract|final|sealed|open|override|async|pub|unsafe|extern|inline|virtual|default|declare|suspend)[ \t]+){0,5}(?:function|class|interface|struct|enum|trait|impl|fn|func|fun|def|object|namespace|module|protocol|extension|constructor)\b[^;=\n]{0,300}(?:[({:]|$)|(?!(?:return|else|if|for|while|switch|case|await|yield|throw|new|delete|typeof|do|in|of|and|or|not)\b)[A-Za-z_][\w*&:<>,~ \t]{0,200}[ \t*&][\w:~]{1,100}\([^;{\n]*(?:\{[^\n]*)?$)/my;
/** Most characters that give their places before one declaration. */
const MAX_GIVEN = 400;

/**
 * The text, of the same length, with the brackets closed that are open where a declaration begins as deep in the text as one before it,
 * and without those that close too much before it: characters before it give their places. Text of strings and comments does not count.
 */
export function withClosedBrackets(text: string, lexical: LexicalConventions): string {
  if (areClosed(text, lexical)) return text;
  const blank: Blank[] = [];
  /** Brackets that are open, as those that close them. */
  const open: string[] = [];
  /** Indentations of the lines around, and how many brackets were open before the first line of each. */
  const levels: { indent: number; depth: number }[] = [];
  /** The last characters of code, each with the bracket that it opened or closed, and brackets that have closed since a declaration. */
  let recent: { at: number; opened: boolean; closed: string }[] = [];
  let closed: { at: number; char: string }[] = [];
  const begin = (indent: number, declares: boolean): void => {
    while (levels.length > 0 && levels[levels.length - 1].indent > indent) levels.pop();
    const level = levels[levels.length - 1];
    if (level === undefined || level.indent < indent) levels.push({ indent, depth: open.length });
    else if (declares) settle(level);
    if (declares) [recent, closed] = [[], []];
  };
  /** Counts the last characters that give their places to `missing` brackets: whole lines, but not the declaration before. */
  const given = (missing: number): number => {
    let least = 0;
    for (let count = 0; count < recent.length; count++) {
      if (missing <= count && least === 0) least = count;
      if (missing <= count && (count === 0 || isLineStart(text, recent[recent.length - count].at))) return count;
      const { opened, closed: closes } = recent[recent.length - 1 - count];
      missing += opened ? -1 : closes === '' ? 0 : 1;
    }
    return least;
  };
  const settle = (level: { depth: number }): void => {
    const places: number[] = [];
    for (let count = given(open.length - level.depth); count > 0; count--) {
      const last = recent.pop() as (typeof recent)[number];
      if (last.opened) open.pop();
      else if (last.closed !== '') open.push(last.closed);
      places.unshift(last.at);
    }
    const missing = open.splice(level.depth).reverse();
    const spare = places.length - missing.length;
    for (const [i, at] of places.entries()) blank.push([at, at + 1, i < spare ? '' : (missing[i - spare] ?? '')]);
    while (open.length < level.depth && closed.length > 0) {
      const { at, char } = closed.pop() as { at: number; char: string };
      blank.push([at, at + 1, '']);
      open.push(char);
    }
  };
  let isStart = true;
  for (let at = 0; at < text.length; ) {
    if (isStart) {
      const indent = /[^ \t]/.exec(text.slice(at, at + MAX_LOOK_BACK_LENGTH))?.index ?? 0;
      const first = at + indent;
      DECLARES.lastIndex = at;
      const isCode = !/[\s#]/.test(text[first] ?? ' ') && skipComment(text, first, text.length, lexical) === first;
      if (isCode) begin(indent, DECLARES.test(text));
    }
    const char = text[at];
    const before = open.length;
    isStart = char === '\n';
    if (OPENING.includes(char)) open.push(CLOSING[OPENING.indexOf(char)]);
    else if (CLOSING.includes(char)) {
      if (open.at(-1) === char) open.pop();
      closed.push({ at, char });
    }
    const next = skipOpaque(text, at, text.length, lexical);
    if (next === at + 1 && !isSpace(text.charCodeAt(at))) {
      recent.push({ at, opened: open.length > before, closed: open.length < before ? char : '' });
      if (recent.length > 2 * MAX_GIVEN) recent = recent.slice(-MAX_GIVEN);
    }
    isStart = isStart || text[next - 1] === '\n';
    at = next;
  }
  return blank.length === 0 ? text : blanked(text, blank);
}

/** Are all brackets closed without any help? Then the mistake is another. */
function areClosed(text: string, lexical: LexicalConventions): boolean {
  const open: string[] = [];
  for (let at = 0; at < text.length; at = skipOpaque(text, at, text.length, lexical)) {
    const char = text[at];
    if (OPENING.includes(char)) open.push(CLOSING[OPENING.indexOf(char)]);
    else if (CLOSING.includes(char) && open.pop() !== char) return false;
  }
  return open.length === 0;
}

/** Ends of brackets by their starts, and the strings and comments, in order. */
export interface BracketEnds {
  ends: ReadonlyMap<number, number>;
  opaque: readonly TextRange[];
}

/** Finds the ends of all brackets outside of strings and comments in one pass. */
export function bracketEnds(text: string, lexical: LexicalConventions): BracketEnds {
  const ends = new Map<number, number>();
  const opaque: TextRange[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text[at];
    const after = skipOpaque(text, at, text.length, lexical);
    if (OPENING.includes(char)) open.push(at);
    else if (CLOSING.includes(char)) {
      const start = open.pop();
      if (start !== undefined) ends.set(start, at);
    } else if (after > at + 1) opaque.push({ start: at, end: after });
    at = Math.max(at + 1, after);
  }
  return { ends, opaque };
}

/** Is the place in a string or a comment? */
export function isOpaqueAt({ opaque }: BracketEnds, at: number): boolean {
  let [low, high] = [0, opaque.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (opaque[middle].end <= at) low = middle + 1;
    else high = middle;
  }
  return low < opaque.length && opaque[low].start < at;
}
