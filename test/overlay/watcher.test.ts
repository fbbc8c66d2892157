/** Whatever changes what is uncommitted is noticed; what git ignores is not even watched. */
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRepository } from '../../src/git/repository.js';
import { readIgnored, WorkTreeWatcher, walkDirectories } from '../../src/overlay/watcher.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

async function watched(repo: TestRepo, work: (watcher: WorkTreeWatcher) => Promise<void>): Promise<void> {
  const repository = await openRepository(repo.dir);
  const watcher = new WorkTreeWatcher({ ...repository, workTree: repo.dir });
  await watcher.start();
  try {
    await settled(watcher);
    await work(watcher);
  } finally {
    watcher.close();
  }
}

/** Until everything is watched and nothing has happened for a while; the number of what happened. */
async function settled(watcher: WorkTreeWatcher): Promise<number> {
  for (let i = 0; i < 200; i++) {
    const before = watcher.version;
    await sleep(40);
    if (before !== null && watcher.version === before) return before;
  }
  return assert.fail('it does not settle');
}

test('edits, new directories, removals, moves and changes of the index are noticed', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, 'src/deep/a.ts': 'a', 'src/deeper/a.ts': 'a', 'src/src/b.ts': 'b' });
  // Not every git makes it.
  rmSync(join(repo.dir, '.git', 'info'), { recursive: true });
  await watched(repo, async (watcher) => {
    const path = (name: string) => join(repo.dir, name);
    const steps: [string, () => void][] = [
      ['edit', () => writeFileSync(path('src/session.ts'), 'x')],
      ['new directory', () => mkdirSync(path('fresh/one'), { recursive: true })],
      ['file in it', () => writeFileSync(path('fresh/one/a.ts'), 'x')],
      ['two new directories at once', () => ['x', 'y'].map((name) => mkdirSync(path(name)))],
      ['file in the first', () => writeFileSync(path('x/a.ts'), 'x')],
      ['file in the second', () => writeFileSync(path('y/a.ts'), 'x')],
      ['move', () => renameSync(path('fresh'), path('src/moved'))],
      ['edit in what was moved', () => writeFileSync(path('src/moved/one/a.ts'), 'y')],
      ['remove', () => rmSync(path('src/deep'), { recursive: true })],
      ['edit in a directory whose name begins alike', () => writeFileSync(path('src/deeper/a.ts'), 'x')],
      ['the same name again', () => mkdirSync(path('src/deep'))],
      ['file in that', () => writeFileSync(path('src/deep/a.ts'), 'z')],
      ['a file named like its directory', () => writeFileSync(path('src/src/src'), 'z')],
      ['edit beside it', () => writeFileSync(path('src/src/b.ts'), 'z')],
      ['index', () => repo.git('add', '-A')],
    ];
    for (const [name, step] of steps) {
      const before = await settled(watcher);
      step();
      assert.notEqual(await settled(watcher), before, name);
    }
  });
});

test('ignored directories cause no events until they are no longer ignored', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, '.gitignore': 'out/\n' });
  repo.write({ 'out/deep/a.js': 'x' });
  await watched(repo, async (watcher) => {
    let before = await settled(watcher);
    repo.write({ 'out/deep/a.js': 'y', 'out/b.js': 'y' });
    assert.equal(await settled(watcher), before);
    // A new folder that is ignored is not watched either.
    mkdirSync(join(repo.dir, 'src/out'));
    await settled(watcher);
    repo.write({ 'src/out/c.js': 'x' });
    before = await settled(watcher);
    repo.write({ 'src/out/c.js': 'y', 'src/out/d.js': 'y' });
    assert.equal(await settled(watcher), before);
    repo.write({ '.gitignore': '\n' });
    before = await settled(watcher);
    repo.write({ 'out/deep/a.js': 'z' });
    assert.notEqual(await settled(watcher), before);
  });
});

