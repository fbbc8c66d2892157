/** Nearest vectors: the same documents and scores as comparing everything the slow way, with each engine. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSocraticodeError } from '../../src/base/errors.js';
import { describeEngine, type HnswGraph, usearch } from '../../src/shard/hnsw.js';
import { hnswPath, vectorPath } from '../../src/shard/lexical-format.js';
import type { LiveSet } from '../../src/shard/live-set.js';
import { nearest, openVectorIndex, searchMatrix, VectorIndex } from '../../src/shard/nearest.js';
import {
  dotsOf,
  makeRows,
  precise,
  squaresOf,
  toQuery,
  VectorShard,
  writeVectorShard,
} from '../../src/shard/vector-shard.js';
import { liveSet, mixture, seeded, slowNearest } from '../support/generated/vectors.js';
import { makeDirectory, ROUNDS } from '../support/repositories/repo.js';

/** Loads it, so that small searches use it too. */
const { engine } = describeEngine();
const RUNS = Math.max(60, ROUNDS * 8);

test('the engine is named, with the reason for doing without usearch', () => {
  const { reason } = describeEngine();
  assert.equal(engine === 'usearch', reason === null);
  assert.equal(engine === 'usearch', usearch() !== null);
  if (process.env.SOCRATICODE_TEST_NO_USEARCH === '1') assert.match(reason ?? '', /switched off/);
});

/** Few different numbers, so that equal vectors, equal scores and zero vectors are common. */
const anyShard = (dimensions: number) =>
  fc
    .array(
      fc.tuple(
        fc.array(fc.integer({ min: -2, max: 2 }), { minLength: dimensions, maxLength: dimensions }),
        fc.boolean(),
      ),
      {
        maxLength: 60,
      },
    )
    .map((all) => {
      const present = Uint8Array.from(all, ([, isThere]) => (isThere ? 1 : 0));
      return new VectorShard({
        dimensions,
        rows: Int8Array.from(all.flatMap(([row, isThere]) => row.map((value) => (isThere ? value * 60 : 0)))),
        present: present.includes(0) ? present : null,
      });
    });

const anyCase = fc.integer({ min: 1, max: 9 }).chain((dimensions) =>
  fc.record({
    shards: fc.array(fc.option(anyShard(dimensions), { freq: 6 }), { minLength: 1, maxLength: 4 }),
    query: fc.array(fc.integer({ min: -127, max: 127 }), { minLength: dimensions, maxLength: dimensions }),
    count: fc.integer({ min: 0, max: 25 }),
    liveShare: fc.constantFrom(1, 0.8, 0.3, 0),
    seed: fc.nat(),
  }),
);

test(`any shards and any live set (${engine}) give what comparing all rows finds, with the same scores`, () => {
  fc.assert(
    fc.property(anyCase, ({ shards, query, count, liveShare, seed }) => {
      const random = seeded(seed);
      const live = liveSet(
        shards.map((shard) => shard?.count ?? 5),
        () => random() < liveShare,
      );
      const index = new VectorIndex(live, shards);
      const vector = Int8Array.from(query);
      const isZero = query.every((value) => value === 0);
      assert.deepEqual(nearest(index, vector, count), isZero ? [] : slowNearest(live, shards, vector, count));
      if (index.dimensions === 0) return;
      const prepared = index.query(vector);
      for (const { document, score } of index.nearest(prepared, count))
        assert.equal(index.score(document, prepared), score);
    }),
    { numRuns: RUNS },
  );
});

test('many dead versions of the nearest rows do not hide the live ones', () => {
  const dimensions = 16;
  const draw = mixture(seeded(3), dimensions, 40);
  const rows = draw(6000);
  const query = rows.slice(0, dimensions);
  // The first 2500 rows are copies of the query, and all of them are dead.
  for (let row = 0; row < 2500; row++) rows.set(query, row * dimensions);
  const shard = new VectorShard({ dimensions, rows });
  const live = liveSet([6000], (document) => document >= 2500);
  assert.deepEqual(nearest(new VectorIndex(live, [shard]), query, 10), slowNearest(live, [shard], query, 10));
});

