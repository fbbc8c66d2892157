/**
 * Compares two versions of a file: added, removed and changed symbols, and pairs of a removed and an added symbol that
 * are one that moved.
 */
import { addTo, firstFrom } from '../base/lists.js';
import { qualifiedName } from '../extract/collect-drafts.js';
import type { BlobFacts, ByteRange, CodeSymbol } from '../extract/facts.js';
import {
  type BlobSource,
  condense,
  countWords,
  hashOf,
  MOVED_SIMILARITY,
  similarity,
  type WordCounts,
} from './file-versions.js';

/**
 * Parts of a symbol without its members, as text or as hashes of it. All but `raw` are without white space; signature and body are also
 * without known comments.
 */
interface SymbolParts {
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
 * Symbols of one version of a file. Parts and hashes are made on demand, since most symbols of two versions are equal byte by byte: hashing
 * all symbols of 538 versions took .9 s, those that are needed .3 s. Holds the bytes of the version.
 */
export class FileDigest {
  private readonly members = new Map<number, number[]>();
  private readonly texts = new Map<number, string>();

  constructor(
    private readonly bytes: Buffer,
    private readonly facts: Pick<BlobFacts, 'symbols'>,
    private readonly comments: readonly ByteRange[] = [],
  ) {
    for (const [i, { container }] of facts.symbols.entries()) addTo(this.members, container, i);
  }

  /** Returns the same version with its comments, which are in the order of their starts. */
  withComments(comments: readonly ByteRange[]): FileDigest {
    return new FileDigest(this.bytes, this.facts, comments);
  }

  get size(): number {
    return this.facts.symbols.length;
  }

  at(index: number): CodeSymbol {
    return this.facts.symbols[index];
  }

  /** Name to compare: equal for symbols of equal kind and qualified name. */
  nameOf(index: number): string {
    return `${this.at(index).kind} ${qualifiedName(this.facts.symbols, index)}`;
  }

  /** Are two symbols equal byte by byte, with their members and doc comments? */
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

  /** Parts by which two versions of a symbol are compared: nothing is hashed for symbols that turn out equal. */
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

  /**
   * Text as written that belongs to a symbol and to none of its members: modifiers on its line, doc comment, own code; for -1 that outside of
   * all symbols. Every byte but the commas and blanks between members is in the text of one symbol.
   */
  ownText(index: number): string {
    const isFile = index < 0;
    const range = isFile ? { start: 0, end: this.bytes.length } : this.at(index);
    const doc = isFile ? null : this.at(index).doc;
    const isApart = doc !== null && (doc.end <= range.start || doc.start >= range.end);
    const start = isFile ? 0 : Math.min(range.start, wide(this.bytes, range).start);
    const pieces = without(this.bytes, { start, end: range.end }, this.holesOf(index));
    const texts = [...(isApart ? [this.slice(doc)] : []), ...pieces].map((piece) => piece.toString('latin1').trim());
    return texts.filter((text) => text !== '').join('\0');
  }

  /** `parts`: of the symbol, if they are known already. */
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
   * Hash of a symbol without white space. Members go in as their hashes (a Merkle tree), so that each byte is read once however deeply
   * functions are nested. A stack takes the place of recursion.
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

