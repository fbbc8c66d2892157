/** Vectors of the built-in model from a shard's postings: how often each word of a chunk counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StaticModel } from '../../src/embed/builtin/model.js';
import { embedShard } from '../../src/indexer/static-vectors.js';
import { findUnit } from '../../src/shard/live-set.js';
import { buildShard, materialise, type SourceFile } from '../support/generated/corpus.js';
import { source } from './vector-fixture.js';

/** A model in which each number of a vector is how often one of its words was counted. */
function countingModel(...words: string[]) {
  const model = {
    dimensions: words.length,
    words: words.length,
    rowsOf: (term: string) => [...words.keys()].filter((row) => term.includes(words[row])),
    addAll: (sum: Float64Array, rows: readonly number[], frequency: Uint32Array) => {
      for (const row of rows) sum[row] = frequency[row];
    },
  };
  return model as unknown as StaticModel;
}

/** Vectors of a file's chunks; null for one that has none. */
function vectors(file: SourceFile, ...words: string[]) {
  const shard = buildShard([source('Before', 'zero'), file, source('After', 'nought')]);
  const { rows, present } = embedShard(shard, countingModel(...words));
  const found = findUnit([shard], materialise(file).oid, 'typescript');
  assert.ok(found !== null);
  return Array.from({ length: shard.unitDocuments[found.unit] }, (_, i) => {
    const at = shard.unitFirst[found.unit] + i;
    if (present?.[at] === 0) return null;
    return [...rows.subarray(at * words.length, (at + 1) * words.length)];
  });
}

/** Frequencies as a vector has them: the largest is 127. */
const scaled = (...counts: number[]) => counts.map((count) => Math.round((127 * count) / Math.max(...counts)));

test('a word counts once where it stands, three times more in the name, four times more in a name around', () => {
  // Chunks: `class Cart`, and `def add add` within it.
  assert.deepEqual(vectors(source('Cart', 'add'), 'cart', 'add', 'class', 'def'), [
    scaled(1 + 3, 0, 1, 0),
    scaled(4, 2 + 3, 0, 1),
  ]);
});

test('a word of several sub-words counts for each of them', () => {
  assert.deepEqual(vectors(source('Cart', 'add'), 'ca', 'rt', 'class')[0], scaled(4, 4, 1));
});

test('a chunk without a word that the model knows has no vector, and its neighbours keep their own', () => {
  assert.deepEqual(vectors({ ...source('Cart', 'add'), className: 'Cart' }, 'class', 'zero'), [[127, 0], null]);
});

test('where every chunk has a vector none is marked as missing', () => {
  const shard = buildShard([source('Cart', 'add')]);
  assert.equal(embedShard(shard, countingModel('cart')).present, null);
  assert.deepEqual(embedShard(shard, countingModel('class')).present, Uint8Array.of(1, 0));
});

test('a word that a chunk repeats endlessly counts 255 times at most', () => {
  const file = {
    ...source('Cart'),
    methods: [{ name: 'add', words: [...Array(300).fill('again'), ...Array(100).fill('then')] }],
  };
  assert.deepEqual(vectors(file, 'again', 'then')[1], scaled(255, 100));
});
