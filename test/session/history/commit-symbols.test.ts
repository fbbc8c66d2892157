/** Symbols that commits changed: compared once, kept for the next process, and told for single files. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MAX_FILES } from '../../../src/history/change-log.js';
import { BlobFactsSource } from '../../../src/session/blob-facts.js';
import { type CommitSymbol, symbolsOfCommits } from '../../../src/session/history/symbol-changes.js';
import { Session } from '../../../src/session/session.js';
import '../../support/in-process/kept-parsers.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

/** A session of its own, and the files that it compared. */
async function opened(t: TestContext, repo: TestRepo): Promise<{ session: Session; compared: () => number }> {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  let count = 0;
  const { prefetch } = BlobFactsSource.prototype;
  t.mock.method(
    BlobFactsSource.prototype,
    'prefetch',
    function (this: BlobFactsSource, ...args: Parameters<typeof prefetch>) {
      count += [...args[0]].length;
      return prefetch.apply(this, args);
    },
  );
  return { session, compared: () => count };
}

const code = (name: string, value: number) => `export function ${name}() {\n  return ${value};\n}\n`;
const told = (symbols: readonly CommitSymbol[] | undefined) => symbols?.map(({ path, symbol }) => `${path} ${symbol}`);

function history(): { repo: TestRepo; commits: { commit: string; paths: string[] }[] } {
  const repo = createRepo();
  const first = repo.commit({ 'a.ts': code('a', 1), 'b.ts': code('b', 1) });
  const second = repo.commit({ 'a.ts': code('a', 2), 'notes.txt': 'x\n' });
  const third = repo.commit({ 'a.ts': code('a', 2).replace('{\n', '{\n\n') });
  const list = [
    { commit: first, paths: ['a.ts', 'b.ts'] },
    { commit: second, paths: ['a.ts', 'notes.txt'] },
    { commit: third, paths: ['a.ts'] },
  ];
  return { repo, commits: list };
}

test('a commit has the symbols that it added or changed, not those whose white space it changed', async (t) => {
  const { repo, commits } = history();
  const { session } = await opened(t, repo);
  const found = await symbolsOfCommits(session, commits);
  assert.deepEqual(
    commits.map(({ commit }) => told(found.get(commit))),
    [['a.ts a', 'b.ts b'], ['a.ts a'], []],
  );
});

test('the next process compares no commit again, and only what is new', async (t) => {
  const { repo, commits } = history();
  await symbolsOfCommits((await opened(t, repo)).session, commits.slice(0, 2));
  const next = await opened(t, repo);
  await symbolsOfCommits(next.session, commits.slice(0, 2));
  assert.equal(next.compared(), 0);
  await symbolsOfCommits(next.session, commits);
  assert.equal(next.compared(), 2, 'both versions of the one file of the third commit');
  const last = await opened(t, repo);
  const found = await symbolsOfCommits(last.session, commits);
  assert.equal(last.compared(), 0);
  assert.deepEqual(told(found.get(commits[1].commit)), ['a.ts a']);
});

test('a commit without files is not asked for', async (t) => {
  const { repo, commits } = history();
  const { session, compared } = await opened(t, repo);
  assert.equal((await symbolsOfCommits(session, [{ ...commits[0], paths: [] }])).size, 0);
  assert.equal(compared(), 0);
});

test('only the files that are named are compared, under the names that they have now, and kept by file', async (t) => {
  const { repo, commits } = history();
  const renamed = new Map([['a.ts', 'now.ts']]);
  const asked = [{ ...commits[0], paths: ['now.ts', 'b.ts'], renamed }];
  const first = await opened(t, repo);
  const inFiles = (session: Session, ...names: string[]) => symbolsOfCommits(session, asked, { names: new Set(names) });
  const { commit } = commits[0];
  assert.deepEqual(told((await inFiles(first.session, 'now.ts')).get(commit)), ['a.ts a']);
  assert.equal(first.compared(), 1);
  const second = await opened(t, repo);
  assert.deepEqual(told((await inFiles(second.session, 'b.ts')).get(commit)), ['b.ts b']);
  assert.equal(second.compared(), 1);
  const third = await opened(t, repo);
  assert.deepEqual(told((await inFiles(third.session, 'now.ts', 'b.ts')).get(commit)), ['a.ts a', 'b.ts b']);
  assert.equal(third.compared(), 0);
});

test('a commit has the symbols of files that it deletes, and those that differ of a file that it renames', async (t) => {
  const repo = createRepo();
  const body = (count: number) => Array.from({ length: 9 }, (_, i) => code(`f${i}`, i < count ? 7 : i)).join('');
  repo.commit({ 'old.ts': body(0), 'gone.ts': code('gone', 1), 'gone.txt': 'x\n' });
  repo.git('mv', 'old.ts', 'new.ts');
  const renamed = repo.commit({ 'new.ts': body(2) });
  repo.git('rm', '-q', 'gone.ts', 'gone.txt');
  const deleted = repo.commit({});
  const { session } = await opened(t, repo);
  const found = await symbolsOfCommits(session, [
    { commit: renamed, paths: ['new.ts'] },
    { commit: deleted, paths: ['gone.ts', 'gone.txt'] },
  ]);
  assert.deepEqual(told(found.get(renamed)), ['new.ts f0', 'new.ts f1']);
  assert.deepEqual(told(found.get(deleted)), ['gone.ts gone']);
});

test('a file that is only renamed is not compared', async (t) => {
  const repo = createRepo();
  repo.commit({ 'old.ts': code('a', 1) });
  repo.git('mv', 'old.ts', 'new.ts');
  const renamed = repo.commit({});
  const { session, compared } = await opened(t, repo);
  const found = await symbolsOfCommits(session, [{ commit: renamed, paths: ['new.ts'] }]);
  assert.deepEqual([told(found.get(renamed)), compared()], [[], 0]);
});

test('a commit of many files, and one with a version that is not there, have no symbols, and are asked for again', async (t) => {
  const repo = createRepo();
  const many = (count: number, value: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}.ts`, code(`m${i}`, value)]));
  const [most, more] = [repo.commit(many(MAX_FILES, 1)), repo.commit(many(MAX_FILES + 1, 2))];
  const broken = repo.commit({ 'a.ts': code('a', 1), 'b.ts': code('b', 1) });
  const blob = repo.git('rev-parse', 'HEAD:b.ts');
  rmSync(join(repo.commonDir, 'objects', blob.slice(0, 2), blob.slice(2)));
  const asked = [
    { commit: most, paths: Object.keys(many(MAX_FILES, 1)) },
    { commit: more, paths: Object.keys(many(MAX_FILES + 1, 2)) },
    { commit: broken, paths: ['a.ts', 'b.ts'] },
  ];
  const { session } = await opened(t, repo);
  const found = await symbolsOfCommits(session, asked);
  assert.equal(found.get(most)?.length, MAX_FILES);
  assert.deepEqual([found.has(more), found.has(broken)], [false, false]);
  repo.blob(code('b', 1));
  const next = await opened(t, repo);
  const again = await symbolsOfCommits(next.session, asked);
  assert.deepEqual(told(again.get(broken)), ['a.ts a', 'b.ts b']);
  assert.equal(next.compared(), 2);
});
