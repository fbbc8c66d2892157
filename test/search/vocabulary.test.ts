/** Words that a mistyped one may stand for: by their length, their distance and their order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Vocabulary } from '../../src/search/vocabulary.js';
import { createLiveSet } from '../../src/shard/live.js';
import { buildShard, catalogFile, type SourceFile } from '../support/generated/corpus.js';

const file = (path: string, className: string, ...words: string[]): SourceFile => ({
  ...{ path, className },
  methods: [{ name: 'm', words }],
});
const [SHORT, LONG] = ['lorry', 'kilogrammkilogrammkilogr'];
const FILES = [
  file('a.ts', 'Aa', 'parlor', 'parkor', SHORT, LONG, 'depot9x', 'warehous'),
  file('b.ts', 'Bb', 'parcor', 'lor'),
];
const OTHER = file('c.ts', 'Cc', 'parfor');
const similar = (word: string) =>
  new Vocabulary(
    createLiveSet([buildShard([OTHER, FILES[0]]), buildShard([FILES[1]])], FILES.map(catalogFile)).live,
  ).similar(word);

test('words at one error are found, those of the snapshot alone, in the order of letters', async () => {
  assert.deepEqual(await similar('parxor'), ['parcor', 'parkor', 'parlor']);
  // The nearest is first: here it is the word itself.
  assert.deepEqual(await similar('parkor'), ['parkor', 'parcor', 'parlor']);
});

test('from eight letters on two errors are allowed, below one', async () => {
  assert.deepEqual(await similar('wareaaus'), ['warehous']);
  assert.deepEqual(await similar('warehxx'), []);
  assert.deepEqual(await similar('pxrlxr'), []);
});

test('words of fewer than five letters or more than twenty-four, and identifiers, resemble nothing', async () => {
  assert.deepEqual(await similar('lorrx'), [SHORT]);
  assert.deepEqual(await similar('lorr'), []);
  assert.deepEqual(await similar(`${LONG.slice(0, -1)}x`), [LONG]);
  assert.deepEqual(await similar(`${LONG}x`), []);
  assert.deepEqual(await similar('depot9y'), []);
});
