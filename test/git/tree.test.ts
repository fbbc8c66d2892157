/** Trees as bytes: entries, paths and kinds, and a path that is looked for in them. No git is started but for whole listings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { GitObject, ObjectReader } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import {
  decodePath,
  entryType,
  findEntry,
  findTopEntry,
  isUnsafePath,
  listMissing,
  listTree,
  rawEntries,
} from '../../src/git/tree.js';
import { createRepo } from '../support/repositories/repo.js';

interface Entry {
  mode: string;
  name: string;
  oid: string;
}

const treeOf = (entries: readonly Entry[]) =>
  Buffer.concat(
    entries.map(({ mode, name, oid }) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')])),
  );

const oidOf = (digit: string, length = 40) => digit.repeat(length);

const names = fc
  .array(fc.constantFrom('a', 'B', '0', ' ', '.', 'é', '\n'), { minLength: 1, maxLength: 6 })
  .map((letters) => letters.join(''));
const entries = (length: number) =>
  fc.array(
    fc.record({
      mode: fc.constantFrom('100644', '100755', '120000', '160000', '40000'),
      name: names,
      oid: fc.constantFrom(oidOf('0', length), oidOf('a', length), `20${oidOf('f', length - 2)}`),
    }),
    { maxLength: 5 },
  );

test('the entries of a tree are read as they were written, of either object format', () => {
  for (const length of [40, 64])
    fc.assert(
      fc.property(entries(length), (list) => {
        const read = [...rawEntries(treeOf(list), length / 2)];
        assert.deepEqual(
          read.map(({ mode, path, oid }) => ({ mode, name: path.toString(), oid })),
          list.map((entry) => ({ ...entry })),
        );
      }),
      { numRuns: 100 },
    );
});

test('a tree that ends within an entry has those before it', () => {
  const whole = treeOf([
    { mode: '100644', name: 'a', oid: oidOf('1') },
    { mode: '100644', name: 'b', oid: oidOf('2') },
  ]);
  const at = treeOf([{ mode: '100644', name: 'a', oid: oidOf('1') }]).length;
  // Without the blank after the mode, and without the end of the name.
  for (const end of [at + 3, at + 8])
    assert.deepEqual(
      [...rawEntries(whole.subarray(0, end), 20)].map(({ path }) => path.toString()),
      ['a'],
    );
  assert.deepEqual(
    [...rawEntries(Buffer.from(' x\0'), 20)].map(({ mode }) => mode),
    [''],
  );
});

test('modes name the kinds of entries', () => {
  const kinds = ['100755', '120000', '160000', '100644', '100664'].map(entryType);
  assert.deepEqual(kinds, ['executable', 'symlink', 'submodule', 'file', 'file']);
});

test('only bytes beyond ASCII of a path that is not UTF-8 are written as numbers', () => {
  assert.equal(decodePath(Buffer.from([0x7f, 0x80, 0xff, 0x41])), '\x7f\\x80\\xffA');
  assert.equal(decodePath(Buffer.from('é/€.ts')), 'é/€.ts');
});

test('paths that git would not check out are unsafe, by any of their parts', () => {
  for (const path of ['/a', 'a\0b', 'a/', 'a//b', './a', 'a/..', 'a/.Git', ''])
    assert.equal(isUnsafePath(path), true, path);
  for (const path of ['a', 'a/b', '..a/b.', '.gitx/.githooks', 'a/.github'])
    assert.equal(isUnsafePath(path), false, path);
});

const TREES: Readonly<Record<string, { type: GitObject['type']; content: Buffer; size?: number }>> = {
  [oidOf('1')]: {
    type: 'tree',
    content: treeOf([
      { mode: '100755', name: 'run', oid: oidOf('a') },
      { mode: '40000', name: 'src', oid: oidOf('2') },
      { mode: '40000', name: 'run', oid: oidOf('2') },
      { mode: '40000', name: 'large', oid: oidOf('3') },
      { mode: '40000', name: 'largest', oid: oidOf('4') },
      { mode: '40000', name: 'lie', oid: oidOf('a') },
      { mode: '40000', name: 'gone', oid: oidOf('9') },
    ]),
  },
  [oidOf('2')]: { type: 'tree', content: treeOf([{ mode: '120000', name: 'link', oid: oidOf('b') }]) },
  [oidOf('3')]: {
    type: 'tree',
    size: (64 << 20) + 1,
    content: treeOf([{ mode: '100644', name: 'x', oid: oidOf('a') }]),
  },
  [oidOf('4')]: { type: 'tree', size: 64 << 20, content: treeOf([{ mode: '100644', name: 'x', oid: oidOf('a') }]) },
  [oidOf('a')]: { type: 'blob', content: treeOf([{ mode: '100644', name: 'x', oid: oidOf('a') }]) },
};

/** `lost`: an object that vanishes between the question for its size and that for its content. */
function objectsOf(lost?: string): ObjectReader & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    info: async (oid) => {
      asked.push(oid);
      const found = TREES[oid];
      return found === undefined ? null : { oid, type: found.type, size: found.size ?? found.content.length };
    },
    read: async (oid) => (oid === lost || TREES[oid] === undefined ? null : { oid, ...TREES[oid] }),
    close: () => {},
  };
}

