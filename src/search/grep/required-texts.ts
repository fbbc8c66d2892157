/**
 * Compiles patterns, and finds the texts that every match contains without running them: a file that lacks one need not be read, or not
 * be matched. The rules are conservative: for unusual syntax, nothing is needed. After Russ Cox, "Regular Expression Matching with a
 * Trigram Index" (2012).
 */
import { RE2JS } from 're2js';
import { SocraticodeError } from '../../base/errors.js';

/** Condition on a text; null if every text may match. */
export type Need = { text: string } | { all: readonly Need[] } | { any: readonly Need[] } | null;

/** Thrown for syntax that is not analysed: inline flags, `\Q…\E`, escapes by number. */
class Unknown extends Error {}

/** Deeper groups are not analysed. */
const MAX_DEPTH = 50;
const REPEAT = /^\{(\d+)(?:,\d*)?\}/;
const GROUP = /^\((?:\?:|\?P?<[A-Za-z_]\w*>)?(?!\?)/;
const CLASS = /^\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]/;

export function needOf(pattern: string): Need {
  try {
    const reader = new NeedReader(pattern);
    return reader.read();
  } catch (error) {
    if (error instanceof Unknown) return null;
    throw error;
  }
}

/** Returns whether a text fulfils a need. `has` looks for parts in the text. */
export function fulfils(need: Need, has: (text: string) => boolean): boolean {
  if (need === null) return true;
  if ('text' in need) return has(need.text);
  if ('all' in need) return need.all.every((part) => fulfils(part, has));
  return need.any.some((part) => fulfils(part, has));
}

/** Limit on alternatives: more take longer to look for than the pattern itself. */
const MAX_MARKS = 50;

/**
 * Texts of which every match contains at least one; null if none are known. Of several such lists, returns the one whose shortest text is
 * longest.
 */
export function marksOf(need: Need): string[] | null {
  if (need === null) return null;
  if ('text' in need) return need.text === '' ? null : [need.text];
  const parts = ('all' in need ? need.all : need.any).map(marksOf);
  if ('all' in need) return parts.reduce((best, part) => (shortest(part) > shortest(best) ? part : best), null);
  const marks = parts.flatMap((part) => part ?? []);
  return parts.includes(null) || marks.length > MAX_MARKS ? null : marks;
}

function shortest(marks: string[] | null): number {
  return marks === null ? 0 : Math.min(...marks.map(({ length }) => length));
}

class NeedReader {
  private at = 0;
  private depth = 0;

  constructor(private readonly pattern: string) {}

  read(): Need {
    const need = this.alternation();
    if (this.at < this.pattern.length) throw new Unknown();
    return need;
  }

  private alternation(): Need {
    const branches: Need[] = [this.sequence()];
    while (this.pattern[this.at] === '|') {
      this.at++;
      branches.push(this.sequence());
    }
    if (branches.length === 1) return branches[0];
    return branches.includes(null) ? null : { any: branches };
  }

  /** Parses parts up to `|`, `)` or the end. Letters in succession are one text. */
  private sequence(): Need {
    const parts: Need[] = [];
    let run = '';
    const flush = () => {
      if (run !== '') parts.push({ text: run });
      run = '';
    };
    while (this.at < this.pattern.length && !'|)'.includes(this.pattern[this.at])) {
      const { need, letter } = this.atom();
      const least = this.repeat();
      if (letter !== undefined && least === null) {
        run += letter;
        continue;
      }
      if (letter !== undefined && least !== 0) run += letter;
      flush();
      if (need !== null && least !== 0) parts.push(need);
    }
    flush();
    if (parts.length <= 1) return parts[0] ?? null;
    return { all: parts };
  }

  private atom(): { need: Need; letter?: string } {
    const rest = this.pattern.slice(this.at, this.at + 2);
    if (rest[0] === '(') return { need: this.group() };
    if (rest[0] === '[') return this.skip(CLASS);
    if (rest[0] === '\\') return this.escape(rest[1] ?? '');
    if ('.^$'.includes(rest[0])) return this.skip(/^./s);
    // RE2 refuses a repetition of nothing, and half of a surrogate pair matches no character.
    const letter = String.fromCodePoint(this.pattern.codePointAt(this.at) as number);
    this.at += letter.length;
    return { need: null, letter };
  }

