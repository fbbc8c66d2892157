/** Which commit wrote each line, with renames, moved and uncommitted lines, and names that git quotes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blame, lineLog, mappedContacts, parseBlame } from '../../src/git/blame.js';
import { Git } from '../../src/git/process.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

const lines = (...names: string[]) =>
  names.map((name) => `${name} has a line that is long enough to be found again\n`).join('');

async function history() {
  const repo = createRepo();
  const first = repo.commit({ 'old.txt': lines('one', 'two', 'three') });
  repo.git('mv', 'old.txt', 'new.txt');
  const second = repo.commit({ 'new.txt': lines('one', 'new', 'two', 'three') });
  const { git } = await openRepository(repo.dir);
  return { repo, git, first, second };
}

test('each run of lines has its commit, its place there and the path that it had, in order', async () => {
  const { git, first, second } = await history();
  const all = [
    { commit: first, line: 1, origin: 1, count: 1, path: 'old.txt' },
    { commit: second, line: 2, origin: 2, count: 1, path: 'new.txt' },
    { commit: first, line: 3, origin: 2, count: 2, path: 'old.txt' },
  ];
  assert.deepEqual(await blame(git, { commit: second, path: 'new.txt' }), all);
  assert.deepEqual(await blame(git, { commit: second, path: 'new.txt', startLine: 2 }), [all[1]]);
  assert.deepEqual(await blame(git, { commit: second, path: 'new.txt', startLine: 1, endLine: 2 }), all.slice(0, 2));
  await assert.rejects(blame(git, { commit: second, path: 'old.txt' }), { code: 'GIT_FAILED' });
});

test('lines that are not committed have no entry', async () => {
  const { git, first, second } = await history();
  const contents = Buffer.from(lines('one', 'edited', 'new'));
  const found = await blame(git, { commit: second, path: 'new.txt', contents });
  assert.deepEqual(
    found.map(({ commit, line }) => [commit, line]),
    [
      [first, 1],
      [second, 3],
    ],
  );
});

test('lines that moved from another file are followed there on request', async () => {
  const { repo, git, first } = await history();
  const moved = repo.commit({ 'new.txt': lines('one', 'new'), 'other.txt': lines('two', 'three') });
  const commits = async (moves: boolean) =>
    (await blame(git, { commit: moved, path: 'other.txt', moves })).map(({ commit }) => commit);
  assert.deepEqual([await commits(false), await commits(true)], [[moved], [first]]);
});

test('the commits that ever changed a range, newest first, as many as are asked for', async () => {
  const { git, first, second } = await history();
  const range = { commit: second, path: 'new.txt', startLine: 1, endLine: 3 };
  assert.deepEqual(await lineLog(git, range, 5), [second, first]);
  assert.deepEqual(await lineLog(git, range, 1), [second]);
});

test('quoted names are read, and a line of a header is taken for a commit only where one begins', () => {
  const oid = 'a'.repeat(40);
  const text = `${oid} 7 1 2\nsummary a filename here\n${'b'.repeat(40)} 1 1 1\nfilename "t\\tab\\303\\251\\"q\\\\.txt"\n`;
  assert.deepEqual(parseBlame(Buffer.from(text)), [
    { commit: oid, line: 1, origin: 7, count: 2, path: 't\tabé"q\\.txt' },
  ]);
});

const ADA = { author: 'ada', email: 'old@example.com' };
const BOB = { author: 'Bob', email: 'bob@example.com' };

test('contacts that the mailmap changes are told; those that have no form do not spoil the others', async () => {
  const repo = createRepo();
  repo.write({ '.mailmap': 'Ada <ada@example.com> <old@example.com>\n' });
  const changed = [{ was: ADA, now: { author: 'Ada', email: 'ada@example.com' } }];
  const odd = [
    { author: 'a\nb', email: 'x@example.com' },
    { author: 'no address', email: ' ' },
  ];
  assert.deepEqual(await mappedContacts(new Git(repo.dir), [BOB, ...odd, ADA]), changed);
  assert.deepEqual(await mappedContacts(new Git(repo.dir), odd), []);
});

test('who cancels is told so, and gets no contacts', async () => {
  const asked = mappedContacts(new Git(createRepo().dir), [ADA], AbortSignal.abort());
  await assert.rejects(asked, { code: 'CANCELLED' });
});
