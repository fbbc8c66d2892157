/** The vectors of a live set, as they are found on disk. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { LiveSet } from '../../src/shard/live.js';
import { nearest } from '../../src/shard/nearest.js';
import { openVectorIndex } from '../../src/shard/nearest-open.js';
import { hnswPath, vectorPath } from '../../src/shard/vector-files.js';
import { writeVectorShard } from '../../src/shard/vector-shard.js';
import { liveSet, mixture, seeded } from '../support/generated/vectors.js';
import { makeDirectory } from '../support/repositories/repo.js';

const PROFILE = '0123456789ab';
const NAMES = ['lexical-0000000000000000.bin', 'lexical-1111111111111111.bin', 'lexical-2222222222222222.bin'];
const SIZES = [10, 20, 30];

test('shards without vectors, and with damaged ones, are left out', () => {
  const directory = makeDirectory();
  const draw = mixture(seeded(1), 8, 3);
  const shards = NAMES.map((name, i) => ({ name, meta: { documents: SIZES[i] } }));
  const live = { ...liveSet(SIZES, (document) => document !== 30), shards } as unknown as LiveSet;
  const query = draw(1);
  assert.deepEqual(nearest(openVectorIndex(directory, PROFILE, live), query, 5), []);
  for (const i of [1, 2]) writeVectorShard(directory, PROFILE, NAMES[i], { dimensions: 8, rows: draw(SIZES[i]) });
  for (const choice of ['auto', 'exact', 'hnsw'] as const) {
    // Too few rows for a graph: it is not even looked at.
    writeFileSync(hnswPath(directory, PROFILE, NAMES[2]), 'x');
    const index = openVectorIndex(directory, PROFILE, live, choice);
    assert.deepEqual([index.covered, index.total], [49, 59]);
    const found = nearest(index, query, 99);
    assert.deepEqual([found.length, found.some(({ document }) => document < 10 || document === 30)], [49, false]);
  }
  writeFileSync(vectorPath(directory, PROFILE, NAMES[1]), 'damaged');
  assert.equal(openVectorIndex(directory, PROFILE, live).covered, 29);
  assert.equal(openVectorIndex(directory, 'ffffffffffff', live).covered, 0);
});
