/**
 * A vector shard: one int8 row for each document of one lexical shard. Row i belongs to document i, so no map is needed. The file never
 * leaves this machine. It is trusted only with this user's seal, and only for the lexical shard and profile that its header names.
 * Layout, little-endian: 256 bytes of magic and JSON, rows, squares (u32), present (u8, optional), hashes (`HASH_BYTES` each, optional),
 * HMAC-SHA-256 of everything before. Below is the arithmetic over such rows, which every score comes from: dot products, cosines and the
 * best documents.
 */
import type { Hmac } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { makeDirectory, plainFileAt, writeStateFile } from '../base/atomic.js';
import { toInt8 } from '../base/binary.js';
import { CheckedFiles } from '../base/cache.js';
import { SocraticodeError } from '../base/errors.js';
import { localKey } from '../base/local-key.js';
import { log } from '../base/log.js';
import { HASH_BYTES } from '../record/format.js';
import { quarantine, vectorPath } from './lexical-format.js';
import type { LexicalShard } from './lexical-shard.js';

/** Change it with the layout; files of other layouts are built again. */
const VECTOR_MAGIC = 'GSCVEC01';
const HEADER_BYTES = 256;
const DIGEST_BYTES = 32;
/** Purpose of the seal. Other sealed files use other names, and the header names the vectors of the file. */
const SEALED_NAME = 'vectors';
/** Far above any model. The limit keeps sizes computed from a damaged header small, and squared lengths exact. */
const MAX_DIMENSIONS = 65_536;

interface VectorHeader {
  profile: string;
  lexical: string;
  dimensions: number;
  count: number;
  present: boolean;
  hashes: boolean;
}

export interface VectorColumns {
  dimensions: number;
  /** count x dimensions numbers: unit vectors scaled so that the largest component is ±127; absent rows are zero. */
  rows: Int8Array;
  /** One byte per row, 0 if the row has no vector; null if all rows have one. */
  present?: Uint8Array | null;
  /** HASH_BYTES per row, of the embedded text; only for embedders whose vectors are worth reusing. */
  hashes?: Uint8Array | null;
}

export class VectorShard {
  readonly dimensions: number;
  readonly count: number;
  /** Rows, from the start of a buffer of their own. */
  readonly rows: Int8Array;
  /** Squared length of each row. */
  readonly squares: Uint32Array;
  readonly present: Uint8Array | null;
  readonly hashes: Uint8Array | null;
  /** Number of rows that have a vector. */
  readonly covered: number;

  /** `digest`: the file's seal in hex; null before the file is written. Throws INTERNAL if the columns' lengths disagree. */
  constructor(
    columns: VectorColumns & { squares?: Uint32Array },
    readonly digest: string | null = null,
  ) {
    const { dimensions, rows, present = null, hashes = null } = columns;
    this.dimensions = dimensions;
    this.count = rows.length / dimensions;
    const agrees =
      isDimensions(dimensions) &&
      Number.isInteger(this.count) &&
      (present === null || present.length === this.count) &&
      (hashes === null || hashes.length === this.count * HASH_BYTES);
    if (!agrees) throw new SocraticodeError('INTERNAL', 'columns of a vector shard have different lengths');
    this.rows = rows.byteOffset === 0 ? rows : rows.slice();
    this.squares = columns.squares ?? squaresOf(this.rows, dimensions);
    this.present = present;
    this.hashes = hashes;
    this.covered = present === null ? this.count : present.reduce((sum, byte) => sum + (byte === 0 ? 0 : 1), 0);
  }

  has(row: number): boolean {
    return this.present === null || this.present[row] !== 0;
  }
}

/** Possible lengths in bytes of a file of `count` rows: with and without each optional column. */
export function vectorFileSizes(count: number, dimensions: number): number[] {
  const least = HEADER_BYTES + DIGEST_BYTES + count * (dimensions + 4);
  return [least, least + count, least + count * HASH_BYTES, least + count * (1 + HASH_BYTES)];
}

function isDimensions(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_DIMENSIONS;
}

/** Encodes a vector file. Throws INTERNAL if the names do not fit into the header. */
function encodeVectorShard(profile: string, lexical: string, shard: VectorShard): Buffer {
  const { dimensions, count } = shard;
  const header: VectorHeader = {
    ...{ profile, lexical, dimensions, count },
    ...{ present: shard.present !== null, hashes: shard.hashes !== null },
  };
  const text = VECTOR_MAGIC + JSON.stringify(header);
  if (text.length > HEADER_BYTES) throw new SocraticodeError('INTERNAL', 'the header of a vector shard is too long');
  const columns = [shard.rows, shard.squares, shard.present, shard.hashes].filter((column) => column !== null);
  const content = Buffer.concat([Buffer.from(text.padEnd(HEADER_BYTES)), ...columns.map(bytesOf)]);
  return Buffer.concat([content, localKey().hmac(SEALED_NAME).update(content).digest()]);
}

