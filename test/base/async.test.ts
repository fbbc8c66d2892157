/** Waiting that ends early, whatever becomes of what is waited for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurns, TIMED_OUT, unlessAborted, waitFor } from '../../src/base/async.js';

const never = new Promise<never>(() => {});

test('a wait ends with the result, at the time limit, or with the signal', async () => {
  assert.equal(await waitFor(Promise.resolve(1), { ms: 10_000 }), 1);
  assert.equal(await waitFor(never, { ms: 1 }), TIMED_OUT);
  await assert.rejects(waitFor(Promise.reject(new Error('no')), { ms: 10_000 }), /no/);
  const cancel = new AbortController();
  const waiting = waitFor(never, { signal: cancel.signal });
  cancel.abort();
  await assert.rejects(waiting, { code: 'CANCELLED' });
  await assert.rejects(unlessAborted(never, cancel.signal), { code: 'CANCELLED' });
  assert.equal(await unlessAborted(Promise.resolve(2)), 2);
});

test('long work in turns hears a signal, says how far it is, and otherwise ends with its result', async () => {
  function* steps(until: number): Generator<number, string> {
    for (let step = 1; step <= until; step++) yield step;
    return 'done';
  }
  assert.equal(await inTurns(steps(3)), 'done');
  const cancel = new AbortController();
  const seen: number[] = [];
  setTimeout(() => cancel.abort(), 1);
  const endless = inTurns(steps(Number.POSITIVE_INFINITY), {
    signal: cancel.signal,
    onPause: (step) => seen.push(step),
  });
  await assert.rejects(endless, { code: 'CANCELLED' });
  assert.ok(seen.length > 0 && seen[0] > 1);
});
