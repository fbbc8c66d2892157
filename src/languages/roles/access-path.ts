/**
 * Access paths: written out of source text, backwards from where an expression ends, and read again as segments with marks. Facts and
 * records hold them as text, which docs/format.md specifies.
 */
import { headText } from './declarations.js';
import type { AccessPath, LexicalConventions } from './relations.js';
import { isNameCode, MAX_LOOK_BACK_LENGTH, openingAngle, openingOf, skipSpace, skipSpaceBack } from './scan.js';

/** Most links of an access path; a longer one is no better than a shorter one. */
const MAX_LINKS = 40;
/** Most UTF-16 units of an access path in a record. */
export const MAX_ACCESS_PATH_LENGTH = 200;
/** Mark before the name of a member that is written as a constant in brackets; no source can write it. */
export const COMPUTED = '@';
const MAX_KEY_LENGTH = 60;
/** Deepest nesting of parentheses. */
const MAX_DEPTH = 8;

/** Values that were read before, such as calls, by the offset behind them. */
type Remembered = ReadonlyMap<number, { start: number; accessPath: string }>;

const NOTHING: Remembered = new Map();

/** The access path whose text ends at `end`. `depth`: parentheses around it that are being read. */
export function accessPathEndingAt(
  source: string,
  end: number,
  lexical: LexicalConventions,
  known: Remembered = NOTHING,
  depth = 0,
): AccessPath {
  return new BackwardReader(source, lexical, known, depth).read(end);
}

/** The access path of the expression [from, to), '' if it has none that can be followed. */
export function accessPathOf(
  source: string,
  from: number,
  to: number,
  lexical: LexicalConventions,
  known: Remembered = NOTHING,
  depth = 0,
): string {
  if (depth > MAX_DEPTH || to <= from) return '';
  const start = skipPrefixes(source, skipSpace(source, from, to, lexical), to, lexical);
  let end = skipSpaceBack(source, to, start, lexical);
  if (lexical.cast !== undefined) {
    const at = Math.max(start, end - MAX_ACCESS_PATH_LENGTH);
    const cast = lexical.cast.exec(source.slice(at, end));
    const type = cast === null ? undefined : lexical.castType?.exec(cast[0])?.[1];
    if (type !== undefined) return `new ${type}()`;
    if (cast !== null && lexical.castAway?.test(cast[0])) return '';
    if (cast !== null) end = skipSpaceBack(source, at + cast.index, start, lexical);
  }
  const found = accessPathEndingAt(source, end, lexical, known, depth);
  if (found.start !== start || found.accessPath === '?' || found.accessPath.startsWith('?')) return '';
  return found.isNew && !found.accessPath.startsWith('new ') ? `new ${found.accessPath}()` : found.accessPath;
}

function skipPrefixes(source: string, from: number, to: number, lexical: LexicalConventions): number {
  let at = from;
  for (let again = lexical.prefixes !== undefined; again; ) {
    again = false;
    for (const word of lexical.prefixes ?? []) {
      const after = at + word.length;
      if (!source.startsWith(word, at)) continue;
      if (isNameCode(word.charCodeAt(word.length - 1)) && isNameCode(source.charCodeAt(after), lexical.nameExtra))
        continue;
      at = skipSpace(source, after, to, lexical);
      again = true;
    }
  }
  return at;
}

const CLOSES_LIST: ReadonlySet<string> = new Set(')]');

/** Reads one access path from its last character to its first. */
class BackwardReader {
  /** Names with the marks behind them, the last name first. */
  private readonly links: string[] = [];
  /** Offset behind the text that is still to be read. */
  private at = 0;
  /** Offset of the last name; -1 until it is read. */
  private nameStart = -1;
  /** Lowest offset that is read. */
  private readonly floor = 0;
  /** The join that was taken last: at the end of the reading, the one behind the first name. */
  private join = '';

  constructor(
    private readonly source: string,
    private readonly lexical: LexicalConventions,
    private readonly known: Remembered,
    private readonly depth: number,
  ) {}

  read(end: number): AccessPath {
    const { source, lexical } = this;
    this.at = skipSpaceBack(source, end, this.floor, lexical);
    // An optional call: `open?.(x)`.
    this.skipJoin();
    for (let count = 0; count < MAX_LINKS; count++) {
      const whole = this.link();
      if (whole !== null) return this.done(whole);
      const start = this.at;
      this.at = skipSpaceBack(source, start, this.floor, lexical);
      if (!this.takeJoin()) {
        this.at = start;
        return this.done('');
      }
      const last = this.links.length - 1;
      if (lexical.member !== undefined && last >= 0) this.links[last] = lexical.member(this.links[last], this.join);
      // `\\A\\f()`, `::A`: a path that begins at the root.
      if (this.join === lexical.leading && !this.continues()) return this.done('');
      this.at = skipSpaceBack(source, this.at, this.floor, lexical);
    }
    return this.done('?');
  }

