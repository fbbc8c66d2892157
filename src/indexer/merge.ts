/** Which shards are merged when: each run adds a small one, and reading many costs every query. */
import { encodeLexical } from '../shard/columns.js';
import type { ShardDirectory } from '../shard/directory.js';
import { LexicalShard } from '../shard/lexical.js';
import type { ShardEntry } from '../shard/manifest.js';
import { mergeLexical } from '../shard/merge.js';
import { carryVectors } from './vector-merge.js';

/** Shards within this factor of each other's size are one tier. */
const TIER_FACTOR = 8;
/** A tier this full becomes one shard of the next. */
const TIER_LIMIT = 8;

/** Merges full tiers, smallest first; returns the entries to publish. Order is oldest first: newer units win. */
export function mergeShards(directory: ShardDirectory, entries: ShardEntry[]): ShardEntry[] {
  const run = trailingTier(entries);
  if (run.length < TIER_LIMIT) return entries;
  const shards = directory.openShards({ ...directory.readManifest(), shards: run });
  if (shards.length < run.length) return entries;
  const columns = mergeLexical(shards);
  const bytes = encodeLexical(columns);
  const merged = directory.writeShard(bytes, { units: columns.units.length, documents: columns.documents.length });
  // Before the parts are replaced: nothing that cost something may be lost if this process ends here.
  carryVectors(directory.directory, shards, new LexicalShard(bytes, merged.file));
  return mergeShards(directory, [...entries.slice(0, entries.length - run.length), merged]);
}

/** The newest shards that are small compared with the one before them. */
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
