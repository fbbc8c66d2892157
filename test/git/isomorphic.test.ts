/** What is told without git: files that differ from HEAD, one by one, and nothing where it cannot be told. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  branchAndRemotesWithoutGit,
  countDirtyWithoutGit,
  IsomorphicReader,
  openWithoutGit,
  readConfigWithoutGit,
} from '../../src/git/isomorphic.js';
import type { Repository } from '../../src/git/repository.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

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

test('what only looks like a git directory is passed over', async () => {
  const outer = createRepo();
  const inner = join(outer.dir, 'inner');
  mkdirSync(join(inner, '.git'), { recursive: true });
  const topOf = async () => (await openWithoutGit(inner)).workTree;
  assert.equal(await topOf(), outer.dir, 'a folder without HEAD');
  rmSync(join(inner, '.git'), { recursive: true });
  writeFileSync(join(inner, '.git'), 'not a line of git\n');
  assert.equal(await topOf(), outer.dir, 'a file that leads nowhere');
  mkdirSync(join(inner, 'refs'));
  mkdirSync(join(inner, 'objects'));
  assert.equal(await topOf(), outer.dir, 'folders of a bare repository without HEAD');
});

test('without a directory the current one is meant', async () => {
  const outcome = (directory?: string) =>
    openWithoutGit(directory).then(
      ({ gitDir }) => gitDir,
      ({ message }) => message,
    );
  assert.equal(await outcome(), await outcome(process.cwd()));
});

test('where no work tree belongs to the repository, or another one, no changes are counted', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'a' });
  const bare = await openWithoutGit(createRepo({ bare: true }).dir);
  assert.deepEqual([await countDirtyWithoutGit(bare), bare.git.directory], [0, bare.gitDir]);
  const linked = join(makeDirectory(), 'linked');
  repo.git('worktree', 'add', '-q', linked);
  writeFileSync(join(linked, 'a.ts'), 'edited');
  const opened = await openWithoutGit(linked);
  assert.deepEqual([await countDirtyWithoutGit(opened), opened.commonDir], [0, repo.commonDir]);
  assert.equal(opened.git.directory, linked);
});

const readerOf = async (dir: string) => new IsomorphicReader(await openWithoutGit(dir));

test('an object that is damaged, or in another repository, is told from one that is not there', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'a' });
  const shared = makeDirectory('shared');
  repo.git('clone', '-q', '--shared', repo.dir, shared);
  const head = repo.git('rev-parse', 'HEAD');
  await assert.rejects((await readerOf(shared)).read(head), { code: 'GIT_MISSING', message: /in another repository/ });
  const blob = repo.git('rev-parse', 'HEAD:a.ts');
  const path = join(repo.commonDir, 'objects', blob.slice(0, 2), blob.slice(2));
  rmSync(path);
  const reader = await readerOf(repo.dir);
  assert.deepEqual([await reader.read(blob), await reader.info(blob)], [null, null]);
  writeFileSync(path, 'no object');
  await assert.rejects(reader.read(blob), { code: 'UNREADABLE_OBJECT', message: new RegExp(`cannot read ${blob}`) });
  await assert.rejects(reader.list(head), { code: 'UNREADABLE_OBJECT', message: `cannot read tree ${head}` });
  assert.throws(() => new IsomorphicReader({ objectFormat: 'sha256' } as Repository), { code: 'GIT_MISSING' });
});

/** A merge with a second parent, a tag of a tag of it, a tag of a tree, and one that is damaged. */
function knotted(): TestRepo {
  const repo = createRepo();
  repo.commit({ 'a.ts': '1' }, 'first');
  repo.git('checkout', '-q', '-b', 'side');
  repo.commit({ 'b.ts': '2' }, 'side');
  repo.git('checkout', '-q', 'main');
  repo.commit({ 'a.ts': '3' }, 'parent of none\n\nparent '.concat('1'.repeat(40)));
  repo.git('merge', '-q', '-m', 'merge', 'side');
  repo.git('tag', '-a', '-m', 'tag', 'inner', 'HEAD');
  repo.git('tag', '-a', '-m', 'tag of a tag', 'outer', 'inner');
  repo.git('tag', '-a', '-m', 'tag of a tree', 'tree', 'HEAD^{tree}');
  repo.git('tag', '-a', '-m', 'tag of a file', 'file', 'HEAD:a.ts');
  const damaged = repo.gitInput('object of nothing\n', 'hash-object', '-t', 'tag', '-w', '--stdin', '--literally');
  // No command of git would make it.
  writeFileSync(join(repo.commonDir, 'refs', 'tags', 'damaged'), `${damaged}\n`);
  return repo;
}

/** Names that git and we must understand alike, or both not at all. */
const NAMES = [
  ...['HEAD', '@', 'HEAD^', 'HEAD^0', 'HEAD^1', 'HEAD^2', 'HEAD^3', 'HEAD~', 'HEAD~0', 'HEAD~1', 'HEAD~2', 'HEAD~3'],
  ...['HEAD^2^', 'HEAD^2~1', 'HEAD~1^', 'HEAD^{}', 'HEAD^{commit}', 'HEAD^{tree}', 'outer', 'outer^{}', 'outer^{tree}'],
  ...['outer^{commit}', 'outer~1', 'outer^2', 'tree', 'tree^{}', 'tree^{tree}', 'tree^{commit}', 'tree~1', 'tree^1'],
  ...['file^{}', 'file^{tree}', 'file^{commit}', 'HEAD^{tree}^{}', 'HEAD^{tree}^{commit}', 'HEAD^{tree}~1'],
  ...['damaged^{}', 'damaged^{tree}', 'nowhere', 'nowhere~1', 'nowhere^{tree}', '-x', 'a b', 'main..side', ''],
];

