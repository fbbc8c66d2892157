/** The queue: nothing is lost, nothing outside is touched, whatever a packed repository brings along. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { appendLog } from '../../src/base/log.js';
import { HookQueue, type QueuedEvent, readHookLog, readOutput, removeEmptyOutput } from '../../src/hooks/queue.js';
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
  assert.deepEqual([new HookQueue(state).waiting(), existsSync(join(state, 'hook.pushes'))], [[], false]);
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

test('a record is written as the shim writes it, on one line but for its directory', () => {
  const queue = new HookQueue(makeDirectory('queue'));
  const push: QueuedEvent = { event: 'pre-push', directory: '/a\nb', pusher: 12, argument: 'one\ntwo\nthree' };
  queue.add(push);
  assert.equal(readFileSync(queue.path, 'utf8'), '\0pre-push 12 one two three\n/a\nb\0');
  assert.deepEqual(queue.peek(), [{ ...push, argument: 'one two three' }]);
});

test('every event makes another version, and taking the file makes another one again', () => {
  const queue = new HookQueue(makeDirectory('queue'));
  const versions = [queue.version()];
  for (const directory of ['/a', '/a']) {
    queue.add(event(directory));
    versions.push(queue.version());
  }
  const { ino, size } = statSync(queue.path);
  assert.deepEqual([versions[0], versions[2]], ['', `${ino} ${size}`]);
  assert.equal(new Set(versions).size, 3);
  queue.take();
  assert.deepEqual([queue.version(), queue.isEmpty()], ['', false]);
});

test('looking at events takes none, and shows those in hand first', () => {
  const queue = new HookQueue(makeDirectory('queue'));
  queue.add(event('/taken'));
  queue.take();
  queue.add(event('/new'));
  for (let turn = 0; turn < 2; turn++) assert.deepEqual(queue.peek(), [event('/taken'), event('/new')]);
  queue.done();
  assert.deepEqual([queue.peek(), queue.take()], [[event('/new')], [event('/new')]]);
});

test('a folder or a link in the place of a file is cleared away, and what it held or meant stays unread', () => {
  const state = makeDirectory('queue');
  const victim = join(makeDirectory('victim'), 'file');
  writeFileSync(victim, '\0pre-push 1 \n/x\0');
  const names = ['hook.queue', 'hook.taken', 'hook.pushes'];
  mkdirSync(join(state, 'hook.queue/inner'), { recursive: true });
  for (const name of names.slice(1)) symlinkSync(victim, join(state, name));
  const queue = new HookQueue(state);
  assert.deepEqual([queue.isEmpty(), queue.take(), queue.waiting()], [true, [], []]);
  assert.deepEqual(
    names.map((name) => existsSync(join(state, name))),
    [false, false, false],
  );
  queue.add(event('/y'));
  queue.keepWaiting([event('/z', 'pre-push')]);
  assert.deepEqual([queue.take(), queue.waiting()], [[event('/y')], [event('/z', 'pre-push')]]);
  assert.equal(readFileSync(victim, 'utf8'), '\0pre-push 1 \n/x\0');
});

test('a queue that no hook can have written is not read, and does not come again', () => {
  const queue = new HookQueue(makeDirectory('queue'));
  writeFileSync(queue.path, Buffer.alloc((16 << 20) + 1, '\0post-commit 0 \n/x\0'));
  assert.deepEqual([queue.peek(), queue.take()], [[], []]);
  queue.done();
  assert.equal(queue.isEmpty(), true);
});

test('the mark of a start is removed, if there is one', () => {
  const state = makeDirectory('queue');
  const mark = join(state, 'hook.starting');
  mkdirSync(mark);
  new HookQueue(state).announceStart();
  assert.equal(existsSync(mark), false);
  new HookQueue(state).announceStart();
});

test('of what a worker printed the first twenty lines are told, without blank ones, as a terminal can show them', () => {
  const state = makeDirectory('queue');
  const path = join(state, 'hook.stderr');
  const lines = Array.from({ length: 25 }, (_, i) => `line ${i}`);
  writeFileSync(path, `\n  \n${lines.join('\n\n')}\n`);
  assert.deepEqual(readOutput(state), lines.slice(0, 20));
  writeFileSync(path, 'a\u001b[31mb\n');
  assert.equal(readOutput(state)[0].includes('\u001b'), false);
  removeEmptyOutput(state);
  assert.equal(existsSync(path), true);
  writeFileSync(path, '');
  removeEmptyOutput(state);
  removeEmptyOutput(state);
  assert.deepEqual([existsSync(path), readOutput(state)], [false, []]);
});

test('of the log the last lines of workers are read, and of nobody else', () => {
  const state = makeDirectory('queue');
  const line = (event: string, message: string) =>
    appendLog(state, { time: 'x', level: 'info', pid: 1, command: 'c', event, message, data: {} });
  for (const message of ['first', 'second']) {
    line('hook', message);
    line('other', 'another');
  }
  const told = (count: number) => readHookLog(state, count).map(({ message }) => message);
  assert.deepEqual([told(9), told(1)], [['first', 'second'], ['second']]);
});
