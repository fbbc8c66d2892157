/** Reduces each symbol of a file to hashes, by which two versions of the file are compared. */
import type { BlobFacts, ByteRange, CodeSymbol } from '../extract/facts.js';
import { qualifiedName } from '../extract/symbols.js';
import { condense, hashOf } from './definitions.js';

export interface SymbolDigest {
  /** Qualified name. */
  symbol: string;
  name: string;
  kind: string;
  exported: boolean;
  startLine: number;
  endLine: number;
  start: number;
  end: number;
  /** Index of the enclosing symbol, -1 at the top. */
  container: number;
  /**
   * Hashes without white space. `text` is the whole symbol, with the members' own `text`; `signature`, `body` and `doc`
   * are its parts without the members.
   */
  text: string;
  signature: string;
  body: string;
  doc: string;
  /** Hash of its own text with white space, except that between members. */
  raw: string;
}

export interface FileDigest {
  symbols: SymbolDigest[];
  /** Hash without white space of the text outside all symbols and their doc comments. */
  outside: string;
}

export function digestFile(bytes: Buffer, facts: BlobFacts): FileDigest {
  const children = new Map<number, CodeSymbol[]>();
  for (const symbol of facts.symbols) {
    const siblings = children.get(symbol.container);
    if (siblings === undefined) children.set(symbol.container, [symbol]);
    else siblings.push(symbol);
  }
  const texts = hashNested(bytes, facts.symbols);
  const symbols = facts.symbols.map((_, i) => digestSymbol(bytes, facts, i, { members: children.get(i) ?? [], texts }));
  const whole = { start: 0, end: bytes.length };
  return {
    symbols,
    outside: hashOf([
      without(bytes, whole, holesOf(bytes, children.get(-1) ?? []))
        .map(condense)
        .join(''),
    ]),
  };
}

/**
 * Hashes each symbol without white space. Members go in as their hashes (a Merkle tree), so that each byte is read once
 * however deeply functions are nested.
 */
function hashNested(bytes: Buffer, symbols: readonly CodeSymbol[]): string[] {
  const texts: string[] = new Array(symbols.length).fill('');
  const members = new Map<number, number[]>();
  // Containers come before their members in the list, and members of one container are in order.
  for (let i = symbols.length - 1; i >= 0; i--) {
    const { start, end, container } = symbols[i];
    const parts: string[] = [];
    let at = start;
    for (const member of (members.get(i) ?? []).reverse()) {
      const inner = symbols[member];
      if (inner.start < at || inner.end > end) continue;
      parts.push(condense(bytes.subarray(at, inner.start)), texts[member]);
      at = inner.end;
    }
    parts.push(condense(bytes.subarray(at, end)));
    texts[i] = hashOf(parts);
    members.delete(i);
    const siblings = members.get(container);
    if (siblings === undefined) members.set(container, [i]);
    else siblings.push(i);
  }
  return texts;
}

interface Nested {
  members: readonly CodeSymbol[];
  texts: readonly string[];
}

function digestSymbol(bytes: Buffer, facts: BlobFacts, index: number, { members, texts }: Nested): SymbolDigest {
  const symbol = facts.symbols[index];
  const { name, kind, exported, startLine, endLine, start, end, container, signature, doc } = symbol;
  const holes = holesOf(bytes, members);
  const inside = doc !== null && doc.start >= start && doc.end <= end ? [doc] : [];
  const own = without(bytes, symbol, holes);
  const hash = (range: ByteRange, gaps: readonly ByteRange[]) =>
    hashOf([without(bytes, range, gaps).map(condense).join('')]);
  return {
    symbol: qualifiedName(facts.symbols, index),
    ...{ name, kind, exported, startLine, endLine, start, end, container },
    text: texts[index],
    signature: hash(signature, [...holes, ...inside]),
    body: hash({ start: signature.end, end }, [...holes, ...inside]),
    doc: doc === null ? '' : hash(doc, []),
    raw: hashOf(own.map((piece) => piece.toString('latin1').trim()).filter((piece) => piece !== '')),
  };
}

/** Byte ranges of members and of the doc comments above them. */
function holesOf(bytes: Buffer, members: readonly CodeSymbol[]): ByteRange[] {
  return members.flatMap((member) => (member.doc === null ? [wide(bytes, member)] : [wide(bytes, member), member.doc]));
}

/** Bytes before and after a definition that are searched for modifiers and punctuation. */
const MAX_MARGIN = 200;

/** Extends a definition by the words before it on its line (`export default`) and the punctuation after it. */
function wide(bytes: Buffer, { start, end }: ByteRange): ByteRange {
  const before = bytes.toString('latin1', Math.max(0, start - MAX_MARGIN), start);
  const after = bytes.toString('latin1', end, end + MAX_MARGIN);
  const words = /(?:^|\n)([\w\t ]*)$/.exec(before)?.[1] ?? '';
  const signs = /^[;, \t]*(?=[\r\n]|$)/.exec(after)?.[0] ?? '';
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
