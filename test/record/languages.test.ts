/** The map of languages in a payload: 1 to 16 of them, with names that are safe as keys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLanguages } from '../../src/record/languages.js';

const some = (count: number) => new Map(Array.from({ length: count }, (_, i) => [`l${i}`, i]));

test('a record holds 1 to 16 languages', () => {
  for (const count of [1, 16]) assert.equal(Object.keys(readLanguages(some(count), Number)).length, count);
  for (const count of [0, 17]) assert.throws(() => readLanguages(some(count), Number), /languages/);
});

test('names that are no languages are refused', () => {
  for (const id of ['__proto__', 'Upper', '', 'a b', 7]) assert.throws(() => readLanguages(new Map([[id, 1]]), Number));
});
