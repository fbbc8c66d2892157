/** Writes that come while one is under way become the next one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Together } from '../../fleet/src/engines/lance/together.js';

test('works that come while one is under way are done as one, each with its own result', async () => {
  const done: number[][] = [];
  const together = new Together<number, number>(
    async (items) => {
      done.push([...items]);
      await setImmediate();
      return items.map((item) => 10 * item);
    },
    (items) => items.length < 3,
  );
  const results = await Promise.all([1, 2, 3, 4, 5].map((item) => together.add(item)));
  assert.deepEqual(results, [10, 20, 30, 40, 50]);
  assert.deepEqual(done, [[1], [2, 3, 4], [5]]);
  assert.equal(await together.add(6), 60, 'it goes on after a pause');
});

test('what may not be joined waits for a write of its own, in its order', async () => {
  const done: string[][] = [];
  const write = async (items: readonly string[]) => {
    done.push([...items]);
    await setImmediate();
    return [...items];
  };
  const together = new Together<string, string>(write, (items, next) => !items.includes(next));
  await Promise.all(['a', 'b', 'c', 'b', 'd', 'b'].map((item) => together.add(item)));
  assert.deepEqual(done, [['a'], ['b', 'c', 'd'], ['b'], ['b']]);
});

test('one that fails takes no other with it', async () => {
  const together = new Together<number, number>(
    async (items) => {
      await setImmediate();
      if (items.includes(3)) throw new Error('three');
      return [...items];
    },
    () => true,
  );
  const results = await Promise.allSettled([1, 2, 3, 4].map((item) => together.add(item)));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(await together.add(5), 5);
});

test('a work that fails alone is not tried again', async () => {
  let tried = 0;
  const together = new Together<number, number>(
    async () => {
      tried++;
      throw new Error('gone');
    },
    () => true,
  );
  await assert.rejects(together.add(1), /gone/);
  assert.equal(tried, 1);
});
