/** Bounds on git processes: memory, and silence. What a hostile repository can do is in `special-files`. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CatFileReader } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { findSpecialFile } from '../../src/git/special-files.js';
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

const skip = process.platform === 'win32' ? 'there is no /dev/null' : false;

test('a hook that is linked to /dev/null is no reason to end a silent git', { skip }, async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'text\n' });
  symlinkSync('/dev/null', join(repo.commonDir, 'hooks', 'pre-commit'));
  assert.equal(findSpecialFile({ gitDirs: [repo.commonDir], workTree: repo.dir }), null);
  symlinkSync('/dev/zero', join(repo.commonDir, 'hooks', 'pre-push'));
  assert.match(findSpecialFile({ gitDirs: [repo.commonDir], workTree: repo.dir }) ?? '', /pre-push, a link to/);
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
  // The first looks come after 1, 2 and 3 seconds.
  await sleep(3_500);
  assert.equal((await objects.read('HEAD:a.txt'))?.content.toString(), 'text\n');
  objects.close();
  assert.equal(pids.size, 1);
});

test('a git that owes no answer is silent without a search for pipes', { skip: process.platform === 'win32' }, (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'supervise-'));
  t.after(() => rmSync(dir, { recursive: true }));
  execFileSync('mkfifo', [join(dir, 'HEAD')]);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const supervised = (isIdle: boolean) => {
    const streams = { stdin: { bytesWritten: 9, writableEnded: false }, stdout: { bytesRead: 9, readableLength: 0 } };
    const child = Object.assign(new EventEmitter(), { ...streams, stderr: { bytesRead: 0 } }, { pid: process.pid });
    Object.assign(child, { kill: () => true });
    const places = { gitDirs: [dir], workTree: '/nowhere' };
    supervise(child as unknown as ChildProcessWithoutNullStreams, 'cat-file', places, () => isIdle);
    return child;
  };
  const [idle, asked] = [supervised(true), supervised(false)];
  for (let i = 0; i < 60; i++) t.mock.timers.tick(1_000);
  assert.equal(endedBecause(idle), undefined);
  assert.match(endedBecause(asked)?.message ?? '', /would never end, since it reads .*HEAD/);
});

test('silence is counted only while git owes an answer', async (t) => {
  const HOUR_MS = 3_600_000;
  const asleep = spawn('sleep', ['60'], { stdio: 'ignore' });
  t.after(() => asleep.kill());
  const isAsleep = () => / S /.test(readFileSync(`/proc/${asleep.pid}/stat`, 'latin1'));
  while (process.platform === 'linux' && !isAsleep()) await sleep(10);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  /** Process whose streams are as given; `advance` lets time pass in steps of a second. */
  const supervised = (stdin: object, stdout: object, pid = process.pid) => {
    const streams = {
      stdin: { bytesWritten: 9, ...stdin },
      stdout: { bytesRead: 0, ...stdout },
      stderr: { bytesRead: 0 },
    };
    const child = Object.assign(new EventEmitter(), streams, { pid, kill: () => true });
    supervise(child as unknown as ChildProcessWithoutNullStreams, 'log', { gitDirs: [], workTree: '/nowhere' });
    return child;
  };
  const waitsForInput = supervised({ writableEnded: false }, { readableLength: 0 });
  const waitsForReader = supervised({ writableEnded: true }, { readableLength: 1 });
  const silent = supervised({ writableEnded: true }, { readableLength: 0 });
  const idle = supervised({ writableEnded: true }, { readableLength: 0 }, asleep.pid);
  const advance = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) t.mock.timers.tick(1_000);
  };
  advance(HOUR_MS / 3);
  assert.equal(endedBecause(silent), undefined);
  if (process.platform === 'linux')
    assert.match(endedBecause(idle)?.message ?? '', /had done nothing for [56] minutes/);
  advance(2 * HOUR_MS);
  assert.match(endedBecause(silent)?.message ?? '', /after 30 minutes of silence/);
  assert.deepEqual([endedBecause(waitsForInput), endedBecause(waitsForReader)], [undefined, undefined]);
});
