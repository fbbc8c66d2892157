/** What differs from HEAD in a work tree: every kind of change, whatever the names are. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRepository, readGitConfig } from '../../src/git/repository.js';
import { countChanges, readChanges, settled } from '../../src/git/status.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

async function changesOf(repo: TestRepo): Promise<Record<string, string>> {
  const repository = await openRepository(repo.dir);
  const config = await readGitConfig(repository.git);
  const { list } = await readChanges(repository, config);
  assert.equal(await countChanges(repository, config), list.length);
  const state = ({ headOid, isFile }: (typeof list)[number]) =>
    `${headOid === undefined ? 'conflict' : headOid === null ? 'new' : 'known'} ${isFile ? 'file' : 'no file'}`;
  return Object.fromEntries(list.map((change) => [change.path, state(change)]));
}

test('changed, staged, untracked, deleted and renamed files are listed; ignored and clean ones are not', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, '.gitignore': 'ignored\n', 'kept.ts': 'a', 'mode.sh': 'a' });
  assert.deepEqual(await changesOf(repo), {});
  repo.write({ 'README.md': 'x', ignored: 'x', 'new\nname.ts': 'x', 'dir/one': '', 'dir/two': '' });
  repo.git('rm', '-q', 'lib/depot.py');
  repo.git('rm', '-q', '--cached', 'kept.ts');
  repo.git('mv', 'cmd/main.go', 'cmd/moved.go');
  assert.deepEqual(await changesOf(repo), {
    'README.md': 'known file',
    'cmd/main.go': 'known no file',
    'cmd/moved.go': 'new file',
    'dir/one': 'new file',
    'dir/two': 'new file',
    'kept.ts': 'known file',
    'lib/depot.py': 'known no file',
    'new\nname.ts': 'new file',
  });
});

test('lists files that became symlinks or directories, nested repositories, and names that are not UTF-8', async () => {
  const repo = createRepo();
  repo.commit({ 'link.ts': 'a', 'folder.ts': 'b' });
  for (const path of ['link.ts', 'folder.ts']) rmSync(join(repo.dir, path));
  symlinkSync('/etc/passwd', join(repo.dir, 'link.ts'));
  repo.write({ 'folder.ts/inside.ts': 'c' });
  mkdirSync(join(repo.dir, 'nested'));
  createRepo({ directory: join(repo.dir, 'nested') }).commit(PROJECT);
  writeFileSync(Buffer.concat([Buffer.from(`${repo.dir}/`), Buffer.from([0x66, 0xff])]), 'x');
  assert.deepEqual(await changesOf(repo), {
    'folder.ts': 'known no file',
    'folder.ts/inside.ts': 'new file',
    'f\\xff': 'new file',
    'link.ts': 'known no file',
    nested: 'new no file',
  });
});

test('a file in conflict is listed with its content in the work tree', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'one\n' });
  repo.git('checkout', '-q', '-b', 'side');
  repo.commit({ 'a.ts': 'two\n' });
  repo.git('checkout', '-q', 'main');
  repo.commit({ 'a.ts': 'three\n' });
  assert.throws(() => repo.git('merge', '-q', 'side'));
  assert.deepEqual(await changesOf(repo), { 'a.ts': 'conflict file' });
});

test('a clone that was never checked out has no deleted files', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const clone = cloneRepo(repo, '--no-checkout');
  assert.deepEqual(await changesOf(clone), {});
  clone.write({ 'README.md': 'edited', 'new.ts': 'new' });
  assert.deepEqual(await changesOf(clone), { 'README.md': 'new file', 'new.ts': 'new file' });
});

test('changes of some paths are listed alone, with the object and the kind that HEAD has', async () => {
  const repo = createRepo();
  repo.commit({ 'a b.ts': 'a', 'b.ts': 'b', 'run.sh': 'r', '*.ts': 'star' });
  const oid = repo.git('rev-parse', 'HEAD:a b.ts');
  repo.write({ 'a b.ts': 'x', 'b.ts': 'x', '*.ts': 'x' });
  const repository = await openRepository(repo.dir);
  const { list } = await readChanges(repository, [], ['a b.ts']);
  const name = Buffer.from('a b.ts');
  assert.deepEqual(list, [{ path: 'a b.ts', name, headOid: oid, headType: 'file', isFile: true }]);
  // A name is no pattern.
  const star = await readChanges(repository, [], ['*.ts']);
  assert.deepEqual(
    star.list.map(({ path }) => path),
    ['*.ts'],
  );
});

test('names the commit that was compared with, in every kind of repository', async () => {
  const repo = createRepo({ objectFormat: 'sha256' });
  const repository = await openRepository(repo.dir);
  repo.write({ 'a.ts': 'a' });
  const unborn = await readChanges(repository, []);
  assert.deepEqual([unborn.commit, unborn.list.length], [null, 1]);
  const commit = repo.commit();
  assert.deepEqual(await readChanges(repository, []), { commit, list: [] });
  const bare = await openRepository(createRepo({ bare: true }).dir);
  assert.deepEqual(await readChanges(bare, []), { commit: null, list: [] });
});

test('while HEAD moves, git is asked again; in the end the versions at HEAD count as unknown', async () => {
  const list = [{ path: 'a', name: Buffer.from('a'), headOid: '1', headType: null, isFile: true }];
  const about = (commits: string[]) => async () => ({ commit: commits.shift() ?? null, list });
  assert.deepEqual(await settled(about(['old', 'new', 'later']), async () => 'new'), { commit: 'new', list });
  const moving = await settled(about(['1', '2', '3']), async () => 'another');
  assert.deepEqual([moving.commit, moving.list[0].headOid], ['3', undefined]);
});

test('a bare repository has no changes, and git is not asked', async (t) => {
  const repository = await openRepository(createRepo({ bare: true }).dir);
  const asked = t.mock.method(repository.git, 'run');
  assert.deepEqual(await readChanges(repository, []), { commit: null, list: [] });
  assert.equal(await countChanges(repository, []), 0);
  assert.equal(asked.mock.callCount(), 0);
});
