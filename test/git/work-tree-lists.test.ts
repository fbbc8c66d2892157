/** Submodules, linked work trees and rules of ignored files, as git tells them. */
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ignoreRule, listWorktrees, openRepository, readSubmodulePaths } from '../../src/git/repository.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

const MODULES =
  '[submodule "a"]\n\tpath = lib/a\n\turl = x\n[submodule "b c"]\n\tpath = lib/b c\n[submodule "d"]\n\turl = x\n';

test('paths of submodules are those of the file; none without one, of a damaged, linked or huge one', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  const file = join(repo.dir, '.gitmodules');
  assert.deepEqual(await readSubmodulePaths(repository), []);
  writeFileSync(file, MODULES);
  assert.deepEqual(await readSubmodulePaths(repository), ['lib/a', 'lib/b c']);
  assert.deepEqual(await readSubmodulePaths({ ...repository, workTree: null }), []);
  writeFileSync(file, MODULES.padEnd(256 * 1024, '\n'));
  assert.equal((await readSubmodulePaths(repository)).length, 2);
  writeFileSync(file, MODULES.padEnd(256 * 1024 + 1, '\n'));
  assert.deepEqual(await readSubmodulePaths(repository), []);
  writeFileSync(file, '[submodule "a"\n');
  assert.deepEqual(await readSubmodulePaths(repository), []);
  const other = createRepo();
  const elsewhere = join(makeDirectory(), 'modules');
  writeFileSync(elsewhere, MODULES);
  symlinkSync(elsewhere, join(other.dir, '.gitmodules'));
  assert.deepEqual(await readSubmodulePaths(await openRepository(other.dir)), []);
});

test('work trees have their branch, none where HEAD is detached, and no commit before the first', async () => {
  const repo = createRepo();
  assert.deepEqual(await listWorktrees(await openRepository(repo.dir)), [
    { path: repo.dir, commit: null, branch: 'main', bare: false },
  ]);
  repo.commit({ 'a.txt': 'a' });
  const commit = repo.git('rev-parse', 'HEAD');
  const [topic, loose] = [join(makeDirectory(), 'topic'), join(makeDirectory(), 'loose')];
  repo.git('worktree', 'add', '-q', '-b', 'some/topic', topic);
  repo.git('worktree', 'add', '-q', '--detach', loose);
  const list = await listWorktrees(await openRepository(repo.dir));
  assert.deepEqual(list[0], { path: repo.dir, commit, branch: 'main', bare: false });
  assert.deepEqual(
    new Set(list.slice(1).map(({ path, branch }) => `${path} ${branch}`)),
    new Set([`${topic} some/topic`, `${loose} null`]),
  );
  assert.deepEqual(
    await listWorktrees(await openRepository(createRepo({ bare: true }).dir)).then(([one]) => one.bare),
    true,
  );
});

test('the rule that ignores a file is told with its place; a file that another rule takes back is not ignored', async () => {
  const repo = createRepo();
  repo.commit({ '.gitignore': '# logs\n*.log\n!keep.log\n', 'sub/.gitignore': ':x\n' });
  const { git } = await openRepository(repo.dir);
  assert.deepEqual(await ignoreRule(git, 'a.log'), { source: '.gitignore', line: 2, pattern: '*.log' });
  assert.equal(await ignoreRule(git, 'keep.log'), null);
  assert.equal(await ignoreRule(git, 'a.txt'), null);
  assert.deepEqual(await ignoreRule(git, 'sub/:x'), { source: 'sub/.gitignore', line: 1, pattern: ':x' });
});
