/** The fields that a chunk contributes to the lexical index, derived from the blob's bytes and facts. */
import crypto from 'node:crypto';
import type { BlobFacts, Chunk, CodeSymbol } from '../extract/facts.js';
import { qualifiedName } from '../extract/symbols.js';

export interface ChunkFields {
  /** The chunk's text in UTF-8; empty for what a program made. */
  body: Uint8Array;
  /** Definitions whose name lies in this chunk. */
  defined: CodeSymbol[];
  /** Names of the definitions that contain the whole chunk, outermost first. */
  enclosing: string[];
  /** Qualified name that a result shows; '' if the chunk belongs to no definition. */
  symbol: string;
  /** First 4 bytes of the text's SHA-256: equal chunks collapse in results (their text is compared too). */
  hash: number;
}

const NOTHING = new Uint8Array();

/** Computes the fields of every chunk of a blob, in order. */
export function chunkFields(bytes: Uint8Array, facts: BlobFacts): ChunkFields[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let next = 0;
  const byName = ownSymbols(facts.symbols).sort((a, b) => a.nameStart - b.nameStart);
  return facts.chunks.map((chunk) => {
    const defined: CodeSymbol[] = [];
    while (next < byName.length && byName[next].nameStart < chunk.start) next++;
    while (next < byName.length && byName[next].nameStart < chunk.end) defined.push(byName[next++]);
    const text = buffer.subarray(chunk.start, chunk.end);
    return {
      body: chunk.kind === 'output' ? NOTHING : text,
      defined,
      enclosing: enclosingNames(facts.symbols, chunk),
      symbol: chunk.symbol < 0 ? '' : qualifiedName(facts.symbols, chunk.symbol),
      hash: textHash(text),
    };
  });
}

const METHODS: ReadonlySet<string> = new Set(['method', 'constructor']);

/** Symbols without members that a method assigns: such a name is no more than a use of it for a search. */
function ownSymbols(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  const around: CodeSymbol[] = [];
  return symbols.filter((symbol) => {
    while (around.length > 0 && around[around.length - 1].end <= symbol.start) around.pop();
    const isAssigned = around.some(({ kind, container }) => METHODS.has(kind) && container === symbol.container);
    around.push(symbol);
    return !isAssigned;
  });
}

function textHash(text: Uint8Array): number {
  // `crypto.hash` takes half the time of a hash object, but older versions of Node do not have it.
  if (crypto.hash === undefined) return crypto.createHash('sha256').update(text).digest().readUInt32LE(0);
  const digest = crypto.hash('sha256', text, 'binary');
  const byte = (at: number) => digest.charCodeAt(at) << (at * 8);
  return (byte(0) | byte(1) | byte(2) | byte(3)) >>> 0;
}

function enclosingNames(symbols: readonly CodeSymbol[], chunk: Chunk): string[] {
  const names: string[] = [];
  let at = chunk.symbol;
  while (at >= 0) {
    const symbol = symbols[at];
    const contains = symbol.start < chunk.start || symbol.nameStart < chunk.start;
    if (contains) names.unshift(symbol.name);
    at = symbol.container;
  }
  return names;
}
