/** Trial merges: the two forms of git's command agree, and merge bases of many branches are those that git finds. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { mergeBases } from '../../src/git/branches.js';
import { mergeSingly, mergeTrees, openScratch } from '../../src/git/merge.js';
import { Git } from '../../src/git/process.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

test('both forms of merge-tree find the same conflicts, and a merge that cannot be made ends no other', async () => {
  const repo = createRepo();
  const base = repo.commit({ 'a b.ts': '1\n2\n3\n', 'gone.ts': 'x\n', 'same.ts': 'x\n', 'ünï.ts': '1\n' }, 'base');
  const on = (name: string, files: Record<string, string>, ...removed: string[]) => {
    repo.git('checkout', '-q', '-b', name, base);
    if (removed.length > 0) repo.git('rm', '-q', ...removed);
    return repo.commit(files, name);
  };
  const ours = on('ours', { 'a b.ts': '1\nour\n3\n', 'gone.ts': 'y\n', 'ünï.ts': '2\n', 'new.ts': 'our\n' });
  const theirs = on(
    'theirs',
    { 'a b.ts': '1\ntheir\n3\n', 'ünï.ts': '3\n', 'new.ts': 'their\n' },
    'gone.ts',
    'same.ts',
  );
  const clean = on('clean', { 'same.ts': 'z\n' });
  const git = new Git(repo.dir);
  const pairs = [theirs, '0'.repeat(40), clean].map((each) => ({ base, ours, theirs: each }));
  const told = (results: Awaited<ReturnType<typeof mergeTrees>>) =>
    results.map((each) =>
      'failure' in each ? 'failed' : each.conflicts.map(({ path, kind }) => `${path} ${kind}`).sort(),
    );
  const [modern, old] = [told(await mergeTrees(git, pairs)), told(await mergeSingly(git, pairs))];
  const expected = ['a b.ts contents', 'gone.ts modify/delete', 'new.ts contents', 'ünï.ts contents'];
  assert.deepEqual(old, [expected, 'failed', []]);
  assert.deepEqual(modern.slice(1), ['failed', []]);
  assert.deepEqual(modern[0], expected);
});

test('a path with two kinds of conflict tells of both', async () => {
  const repo = createRepo();
  const base = repo.commit({ 'logo.png': '\0' });
  const ours = repo.commit({ 'logo.png': '\0our' });
  repo.git('checkout', '-q', base);
  const theirs = repo.commit({ 'logo.png': '\0their' });
  const [merged] = await mergeTrees(new Git(repo.dir), [{ base, ours, theirs }]);
  assert.deepEqual('conflicts' in merged && merged.conflicts, [
    { path: 'logo.png', kind: 'binary' },
    { path: 'logo.png', kind: 'contents' },
  ]);
});

test('the old form is used only by a git that does not know the new one', async (t) => {
  const repo = createRepo();
  const base = repo.commit({ 'a.ts': '1\n' });
  const ours = repo.commit({ 'a.ts': '2\n' });
  repo.git('checkout', '-q', base);
  const theirs = repo.commit({ 'a.ts': '3\n' });
  const git = new Git(repo.dir);
  const pairs = ['0'.repeat(40), theirs].map((each) => ({ base, ours, theirs: each }));
  const trees = async () => (await mergeTrees(git, pairs)).map((each) => ('failure' in each ? 'failed' : each.tree));
  const [failed, tree] = await trees();
  assert.deepEqual([failed, tree?.length], ['failed', 40]);
  const { spawn } = git;
  t.mock.method(git, 'spawn', (args: string[], options: object) => {
    const known = args.map((arg) => (arg === '--write-tree' ? '--no-such-option' : arg));
    return spawn.call(git, known, options);
  });
  assert.deepEqual(await trees(), ['failed', null]);
  assert.deepEqual(await mergeTrees(git, []), []);
});

test('a git that still writes into the scratch folder while it is closed fails no answer', async (t) => {
  const folder = makeDirectory('scratch');
  const before = tmpdir();
  t.after(() => {
    process.env.TMPDIR = before;
  });
  process.env.TMPDIR = folder;
  const repository = await openRepository(createRepo().dir);
  const scratch = openScratch(repository);
  const objects = join(folder, readdirSync(folder)[0], 'objects');
  const script = `for (let i = 0; ; i++) try { fs.mkdirSync('${objects}/' + i, { recursive: true }); } catch {}`;
  const writer = spawn(process.execPath, ['-e', script]);
  try {
    while (readdirSync(objects).length === 0) await setTimeout(5);
    assert.doesNotThrow(() => scratch.close());
  } finally {
    writer.kill('SIGKILL');
    await once(writer, 'exit');
  }
});

test('a user without a name can commit into a scratch folder; the commit is the same for every user, at any time', async (t) => {
  const repo = createRepo();
  const parent = repo.commit({ 'a.ts': '1\n' });
  repo.git('config', 'user.useConfigOnly', 'true');
  repo.write({ 'a.ts': '2\n', 'b.ts': 'new\n' });
  const before = { ...process.env };
  t.after(() => Object.assign(process.env, before));
  const repository = await openRepository(repo.dir);
  const names = ['a.ts', 'b.ts'].map((name) => Buffer.from(name));
  const committed = async (env: Record<string, string>) => {
    for (const key of Object.keys(before)) if (/^GIT_(AUTHOR|COMMITTER)_/.test(key)) delete process.env[key];
    Object.assign(process.env, env);
    const scratch = openScratch(repository);
    try {
      const { commit, tree } = await scratch.commitFiles(repository, { parent, names, config: [] });
      const merged = await scratch.commitTree(tree, [parent, commit]);
      const form = '--format=%an <%ae> %at, %cn <%ce> %ct';
      const people = await scratch.git.text(['show', '-s', form, commit, merged]);
      const files = await scratch.git.text(['ls-tree', '--name-only', commit]);
      return { commit, merged, people: people.split('\n'), files: files.split('\n') };
    } finally {
      scratch.close();
    }
  };
  const nameless = await committed({});
  assert.deepEqual(nameless.files, ['a.ts', 'b.ts']);
  assert.deepEqual(nameless.people, Array(2).fill('nobody <nobody> 1, nobody <nobody> 1'));
  const named = { GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.com', GIT_AUTHOR_DATE: '@99 +0200' };
  assert.deepEqual(await committed(named), nameless);
  assert.deepEqual(await committed({ ...named, GIT_COMMITTER_NAME: 'Bob', GIT_COMMITTER_DATE: '@7 +0000' }), nameless);
});

test('merge bases of branches, merges and unrelated commits are those of git', async () => {
  const repo = createRepo();
  const root = repo.commit({ a: '0' }, 'root');
  const tree = repo.git('rev-parse', `${root}^{tree}`);
  const commits = [root];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let i = 0; i < 40; i++) {
    const parents = [...new Set(Array.from({ length: 1 + random(2) }, () => commits[random(commits.length)]))];
    commits.push(repo.git('commit-tree', tree, '-m', String(i), ...parents.flatMap((parent) => ['-p', parent])));
  }
  const orphan = repo.git('commit-tree', tree, '-m', 'orphan');
  const git = new Git(repo.dir);
  for (const mine of commits.slice(-4)) {
    const others = [...commits.slice(0, 36), orphan];
    const found = await mergeBases(git, mine, others);
    for (const [i, other] of others.entries()) {
      const { stdout } = await git.run(['merge-base', '--all', mine, other], { allow: [1] });
      const all = stdout.toString().split('\n').filter(Boolean);
      assert.ok(
        found[i] === null ? all.length === 0 : all.includes(found[i]),
        `${mine} ${other}: ${found[i]} of ${all}`,
      );
    }
  }
});
