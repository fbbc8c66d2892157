/** Symbols that commits changed: compared once, kept for the next process, and told for single files. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BlobFactsSource } from '../../../src/session/blob-facts.js';
import { type CommitSymbol, symbolsInFiles, symbolsOfCommits } from '../../../src/session/history/commit-symbols.js';
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
  const inFiles = (session: Session, ...names: string[]) => symbolsInFiles(session, asked, { names: new Set(names) });
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