test('many documents with equal scores come in the order of their numbers, across shards', () => {
  const rows = Int8Array.from(Array.from({ length: 3000 }, () => [127, 0, 0]).flat());
  const shard = new VectorShard({ dimensions: 3, rows });
  const found = nearest(
    new VectorIndex(
      liveSet([3000, 3000], (i) => i % 4 !== 0),
      [shard, shard],
    ),
    Int8Array.of(5, 0, 0),
    5,
  );
  assert.deepEqual(
    found,
    [1, 2, 3, 5, 6].map((document) => ({ document, score: 1 })),
  );
});

test('among equal scores the documents of the first files are taken, in any shard', () => {
  const shard = new VectorShard({
    dimensions: 2,
    rows: Int8Array.from({ length: 6000 }, (_, i) => (i % 2 === 0 ? 9 : 0)),
  });
  for (const fileOf of [(i: number) => i, (i: number) => 5999 - i]) {
    const { bases, count } = liveSet([3000, 3000]);
    const live = { bases, count, fileOf: Int32Array.from({ length: 6000 }, (_, i) => fileOf(i)) };
    const found = nearest(new VectorIndex(live, [shard, shard]), Int8Array.of(1, 0), 4);
    assert.deepEqual(
      found.map(({ document }) => live.fileOf[document]),
      [0, 1, 2, 3],
    );
  }
});

test('rows in WebAssembly give the same products and neighbours as rows in JavaScript', () => {
  for (const [dimensions, count] of [
    [256, 3000],
    [100, 5001],
    [3, 2100],
  ]) {
    const draw = mixture(seeded(dimensions), dimensions, 30);
    const rows = draw(count);
    // Equal rows side by side, far apart, and a zero row.
    for (const [from, to] of [
      [1, 2],
      [5, count - 1],
      [7, 99],
    ])
      rows.copyWithin(to * dimensions, from * dimensions, (from + 1) * dimensions);
    rows.fill(0, 0, dimensions);
    rows.fill(-128, dimensions, 2 * dimensions);
    const fast = makeRows(count, dimensions);
    fast.set(rows);
    assert.notEqual(fast.buffer.byteLength, rows.buffer.byteLength);
    const usable = Uint8Array.from({ length: count }, (_, row) => (row % 3 === 0 ? 0 : 1));
    const usableCount = usable.reduce((sum, value) => sum + value, 0);
    const matrix = { dimensions, rows, squares: squaresOf(rows, dimensions), documents: 10, usable, usableCount };
    for (let i = 0; i < 40; i++) {
      const wanted = {
        query: toQuery(draw(1), dimensions),
        count: [1, 10, 200][i % 3],
        floor: [-Infinity, 0.2][i % 2],
      };
      assert.deepEqual(searchMatrix({ ...matrix, rows: fast }, wanted), searchMatrix(matrix, wanted));
      const queries = { count: 3, values: Int16Array.from(draw(3), (x) => x * 258) };
      assert.deepEqual(dotsOf(fast, queries, i, 9), dotsOf(rows, queries, i, 9));
    }
  }
});

const small = new VectorShard({
  dimensions: 2,
  rows: Int8Array.of(127, 0, 0, 127, 0, 0, -127, 127),
  present: Uint8Array.of(1, 1, 0, 1),
});

test('documents without a vector score 0, are never found, and are not counted as covered', () => {
  const index = new VectorIndex(
    liveSet([4, 3, 4], (i) => i !== 1),
    [small, null, small],
  );
  assert.deepEqual([index.covered, index.total, index.dimensions], [5, 10, 2]);
  const query = index.query(Float32Array.of(0.5, 0));
  const everywhere = Array.from({ length: 13 }, (_, document) => Math.round(100 * index.score(document, query)));
  assert.deepEqual(everywhere, [100, 0, 0, -71, 0, 0, 0, 100, 0, 0, -71, 0, 0]);
  assert.deepEqual(
    [0, 2, 4, 10, 11, -1].map((document) => index.has(document)),
    [true, false, false, true, false, false],
  );
  assert.deepEqual(
    index.nearest(query, 99).map(({ document }) => document),
    [0, 7, 8, 3, 10],
  );
});