function bytesOf({ buffer, byteOffset, byteLength }: Int8Array | Uint8Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Writes a vector file durably, replacing an older one. Returns the shard with its digest. Throws DISK. */
export function writeVectorShard(
  directory: string,
  profile: string,
  lexical: string,
  columns: VectorColumns,
): VectorShard {
  makeDirectory(directory);
  const shard = new VectorShard(columns);
  const bytes = encodeVectorShard(profile, lexical, shard);
  writeStateFile(vectorPath(directory, profile, lexical), bytes);
  return new VectorShard(shard, bytes.toString('hex', bytes.length - DIGEST_BYTES));
}

/**
 * Reads the vectors of a lexical shard with this number of documents; null if there are none that can be trusted. A file that is damaged,
 * or does not match its name, is moved aside.
 */
export function readVectorShard(
  directory: string,
  profile: string,
  lexical: string,
  documents: number,
): VectorShard | null {
  const path = vectorPath(directory, profile, lexical);
  try {
    const shard = columnsAt(path, { profile, lexical, count: documents, checked: CheckedFiles.of(directory) });
    // Without a file (undefined) there is nothing to move aside.
    if (shard !== null) return shard ?? null;
  } catch (error) {
    // The disk failed, not the content: the file stays in place.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.printOnce('warn', `cannot read ${path}: ${(error as Error).message}`);
    return null;
  }
  log.warn(`${basename(path)} is damaged; moved aside, to be built again`);
  quarantine(path);
  return null;
}

/** Returns whether a shard's vectors can be trusted. The file is read only if that is not known. */
export function areVectorsRight(directory: string, profile: string, lexical: string, documents: number): boolean {
  const isKnown = CheckedFiles.of(directory).hasFile(basename(vectorPath(directory, profile, lexical)));
  return isKnown || readVectorShard(directory, profile, lexical, documents) !== null;
}

/** Reads a vector file without changing anything; null if it cannot be trusted. Throws the errors of reading. */
export function inspectVectorShard(
  directory: string,
  profile: string,
  lexical: string,
  documents: number,
): VectorShard | null {
  return columnsAt(vectorPath(directory, profile, lexical), { profile, lexical, count: documents }) ?? null;
}

/**
 * Number of a unit's documents that have a vector, by the file's own word: nothing is computed with the vectors, so the seal is not
 * checked. Null if the file does not fit.
 */
export function presentRows(
  { directory, profile }: { directory: string; profile: string },
  { name: lexical, meta, unitFirst, unitDocuments }: LexicalShard,
  unit: number,
): number | null {
  const path = vectorPath(directory, profile, lexical);
  if (plainFileAt(path) === null) return null;
  const fd = openSync(path, 'r');
  try {
    const header = parseHeader(readBytes(fd, HEADER_BYTES) ?? Buffer.alloc(0));
    if (header?.lexical !== lexical || header.profile !== profile || header.count !== meta.documents) return null;
    const [count, rows] = [unitDocuments[unit], meta.documents * (header.dimensions + 4)];
    if (!header.present) return count;
    const present = Buffer.alloc(count);
    const read = readSync(fd, present, 0, count, HEADER_BYTES + rows + unitFirst[unit]);
    return read === count ? present.reduce((sum, byte) => sum + (byte === 0 ? 0 : 1), 0) : null;
  } finally {
    closeSync(fd);
  }
}

/** Undefined if there is no file, null if it cannot be trusted. Throws the errors of opening and reading. */
function columnsAt(path: string, wanted: ExpectedShard): VectorShard | null | undefined {
  // Opening a pipe would block.
  if (plainFileAt(path) === null) return undefined;
  const fd = openSync(path, 'r');
  try {
    const stamp = CheckedFiles.stampOf(fd);
    const isChecked = wanted.checked?.has(basename(path), stamp) ?? false;
    const columns = readColumns(fd, wanted, isChecked);
    if (columns !== null) wanted.checked?.add(basename(path), stamp);
    return columns;
  } finally {
    closeSync(fd);
  }
}

interface ExpectedShard extends Pick<VectorHeader, 'profile' | 'lexical' | 'count'> {
  /** Files whose seal is known to be right; absent to check it in any case. */
  checked?: CheckedFiles;
}

const isExpected = (header: VectorHeader, { profile, lexical, count }: ExpectedShard): boolean =>
  header.profile === profile && header.lexical === lexical && header.count === count;

/** Null unless header, length and seal are right. Throws the errors of reading. */
function readColumns(fd: number, wanted: ExpectedShard, isChecked: boolean): VectorShard | null {
  const hash = isChecked ? undefined : localKey().hmac(SEALED_NAME);
  const prefix = readBytes(fd, HEADER_BYTES, hash);
  const header = prefix === null ? null : parseHeader(prefix);
  if (header === null || !isExpected(header, wanted)) return null;
  const { count, dimensions } = header;
  const sizes = [4, header.present ? 1 : 0, header.hashes ? HASH_BYTES : 0].map((bytes) => bytes * count);
  // Checked before anything is allocated: a damaged header can claim any size.
  const length = sizes.reduce((sum, bytes) => sum + bytes, HEADER_BYTES + count * dimensions + DIGEST_BYTES);
  if (length !== fstatSync(fd).size) return null;
  const room = makeRows(count, dimensions);
  const rows = readInto(fd, Buffer.from(room.buffer, 0, room.length), hash);
  const [squares, present, hashes] = sizes.map((bytes) => readBytes(fd, bytes, hash));
  const digest = readBytes(fd, DIGEST_BYTES);
  if (rows === null || squares === null || digest === null) return null;
  if (hash !== undefined && !digest.equals(hash.digest())) return null;
  const columns = {
    dimensions,
    rows: room,
    squares: new Uint32Array(squares.buffer, 0, count),
    present: header.present ? present : null,
    hashes: header.hashes ? hashes : null,
  };
  return new VectorShard(columns, digest.toString('hex'));
}

/** Reads the next bytes into a buffer of their own; null at the end of the file. */
const readBytes = (fd: number, length: number, hash?: Hmac): Buffer | null =>
  readInto(fd, Buffer.allocUnsafeSlow(length), hash);

function readInto(fd: number, bytes: Buffer, hash?: Hmac): Buffer | null {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(fd, bytes, at, bytes.length - at, null);
    if (read === 0) return null;
    at += read;
  }
  hash?.update(bytes);
  return bytes;
}

