/** Readings of a target: paths, lines as several tools write them, symbols of files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readingsOf, unite } from '../../../src/questions/show/locate.js';

const last = (target: string) => readingsOf(target).at(-1);

test('lines are read as people, git, compilers and web pages write them', () => {
  const forms: [string, number, number][] = [
    ['a.ts:10', 10, 10],
    ['a.ts:10-40', 10, 40],
    ['a.ts:10-', 10, Infinity],
    ['a.ts:10,40', 10, 40],
    ['a.ts:10,+20', 10, 29],
    ['a.ts:10:5', 10, 10],
    ['a.ts#L10', 10, 10],
    ['a.ts#L10-L40', 10, 40],
  ];
  for (const [target, start, end] of forms)
    assert.deepEqual(last(target), { path: 'a.ts', lines: { start, end }, symbol: null }, target);
});

test('the whole text is a path first, whatever it looks like', () => {
  for (const target of ['odd:10', 'a#b', 'x:y.ts']) {
    assert.deepEqual(readingsOf(target)[0], { path: target, lines: null, symbol: null });
    assert.equal(readingsOf(target).length, 2);
  }
});

test('a symbol of a file is marked by # or a colon; two colons belong to a name', () => {
  assert.deepEqual(last('src/a.ts#Cart.total'), { path: 'src/a.ts', lines: null, symbol: 'Cart.total' });
  assert.deepEqual(last('src/a.ts:Cart'), { path: 'src/a.ts', lines: null, symbol: 'Cart' });
  assert.deepEqual(readingsOf('Cart::total').length, 1);
});

test('lines that cannot be are refused with the forms that can', () => {
  for (const target of ['a.ts:0', 'a.ts:9-3', 'a.ts:5,+0']) assert.throws(() => readingsOf(target), /lines/, target);
});

test('ranges that overlap, touch or hold one another are one', () => {
  const ranges = [
    { start: 9, end: 12 },
    { start: 10, end: 11 },
    { start: 1, end: 3 },
    { start: 4, end: 5 },
  ];
  assert.deepEqual(unite(ranges), [
    { start: 1, end: 5 },
    { start: 9, end: 12 },
  ]);
});
