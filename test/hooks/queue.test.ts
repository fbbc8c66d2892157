/** The queue: nothing is lost, nothing outside is touched, whatever a packed repository brings along. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readOutput, removeEmptyOutput } from '../../src/hooks/log.js';
import { HookQueue, type QueuedEvent } from '../../src/hooks/queue.js';
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
  assert.deepEqual(
    new HookQueue(state).take().map(({ directory }) => directory),
    ['/first', '/second'],
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