function parseHeader(prefix: Buffer): VectorHeader | null {
  if (prefix.toString('latin1', 0, VECTOR_MAGIC.length) !== VECTOR_MAGIC) return null;
  try {
    const header = JSON.parse(prefix.toString('utf8', VECTOR_MAGIC.length)) as VectorHeader;
    return isDimensions(header.dimensions) && Number.isSafeInteger(header.count) ? header : null;
  } catch {
    return null;
  }
}

// Arithmetic over int8 vectors. Every score is computed here, from integers, so that all engines give the same scores.

/** Query as int8, with its squared length. It has a buffer of its own, because usearch ignores byteOffset. */
export interface QueryVector {
  readonly values: Int8Array;
  readonly square: number;
}

export interface Neighbour {
  /** Global document number. */
  document: number;
  /** Cosine, -1 to 1. */
  score: number;
}

/**
 * Prepares a query vector. Floats are scaled so that the largest component becomes ±127. Throws INTERNAL on a wrong number of dimensions,
 * and on NaN or infinity, which usearch would treat as near.
 */
export function toQuery(vector: Int8Array | Float32Array, dimensions: number): QueryVector {
  if (vector.length !== dimensions) {
    throw new SocraticodeError(
      'INTERNAL',
      `a query of ${vector.length} dimensions does not fit vectors of ${dimensions}`,
    );
  }
  const values = vector instanceof Int8Array ? vector.slice() : scaled(vector);
  return { values, square: squareOf(values, 0, dimensions) };
}

function scaled(vector: Float32Array): Int8Array {
  for (const value of vector)
    if (!Number.isFinite(value)) throw new SocraticodeError('INTERNAL', `a query vector holds ${value}`);
  const values = new Int8Array(vector.length);
  toInt8(vector, values);
  return values;
}

/** Squared length of the row that starts at `at`; it stays below 2^31 for up to 131,000 dimensions. */
function squareOf(rows: Int8Array, at: number, dimensions: number): number {
  let sum = 0;
  for (let i = at; i < at + dimensions; i++) sum = (sum + rows[i] * rows[i]) | 0;
  return sum;
}

/** Squared length of each row. */
export function squaresOf(rows: Int8Array, dimensions: number): Uint32Array {
  const squares = new Uint32Array(rows.length / dimensions);
  for (let row = 0; row < squares.length; row++) squares[row] = squareOf(rows, row * dimensions, dimensions);
  return squares;
}

