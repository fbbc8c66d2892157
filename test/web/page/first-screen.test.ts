/** What fills the window is drawn first; what is below it follows, and never of a list that was typed over. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { FirstScreen, onRest } from '../../../src/web/page/first-screen.js';

/** A window of three items, whose frames come when they are asked for. */
function windowOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const frames: (() => void)[] = [];
  const globals = globalThis as Record<string, unknown>;
  Object.assign(globals, { innerHeight: 300, requestAnimationFrame: (frame: () => void) => frames.push(frame) });
  t.after(() => {
    for (const name of ['innerHeight', 'requestAnimationFrame']) delete globals[name];
  });
  let draws = 0;
  onRest(() => draws++);
  return {
    nextFrame() {
      for (const frame of frames.splice(0)) frame();
      t.mock.timers.tick(1);
    },
    draws: () => draws,
  };
}

test('items below the window stay those of the list before until the next frame', (t) => {
  const { nextFrame, draws } = windowOf(t);
  const screen = new FirstScreen<string>(100);
  const [first, second] = [
    ['a', 'b', 'c', 'd', 'e'],
    ['A', 'B', 'C', 'D'],
  ];
  assert.deepEqual(screen.of(first), ['a', 'b', 'c']);
  nextFrame();
  assert.deepEqual([screen.of(first), draws()], [first, 1]);
  assert.deepEqual(screen.of(second), ['A', 'B', 'C', 'd', 'e']);
  nextFrame();
  assert.deepEqual([screen.of(second), draws()], [second, 2]);
});

test('a list that came while another one was drawn is the one that is finished', (t) => {
  const { nextFrame, draws } = windowOf(t);
  const screen = new FirstScreen<string>(100);
  const [old, fresh] = [
    ['a', 'b', 'c', 'd'],
    ['A', 'B', 'C', 'D'],
  ];
  screen.of(old);
  assert.deepEqual(screen.of(fresh), ['A', 'B', 'C']);
  nextFrame();
  assert.deepEqual([screen.of(fresh), draws()], [fresh, 1]);
});

test('a list that fits the window is drawn at once', (t) => {
  const { nextFrame, draws } = windowOf(t);
  const screen = new FirstScreen<string>(100);
  assert.deepEqual(screen.of(['a', 'b']), ['a', 'b']);
  nextFrame();
  assert.equal(draws(), 0);
});
