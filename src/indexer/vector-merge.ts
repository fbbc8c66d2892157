/** Carries costly vectors over when lexical shards are merged into one. */
import { log } from '../base/log.js';
import { HASH_BYTES } from '../record/limits.js';
import type { LexicalShard } from '../shard/lexical.js';
import { findUnit } from '../shard/live.js';
import { vectorProfilesOf } from '../shard/vector-files.js';
import { readVectorShard, type VectorShard, writeVectorShard } from '../shard/vector-shard.js';

/**
 * Writes the vector files of a merged shard, one for each profile under which its parts have vectors with hashes.
 * Vectors of the built-in model have no hashes: they are made from the merged shard itself. `from` is oldest first.
 * Throws DISK.
 */
export function carryVectors(directory: string, from: readonly LexicalShard[], to: LexicalShard): void {
  const profiles = new Set(from.flatMap(({ name }) => vectorProfilesOf(directory, name)));
  for (const profile of profiles) {
    const parts = from.map(({ name, meta }) => readVectorShard(directory, profile, name, meta.documents));
    const dimensions = parts.find((part) => part?.hashes)?.dimensions;
    if (dimensions !== undefined) carryProfile({ directory, profile, dimensions }, { from, parts, to });
  }
}

interface MergedFile {
  directory: string;
  profile: string;
  dimensions: number;
}

interface ShardMerge {
  from: readonly LexicalShard[];
  parts: readonly (VectorShard | null)[];
  to: LexicalShard;
}

function carryProfile({ directory, profile, dimensions }: MergedFile, { from, parts, to }: ShardMerge): void {
  const { documents, units } = to.meta;
  const rows = new Int8Array(documents * dimensions);
  const hashes = new Uint8Array(documents * HASH_BYTES);
  const present = new Uint8Array(documents);
  for (let unit = 0; unit < units; unit++) {
    // Take the unit from the newest shard that has it, as merging the lexical shards does.
    const source = findUnit(from, to.unitOid(unit), to.unitLanguageId(unit));
    const part = source === null ? null : parts[source.shard];
    const count = to.unitDocuments[unit];
    if (source === null || part?.hashes == null || part.dimensions !== dimensions) continue;
    const shard = from[source.shard];
    const [first, at] = [shard.unitFirst[source.unit], to.unitFirst[unit]];
    if (shard.unitDocuments[source.unit] !== count) continue;
    rows.set(part.rows.subarray(first * dimensions, (first + count) * dimensions), at * dimensions);
    hashes.set(part.hashes.subarray(first * HASH_BYTES, (first + count) * HASH_BYTES), at * HASH_BYTES);
    for (let i = 0; i < count; i++) present[at + i] = part.has(first + i) ? 1 : 0;
  }
  const columns = { dimensions, rows, hashes, present: present.includes(0) ? present : null };
  writeVectorShard(directory, profile, to.name, columns);
  log.debug(`vectors of profile ${profile} were carried over into ${to.name}`);
}