test('a path is followed through trees alone, of a size that people have', async () => {
  const objects = objectsOf();
  const find = (path: string) => findEntry(objects, oidOf('1'), path);
  assert.deepEqual(await find('src'), { path: 'src', oid: oidOf('2'), type: 'directory' });
  assert.deepEqual(await find('src/link'), { path: 'src/link', oid: oidOf('b'), type: 'symlink' });
  assert.deepEqual(await find('run'), { path: 'run', oid: oidOf('a'), type: 'executable' });
  assert.equal((await find('largest/x'))?.type, 'file');
  for (const path of ['large/x', 'lie/x', 'gone/x', 'run/link', 'src/link/x', '', 'src/', 'x'])
    assert.equal(await find(path), null, path);
  assert.equal(await findEntry(objectsOf(oidOf('2')), oidOf('1'), 'src/link'), null);
});

test('a file is not opened to look below it', async () => {
  const objects = objectsOf();
  await findEntry(objects, oidOf('1'), 'run/link');
  assert.deepEqual(objects.asked, [oidOf('1')]);
});

test('an entry at the top is a file of any kind, and no directory', async () => {
  const objects = objectsOf();
  assert.deepEqual(await findTopEntry(objects, oidOf('1'), 'run'), {
    path: 'run',
    oid: oidOf('a'),
    type: 'executable',
  });
  for (const name of ['src', 'absent', 'src/link']) assert.equal(await findTopEntry(objects, oidOf('1'), name), null);
});

test('a path of 4,096 names is followed, a longer one is not', async () => {
  const self = oidOf('5');
  const content = treeOf([{ mode: '40000', name: 'd', oid: self }]);
  const objects: ObjectReader = {
    info: async (oid) => ({ oid, type: 'tree', size: content.length }),
    read: async (oid) => ({ oid, type: 'tree', content }),
    close: () => {},
  };
  const deep = (count: number) => Array.from({ length: count }, () => 'd').join('/');
  assert.equal((await findEntry(objects, self, deep(4_096)))?.type, 'directory');
  assert.equal(await findEntry(objects, self, deep(4_097)), null);
});

test('a listing has all kinds of entries, and counts directories among its entries', async () => {
  const repo = createRepo();
  const blob = repo.blob('x');
  const inner = repo.rawTree([{ oid: blob, name: 'in.txt' }]);
  const tree = repo.rawTree([
    { oid: blob, name: 'a b.txt' },
    { oid: inner, name: 'dir', mode: '40000' },
    { oid: blob, name: 'Run', mode: '100755' },
    { oid: blob, name: 'z', mode: '120000' },
  ]);
  const { git } = await openRepository(repo.dir);
  const list = [
    { path: 'Run', oid: blob, type: 'executable' },
    { path: 'a b.txt', oid: blob, type: 'file' },
    { path: 'dir/in.txt', oid: blob, type: 'file' },
    { path: 'z', oid: blob, type: 'symlink' },
  ];
  assert.deepEqual(await listTree(git, tree, 5), list);
  await assert.rejects(listTree(git, tree, 4), { code: 'BAD_ARGUMENT', message: 'the tree has more than 4 entries' });
});

test('a path of a megabyte is refused, a little shorter one is listed', async () => {
  const repo = createRepo();
  const blob = repo.blob('x');
  const { git } = await openRepository(repo.dir);
  const of = (length: number) => repo.rawTree([{ oid: blob, name: 'n'.repeat(length) }]);
  assert.equal((await listTree(git, of((1 << 20) - 100))).length, 1);
  await assert.rejects(listTree(git, of((1 << 20) + (1 << 17))), {
    code: 'BAD_ARGUMENT',
    message: /paths of the tree are too long/,
  });
});

test('objects that a clone lacks are listed, and those that it has are not', async () => {
  const repo = createRepo();
  const absent = oidOf('d');
  const tree = repo.rawTree([
    { oid: repo.blob('here'), name: 'here?' },
    { oid: absent, name: 'there' },
  ]);
  const { git } = await openRepository(repo.dir);
  assert.deepEqual(await listMissing(git, tree), [absent]);
  assert.deepEqual(await listMissing(git, oidOf('e')), []);
});
