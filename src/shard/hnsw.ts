/**
 * An HNSW graph (Malkov & Yashunin 2016, built by usearch) next to a vector shard, for repositories with too many
 * vectors to compare one by one. The graph proposes rows; the reader decides which are live and computes their scores.
 *
 * usearch crashes on a third to a half of damaged files. So it only gets a file whose trailer was verified first: JSON,
 * its length (u32 LE), and this user's seal (HMAC-SHA-256) over everything before it. usearch reads only its own bytes
 * and never sees the trailer.
 */
import type { Hmac } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { clearDirectory, plainFileAt } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { localKey } from '../base/local-key.js';
import { log } from '../base/log.js';
import { hnswPath, quarantine } from './lexical-format.js';
import type { VectorShard } from './vector-shard.js';

/**
 * Part of the trailer: a graph built with other parameters is built again. The batch size matters, because usearch draws the levels anew
 * for each batch.
 */
const PARAMETERS = { format: 1, usearch: '2.25', connectivity: 16, expansion: 128, batch: 1000 } as const;

/**
 * Rows requested from the graph; exact scores then choose the best of them. Measured with queries of 3 to 6 words against 64,000 chunks
 * of real code, as sums of random word vectors: 128 rows hold 92.0% of the ten nearest, 256 96.3%, 512 98.2%, 1024 99.3%, in 1 to 2 ms on
 * an idle machine. More connectivity or expansion gains less and slows the build.
 */
export const HNSW_FETCH = 1024;

const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
/** Purpose of the seal. Other sealed files use other names, and the trailer names the vectors of the graph. */
const SEALED_NAME = 'hnsw';
const PIECE_BYTES = 1 << 20;
const MAX_TRAILER_JSON = 1024;

/** An opened graph. Its keys are rows of the vector shard. */
export class HnswGraph {
  constructor(private readonly index: UsearchIndex) {}

  /** Returns about the nearest `count` rows. `query` must start at offset 0 of its buffer. */
  search(query: Int8Array, count: number): BigUint64Array {
    return this.index.search(query, Math.min(count, this.index.size()), THREADS).keys;
  }
}

function newIndex(Index: new (options: Record<string, unknown>) => UsearchIndex, dimensions: number): UsearchIndex {
  const { connectivity, expansion } = PARAMETERS;
  return new Index({
    ...{ dimensions, metric: 'cos', quantization: 'i8', multi: false, connectivity },
    ...{ expansion_add: expansion, expansion_search: expansion },
  });
}

/** Trailer that a graph of these vectors must have: how it was built, the digest of the vectors, and their number. */
function trailerOf(shard: VectorShard): string {
  const { digest, dimensions, count } = shard;
  return JSON.stringify({ ...PARAMETERS, vectors: digest, dimensions, count });
}

/**
 * Builds and writes the graph of a vector shard that was read or written (its digest goes into the trailer). Rows are added in document
 * order by one thread, so that the same vectors give the same bytes. 100,000 x 256 take about half a minute; other work goes on between
 * batches. Returns false if usearch is missing or no row has a vector. Throws DISK, CANCELLED.
 */
export async function buildHnsw(
  directory: string,
  profile: string,
  lexical: string,
  shard: VectorShard,
  signal?: AbortSignal,
): Promise<boolean> {
  const engine = usearch();
  if (engine === null || shard.digest === null) return false;
  const index = newIndex(engine.Index, shard.dimensions);
  for (let from = 0; from < shard.count; from += PARAMETERS.batch) {
    if (signal?.aborted) throw new SocraticodeError('CANCELLED', 'the graph of the vectors was not finished');
    addRows(index, shard, from, Math.min(shard.count, from + PARAMETERS.batch));
    await nextTurn();
  }
  if (index.size() === 0) return false;
  save(index, shard.dimensions, hnswPath(directory, profile, lexical), trailerOf(shard));
  return true;
}