/** Queries that are compared with rows together. Their numbers have 16 bits, so that one kernel serves both kinds of queries. */
export interface PackedQueries {
  readonly count: number;
  /** One query after the other. */
  readonly values: Int16Array;
}

export const packed = ({ values }: QueryVector): PackedQueries => ({ count: 1, values: Int16Array.from(values) });

/** Queries of real numbers, of which two packed ones hold the upper and the lower bits. */
export interface PreciseQueries {
  packed: PackedQueries;
  /** Factor of the upper part. */
  upper: number;
  /** Factor for each query. */
  scales: readonly number[];
}

/** Bits of the upper part of a number of a vector of length 1. */
const UPPER_BITS = 14;

/** Prepares up to two queries. The lower part has as many bits as leave every sum below 2^31, 15 up to 512 dimensions. */
export function precise(queries: readonly Float32Array[]): PreciseQueries {
  const [{ length: size }] = queries;
  const lower = Math.min(15, Math.floor(Math.log2(2 ** 31 / (128 * size))));
  const values = new Int16Array(2 * queries.length * size);
  const scales = queries.map((query, k) => {
    let square = 0;
    for (const x of query) square += x * x;
    const length = Math.sqrt(square);
    const factor = length === 0 ? 0 : 2 ** (UPPER_BITS + lower) / length;
    for (let i = 0; i < size; i++) {
      const whole = Math.round(query[i] * factor);
      values[2 * k * size + i] = whole >> lower;
      values[(2 * k + 1) * size + i] = whole & (2 ** lower - 1);
    }
    return length === 0 ? 0 : 1 / factor;
  });
  return { packed: { count: 2 * queries.length, values }, upper: 2 ** lower, scales };
}

/** Rows from which they are kept in WebAssembly: each such memory reserves address space. */
const KERNEL_ROWS = 2_048;
/** Most bytes of a memory of WebAssembly. */
const MAX_MEMORY = 2 ** 32;
const PAGE = 65_536;
/** Room for queries, and for the products of a few rows with all of them. */
const MOST_QUERIES = 4;

/** `model/dots.c`, compiled: 128 bits at a time. 134,000 rows of 256 numbers take 1.4 ms, in JavaScript 24. */
const KERNEL = Buffer.from(
  [
    'AGFzbQEAAAABCgFgBn9/f39/fwACDwEDZW52Bm1lbW9yeQIAAQMCAQAHCAEEZG90cwAACt0CAdoCAgd/A3sgAUEASgRAIAJBcHEh',
    'CSACQQF0IQwDQCAEQQBKBEBBACELIAMhCANAAn8gCUEATARA/QwAAAAAAAAAAAAAAAAAAAAAIQ1BAAwBC0EAIQcgCCEG/QwAAAAA',
    'AAAAAAAAAAAAAAAAIg0hDgNAIAAgB2r9AAAAIg/9iAEgBkEQav0AAAD9ugEgDf2uASENIA/9hwEgBv0AAAD9ugEgDv2uASEOIAZB',
    'IGohBiAHQRBqIgcgCUgNAAsgDSAO/a4BIQ0gCQshBiAN/RsAIA39GwFqIA39GwJqIA39GwNqIQogAiAGSgRAIAggBkEBdGohBwNA',
    'IAcuAQAgACAGaiwAAGwgCmohCiAHQQJqIQcgAiAGQQFqIgZHDQALCyAFIAo2AgAgCCAMaiEIIAVBBGohBSALQQFqIgsgBEcNAAsL',
    'IAAgAmohACABQQFKIQggAUEBayEBIAgNAAsLCw==',
  ].join(''),
  'base64',
);

/** The rows' memory of WebAssembly, with room behind the rows for queries and products. Places in it are offsets in bytes. */
interface Kernel {
  /** Compares `count` rows of `size` numbers, from `rows` on, with `number` queries, and writes the products from `out` on. */
  dots: (rows: number, count: number, size: number, queries: number, number: number, out: number) => void;
  buffer: ArrayBuffer;
  queriesAt: number;
  outAt: number;
  /** Most products that fit from `outAt` on. */
  room: number;
  /** The queries that were written last. */
  queries: PackedQueries | null;
}

/** Kernels by the memory of their rows. */
const KERNELS = new WeakMap<ArrayBufferLike, Kernel>();
let compiled: WebAssembly.Module | null = null;

