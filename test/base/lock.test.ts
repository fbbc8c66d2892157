/** The writer lock: held, waited for, released. Stale locks are tested by the campaign `locks`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSocraticodeError, type SocraticodeError } from '../../src/base/errors.js';
import { acquireLock, lockHolder, lockState } from '../../src/base/lock.js';
import { ownHolder } from '../../src/base/processes.js';
import { dead, holder } from '../support/faults/locks.js';
import { makeDirectory } from '../support/repositories/repo.js';

const newLock = () => join(makeDirectory(), 'writer.lock');
const isLocked = (error: unknown) => isSocraticodeError(error, 'LOCKED') && error.message.includes(String(process.pid));

test('a held lock is refused, a released one is free, releasing twice is harmless', async () => {
  const path = newLock();
  const release = await acquireLock(path);
  assert.equal(lockHolder(path), process.pid);
  await assert.rejects(acquireLock(path), isLocked);
  await assert.rejects(acquireLock(path, { waitMs: 120 }), isLocked);
  release();
  assert.deepEqual([lockHolder(path), existsSync(path)], [null, false]);
  const again = await acquireLock(path);
  again();
  again();
  assert.equal(existsSync(path), false);
});

test('waiting ends when the holder releases, or when the caller gives up', async () => {
  const path = newLock();
  const release = await acquireLock(path);
  setTimeout(release, 120);
  const second = await acquireLock(path, { waitMs: 10_000 });
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(), 60);
  await assert.rejects(acquireLock(path, { waitMs: 10_000, signal: cancel.signal }), { name: 'AbortError' });
  second();
});

test('a lock that cannot be created is a DISK error', async () => {
  const path = join(makeDirectory(), 'missing', 'writer.lock');
  await assert.rejects(acquireLock(path), (error) => isSocraticodeError(error, 'DISK'));
});

test('releasing a lock again does not release the lock of the next holder', async () => {
  const path = newLock();
  const first = await acquireLock(path);
  first();
  const second = await acquireLock(path);
  first();
  assert.equal(lockHolder(path), process.pid);
  second();
});

test('a long wait names the holder once', async (t) => {
  const path = newLock();
  const release = await acquireLock(path);
  setTimeout(release, 2_300);
  const write = t.mock.method(process.stderr, 'write', () => true);
  const second = await acquireLock(path, { waitMs: 10_000 });
  second();
  const said = write.mock.calls.map(({ arguments: [text] }) => String(text));
  write.mock.restore();
  assert.deepEqual(said, [`git-socraticode: waiting for process ${process.pid}, which holds ${path}\n`]);
});

test('the name of a host in a hostile lock cannot move the cursor of a terminal', async (t) => {
  const path = newLock();
  writeFileSync(path, holder({ host: 'a\x1b]0;b\x07\x1b[2J', boot: 'other' }));
  const write = t.mock.method(process.stderr, 'write', () => true);
  await assert.rejects(acquireLock(path, { waitMs: 2_200 }), (error) => isSocraticodeError(error, 'LOCKED'));
  const said = write.mock.calls.map(({ arguments: [text] }) => String(text)).join('');
  write.mock.restore();
  assert.match(said, /^git-socraticode: waiting for process \d+ on a\\x1b/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may not get to a terminal
  assert.doesNotMatch(said, /[\x00-\x09\x0b-\x1f]/);
});

test('while another living process has a claim, a stale lock is not replaced, and the error names that process', async () => {
  const path = newLock();
  writeFileSync(path, dead);
  // Found first, and no reason to look no further.
  writeFileSync(`${path}.${'0'.repeat(32)}.claim`, dead);
  const claim = `${path}.${'a'.repeat(32)}.claim`;
  writeFileSync(claim, JSON.stringify({ ...ownHolder(), id: 'a'.repeat(32) }));
  await assert.rejects(acquireLock(path), isLocked);
  // Who only claims it may give way, so even who does not wait tries again.
  const taking = acquireLock(path);
  setTimeout(() => rmSync(claim), 200);
  (await taking)();
  assert.deepEqual(readdirSync(dirname(path)), []);
});

test('who holds a lock is told with what to do about it: nothing, let it go on, or look elsewhere', async (t) => {
  const path = newLock();
  const refusal = () =>
    acquireLock(path).then(
      () => assert.fail('taken'),
      (error: SocraticodeError) => error,
    );
  const release = await acquireLock(path);
  assert.deepEqual(lockState(path), { pid: process.pid, elsewhere: null });
  assert.doesNotMatch(`${(await refusal()).message}${(await refusal()).hint}`, /stopped|CONT|remove/);
  release();
  writeFileSync(path, holder({ pid: 7, host: 'far', boot: 'other' }));
  assert.deepEqual(lockState(path), { pid: 7, elsewhere: 'far' });
  assert.match((await refusal()).message, /process 7 on far .*nobody here can tell whether it still runs/);
  assert.ok((await refusal()).hint?.endsWith(`remove ${path}*`));
  if (process.platform !== 'linux') return;
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  child.kill('SIGSTOP');
  const state = () => readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1][0];
  while (state() !== 'T') await sleep(10);
  writeFileSync(path, holder({ pid: child.pid, started: '' }));
  assert.match((await refusal()).message, /which is stopped$/);
  assert.match((await refusal()).hint ?? '', new RegExp(`kill -CONT ${child.pid}\\b`));
});
