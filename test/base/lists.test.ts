import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  firstFrom,
  groupBy,
  hashOf,
  hashOfPart,
  indexIn,
  lineAt,
  lineOf,
  lineStarts,
  longestRising,
} from '../../src/base/lists.js';

test('the first item that is not before a place is found among none, one and many, and behind a least one', () => {
  const sorted = [1, 3, 3, 7];
  const rows: [wanted: number, first: number][] = [
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 1],
    [4, 3],
    [7, 3],
    [8, 4],
  ];
  for (const [wanted, first] of rows)
    assert.equal(
      firstFrom(sorted.length, (i) => sorted[i] < wanted),
      first,
      `from ${wanted} on`,
    );
  assert.equal(
    firstFrom(0, () => true),
    0,
  );
  assert.equal(
    firstFrom(4, () => false, 2),
    2,
  );
  assert.equal(
    firstFrom(4, (i) => i < 3, 2),
    3,
  );
});

test('items are grouped by their keys, in the order of first appearance', () => {
  assert.deepEqual(
    [...groupBy(['cart', 'item', 'code'], (word) => word[0])],
    [
      ['c', ['cart', 'code']],
      ['i', ['item']],
    ],
  );
});

test('a number has a place only where it stands', () => {
  const sorted = Uint32Array.from([2, 5, 9]);
  assert.deepEqual(
    [2, 5, 9].map((n) => indexIn(sorted, n)),
    [0, 1, 2],
  );
  assert.deepEqual(
    [0, 3, 10].map((n) => indexIn(sorted, n)),
    [-1, -1, -1],
  );
  assert.equal(indexIn([], 1), -1);
});

test('the longest rising part leaves out as few pairs as it can, and equal places', () => {
  const rising = (...places: number[]) =>
    longestRising(places.map((place, i) => [i, place] as const)).map(([, at]) => at);
  assert.deepEqual(rising(), []);
  assert.deepEqual(rising(4, 1, 2, 9, 3), [1, 2, 3]);
  assert.deepEqual(rising(5, 4, 3), [3]);
  assert.deepEqual(rising(2, 2, 2), [2]);
});

test('lines begin behind each line break, in units of a text and in bytes of a file', () => {
  const text = 'é\n\nshop\r\n';
  assert.deepEqual(lineStarts(text), [0, 2, 3, 9]);
  assert.deepEqual(lineStarts(Buffer.from(text)), [0, 3, 4, 10]);
  assert.deepEqual(lineStarts(''), [0]);
  const starts = lineStarts(text);
  assert.deepEqual(
    [0, 1, 2, 3, 8, 9, 99].map((offset) => lineAt(starts, offset)),
    [1, 1, 2, 3, 3, 4, 4],
  );
  for (const [offset, line] of [
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 3],
    [8, 3],
    [9, 4],
  ] as const)
    assert.equal(lineOf(text, offset), line, `line of ${offset}`);
  assert.equal(lineOf(Buffer.from(text), 4), 3);
});

test('a hash is that of the part alone, and the published one of FNV-1a', () => {
  assert.equal(hashOf(''), 0x811c9dc5);
  assert.equal(hashOf('a'), 0xe40c292c);
  assert.equal(hashOfPart('cart', 1, 2), hashOf('a'));
});
