/** Graphs: which shards get one, and that `index` builds it from the vector file. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import { silentProgress } from '../../src/base/progress.js';
import { buildGraphs, wantedGraphs } from '../../src/indexer/vector-graphs.js';
import { usearch } from '../../src/shard/vector-engine.js';
import { hnswPath } from '../../src/shard/vector-files.js';
import { writeVectorShard } from '../../src/shard/vector-shard.js';
import { mixture, seeded } from '../support/generated/vectors.js';
import { makeDirectory } from '../support/repositories/repo.js';

const LEXICAL = 'lexical-0123456789abcdef.bin';
const there = { skip: usearch() === null };

test('the setting vectors.index decides whether large shards get a graph', there, () => {
  const shards = [
    { lexical: 'large', documents: 200_000 },
    { lexical: 'small', documents: 5_000 },
  ];
  const names = (choice: 'auto' | 'exact' | 'hnsw', dimensions: number) =>
    wantedGraphs(shards, dimensions, choice).map(({ lexical }) => lexical);
  assert.deepEqual([names('hnsw', 256), names('exact', 1_024)], [['large'], []]);
  assert.deepEqual([names('auto', 256), names('auto', 1_024)], [[], ['large']]);
});

test('a graph is built once, in a worker thread, and an interrupted build is reported', there, async () => {
  const place = { directory: makeDirectory(), profile: '0123456789ab' };
  writeVectorShard(place.directory, place.profile, LEXICAL, { dimensions: 32, rows: mixture(seeded(1), 32, 5)(500) });
  const shards = [{ lexical: LEXICAL, documents: 500 }];
  const stop = AbortSignal.abort();
  await assert.rejects(buildGraphs(place, shards, silentProgress, stop), (error) =>
    isSocraticodeError(error, 'CANCELLED'),
  );
  assert.equal(existsSync(hnswPath(place.directory, place.profile, LEXICAL)), false);
  await buildGraphs(place, shards, silentProgress);
  assert.ok(existsSync(hnswPath(place.directory, place.profile, LEXICAL)));
});
