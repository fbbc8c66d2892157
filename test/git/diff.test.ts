/** Tree differences, from trees that no git command would write as well. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { diffTreePairs, diffTrees, nulFields } from '../../src/git/diff.js';
import { Git } from '../../src/git/process.js';
import { cloneRepo, createRepo } from '../support/repositories/repo.js';

const LONG = Array.from({ length: 40 }, (_, i) => `line ${i} of a file that is long enough to be recognised\n`).join(
  '',
);

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const each of from) list.push(each);
  return list;
}

for (const objectFormat of ['sha1', 'sha256'] as const) {
  test(`added, deleted, modified, renamed and retyped paths (${objectFormat})`, async () => {
    const repo = createRepo({ objectFormat });
    const from = repo.commit({ 'a.ts': '1\n', 'gone.ts': 'x\n', 'dir/old.ts': LONG, link: 'a file\n' });
    repo.git('mv', 'dir/old.ts', 'dir/new.ts');
    repo.git('rm', '-q', 'gone.ts', 'link');
    repo.git('update-index', '--add', '--cacheinfo', `120000,${repo.blob('a.ts')},link`);
    repo.write({ 'a.ts': '2\n', 'fresh.ts': 'y\n' });
    repo.git('add', 'a.ts', 'fresh.ts', 'dir');
    repo.git('commit', '-qm', 'change');
    const git = new Git(repo.dir);
    const changes = await diffTrees(git, from, 'HEAD', { renames: true });
    assert.deepEqual(
      changes.map(({ path, oldPath, status }) => [status, path, oldPath]),
      [
        ['modified', 'a.ts', undefined],
        ['renamed', 'dir/new.ts', 'dir/old.ts'],
        ['added', 'fresh.ts', undefined],
        ['deleted', 'gone.ts', undefined],
        ['type-changed', 'link', undefined],
      ],
    );
    const link = changes.find(({ path }) => path === 'link');
    assert.deepEqual([link?.oldType, link?.newType], ['file', 'symlink']);
    const plain = await diffTrees(git, from, 'HEAD');
    assert.deepEqual(
      plain
        .filter(({ path }) => path.startsWith('dir/'))
        .map(({ status, oldOid, newOid }) => [status, !!oldOid, !!newOid]),
      [
        ['added', false, true],
        ['deleted', true, false],
      ],
    );
    const only = await diffTrees(git, from, 'HEAD', { renames: 'only' });
    assert.deepEqual(only, [changes[1]]);
    const tree = repo.git('rev-parse', `${from}^{tree}`);
    assert.equal((await diffTrees(git, null, tree)).length, 4, 'against the empty tree');
    assert.deepEqual(await diffTrees(git, tree, from), []);
  });
}

test('paths with newlines, control characters, leading dashes and invalid UTF-8 are read unchanged', async () => {
  const repo = createRepo();
  const oid = repo.blob('text\n');
  const names = ['a\nb.ts', '-rf', ':100644 x', '\x1b[31m.ts', Buffer.from([0x66, 0xff, 0x2e, 0x63])];
  const tree = repo.rawTree(names.map((name) => ({ oid, name })));
  const changes = await diffTrees(new Git(repo.dir), null, tree);
  assert.deepEqual(
    new Set(changes.map(({ path }) => path)),
    new Set(['a\nb.ts', '-rf', ':100644 x', '\x1b[31m.ts', 'f\\xff.c']),
  );
});

test('submodules are entries; too many changes and a missing tree are errors', async () => {
  const repo = createRepo();
  const tree = repo.rawTree([
    { mode: '160000', oid: 'a'.repeat(40), name: 'sub' },
    { oid: repo.blob('x'), name: 'x' },
  ]);
  const git = new Git(repo.dir);
  const [sub] = await diffTrees(git, null, tree);
  assert.deepEqual([sub.path, sub.newType], ['sub', 'submodule']);
  await assert.rejects(diffTrees(git, null, tree, { limit: 1 }), { code: 'BAD_ARGUMENT' });
  assert.equal((await diffTrees(git, null, tree, { limit: 2 })).length, 2);
  await assert.rejects(diffTrees(git, null, 'b'.repeat(40)), { code: 'GIT_FAILED' });
  await assert.rejects(diffTrees(git, null, tree, { signal: AbortSignal.abort() }), { code: 'CANCELLED' });
});

test('a partial clone is compared without fetching blobs', async () => {
  const origin = createRepo();
  origin.git('config', 'uploadpack.allowFilter', 'true');
  origin.commit({ 'old.ts': LONG });
  origin.git('mv', 'old.ts', 'new.ts');
  origin.commit({ 'new.ts': `${LONG}more\n` });
  const clone = cloneRepo(origin, '--filter=blob:none', '--no-checkout');
  const changes = await diffTrees(new Git(clone.dir), 'HEAD~1', 'HEAD', { renames: true });
  assert.deepEqual(changes.map(({ status }) => status).sort(), ['added', 'deleted']);
  assert.match(clone.git('rev-list', '--objects', '--missing=print', 'HEAD'), /^\?[0-9a-f]{40}$/m);
});

test('of many pairs of trees each has its own list, equal ones an empty one', async () => {
  const repo = createRepo();
  const [a, b] = ['1\n', '2\n'].map((text) => repo.rawTree([{ oid: repo.blob(text), name: 'a.ts' }]));
  const lists = async (...pairs: [string, string][]) => {
    const found: string[] = [];
    for await (const changes of diffTreePairs(new Git(repo.dir), pairs, { renames: false }))
      found.push(changes.map(({ path }) => path).join());
    return found;
  };
  assert.deepEqual(await lists([a, b], [a, a], [b, a], [b, b]), ['a.ts', '', 'a.ts', '']);
  assert.deepEqual(await lists(), []);
  await assert.rejects(lists([a, b], [a, 'c'.repeat(40)]), { code: 'GIT_FAILED' });
  // Git says which trees it compares before it looks into them.
  const hollow = repo.rawTree([{ oid: 'd'.repeat(40), name: 'dir', mode: '40000' }]);
  await assert.rejects(lists([a, hollow]), { code: 'GIT_FAILED', message: /d{40}/ });
  const both = repo.rawTree(['a.ts', 'b.ts'].map((name) => ({ oid: repo.blob('1\n'), name })));
  assert.deepEqual(await lists([repo.rawTree([]), both]), ['a.ts,b.ts']);
});

test('a change has the object and the kind of each side that is there', async () => {
  const repo = createRepo();
  const [one, two] = ['1', '2'].map((text) => repo.blob(text));
  const before = repo.rawTree([
    { oid: one, name: 'edited' },
    { oid: one, name: 'gone', mode: '120000' },
  ]);
  const after = repo.rawTree([
    { oid: two, name: 'edited', mode: '100755' },
    { oid: two, name: 'new' },
  ]);
  const changes = [
    { path: 'edited', oldOid: one, newOid: two, oldType: 'file', newType: 'executable', status: 'modified' },
    { path: 'gone', oldOid: one, newOid: null, oldType: 'symlink', newType: null, status: 'deleted' },
    { path: 'new', oldOid: null, newOid: two, oldType: null, newType: 'file', status: 'added' },
  ];
  assert.deepEqual(await diffTrees(new Git(repo.dir), before, after), changes);
  for await (const list of diffTreePairs(new Git(repo.dir), [[before, after]], { renames: false }))
    assert.deepEqual(list, changes);
});

test('pairs of trees are compared with renames on request', async () => {
  const repo = createRepo();
  const oid = repo.blob(LONG);
  const [a, b] = ['a.ts', 'b.ts'].map((name) => repo.rawTree([{ oid, name }]));
  const statuses = async (renames: boolean) => {
    const [list] = await all(diffTreePairs(new Git(repo.dir), [[a, b]], { renames }));
    return list.map(({ status, oldPath, path }) => [status, oldPath, path]);
  };
  assert.deepEqual(await statuses(true), [['renamed', 'a.ts', 'b.ts']]);
  assert.deepEqual(await statuses(false), [
    ['deleted', undefined, 'a.ts'],
    ['added', undefined, 'b.ts'],
  ]);
});

/** A git that writes this and ends well. */
function gitThatSays(output: string) {
  const child = Object.assign(new EventEmitter(), {
    ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), kill: () => true },
  });
  child.stdout.end(output);
  child.stdout.once('end', () => child.emit('close', 0, null));
  return { spawn: () => child } as unknown as Git;
}

