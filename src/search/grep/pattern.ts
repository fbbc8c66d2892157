/**
 * A pattern of `grep`, ready to match lines. RE2's syntax and RE2's promise: time is linear in the text, whatever the pattern
 * (`re2js`, a port of RE2). Measured over 7.4 MB of Java: re2js tests line by line at 70 to 180 MB/s of CPU time, and JavaScript's own
 * expressions at 110 to 1,800, which `(a+)+$` makes run for ever; V8's linear engine knows no case folding and only small repetitions.
 */
import { RE2JS } from 're2js';
import { SocraticodeError } from '../../base/errors.js';
import { fulfils, marksOf, type Need, needOf } from './needs.js';

export interface PatternOptions {
  pattern: string;
  /** The pattern is an exact string. */
  fixed?: boolean;
  /** No letter, digit or underscore stands before or behind a match. */
  words?: boolean;
  ignoreCase?: boolean;
  /** Matches may span lines. */
  multiline?: boolean;
}

export interface Span {
  start: number;
  end: number;
}

export interface Pattern {
  /** The pattern is made anew from these in another thread. */
  options: PatternOptions;
  /** Most steps that a test takes for each character of a text; 1 where no expression is run. */
  steps: number;
  /** Condition on every text that matches; with `ignoreCase` its letters may differ in case. */
  need: Need;
  ignoreCase: boolean;
  multiline: boolean;
  /** First place from an offset on of a text such as every line that matches contains, or -1; null if no text is known. */
  nextMark: ((text: string, from: number) => number) | null;
  /** Tells whether a line, or in multi-line mode a text, holds a match. */
  test: (text: string) => boolean;
  /** The first match from an offset on. */
  find: (text: string, from?: number) => Span | null;
}

/** A line break in an expression: itself, or an escape that no backslash escapes. */
const LINE_BREAK = /\n|(?<!\\)(?:\\\\)*\\n/;

/** Throws BAD_ARGUMENT for a pattern that RE2 does not know. */
export function compilePattern(options: PatternOptions): Pattern {
  const { pattern, fixed = false, words = false, ignoreCase = false } = options;
  // A line break can only match across lines.
  const multiline = options.multiline === true || (fixed ? pattern.includes('\n') : LINE_BREAK.test(pattern));
  const source = fixed ? RE2JS.quote(pattern) : pattern;
  const flags = (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (multiline ? RE2JS.MULTILINE : 0);
  let expression = compile(source, flags);
  if (words) expression = compile(`(?:^|\\W)(${source})(?:\\W|$)`, flags);
  const need = fixed ? { text: pattern } : needOf(pattern);
  const marks = multiline ? null : marksOf(need);
  const isPlain = fixed && !ignoreCase && marks !== null;
  const testPlain = words ? (line: string) => hasWord(line, pattern) : (line: string) => line.includes(pattern);
  return {
    options,
    steps: isPlain ? 1 : expression.programSize(),
    need,
    ignoreCase,
    multiline,
    nextMark: marks === null ? null : markFinder(marks, ignoreCase),
    test: isPlain ? testPlain : (text) => expression.test(text),
    find: (text, from = 0) => findIn(expression, text, { from, group: words ? 1 : 0 }),
  };
}

/** Steps that are taken in place: at worst 1 s, since one takes 0.1 microseconds. A thread costs 40 ms. */
const MAX_STEPS = 10_000_000;

/** True for a text that could block everything else. */
export const maySlow = (text: string, { steps }: Pattern): boolean => steps > 1 && steps * text.length > MAX_STEPS;

/** Tells whether the bytes of a file hold the texts that every match contains. */
export function mayMatch({ need, ignoreCase }: Pattern, bytes: Buffer): boolean {
  return ignoreCase || fulfils(need, (text) => bytes.includes(text));
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Alternatives of exact texts: JavaScript's own expressions find them in linear time, and several times as fast as RE2. */
function markFinder(marks: readonly string[], ignoreCase: boolean): Pattern['nextMark'] {
  if (!ignoreCase && marks.length === 1) return (text, from) => text.indexOf(marks[0], from);
  // Beyond ASCII the two may know different versions of Unicode.
  if (!marks.every(isAscii)) return null;
  const source = marks.map((mark) => mark.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');
  const expression = new RegExp(source, ignoreCase ? 'giu' : 'g');
  return (text, from) => {
    expression.lastIndex = from;
    return expression.exec(text)?.index ?? -1;
  };
}

const WORD = /\w/;

/** Tells whether a word stands in a line with no letter, digit or underscore of ASCII next to it. */
function hasWord(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    const end = at + word.length;
    if ((at === 0 || !WORD.test(line[at - 1])) && (end === line.length || !WORD.test(line[end]))) return true;
  }
  return false;
}

function findIn(expression: RE2JS, text: string, { from, group }: { from: number; group: number }): Span | null {
  const matcher = expression.matcher(text);
  return matcher.find(from) ? { start: matcher.start(group), end: matcher.end(group) } : null;
}

/** Most characters of a refusal: it repeats the pattern. */
const MAX_REASON = 200;

function compile(source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(source, flags);
  } catch (cause) {
    const reason = (cause as Error).message.replace('error parsing regexp: ', '').slice(0, MAX_REASON);
    throw new SocraticodeError('BAD_ARGUMENT', `the pattern is not a regular expression: ${reason}`, {
      cause,
      hint: 'The syntax is RE2, which has no lookaround and no back-references. To find exact text, use -F (agents: fixed).',
    });
  }
}
