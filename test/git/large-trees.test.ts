/** Trees that are small in a pack and larger than any machine as a listing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTree } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

test('S10: a small pack of a hundred million entries is refused in bounded time', { timeout: 60_000 }, async () => {
  const repo = createRepo();
  let oid = repo.blob('x');
  let mode = '100644';
  for (let level = 0; level < 4; level++) {
    oid = repo.rawTree(Array.from({ length: 100 }, (_, i) => ({ mode, oid, name: `n${String(i).padStart(2, '0')}` })));
    mode = '40000';
  }
  const { git } = await openRepository(repo.dir);
  const started = performance.now();
  await assert.rejects(listTree(git, oid), /more than 1,000,000 entries/);
  assert.ok(performance.now() - started < 20_000);
});
