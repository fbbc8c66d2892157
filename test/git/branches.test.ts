/** Branches as they are listed for a question about all of them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listBranches, listTags } from '../../src/git/branches.js';
import { Git } from '../../src/git/process.js';
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