  /** Takes one link off the end. Returns the start of the access path if it ends there ('?' if unknown), else null. */
  private link(): string | null {
    for (let suffix = ''; ; ) {
      this.skipPostfix();
      const known = this.known.get(this.at);
      if (known !== undefined) {
        this.at = known.start;
        return known.accessPath + suffix;
      }
      const char = this.source[this.at - 1];
      const isTypes = suffix === '' && this.nameStart === -1 && this.lexical.typeArguments?.[1] === char;
      if (isTypes && char === '>') {
        if (!this.skipTypes()) return '?';
      } else if (CLOSES_LIST.has(char)) {
        const open = this.openingOfList();
        if (open < 0) return char === ')' ? this.parenthesised(suffix) : '?';
        if (!isTypes) suffix = this.listMark(char, open + 1) + suffix;
        this.at = skipSpaceBack(this.source, open, this.floor, this.lexical);
        this.skipJoin();
      } else return char === '"' && suffix === '' && this.lexical.literals ? this.literal() : this.name(suffix);
    }
  }

  /** Offset of the bracket that the last one closes, if it calls or indexes a value; else -1. */
  private openingOfList(): number {
    const { source, floor, lexical } = this;
    const open = openingOf(source, this.at, floor, lexical);
    const before = open === -1 ? -1 : skipSpaceBack(source, open, floor, lexical);
    return open !== -1 && !this.isApart(before, open) && this.holdsValue(before) ? open : -1;
  }

  /** Passes the mark of an optional call or index. */
  private skipJoin(): void {
    if (this.takeJoin()) this.at = skipSpaceBack(this.source, this.at, this.floor, this.lexical);
  }

  /** Passes type arguments; false if nothing opens them. */
  private skipTypes(): boolean {
    const open = openingAngle(this.source, this.at, this.floor);
    if (open === -1) return false;
    this.at = skipSpaceBack(this.source, open, this.floor, this.lexical);
    this.takeJoin();
    return true;
  }

  private literal(): string {
    const start = literalStart(this.source, this.at);
    if (start === -1) return '?';
    this.at = start;
    return '""';
  }

  /** Mark of a list that ends here: that of a call, of an index, or the name of a member in square brackets. */
  private listMark(char: string, from: number): string {
    const { computed } = this.lexical;
    if (char === ')') return '()';
    const key = computed === undefined ? '' : headText(this.source, from, this.at - 1, MAX_KEY_LENGTH);
    return computed?.test(key) ? `.${COMPUTED}${key}` : '[]';
  }

  /** Takes a name off the end; `suffix` are its marks. Returns as `link` does. */
  private name(suffix: string): string | null {
    const { source, lexical } = this;
    let start = this.at;
    const lowest = Math.max(this.floor, this.at - MAX_ACCESS_PATH_LENGTH);
    while (start > lowest && isNameCode(source.charCodeAt(start - 1), lexical.nameExtra)) start--;
    if (start === this.at || (start === lowest && lowest > this.floor)) return '?';
    if (this.nameStart === -1) this.nameStart = start;
    this.links.push(source.slice(start, this.at) + suffix);
    this.at = start;
    return null;
  }

  /** Does a bracket stand on another line, where that begins a statement? */
  private isApart(before: number, open: number): boolean {
    return this.lexical.lines === true && this.source.slice(before, open).includes('\n');
  }

  /** Has the text before an opening bracket a value, which is called or indexed? */
  private holdsValue(end: number): boolean {
    const { source, lexical } = this;
    const char = source[end - 1];
    if (char === undefined) return false;
    if (char === ')' || char === ']' || (lexical.postfix ?? '').includes(char)) return true;
    if (lexical.typeArguments === '<>' && char === '>') return openingAngle(source, end, this.floor) > 0;
    if (!isNameCode(char.charCodeAt(0), lexical.nameExtra))
      return lexical.joins.some((join) => source.endsWith(join, end));
    return !this.isWordBefore(end);
  }

  /** Is the word before a bracket one such as `await` or `return`? */
  private isWordBefore(end: number): boolean {
    const { source, lexical } = this;
    for (const word of [...(lexical.prefixes ?? []), ...WORDS]) {
      if (!source.endsWith(word, end)) continue;
      if (!isNameCode(source.charCodeAt(end - word.length - 1), lexical.nameExtra)) return true;
    }
    return false;
  }

