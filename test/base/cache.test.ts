/** Caches keep what is asked for again, and no more than they may. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Recent, remember } from '../../src/base/cache.js';

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