test('names mean what they mean to git', async () => {
  const repo = knotted();
  const reader = await readerOf(repo.dir);
  for (const name of NAMES) {
    const found = await reader.read(name);
    let expected: string | null = null;
    try {
      expected = repo.git('rev-parse', '--verify', '--quiet', '--end-of-options', name);
    } catch {}
    assert.equal(found?.oid ?? null, expected, name);
  }
});

test('a name is resolved through tags to a commit or a tree', async () => {
  const repo = knotted();
  const reader = await readerOf(repo.dir);
  const [commit, tree] = repo.git('rev-parse', 'HEAD', 'HEAD^{tree}').split('\n');
  assert.deepEqual(await reader.resolve('outer'), { ref: 'outer', commit, tree });
  let tag = 'HEAD';
  for (let i = 1; i <= 17; i++) {
    repo.git('tag', '-a', '-m', 'one of many', `chain${i}`, tag);
    tag = `chain${i}`;
  }
  assert.equal((await reader.resolve('chain16')).commit, commit);
  await assert.rejects(reader.resolve('chain17'), { code: 'UNKNOWN_REF' });
  assert.deepEqual(await reader.resolve('tree'), { ref: 'tree', commit: null, tree });
  for (const name of ['file', 'damaged', 'nowhere', 'HEAD~9'])
    await assert.rejects(reader.resolve(name), { code: 'UNKNOWN_REF' });
  // Of an oid the first letters do, if they are enough and no ref has their name.
  assert.equal((await reader.resolve(commit.slice(0, 8))).commit, commit);
  assert.equal(await reader.resolve(commit.toUpperCase().slice(0, 3)).catch(({ code }) => code), 'UNKNOWN_REF');
});

test('a tree is listed as git lists it, with folders, links and modules, and objects are read as git has them', async () => {
  const repo = createRepo();
  repo.write({ 'a.ts': 'a', 'deep/in/b.ts': 'bb', 'deep/c d.ts': 'c', 'é.ts': 'e', 'run.sh': '#!/bin/sh\n' });
  symlinkSync('a.ts', join(repo.dir, 'link'));
  chmodSync(join(repo.dir, 'run.sh'), 0o755);
  repo.commit();
  const module = repo.git('rev-parse', 'HEAD');
  repo.git('update-index', '--add', '--cacheinfo', `160000,${module},module`);
  repo.git('commit', '-q', '-m', 'module');
  const reader = new IsomorphicReader(await openWithoutGit(repo.dir));
  const tree = repo.git('rev-parse', 'HEAD^{tree}');
  const entries = await reader.list(tree);
  const listed = repo.git('-c', 'core.quotePath=off', 'ls-tree', '-r', tree).split('\n');
  assert.deepEqual(
    entries.map(({ path, oid }) => `${oid}\t${path}`),
    listed.map((line) => line.slice(line.lastIndexOf(' ', line.indexOf('\t')) + 1)),
  );
  const types = Object.fromEntries(entries.map(({ path, type }) => [path, type]));
  const [file, link] = ['file', 'symlink'];
  assert.deepEqual(types, {
    ...{ 'a.ts': file, 'deep/c d.ts': file, 'deep/in/b.ts': file, link, module: 'submodule', 'run.sh': 'executable' },
    'é.ts': file,
  });
  const blob = repo.git('rev-parse', 'HEAD:deep/in/b.ts');
  assert.deepEqual(await reader.info(blob), { oid: blob, type: 'blob', size: 2 });
  assert.equal((await reader.read(blob))?.content.toString(), 'bb');
  assert.deepEqual([await reader.info('0'.repeat(40)), await reader.read('nowhere')], [null, null]);
  await assert.rejects(reader.list(blob), { code: 'UNREADABLE_OBJECT', message: `cannot read tree ${blob}` });
  reader.close();
});

test('the branch that is checked out and the remotes are told, and no branch where a commit is', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'a' });
  const told = async () => branchAndRemotesWithoutGit(await openWithoutGit(repo.dir));
  assert.deepEqual(await told(), { branch: 'main', remotes: [] });
  for (const name of ['origin', 'team']) repo.git('remote', 'add', name, `https://example.com/${name}.git`);
  repo.git('checkout', '-q', '-b', 'topic/one');
  assert.deepEqual(await told(), { branch: 'topic/one', remotes: ['origin', 'team'] });
  repo.git('checkout', '-q', '--detach');
  assert.equal((await told()).branch, null);
});

test('names that git would not take for one are none, and an abbreviated id is one', async () => {
  const repo = createRepo();
  const first = repo.commit({ 'a.ts': 'a' });
  const reader = new IsomorphicReader(await openWithoutGit(repo.dir));
  const oid = async (name: string) => (await reader.info(name))?.oid ?? null;
  for (const name of ['HEAD', '@', 'main', 'refs/heads/main', first, first.slice(0, 7), 'HEAD^0', 'HEAD^{}', 'HEAD~0'])
    assert.equal(await oid(name), first, name);
  for (const name of ['', '-x', 'a b', 'a..b', 'a:b', 'a?', 'HEAD~1', 'HEAD^1', 'HEAD^2', 'HEAD^{tag}', 'abc'])
    assert.equal(await oid(name), null, name);
});
