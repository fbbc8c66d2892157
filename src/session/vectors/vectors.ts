/** Opens the vectors of a snapshot for searching. */
import type { Config } from '../../config/types.js';
import { computeStaticVectors, makeStaticVectors } from '../../indexer/static-run.js';
import type { LexicalShard } from '../../shard/lexical.js';
import type { LiveSet } from '../../shard/live.js';
import type { VectorIndex } from '../../shard/nearest.js';
import { openVectorIndex } from '../../shard/nearest-open.js';
import { readVectorShard, type VectorShard } from '../../shard/vector-shard.js';
import type { Session } from '../session.js';
import type { IndexedSnapshot } from '../snapshot/snapshot.js';
import { vectorSource } from './vector-source.js';

export * from './vector-source.js';

/**
 * The vectors of a live set, for searching. Missing or damaged files of the built-in model are made anew, in memory
 * only where the repository cannot be written to; a provider's stay missing until the next `index`.
 */
export function openVectors(
  session: Pick<Session, 'profile' | 'shards'>,
  config: Pick<Config, 'embedder' | 'vectors'>,
  live: LiveSet,
  overlayShards?: OverlayShards,
): VectorIndex {
  const { profile, costly } = vectorSource(session, config);
  const { directory } = session.shards;
  const make = costly ? undefined : (shard: LexicalShard) => makeStaticVectors({ directory, profile }, shard);
  const known = (shard: LexicalShard) => {
    const own = overlayShards?.get(shard);
    if (own !== undefined) return costly ? null : overlayVectors(shard, { profile, directory: own });
    const vectors = opened.get(shard);
    return vectors?.profile === profile ? vectors.vectors : undefined;
  };
  const index = openVectorIndex(directory, profile, live, config.vectors.index, make, known);
  for (const [i, shard] of live.shards.entries()) {
    const vectors = index.vectorsOf(i);
    // What a provider still owes may come with the next `index`.
    if (vectors !== null && (!costly || vectors.present === null)) opened.set(shard, { profile, vectors });
  }
  return index;
}

type OverlayShards = NonNullable<IndexedSnapshot['overlayShards']>;

/** Vectors by lexical shard: an edit makes another live set of the same shards. */
const opened = new WeakMap<LexicalShard, { profile: string; vectors: VectorShard }>();

/** Chunks whose vectors take longer to make (about 10 ms) than to read. */
const WORTH_A_FILE = 500;

/** What is not committed has vectors of the built-in model only: a provider is not asked about every keystroke. */
function overlayVectors(shard: LexicalShard, place: { profile: string; directory: string }): VectorShard {
  const known = opened.get(shard);
  if (known?.profile === place.profile) return known.vectors;
  if (shard.meta.documents < WORTH_A_FILE) return computeStaticVectors(shard);
  const stored = readVectorShard(place.directory, place.profile, shard.name, shard.meta.documents);
  return stored ?? makeStaticVectors(place, shard);
}
