/**
 * Encodes the names in one blob whose meaning a compiler has told; `record-kind.ts` states the rules for the bytes. Symbols
 * are numbers made from the compiler's own names for them (`moniker`), so that a record says which names in two blobs mean
 * the same, and nothing else.
 */
import { createHash } from 'node:crypto';
import { type CborValue, decodeCanonical, encodeCanonical } from './cbor.js';
import { bytesOf, corrupt, count } from './checks.js';
import { ColumnReader, ColumnWriter } from './columns.js';
import {
  COMPILER_FORMAT,
  COMPILER_KIND,
  MAX_BLOB_BYTES,
  MAX_OCCURRENCES,
  MAX_RELATION_STRING,
  RECORD_LIMITS,
} from './limits.js';
import { decodeRecord, encodeRecord, type RecordKind } from './record-kind.js';
import type { CompilerOccurrence, CompilerRecord, Decoded } from './types.js';

const MONIKER_BYTES = 6;
/** Bits of `CompilerOccurrence`. */
const DEFINITION = 1;
const WRITE = 2;
const MEMBER = 4;
const LOCAL = 8;

/** Number that stands for a symbol: the first 48 bits of the SHA-256 of its name. */
export function moniker(symbol: string): number {
  return createHash('sha256').update(symbol, 'utf8').digest().readUIntBE(0, MONIKER_BYTES);
}

/** Gives each value a number, in the order of their first appearance. */
class Numbers<T> {
  private readonly known = new Map<T, number>();

  of(value: T): number {
    const found = this.known.get(value) ?? this.known.size;
    this.known.set(value, found);
    return found;
  }

  values(): T[] {
    return [...this.known.keys()];
  }
}

function flagsOf({ isDefinition, isWrite, isMember, isLocal }: CompilerOccurrence): number {
  const flags = [isDefinition && DEFINITION, isWrite && WRITE, isMember && MEMBER, isLocal && LOCAL];
  return flags.reduce<number>((sum, flag) => sum + (flag || 0), 0);
}

function write({ occurrences }: CompilerRecord): CborValue {
  const names = new Numbers<string>();
  const monikers = new Numbers<number>();
  const table = new ColumnWriter();
  table.column(occurrences.map(({ line }, i) => line - (i === 0 ? 0 : occurrences[i - 1].line)));
  table.column(occurrences.map(({ column }) => column));
  table.column(occurrences.map(({ name }) => names.of(name)));
  table.column(occurrences.map((it) => monikers.of(it.moniker)));
  table.column(occurrences.map(flagsOf));
  const numbers = monikers.values();
  const bytes = Buffer.alloc(numbers.length * MONIKER_BYTES);
  numbers.forEach((value, i) => {
    bytes.writeUIntBE(value, i * MONIKER_BYTES, MONIKER_BYTES);
  });
  return [occurrences.length, names.values().join('\n'), bytes, table.finish()];
}

function read(payload: unknown): CompilerRecord {
  if (!Array.isArray(payload) || payload.length !== 4) corrupt('the payload is not an array of four');
  const total = count(payload[0], MAX_OCCURRENCES, 'number of occurrences');
  const names = readNames(payload[1]);
  const monikers = readMonikers(bytesOf(payload[2], 'monikers'));
  const table = new ColumnReader(bytesOf(payload[3], 'columns'));
  const [steps, columns, name, symbol, flags] = Array.from({ length: 5 }, () => table.column(total));
  table.end();
  firstSeen(name, names.length);
  firstSeen(symbol, monikers.length);
  const occurrences: CompilerOccurrence[] = [];
  let line = 0;
  for (let i = 0; i < total; i++) {
    line += steps[i];
    if (line < 1 || line > MAX_BLOB_BYTES || columns[i] > MAX_BLOB_BYTES) corrupt('an occurrence outside of any blob');
    if (i > 0 && steps[i] === 0 && columns[i] <= columns[i - 1]) corrupt('occurrences out of order');
    if (flags[i] > DEFINITION + WRITE + MEMBER + LOCAL) corrupt('unknown flags');
    const has = (flag: number) => (flags[i] & flag) !== 0;
    occurrences.push({
      ...{ line, column: columns[i], name: names[name[i]], moniker: monikers[symbol[i]] },
      ...{ isDefinition: has(DEFINITION), isWrite: has(WRITE), isMember: has(MEMBER), isLocal: has(LOCAL) },
    });
  }
  return { occurrences };
}

function readNames(value: unknown): string[] {
  if (typeof value !== 'string') corrupt('names are not a text');
  const names = value === '' ? [] : value.split('\n');
  if (names.some((name) => name === '' || name.length > MAX_RELATION_STRING)) corrupt('a name of a wrong length');
  if (new Set(names).size < names.length) corrupt('a name twice');
  return names;
}

function readMonikers(bytes: Uint8Array): number[] {
  if (bytes.length % MONIKER_BYTES !== 0) corrupt('monikers end within one');
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const monikers: number[] = [];
  for (let at = 0; at < view.length; at += MONIKER_BYTES) monikers.push(view.readUIntBE(at, MONIKER_BYTES));
  if (new Set(monikers).size < monikers.length) corrupt('a moniker twice');
  return monikers;
}

/** Checks that numbers first appear in their order, all of them: then one record has one encoding. */
function firstSeen(column: Uint32Array, total: number): void {
  let next = 0;
  for (const value of column) {
    if (value > next) corrupt('a number before its turn');
    if (value === next) next++;
  }
  if (next !== total) corrupt('a name or moniker without an occurrence');
}

const COMPILER: RecordKind<CompilerRecord> = { name: COMPILER_KIND, version: COMPILER_FORMAT, write, read };

/** Encodes what a compiler told about blob `oid` (hex of SHA-1 or SHA-256); null if that exceeds 1 MiB. */
export function encodeCompilerRecord(oid: string, record: CompilerRecord): Uint8Array | null {
  return encodeRecord(COMPILER, oid, record);
}

/** Decodes the record of blob `oid`. Never throws. It may still be wrong: its names must stand where it says. */
export function decodeCompilerRecord(bytes: Uint8Array, oid: string): Decoded<CompilerRecord> {
  return decodeRecord(COMPILER, bytes, oid);
}

/** Bytes of a record alone, for caches. */
export function encodeOccurrences(record: CompilerRecord): Uint8Array {
  return encodeCanonical(write(record));
}

/** Decodes bytes of `encodeOccurrences`. Throws RECORD_CORRUPT. */
export function decodeOccurrences(bytes: Uint8Array): CompilerRecord {
  return read(decodeCanonical(bytes, RECORD_LIMITS));
}
