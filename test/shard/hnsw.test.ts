/** Which rows of a vector shard its graph has. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { buildHnsw, type HnswGraph, hasHnsw, openHnsw, usearch } from '../../src/shard/hnsw.js';
import { hnswPath } from '../../src/shard/lexical-format.js';
import { type VectorShard, writeVectorShard } from '../../src/shard/vector-shard.js';
import { mixture, seeded } from '../support/generated/vectors.js';
import { makeDirectory } from '../support/repositories/repo.js';

const PROFILE = '0123456789ab';
const LEXICAL = 'lexical-00112233aabbccdd.bin';
const DIMENSIONS = 8;
/** Rows that are added at once. */
const BATCH = 1_000;
const skip = usearch() === null;

async function graphOf(count: number): Promise<{ shard: VectorShard; graph: HnswGraph }> {
  const directory = makeDirectory();
  const rows = mixture(seeded(count), DIMENSIONS, 50)(count);
  const shard = writeVectorShard(directory, PROFILE, LEXICAL, { dimensions: DIMENSIONS, rows });
  assert.equal(await buildHnsw(directory, PROFILE, LEXICAL, shard), true);
  return { shard, graph: openHnsw(directory, PROFILE, LEXICAL, shard) as HnswGraph };
}

test('every row is found by its own vector: the first and the last of a batch, and those of the next', {
  skip,
}, async () => {
  for (const count of [1, BATCH, BATCH + 1, 2 * BATCH + 2]) {
    const { shard, graph } = await graphOf(count);
    const edges = [0, 1, BATCH - 2, BATCH - 1, BATCH, BATCH + 1, 2 * BATCH - 1, 2 * BATCH, count - 1];
    for (const row of edges.filter((each) => each < count)) {
      const query = shard.rows.slice(row * DIMENSIONS, (row + 1) * DIMENSIONS);
      assert.ok(graph.search(query, 20).includes(BigInt(row)), `row ${row} of ${count}`);
    }
  }
});

test('a graph replaces a folder that stands in its place', { skip }, async () => {
  const directory = makeDirectory();
  const rows = mixture(seeded(9), DIMENSIONS, 50)(9);
  const shard = writeVectorShard(directory, PROFILE, LEXICAL, { dimensions: DIMENSIONS, rows });
  mkdirSync(join(hnswPath(directory, PROFILE, LEXICAL), 'inner'), { recursive: true });
  assert.equal(await buildHnsw(directory, PROFILE, LEXICAL, shard), true);
  assert.equal(hasHnsw(directory, PROFILE, LEXICAL, shard), true);
});

test('a graph of other vectors stays until it is replaced, a damaged one is moved aside, and neither is used', {
  skip,
}, async () => {
  const directory = makeDirectory();
  const write = (seed: number) =>
    writeVectorShard(directory, PROFILE, LEXICAL, {
      ...{ dimensions: DIMENSIONS, rows: mixture(seeded(seed), DIMENSIONS, 50)(9) },
    });
  const shard = write(1);
  assert.equal(await buildHnsw(directory, PROFILE, LEXICAL, shard), true);
  const path = hnswPath(directory, PROFILE, LEXICAL);
  const graph = readFileSync(path);
  const other = write(2);
  const names = readdirSync(directory).sort();
  assert.equal(hasHnsw(directory, PROFILE, LEXICAL, other), false);
  assert.equal(openHnsw(directory, PROFILE, LEXICAL, other), null);
  assert.deepEqual(readdirSync(directory).sort(), names);
  assert.deepEqual(readFileSync(path), graph);
  assert.equal(hasHnsw(directory, PROFILE, LEXICAL, shard), true);
  graph[graph.length >> 1] ^= 1;
  writeFileSync(path, graph);
  assert.equal(hasHnsw(directory, PROFILE, LEXICAL, shard), false);
  assert.ok(!readdirSync(directory).includes(basename(path)));
});
