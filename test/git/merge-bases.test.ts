/** Where branches parted, as git merge-base says, for many branches with one git. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAncestor, mergeBases } from '../../src/git/merge-bases.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

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
