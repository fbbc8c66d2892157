/** What of a file's symbols has to be known to compare it with another version: hashes, not text. */
import type { BlobFacts, ByteRange, CodeSymbol } from '../extract/facts.js';
import { qualifiedName } from '../extract/symbols.js';
import { condense, hashOf } from './definitions.js';

export interface SymbolDigest {
  /** Qualified. */
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
  /** Blind to white space: all of it (its members by their own `text`), and of what they leave signature, rest and doc comment. */
  text: string;
  signature: string;
  body: string;
  doc: string;
  /** Its own text with its white space, but that between members. */
  raw: string;
}

export interface FileDigest {
  symbols: SymbolDigest[];
  /** Text outside all symbols and their doc comments, blind to white space. */
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
 * A hash of each symbol, blind to white space. The text of members goes in as their hashes (a Merkle tree), so that each
 * byte is read once, however deep functions are nested.
 */
function hashNested(bytes: Buffer, symbols: readonly CodeSymbol[]): string[] {
  const texts: string[] = new Array(symbols.length).fill('');
  const members = new Map<number, number[]>();
  // Containers stand before what they contain; those of one container come in order.
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

/** Members with the doc comments above them. */
function holesOf(bytes: Buffer, members: readonly CodeSymbol[]): ByteRange[] {
  return members.flatMap((member) => (member.doc === null ? [wide(bytes, member)] : [wide(bytes, member), member.doc]));
}

/** Longer lines are no place to look for modifiers. */
const MAX_MARGIN = 200;

/** A definition with the words before it on its line (`export default`) and the punctuation behind it: they go with it. */
function wide(bytes: Buffer, { start, end }: ByteRange): ByteRange {
  const before = bytes.toString('latin1', Math.max(0, start - MAX_MARGIN), start);
  const after = bytes.toString('latin1', end, end + MAX_MARGIN);
  const words = /(?:^|\n)([\w\t ]*)$/.exec(before)?.[1] ?? '';
  const signs = /^[;, \t]*(?=[\r\n]|$)/.exec(after)?.[0] ?? '';
  return { start: start - words.length, end: end + signs.length };
}

/** The parts of a range outside the holes. */
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
