/** Reduces each symbol of a file to hashes, by which two versions of the file are compared. */
import type { BlobFacts, ByteRange, CodeSymbol } from '../extract/facts.js';
import { qualifiedName } from '../extract/symbols.js';
import { condense, hashOf } from './definitions.js';

/**
 * Parts of a symbol without its members: as text, or as hashes of it. All but `raw` are without white space, signature and body
 * also without the comments that are known.
 */
export interface SymbolParts {
  exported: boolean;
  signature: string;
  body: string;
  doc: string;
  /** Everything with white space, except that between members. */
  raw: string;
}

/** A symbol with its parts as hashes. */
export interface SymbolDigest extends SymbolParts {
  /** Qualified name. */
  symbol: string;
  name: string;
  kind: string;
  startLine: number;
  endLine: number;
  start: number;
  end: number;
  /** Index of the enclosing symbol, -1 at the top. */
  container: number;
  /** Hash of the whole symbol without white space, with the members' own `text`. */
  text: string;
}

/**
 * Symbols of one version of a file. Parts and hashes are made when they are asked for, since most symbols of two versions are equal
 * byte by byte: hashing all symbols of 538 versions took .9 s, what is needed takes .3 s. Holds the bytes of the version.
 */
export class FileDigest {
  private readonly members = new Map<number, number[]>();
  private readonly texts = new Map<number, string>();

  constructor(
    private readonly bytes: Buffer,
    private readonly facts: Pick<BlobFacts, 'symbols'>,
    private readonly comments: readonly ByteRange[] = [],
  ) {
    for (const [i, { container }] of facts.symbols.entries()) {
      const siblings = this.members.get(container);
      if (siblings === undefined) this.members.set(container, [i]);
      else siblings.push(i);
    }
  }

  /** Gives the same version with its comments known, which are in the order of their starts. */
  withComments(comments: readonly ByteRange[]): FileDigest {
    return new FileDigest(this.bytes, this.facts, comments);
  }

  get size(): number {
    return this.facts.symbols.length;
  }

  at(index: number): CodeSymbol {
    return this.facts.symbols[index];
  }

  /** Names of two symbols are equal if their kinds and qualified names are. */
  nameOf(index: number): string {
    return `${this.at(index).kind} ${qualifiedName(this.facts.symbols, index)}`;
  }

  /** True for two symbols, with their members and doc comments, of equal bytes. */
  isEqual(index: number, other: FileDigest, otherIndex: number): boolean {
    const [a, b] = [this.at(index), other.at(otherIndex)];
    if (a.exported !== b.exported || a.signature.end - a.start !== b.signature.end - b.start) return false;
    if ((a.doc === null) !== (b.doc === null) || !this.slice(a).equals(other.slice(b))) return false;
    return a.doc === null || b.doc === null || this.slice(a.doc).equals(other.slice(b.doc));
  }

  private slice({ start, end }: ByteRange): Buffer {
    return this.bytes.subarray(start, end);
  }

  /** Text outside all symbols and their doc comments, without white space. */
  outside(): string {
    return this.condensed({ start: 0, end: this.bytes.length }, this.holesOf(-1));
  }

  /** Two versions of a symbol are compared by these: nothing is hashed for symbols that turn out equal. */
  parts(index: number): SymbolParts {
    const { exported, start, end, signature, doc } = this.at(index);
    const holes = this.holesOf(index);
    const gaps = [...holes, ...this.commentsFrom(start, end)];
    if (doc !== null && doc.start >= start && doc.end <= end) gaps.push(doc);
    const own = without(this.bytes, { start, end }, holes).map((piece) => piece.toString('latin1').trim());
    return {
      exported,
      signature: this.condensed(signature, gaps),
      body: this.condensed({ start: signature.end, end }, gaps),
      doc: doc === null ? '' : this.condensed(doc, []),
      raw: own.filter((piece) => piece !== '').join('\0'),
    };
  }

