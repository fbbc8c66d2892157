/** The times of an index run, by phase. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PhaseTimer } from '../../src/indexer/report.js';

test('times of a phase add up, also of work that fails, beside the total; each to a tenth of a millisecond', async (t) => {
  let now = 1_000;
  t.mock.method(performance, 'now', () => now);
  const timer = new PhaseTimer();
  const work = (ms: number) => () => {
    now += ms;
    return 'done';
  };
  assert.equal(await timer.measure('parse', work(10)), 'done');
  await timer.measure('write', work(5));
  await timer.measure('parse', work(2.26));
  const failing = timer.measure('write', async () => {
    now += 1;
    throw new Error('disk full');
  });
  await assert.rejects(failing, /disk full/);
  timer.add('parse', 1);
  now += 4;
  assert.deepEqual(timer.result(), { parse: 13.3, write: 6, total: 22.3 });
});
