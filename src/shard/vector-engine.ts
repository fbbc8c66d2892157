/**
 * The one place that loads usearch. It is optional: there is no build of it for Windows or musl. Without it the same
 * results come from plain JavaScript, more slowly.
 */
import { createRequire } from 'node:module';

/** What is used of usearch's interface; its rows and queries must start at offset 0 of their buffers. */
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

/** Nearest first; distances are 1 - cosine. */
export interface UsearchMatches {
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

/** One thread: two are no faster for 100,000 x 256 (2.65 ms either way) and slower for 10,000 (0.25 -> 0.32 ms). */
export const THREADS = 1;

/**
 * Components (rows x dimensions) that JavaScript, not yet optimised, compares in the time that loading usearch takes,
 * about 10 ms. A process that answers one query over fewer is done sooner without it.
 */
const LOADING_PAYS = 2_000_000;

export interface EngineDescription {
  engine: 'usearch' | 'javascript';
  /** Why it is not usearch. */
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

/** usearch, loaded now if it was not; null where it cannot be. */
export function usearch(): Usearch | null {
  return load().usearch;
}

/** usearch for a search over that many components, or null while JavaScript is the quicker way to the answer. */
export function usearchFor(components: number): Usearch | null {
  if (loaded !== null) return loaded.usearch;
  compared += components;
  return compared < LOADING_PAYS ? null : usearch();
}

/** Which engine compares vectors here, for `status`. Loads usearch to find out. */
export function describeEngine(): EngineDescription {
  const { usearch: found, reason } = load();
  return { engine: found === null ? 'javascript' : 'usearch', reason };
}

/** Of the package that was loaded; null where that does not say. */
export function engineVersion(): string | null {
  try {
    return (createRequire(import.meta.url)('usearch/package.json') as { version: string }).version;
  } catch {
    return null;
  }
}
