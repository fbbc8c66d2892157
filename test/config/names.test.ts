import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import { editDistance, nearest } from '../../src/base/spelling.js';
import { profileId } from '../../src/config/resolve.js';

test('edit distance counts a swap of neighbours once', () => {
  assert.equal(editDistance('serach', 'search'), 1);
  assert.equal(editDistance('kitten', 'sitting'), 3);
  assert.equal(editDistance('', 'abc'), 3);
});

test('the nearest name is offered, and none if all are far', () => {
  const commands = ['search', 'status', 'symbols', 'index'];
  assert.equal(nearest('serach', commands), 'search');
  assert.equal(nearest('STATUS', commands), 'status');
  assert.equal(nearest('indxe', commands), 'index');
  assert.equal(nearest('banana', commands), null);
  assert.equal(nearest('mode', ['search.mode', 'embedder.model']), 'search.mode');
  assert.equal(nearest('x'.repeat(100_000), commands), null);
});

test('a profile id does not depend on the order of keys but on every value', () => {
  const id = profileId({ format: 1, chunker: { max: 60, min: 5 }, grammars: ['a', 'b'] });
  assert.match(id, /^[0-9a-f]{12}$/);
  assert.equal(profileId({ grammars: ['a', 'b'], chunker: { min: 5, max: 60 }, format: 1 }), id);
  assert.notEqual(profileId({ format: 1, chunker: { max: 60, min: 5 }, grammars: ['b', 'a'] }), id);
  assert.equal(profileId({ a: 1 }), '015abd7f5cc5');
  assert.throws(() => profileId({ a: undefined }), SocraticodeError);
  assert.throws(() => profileId(Number.NaN), SocraticodeError);
});
