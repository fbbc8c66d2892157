/** Opens the vectors of a live set, and decides where a graph is searched instead of every row. */
import type { LexicalShard } from './lexical.js';
import type { LiveSet } from './live.js';
import { type OpenGraph, VectorIndex } from './nearest.js';
import { openHnsw } from './vector-hnsw.js';
import { readVectorShard, type VectorShard } from './vector-shard.js';

/** `vectors.index`: compare every vector, use graphs, or let the number of vectors decide. */
export type IndexChoice = 'auto' | 'exact' | 'hnsw';

/**
 * Components (rows x dimensions) that are compared one by one in about 10 ms: 300,000 x 256 take 7.9 ms, 500,000
 * 13.4 (p50, one thread, 2 shared cores, usearch 2.25). Beyond, `auto` wants graphs.
 */
export const EXACT_COMPONENTS = 96_000_000;

/** Rows of a shard from which a graph is worth its file: comparing so many takes 2 ms, a graph 1 to 2 for any. */
export const HNSW_MIN_ROWS = 100_000;

/** With `auto`, a process opens graphs (0.2 s for 100,000 rows, 40 MB) only once it has shown that it stays. */
const OPEN_AFTER = 50;

/** Should this shard have a graph, where all vectors of the snapshot have that many components? */
export function wantsHnsw(choice: IndexChoice, components: number, rows: number): boolean {
  return rows >= HNSW_MIN_ROWS && (choice === 'hnsw' || (choice === 'auto' && components > EXACT_COMPONENTS));
}

/**
 * The vectors of a snapshot under one vectors profile. Shards without any, or with damaged ones, are left out unless
 * `make` gives theirs; of those that are `known` (null: to have none), no file is read.
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

/** What an exact search over these shards compares. */
export function componentsOf(shards: readonly (VectorShard | null)[]): number {
  return shards.reduce((sum, shard) => sum + (shard?.rows.length ?? 0), 0);
}
