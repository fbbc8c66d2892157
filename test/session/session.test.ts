/** An open repository: where its settings come from, which lists of files it remembers, and what ends with it. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import { EMPTY_TREES } from '../../src/git/diff.js';
import { prefixOf, Session } from '../../src/session/session.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

async function opened(t: TestContext, repo: TestRepo, flags: Record<string, unknown> = {}): Promise<Session> {
  const session = await Session.open({ directory: repo.dir, flags });
  t.after(() => session.close());
  return session;
}

const TWO = { 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 2;\n' };
const excluding = (...exclude: string[]) => JSON.stringify({ exclude });

async function pathsOf(session: Session, ref?: string): Promise<string[]> {
  return (await session.files(ref)).catalog.files.map(({ path }) => path).filter((path) => path.endsWith('.ts'));
}

/** Counts the trees that a session lists from now on. */
function listings(session: Session): () => number {
  let count = 0;
  const list = session.objects.list.bind(session.objects);
  session.objects.list = (tree) => {
    count++;
    return list(tree);
  };
  return () => count;
}

test('without a ref the settings are those of the work tree as it is now, with a ref those of its tree', async (t) => {
  const repo = createRepo();
  repo.commit({ ...TWO, '.socraticode.json': excluding('a.ts') });
  repo.write({ '.socraticode.json': excluding('b.ts') });
  const session = await opened(t, repo);
  assert.deepEqual(await pathsOf(session), ['a.ts']);
  assert.deepEqual(await pathsOf(session, 'HEAD'), ['b.ts']);
  assert.deepEqual((await session.configOf(null, true)).config.exclude, ['b.ts']);
  const { tree } = await session.objects.resolve('HEAD');
  assert.deepEqual((await session.configOf(tree, false)).config.exclude, ['a.ts']);
  // The same session sees the next edit, of either file.
  repo.write({ '.socraticode.json': '{}', '.socraticodeignore': 'a.ts\n' });
  assert.deepEqual(await pathsOf(session), ['b.ts']);
  repo.write({ '.socraticodeignore': '' });
  assert.deepEqual(await pathsOf(session), ['a.ts', 'b.ts']);
});

test('a file of settings that is a link is not followed, in the work tree or in a commit', async (t) => {
  const repo = createRepo();
  repo.write({ ...TWO, 'rules/ignore': 'a.ts\n', 'rules/json': excluding('b.ts') });
  symlinkSync('rules/ignore', join(repo.dir, '.socraticodeignore'));
  symlinkSync('rules/json', join(repo.dir, '.socraticode.json'));
  repo.commit();
  const session = await opened(t, repo);
  assert.deepEqual(await pathsOf(session), ['a.ts', 'b.ts']);
  assert.deepEqual(await pathsOf(session, 'HEAD'), ['a.ts', 'b.ts']);
});

test('a file of settings that is too large is refused by its name, wherever it is; one that just fits is read', async (t) => {
  const repo = createRepo();
  const fits = `a.ts\n${'\n'.repeat(256 * 1024 - 5)}`;
  repo.commit({ ...TWO, '.socraticodeignore': fits });
  const session = await opened(t, repo);
  assert.deepEqual([await pathsOf(session), await pathsOf(session, 'HEAD')], [['b.ts'], ['b.ts']]);
  repo.commit({ '.socraticodeignore': `${fits}\n` });
  const refusal = { code: 'BAD_CONFIG', message: /\.socraticodeignore is larger than 256 KiB$/ };
  await assert.rejects(session.origin(), refusal);
  await assert.rejects(session.origin('HEAD'), refusal);
});

test('one list serves all commits of a tree, each under its own name, and those who ask at once', async (t) => {
  const repo = createRepo();
  const first = repo.commit(TWO);
  const second = repo.commit({}, 'the same files');
  const session = await opened(t, repo);
  const listed = listings(session);
  const both = await Promise.all([session.files(first), session.files(second), session.files(first)]);
  assert.deepEqual(
    both.map(({ commit, ref }) => [commit, ref]),
    [first, second, first].map((commit) => [commit, commit]),
  );
  assert.equal(listed(), 1);
});

