/** Caches keep what is asked for again, and no more than they may. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Recent, remember, SparseMap } from '../../src/base/cache.js';

test('of two generations the one that is asked for stays, and what nobody asks for is forgotten', () => {
  const recent = new Recent<number, string>(3);
  for (let key = 0; key < 30; key++) {
    recent.set(key, `value ${key}`);
    assert.equal(recent.get(0), 'value 0');
  }
  const kept = Array.from({ length: 30 }, (_, key) => key).filter((key) => recent.get(key) !== undefined);
  assert.ok(kept.length <= 6, `${kept}`);
  assert.ok(kept.includes(29));
});

test('the least recently used goes first', () => {
  const map = new Map<string, number>();
  for (const key of ['a', 'b', 'a', 'c']) remember(map, key, 1, 2);
  assert.deepEqual([...map.keys()], ['a', 'c']);
});

test('a sparse map answers as a map does, empty or not', () => {
  const [sparse, map] = [new SparseMap<string, number>(), new Map<string, number>()];
  const told = (each: Pick<typeof sparse, 'get' | 'has' | 'keys'> & Iterable<[string, number]>) => [
    ...['a', 'b', 'c'].map((key) => [each.get(key), each.has(key)]),
    [...each.keys()],
    [...each],
  ];
  assert.deepEqual(told(sparse), told(map));
  for (const [i, key] of ['b', 'a', 'b'].entries()) {
    sparse.set(key, i);
    map.set(key, i);
    assert.deepEqual(told(sparse), told(map));
  }
});
