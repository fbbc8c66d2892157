/**
 * Loads usearch; no other file does. usearch is optional, because it has no build for Windows or musl. Without it,
 * plain JavaScript computes the same results more slowly.
 */
import { createRequire } from 'node:module';

/** Part of usearch's interface that is used here. Rows and queries must start at offset 0 of their buffers. */
export interface Usearch {
  exactSearch(
    rows: Int8Array,
    query: Int8Array,
    dimensions: number,
    count: number,
    metric: 'cos',
    threads: number,
  ): UsearchMatches;
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

/** Use one thread: two are no faster for 100,000 x 256 (2.65 ms either way) and slower for 10,000 (0.25 -> 0.32 ms). */
export const THREADS = 1;

/**
 * Components (rows x dimensions) that unoptimised JavaScript compares in the 10 ms that loading usearch takes. A
 * process that answers one query over fewer components is faster without usearch.
 */
const LOADING_PAYS = 2_000_000;

/** Components that JavaScript compares sooner than a call of usearch takes: the chunks of one file. */
const FEW = 32_000;

interface EngineDescription {
  engine: 'usearch' | 'javascript';
  /** Reason why usearch is not used; null if it is. */
  reason: string | null;
}

let loaded: { usearch: Usearch | null; reason: string | null } | null = null;
let compared = 0;

function load(): { usearch: Usearch | null; reason: string | null } {
  if (loaded !== null) return loaded;
  if (process.env.SOCRATICODE_TEST_NO_USEARCH === '1') {
    loaded = { usearch: null, reason: 'switched off by SOCRATICODE_TEST_NO_USEARCH' };
    return loaded;
  }
  try {
    loaded = { usearch: createRequire(import.meta.url)('usearch') as Usearch, reason: null };
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    loaded = { usearch: null, reason: `usearch cannot be loaded on ${process.platform}-${process.arch}: ${line}` };
  }
  return loaded;
}

/** Loads usearch on the first call; null if it cannot be loaded. */
export function usearch(): Usearch | null {
  return load().usearch;
}

/** Returns usearch for a search over `components` components, or null while JavaScript finishes sooner. */
export function usearchFor(components: number): Usearch | null {
  if (components < FEW) return null;
  if (loaded !== null) return loaded.usearch;
  compared += components;
  return compared < LOADING_PAYS ? null : usearch();
}

/** Tells which engine compares vectors here, for `status`. Loads usearch to find out. */
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
