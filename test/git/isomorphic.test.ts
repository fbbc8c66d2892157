/** What is told without git: files that differ from HEAD, one by one, and nothing where it cannot be told. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { countDirtyWithoutGit, openWithoutGit, readConfigWithoutGit } from '../../src/git/isomorphic.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

test('edited, staged, deleted and new files are counted once each, unchanged ones not', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c', 'same.ts': 'same' });
  const count = async () => countDirtyWithoutGit(await openWithoutGit(repo.dir));
  assert.equal(await count(), 0);
  repo.write({ 'a.ts': 'edited' });
  assert.equal(await count(), 1);
  repo.write({ 'b.ts': 'staged' }).git('add', 'b.ts');
  assert.equal(await count(), 2);
  rmSync(join(repo.dir, 'c.ts'));
  assert.equal(await count(), 3);
  repo.write({ 'new.ts': 'new' });
  assert.equal(await count(), 4);
});

test('a repository is found from below, a bare one at its top, and settings are read with their values', async () => {
  const repo = createRepo();
  repo.commit({ 'sub/a.ts': 'a' });
  repo.git('config', '--add', 'socraticode.Exclude', 'one');
  repo.git('config', '--add', 'socraticode.exclude', 'two');
  const repository = await openWithoutGit(join(repo.dir, 'sub'));
  assert.deepEqual([repository.workTree, repository.gitDir, repository.bare], [repo.dir, repo.commonDir, false]);
  const entries = await readConfigWithoutGit(repository, ['socraticode.exclude', 'socraticode.other']);
  assert.deepEqual(
    entries.map(({ key, value, scope }) => [key, value, scope]),
    [
      ['socraticode.exclude', 'one', 'local'],
      ['socraticode.exclude', 'two', 'local'],
    ],
  );
  const bare = createRepo({ bare: true });
  const opened = await openWithoutGit(bare.dir);
  assert.deepEqual([opened.workTree, opened.gitDir, opened.bare], [null, bare.dir, true]);
  await assert.rejects(openWithoutGit('/'), { code: 'NOT_A_REPOSITORY' });
  await assert.rejects(openWithoutGit(createRepo({ objectFormat: 'sha256' }).dir), { code: 'GIT_MISSING' });
});

test('changes of a clone that borrows its objects cannot be told without git, and the error says why', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'a' });
  const clone = makeDirectory('shared');
  repo.git('clone', '-q', '--shared', repo.dir, clone);
  await assert.rejects(countDirtyWithoutGit(await openWithoutGit(clone)), {
    code: 'GIT_MISSING',
    message: /in another repository/,
  });
  writeFileSync(join(clone, '.git', 'objects', 'info', 'alternates'), '\n');
  await assert.rejects(countDirtyWithoutGit(await openWithoutGit(clone)), ({ code }) => code !== 'GIT_MISSING');
});
