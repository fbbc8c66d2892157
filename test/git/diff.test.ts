/** Tree differences, from trees that no git command would write as well. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffTreePairs, diffTrees, nulFields } from '../../src/git/diff.js';
import { Git } from '../../src/git/process.js';
import { cloneRepo, createRepo } from '../support/repositories/repo.js';

const LONG = Array.from({ length: 40 }, (_, i) => `line ${i} of a file that is long enough to be recognised\n`).join(
  '',
);

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
});
