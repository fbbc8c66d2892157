/** Vectors that all point in nearly one direction, as those of most models do, tell chunks apart as well as others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinModel } from '../../src/embed/builtin/index.js';
import type { StaticModel } from '../../src/embed/builtin/model.js';
import { createCorpus } from '../../src/search/build-corpus.js';
import { CENTRE_SAMPLE, centred, DenseScorer, PathWords, providerQuery } from '../../src/search/dense.js';
import { createLiveSet } from '../../src/shard/live-set.js';
import { VectorIndex } from '../../src/shard/nearest.js';
import { VectorShard } from '../../src/shard/vector-shard.js';
import { buildShard, catalogFile, type SourceFile } from '../support/generated/corpus.js';

const DIMENSIONS = 32;
const FILES = 16;
const files = Array.from(
  { length: FILES },
  (_, i): SourceFile => ({ path: `f${i}.ts`, className: `Name${i}`, methods: [] }),
);

/** Number `about` is large where a text is about it; the last one is what all texts share. */
function vectorOf(about: number, shared: number): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0);
  vector[about] = 60;
  vector[DIMENSIONS - 1] = shared;
  return vector;
}

/** An index in which file N is about N. `order`: the order in which the files were indexed; `catalog`: in which they are numbered. */
function indexOf(order: readonly SourceFile[], shared: number, catalog: readonly SourceFile[] = files) {
  const shard = buildShard(order);
  const { live } = createLiveSet([shard], catalog.map(catalogFile));
  const about = (file: number) => Number(/\d+/.exec(live.files.path(file))?.[0]);
  const rows = Int8Array.from([...live.fileOf].flatMap((file) => vectorOf(about(file), shared)));
  const vectors = new VectorIndex(live, [new VectorShard({ dimensions: DIMENSIONS, rows })]);
  const documentOf = (name: number) => live.fileOf.findIndex((file) => about(file) === name);
  return { live, vectors, documentOf };
}

function questionAbout(about: number, shared: number): Float32Array {
  const vector = vectorOf(about, shared);
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (x) => x / length);
}

/** What ranking computes: the product with a chunk's vector of length 1. */
function similarity(question: Float32Array, vectors: VectorIndex, document: number): number {
  const chunk = new Float32Array(DIMENSIONS);
  vectors.addTo(chunk, document, 1);
  return chunk.reduce((sum, x, i) => sum + x * question[i], 0);
}

test('chunks about something else are far from a question, however much all vectors share', () => {
  for (const shared of [0, 60, 120]) {
    const { live, vectors, documentOf } = indexOf(files, shared);
    const question = centred(questionAbout(3, shared), live, vectors);
    const [right, wrong] = [3, 4].map((name) => similarity(question, vectors, documentOf(name)));
    assert.ok(Math.abs(wrong) < 0.1, `${shared}: ${wrong}`);
    // As near as without anything shared: it keeps its weight beside the path.
    assert.ok(right > 0.9 && right < 1.1, `${shared}: ${right}`);
  }
});

test('the order of indexing changes nothing', () => {
  const asked = questionAbout(5, 60);
  const [one, other] = [files, [...files].reverse()].map((order) => indexOf(order, 60));
  assert.deepEqual(centred(asked, one.live, one.vectors), centred(asked, other.live, other.vectors));
});

test('of more chunks than are sampled, those of the same blobs count in each clone, in whatever order it has its files', () => {
  const methods = Array.from({ length: Math.ceil(CENTRE_SAMPLE / 4) }, (_, i) => ({ name: `m${i}`, words: [] }));
  const many = files.map((file) => ({ ...file, methods }));
  const asked = questionAbout(5, 60);
  const [one, other, third] = [many, [...many].reverse(), [...many.slice(5), ...many.slice(0, 5)]].map((order) => {
    const { live, vectors } = indexOf(order, 60, order);
    assert.ok(live.fileOf.length > CENTRE_SAMPLE);
    return centred(asked, live, vectors);
  });
  assert.deepEqual(other, one);
  assert.deepEqual(third, one);
});

test('a model whose vectors are all equal, and one without any, leave a question that is no NaN', () => {
  const { live, vectors } = indexOf(files, 60);
  const same = new VectorIndex(live, [
    new VectorShard({
      dimensions: DIMENSIONS,
      rows: new Int8Array(live.fileOf.length * DIMENSIONS).fill(100),
    }),
  ]);
  const equal = new Float32Array(DIMENSIONS).fill(1 / Math.sqrt(DIMENSIONS));
  assert.ok(centred(equal, live, same).every(Number.isFinite));
  const none = new VectorIndex(live, [null]);
  const asked = questionAbout(1, 0);
  assert.deepEqual(centred(asked, live, none), asked);
  assert.ok(vectors.covered > 0);
});

test('what a chunk and its file have does not depend on which other chunks were asked about, however many those are', () => {
  const methods = (i: number) => Array.from({ length: 5 }, (_, j) => ({ name: `do${i}And${j}`, words: [`word${j}`] }));
  const many = Array.from({ length: 500 }, (_, i) => ({
    ...files[0],
    path: `f${i}.ts`,
    className: `Name${i}`,
    methods: methods(i),
  }));
  const { live, entries } = createLiveSet([buildShard(many)], many.map(catalogFile));
  const { length } = live.fileOf;
  const rows = Int8Array.from({ length: length * DIMENSIONS }, (_, i) => ((i * 7) % 127) - 60);
  const vectors = new VectorIndex(live, [new VectorShard({ dimensions: DIMENSIONS, rows })]);
  const query = providerQuery(builtinModel(), vectors, questionAbout(1, 60), { terms: [] });
  const documents = Array.from({ length }, (_, document) => document);
  const features = (order: readonly number[]) => {
    const scorer = new DenseScorer(createCorpus(live, entries), query);
    return new Map(order.map((document) => [document, scorer.features(document)]));
  };
  const [forwards, backwards] = [features(documents), features([...documents].reverse())];
  for (const document of documents) {
    assert.ok(Number.isFinite(forwards.get(document)?.denseFile), String(document));
    assert.deepEqual(forwards.get(document), backwards.get(document));
  }
});

test('words of paths have the rows of the model that is asked, whichever was asked before', () => {
  const shop = [{ ...files[0], path: 'shop/cart.ts' }];
  const { live } = createLiveSet([buildShard(shop)], shop.map(catalogFile));
  const modelWith = (rows: Record<string, number[]>) =>
    ({
      dimensions: 4,
      rowsOf: (word: string) => rows[word] ?? [],
      addWeighted: (sum: Float64Array, row: number, weight: number) => {
        sum[row] += weight;
      },
    }) as unknown as StaticModel;
  const [first, second] = [modelWith({ shop: [0], cart: [1] }), modelWith({ shop: [2], cart: [3, 3] })];
  const words = new PathWords(live.files);
  const rowsOf = (model: StaticModel) => {
    const rows: number[] = [];
    words.eachRow(0, model, (row) => rows.push(row));
    return rows;
  };
  for (let time = 0; time < 2; time++) {
    assert.deepEqual(
      [rowsOf(first), rowsOf(second)],
      [
        [1, 0],
        [3, 3, 2],
      ],
    );
    assert.deepEqual([...words.sumOf(0, first)], [1, 1, 0, 0]);
    assert.deepEqual([...words.sumOf(0, second)], [0, 0, 1, 2]);
    assert.deepEqual([words.lengthOf(0, first), words.lengthOf(0, second)], [Math.sqrt(2), Math.sqrt(5)]);
  }
});
