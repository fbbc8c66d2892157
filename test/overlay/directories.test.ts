/** Which directories are watched: all that can hold files of the work tree, each before it is read. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRepository } from '../../src/git/repository.js';
import { readIgnored, walkDirectories } from '../../src/overlay/directories.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

async function visited(root: string, start = '', isIgnored = (_: string) => false): Promise<string[]> {
  const paths: string[] = [];
  await walkDirectories(root, start, { isIgnored, visit: (path) => paths.push(path) });
  return paths.sort();
}

test('every directory is visited, but none of git, of a nested repository, or behind a link', async () => {
  const root = makeDirectory();
  const elsewhere = makeDirectory();
  for (const path of ['a/b/c', '.git/objects', 'nested/.git', 'nested/src', 'x'])
    mkdirSync(join(root, path), { recursive: true });
  mkdirSync(join(elsewhere, 'far'));
  symlinkSync(elsewhere, join(root, 'link'));
  assert.deepEqual(await visited(root), ['', 'a', 'a/b', 'a/b/c', 'nested', 'x']);
  assert.deepEqual(await visited(root, 'a/b'), ['a/b', 'a/b/c']);
  assert.deepEqual(await visited(root, '', (path) => path === 'a/b'), ['', 'a', 'nested', 'x']);
});

test('more directories than are read at a time are all visited', async () => {
  const root = makeDirectory();
  const names = Array.from({ length: 70 }, (_, i) => `d${String(i).padStart(2, '0')}`);
  for (const name of names) mkdirSync(join(root, name, 'deep'), { recursive: true });
  assert.deepEqual(await visited(root), ['', ...names.flatMap((name) => [name, `${name}/deep`])]);
});

test('a directory that was made while its parent is visited is found', async () => {
  const root = makeDirectory();
  const paths: string[] = [];
  const visit = (path: string) => {
    if (path === '') mkdirSync(join(root, 'late'));
    paths.push(path);
  };
  await walkDirectories(root, '', { isIgnored: () => false, visit });
  assert.deepEqual(paths, ['', 'late']);
});

test('git says which directories are ignored as a whole', async () => {
  const repo = createRepo();
  repo.commit({ '.gitignore': 'out/\n*.log\n', 'src/a.ts': 'a\n' });
  repo.write({ 'out/deep/a.js': 'x', 'src/a.log': 'x', 'src/out/b.js': 'x' });
  const isIgnored = await readIgnored((await openRepository(repo.dir)).git);
  assert.deepEqual(['out', 'src/out', 'src', 'src/a.log', ''].map(isIgnored), [true, true, false, false, false]);
});