test('products with several documents are those with each of them, across shards and their ends', () => {
  const index = new VectorIndex(liveSet([4, 3, 4]), [small, null, small]);
  const places = [Float32Array.of(0.6, 0.8), Float32Array.of(-3, 0), Float32Array.of(0, 0)];
  for (const queries of [places.slice(0, 2), places.slice(2)]) {
    const out = new Float64Array(12 * queries.length).fill(9);
    index.productsOf(precise(queries), 1, 12, out, 0);
    for (let document = 1; document < 13; document++)
      for (const [k, query] of queries.entries()) {
        const cosine = new Float32Array(2);
        index.addTo(cosine, document, 1);
        const product = cosine[0] * query[0] + cosine[1] * query[1];
        assert.ok(Math.abs(out[(document - 1) * queries.length + k] - product) < 1e-6, `${document}`);
      }
  }
});

test('of the rows that a graph proposes the best live ones are taken, with exact scores; too few of them are not enough', () => {
  // The nearer the first rows, the further the last; row 42 has no direction. Documents of the second shard begin at 6.
  const [count, base] = [120, 6];
  const rows = Int8Array.from({ length: 2 * count }, (_, i) => (i >> 1 === 42 ? 0 : i % 2 === 0 ? 100 : i >> 1));
  const shard = new VectorShard({ dimensions: 2, rows });
  const query = Int8Array.of(100, -10);
  const found = (proposed: readonly number[], isLive: (row: number) => boolean = () => true) => {
    const graph = { search: () => BigUint64Array.from(proposed, BigInt) } as unknown as HnswGraph;
    const live = liveSet([base, count], (document) => isLive(document - base));
    const exact = new Map(slowNearest(live, [null, shard], query, count).map((each) => [each.document, each.score]));
    return nearest(new VectorIndex(live, [null, shard], () => graph), query, 3).map(({ document, score }) => {
      assert.equal(score, exact.get(document), `${document}`);
      return document - base;
    });
  };
  const all = Array.from({ length: count }, (_, row) => row);
  const far = all.slice(40).reverse();
  assert.deepEqual(found(far), [40, 41, 43], 'the best of those proposed, without the one that has no direction');
  assert.deepEqual(found([...far].reverse()), [40, 41, 43], 'in any order');
  assert.deepEqual(
    found(far, (row) => row !== 40 && row !== 43),
    [41, 44, 45],
    'without dead ones',
  );
  assert.deepEqual(found(all), [0, 1, 2]);
  for (const few of [[], [100], far.slice(0, 3)]) assert.deepEqual(found(few), [0, 1, 2], 'all rows are compared');
  assert.deepEqual(
    found(far, (row) => row < 80 && row % 2 === 1),
    [1, 3, 5],
    'all live rows are compared where most rows are dead',
  );
});

test('a search for similar documents leaves out the document itself', () => {
  const index = new VectorIndex(liveSet([4, 4]), [small, small]);
  assert.deepEqual(
    index.similarTo(3, 3).map(({ document }) => document),
    [7, 1, 5],
  );
  assert.deepEqual([index.similarTo(2, 3), index.similarTo(99, 3), index.similarTo(3, 0)], [[], [], []]);
});

test('NaN, infinity and another number of dimensions are refused; a query without direction finds nothing', () => {
  const index = new VectorIndex(liveSet([4]), [small]);
  for (const bad of [[Number.NaN, 1], [1, Number.POSITIVE_INFINITY], [1], [1, 2, 3], [1, 2, 3, 4]]) {
    assert.throws(
      () => nearest(index, Float32Array.from(bad), 3),
      (error) => isSocraticodeError(error, 'INTERNAL'),
    );
  }
  assert.deepEqual(nearest(index, new Float32Array(2), 3), []);
  assert.deepEqual(nearest(new VectorIndex(liveSet([4]), [null]), new Float32Array(7), 3), []);
});

test('vectors of another size count as absent, and a wrong number of rows is refused as a bug', () => {
  const wide = new VectorShard({ dimensions: 3, rows: new Int8Array(6).fill(1) });
  const index = new VectorIndex(liveSet([4, 2]), [small, wide]);
  assert.deepEqual([index.covered, index.has(5)], [3, false]);
  assert.throws(
    () => new VectorIndex(liveSet([5]), [small]),
    (error) => isSocraticodeError(error, 'INTERNAL'),
  );
});

test('a float query is rounded like the rows are', () => {
  const query = toQuery(Float32Array.of(0.1, -0.2, 0.05), 3);
  assert.deepEqual([[...query.values], query.square], [[64, -127, 32], 64 * 64 + 127 * 127 + 32 * 32]);
});

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
