/** Reads chains out of source text, backwards from where an expression ends. */
import type { FoundChain, Spelling } from './relations.js';
import { isNameCode, LONGEST_LOOK_BACK, openingAngle, openingOf, skipSpace, skipSpaceBack } from './scan.js';

/** A chain with more links tells nothing that a shorter one doesn't. */
const MOST_LINKS = 40;
/** As many UTF-16 units as a chain in a record may have. */
export const LONGEST_CHAIN = 200;
/** Parentheses in parentheses. */
const DEEPEST = 8;

/** Values whose end is known: calls that were read already, by the offset after them. */
export type Remembered = ReadonlyMap<number, { start: number; chain: string }>;

const NOTHING: Remembered = new Map();

export function chainEndingAt(
  source: string,
  end: number,
  spelling: Spelling,
  known: Remembered = NOTHING,
  depth = 0,
): FoundChain {
  return new BackwardReader(source, spelling, known, depth).read(end);
}

/** The chain of the expression [from, to), '' if it is none or can't be followed. */
export function chainOf(
  source: string,
  from: number,
  to: number,
  spelling: Spelling,
  known: Remembered = NOTHING,
  depth = 0,
): string {
  if (depth > DEEPEST || to <= from) return '';
  const start = skipPrefixes(source, skipSpace(source, from, to, spelling), to, spelling);
  let end = skipSpaceBack(source, to, start, spelling);
  if (spelling.cast !== undefined) {
    const at = Math.max(start, end - LONGEST_CHAIN);
    const cast = spelling.cast.exec(source.slice(at, end));
    if (cast !== null) end = skipSpaceBack(source, at + cast.index, start, spelling);
  }
  const found = chainEndingAt(source, end, spelling, known, depth);
  if (found.start !== start || found.chain === '?' || found.chain.startsWith('?')) return '';
  return found.isNew && !found.chain.startsWith('new ') ? `new ${found.chain}()` : found.chain;
}

