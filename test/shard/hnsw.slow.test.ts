/** Graphs: reproducible files, nearly the exact results, and no damaged byte reaches usearch. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import { setLogLevel } from '../../src/base/log.js';
import { buildHnsw, hasHnsw, openHnsw, usearch } from '../../src/shard/hnsw.js';
import { buildHnswInBackground } from '../../src/shard/hnsw-worker.js';
import { hnswPath } from '../../src/shard/lexical-format.js';
import { EXACT_COMPONENTS, HNSW_MIN_ROWS, nearest, VectorIndex, wantsHnsw } from '../../src/shard/nearest.js';
import { readVectorShard, type VectorShard, writeVectorShard } from '../../src/shard/vector-shard.js';
import { liveSet, mixture, seeded } from '../support/generated/vectors.js';
import { makeDirectory } from '../support/repositories/repo.js';

setLogLevel('silent');

const PROFILE = '0123456789ab';
const LEXICAL = 'lexical-00112233aabbccdd.bin';
const skip = usearch() === null;

function newShard(count: number, dimensions: number): { directory: string; shard: VectorShard } {
  const directory = makeDirectory();
  const rows = mixture(seeded(count), dimensions, 50)(count);
  return { directory, shard: writeVectorShard(directory, PROFILE, LEXICAL, { dimensions, rows }) };
}

test('a graph that is built twice, in two threads, has the same bytes', { skip }, async () => {
  const { directory, shard } = newShard(2500, 32);
  assert.equal(hasHnsw(directory, PROFILE, LEXICAL, shard), false);
  assert.equal(openHnsw(directory, PROFILE, LEXICAL, shard), null);
  assert.equal(await buildHnsw(directory, PROFILE, LEXICAL, shard), true);
  const path = hnswPath(directory, PROFILE, LEXICAL);
  const first = readFileSync(path);
  assert.equal(hasHnsw(directory, PROFILE, LEXICAL, shard), true);
  writeFileSync(path, 'damaged');
  const task = { directory, profile: PROFILE, lexical: LEXICAL, documents: 2500 };
  assert.equal(await buildHnswInBackground(task), true);
  assert.ok(first.equals(readFileSync(path)));
  assert.equal(await buildHnswInBackground({ ...task, documents: 7 }), false);
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.startsWith('.tmp')),
    [],
  );
});

test('a graph of other vectors is not used, and stays until it is replaced', { skip }, async () => {
  const { directory, shard } = newShard(300, 16);
  await buildHnsw(directory, PROFILE, LEXICAL, shard);
  const rows = shard.rows.slice().reverse();
  const changed = writeVectorShard(directory, PROFILE, LEXICAL, { dimensions: 16, rows });
  assert.equal(openHnsw(directory, PROFILE, LEXICAL, changed), null);
  assert.ok(existsSync(hnswPath(directory, PROFILE, LEXICAL)));
  assert.equal(await buildHnswInBackground({ directory, profile: PROFILE, lexical: LEXICAL, documents: 300 }), true);
  assert.notEqual(openHnsw(directory, PROFILE, LEXICAL, changed), null);
});

test('recall@10 of 20,000 vectors stays high if all are live, some are dead, or most are dead', { skip }, async () => {
  const dimensions = 64;
  const count = 20_000;
  const directory = makeDirectory();
  const draw = mixture(seeded(11), dimensions, 200);
  writeVectorShard(directory, PROFILE, LEXICAL, { dimensions, rows: draw(count) });
  const shard = readVectorShard(directory, PROFILE, LEXICAL, count) as VectorShard;
  await buildHnsw(directory, PROFILE, LEXICAL, shard);
  const graph = openHnsw(directory, PROFILE, LEXICAL, shard);
  assert.notEqual(graph, null);
  const queries = Array.from({ length: 50 }, () => draw(1));
  for (const step of [1, 0.7, 0.2]) {
    const random = seeded(13);
    const live = liveSet([count], () => random() < step);
    const approximate = new VectorIndex(live, [shard], () => graph);
    const exact = new VectorIndex(live, [shard]);
    let hits = 0;
    for (const query of queries) {
      const truth = new Map(nearest(exact, query, 10).map(({ document, score }) => [document, score]));
      const found = nearest(approximate, query, 10);
      assert.equal(found.length, 10);
      for (const { document, score } of found) {
        assert.ok(live.fileOf[document] >= 0);
        if (truth.has(document)) assert.equal(score, truth.get(document));
      }
      hits += found.filter(({ document }) => truth.has(document)).length;
    }
    assert.ok(hits / (10 * queries.length) >= 0.98, `${hits / (10 * queries.length)} with ${step} live`);
  }
});

test('if too few of the proposed rows are live, every row is compared', { skip }, async () => {
  const { directory, shard } = newShard(6000, 16);
  await buildHnsw(directory, PROFILE, LEXICAL, shard);
  const graph = openHnsw(directory, PROFILE, LEXICAL, shard);
  const query = shard.rows.slice(0, 16);
  // The nearest 2000 of the query are dead, and nothing else.
  const near = new Set(nearest(new VectorIndex(liveSet([6000]), [shard]), query, 2000).map(({ document }) => document));
  const live = liveSet([6000], (document) => !near.has(document));
  const found = nearest(new VectorIndex(live, [shard], () => graph), query, 10);
  assert.deepEqual(found, nearest(new VectorIndex(live, [shard]), query, 10));
});

test('absent rows are not in the graph; without any row there is none', { skip }, async () => {
  const directory = makeDirectory();
  const rows = mixture(seeded(2), 8, 3)(100).fill(0, 0, 50 * 8);
  const present = new Uint8Array(100).fill(1, 50);
  const shard = writeVectorShard(directory, PROFILE, LEXICAL, { dimensions: 8, rows, present });
  assert.equal(await buildHnsw(directory, PROFILE, LEXICAL, shard), true);
  const keys = openHnsw(directory, PROFILE, LEXICAL, shard)?.search(rows.slice(99 * 8), 1000) ?? [];
  assert.deepEqual([keys.length, [...keys].every((key) => key >= 50n)], [50, true]);
  const empty = { dimensions: 8, rows: new Int8Array(80), present: new Uint8Array(10) };
  assert.equal(
    await buildHnsw(directory, PROFILE, LEXICAL, writeVectorShard(directory, PROFILE, LEXICAL, empty)),
    false,
  );
});

test('building can be cancelled, and leaves nothing', { skip }, async () => {
  const { directory, shard } = newShard(300, 16);
  const cancelled = buildHnsw(directory, PROFILE, LEXICAL, shard, AbortSignal.abort());
  await assert.rejects(cancelled, (error) => isSocraticodeError(error, 'CANCELLED'));
  assert.equal(existsSync(hnswPath(directory, PROFILE, LEXICAL)), false);
  const missing = buildHnsw(`${directory}/missing`, PROFILE, LEXICAL, shard);
  await assert.rejects(missing, (error) => isSocraticodeError(error, 'DISK'));
});

test('the setting, the number of vectors and the size of the shard decide whether it gets a graph', () => {
  const many = EXACT_COMPONENTS + 1;
  assert.deepEqual(
    [wantsHnsw('auto', many, HNSW_MIN_ROWS), wantsHnsw('auto', many - 1, HNSW_MIN_ROWS), wantsHnsw('exact', many, 1e6)],
    [true, false, false],
  );
  assert.deepEqual([wantsHnsw('hnsw', 1, HNSW_MIN_ROWS), wantsHnsw('hnsw', many, HNSW_MIN_ROWS - 1)], [true, false]);
});
