/** Which requests a server lets in when more come than it can answer soon, by a clock that the test sets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Admission, jsonIn } from '../../src/serve/loopback.js';

const LIMITS = { alwaysIn: 4, wait: 505 };

function admission(limits = LIMITS) {
  const clock = { ms: 0 };
  const gate = new Admission(limits, () => clock.ms);
  /** So many answers, each so many milliseconds after the one before. */
  const answered = (count: number, each: number) => {
    for (let i = 0; i < count; i++) {
      assert.equal(gate.enter(), null);
      clock.ms += each;
      gate.leave();
    }
  };
  const letIn = (asked: number) =>
    Array.from({ length: asked }, () => gate.enter()).filter((wait) => wait === null).length;
  return { clock, gate, answered, letIn };
}

test('as many requests are let in as will be answered within the wait, at the pace of the last answers', () => {
  for (const [each, most] of [
    [10, 50],
    [50, 10],
    [100, 5],
  ]) {
    const { answered, letIn } = admission();
    answered(1_000, each);
    assert.equal(letIn(200), most, `${each} ms each`);
  }
});

test('a few are let in however slow answers are, and the others are told a time that is about right', () => {
  const { answered, letIn, gate } = admission();
  answered(1_000, 2_000);
  assert.equal(letIn(200), LIMITS.alwaysIn);
  assert.equal(gate.enter(), 10);
});

test('while no answer comes, nobody more is let in; the next answer opens the door again', () => {
  const { answered, letIn, gate, clock } = admission();
  answered(1_000, 10);
  assert.equal(letIn(10), 10);
  clock.ms += 600;
  assert.equal(gate.enter(), 1);
  gate.leave();
  assert.equal(gate.enter(), null);
});

test('time in which nobody asked counts for nothing', () => {
  const { answered, letIn, clock } = admission();
  answered(1_000, 10);
  clock.ms += 3_600_000;
  assert.equal(letIn(200), 50);
});

test('requests that wait for another process take no place, and their wait makes no answer slower', () => {
  const { answered, letIn, gate, clock } = admission();
  answered(1_000, 10);
  for (let i = 0; i < 60; i++) {
    assert.equal(gate.enter(), null, `request ${i}`);
    gate.pause();
  }
  clock.ms += 10_000;
  for (let i = 0; i < 60; i++) gate.resume();
  assert.equal(gate.enter(), 1, 'sixty at work');
  for (let i = 0; i < 60; i++) {
    clock.ms += 10;
    gate.leave();
  }
  assert.equal(letIn(200), 50);
});

test('a client that leaves while its request waits is not counted twice', () => {
  const { answered, letIn, gate, clock } = admission();
  answered(1_000, 10);
  assert.equal(gate.enter(), null);
  gate.pause();
  gate.leave();
  clock.ms += 100;
  gate.resume();
  assert.equal(letIn(200), 50);
});

test('one request begins in each turn of the event loop, in the order in which they came', async () => {
  const { gate } = admission();
  let turns = 0;
  const count = () => {
    turns++;
    if (turns < 100) setImmediate(count);
  };
  setImmediate(count);
  const begun: number[] = [];
  await Promise.all(
    [0, 1, 2, 3].map(async (i) => {
      await gate.turn();
      begun.push(i, turns);
    }),
  );
  assert.deepEqual([begun[0], begun[2], begun[4], begun[6]], [0, 1, 2, 3]);
  assert.ok(begun[7] - begun[1] >= 3, `${begun}`);
});

test('brackets in texts of a body are no levels, whatever signs are escaped before them', () => {
  const deep = '['.repeat(100);
  for (const text of [deep, `"${deep}`, `\\${deep}`, `\\"${deep}`, `a"b"${deep}`])
    assert.deepEqual(jsonIn(Buffer.from(JSON.stringify({ query: text }))), { query: text });
  for (const text of ['"', '\\', '\\"']) {
    const body = `[${JSON.stringify(text)}, ${deep}${']'.repeat(100)}]`;
    assert.throws(() => jsonIn(Buffer.from(body)), RangeError, body);
  }
});
