/** Vector files of the built-in model: made from a lexical shard whenever there is none, in a moment. */
import { log } from '../base/log.js';
import { builtinModel } from '../embed/builtin/index.js';
import type { LexicalShard } from '../shard/lexical.js';
import { readVectorShard, VectorShard, writeVectorShard } from '../shard/vector-shard.js';
import { embedShard } from './static-vectors.js';

/** Where vector files of one profile live. */
export interface VectorPlace {
  directory: string;
  profile: string;
}

export interface StaticShard {
  vectors: VectorShard;
  /** Made now, or read from its file? */
  isNew: boolean;
}

/** The vectors of each shard; those without a file that can be trusted are made and written. Throws DISK. */
export function ensureStaticVectors(place: VectorPlace, shards: readonly LexicalShard[]): StaticShard[] {
  return shards.map((shard) => {
    const known = readVectorShard(place.directory, place.profile, shard.name, shard.meta.documents);
    if (known !== null) return { vectors: known, isNew: false };
    return { vectors: writeVectorShard(place.directory, place.profile, shard.name, columnsOf(shard)), isNew: true };
  });
}

/** The vectors of a shard that has no file; in memory only where none can be written. */
export function makeStaticVectors(place: VectorPlace, shard: LexicalShard): VectorShard {
  const columns = columnsOf(shard);
  try {
    return writeVectorShard(place.directory, place.profile, shard.name, columns);
  } catch (error) {
    // A read-only repository is searched all the same.
    log.debug((error as Error).message);
    return new VectorShard(columns);
  }
}

/** The same for a shard so small that its vectors are made faster than read. */
export function computeStaticVectors(shard: LexicalShard): VectorShard {
  return new VectorShard(columnsOf(shard));
}

function columnsOf(shard: LexicalShard) {
  const model = builtinModel();
  return { dimensions: model.dimensions, ...embedShard(shard, model) };
}