function addRows(index: UsearchIndex, { rows, squares, dimensions }: VectorShard, from: number, end: number): void {
  // Absent rows are skipped: they have no direction, and a search could not get past them.
  const there = Array.from({ length: end - from }, (_, i) => from + i).filter((row) => squares[row] > 0);
  if (there.length === 0) return;
  const batch = new Int8Array(there.length * dimensions);
  for (const [i, row] of there.entries())
    batch.set(rows.subarray(row * dimensions, (row + 1) * dimensions), i * dimensions);
  index.add(BigUint64Array.from(there, BigInt), batch, THREADS);
}

let counter = 0;

/** Saves under a temporary name first, because usearch overwrites files in place and does not sync them. */
function save(index: UsearchIndex, dimensions: number, path: string, json: string): void {
  const temporary = join(dirname(path), `.tmp-${process.pid}-${threadId}-${counter++}-${basename(path)}`);
  try {
    index.save(temporary);
    const fd = openSync(temporary, 'r+');
    try {
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32LE(Buffer.byteLength(json));
      const { size } = fstatSync(fd);
      if (size !== savedBytes(fd, index.size(), dimensions)) throw new Error('no space left, or an unknown format');
      const trailer = Buffer.concat([Buffer.from(json), length]);
      const digest = hashFile(fd, size).update(trailer).digest();
      writeSync(fd, Buffer.concat([trailer, digest]), 0, undefined, size);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    clearDirectory(path);
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new SocraticodeError('DISK', `cannot write ${path}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Length that the file of an index must have. usearch does not notice a full disk (`save('/dev/full')` succeeds) and crashes on the file
 * that it left there. Layout of format 2.25: two u32 and the vectors, a head of 64 bytes, a header of 40 bytes, the level of each node
 * (i16), and the nodes: key (8 bytes), level (2), and for each level a count and slots (u32), twice as many slots on the lowest level.
 */
function savedBytes(fd: number, nodes: number, dimensions: number): number {
  const levelsAt = 8 + nodes * dimensions + 64 + 40;
  const levels = readAt(fd, levelsAt, nodes * 2);
  let above = 0;
  for (let i = 0; i < nodes; i++) above += levels.readInt16LE(i * 2);
  const { connectivity } = PARAMETERS;
  const nodeBytes = 8 + 2 + 4 * (1 + 2 * connectivity);
  return levelsAt + levels.length + nodes * nodeBytes + above * 4 * (1 + connectivity);
}

/** Opens the graph of a vector shard; null if there is none that can be trusted. A file that fails its checksum is moved aside. */
export function openHnsw(directory: string, profile: string, lexical: string, shard: VectorShard): HnswGraph | null {
  const path = hnswPath(directory, profile, lexical);
  if (!isTrusted(path, trailerOf(shard))) return null;
  const engine = usearch();
  if (engine === null) return null;
  const index = newIndex(engine.Index, shard.dimensions);
  try {
    // Loaded instead of mapped: truncating a mapped file would kill the process.
    index.load(path);
  } catch (error) {
    log.printOnce('warn', `cannot load ${path}: ${(error as Error).message}`);
    return null;
  }
  return new HnswGraph(index);
}

/** Returns whether there is a graph of exactly these vectors. Reads the whole file. */
export function hasHnsw(directory: string, profile: string, lexical: string, shard: VectorShard): boolean {
  return isTrusted(hnswPath(directory, profile, lexical), trailerOf(shard));
}

/** Returns whether the file is intact, whatever its vectors. Changes nothing. Throws the errors of reading. */
export function isWholeHnsw(path: string): boolean {
  if (plainFileAt(path) === null) return false;
  const fd = openSync(path, 'r');
  try {
    return readTrailer(fd) !== null;
  } finally {
    closeSync(fd);
  }
}

function isTrusted(path: string, json: string): boolean {
  // Opening a pipe would block.
  if (plainFileAt(path) === null) return false;
  let trailer: string | null;
  try {
    const fd = openSync(path, 'r');
    try {
      trailer = readTrailer(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.printOnce('warn', `cannot read ${path}: ${(error as Error).message}`);
    return false;
  }
  if (trailer === null) {
    log.warn(`${basename(path)} is damaged; moved aside, to be built again`);
    quarantine(path);
  }
  // An intact graph of other vectors stays until it is replaced.
  return trailer === json;
}

/** Returns the JSON of a trailer whose seal is valid, else null. */
function readTrailer(fd: number): string | null {
  const { size } = fstatSync(fd);
  const end = size - DIGEST_BYTES;
  if (end < LENGTH_BYTES) return null;
  const digest = readAt(fd, end, DIGEST_BYTES);
  const length = readAt(fd, end - LENGTH_BYTES, LENGTH_BYTES).readUInt32LE();
  const start = end - LENGTH_BYTES - length;
  if (length > MAX_TRAILER_JSON || start < 0 || !hashFile(fd, end).digest().equals(digest)) return null;
  return readAt(fd, start, length).toString('utf8');
}

function hashFile(fd: number, length: number): Hmac {
  const hash = localKey().hmac(SEALED_NAME);
  for (let at = 0; at < length; at += PIECE_BYTES) hash.update(readAt(fd, at, Math.min(PIECE_BYTES, length - at)));
  return hash;
}

/** Reads exactly `length` bytes; throws if the file ends earlier. */
function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const read = readSync(fd, bytes, at, length - at, position + at);
    if (read === 0) throw new Error('the file became shorter');
    at += read;
  }
  return bytes;
}

/** Part of usearch's interface that is used here. Rows and queries must start at offset 0 of their buffers. */
export interface Usearch {
  Index: new (options: Record<string, unknown>) => UsearchIndex;
}

/** Matches, the nearest first. Distances are 1 - cosine. */
interface UsearchMatches {
  keys: BigUint64Array;
  distances: Float32Array;
}

export interface UsearchIndex {
  add(keys: BigUint64Array, rows: Int8Array, threads: number): void;
  search(query: Int8Array, count: number, threads: number): UsearchMatches;
  save(path: string): void;
  load(path: string): void;
  size(): number;
}

/** Number of threads. */
const THREADS = 1;

interface EngineDescription {
  engine: 'usearch' | 'javascript';
  /** Reason why usearch is not used; null if it is. */
  reason: string | null;
}

let loaded: { usearch: Usearch | null; reason: string | null } | null = null;

function load(): { usearch: Usearch | null; reason: string | null } {
  if (loaded !== null) return loaded;
  if (process.env.SOCRATICODE_TEST_NO_USEARCH === '1') {
    loaded = { usearch: null, reason: 'switched off by SOCRATICODE_TEST_NO_USEARCH' };
    return loaded;
  }
  try {
    loaded = { usearch: createRequire(import.meta.url)('usearch') as Usearch, reason: null };
  } catch (error) {
    loaded = { usearch: null, reason: withoutUsearch((error as Error).message) };
  }
  return loaded;
}

/** Calm words: the package is optional, nothing but speed depends on it, and it is missing where it has no build for the system. */
function withoutUsearch(message: string): string {
  const system = `${process.platform}-${process.arch}`;
  if (/^Cannot find (?:module|package) 'usearch'/.test(message)) return 'usearch is not installed';
  if (/native build/.test(message)) return `usearch has no build for ${system}`;
  return `usearch does not load on ${system}: ${message.split('\n')[0]}`;
}

/** Loads usearch on the first call; null if it cannot be loaded. */
export function usearch(): Usearch | null {
  return load().usearch;
}

/** Says for `status` whether graphs can be made and used here. Loads usearch to find out. */
export function describeEngine(): EngineDescription {
  const { usearch: found, reason } = load();
  return { engine: found === null ? 'javascript' : 'usearch', reason };
}

/** Version of the usearch package; null if it cannot be read. */
export function engineVersion(): string | null {
  try {
    return (createRequire(import.meta.url)('usearch/package.json') as { version: string }).version;
  } catch {
    return null;
  }
}
