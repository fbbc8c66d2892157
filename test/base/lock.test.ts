/** The writer lock: never two holders, stale locks taken over at once, live ones respected. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isSocraticodeError } from '../../src/base/errors.js';
import { acquireLock, lockHolder } from '../../src/base/lock.js';
import { makeDirectory, ROUNDS } from '../support/repo.js';

const HOLDER = fileURLToPath(new URL('../support/lock-holder.js', import.meta.url));
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

test('whose lock is stale', async () => {
  const stale = [
    { pid: 2 ** 22 + 1, host: hostname(), started: '1' },
    { pid: process.pid, host: hostname(), started: '1' },
  ];
  for (const holder of stale) {
    const path = newLock();
    writeFileSync(path, JSON.stringify(holder));
    const release = await acquireLock(path, { waitMs: 2_000 });
    assert.equal(lockHolder(path), process.pid);
    release();
    assert.deepEqual(readdirSync(join(path, '..')), []);
  }
  const alive = [
    { pid: process.pid, host: hostname(), started: '' },
    { pid: 2 ** 22 + 1, host: 'another-machine', started: '1' },
  ];
  for (const holder of alive) {
    const path = newLock();
    writeFileSync(path, JSON.stringify(holder));
    await assert.rejects(acquireLock(path, { waitMs: 100 }), (error) => isSocraticodeError(error, 'LOCKED'));
  }
});

test('a lock that cannot be created is a DISK error', async () => {
  const path = join(makeDirectory(), 'missing', 'writer.lock');
  await assert.rejects(acquireLock(path), (error) => isSocraticodeError(error, 'DISK'));
});

test('many processes and stale locks: never two holders', { timeout: 120_000 }, async () => {
  const path = newLock();
  const run = () =>
    new Promise((resolve) => {
      let stderr = '';
      const child = spawn(process.execPath, [HOLDER, path, String(5 * ROUNDS)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      child.on('close', (code) => resolve([code, stderr]));
    });
  const results = await Promise.all([run(), run(), run(), run()]);
  assert.deepEqual(results, Array(4).fill([0, '']));
});
