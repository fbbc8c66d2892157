/** Opens the vectors of a snapshot for searching. */
import type { Config } from '../config/types.js';
import { makeStaticVectors } from '../indexer/static-run.js';
import type { LexicalShard } from '../shard/lexical.js';
import type { LiveSet } from '../shard/live.js';
import type { VectorIndex } from '../shard/nearest.js';
import { openVectorIndex } from '../shard/nearest-open.js';
import type { Session } from './session.js';
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
): VectorIndex {
  const { profile, costly } = vectorSource(session, config);
  const { directory } = session.shards;
  const make = costly ? undefined : (shard: LexicalShard) => makeStaticVectors({ directory, profile }, shard);
  return openVectorIndex(directory, profile, live, config.vectors.index, make);
}
