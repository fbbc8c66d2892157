import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTEMPTS, pauseAfter } from '../../src/share/push.js';
import { randomFrom } from '../support/generated/random.js';

interface Pusher {
  /** Milliseconds at which the next attempt begins, or the running one ends. */
  at: number;
  /** The remote's state that the running attempt builds on; null while there is none. */
  seen: number | null;
  attempts: number;
  took: number;
  left: number;
}

/** The most attempts of one push, where each takes about `length` ms and wins only if nobody else did meanwhile. */
function mostAttempts(pushers: number, pushes: number, length: number, seed: number): number {
  const random = randomFrom(seed);
  const chance = () => random(1_000_000) / 1_000_000;
  const made = (): Pusher => ({ at: chance() * length, seen: null, attempts: 0, took: 0, left: pushes });
  const all = Array.from({ length: pushers }, made);
  let [state, most] = [0, 0];
  for (let open = all; open.length > 0; open = open.filter(({ left }) => left > 0)) {
    const next = open.reduce((first, each) => (each.at < first.at ? each : first));
    if (next.seen === null) {
      next.took = length * (0.7 + 0.6 * chance());
      Object.assign(next, { seen: state, attempts: next.attempts + 1, at: next.at + next.took });
    } else if (next.seen === state) {
      state++;
      most = Math.max(most, next.attempts);
      Object.assign(next, { seen: null, attempts: 0, left: next.left - 1 });
    } else Object.assign(next, { seen: null, at: next.at + pauseAfter(next.attempts, next.took, chance()) });
  }
  return most;
}

test('a pause is a share of the time that an attempt took, doubled with each of the first six, and a minute at most', () => {
  assert.deepEqual(
    [pauseAfter(1, 100, 1), pauseAfter(6, 100, 1), pauseAfter(7, 100, 0.5), pauseAfter(6, 10_000, 1)],
    [200, 6_400, 3_200, 60_000],
  );
});

test('clones that push all the time get through, however long an exchange takes', () => {
  for (const length of [100, 1_000, 4_000])
    for (let seed = 1; seed <= 20; seed++) {
      const most = mostAttempts(20, 5, length, seed);
      assert.ok(most <= ATTEMPTS, `${most} attempts at ${length} ms`);
    }
});
