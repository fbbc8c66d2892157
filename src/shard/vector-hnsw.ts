/**
 * An HNSW graph (Malkov & Yashunin 2016, by usearch) beside a vector shard, for repositories with more vectors than are
 * compared one by one in good time. It proposes rows; what is live and the scores are decided by the reader.
 *
 * usearch crashes on damaged files in a third to half of all cases, so a file is given to it only after the trailer
 * behind its bytes was verified: JSON, its length (u32 LE), this user's seal (HMAC-SHA-256) over everything before.
 * usearch reads as far as its own bytes go and never sees the trailer.
 */
import type { Hmac } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { clearDirectory, plainFileAt } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { localKey } from '../base/local-key.js';
import { log } from '../base/log.js';
import { THREADS, type UsearchIndex, usearch } from './vector-engine.js';
import { hnswPath, moveAside } from './vector-files.js';
import type { VectorShard } from './vector-shard.js';

/** Part of the trailer: a graph made in another way is made anew. Batches matter: levels are drawn for each anew. */
const PARAMETERS = { format: 1, usearch: '2.25', connectivity: 16, expansion: 128, batch: 1000 } as const;

/**
 * Rows asked of the graph, of which the best are taken by their exact scores. Queries of 3 to 6 words against 64,000
 * chunks of real code as sums of random word vectors: 128 rows hold 92.0% of the ten nearest, 256 96.3%, 512 98.2%,
 * 1024 99.3% in 1 to 2 ms on an idle machine. More connectivity or expansion gains less for a slower build.
 */
export const HNSW_FETCH = 1024;

const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
/** The trailer says of which vectors; what else is sealed has other names. */
const SEALED_NAME = 'hnsw';
const PIECE_BYTES = 1 << 20;
const MAX_TRAILER_JSON = 1024;

/** An opened graph; its keys are rows of the vector shard. */
export class HnswGraph {
  constructor(private readonly index: UsearchIndex) {}

  /** About the nearest `count` rows. `query` must start at offset 0 of its buffer. */
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

/** What a trailer must say: how the graph was made, of which vectors, how many of them. */
function trailerOf(shard: VectorShard): string {
  const { digest, dimensions, count } = shard;
  return JSON.stringify({ ...PARAMETERS, vectors: digest, dimensions, count });
}

/**
 * Builds and writes the graph of a vector shard as it was read or written (its digest goes into the trailer), in
 * document order and by one thread, so that the same vectors give the same bytes. 100,000 x 256 take about half a
 * minute; other work goes on between batches. False where usearch is missing or no row has a vector. Throws DISK,
 * CANCELLED.
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
  // Absent rows have no direction: the graph would lead nowhere through them.
  const there = Array.from({ length: end - from }, (_, i) => from + i).filter((row) => squares[row] > 0);
  if (there.length === 0) return;
  const batch = new Int8Array(there.length * dimensions);
  for (const [i, row] of there.entries())
    batch.set(rows.subarray(row * dimensions, (row + 1) * dimensions), i * dimensions);
  index.add(BigUint64Array.from(there, BigInt), batch, THREADS);
}

let counter = 0;

/** usearch overwrites in place and syncs nothing, so it gets a name that nobody reads. */
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
 * How long the file of an index must be. usearch does not notice that the disk is full (`save('/dev/full')` succeeds),
 * and crashes on what it then left. Its format 2.25: vectors behind two u32, a head of 64 bytes, a header of 40, the
 * level of each node (i16), and the nodes: key (8), level (2), and for each level a count and slots (u32), twice as
 * many on the lowest.
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

/** The graph of a vector shard; null if there is none that can be trusted. What fails its checksum is moved aside. */
export function openHnsw(directory: string, profile: string, lexical: string, shard: VectorShard): HnswGraph | null {
  const path = hnswPath(directory, profile, lexical);
  if (!isTrusted(path, trailerOf(shard))) return null;
  const engine = usearch();
  if (engine === null) return null;
  const index = newIndex(engine.Index, shard.dimensions);
  try {
    // Loaded, not mapped: a file that is cut short under a mapping kills the process.
    index.load(path);
  } catch (error) {
    log.tellOnce('warn', `cannot load ${path}: ${(error as Error).message}`);
    return null;
  }
  return new HnswGraph(index);
}

/** Is there a graph of exactly these vectors? Reads all of it. */
export function hasHnsw(directory: string, profile: string, lexical: string, shard: VectorShard): boolean {
  return isTrusted(hnswPath(directory, profile, lexical), trailerOf(shard));
}

/** The same, touching nothing: is the file whole, whatever vectors it is of? Throws what reading throws. */
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
  // A pipe in its place would be waited for.
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
      log.tellOnce('warn', `cannot read ${path}: ${(error as Error).message}`);
    return false;
  }
  if (trailer === null) {
    log.warn(`${basename(path)} is damaged; moved aside, to be built again`);
    moveAside(path);
  }
  // A whole one of older vectors stays until it is replaced.
  return trailer === json;
}

/** The JSON of a trailer whose seal is right, else null. */
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

/** Hashes the first `length` bytes of a file. */
function hashFile(fd: number, length: number): Hmac {
  const hash = localKey().hmac(SEALED_NAME);
  for (let at = 0; at < length; at += PIECE_BYTES) hash.update(readAt(fd, at, Math.min(PIECE_BYTES, length - at)));
  return hash;
}

/** Throws if the file ends before. */
function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const read = readSync(fd, bytes, at, length - at, position + at);
    if (read === 0) throw new Error('the file became shorter');
    at += read;
  }
  return bytes;
}
