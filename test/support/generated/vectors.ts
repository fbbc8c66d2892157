/** Synthetic vectors, and what the nearest of them are, worked out the slow way. */
import type { LiveSet } from '../../../src/shard/live-set.js';
import type { Neighbour, VectorShard } from '../../../src/shard/vector-shard.js';

export type Random = () => number;

/** mulberry32: the same numbers, 0 to 1, on every machine. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** About normal: the sum of four uniform numbers. */
const normal = (random: Random) => random() + random() + random() + random() - 2;

/** Draws rows of a mixture: as many centres, and noise around them. */
export function mixture(random: Random, dimensions: number, centres: number, noise = 1): (count: number) => Int8Array {
  const means = Array.from({ length: centres }, () => Float32Array.from({ length: dimensions }, () => normal(random)));
  return (count) => {
    const rows = new Int8Array(count * dimensions);
    for (let row = 0; row < count; row++) {
      const mean = means[Math.floor(random() * centres)];
      const vector = mean.map((value) => value + noise * normal(random));
      const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      for (let i = 0; i < dimensions; i++) rows[row * dimensions + i] = Math.round((vector[i] * 127) / largest);
    }
    return rows;
  };
}

/** What an index needs of a live set: shards of these sizes, with the documents for which `isLive` holds. */
export function liveSet(
  sizes: readonly number[],
  isLive: (document: number) => boolean = () => true,
): Pick<LiveSet, 'bases' | 'fileOf' | 'count'> {
  const bases = new Uint32Array(sizes.length + 1);
  for (const [i, size] of sizes.entries()) bases[i + 1] = bases[i] + size;
  const fileOf = Int32Array.from({ length: bases[sizes.length] }, (_, i) => (isLive(i) ? 0 : -1));
  return { bases, fileOf, count: fileOf.filter((file) => file >= 0).length };
}

/** Every live document with a vector, best first, equal scores by number. */
export function slowNearest(
  { bases, fileOf }: Pick<LiveSet, 'bases' | 'fileOf'>,
  shards: readonly (VectorShard | null)[],
  query: Int8Array,
  count: number,
): Neighbour[] {
  const found: Neighbour[] = [];
  for (const [i, shard] of shards.entries()) {
    for (let row = 0; shard !== null && row < shard.count; row++) {
      const vector = [...shard.rows.subarray(row * shard.dimensions, (row + 1) * shard.dimensions)];
      const square = vector.reduce((sum, value) => sum + value * value, 0);
      const isThere = (shard.present === null || shard.present[row] === 1) && square > 0;
      if (!isThere || fileOf[bases[i] + row] < 0) continue;
      const dot = vector.reduce((sum, value, k) => sum + value * query[k], 0);
      const own = query.reduce((sum, value) => sum + value * value, 0);
      found.push({ document: bases[i] + row, score: dot / Math.sqrt(own * square) });
    }
  }
  return found.sort((a, b) => b.score - a.score || a.document - b.document).slice(0, count);
}
