/** Works that run side by side, and those that wait in line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slots } from '../../fleet/src/slots.js';

test('never more works run than there are slots, the line is served in order, and one too many is refused', async () => {
  const slots = new Slots(2, 3);
  let [running, most] = [0, 0];
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const start = (name: number) =>
    slots.run(async () => {
      begun.push(name);
      most = Math.max(most, ++running);
      await new Promise<void>((end) => ends.set(name, end));
      running--;
      if (name === 2) throw new Error('it failed');
      return name;
    });
  const end = async (name: number) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const all = [1, 2, 3, 4, 5].map(start);
  const failed = assert.rejects(all[1], /it failed/);
  assert.equal(await start(6), null, 'two run and three wait');
  await end(1);
  await end(2);
  assert.deepEqual([begun, running], [[1, 2, 3, 4], 2]);
  // Who comes now waits behind the line, although somebody has just left.
  all.push(start(7), start(8));
  await end(3);
  assert.deepEqual([begun, running], [[1, 2, 3, 4, 5], 2]);
  for (const name of [4, 5, 7, 8]) await end(name);
  await failed;
  assert.deepEqual(await Promise.all(all.filter((_, i) => i !== 1)), [1, 3, 4, 5, 7, 8]);
  assert.deepEqual([begun, most], [[1, 2, 3, 4, 5, 7, 8], 2]);
  const last = start(9);
  await end(9);
  assert.equal(await last, 9, 'all slots are free again');
});