function skipPrefixes(source: string, from: number, to: number, spelling: Spelling): number {
  let at = from;
  for (let again = spelling.prefixes !== undefined; again; ) {
    again = false;
    for (const word of spelling.prefixes ?? []) {
      const after = at + word.length;
      if (!source.startsWith(word, at)) continue;
      if (isNameCode(word.charCodeAt(word.length - 1)) && isNameCode(source.charCodeAt(after), spelling.nameExtra))
        continue;
      at = skipSpace(source, after, to, spelling);
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
    private readonly spelling: Spelling,
    private readonly known: Remembered,
    private readonly depth: number,
  ) {
    this.floor = 0;
  }

  read(end: number): FoundChain {
    const { source, spelling } = this;
    this.at = skipSpaceBack(source, end, this.floor, spelling);
    // An optional call: `open?.(x)`.
    if (this.takeJoin()) this.at = skipSpaceBack(source, this.at, this.floor, spelling);
    for (let count = 0; count < MOST_LINKS; count++) {
      const whole = this.link();
      if (whole !== null) return this.done(whole);
      const start = this.at;
      const before = skipSpaceBack(source, start, this.floor, spelling);
      this.at = before;
      if (!this.takeJoin()) {
        this.at = start;
        return this.done('');
      }
      // `\\A\\f()`, `::A`: a path that begins at the root.
      if (this.join === spelling.leading && !this.continues()) return this.done('');
      this.at = skipSpaceBack(source, this.at, this.floor, spelling);
    }
    return this.done('?');
  }

  /** Takes one link off the end. Returns what the chain starts with, where that ends it ('?' if unknown), else null. */
  private link(): string | null {
    const { source, spelling } = this;
    let suffix = '';
    for (;;) {
      this.skipPostfix();
      const char = source[this.at - 1];
      const known = this.known.get(this.at);
      if (known !== undefined) {
        this.at = known.start;
        return known.chain + suffix;
      }
      if (char === '>' && spelling.typeArguments === '<>' && suffix === '' && this.nameStart === -1) {
        const open = openingAngle(source, this.at, this.floor);
        if (open === -1) return '?';
        this.at = skipSpaceBack(source, open, this.floor, spelling);
        this.takeJoin();
        continue;
      }
      if (char !== ')' && char !== ']') break;
      const open = openingOf(source, this.at, this.floor, spelling);
      if (open === -1) return '?';
      const before = skipSpaceBack(source, open, this.floor, spelling);
      const isApart = spelling.lines === true && source.slice(before, open).includes('\n');
      if (isApart || !this.holdsValue(before)) return char === ')' ? this.parenthesised(open, suffix) : '?';
      if (!(char === ']' && spelling.typeArguments === '[]' && suffix === '' && this.nameStart === -1)) {
        suffix = (char === ')' ? '()' : '[]') + suffix;
      }
      this.at = before;
      const optional = this.takeJoin();
      if (optional) this.at = skipSpaceBack(source, this.at, this.floor, spelling);
    }
    return this.name(suffix);
  }

  private name(suffix: string): string | null {
    const { source, spelling } = this;
    let start = this.at;
    const lowest = Math.max(this.floor, this.at - LONGEST_CHAIN);
    while (start > lowest && isNameCode(source.charCodeAt(start - 1), spelling.nameExtra)) start--;
    if (start === this.at || (start === lowest && lowest > this.floor)) return '?';
    if (this.nameStart === -1) this.nameStart = start;
    this.links.push(source.slice(start, this.at) + suffix);
    this.at = start;
    return null;
  }

  /** The text before an opening bracket has a value that is called or indexed. */
  private holdsValue(end: number): boolean {
    const { source, spelling } = this;
    const char = source[end - 1];
    if (char === undefined) return false;
    if (char === ')' || char === ']' || (spelling.postfix ?? '').includes(char)) return true;
    if (spelling.typeArguments === '<>' && char === '>') return openingAngle(source, end, this.floor) > 0;
    if (!isNameCode(char.charCodeAt(0), spelling.nameExtra))
      return spelling.joins.some((join) => source.endsWith(join, end));
    return !this.isWordBefore(end);
  }

  /** A word such as `await` or `return` before a bracket. */
  private isWordBefore(end: number): boolean {
    const { source, spelling } = this;
    for (const word of [...(spelling.prefixes ?? []), ...WORDS]) {
      if (!source.endsWith(word, end)) continue;
      if (!isNameCode(source.charCodeAt(end - word.length - 1), spelling.nameExtra)) return true;
    }
    return false;
  }

  private parenthesised(open: number, suffix: string): string {
    const { source, spelling, known, depth } = this;
    const inner = depth < DEEPEST ? chainOf(source, open + 1, this.at - 1, spelling, known, depth + 1) : '';
    this.at = open;
    return inner === '' ? '?' : inner + suffix;
  }

  private skipPostfix(): void {
    const { source, spelling } = this;
    if (spelling.postfix === undefined) return;
    const lowest = Math.max(this.floor, this.at - LONGEST_LOOK_BACK);
    while (this.at > lowest && spelling.postfix.includes(source[this.at - 1])) this.at--;
  }

  private continues(): boolean {
    const code = this.source.charCodeAt(this.at - 1);
    return isNameCode(code, this.spelling.nameExtra) || code === 62 || code === 41 || code === 93;
  }

  private takeJoin(): boolean {
    for (const join of this.spelling.joins) {
      if (!this.source.startsWith(join, this.at - join.length) || this.at < join.length) continue;
      // `..` and `...` spread or make ranges.
      if (join === '.' && this.source[this.at - 2] === '.') continue;
      this.at -= join.length;
      this.join = join;
      return true;
    }
    return false;
  }

  private done(whole: string): FoundChain {
    const { source, spelling, links } = this;
    let start = this.at;
    let isNew = false;
    if (whole === '' && links.length > 0) {
      if (spelling.root !== undefined) {
        const last = links[links.length - 1];
        const name = /^[^()[\]]*/.exec(last)?.[0] ?? '';
        links[links.length - 1] = spelling.root(name, links.length > 1 ? this.join : '') + last.slice(name.length);
      }
      const word = spelling.newWord;
      if (word !== undefined) {
        const before = skipSpaceBack(source, start, this.floor, spelling);
        isNew =
          before < start &&
          source.endsWith(word, before) === true &&
          !isNameCode(source.charCodeAt(before - word.length - 1), spelling.nameExtra) &&
          source[before - word.length - 1] !== '.';
        if (isNew) start = before - word.length;
      }
    }
    if (links.length > 0 && whole === '' && NO_CHAIN.test(links[links.length - 1])) links[links.length - 1] = '?';
    const parts = whole === '' ? links.reverse() : [whole, ...links.reverse()];
    let chain = parts.join('.');
    if (isNew && chain.includes('()')) chain = `new ${chain}`;
    if (chain.length > LONGEST_CHAIN) chain = '?';
    return { chain, start, nameStart: this.nameStart === -1 ? start : this.nameStart, isNew };
  }
}

/** Literals, which nothing can be followed from. */
const NO_CHAIN = /^(?:\d.*|null|undefined|true|false|None|True|False|nil)$/;

/** Words that look like the callee of a parenthesis. */
const WORDS = [
  'return',
  'if',
  'while',
  'for',
  'switch',
  'case',
  'in',
  'of',
  'typeof',
  'new',
  'else',
  'throw',
  'and',
  'or',
  'not',
];
