/** Several trees listed as one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Git } from '../../src/git/process.js';
import { GitReader } from '../../src/git/reader.js';
import { listUnion } from '../../src/git/union.js';
import { createRepo } from '../support/repositories/repo.js';

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
