/** Opens the vectors of a snapshot for searching. */
import type { Config } from '../../config/settings.js';
import { computeStaticVectors, makeStaticVectors } from '../../indexer/static-vectors.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import type { LiveSet } from '../../shard/live-set.js';
import { openVectorIndex, type VectorIndex } from '../../shard/nearest.js';
import { readVectorShard, type VectorShard } from '../../shard/vector-shard.js';
import type { Session } from '../session.js';
import type { IndexedSnapshot } from '../snapshot/snapshot.js';
import { vectorSource } from './vector-source.js';

export * from './vector-source.js';

/**
 * Opens the vectors of a live set. Missing or damaged files of the built-in model are computed again, in memory if the repository is
 * read-only; a provider's stay missing until the next index run.
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
    const vectors = knownVectors(shard);
    return vectors?.profile === profile ? vectors.vectors : undefined;
  };
  const index = openVectorIndex(directory, profile, live, config.vectors.index, make, known);
  for (const [i, shard] of live.shards.entries()) {
    const vectors = index.vectorsOf(i);
    // An incomplete shard of a provider is not remembered: the next index run may complete it.
    if (vectors !== null && (!costly || vectors.present === null)) rememberVectors(shard, { profile, vectors });
  }
  return index;
}

export interface KnownVectors {
  profile: string;
  vectors: VectorShard;
}

/** Vectors that this process opened or made. After an edit another live set uses the same shards. */
const known = new WeakMap<LexicalShard, KnownVectors>();

export function knownVectors(shard: LexicalShard): KnownVectors | undefined {
  return known.get(shard);
}

export function rememberVectors(shard: LexicalShard, vectors: KnownVectors): void {
  known.set(shard, vectors);
}

type OverlayShards = NonNullable<IndexedSnapshot['overlayShards']>;

/** Number of chunks from which on computing vectors (about 10 ms) takes longer than reading them. */
const WORTH_A_FILE = 500;

/** Makes vectors of the built-in model only: a provider would get a request at every saved edit. */
function overlayVectors(
  shard: LexicalShard,
  { profile, directory }: { profile: string; directory: string | null },
): VectorShard {
  const known = knownVectors(shard);
  if (known?.profile === profile) return known.vectors;
  if (directory === null || shard.meta.documents < WORTH_A_FILE) return computeStaticVectors(shard);
  const stored = readVectorShard(directory, profile, shard.name, shard.meta.documents);
  return stored ?? makeStaticVectors({ directory, profile }, shard);
}