test('output that ends within an entry is a failure, unless the caller gave up', async () => {
  const [head, pair] = [
    `:100644 100644 ${'a'.repeat(40)} ${'b'.repeat(40)} M\0`,
    `${'c'.repeat(40)} ${'d'.repeat(40)}\n`,
  ];
  const within = { code: 'GIT_FAILED', message: /in the middle of an entry/ };
  await assert.rejects(diffTrees(gitThatSays(head), 'a', 'b'), within);
  const pairs = [['c'.repeat(40), 'd'.repeat(40)]] as const;
  const compare = (signal?: AbortSignal) =>
    all(diffTreePairs(gitThatSays(pair + head), pairs, { renames: false, signal }));
  await assert.rejects(compare(), within);
  const signal = AbortSignal.abort();
  await assert.rejects(compare(signal), { code: 'CANCELLED' });
  await assert.rejects(diffTrees(gitThatSays(head), 'a', 'b', { signal }), { code: 'CANCELLED' });
});

test('git is asked a second time, without contents, only where an object was missing', async (t) => {
  const repo = createRepo();
  const git = new Git(repo.dir);
  const asked = t.mock.method(git, 'spawn');
  const tree = repo.rawTree([
    { oid: repo.blob('x'), name: 'x' },
    { oid: repo.blob('y'), name: 'y' },
  ]);
  await assert.rejects(diffTrees(git, null, tree, { renames: true, limit: 1 }), { code: 'BAD_ARGUMENT' });
  assert.equal(asked.mock.callCount(), 1);
  await assert.rejects(diffTrees(git, null, 'b'.repeat(40), { renames: true }), { code: 'GIT_FAILED' });
  assert.equal(asked.mock.callCount(), 3);
});

test('fields are the same wherever the output of git is cut', async () => {
  const output = Buffer.from(':100644 x\0a\0\0long name\0rest');
  const fields = async (...chunks: Buffer[]) => {
    const stream = (async function* () {
      yield* chunks;
    })();
    const read: string[] = [];
    for await (const field of nulFields(stream)) read.push(field.toString());
    return read;
  };
  const whole = [':100644 x', 'a', '', 'long name', 'rest'];
  assert.deepEqual(await fields(output), whole);
  for (let at = 0; at <= output.length; at++)
    for (let then = at; then <= output.length; then++)
      assert.deepEqual(await fields(output.subarray(0, at), output.subarray(at, then), output.subarray(then)), whole);
  assert.deepEqual([await fields(), await fields(Buffer.from('a\0'))], [[], ['a']]);
  assert.deepEqual(await fields(Buffer.from('a\0b')), ['a', 'b']);
  const megabyte = Buffer.alloc(1 << 20, 'x');
  assert.equal((await fields(megabyte))[0].length, megabyte.length);
  await assert.rejects(fields(megabyte, Buffer.from('x')), { code: 'BAD_ARGUMENT' });
});
