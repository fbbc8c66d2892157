/** The long-lived git that reads objects: when it owes an answer, what of its messages is kept, and how answers are cut out. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import {
  CatFileReader,
  decodePath,
  entryType,
  findEntry,
  findTopEntry,
  type GitObject,
  isUnsafePath,
  listMissing,
  listTree,
  type ObjectReader,
  rawEntries,
} from '../../src/git/objects.js';
import type { Git } from '../../src/git/process.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

const OID = 'a'.repeat(40);

/** A git whose answers the test gives. */
function fakeGit() {
  const started: { args: string[]; asked: string; isIdle: () => boolean; child: ReturnType<typeof makeChild> }[] = [];
  const makeChild = () =>
    Object.assign(new EventEmitter(), {
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
    });
  const spawn = (args: string[], { isIdle }: { isIdle: () => boolean }) => {
    const child = makeChild();
    const run = { args, asked: '', isIdle, child };
    child.stdin.on('data', (text: Buffer) => {
      run.asked += text;
    });
    started.push(run);
    return child;
  };
  return { started, reader: new CatFileReader({ spawn } as unknown as Git) };
}

test('git owes an answer from a request until it is answered', async () => {
  const { started, reader } = fakeGit();
  const [one, two] = [reader.info('HEAD'), reader.info('main')];
  await turn();
  const [{ args, asked, isIdle, child }] = started;
  assert.deepEqual([args, asked, started.length], [['cat-file', '--batch-check'], 'HEAD\nmain\n', 1]);
  assert.equal(isIdle(), false);
  child.stdout.write(`${OID} commit 7\n`);
  assert.deepEqual(await one, { oid: OID, type: 'commit', size: 7 });
  assert.equal(isIdle(), false, 'one is left');
  child.stdout.write('main missing\n');
  assert.equal(await two, null);
  assert.equal(isIdle(), true);
});

test('contents are cut out of whatever pieces they come in, and those that are missing are null', async () => {
  const { started, reader } = fakeGit();
  const asked = ['one', 'gone', 'two'].map((name) => reader.read(name));
  await turn();
  const answers = `${OID} blob 5\n1\n345\ngone missing\n${OID} tree 0\n\n`;
  for (const sign of answers) started[0].child.stdout.write(sign);
  const found = await Promise.all(asked);
  const expected = [['blob', '1\n345'], null, ['tree', '']];
  assert.deepEqual(
    found.map((object) => object && [object.type, `${object.content}`]),
    expected,
  );
  // All in one piece.
  const again = ['one', 'gone', 'two'].map((name) => reader.read(name));
  await turn();
  started[0].child.stdout.write(answers);
  const whole = await Promise.all(again);
  assert.deepEqual(
    whole.map((object) => object && [object.type, `${object.content}`]),
    expected,
  );
});

test('a reader that was closed sends what was asked, and takes nothing more', async () => {
  const { started, reader } = fakeGit();
  const asked = reader.info('HEAD');
  reader.close();
  assert.equal(started[0].child.stdin.writableEnded, true);
  await turn();
  assert.equal(started[0].asked, 'HEAD\n');
  started[0].child.stdout.write(`${OID} commit 7\n`);
  assert.equal((await asked)?.type, 'commit');
  for (const late of [reader.info('HEAD'), reader.read('HEAD')]) await assert.rejects(late, { code: 'CANCELLED' });
  assert.equal(started.length, 1);
});

test('a git that somebody interrupts was cancelled, and so was what it had not answered', async () => {
  const { started, reader } = fakeGit();
  const lost = ['HEAD', 'main'].map((name) => assert.rejects(reader.read(name), { code: 'CANCELLED' }));
  await turn();
  started[0].child.emit('close', null, 'SIGINT');
  await Promise.all(lost);
});

test('a git that ends without an answer is a failure with its first message; of a flood of messages the rest is not kept', async () => {
  const { started, reader } = fakeGit();
  const lost = reader.read('HEAD');
  await turn();
  const { child } = started[0];
  child.stderr.write(`hint: ${'x'.repeat(5_000)}\n`);
  await turn();
  child.stderr.write('fatal: too late to be kept\n');
  await turn();
  child.emit('close', 128, null);
  await assert.rejects(lost, { code: 'UNREADABLE_OBJECT', message: 'cannot read an object: git cat-file ended early' });
  const next = reader.read('HEAD');
  await turn();
  started[1].child.stderr.write('fatal: bad object\n');
  await turn();
  started[1].child.emit('close', 128, null);
  await assert.rejects(next, { code: 'UNREADABLE_OBJECT', message: /fatal: bad object/ });
});

test('names that git would read as two requests are not asked, and those known to be missing neither', async () => {
  const { started, reader } = fakeGit();
  reader.setMissing([OID]);
  for (const name of ['', 'a\nb', 'a\0b', OID]) {
    assert.equal(await reader.read(name), null);
    assert.equal(await reader.info(name), null);
  }
  assert.equal(started.length, 0);
});

test('a request that kills git is answered with null, and those behind it are asked again', async () => {
  const { started, reader } = fakeGit();
  const [killed, behind] = [reader.info(OID), reader.info('HEAD')];
  await turn();
  started[0].child.stderr.write(`fatal: could not fetch ${OID} from promisor remote\n`);
  await turn();
  started[0].child.emit('close', 128, null);
  assert.equal(await killed, null);
  await turn();
  assert.equal(started[1].asked, 'HEAD\n');
  started[1].child.stdout.write(`${OID} blob 3\n`);
  assert.equal((await behind)?.size, 3);
});

test('a name for which git walks has a git of its own, which ends with its answer', async () => {
  const { started, reader } = fakeGit();
  for (const [name, answer, expected] of [
    ['main~3', `${OID} commit 7\n`, 7],
    ['main@{upstream}', 'fatal', undefined],
    ['HEAD^2^{tree}', 'HEAD^2^{tree} missing\n', undefined],
  ] as const) {
    started.length = 0;
    const found = reader.info(name);
    await turn();
    assert.deepEqual([started.length, started[0].asked], [1, `${name}\n`]);
    if (answer === 'fatal') {
      started[0].child.stderr.write('fatal: no upstream configured\n');
      await turn();
      started[0].child.emit('close', 128, null);
    } else started[0].child.stdout.write(answer);
    assert.equal((await found)?.size, expected);
    assert.equal(started[0].child.stdin.writableEnded, answer !== 'fatal');
  }
  started.length = 0;
  for (const name of ['HEAD', 'main^{commit}', 'HEAD:src/a~b', OID, 'a@b', '@']) void reader.info(name).catch(() => {});
  await turn();
  assert.equal(started.length, 1);
});

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
