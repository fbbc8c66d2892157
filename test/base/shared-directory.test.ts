/** Directories of the local state in a repository that several users share. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '../../src/base/atomic.js';
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
