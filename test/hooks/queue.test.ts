/** The queue: nothing is lost, nothing outside is touched, whatever a packed repository brings along. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { HookQueue, type QueuedEvent, readOutput, removeEmptyOutput } from '../../src/hooks/queue.js';
import { makeDirectory } from '../support/repositories/repo.js';

const event = (directory: string, name: QueuedEvent['event'] = 'post-commit'): QueuedEvent => {
  return { event: name, directory, pusher: 0, argument: '' };
};

test('events are taken in order, with any directory name', () => {
  const queue = new HookQueue(makeDirectory('queue'));
  const events = [event('/a b'), event('/new\nline'), event("/it's", 'post-merge'), event('/a b')];
  for (const one of events) queue.add(one);
  assert.deepEqual(queue.peek(), events);
  assert.deepEqual(queue.take(), events);
  queue.add(event('/later'));
  assert.equal(queue.isEmpty(), false);
  queue.done();
  assert.deepEqual(queue.take(), [event('/later')]);
});

test('events taken by a killed worker are given to the next one', () => {
  const state = makeDirectory('queue');
  new HookQueue(state).add(event('/first'));
  assert.equal(new HookQueue(state).take().length, 1);
  new HookQueue(state).add(event('/second'));
  const next = new HookQueue(state);
  // Alone and first: no file takes the place of one that holds events.
  assert.deepEqual(next.take(), [event('/first')]);
  assert.equal(next.isEmpty(), false);
  next.done();
  assert.deepEqual(next.take(), [event('/second')]);
  next.done();
  assert.deepEqual([next.isEmpty(), next.take(), new HookQueue(state).take()], [true, [], []]);
});

test('an event that a hook writes into the file after it was taken comes next, alone', () => {
  const state = makeDirectory('queue');
  const queue = new HookQueue(state);
  for (const directory of ['/one', '/two']) queue.add(event(directory));
  const open = openSync(queue.path, 'a');
  assert.deepEqual(queue.take(), [event('/one'), event('/two')]);
  writeSync(open, '\0post-merge 0 \n/late\0');
  closeSync(open);
  queue.add(event('/three'));
  queue.done();
  assert.deepEqual(queue.take(), [event('/late', 'post-merge')]);
  queue.done();
  assert.deepEqual(queue.take(), [event('/three')]);
  queue.done();
  assert.equal(queue.isEmpty(), true);
});

test('a push that waits is kept for the next worker, until it is served', () => {
  const state = makeDirectory('queue');
  const push: QueuedEvent = { event: 'pre-push', directory: '/a', pusher: 4_711, argument: 'origin' };
  const queue = new HookQueue(state);
  queue.add(push);
  assert.deepEqual(queue.take(), [push]);
  queue.done([push]);
  assert.deepEqual([queue.isEmpty(), queue.take()], [true, []]);
  assert.deepEqual(new HookQueue(state).waiting(), [push]);
  queue.keepWaiting([]);
  assert.deepEqual(new HookQueue(state).waiting(), []);
});

test('whenever workers are killed and hooks write, no event is lost, and none that was done comes again', () => {
  const act = fc.constantFrom('add', 'add', 'add late', 'take', 'done', 'kill');
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const state = makeDirectory('queue');
      let queue = new HookQueue(state);
      let [count, given] = [0, [] as string[]];
      let isTaken = false;
      const [lost, done] = [new Set<string>(), new Set<string>()];
      const take = () => {
        given = queue.take().map(({ directory }) => directory);
        isTaken = true;
        for (const each of given) assert.equal(done.has(each), false, `${each} again`);
      };
      const finish = () => {
        queue.done();
        for (const each of isTaken ? given : []) {
          done.add(each);
          lost.delete(each);
        }
        [given, isTaken] = [[], false];
      };
      for (const what of acts) {
        if (what.startsWith('add')) {
          const directory = `/${count++}`;
          lost.add(directory);
          // A hook that had opened the file before it was taken.
          if (what === 'add late' && existsSync(join(state, 'hook.taken')))
            appendFileSync(join(state, 'hook.taken'), `\0post-commit 0 \n${directory}\0`);
          else queue.add(event(directory));
        } else if (what === 'take' && !isTaken) take();
        else if (what === 'done' && isTaken) finish();
        else if (what === 'kill') [queue, given, isTaken] = [new HookQueue(state), [], false];
        // A new worker is given again what the former had in hand beside a late event.
        if (what === 'kill') done.clear();
      }
      if (isTaken) finish();
      for (let turn = 0; turn < 100 && !queue.isEmpty(); turn++) {
        take();
        finish();
      }
      assert.deepEqual([[...lost], queue.isEmpty()], [[], true]);
    }),
    { numRuns: 150 },
  );
});

test('one shim serves several hooks, which are told apart by their arguments', () => {
  const queue = new HookQueue(makeDirectory('queue'));
  const record = (name: string, argument: string) => `\0${name} 0 ${argument}\n/x\0`;
  const events: [name: string, argument: string, event: string][] = [
    ['post-event-0', '', 'post-commit'],
    ['post-event-1', '0', 'post-merge'],
    ['post-event-1', 'amend', 'post-rewrite'],
    ['post-event-1', 'rebase', 'post-rewrite'],
    ['post-event-3', 'a', 'post-checkout'],
    ['post-merge', 'rebase', 'post-merge'],
  ];
  writeFileSync(queue.path, events.map(([name, argument]) => record(name, argument)).join(''));
  assert.deepEqual(
    queue.take().map(({ event: taken, argument }) => [argument, taken]),
    events.map(([, argument, taken]) => [argument, taken]),
  );
});

test('invalid records in the queue are ignored', () => {
  const queue = new HookQueue(makeDirectory('queue'));
  writeFileSync(queue.path, 'post-commit 0 \nrelative\0rm -rf 0 \n/x\0\0post-commit\n/x\0\nx');
  assert.deepEqual(queue.take(), []);
});

test('links and pipes in place of the queue are neither followed nor read', () => {
  const state = makeDirectory('queue');
  const victim = join(makeDirectory('victim'), 'file');
  writeFileSync(victim, 'post-commit 0 \n/x\0');
  for (const name of ['hook.queue', 'hook.stderr']) symlinkSync(victim, join(state, name));
  const queue = new HookQueue(state);
  assert.deepEqual([queue.peek(), readOutput(state)], [[], []]);
  queue.add(event('/y'));
  assert.deepEqual(queue.take(), [event('/y')]);
  assert.equal(readFileSync(victim, 'utf8'), 'post-commit 0 \n/x\0');
  const pipes = makeDirectory('pipes');
  for (const name of ['hook.queue', 'hook.stderr']) spawnSync('mkfifo', [join(pipes, name)]);
  removeEmptyOutput(pipes);
  assert.deepEqual([new HookQueue(pipes).take(), readOutput(pipes)], [[], []]);
  new HookQueue(pipes).add(event('/z'));
  assert.deepEqual(new HookQueue(pipes).take(), [event('/z')]);
});
