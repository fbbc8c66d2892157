/** Decides which shards to merge. Each run adds a small shard, and every query pays for each shard it reads. */
import { encodeLexical } from '../shard/columns.js';
import type { ShardDirectory } from '../shard/directory.js';
import { LexicalShard } from '../shard/lexical.js';
import type { ShardEntry } from '../shard/manifest.js';
import { mergeLexical } from '../shard/merge.js';
import { carryVectors } from './vector-merge.js';

/** Shards whose sizes differ by less than this factor form one tier. */
const TIER_FACTOR = 8;
/** Number of shards of one tier that are merged into one of the next tier. */
const TIER_LIMIT = 8;

/**
 * Merges full tiers, the smallest first, and returns the entries to publish. `entries` are oldest first, because newer
 * units win.
 */
export function mergeShards(directory: ShardDirectory, entries: ShardEntry[]): ShardEntry[] {
  const run = trailingTier(entries);
  if (run.length < TIER_LIMIT) return entries;
  const shards = directory.openShards({ ...directory.readManifest(), shards: run });
  if (shards.length < run.length) return entries;
  const columns = mergeLexical(shards);
  const bytes = encodeLexical(columns);
  const merged = directory.writeShard(bytes, { units: columns.units.length, documents: columns.documents.length });
  // Carry vectors over before the parts are replaced, so that no costly vector is lost if this process ends here.
  carryVectors(directory.directory, shards, new LexicalShard(bytes, merged.file));
  return mergeShards(directory, [...entries.slice(0, entries.length - run.length), merged]);
}

/** Returns the newest shards that are small compared with the one before them. */
function trailingTier(entries: readonly ShardEntry[]): ShardEntry[] {
  let largest = 0;
  let from = entries.length;
  while (from > 0) {
    const size = Math.max(largest, entries[from - 1].bytes);
    if (largest > 0 && entries[from - 1].bytes > largest * TIER_FACTOR) break;
    largest = size;
    from--;
  }
  return entries.slice(from);
}