  /** `parts`: of the symbol, where they are known. */
  digest(index: number, parts = this.parts(index)): SymbolDigest {
    const { name, kind, startLine, endLine, start, end, container } = this.at(index);
    const { exported, signature, body, doc, raw } = parts;
    return {
      symbol: qualifiedName(this.facts.symbols, index),
      ...{ name, kind, startLine, endLine, start, end, container, exported },
      text: this.text(index),
      signature: hashOf([signature]),
      body: hashOf([body]),
      doc: doc === '' ? '' : hashOf([doc]),
      raw: hashOf([raw]),
    };
  }

  /**
   * Hash of a symbol without white space. Members go in as their hashes (a Merkle tree), so that each byte is read once
   * however deeply functions are nested; a list of those that wait takes the place of recursion.
   */
  text(index: number): string {
    for (const waiting = [index]; waiting.length > 0; ) {
      const i = waiting[waiting.length - 1];
      const unknown = (this.members.get(i) ?? []).filter((member) => !this.texts.has(member));
      if (unknown.length > 0) waiting.push(...unknown);
      else {
        this.texts.set(i, this.hashNested(i));
        waiting.pop();
      }
    }
    return this.texts.get(index) as string;
  }

  private hashNested(index: number): string {
    const { start, end } = this.at(index);
    const parts: string[] = [];
    let at = start;
    for (const member of this.members.get(index) ?? []) {
      const inner = this.at(member);
      if (inner.start < at || inner.end > end) continue;
      parts.push(condense(this.bytes.subarray(at, inner.start)), this.texts.get(member) as string);
      at = inner.end;
    }
    parts.push(condense(this.bytes.subarray(at, end)));
    return hashOf(parts);
  }

  private condensed(range: ByteRange, gaps: readonly ByteRange[]): string {
    return without(this.bytes, range, gaps).map(condense).join('');
  }

  /** Comments that begin in a range. They stand in order, and a file may have 100,000 of them and of symbols. */
  private commentsFrom(start: number, end: number): readonly ByteRange[] {
    let [first, last] = [0, this.comments.length];
    while (first < last) {
      const middle = (first + last) >>> 1;
      if (this.comments[middle].start < start) first = middle + 1;
      else last = middle;
    }
    while (last < this.comments.length && this.comments[last].start < end) last++;
    return this.comments.slice(first, last);
  }

  /** Byte ranges of members and of the doc comments above them. */
  private holesOf(index: number): ByteRange[] {
    return (this.members.get(index) ?? []).flatMap((i) => {
      const member = this.at(i);
      return member.doc === null ? [wide(this.bytes, member)] : [wide(this.bytes, member), member.doc];
    });
  }
}

/** Bytes before and after a definition that are searched for modifiers and punctuation. */
const MAX_MARGIN = 200;

/** Extends a definition by the words before it on its line (`export default`) and what separates it from the next, as in an enumeration. */
function wide(bytes: Buffer, { start, end }: ByteRange): ByteRange {
  const before = bytes.toString('latin1', Math.max(0, start - MAX_MARGIN), start);
  const after = bytes.toString('latin1', end, end + MAX_MARGIN);
  const words = /(?:^|\n)([\w\t ]*)$/.exec(before)?.[1] ?? '';
  const signs = /^(?:\s*,)?[;, \t]*/.exec(after)?.[0] ?? '';
  return { start: start - words.length, end: end + signs.length };
}

/** Returns the parts of a range outside the holes. */
function without(bytes: Buffer, { start, end }: ByteRange, holes: readonly ByteRange[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = start;
  for (const hole of [...holes].sort((a, b) => a.start - b.start)) {
    if (hole.start > at) pieces.push(bytes.subarray(at, Math.min(hole.start, end)));
    at = Math.max(at, hole.end);
    if (at >= end) return pieces;
  }
  pieces.push(bytes.subarray(at, end));
  return pieces;
}
