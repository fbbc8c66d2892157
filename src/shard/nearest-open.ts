/** Opens the vectors of a live set, and decides whether a shard's graph is searched instead of every row. */
import type { LexicalShard } from './lexical.js';
import type { LiveSet } from './live.js';
import { type OpenGraph, VectorIndex } from './nearest.js';
import { openHnsw } from './vector-hnsw.js';
import { readVectorShard, type VectorShard } from './vector-shard.js';

/**
 * Setting `vectors.index`: `exact` compares every vector, `hnsw` uses graphs, `auto` decides by the number of vectors.
 */
export type IndexChoice = 'auto' | 'exact' | 'hnsw';

/**
 * Components (rows x dimensions) that an exact search compares in about 10 ms: 300,000 x 256 take 7.9 ms, 500,000 x 256
 * take 13.4 (p50, one thread, 2 shared cores, usearch 2.25). Beyond it, `auto` wants graphs.
 */
export const EXACT_COMPONENTS = 96_000_000;

/**
 * Rows of a shard from which a graph is worth its file. Comparing this many takes 2 ms; a graph takes 1 to 2 ms for any
 * number.
 */
export const HNSW_MIN_ROWS = 100_000;

/**
 * Searches after which `auto` opens graphs. Opening one takes 0.2 s and 40 MB for 100,000 rows, which only a
 * long-running process earns back.
 */
const OPEN_AFTER = 50;

/** True if this shard should have a graph, given the number of components in all vectors of the snapshot. */
export function wantsHnsw(choice: IndexChoice, components: number, rows: number): boolean {
  return rows >= HNSW_MIN_ROWS && (choice === 'hnsw' || (choice === 'auto' && components > EXACT_COMPONENTS));
}

/**
 * Opens the vectors of a snapshot under one vectors profile. `known` may give a shard's vectors without reading a file
 * (null: it has none; undefined: read the file). `make` gives vectors for shards whose file is missing or damaged;
 * shards without any are left out.
 */
export function openVectorIndex(
  directory: string,
  profile: string,
  live: LiveSet,
  choice: IndexChoice = 'auto',
  make: (shard: LexicalShard) => VectorShard | null = () => null,
  known: (shard: LexicalShard) => VectorShard | null | undefined = () => undefined,
): VectorIndex {
  const vectors = live.shards.map((shard) => {
    const vector = known(shard);
    if (vector !== undefined) return vector;
    return readVectorShard(directory, profile, shard.name, shard.meta.documents) ?? make(shard);
  });
  const components = componentsOf(vectors);
  const searches = vectors.map(() => 0);
  const openGraph: OpenGraph = (i) => {
    const shard = vectors[i];
    if (shard === null || !wantsHnsw(choice, components, shard.count)) return null;
    if (choice === 'auto' && searches[i]++ < OPEN_AFTER) return;
    return openHnsw(directory, profile, live.shards[i].name, shard);
  };
  return new VectorIndex(live, vectors, openGraph);
}

/** Number of components (rows x dimensions) that an exact search over these shards compares. */
function componentsOf(shards: readonly (VectorShard | null)[]): number {
  return shards.reduce((sum, shard) => sum + (shard?.rows.length ?? 0), 0);
}