test('a list is of one tree under one set of settings: any that changes the files makes another', async (t) => {
  const repo = createRepo();
  const first = repo.commit(TWO);
  repo.commit({ 'c.ts': 'export const c = 3;\n' });
  const session = await opened(t, repo);
  const keys = new Set<string>();
  const note = async (of: Session, ref?: string) => keys.add((await of.origin(ref)).key);
  await note(session);
  await note(session, first);
  await note(await opened(t, repo, { exclude: ['a.ts'] }));
  repo.git('config', 'socraticode.exclude', 'b.ts');
  await note(await opened(t, repo));
  process.env.SOCRATICODE_EXCLUDE = 'c.ts';
  t.after(() => delete process.env.SOCRATICODE_EXCLUDE);
  await note(session);
  repo.write({ '.socraticodeignore': 'a.ts\n' });
  await note(session);
  repo.write({ '.socraticode.json': '{}' });
  await note(session);
  repo.write({ '.socraticodecontextartifacts.json': '{"artifacts":[]}' });
  await note(session);
  repo.write({ '.socraticodecontextartifacts.json': '{"artifacts":[' });
  await note(session);
  // Not read at all, and still not the same as none.
  repo.write({ '.socraticodecontextartifacts.json': ' '.repeat((4 << 20) + 1) });
  await note(session);
  assert.equal(keys.size, 10);
});

test('how many parsers run, and other settings of git, change no list', async (t) => {
  const repo = createRepo();
  repo.commit(TWO);
  const { key } = await (await opened(t, repo)).origin();
  repo.git('config', 'socraticode.jobs', '3');
  repo.git('config', 'color.ui', 'never');
  process.env.SOCRATICODE_JOBS = '2';
  t.after(() => delete process.env.SOCRATICODE_JOBS);
  assert.equal((await (await opened(t, repo)).origin()).key, key);
});

test('the last eight lists are remembered, and the one that was used longest ago is listed again', async (t) => {
  const repo = createRepo();
  const commits = Array.from({ length: 9 }, (_, i) => repo.commit({ 'a.ts': `export const a = ${i};\n` }));
  const session = await opened(t, repo);
  for (const commit of commits.slice(0, 8)) await session.files(commit);
  const listed = listings(session);
  await session.files(commits[0]);
  assert.equal(listed(), 0);
  await session.files(commits[8]);
  await session.files(commits[0]);
  assert.equal(listed(), 1, 'one that was just used stays');
  await session.files(commits[1]);
  assert.equal(listed(), 2);
});

test('a list that failed is made again, unless the tree itself is refused', async (t) => {
  const repo = createRepo();
  repo.commit(TWO);
  const session = await opened(t, repo);
  const list = session.objects.list.bind(session.objects);
  for (const [code, asked] of [
    ['GIT_FAILED', 2],
    ['BAD_ARGUMENT', 1],
  ] as const) {
    let count = 0;
    session.objects.list = async () => {
      count++;
      throw new SocraticodeError(code, 'no list');
    };
    for (const _ of [1, 2]) await assert.rejects(session.files(), { code });
    assert.equal(count, asked, code);
    repo.commit({ 'c.ts': code });
  }
  session.objects.list = list;
  assert.deepEqual(await pathsOf(session), ['a.ts', 'b.ts', 'c.ts']);
});

test('before the first commit HEAD is the empty tree for those who can use it, and an error for others', async (t) => {
  for (const objectFormat of ['sha1', 'sha256'] as const) {
    const session = await opened(t, createRepo({ objectFormat }));
    const { resolved } = await session.origin(undefined, { unborn: true });
    assert.deepEqual(resolved, { ref: 'HEAD', commit: null, tree: EMPTY_TREES[objectFormat] });
    assert.equal(session.oidBytes, objectFormat === 'sha1' ? 20 : 32);
    await assert.rejects(session.origin(), { code: 'UNBORN_HEAD' });
  }
  const bare = await opened(t, createRepo({ bare: true }));
  await assert.rejects(bare.origin(undefined, { unborn: true }), { code: 'UNBORN_HEAD' });
});