  /** The value in parentheses, which nothing before them calls; '?' if they open nowhere. */
  private parenthesised(suffix: string): string {
    const { source, lexical, known, depth } = this;
    const open = openingOf(source, this.at, this.floor, lexical);
    if (open === -1) return '?';
    const inner = depth < MAX_DEPTH ? accessPathOf(source, open + 1, this.at - 1, lexical, known, depth + 1) : '';
    this.at = open;
    return inner === '' ? '?' : inner + suffix;
  }

  private skipPostfix(): void {
    const { source, lexical } = this;
    if (lexical.postfix === undefined) return;
    const lowest = Math.max(this.floor, this.at - MAX_LOOK_BACK_LENGTH);
    while (this.at > lowest && lexical.postfix.includes(source[this.at - 1])) this.at--;
  }

  /** Does a name or a bracket end before a join, so that it joins two names and does not begin the path? */
  private continues(): boolean {
    const char = this.source[this.at - 1];
    if (char === undefined) return false;
    return isNameCode(char.charCodeAt(0), this.lexical.nameExtra) || '>)]'.includes(char);
  }

  /** Takes a join off the end, if there is one. */
  private takeJoin(): boolean {
    for (const join of this.lexical.joins) {
      if (!this.source.startsWith(join, this.at - join.length) || this.at < join.length) continue;
      // `..` and `...` spread or make ranges.
      if (join === '.' && this.source[this.at - 2] === '.') continue;
      this.at -= join.length;
      this.join = join;
      return true;
    }
    return false;
  }

  /** `whole`: the value that the links continue; '' if they are all of the path. */
  private done(whole: string): AccessPath {
    const { links } = this;
    const isOwn = whole === '' && links.length > 0;
    if (isOwn) this.normalizeRoot();
    const newAt = isOwn ? this.newBefore() : -1;
    const start = newAt === -1 ? this.at : newAt;
    const parts = whole === '' ? links.reverse() : [whole, ...links.reverse()];
    let accessPath = parts.join('.');
    if (newAt !== -1 && accessPath.includes('()')) accessPath = `new ${accessPath}`;
    if (accessPath.length > MAX_ACCESS_PATH_LENGTH) accessPath = '?';
    return { accessPath, start, nameStart: this.nameStart === -1 ? start : this.nameStart, isNew: newAt !== -1 };
  }

  /** Gives the first name its normal form. */
  private normalizeRoot(): void {
    const { links, lexical, join } = this;
    const at = links.length - 1;
    const name = /^[^()[\]]*/.exec(links[at])?.[0] ?? '';
    if (lexical.root !== undefined) links[at] = lexical.root(name, at > 0 ? join : '') + links[at].slice(name.length);
    if (NO_CHAIN.test(links[at])) links[at] = '?';
  }

  /** Offset of the word before the path that makes an instance of it; -1 without one. */
  private newBefore(): number {
    const { source, at, floor, lexical } = this;
    const word = lexical.newWord;
    const before = word === undefined ? at : skipSpaceBack(source, at, floor, lexical);
    if (word === undefined || before === at || !source.endsWith(word, before)) return -1;
    const start = before - word.length;
    const isName = isNameCode(source.charCodeAt(start - 1), lexical.nameExtra) || source[start - 1] === '.';
    return isName ? -1 : start;
  }
}

/** Start of the string that ends at `end`; -1 if it does not begin nearby. */
function literalStart(source: string, end: number): number {
  const quotes = source.endsWith('"""', end) && end > 5 ? '"""' : '"';
  const start = source.lastIndexOf(quotes, end - quotes.length - 1);
  if (start === -1 || end - start > MAX_LOOK_BACK_LENGTH) return -1;
  return quotes === '"' && source.slice(start, end).includes('\n') ? -1 : start;
}

/** Literals, from which no access path can go on. */
const NO_CHAIN = /^(?:\d.*|null|undefined|true|false|None|True|False|nil)$/;

/** Words that look like a callee before a parenthesis. */
const WORDS = 'return if while for switch case in of typeof new else throw and or not'.split(' ');

// Reading an access path

export interface Segment {
  name: string;
  marks: readonly Mark[];
}

/** Mark after a name, such as `()` of a call; docs/format.md has an example of each. */
export type Mark = '()' | '[]' | number | { given: string } | { typed: string } | GivenMark | Narrowing;

/** The first and second parameter in `items.map { … }`, the receiver in `cart.apply { … }`, and the owner of named arguments. */
export type GivenMark = '{}' | '{1}' | '{=}' | '{:}';

/** Mark that narrows a value: a property by its values, a test that is true for it, what a result is assigned to. */
export type Narrowing =
  | { key: string; among: readonly string[]; isLeftOut: boolean }
  | { guard: string }
  | { wanted: string };