test('a watcher that was closed or never started reports no version', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const repository = await openRepository(repo.dir);
  const watcher = new WorkTreeWatcher({ ...repository, workTree: repo.dir });
  assert.equal(watcher.version, null);
  await watcher.start();
  assert.notEqual(watcher.version, null);
  watcher.close();
  assert.equal(watcher.version, null);
});

test('a watcher that is closed, during a scan or not, stays closed and tells of nothing any more', async () => {
  for (const isScanning of [true, false]) {
    const repo = createRepo();
    repo.commit(PROJECT);
    const repository = await openRepository(repo.dir);
    let events = 0;
    const watcher = new WorkTreeWatcher({ ...repository, workTree: repo.dir }, () => events++);
    await watcher.start();
    await settled(watcher);
    if (isScanning) watcher.reread();
    watcher.close();
    // The scan tells of its end; then nothing is left to tell.
    await sleep(300);
    events = 0;
    repo.write({ 'src/session.ts': 'x', 'top.ts': 'x' });
    repo.git('add', '-A');
    await sleep(100);
    assert.deepEqual([watcher.version, events], [null, 0], `${isScanning}`);
    watcher.reread();
    await sleep(100);
    assert.equal(watcher.version, null);
  }
});

test('where something cannot be watched, a watcher reports no version, and tells its caller so', async () => {
  const repo = createRepo();
  const repository = await openRepository(repo.dir);
  let events = 0;
  const gitDir = join(repo.dir, 'no such directory');
  const watcher = new WorkTreeWatcher({ ...repository, gitDir, workTree: repo.dir }, () => events++);
  await watcher.start();
  assert.deepEqual([watcher.version, watcher.takeTouched(), events], [null, null, 1]);
  watcher.close();
});

test('paths of single edits are told, and nothing where rules, folders or too much have changed', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  await watched(repo, async (watcher) => {
    const after = async (step: () => void) => {
      watcher.takeTouched();
      step();
      await settled(watcher);
      return watcher.takeTouched()?.sort() ?? null;
    };
    const write = (...names: string[]) =>
      repo.write(Object.fromEntries(names.map((name) => [name, `${Math.random()}`])));
    assert.deepEqual(await after(() => write('src/session.ts', 'top.ts')), ['src/session.ts', 'top.ts']);
    assert.deepEqual(await after(() => {}), []);
    assert.deepEqual(await after(() => rmSync(join(repo.dir, 'top.ts'))), ['top.ts']);
    for (const [what, step] of [
      ['attributes', () => write('.gitattributes')],
      ['a new folder', () => mkdirSync(join(repo.dir, 'fresh'))],
      ['the index', () => repo.git('add', '-A')],
      ['a name that is no text', () => writeFileSync(Buffer.from(`${repo.dir}/\xff.ts`, 'latin1'), 'x')],
      ['65 files', () => write(...Array.from({ length: 65 }, (_, i) => `src/n${i}.ts`))],
    ] as const)
      assert.equal(await after(step), null, what);
    assert.equal((await after(() => write(...Array.from({ length: 64 }, (_, i) => `src/n${i}.ts`))))?.length, 64);
  });
});

test('what git does in its own directory is an event, and no reason to look at all directories again; new rules are', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const versions: (number | null)[] = [];
  const repository = await openRepository(repo.dir);
  const watcher = new WorkTreeWatcher({ ...repository, workTree: repo.dir }, () => versions.push(watcher.version));
  await watcher.start();
  try {
    await settled(watcher);
    versions.length = 0;
    writeFileSync(join(repo.dir, '.git', 'FETCH_HEAD'), '');
    utimesSync(join(repo.dir, '.git'), 1, 1);
    await settled(watcher);
    assert.equal(versions.length, 0, 'a file of git that says nothing of the work tree');
    repo.git('update-index', '--force-write-index');
    await settled(watcher);
    assert.ok(versions.length > 0 && !versions.includes(null), versions.join());
    writeFileSync(join(repo.dir, '.git', 'info', 'exclude'), 'out/\n');
    await settled(watcher);
    assert.ok(versions.includes(null));
  } finally {
    watcher.close();
    watcher.close();
  }
});

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
