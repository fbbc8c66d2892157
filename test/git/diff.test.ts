/** Tree differences, from trees that no git command would write as well. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import { diffTreePairs, diffTrees, fewChanges, nulFields, withinBounds } from '../../src/git/diff.js';
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

test('a few changes are listed; many, and those of a tree that was pruned, are unknown, and other failures are told', async () => {
  const repo = createRepo();
  const [from, to] = [repo.commit({ a: '1\n', b: '1\n' }), repo.commit({ a: '2\n', b: '2\n' })];
  const git = new Git(repo.dir);
  assert.deepEqual(
    (await fewChanges(git, from, to, 2))?.map(({ path }) => path),
    ['a', 'b'],
  );
  assert.equal(await fewChanges(git, from, to, 1), null);
  assert.equal(await fewChanges(git, 'b'.repeat(40), to, 2), null);
  assert.equal(await fewChanges(git, from, 'b'.repeat(40), 2), null);
  await assert.rejects(fewChanges(new Git(`${repo.dir}/missing`), from, to, 2), SocraticodeError);
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

const ENTRIES = 1_000_000;
const PATHS = 256 << 20;
/** Mode, type, oid and separators of an entry. */
const REST = 54;

/** A piece of output of any length with so many ends of entries at its end, which takes no memory. */
const piece = (length: number, ends = 0) => ({
  length,
  indexOf: (_: number, from = 0) => (Math.max(from, length - ends) < length ? Math.max(from, length - ends) : -1),
});

/** A git that lists trees: each by its name in pieces. */
function listing(trees: Readonly<Record<string, ReturnType<typeof piece>[]>>) {
  const seen = { listed: [] as string[], pieces: 0, kills: 0 };
  const spawn = (args: string[]) => {
    const tree = args.at(-1) as string;
    seen.listed.push(tree);
    const child = Object.assign(new EventEmitter(), {
      ...{ stdin: new PassThrough(), stderr: new PassThrough() },
      kill: () => seen.kills++,
      stdout: (async function* () {
        for (const each of trees[tree]) {
          seen.pieces++;
          yield each;
        }
      })(),
    });
    setImmediate(() => child.emit('close', 0, null));
    return child;
  };
  return { git: { spawn } as unknown as Git, seen };
}

const memory = new SocraticodeError('RESOURCES', 'git takes too much memory');
/** What comes of work that ran out of memory before anything was counted. */
const outcome = (git: Git, trees: string[], signal?: AbortSignal) =>
  withinBounds(git, trees, () => Promise.reject(memory), signal).catch((error: Error) => error.message);

test('a tree of more than a million entries is refused, one of a million is not', async () => {
  const { git, seen } = listing({
    fits: [piece(ENTRIES * REST - 5, ENTRIES - 5), piece(5, 5)],
    large: [piece(ENTRIES * REST, ENTRIES - 5), piece(6, 6), piece(1, 1)],
  });
  assert.equal(await outcome(git, ['fits']), memory.message);
  assert.deepEqual([seen.pieces, seen.kills], [2, 0]);
  assert.equal(await outcome(git, ['large']), 'the tree has more than 1,000,000 entries');
  assert.deepEqual([seen.pieces, seen.kills], [4, 1], 'the rest is not read');
});

test('paths of more than 256 MiB in all are refused, whatever the number of entries', async () => {
  for (const ends of [1, 1_000]) {
    const whole = PATHS + ends * REST;
    const { git, seen } = listing({
      fits: [piece(whole - 10, ends), piece(10)],
      long: [piece(whole + 1, ends)],
    });
    assert.equal(await outcome(git, ['fits']), memory.message);
    assert.equal(await outcome(git, ['long']), 'the paths of the tree are too long');
    assert.equal(seen.kills, 1);
  }
});

test('trees are counted one after another, up to the first that is too large', async () => {
  const { git, seen } = listing({ small: [piece(100, 1)], large: [piece(ENTRIES + 1, ENTRIES + 1)], last: [] });
  assert.match(await outcome(git, ['small', 'large', 'last']), /more than 1,000,000/);
  assert.deepEqual(seen.listed, ['small', 'large']);
});

test('nothing is counted for other failures, for a caller that gave up, or where git cannot be started', async () => {
  const { git, seen } = listing({ large: [piece(ENTRIES + 1, ENTRIES + 1)] });
  const other = new SocraticodeError('GIT_FAILED', 'another failure');
  await assert.rejects(
    withinBounds(git, ['large'], () => Promise.reject(other)),
    other,
  );
  assert.equal(await outcome(git, ['large'], AbortSignal.abort()), memory.message);
  assert.deepEqual(seen.listed, []);
  const spawn = () => {
    throw new Error('no git');
  };
  assert.equal(await outcome({ spawn } as unknown as Git, ['large']), memory.message);
});

test('work is told when its caller gives up, before it begins or later, and when it is done', async () => {
  const { git } = listing({});
  const stateOf = (signal?: AbortSignal) => withinBounds(git, [], async (stop) => stop.aborted, signal);
  assert.deepEqual([await stateOf(), await stateOf(AbortSignal.abort())], [false, true]);
  const controller = new AbortController();
  const seen: boolean[] = [];
  let last: AbortSignal | undefined;
  const work = async (stop: AbortSignal) => {
    last = stop;
    seen.push(stop.aborted);
    controller.abort();
    seen.push(stop.aborted);
    return 'result';
  };
  assert.equal(await withinBounds(git, [], work, controller.signal), 'result');
  assert.deepEqual(seen, [false, true]);
  await withinBounds(git, [], async (stop) => {
    last = stop;
  });
  assert.equal(last?.aborted, true);
});

test('work that takes a quarter of a second is counted beside it, once, and ended if its tree is too large', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { git, seen } = listing({ large: [piece(ENTRIES + 1, ENTRIES + 1)] });
  const slow = (stop: AbortSignal) =>
    new Promise<never>((_, reject) => stop.addEventListener('abort', () => reject(memory)));
  const refused = assert.rejects(withinBounds(git, ['large'], slow), { code: 'BAD_ARGUMENT' });
  t.mock.timers.tick(249);
  assert.deepEqual(seen.listed, []);
  t.mock.timers.tick(1);
  assert.deepEqual(seen.listed, ['large']);
  await refused;
  assert.deepEqual(seen.listed, ['large']);
  await withinBounds(git, ['large'], async () => {});
  t.mock.timers.tick(1_000);
  assert.deepEqual(seen.listed, ['large'], 'fast work is not counted');
});
