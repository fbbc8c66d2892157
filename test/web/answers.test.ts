/** What a page is told that no question tells: the project and its head, choices, files and authors of lines. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { packageVersion } from '../../src/base/runtime.js';
import { Projects } from '../../src/serve/projects.js';
import { answerPage } from '../../src/web/answers.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';

/** Asks of a repository without an index. */
function asking(t: TestContext, repo: TestRepo) {
  const projects = new Projects({ directory: repo.dir, allow: [] });
  t.after(() => projects.close());
  return async (name: string, values: object = {}) => {
    const project = await projects.open();
    return answerPage(name, values, { project, signal: new AbortController().signal });
  };
}

test('a project has the name of its settings or of its folder; the head has a commit only when there is one', async (t) => {
  const repo = createRepo();
  const ask = asking(t, repo);
  const plain = { version: packageVersion(), editor: 'vscode', forge: null, hasFleet: false };
  const unborn = { name: basename(repo.dir), root: `${repo.dir}/`, ...plain, head: { branch: null, commit: null } };
  assert.deepEqual(await ask('about'), unborn);
  assert.deepEqual(await ask('refs'), { branches: [], tags: [], commits: [] });
  assert.deepEqual(await ask('overview'), { files: 0, isByName: true, languages: [], folders: [], endings: {} });
  const commit = repo.commit({ '.socraticode.json': '{"projectId":"shop"}' });
  repo.git('remote', 'add', 'origin', 'git@github.com:acme/shop.git');
  const told = { ...plain, name: 'shop', root: `${repo.dir}/` };
  assert.deepEqual(await asking(t, repo)('about'), {
    ...told,
    forge: { base: 'https://github.com/acme/shop', kind: 'github' },
    head: { branch: 'main', commit },
  });
  repo.git('checkout', '-q', '--detach');
  repo.write({ '.socraticode.json': '{' });
  const { name, editor, head } = (await asking(t, repo)('about')) as typeof unborn;
  assert.deepEqual([name, editor, head], [basename(repo.dir), 'none', { branch: null, commit }]);
});

test('a bare repository has no root, and is named without `.git`', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'a\n' });
  repo.git('clone', '-q', '--bare', '.', 'shop.git');
  const ask = asking(t, { dir: `${repo.dir}/shop.git` } as TestRepo);
  const { name, root } = (await ask('about')) as { name: string; root: string | null };
  assert.deepEqual([name, root], ['shop', null]);
});

test('before there is an index, files are counted by their names; folders at the top, most first', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a/1.go': '', 'b/1.ts': '', 'b/deep/2.ts': '', '3.ts': '', LICENSE: 'x' });
  const ask = asking(t, repo);
  assert.deepEqual(await ask('overview'), {
    ...{ files: 5, isByName: true },
    languages: [
      { name: 'typescript', files: 3 },
      { name: 'text', files: 1 },
      { name: 'go', files: 1 },
    ],
    folders: [
      { name: 'b', files: 2 },
      { name: 'a', files: 1 },
    ],
    // A file without an ending stands for itself.
    endings: { ts: 'typescript', go: 'go', LICENSE: 'text' },
  });
  assert.deepEqual(await ask('files'), { paths: ['3.ts', 'LICENSE', 'a/1.go', 'b/1.ts', 'b/deep/2.ts'], leftOut: 0 });
});

test('the last fifty commits of a ref, newest first, with branches and tags', async (t) => {
  const repo = createRepo();
  for (let i = 0; i < 51; i++) repo.git('commit', '-q', '--allow-empty', '-m', `change ${i}`);
  const head = repo.git('rev-parse', 'HEAD');
  repo.git('tag', 'v1', 'HEAD~50');
  repo.git('branch', 'topic', 'HEAD~50');
  type Refs = { branches: { name: string }[]; tags: object[]; commits: { commit: string; subject: string }[] };
  const { branches, tags, commits } = (await asking(t, repo)('refs')) as Refs;
  const first = repo.git('rev-parse', 'v1');
  assert.deepEqual(
    [branches.map(({ name }) => name).sort(), tags],
    [['main', 'topic'], [{ name: 'v1', commit: first }]],
  );
  assert.deepEqual([commits.length, commits[0].commit, commits[49].subject], [50, head, 'change 1']);
  const older = (await asking(t, repo)('refs', { ref: 'topic' })) as Refs;
  assert.deepEqual(older.commits, [
    { commit: first, subject: 'change 0', author: 'A U Thor', date: '2024-01-02T03:04:05Z' },
  ]);
});

test('authors of lines are those of the file as it lies there, and of a ref those of the commit', async (t) => {
  const repo = createRepo();
  const first = repo.commit({ 'a.ts': 'one\ntwo\n' });
  const second = repo.commit({ 'a.ts': 'one\n2\n' });
  repo.write({ 'a.ts': 'new\none\n2\n' });
  const ask = asking(t, repo);
  const blamed = async (ref?: string) => {
    const { runs, commits } = (await ask('blame', { path: 'a.ts', ...(ref && { ref }) })) as {
      runs: object[];
      commits: Record<string, object>;
    };
    return [runs, Object.keys(commits).sort()];
  };
  const runs = [
    { line: 2, count: 1, commit: first },
    { line: 3, count: 1, commit: second },
  ];
  assert.deepEqual(await blamed(), [runs, [first, second].sort()]);
  assert.deepEqual(await blamed('HEAD'), [
    runs.map(({ line, ...run }) => ({ line: line - 1, ...run })),
    [first, second].sort(),
  ]);
  assert.deepEqual(await blamed(first), [[{ line: 1, count: 2, commit: first }], [first]]);
  await assert.rejects(ask('blame', { path: 'b.ts', ref: 'HEAD' }), { code: 'GIT_FAILED' });
  await assert.rejects(ask('blame', { path: 'a.ts', ref: 'gone' }), { code: 'UNKNOWN_REF' });
  await assert.rejects(ask('blame', {}), { code: 'BAD_ARGUMENT' });
});

test('no filter of the repository itself is run for the authors of lines', async (t) => {
  const repo = createRepo();
  const commit = repo.commit({ 'a.ts': 'one\n', '.gitattributes': '*.ts filter=own\n' });
  const ran = join(repo.dir, 'ran');
  repo.git('config', 'filter.own.clean', `touch '${ran}' && cat`);
  repo.write({ 'a.ts': 'one\ntwo\n' });
  const { runs } = (await asking(t, repo)('blame', { path: 'a.ts' })) as { runs: object[] };
  assert.deepEqual(runs, [{ line: 1, count: 1, commit }]);
  assert.ok(!existsSync(ran));
});

test('a question that is not offered does not exist for a page', async (t) => {
  const ask = asking(t, cloneRepo(createRepo()));
  for (const name of ['index', 'toString', 'nothing'])
    await assert.rejects(ask(name), { code: 'BAD_ARGUMENT', message: 'pages cannot ask that' });
});
