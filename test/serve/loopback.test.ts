/** When a server ends: on a signal, and when the program that started it is gone. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { untilEnd } from '../../src/serve/loopback.js';

/** A standard input, which is a pipe or something else, and a clock that a test moves. */
function started(t: TestContext, { isPipe = true, signal }: { isPipe?: boolean; signal?: AbortSignal } = {}) {
  const input = new PassThrough();
  const before = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  Object.defineProperty(process, 'stdin', { value: input, configurable: true });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const status = t.mock.method(fs, 'fstatSync', () => ({ isFIFO: () => isPipe, isSocket: () => false }));
  syncBuiltinESMExports();
  const others = process.listeners('SIGTERM');
  let isOver = false;
  void untilEnd(signal).then(() => {
    isOver = true;
  });
  status.mock.restore();
  syncBuiltinESMExports();
  // Tests of other files, and the runner, have their own: no signal is sent.
  const own = process.listeners('SIGTERM').filter((each) => !others.includes(each)) as (() => void)[];
  const signalled = () => own.forEach((listener) => void listener());
  t.after(() => {
    signalled();
    Object.defineProperty(process, 'stdin', before);
  });
  const settled = () => new Promise(setImmediate);
  return {
    ...{ input, own, signalled },
    wait: (ms: number) => {
      now += ms;
    },
    isOver: async () => {
      for (let turn = 0; turn < 5; turn++) await settled();
      return isOver;
    },
  };
}

test('an input that was closed from the start, as a service has, ends no server', async (t) => {
  const { input, wait, isOver, signalled } = started(t);
  assert.equal(await isOver(), false);
  wait(500);
  input.end();
  assert.equal(await isOver(), false);
  signalled();
  assert.equal(await isOver(), true);
});

test('a server ends with the program that held its input, whether the input closes or breaks', async (t) => {
  for (const close of [(input: PassThrough) => input.end(), (input: PassThrough) => input.destroy(new Error('gone'))]) {
    const { input, wait, isOver } = started(t);
    wait(501);
    assert.equal(await isOver(), false);
    close(input);
    assert.equal(await isOver(), true);
    t.mock.restoreAll();
  }
});

test('a file or a terminal as input says nothing about a parent', async (t) => {
  const { input, wait, isOver } = started(t, { isPipe: false });
  wait(10_000);
  input.resume().end();
  assert.equal(await isOver(), false);
});

test('a server with a signal of its own ends by it, at once where it is aborted already, and by no signal of the process', async (t) => {
  const ending = new AbortController();
  const { own, isOver } = started(t, { signal: ending.signal });
  assert.deepEqual(own, []);
  assert.equal(await isOver(), false);
  ending.abort();
  assert.equal(await isOver(), true);
  t.mock.restoreAll();
  assert.equal(await started(t, { signal: AbortSignal.abort() }).isOver(), true);
});
