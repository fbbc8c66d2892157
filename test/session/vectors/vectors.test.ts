/** Vectors that a process keeps are those of one embedder: after a change of it, others are opened. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EmbedderSettings } from '../../../src/config/settings.js';
import type { Session } from '../../../src/session/session.js';
import { vectorSource } from '../../../src/session/vectors/vector-source.js';
import { knownVectors, openVectors, rememberVectors } from '../../../src/session/vectors/vectors.js';
import type { LexicalShard } from '../../../src/shard/lexical-shard.js';
import { createLiveSet } from '../../../src/shard/live-set.js';
import { VectorShard } from '../../../src/shard/vector-shard.js';
import { buildShard, catalogFile } from '../../support/generated/corpus.js';
import { makeDirectory } from '../../support/repositories/repo.js';

const FILES = [{ path: 'a.ts', className: 'Cart', methods: [{ name: 'total', words: ['sum'] }] }];
/** Vectors belong to a shard by its name in the folder of shards. */
const shardOf = () => buildShard(FILES, 'lexical-0123456789abcdef.bin');
const session = { profile: 'syntax', shards: { directory: makeDirectory() } } as unknown as Session;
const ollama = (model: string) => ({ name: 'ollama', model, dimensions: 4 }) as EmbedderSettings;

function opened(embedder: EmbedderSettings, shard: LexicalShard, isUncommitted = false) {
  const { live } = createLiveSet([shard], FILES.map(catalogFile));
  const config = { embedder, vectors: { index: 'exact' } } as Parameters<typeof openVectors>[1];
  return openVectors(session, config, live, isUncommitted ? new Map([[shard, null]]) : undefined).vectorsOf(0);
}

test('vectors that are kept of a shard are used for the embedder that made them, and for no other', () => {
  const shard = shardOf();
  const { documents } = shard.meta;
  const vectors = new VectorShard({ dimensions: 4, rows: new Int8Array(4 * documents).fill(1) });
  const [own, other] = [ollama('one'), ollama('two')];
  assert.equal(opened(own, shard), null, 'nothing is kept yet');
  rememberVectors(shard, { profile: vectorSource(session, { embedder: own }).profile, vectors });
  assert.equal(opened(own, shard), vectors);
  assert.equal(opened(other, shard), null);
  assert.equal(opened(own, shardOf()), null, 'another shard');
  assert.equal(opened(own, shard, true), null, 'uncommitted files have none of a provider');
});

test('the built-in model makes its vectors anew where those of another embedder are kept, and keeps them', () => {
  const builtin = { name: 'builtin' } as EmbedderSettings;
  const { profile, dimensions } = vectorSource(session, { embedder: builtin });
  for (const isUncommitted of [false, true]) {
    const shard = shardOf();
    const foreign = new VectorShard({ dimensions: 4, rows: new Int8Array(4 * shard.meta.documents).fill(1) });
    rememberVectors(shard, { profile: 'another', vectors: foreign });
    const made = opened(builtin, shard, isUncommitted);
    assert.equal(made?.dimensions, dimensions);
    assert.deepEqual(knownVectors(shard), { profile, vectors: made });
    assert.equal(opened(builtin, shard, isUncommitted), made);
  }
});
