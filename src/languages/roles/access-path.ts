/** Reads access paths out of source text, backwards from where an expression ends. */
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

class BackwardReader {
  private readonly links: string[] = [];
  private at = 0;
  private nameStart = -1;
  private readonly floor: number;
  private join = '';

  constructor(
    private readonly source: string,
    private readonly lexical: LexicalConventions,
    private readonly known: Remembered,
    private readonly depth: number,
  ) {
    this.floor = 0;
  }

  read(end: number): AccessPath {
    const { source, lexical } = this;
    this.at = skipSpaceBack(source, end, this.floor, lexical);
    // An optional call: `open?.(x)`.
    if (this.takeJoin()) this.at = skipSpaceBack(source, this.at, this.floor, lexical);
    for (let count = 0; count < MAX_LINKS; count++) {
      const whole = this.link();
      if (whole !== null) return this.done(whole);
      const start = this.at;
      const before = skipSpaceBack(source, start, this.floor, lexical);
      this.at = before;
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
    const { source, lexical } = this;
    let suffix = '';
    for (;;) {
      this.skipPostfix();
      const char = source[this.at - 1];
      const known = this.known.get(this.at);
      if (known !== undefined) {
        this.at = known.start;
        return known.accessPath + suffix;
      }
      const endsTypes = suffix === '' && this.nameStart === -1 && lexical.typeArguments?.[1] === char;
      if (endsTypes && char === '>') {
        if (!this.skipTypes()) return '?';
        continue;
      }
      if (char === '"' && lexical.literals && suffix === '') return this.literal();
      if (char !== ')' && char !== ']') return this.name(suffix);
      const open = openingOf(source, this.at, this.floor, lexical);
      if (open === -1) return '?';
      const before = skipSpaceBack(source, open, this.floor, lexical);
      if (this.isApart(before, open) || !this.holdsValue(before))
        return char === ')' ? this.parenthesised(open, suffix) : '?';
      if (!endsTypes) suffix = (char === ')' ? '()' : this.indexed(open + 1)) + suffix;
      this.at = before;
      const optional = this.takeJoin();
      if (optional) this.at = skipSpaceBack(source, this.at, this.floor, lexical);
    }
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

  /** The text between square brackets that end here: an index, or the name of a member. */
  private indexed(from: number): string {
    const { computed } = this.lexical;
    const key = computed === undefined ? '' : headText(this.source, from, this.at - 1, MAX_KEY_LENGTH);
    return computed?.test(key) ? `.${COMPUTED}${key}` : '[]';
  }

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

  private parenthesised(open: number, suffix: string): string {
    const { source, lexical, known, depth } = this;
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

  private continues(): boolean {
    const code = this.source.charCodeAt(this.at - 1);
    return isNameCode(code, this.lexical.nameExtra) || code === 62 || code === 41 || code === 93;
  }

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

  private done(whole: string): AccessPath {
    const { source, lexical, links } = this;
    let start = this.at;
    let isNew = false;
    if (whole === '' && links.length > 0) {
      if (lexical.root !== undefined) {
        const last = links[links.length - 1];
        const name = /^[^()[\]]*/.exec(last)?.[0] ?? '';
        links[links.length - 1] = lexical.root(name, links.length > 1 ? this.join : '') + last.slice(name.length);
      }
      const word = lexical.newWord;
      if (word !== undefined) {
        const before = skipSpaceBack(source, start, this.floor, lexical);
        isNew =
          before < start &&
          source.endsWith(word, before) === true &&
          !isNameCode(source.charCodeAt(before - word.length - 1), lexical.nameExtra) &&
          source[before - word.length - 1] !== '.';
        if (isNew) start = before - word.length;
      }
    }
    if (links.length > 0 && whole === '' && NO_CHAIN.test(links[links.length - 1])) links[links.length - 1] = '?';
    const parts = whole === '' ? links.reverse() : [whole, ...links.reverse()];
    let accessPath = parts.join('.');
    if (isNew && accessPath.includes('()')) accessPath = `new ${accessPath}`;
    if (accessPath.length > MAX_ACCESS_PATH_LENGTH) accessPath = '?';
    return { accessPath, start, nameStart: this.nameStart === -1 ? start : this.nameStart, isNew };
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
