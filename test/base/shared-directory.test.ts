/** Directories of the local state in a repository that several users share. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '../../src/base/atomic.js';
import { removeStaleTemporaries } from '../../src/base/processes.js';
import { makeDirectory as makeRoot } from '../support/repositories/repo.js';

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

test('new directories are open to the group where the one around them is, whatever the umask, and nowhere else', {
  skip: process.platform === 'win32' && 'Windows has no such modes',
}, () => {
  const root = makeRoot('modes');
  const umask = process.umask(0o077);
  try {
    for (const [name, mode, expected] of [
      ['shared', 0o2775, 0o2775],
      ['own', 0o755, 0o700],
      ['group', 0o775, 0o700],
    ] as const) {
      const around = join(root, name);
      mkdirSync(around);
      chmodSync(around, mode);
      makeDirectory(join(around, 'state', 'inner'));
      assert.deepEqual(
        [modeOf(join(around, 'state')), modeOf(join(around, 'state', 'inner'))],
        [expected, expected],
        name,
      );
    }
  } finally {
    process.umask(umask);
  }
});

/** Makes the directory that is named first, and is killed as soon as it wants to change a mode. */
const KILLED = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
fs.fchmodSync = () => process.kill(process.pid, 'SIGKILL');
syncBuiltinESMExports();
const { makeDirectory } = await import(process.argv[1]);
process.umask(0o077);
makeDirectory(process.argv[2]);
`;

test('a process that is killed before it has opened a directory to the group leaves none under its name', {
  skip: process.platform === 'win32' && 'Windows has no such modes',
}, () => {
  const around = join(makeRoot('killed'), 'shared');
  mkdirSync(around);
  chmodSync(around, 0o2775);
  const path = join(around, 'state', 'inner');
  const atomic = fileURLToPath(new URL('../../src/base/atomic.js', import.meta.url));
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', KILLED, atomic, path]);
  assert.deepEqual([signal, existsSync(join(around, 'state'))], ['SIGKILL', false]);
  makeDirectory(path);
  assert.deepEqual([modeOf(join(around, 'state')), modeOf(path)], [0o2775, 0o2775]);
  // What the killed process left goes with the next index that is a minute younger.
  const left = readdirSync(around).filter((name) => name !== 'state');
  assert.match(left.join(), /^\.tmp-\d+-\d+-state$/);
  removeStaleTemporaries(around);
  assert.deepEqual(readdirSync(around).length, 2);
  utimesSync(join(around, left[0]), 1, 1);
  mkdirSync(join(around, '.tmp-of-another-program'));
  utimesSync(join(around, '.tmp-of-another-program'), 1, 1);
  removeStaleTemporaries(around);
  assert.deepEqual(readdirSync(around).sort(), ['.tmp-of-another-program', 'state']);
});

test('a temporary file stays while its writer lives, though the clock says that it is old, and for a week at most', () => {
  const around = makeRoot('alive');
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  const written: [pid: number, days: number][] = [
    [process.pid, 3],
    [process.pid, 8],
    [gone, 3],
  ];
  for (const [pid, days] of written) {
    const path = join(around, `.tmp-${pid}-${days}-file`);
    writeFileSync(path, '');
    const at = Date.now() / 1000 - days * 86_400;
    utimesSync(path, at, at);
  }
  removeStaleTemporaries(around);
  assert.deepEqual(readdirSync(around), [`.tmp-${process.pid}-3-file`]);
});
