/** Which parts of a file are named beside its result, by scores given by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextParts } from '../../src/search/rerank.js';
import { NEXT_PARTS } from '../../src/search/weights.js';
import { createLiveSet } from '../../src/shard/live-set.js';
import { buildShard, catalogFile, type SourceFile } from '../support/generated/corpus.js';

/** Each file has a class and eight methods: nine chunks. */
const FILES: SourceFile[] = Array.from({ length: 5 }, (_, i) => ({
  ...{ path: `f${i}.ts`, className: `Class${i}` },
  methods: Array.from({ length: 8 }, (_, m) => ({ name: `run${m}`, words: [`word${m}`] })),
}));
const { live } = createLiveSet([buildShard(FILES)], FILES.map(catalogFile));
const part = (file: number, chunk: number, own: number) => ({ document: file * 9 + chunk, file, own });
const shown = (file: number, chunk: number, symbol: string | null = null) => ({
  document: file * 9 + chunk,
  file,
  symbol,
});
const symbols = (found: ReturnType<typeof nextParts>, file: number, chunk: number) =>
  found.get(file * 9 + chunk)?.map(({ symbol }) => symbol);

test('the best further parts of a file are named in order, at most three, down to half of its best chunk', () => {
  const ranked = [part(0, 1, 8), part(0, 2, 7), part(0, 3, 4), part(0, 4, 3.9), part(0, 5, 3)];
  const found = nextParts(live, ranked, [shown(0, 1)]);
  assert.deepEqual(symbols(found, 0, 1), ['Class0.run1', 'Class0.run2']);
  assert.deepEqual(found.get(1)?.[0], { symbol: 'Class0.run1', startLine: 3, endLine: 3 });
  const many = nextParts(
    live,
    [1, 2, 3, 4, 5, 6].map((chunk) => part(0, chunk, 8)),
    [shown(0, 1)],
  );
  assert.equal(symbols(many, 0, 1)?.length, NEXT_PARTS.each);
});

test('neither a result nor what has the name of one is named, and no part twice', () => {
  const ranked = [1, 2, 3, 4, 4].map((chunk) => part(0, chunk, 8));
  const found = nextParts(live, ranked, [shown(0, 1), shown(0, 2, 'Class0.run2')]);
  assert.deepEqual(symbols(found, 0, 1), ['Class0.run3']);
  assert.equal(found.has(2), false);
});

test('the first three files have parts, further ones and files without a result none', () => {
  const ranked = [0, 1, 2, 3, 4].map((file) => part(file, 5, 8));
  const found = nextParts(
    live,
    ranked,
    [0, 1, 2, 3].map((file) => shown(file, 1)),
  );
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((file) => symbols(found, file, 1)?.length),
    [1, 1, 1, 0, undefined],
  );
});
