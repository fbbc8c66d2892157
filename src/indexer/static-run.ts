/** Keeps vector files of the built-in model: makes one from a lexical shard, in a moment, whenever it is missing. */
import { log } from '../base/log.js';
import { builtinModel } from '../embed/builtin/index.js';
import type { LexicalShard } from '../shard/lexical.js';
import { readVectorShard, VectorShard, writeVectorShard } from '../shard/vector-shard.js';
import { embedShard } from './static-vectors.js';

/** Directory and profile of vector files. */
export interface VectorDirectory {
  directory: string;
  profile: string;
}

export interface StaticShard {
  vectors: VectorShard;
  /** True if the vectors were made now instead of read from a file. */
  isNew: boolean;
}

/**
 * Returns the vectors of each shard. Makes and writes them for shards without a file that can be trusted. Throws DISK.
 */
export function ensureStaticVectors(place: VectorDirectory, shards: readonly LexicalShard[]): StaticShard[] {
  return shards.map((shard) => {
    const known = readVectorShard(place.directory, place.profile, shard.name, shard.meta.documents);
    if (known !== null) return { vectors: known, isNew: false };
    return { vectors: writeVectorShard(place.directory, place.profile, shard.name, columnsOf(shard)), isNew: true };
  });
}

/** Makes the vectors of a shard that has no file, and writes them if possible; otherwise they stay in memory. */
export function makeStaticVectors(place: VectorDirectory, shard: LexicalShard): VectorShard {
  const columns = columnsOf(shard);
  try {
    return writeVectorShard(place.directory, place.profile, shard.name, columns);
  } catch (error) {
    // A read-only repository can still be searched.
    log.debug((error as Error).message);
    return new VectorShard(columns);
  }
}

/** Makes the vectors of a shard in memory only: for a shard so small that reading a file would take longer. */
export function computeStaticVectors(shard: LexicalShard): VectorShard {
  return new VectorShard(columnsOf(shard));
}

function columnsOf(shard: LexicalShard) {
  const model = builtinModel();
  return { dimensions: model.dimensions, ...embedShard(shard, model) };
}
