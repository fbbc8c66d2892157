/** Texts of the same length without what a grammar does not know, and with the brackets that are missing. */
import { firstFrom } from '../../base/lists.js';
import type { LexicalConventions } from './relations.js';
import { CLOSING, isSpace, MAX_LOOK_BACK_LENGTH, OPENING, skipComment, skipOpaque, type TextRange } from './scan.js';

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

/** Parts of ranges outside of the kept ones. `kept`: pairs of the start of a body's head and the end of its last line; -1 for the end of the text. */
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
      brackets = bracketsBehind(token, brackets);
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

function bracketsBehind(character: string, open: string): string {
  if (OPENING.includes(character)) return (open + character).slice(-MAX_BRACKETS);
  return CLOSING.includes(character) ? open.slice(0, -1) : open;
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

// Declarations behind a bracket that nothing closes, or behind one too many

/** Beginnings of lines that declare something, whatever is open. */
const DECLARES =
  /[ \t]*(?:(?:(?:export|public|private|protected|internal|static|abstract|final|sealed|open|override|async|pub|unsafe|extern|inline|virtual|default|declare|suspend)[ \t]+){0,5}(?:function|class|interface|struct|enum|trait|impl|fn|func|fun|def|object|namespace|module|protocol|extension|constructor)\b[^;=\n]{0,300}(?:[({:]|$)|(?!(?:return|else|if|for|while|switch|case|await|yield|throw|new|delete|typeof|do|in|of|and|or|not)\b)[A-Za-z_][\w*&:<>,~ \t]{0,200}[ \t*&][\w:~]{1,100}\([^;{\n]*(?:\{[^\n]*)?$)/my;
/** Most characters of code before one declaration that brackets may overwrite. */
const MAX_OVERWRITTEN = 400;

/**
 * The text, of the same length, with the brackets closed that are open where a declaration begins as deep in the text as one before it,
 * and without those that close too much before it: closing brackets overwrite the characters before it. Text of strings and comments does
 * not count. One pass: `beginLine` compares the brackets that are open before a line with its indentation, then the characters of the line
 * are added to `open`, `closings` and `recent`.
 */
export function withClosedBrackets(text: string, lexical: LexicalConventions): string {
  if (areClosed(text, lexical)) return text;
  const blank: Blank[] = [];
  /** Brackets that are open, each as the one that closes it. */
  const open: string[] = [];
  /** Indentations of the lines around, and how many brackets were open before the first line of each. */
  const levels: { indent: number; depth: number }[] = [];
  /** The last characters of code since a declaration; `closes`: the bracket itself if it closed an open one, else ''. */
  let recent: { at: number; opens: boolean; closes: string }[] = [];
  /** Closing brackets since a declaration, whether or not one was open. */
  let closings: { at: number; char: string }[] = [];
  const beginLine = (indent: number, declares: boolean): void => {
    while (levels.length > 0 && levels[levels.length - 1].indent > indent) levels.pop();
    const level = levels[levels.length - 1];
    if (level === undefined || level.indent < indent) levels.push({ indent, depth: open.length });
    else if (declares) restoreDepth(level.depth);
    if (declares) [recent, closings] = [[], []];
  };
  /**
   * Number of last characters to overwrite so that `unclosed` brackets have room: whole lines if there are enough, else as few as suffice, but
   * none of the declaration before. An overwritten bracket opens or closes nothing any more, which changes the number of unclosed ones.
   */
  const countToOverwrite = (unclosed: number): number => {
    let needed = unclosed;
    let least = 0;
    for (let count = 0; count < recent.length; count++) {
      if (needed <= count && least === 0) least = count;
      if (needed <= count && (count === 0 || isLineStart(text, recent[recent.length - count].at))) return count;
      const { opens, closes } = recent[recent.length - 1 - count];
      needed += opens ? -1 : closes === '' ? 0 : 1;
    }
    return least;
  };
  /** Closes brackets, or blanks out closing ones, until `depth` are open. */
  const restoreDepth = (depth: number): void => {
    const places: number[] = [];
    for (let count = countToOverwrite(open.length - depth); count > 0; count--) {
      const last = recent.pop() as (typeof recent)[number];
      if (last.opens) open.pop();
      else if (last.closes !== '') open.push(last.closes);
      places.unshift(last.at);
    }
    const missing = open.splice(depth).reverse();
    const spare = places.length - missing.length;
    for (const [i, at] of places.entries()) blank.push([at, at + 1, i < spare ? '' : (missing[i - spare] ?? '')]);
    while (open.length < depth && closings.length > 0) {
      const { at, char } = closings.pop() as { at: number; char: string };
      blank.push([at, at + 1, '']);
      open.push(char);
    }
  };
  let isStart = true;
  for (let at = 0; at < text.length; ) {
    if (isStart) {
      const indent = Math.max(0, text.slice(at, at + MAX_LOOK_BACK_LENGTH).search(/[^ \t]/));
      const first = at + indent;
      DECLARES.lastIndex = at;
      const isCode = !/[\s#]/.test(text[first] ?? ' ') && skipComment(text, first, text.length, lexical) === first;
      if (isCode) beginLine(indent, DECLARES.test(text));
    }
    const char = text[at];
    const before = open.length;
    if (OPENING.includes(char)) open.push(CLOSING[OPENING.indexOf(char)]);
    else if (CLOSING.includes(char)) {
      if (open.at(-1) === char) open.pop();
      closings.push({ at, char });
    }
    const next = skipOpaque(text, at, text.length, lexical);
    if (next === at + 1 && !isSpace(text.charCodeAt(at))) {
      recent.push({ at, opens: open.length > before, closes: open.length < before ? char : '' });
      if (recent.length > 2 * MAX_OVERWRITTEN) recent = recent.slice(-MAX_OVERWRITTEN);
    }
    isStart = text[next - 1] === '\n';
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
  const next = firstFrom(opaque.length, (i) => opaque[i].end <= at);
  return next < opaque.length && opaque[next].start < at;
}
