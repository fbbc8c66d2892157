/**
 * The part of one file's facts that linking needs, as bytes. They fill a private cache, which has the facts of thousands of files next to
 * the graph made from them. They are never written to notes and have no version of their own: the cache file has one. Reading them is as
 * careful as reading a record, because a cache directory can come from anywhere.
 */
import { isUtf8 } from 'node:buffer';
import { SocraticodeError } from '../base/errors.js';
import { type CodeSymbol, SYMBOL_KINDS } from '../extract/facts.js';
import type { Reference, Relations } from '../languages/roles/relation-facts.js';
import { bytesOf, corrupt, count, decodeCanonical, encodeCanonical, isWellFormed } from './cbor.js';
import {
  ARITY_UNIT,
  addParameters,
  ColumnReader,
  ColumnWriter,
  EXPORTED,
  FIXED,
  KIND_CODES,
  parameterFlags,
} from './columns.js';
import { MAX_BLOB_BYTES, MAX_NAME_LENGTH, MAX_RECORD_BYTES, MAX_SYMBOLS, RECORD_LIMITS } from './format.js';
import { packRelations, unpackReferences, unpackRelations } from './relations-codec.js';

export type LinkSymbol = Pick<
  CodeSymbol,
  'name' | 'kind' | 'container' | 'exported' | 'fixed' | 'arity' | 'parameters' | 'startLine' | 'endLine'
>;

/** Part of a file's facts that linking needs. */
export interface LinkFacts {
  lines: number;
  symbols: readonly LinkSymbol[];
  relations: Relations;
  /** Names that a compiler resolved (`encodeOccurrences`), if there is such a record. */
  compiled?: Uint8Array;
}

/** `[lines, symbol count, symbol columns, names, relations]`, and the compiler's names if there are some. */
const FIELDS = 5;

/** Twice the bounds of a record. Facts that are too large for a record can be cached, and the extractor gives no more than this. */
const LIMITS = { ...RECORD_LIMITS, maxBytes: 2 * MAX_RECORD_BYTES, maxString: 2 * MAX_RECORD_BYTES };

function refuse(what: string): never {
  throw new SocraticodeError('INTERNAL', `cannot write facts for linking: ${what}`);
}

function symbolColumns(symbols: readonly LinkSymbol[]): Uint8Array {
  const table = new ColumnWriter();
  table.column(symbols.map(({ name }) => name.length));
  table.column(symbols.map(({ kind }) => KIND_CODES.get(kind) ?? -1));
  table.column(symbols.map(({ container }, i) => (container === -1 ? 0 : i - container)));
  table.column(
    symbols.map((symbol) => (symbol.exported ? EXPORTED : 0) | (symbol.fixed ? FIXED : 0) | parameterFlags(symbol)),
  );
  table.column(symbols.map(({ startLine }, i) => startLine - (i === 0 ? 0 : symbols[i - 1].startLine)));
  table.column(symbols.map(({ startLine, endLine }) => endLine - startLine));
  return table.finish();
}

/**
 * Encodes the facts; equal facts give equal bytes. Throws INTERNAL for facts that no record could hold, except that they may take 2 MiB.
 */
export function encodeLinkFacts({ lines, symbols, relations, compiled }: LinkFacts): Uint8Array {
  if (!symbols.every(({ name }) => isWellFormed(name))) refuse('a name with a lone surrogate');
  const names = Buffer.from(symbols.map(({ name }) => name).join(''));
  const fields = [lines, symbols.length, symbolColumns(symbols), names, packRelations(relations)];
  const bytes = encodeCanonical(compiled === undefined ? fields : [...fields, compiled]);
  if (bytes.length > LIMITS.maxBytes) refuse('more than 2 MiB');
  return bytes;
}

function readSymbols(table: Uint8Array, total: number, names: Uint8Array, lines: number): LinkSymbol[] {
  const reader = new ColumnReader(table);
  const next = () => reader.column(total);
  const [lengths, kinds, containers, flags, steps, spans] = [next(), next(), next(), next(), next(), next()];
  reader.end();
  if (!isUtf8(names)) corrupt('names are not UTF-8');
  const text = Buffer.from(names.buffer, names.byteOffset, names.byteLength).toString('utf8');
  const symbols: LinkSymbol[] = [];
  let at = 0;
  let line = 0;
  for (let i = 0; i < total; i++) {
    const end = at + lengths[i];
    if (lengths[i] > MAX_NAME_LENGTH || end > text.length) corrupt('name of a wrong length');
    if ((text.charCodeAt(end) & 0xfc00) === 0xdc00) corrupt('name cut inside a character');
    line += steps[i];
    if (line === 0 || line + spans[i] > lines) corrupt('line of a symbol lies outside the blob');
    if (containers[i] > i || ((flags[i] % ARITY_UNIT) & ~(EXPORTED | FIXED)) !== 0)
      corrupt('container or flag of a symbol');
    const symbol: LinkSymbol = {
      name: text.slice(at, end),
      kind: SYMBOL_KINDS[kinds[i]] ?? corrupt('unknown symbol kind'),
      container: containers[i] === 0 ? -1 : i - containers[i],
      exported: (flags[i] & EXPORTED) !== 0,
      startLine: line,
      endLine: line + spans[i],
    };
    if (flags[i] & FIXED) symbol.fixed = true;
    addParameters(symbol, flags[i]);
    symbols.push(symbol);
    at = end;
  }
  if (at !== text.length) corrupt('text after the last name');
  return symbols;
}

/** Decodes the bytes of `encodeLinkFacts`. Throws RECORD_CORRUPT for anything else, and allocates nothing for a false count. */
export function decodeLinkFacts(bytes: Uint8Array): LinkFacts {
  const { value, lines, total } = readFields(bytes);
  const symbols = readSymbols(bytesOf(value[2], 'symbol columns'), total, bytesOf(value[3], 'names'), lines);
  const facts = { lines, symbols, relations: unpackRelations(value[4], total, lines) };
  return value.length === FIELDS ? facts : { ...facts, compiled: bytesOf(value[FIELDS], "the compiler's names") };
}

/** Decodes the references alone, from bytes that `decodeLinkFacts` has decoded before. */
export function decodeReferences(bytes: Uint8Array): Reference[] {
  const { value, lines, total } = readFields(bytes);
  return unpackReferences(value[4], total, lines);
}

function readFields(bytes: Uint8Array): { value: unknown[]; lines: number; total: number } {
  const value = decodeCanonical(bytes, LIMITS);
  if (!Array.isArray(value) || (value.length !== FIELDS && value.length !== FIELDS + 1))
    corrupt('facts are not an array of five or six');
  const lines = count(value[0], MAX_BLOB_BYTES + 1, 'line count');
  return { value, lines, total: count(value[1], MAX_SYMBOLS, 'symbol count') };
}
