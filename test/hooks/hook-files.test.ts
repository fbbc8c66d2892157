import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyFile } from '../../src/hooks/hook-files.js';
import { makeDirectory } from '../support/repositories/repo.js';

test('a new hook is open to the group where the repository is shared, whatever the umask, and nowhere else', {
  skip: process.platform === 'win32' && 'Windows has no such modes',
}, () => {
  const root = makeDirectory('hooks');
  const umask = process.umask(0o077);
  try {
    for (const [name, mode, expected] of [
      ['shared', 0o2775, 0o775],
      ['own', 0o755, 0o700],
    ] as const) {
      const hooks = join(root, name);
      mkdirSync(hooks);
      chmodSync(hooks, mode);
      const path = join(hooks, 'post-commit');
      applyFile({ event: 'post-commit', path, kind: 'create', reason: null, text: '#!/bin/sh\n' });
      assert.equal(statSync(path).mode & 0o777, expected, name);
    }
  } finally {
    process.umask(umask);
  }
});
