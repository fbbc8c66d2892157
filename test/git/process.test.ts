/** Arguments for git: what no command line can hold is refused before a process starts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

test('a NUL character in any argument is the fault of the question', async () => {
  const { git } = await openRepository(createRepo().dir);
  for (const args of [
    ['rev-parse', 'a\0b'],
    ['rev-parse', '\0'],
    ['rev-parse', '--verify', 'HEAD\0'],
  ])
    assert.throws(() => git.spawn(args), { code: 'BAD_ARGUMENT' });
  await assert.rejects(git.text(['rev-parse', 'a\0b']), { code: 'BAD_ARGUMENT' });
});
