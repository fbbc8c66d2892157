/** Vectors that this process has opened or made, by lexical shard: after an edit another live set uses the same shards. */
import type { LexicalShard } from '../../shard/lexical.js';
import type { VectorShard } from '../../shard/vector-shard.js';

export interface KnownVectors {
  /** Profile of the vectors. */
  profile: string;
  vectors: VectorShard;
}

const known = new WeakMap<LexicalShard, KnownVectors>();

export function knownVectors(shard: LexicalShard): KnownVectors | undefined {
  return known.get(shard);
}

export function rememberVectors(shard: LexicalShard, vectors: KnownVectors): void {
  known.set(shard, vectors);
}
