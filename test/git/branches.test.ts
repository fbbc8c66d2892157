/** Branches as they are listed for a question about all of them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isAncestor, listBranches, listTags, listUnion, mergeBases } from '../../src/git/branches.js';
import { GitReader } from '../../src/git/objects.js';
import { Git } from '../../src/git/process.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

test('branches are listed newest first, with their trees; aliases, other objects and missing tips are left out', async () => {
  const repo = createRepo();
  const at = (seconds: number, path: string) => {
    repo.write({ [path]: `${path}\n` });
    repo.git('add', '-A');
    repo.gitAt(`${seconds} +0000`, 'commit', '-qm', 'change');
    return repo.git('rev-parse', 'HEAD');
  };
  assert.deepEqual(await listBranches(new Git(repo.dir)), []);
  const newest = at(1_700_000_300, 'a.txt');
  const oldest = at(1_700_000_100, 'b.txt');
  const middle = at(1_700_000_200, 'c.txt');
  repo.git('update-ref', 'refs/heads/first', newest);
  repo.git('update-ref', 'refs/heads/again', newest);
  repo.git('update-ref', 'refs/remotes/origin/last', oldest);
  repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/last');
  repo.git('update-ref', 'refs/remotes/origin/blob', repo.blob('no commit\n'));
  const older = repo.git('commit-tree', '-m', 'no tip of a branch', `${newest}^{tree}`);
  repo.git('tag', '-a', '-m', 'a tag', 'annotated', older);
  repo.git('update-ref', 'refs/remotes/origin/tags/annotated', 'refs/tags/annotated');
  writeFileSync(join(repo.commonDir, 'refs', 'heads', 'gone'), `${'1'.repeat(40)}\n`);
  const treeOf = (commit: string) => repo.git('rev-parse', `${commit}^{tree}`);
  assert.deepEqual(
    await listBranches(new Git(repo.dir)),
    [
      ['again', newest],
      ['first', newest],
      ['main', middle],
      ['origin/last', oldest],
    ].map(([name, commit]) => ({ name, commit, tree: treeOf(commit) })),
  );
});

test('tags of commits are listed with the commit that they lead to, newest first; those of other objects are left out', async () => {
  const repo = createRepo();
  assert.deepEqual(await listTags(new Git(repo.dir)), []);
  const [older, newer] = [100, 200].map((seconds) => {
    repo.gitAt(`${1_700_000_000 + seconds} +0000`, 'commit', '-q', '--allow-empty', '-m', 'change');
    return repo.git('rev-parse', 'HEAD');
  });
  repo.git('tag', 'v1', older);
  repo.git('tag', 'v2', newer);
  repo.gitAt('1700000300 +0000', 'tag', '-a', '-m', 'release', 'release/3', older);
  repo.git('tag', 'blob', repo.blob('no commit\n'));
  repo.gitAt('1700000400 +0000', 'tag', '-a', '-m', 'of a blob', 'tree', 'HEAD^{tree}');
  assert.deepEqual(await listTags(new Git(repo.dir)), [
    { name: 'release/3', commit: older },
    { name: 'v2', commit: newer },
    { name: 'v1', commit: older },
  ]);
});

test('git is asked once for all branches, and again only for those that parted at several commits', async (t) => {
  const repo = createRepo();
  const root = repo.commit({ 'a.txt': 'root' });
  const tree = repo.git('rev-parse', `${root}^{tree}`);
  const make = (...parents: string[]) =>
    repo.git('commit-tree', tree, '-m', `of ${parents}`, ...parents.flatMap((oid) => ['-p', oid]));
  const [left, right] = [make(root), make(root, root)];
  const [mine, both, one, stranger] = [make(left, right), make(right, left), make(left), make()];
  const { git } = await openRepository(repo.dir);
  const asked = t.mock.method(git, 'run');
  const countOf = async (...others: string[]) => {
    asked.mock.resetCalls();
    return [await mergeBases(git, mine, others), asked.mock.callCount()];
  };
  assert.deepEqual(await countOf(one, root, stranger), [[left, root, null], 1]);
  const [[base], count] = (await countOf(both)) as [string[], number];
  assert.deepEqual([[left, right].includes(base), count], [true, 2]);
});

test('every branch has the base that git names, in their order: ancestors, forks, merges, and strangers', async () => {
  const repo = createRepo();
  const at = (name: string) => repo.git('rev-parse', name);
  const commit = (name: string) => {
    repo.commit({ [`${name}.txt`]: name });
    repo.git('tag', name);
  };
  commit('root');
  commit('old');
  commit('main');
  repo.git('checkout', '-q', '-b', 'fork', 'old');
  commit('fork1');
  commit('fork2');
  // Two ways lead from it to main: by `old` through the fork, and by `root`.
  repo.git('checkout', '-q', '-b', 'both', 'root');
  commit('side');
  repo.git('merge', '-q', '-m', 'm', 'fork2');
  repo.git('tag', 'merged');
  repo.git('checkout', '-q', '--orphan', 'stranger');
  commit('stranger1');
  const { git } = await openRepository(repo.dir);
  const names = ['fork2', 'root', 'main', 'merged', 'stranger1', 'side'];
  const wanted = ['old', 'root', 'main', 'old', null, 'root'].map((name) => (name === null ? null : at(name)));
  assert.deepEqual(await mergeBases(git, at('main'), names.map(at)), wanted);
  assert.deepEqual(await mergeBases(git, at('main'), []), []);
  // A commit that is not here makes git fail for all; each is then asked for by itself.
  assert.deepEqual(await mergeBases(git, at('main'), [at('fork2'), 'f'.repeat(40)]), [at('old'), null]);
  assert.deepEqual(
    await Promise.all([
      isAncestor(git, at('root'), at('main')),
      isAncestor(git, at('main'), at('main')),
      isAncestor(git, at('main'), at('root')),
      isAncestor(git, 'f'.repeat(40), at('main')),
    ]),
    [true, true, false, false],
  );
});

test('a path appears once per blob, whatever its mode in other trees; a link and a file of equal bytes are two', async () => {
  const repo = createRepo();
  const first = repo.commit({ 'run.sh': 'echo\n', 'at.txt': 'run.sh', 'b.ts': 'one\n' });
  const blobAt = (path: string) => repo.git('rev-parse', `${first}:${path}`);
  repo.git('update-index', '--chmod=+x', 'run.sh');
  const second = repo.commit({ 'b.ts': 'two\n' });
  repo.git('update-index', '--cacheinfo', `120000,${blobAt('at.txt')},at.txt`);
  repo.git('commit', '-q', '-m', 'a link');
  const git = new Git(repo.dir);
  const objects = new GitReader(git);
  try {
    const [tree, ...others] = [first, second, 'HEAD'].map((commit) => repo.git('rev-parse', `${commit}^{tree}`));
    const listed = await listUnion({ git, objects }, tree, others);
    assert.deepEqual(listed.map(({ path, type }) => `${path} ${type}`).sort(), [
      'at.txt file',
      'at.txt symlink',
      'b.ts file',
      'b.ts file',
      'run.sh file',
    ]);
  } finally {
    objects.close();
  }
});

test('a blob that another tree has at two paths appears at both', async () => {
  const repo = createRepo();
  const first = repo.commit({ 'a.ts': 'one\n' });
  repo.commit({ 'b.ts': 'same\n', 'c.ts': 'same\n' });
  const git = new Git(repo.dir);
  const objects = new GitReader(git);
  try {
    const [tree, other] = [first, 'HEAD'].map((commit) => repo.git('rev-parse', `${commit}^{tree}`));
    const listed = await listUnion({ git, objects }, tree, [other, other]);
    assert.deepEqual(listed.map(({ path }) => path).sort(), ['a.ts', 'b.ts', 'c.ts']);
  } finally {
    objects.close();
  }
});
