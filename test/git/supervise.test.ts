/** Bounds on git processes: memory, and silence. What a hostile repository can do is in `special-files`. */
import assert from 'node:assert/strict';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CatFileReader } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { endedBecause, memoryBound, supervise } from '../../src/git/supervise.js';
import { createRepo } from '../support/repositories/repo.js';

const GIB = 2 ** 30;

test('git may take half of the memory of the machine or container, between 1 and 8 GiB', () => {
  for (const [total, constrained, bound] of [
    [64, 0, 8],
    [8, 0, 4],
    [1, 0, 1],
    [64, 4, 2],
    [64, 2 ** 34, 8],
    [8, 64, 4],
    [256, 1, 1],
  ])
    assert.equal(memoryBound(total * GIB, constrained * GIB), bound * GIB, `${total} ${constrained}`);
});

test('a git that waits for requests for seconds still answers the next one', async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'text\n' });
  const { git } = await openRepository(repo.dir);
  const pids = new Set<number | undefined>();
  const spawn = git.spawn.bind(git);
  git.spawn = (...args) => {
    const child = spawn(...args);
    pids.add(child.pid);
    return child;
  };
  const objects = new CatFileReader(git);
  assert.equal((await objects.read('HEAD:a.txt'))?.content.toString(), 'text\n');
  // A look comes every two seconds.
  await sleep(4_500);
  assert.equal((await objects.read('HEAD:a.txt'))?.content.toString(), 'text\n');
  objects.close();
  assert.equal(pids.size, 1);
});

test('silence is counted only while git owes an answer', async (t) => {
  const HOUR_MS = 3_600_000;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  /** Process whose streams are as given; `advance` lets time pass in steps of a second. */
  const supervised = (stdin: object, stdout: object, isIdle?: () => boolean, command = 'log') => {
    const streams = {
      stdin: { bytesWritten: 9, ...stdin },
      stdout: { bytesRead: 0, ...stdout },
      stderr: { bytesRead: 0 },
    };
    const child = Object.assign(new EventEmitter(), streams, { pid: 2 ** 22 + 7, kill: () => true });
    supervise(child as unknown as ChildProcessWithoutNullStreams, command, { isIdle });
    return child;
  };
  const waitsForInput = supervised({ writableEnded: false }, { readableLength: 0 });
  const waitsForReader = supervised({ writableEnded: true }, { readableLength: 1 });
  const silent = supervised({ writableEnded: true }, { readableLength: 0 });
  const [lookUp, reads] = ['rev-parse', 'cat-file'].map((command) =>
    supervised({ writableEnded: true }, { readableLength: 0 }, undefined, command),
  );
  const [asked, unasked] = [false, true].map((isIdle) =>
    supervised({ writableEnded: false }, { readableLength: 0 }, () => isIdle),
  );
  const advance = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) t.mock.timers.tick(1_000);
  };
  advance(HOUR_MS / 3);
  assert.equal(endedBecause(silent), undefined);
  assert.match(endedBecause(lookUp)?.message ?? '', /rev-parse was ended after 1 minutes of silence/);
  assert.match(endedBecause(reads)?.message ?? '', /cat-file was ended after 5 minutes of silence/);
  advance(2 * HOUR_MS);
  assert.match(endedBecause(silent)?.message ?? '', /after 30 minutes of silence/);
  assert.match(endedBecause(asked)?.message ?? '', /after 30 minutes of silence/);
  assert.equal(endedBecause(unasked), undefined);
  assert.deepEqual([endedBecause(waitsForInput), endedBecause(waitsForReader)], [undefined, undefined]);
});
