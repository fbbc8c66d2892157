/** Waiting that ends early, whatever becomes of what is waited for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurns, mapConcurrently, SingleFlight, TIMED_OUT, unlessAborted, waitFor } from '../../src/base/async.js';

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

test('a wait with a signal that is over ends at once', async () => {
  await assert.rejects(waitFor(never, { signal: AbortSignal.abort() }), { code: 'CANCELLED' });
});

test('a list is worked on by few at a time, in order, and the first failure is thrown', async () => {
  const seen: [running: number, entry: string, index: number][] = [];
  let running = 0;
  const work = async (entry: string, index: number) => {
    seen.push([++running, entry, index]);
    await new Promise((done) => setTimeout(done, index === 0 ? 20 : 1));
    running--;
    return entry.toUpperCase();
  };
  assert.deepEqual(await mapConcurrently(['a', 'b', 'c'], 2, work), ['A', 'B', 'C']);
  assert.deepEqual(seen, [
    [1, 'a', 0],
    [2, 'b', 1],
    [2, 'c', 2],
  ]);
  assert.deepEqual(await mapConcurrently([], 2, work), []);
  await assert.rejects(
    mapConcurrently(['a', 'b'], 9, async (entry) => Promise.reject(new Error(entry))),
    /^Error: a$/,
  );
});

test('callers share work of one key while it is under way; whoever joined starts it again when its first caller gave up', async () => {
  const flights = new SingleFlight<number>();
  let starts = 0;
  let end: (failure?: Error) => void = () => {};
  const start = () =>
    new Promise<number>((resolve, reject) => {
      const number = ++starts;
      end = (failure) => (failure === undefined ? resolve(number) : reject(failure));
    });
  const shared = [flights.run('a', start), flights.run('a', start)];
  end();
  assert.deepEqual(await Promise.all(shared), [1, 1]);
  const [first, joined] = [flights.run('a', start), flights.run('a', start)];
  const left = new AbortController();
  const gone = flights.run('a', start, left.signal);
  left.abort();
  await assert.rejects(gone, { code: 'CANCELLED' });
  end(new Error('given up'));
  await assert.rejects(first, /given up/);
  await new Promise((done) => setImmediate(done));
  end();
  assert.deepEqual([await joined, starts], [3, 3]);
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
