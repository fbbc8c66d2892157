/** A path in a tree, found without a listing of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CatFileReader, findEntry } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

test('a file and a folder are found by their whole path; what is not there, or below a file, is null', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a/b/c.txt': 'text\n', 'a.txt': 'other\n' });
  const objects = new CatFileReader((await openRepository(repo.dir)).git);
  t.after(() => objects.close());
  const tree = repo.git('rev-parse', 'HEAD^{tree}');
  const oidOf = (path: string) => repo.git('rev-parse', `HEAD:${path}`);
  const find = (path: string) => findEntry(objects, tree, path);
  assert.deepEqual(await find('a/b'), { path: 'a/b', oid: oidOf('a/b'), type: 'directory' });
  const file = await find('a/b/c.txt');
  assert.deepEqual([file?.path, file?.oid, file?.type], ['a/b/c.txt', oidOf('a/b/c.txt'), 'file']);
  for (const path of ['b', 'a/c.txt', 'a/b/c.txt/d', 'a.txt/x', 'a/b/']) assert.equal(await find(path), null, path);
});