  private group(): Need {
    if (++this.depth > MAX_DEPTH) throw new Unknown();
    this.skip(GROUP);
    const need = this.alternation();
    this.skip(/^\)/);
    this.depth--;
    return need;
  }

  private escape(letter: string): { need: Need; letter?: string } {
    if (/[wWdDsSbBAznrtfv]/.test(letter)) {
      this.at += 2;
      return { need: null };
    }
    if (letter === '' || /[A-Za-z0-9]/.test(letter) || letter.charCodeAt(0) >= 128) throw new Unknown();
    this.at += 2;
    return { need: null, letter };
  }

  private skip(form: RegExp): { need: Need } {
    const found = form.exec(this.pattern.slice(this.at));
    if (found === null) throw new Unknown();
    this.at += found[0].length;
    return { need: null };
  }

  /** Minimum number of repetitions of the atom before; null if it has no repetition. */
  private repeat(): number | null {
    const rest = this.pattern.slice(this.at, this.at + 16);
    const braces = REPEAT.exec(rest);
    const sign = braces?.[0] ?? ('*+?'.includes(rest[0] ?? ' ') ? rest[0] : '');
    if (sign === '') return null;
    this.at += sign.length;
    if (this.pattern[this.at] === '?') this.at++;
    if (braces !== null) return Number(braces[1]);
    return sign === '+' ? 1 : 0;
  }
}

export interface PatternOptions {
  pattern: string;
  /** The pattern is an exact string. */
  fixed?: boolean;
  /** No letter, digit or underscore stands next to a match. */
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
  /** Options from which another thread makes the pattern again. */
  options: PatternOptions;
  /** Maximum number of steps of a test for each character of a text; 1 if no expression is run. */
  steps: number;
  /** Condition on every text that matches. With `ignoreCase` its letters may differ in case. */
  need: Need;
  ignoreCase: boolean;
  multiline: boolean;
  /** Returns the first offset from `from` on of a text that matches contain, or -1; null if no text is known. */
  nextMark: ((text: string, from: number) => number) | null;
  /** Returns whether a line, or in multi-line mode a text, has a match. */
  test: (text: string) => boolean;
  /** Returns the first match from an offset on. */
  find: (text: string, from?: number) => Span | null;
}

/** A line break in an expression: itself, or `\n` after an even number of backslashes. */
const LINE_BREAK = /\n|(?<!\\)(?:\\\\)*\\n/;

/** Throws BAD_ARGUMENT for a pattern that RE2 does not know. */
export function compilePattern(options: PatternOptions): Pattern {
  const { pattern, fixed = false, words = false, ignoreCase = false } = options;
  // A line break matches only across lines.
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

/** Steps that are taken in this thread: at worst 1 s, since one takes 0.1 microseconds. Another thread costs 40 ms. */
const MAX_STEPS = 10_000_000;

/** Returns whether a text could block everything else. */
export const maySlow = (text: string, { steps }: Pattern): boolean => steps > 1 && steps * text.length > MAX_STEPS;

/** Returns whether the bytes of a file contain the texts that every match contains. */
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

/** Returns whether a word is in a line without a letter, digit or underscore of ASCII next to it. */
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

/** Limit on the characters of a refusal, which repeats the pattern. */
const MAX_REASON = 200;

function compile(source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(source, flags);
  } catch (cause) {
    const reason = (cause as Error).message.replace('error parsing regexp: ', '').slice(0, MAX_REASON);
    throw new SocraticodeError('BAD_ARGUMENT', `the pattern is not a regular expression: ${reason}`, {
      cause,
      hint: 'The syntax is RE2, which has no lookaround and no back-references. The option or parameter fixed takes exact text.',
    });
  }
}