test('an answer stays with the commit that HEAD had when it began, even if that was none', async (t) => {
  const repo = createRepo();
  const first = repo.commit(TWO);
  repo.commit({ 'c.ts': '' });
  const session = await opened(t, repo);
  const { resolved } = await session.origin(undefined, { head: first });
  assert.deepEqual([resolved.ref, resolved.commit], ['HEAD', first]);
  assert.equal((await session.origin(undefined, { head: null })).resolved.commit, null);
});

test('artifacts that cannot be read are left out with the reason, and fail nothing else', async (t) => {
  const repo = createRepo();
  const artifact = { name: 'rules', path: 'docs/rules.txt', description: 'Rules of the house.' };
  repo.commit({ ...TWO, '.socraticodecontextartifacts.json': JSON.stringify({ artifacts: [artifact] }) });
  const session = await opened(t, repo);
  const whole = await session.origin();
  assert.deepEqual(
    whole.artifacts?.map(({ name, inside }) => [name, inside]),
    [['rules', 'docs/rules.txt']],
  );
  repo.write({ '.socraticodecontextartifacts.json': '{"artifacts": 1}' });
  const broken = await session.origin();
  assert.equal(broken.artifacts, undefined);
  assert.match(`${broken.artifactsFault}`, /artifacts/);
  assert.deepEqual(await pathsOf(session), ['a.ts', 'b.ts']);
});

test('paths of a question start at the folder it is asked in, or at the top from anywhere else', async (t) => {
  const repo = createRepo();
  repo.commit({ 'src/in/a.ts': '', '..odd/b.ts': '' });
  mkdirSync(join(repo.dir, 'src/empty'));
  const session = await opened(t, repo);
  const directoryOf = (path: string) => prefixOf(session, path).directory;
  assert.deepEqual(
    [repo.dir, join(repo.dir, 'src/in'), join(repo.dir, 'src/empty'), join(repo.dir, '..odd')].map(directoryOf),
    ['', 'src/in', 'src/empty', '..odd'],
  );
  assert.deepEqual([join(repo.dir, '..'), makeDirectory(), join(repo.dir, 'nowhere')].map(directoryOf), ['', '', '']);
  const link = join(makeDirectory(), 'link');
  symlinkSync(join(repo.dir, 'src'), link);
  assert.equal(directoryOf(link), 'src');
  const bare = await opened(t, createRepo({ bare: true }));
  assert.deepEqual(prefixOf(bare, repo.dir), { directory: '', workTree: null });
});

test('what was to end with a session ends once, in order, and its git with it', async () => {
  const repo = createRepo();
  repo.commit(TWO);
  const session = await Session.open({ directory: repo.dir });
  const ended: string[] = [];
  session.onClose(() => ended.push('first'));
  session.onClose(() => ended.push('second'));
  session.close();
  session.close();
  assert.deepEqual(ended, ['first', 'second']);
  await assert.rejects(session.countDirty(), { code: 'CANCELLED' });
});

test('files that differ from HEAD are counted: changed, staged, new and deleted ones', async (t) => {
  const repo = createRepo();
  repo.commit({ ...TWO, 'c.ts': '', 'd.ts': '' });
  const session = await opened(t, repo);
  assert.equal(await session.countDirty(), 0);
  repo.write({ 'a.ts': 'changed\n', 'b.ts': 'staged\n', 'new.ts': '' });
  repo.git('add', 'b.ts');
  repo.git('rm', '-q', 'c.ts');
  assert.equal(await session.countDirty(), 4);
  assert.equal(session.hasGit, true);
  const changes = await session.readChanges?.(['a.ts', 'd.ts']);
  assert.deepEqual(
    changes?.list.map(({ path }) => path),
    ['a.ts'],
  );
});