/** Makes room for rows, in WebAssembly if there are many. */
export function makeRows(count: number, dimensions: number): Int8Array {
  const length = count * dimensions;
  const queriesAt = Math.ceil(length / 16) * 16;
  const outAt = queriesAt + 2 * MOST_QUERIES * dimensions;
  const room = Math.max(count, MOST_QUERIES);
  const bytes = outAt + 4 * room;
  if (count < KERNEL_ROWS || bytes > MAX_MEMORY) return new Int8Array(length);
  try {
    const pages = Math.ceil(bytes / PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    compiled ??= new WebAssembly.Module(KERNEL);
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
    const { buffer } = memory;
    KERNELS.set(buffer, { dots: exports.dots as Kernel['dots'], buffer, queriesAt, outAt, room, queries: null });
    return new Int8Array(buffer, 0, length);
  } catch {
    // Address space is limited, or WebAssembly is switched off: JavaScript gives the same numbers.
    return new Int8Array(length);
  }
}

/**
 * Dot products of the rows [first, first + count) with the queries, those of a row beside each other. Read them before the next call,
 * which overwrites them.
 */
export function dotsOf(rows: Int8Array, queries: PackedQueries, first: number, count: number): Int32Array {
  const size = queries.values.length / queries.count;
  const kernel = KERNELS.get(rows.buffer);
  const length = count * queries.count;
  if (kernel === undefined || length > kernel.room) return slowDots(rows, queries, first, count);
  if (kernel.queries !== queries) {
    new Int16Array(kernel.buffer, kernel.queriesAt, queries.values.length).set(queries.values);
    kernel.queries = queries;
  }
  kernel.dots(first * size, count, size, kernel.queriesAt, queries.count, kernel.outAt);
  return new Int32Array(kernel.buffer, kernel.outAt, length);
}

function slowDots(rows: Int8Array, { values, count: number }: PackedQueries, first: number, count: number): Int32Array {
  const size = values.length / number;
  const out = new Int32Array(count * number);
  for (let row = 0; row < count; row++)
    for (let k = 0; k < number; k++) {
      const [from, query] = [(first + row) * size, k * size];
      let sum = 0;
      for (let i = 0; i < size; i++) sum = (sum + rows[from + i] * values[query + i]) | 0;
      out[row * number + k] = sum;
    }
  return out;
}

/** Dot product of a query and the row that starts at `at`. */
export function dotOf(rows: Int8Array, at: number, query: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum = (sum + rows[at + i] * query[i]) | 0;
  return sum;
}

/** Cosine; 0 if either vector is zero. The square root of an integer below 2^53 is the same on every machine. */
export function cosine(dot: number, squareA: number, squareB: number): number {
  const square = squareA * squareB;
  return square === 0 ? 0 : dot / Math.sqrt(square);
}

/** Holds the best `capacity` documents in a binary heap with the worst on top. Equal scores are ordered by document number. */
export class BestDocuments {
  private readonly documents: number[] = [];
  private readonly scores: number[] = [];

  /** `order` is negative if the first of two documents with equal scores comes first. */
  constructor(
    private readonly capacity: number,
    private readonly order: (a: number, b: number) => number = (a, b) => a - b,
  ) {}

  /** Score that a document must reach to enter; -Infinity while there is room. */
  get floor(): number {
    return this.scores.length < this.capacity ? -Infinity : this.scores[0];
  }

  push(document: number, score: number): void {
    const { documents, scores } = this;
    if (scores.length < this.capacity) {
      this.rise(scores.push(score) - 1, document, score);
    } else if (score > scores[0] || (score === scores[0] && this.order(document, documents[0]) < 0)) {
      this.sink(document, score);
    }
  }

  /** Returns the documents, best first. Empties the heap. */
  take(): Neighbour[] {
    return this.documents
      .map((document, i) => ({ document, score: this.scores[i] }))
      .sort((a, b) => b.score - a.score || this.order(a.document, b.document));
  }

  private isWorse(i: number, document: number, score: number): boolean {
    return this.scores[i] < score || (this.scores[i] === score && this.order(this.documents[i], document) > 0);
  }

  private rise(from: number, document: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.isWorse(parent, document, score)) break;
      this.move(parent, at);
      at = parent;
    }
    this.documents[at] = document;
    this.scores[at] = score;
  }

  private sink(document: number, score: number): void {
    const { length } = this.scores;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      const right = child + 1;
      if (right < length && this.isWorse(right, this.documents[child], this.scores[child])) child = right;
      if (!this.isWorse(child, document, score)) break;
      this.move(child, at);
      at = child;
    }
    this.documents[at] = document;
    this.scores[at] = score;
  }

  private move(from: number, to: number): void {
    this.documents[to] = this.documents[from];
    this.scores[to] = this.scores[from];
  }
}