  /** Comments that begin in a range. Searches by halves, since a file may have 100,000 comments and as many symbols. */
  private commentsFrom(start: number, end: number): readonly ByteRange[] {
    const first = firstFrom(this.comments.length, (i) => this.comments[i].start < start);
    let last = first;
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

/** Extends a definition by the words before it on its line (`export default`) and by what separates it from the next (a comma). */
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

/** Part of a symbol that changed; `layout` means white space only, and comments where they are known. */
type SymbolPart = 'signature' | 'body' | 'doc' | 'layout';

export interface SymbolChange {
  type: 'added' | 'removed' | 'changed' | 'moved';
  /** New version of the symbol; for a removed symbol the old one. */
  symbol: SymbolDigest;
  /** Number of symbols inside an added or removed one, which are not listed separately. */
  members: number;
  /** Names of the direct members of an added or removed symbol. */
  memberNames?: readonly string[];
  parts?: SymbolPart[];
  /** Former place of a moved symbol. */
  from?: { path: string; symbol: SymbolDigest };
}

export interface FileDiff {
  changes: SymbolChange[];
  /** Number of symbols without changes. */
  unchanged: number;
  /** Did text outside all symbols change? */
  outside: boolean;
  /** May the changes be comments only? To tell, both versions have to be parsed. */
  mayBeComments: boolean;
}

const NOTHING = new FileDigest(Buffer.alloc(0), { symbols: [] });

/**
 * Lists symbol changes. Members of an added or removed symbol are only counted. A symbol counts as changed if its own
 * text changed, not that of its members.
 */
export function diffSymbols(before: FileDigest | null, after: FileDigest | null): FileDiff {
  const [old, now] = [before ?? NOTHING, after ?? NOTHING];
  const pairs = pairSymbols(old, now);
  const matched = new Set(pairs.values());
  const [inOld, inNow] = [countMembers(old), countMembers(now)];
  const isAdded = (i: number) => i >= 0 && !pairs.has(i);
  const isRemoved = (i: number) => i >= 0 && !matched.has(i);
  const changes: SymbolChange[] = [];
  let unchanged = 0;
  let mayBeComments = false;
  for (let i = 0; i < now.size; i++) {
    const { container } = now.at(i);
    const partner = pairs.get(i);
    if (partner === undefined) {
      if (!isAdded(container)) changes.push({ type: 'added', symbol: now.digest(i), ...membersOf(now, i, inNow[i]) });
      continue;
    }
    const change = now.isEqual(i, old, partner) ? null : changeOf(now, i, old.parts(partner));
    if (change === null) {
      unchanged++;
      continue;
    }
    changes.push(change.stated);
    mayBeComments ||= change.mayBeComments;
  }
  for (let i = 0; i < old.size; i++) {
    if (!isRemoved(i) || isRemoved(old.at(i).container)) continue;
    changes.push({ type: 'removed', symbol: old.digest(i), ...membersOf(old, i, inOld[i]) });
  }
  const outside = before !== null && after !== null && old.outside() !== now.outside();
  return { changes, unchanged, outside, mayBeComments };
}

/** Change of a symbol whose text differs from `former`; null if no part of it does. */
function changeOf(
  now: FileDigest,
  i: number,
  former: SymbolParts,
): { stated: SymbolChange; mayBeComments: boolean } | null {
  const own = now.parts(i);
  const parts = changedPartsOf(former, own);
  if (parts.length === 0) return null;
  return {
    stated: { type: 'changed', symbol: now.digest(i, own), members: 0, parts },
    mayBeComments: !areCosmetic(parts) && mayDifferInComments(former.raw, own.raw),
  };
}

/** Pairs new and old symbols of one name: those with equal text first, then the rest in order. Maps new to old indexes. */
function pairSymbols(old: FileDigest, now: FileDigest): Map<number, number> {
  const [oldNames, names] = [old, now].map((file) => Array.from({ length: file.size }, (_, i) => file.nameOf(i)));
  const pairs = new Map<number, number>();
  const pair = (oldKeys: readonly (string | null)[], keys: readonly (string | null)[]) => {
    const taken = new Set(pairs.values());
    const waiting = new Map<string | null, number[]>();
    // Fills the lists from the end, so that `pop` gives the first symbol.
    for (let i = old.size - 1; i >= 0; i--) {
      const key = oldKeys[i];
      if (key === null || taken.has(i)) continue;
      addTo(waiting, key, i);
    }
    for (const [i, key] of keys.entries()) {
      const found = key === null || pairs.has(i) ? undefined : waiting.get(key)?.pop();
      if (found !== undefined) pairs.set(i, found);
    }
  };
  // Only names that stand for several symbols need their texts.
  const repeated = new Set([...repeatedIn(oldNames), ...repeatedIn(names)]);
  const withText = (file: FileDigest, all: readonly string[]) =>
    all.map((name, i) => (repeated.has(name) ? `${name} ${file.text(i)}` : null));
  if (repeated.size > 0) pair(withText(old, oldNames), withText(now, names));
  pair(oldNames, names);
  return pairs;
}

function repeatedIn(names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return repeated;
}

function changedPartsOf(before: SymbolParts, after: SymbolParts): SymbolPart[] {
  const parts: SymbolPart[] = [];
  if (before.signature !== after.signature || before.exported !== after.exported) parts.push('signature');
  if (before.body !== after.body) parts.push('body');
  if (before.doc !== after.doc) parts.push('doc');
  if (parts.length === 0 && before.raw !== after.raw) parts.push('layout');
  return parts;
}

const areCosmetic = (parts: readonly SymbolPart[]): boolean =>
  parts.every((part) => part === 'doc' || part === 'layout');

/** Did only comments and white space change? No other code is affected then. */
export function isCosmetic({ type, parts }: SymbolChange): boolean {
  return type === 'changed' && parts !== undefined && areCosmetic(parts);
}

function membersOf(
  file: FileDigest,
  container: number,
  members: number,
): Pick<SymbolChange, 'members' | 'memberNames'> {
  const memberNames: string[] = [];
  for (let i = container + 1; i <= container + members; i++)
    if (file.at(i).container === container) memberNames.push(file.at(i).name);
  return { members, memberNames };
}

/** Counts the symbols inside each symbol, at any depth. Members follow their container in the list. */
function countMembers(file: FileDigest): number[] {
  const counts: number[] = new Array(file.size).fill(0);
  for (let i = file.size - 1; i >= 0; i--) {
    const { container } = file.at(i);
    if (container >= 0) counts[container] += counts[i] + 1;
  }
  return counts;
}

/** Marks that open a comment in some language, or begin its further lines. */
const MARK = /\/[/*]|#|--|\{-|=begin|^\*/;
/** Opening and closing marks of comments over several lines. */
const BLOCKS: readonly (readonly [open: string, close: string])[] = [
  ['/*', '*/'],
  ['<!--', '-->'],
  ['{-', '-}'],
  ['--[[', ']]'],
  ['=begin', '=end'],
];

/** False means that code differs. True proves nothing, as the marks may stand in strings. */
function mayDifferInComments(before: string, after: string): boolean {
  const [old, now] = [readLines(before), readLines(after)];
  const [gone, added] = [markedIn(old, now), markedIn(now, old)];
  if (gone.length + added.length === 0) return false;
  return hasOnlyComments(old, now, added) && hasOnlyComments(now, old, gone);
}

/** Lines without indentation, each with true if it may hold a comment. */
function readLines(text: string): Map<string, boolean> {
  const lines = new Map<string, boolean>();
  let close: string | null = null;
  for (const written of text.split(/[\n\0]/)) {
    const line = written.trim();
    if (line === '') continue;
    const isMarked = close !== null || MARK.test(line);
    lines.set(line, isMarked || (lines.get(line) ?? false));
    const opened: (readonly [string, string])[] = BLOCKS.filter(([open]) => line.includes(open));
    if (close !== null && line.includes(close)) close = null;
    for (const [open, end] of opened) if (line.lastIndexOf(open) > line.lastIndexOf(end)) close = end;
  }
  return lines;
}

type Lines = ReadonlyMap<string, boolean>;

/** Lines that may hold a comment and that the other text lacks. */
const markedIn = (lines: Lines, others: Lines): string[] =>
  [...lines].filter(([line, mayBeComment]) => mayBeComment && !others.has(line)).map(([line]) => line);

/** Is every line that the other text lacks a comment, or the beginning of a line with a comment there (`marked`)? */
function hasOnlyComments(lines: Lines, others: Lines, marked: readonly string[]): boolean {
  const sorted = [...marked].sort();
  for (const [line, mayBeComment] of lines)
    if (
      !mayBeComment &&
      !others.has(line) &&
      !sorted[firstFrom(sorted.length, (i) => sorted[i] < line)]?.startsWith(line)
    )
      return false;
  return true;
}

/** Symbol change with its file, and the blob that has the symbol. */
export interface PlacedChange {
  path: string;
  oid: string;
  change: SymbolChange;
}

/** Maximum number of pairs compared word by word. Equal texts need no such comparison. */
const MAX_COMPARED = 4_000;
/** Minimum size of a symbol for a comparison by words. Two short getters of one name in two files are no move. */
const MIN_MOVED_BYTES = 32;

/** Turns the `added` change of each pair into `moved`. Returns the `removed` changes of the pairs, which the caller drops. */
export async function joinMoves(all: readonly PlacedChange[], source: BlobSource): Promise<Set<SymbolChange>> {
  const removed = new Map<string, PlacedChange[]>();
  for (const placed of all) {
    if (placed.change.type !== 'removed') continue;
    addTo(removed, nameOf(placed.change.symbol), placed);
  }
  const added = all.filter(({ change }) => change.type === 'added' && removed.has(nameOf(change.symbol)));
  const gone = new Set<SymbolChange>();
  const join = (to: PlacedChange, from: PlacedChange) => {
    const parts = changedPartsOf(from.change.symbol, to.change.symbol);
    Object.assign(to.change, { type: 'moved', from: { path: from.path, symbol: from.change.symbol }, parts });
    gone.add(from.change);
  };
  const candidates = (to: PlacedChange) =>
    (removed.get(nameOf(to.change.symbol)) ?? []).filter(({ change }) => !gone.has(change));
  for (const to of added) {
    const twin = candidates(to).find(({ change }) => change.symbol.text === to.change.symbol.text);
    if (twin !== undefined) join(to, twin);
  }
  const words = new WordCache(source);
  let compared = 0;
  for (const to of added) {
    if (to.change.type !== 'added' || sizeOf(to.change.symbol) < MIN_MOVED_BYTES) continue;
    let best: PlacedChange | null = null;
    let most = MOVED_SIMILARITY;
    for (const from of candidates(to)) {
      if (++compared > MAX_COMPARED) return gone;
      const score = similarity(await words.of(from), await words.of(to));
      if (score >= most) [best, most] = [from, score];
    }
    if (best !== null) join(to, best);
  }
  return gone;
}

const nameOf = ({ kind, name }: SymbolDigest): string => `${kind} ${name}`;
const sizeOf = ({ start, end }: SymbolDigest): number => end - start;

class WordCache {
  private readonly known = new Map<PlacedChange, WordCounts>();

  constructor(private readonly source: BlobSource) {}

  async of(placed: PlacedChange): Promise<WordCounts> {
    const known = this.known.get(placed);
    if (known !== undefined) return known;
    const { start, end } = placed.change.symbol;
    const words = countWords((await this.source.bytes(placed.oid))?.subarray(start, end) ?? Buffer.alloc(0));
    this.known.set(placed, words);
    return words;
  }
}