export interface ParsedPath {
  /** True if the text begins with `new`. */
  makes: boolean;
  segments: readonly Segment[];
}

/** Maximum number of segments. Texts have at most 200 UTF-16 units, and real expressions far fewer segments. */
const MAX_SEGMENTS = 40;
const SEGMENT =
  /^([^\s()[\]{}?]+)((?:\((?:[\w$]{0,40}|<[\w$:]{1,60}(?:\[\])?>|=|:[\w$]{1,60}(?:\[\])?|\?[#:]?[\w$]{1,60}|[\w$]{1,40}!?=(?:[\w$|-]{1,120}|[*!]))\)|\[\]|\{[=:1]?\})*)$/;

/** Maximum number of remembered results. Few texts occur very often, so remembering saves most of the parsing. */
const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, ParsedPath | null>();

/** Returns null for text that cannot be evaluated. */
export function parseAccessPath(text: string): ParsedPath | null {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const parsed = parse(text);
  remembered.set(text, parsed);
  return parsed;
}

function parse(text: string): ParsedPath | null {
  const makes = text.startsWith('new ');
  const wanted: string[] = [];
  // The target of a result can have marks of its own: `make(=open(0))`.
  const flat = text.includes('(=') ? withoutWanted(text, wanted) : text;
  const texts = (makes ? flat.slice(4) : flat).split('.');
  if (texts.length > MAX_SEGMENTS) return null;
  const segments: Segment[] = [];
  for (const part of texts) {
    const match = SEGMENT.exec(part);
    if (match === null) return null;
    const marks = (match[2].match(/\([^)]*\)|\[\]|\{[=:1]?\}/g) ?? []).map((mark) =>
      mark === '(=)' ? { wanted: wanted.shift() ?? '' } : markOf(mark),
    );
    segments.push({ name: match[1], marks });
  }
  return { makes, segments };
}

/** Moves what results are assigned to into `wanted`, and leaves `(=)` in the text. */
function withoutWanted(text: string, wanted: string[]): string {
  let flat = '';
  let from = 0;
  for (let at = text.indexOf('(='); at !== -1; at = text.indexOf('(=', from)) {
    let depth = 0;
    let end = at;
    do {
      if (text[end] === '(') depth++;
      else if (text[end] === ')') depth--;
      end++;
    } while (depth > 0 && end < text.length);
    wanted.push(text.slice(at + 2, end - 1));
    flat += `${text.slice(from, at)}(=)`;
    from = end;
  }
  return flat + text.slice(from);
}

function markOf(text: string): Mark {
  if (text[0] !== '(' || text === '()') return text as Mark;
  const inside = text.slice(1, -1);
  if (/^\d+$/.test(inside)) return Number(inside);
  const equals = inside.indexOf('=');
  if (inside[0] === '?') return { guard: inside.slice(1) };
  if (inside[0] === ':') return { typed: `<${inside.slice(1)}>` };
  return equals === -1 ? { given: inside } : propertyOf(inside, equals);
}

/** `kind=open|paid`, and `kind!=open` for all other values. */
function propertyOf(text: string, equals: number): Mark {
  const isLeftOut = text[equals - 1] === '!';
  return { key: text.slice(0, isLeftOut ? equals - 1 : equals), among: text.slice(equals + 1).split('|'), isLeftOut };
}

export function isCall(mark: Mark | undefined): boolean {
  return mark === '()' || (typeof mark === 'object' && 'given' in mark);
}

export function isNarrowing(mark: Mark | undefined): mark is Narrowing {
  return typeof mark === 'object' && !('given' in mark) && !('typed' in mark);
}

/** `open(0)(kind=cart)` without the last marks. */
export function withoutNarrowing(receiver: string): string {
  return receiver.replace(/(?:\([\w$]+!?=[\w$|*!-]+\))+$/, '');
}

export function isCalled(mark: Mark | undefined): boolean {
  return isCall(mark) || (typeof mark === 'object' && ('wanted' in mark || 'typed' in mark));
}

/** Does the path lead through a callback's parameter? Code outside of the repository can hand a type of the repository to it. */
export function isGiven(segments: readonly Segment[]): boolean {
  return segments.some(({ marks }) => marks.includes('{}') || marks.includes('{=}'));
}

export function isGivenMark(mark: Mark | undefined): mark is GivenMark {
  return mark === '{}' || mark === '{1}' || mark === '{=}' || mark === '{:}';
}

/** Does a function give the value, not a type that is made? Then its type is not known. */
export const outsideCall = (segments: readonly Segment[]): boolean =>
  segments.some(({ name, marks }) => isCalled(marks[0]) && !/^\p{Lu}/u.test(name));
