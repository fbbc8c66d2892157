/** What a manifest says of snapshots that are complete. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withVectors } from '../../../src/session/indexing/known-snapshot.js';
import { type CompleteSnapshot, emptyManifest, MAX_COMPLETE } from '../../../src/shard/directory.js';

test('vectors of one snapshot change nothing that is known of the others, however many are known', () => {
  const complete = Array.from({ length: MAX_COMPLETE }, (_, i) => {
    return { key: `k${i}`, files: i, blobs: i, chunks: i, skipped: {}, degraded: {} } as CompleteSnapshot;
  });
  const manifest = { ...emptyManifest('p'), complete };
  const vectors = { dimensions: 8, total: 2, covered: 2, shards: [], graphs: [], notes: null };
  for (const at of [0, MAX_COMPLETE - 1]) {
    const next = withVectors(manifest, `k${at}`, 'v', vectors);
    assert.deepEqual(
      next.complete.map(({ key, vectors: own }) => [key, own]),
      complete.map(({ key }, i) => [key, i === at ? { v: vectors } : undefined]),
    );
    assert.equal(withVectors(next, `k${at}`, 'v', { ...vectors }), next, 'the same again');
  }
  assert.equal(withVectors(manifest, 'unknown', 'v', vectors), manifest);
});
