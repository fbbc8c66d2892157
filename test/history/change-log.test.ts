/** Files that change together, and who changed them: counted from a log, with newer commits weighing more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CachedCommit,
  type ChangeSet,
  coupledFiles,
  logOf,
  mergesOf,
  ownersOf,
  People,
  presentLines,
  tellingCommits,
} from '../../src/history/change-log.js';
import { readChangeLog } from '../../src/session/history/change-log.js';
import { Session } from '../../src/session/session.js';
import { createRepo } from '../support/repositories/repo.js';

/** Commits by their paths, the newest first. */
const log = (...commits: string[][]): ChangeSet[] => commits.map((paths, age) => ({ commit: `${age}`, age, paths }));
const told = (commits: ChangeSet[], paths: string[], options = {}) =>
  coupledFiles(commits, new Set(paths), options).map(
    ({ path, with: other, together, of }) => `${path} ${other} ${together}/${of}`,
  );

test('a file that changed with it three times of four is coupled; one that did twice is not', () => {
  const commits = log(['a', 'b'], ['a', 'b', 'c'], ['a'], ['a', 'b', 'c'], ['c'], ['b']);
  assert.deepEqual(told(commits, ['a']), ['b a 3/4']);
  assert.deepEqual(told(commits, ['a', 'b']), [], 'both were changed: none was forgotten');
  assert.deepEqual(told(commits, ['a'], { least: 2, share: 0.4 }), ['b a 3/4', 'c a 2/4']);
});

test('of several changed files the one that a file is coupled to most is named', () => {
  const commits = log(['a', 'x'], ['b', 'x'], ['a', 'x'], ['b', 'x'], ['a', 'x'], ['b', 'x'], ['a']);
  assert.deepEqual(told(commits, ['a', 'b']), ['x b 3/3']);
});

test('old habits weigh less than new ones', () => {
  const old = Array.from({ length: 3 }, (_, i) => ({ commit: `o${i}`, age: 2_000 + i, paths: ['a', 'b'] }));
  const young = Array.from({ length: 3 }, (_, i) => ({ commit: `y${i}`, age: i, paths: ['a', 'c'] }));
  assert.deepEqual(told([...young, ...old], ['a']), ['c a 3/6']);
});

test('merges and commits of many files do not count; owners are those who changed the files most', async () => {
  const repo = createRepo();
  const by = (author: string, files: Record<string, string>) => {
    repo.write(files).git('add', '-A');
    repo.git('commit', '-q', '-m', 'c', `--author=${author} <${author}@example.com>`);
  };
  by('Ann', { a: '1', b: '1' });
  by('Bob', Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`f${i}`, 'x']).concat([['a', '2']])));
  by('Ann', { a: '3' });
  repo.git('checkout', '-q', '-b', 'side', 'HEAD~1');
  by('Eve', { a: '4' });
  repo.git('checkout', '-q', '-');
  repo.git('merge', '-q', '-X', 'ours', '--no-edit', 'side');
  by('Ann', { a: '5', b: '5' });
  const session = await Session.open({ directory: repo.dir });
  try {
    const log = await readChangeLog(session, { tip: repo.git('rev-parse', 'HEAD') });
    const commits = tellingCommits(log);
    assert.deepEqual(commits.map(({ paths }) => paths.join()).sort(), ['a', 'a', 'a,b', 'a,b']);
    const owners = ownersOf(commits, new Set(['a']), new People(log.commits));
    assert.deepEqual(
      owners.map(({ author, commits: count }) => [author, count]),
      [
        ['Ann', 3],
        ['Eve', 1],
      ],
    );
    assert.ok(Math.abs(owners.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
  } finally {
    await session.close();
  }
});

const by = (author: string, email: string) => ({ author, email });

test('programs that commit own nothing; people whose names look alike do', () => {
  const authors = [
    ['dependabot[bot]', '49699333+dependabot[bot]@users.noreply.github.com'],
    ['renovate-bot', 'bot@renovateapp.com'],
    ['ArchiBot', 'archi@example.com'],
    ['GitHub Action', 'action@github.com'],
    ['Hosted Weblate', 'hosted@weblate.org'],
    ['Marc Talbot', 'talbot@example.com'],
    ['Ann', 'ann@example.com'],
  ];
  const commits = authors.map(([author, email], age) => ({
    ...{ commit: `${age}`, age, paths: ['a'], author, email, authored: 0, subject: '', parents: 1 },
  }));
  const owners = ownersOf(commits as never, new Set(['a']), new People(commits));
  assert.deepEqual(owners.map(({ author }) => author).sort(), ['Ann', 'Marc Talbot']);
  assert.ok(Math.abs(owners.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
});

test('commits that share an address or a name are of one person, who goes by the newest name', () => {
  const people = new People([
    by('Ann Lee', 'ann@example.com'),
    by('Ann', 'ann@home.example'),
    by('ann', 'ANN@example.com'),
    by('Ann Lee', 'ann@home.example'),
    by('Bob', 'bob@example.com'),
  ]);
  assert.deepEqual(
    ['Ann Lee', 'Ann', 'ann', 'Bob', 'Eve'].map((author) => people.nameOf({ author })),
    ['Ann Lee', 'Ann Lee', 'Ann Lee', 'Bob', 'Eve'],
  );
});

test('an address without a domain belongs to a machine, and makes nobody one', () => {
  const people = new People([by('Ann', 'root@localhost'), by('Bob', 'root@localhost'), by('Eve', ''), by('Tom', '')]);
  assert.deepEqual(
    ['Ann', 'Bob', 'Eve', 'Tom'].map((author) => people.nameOf({ author })),
    ['Ann', 'Bob', 'Eve', 'Tom'],
  );
});

test('the lines of old commits are followed to where they are now', () => {
  const file = (hunks: number[], path: string | null = 'a', from: string | null = path) => ({ path, from, hunks });
  const lines = (...commits: ReturnType<typeof file>[]) =>
    presentLines(commits.map((each) => ({ files: [each] }))).map((ranges) =>
      ranges.map(({ path, first, last }) => `${path}:${first}-${last}`).join(),
    );
  // Lines 1 to 20 are written; then ten lines come above line 11; then line 5 is replaced by two.
  assert.deepEqual(lines(file([5, 1, 2]), file([11, 0, 10]), file([1, 0, 20], 'a', null)), [
    'a:5-6',
    'a:12-21',
    'a:1-11,a:22-31',
  ]);
  assert.deepEqual(lines(file([0, 3, 0]), file([3, 1, 1]), file([4, 1, 1])), ['', '', 'a:1-1'], 'lines that are gone');
  assert.deepEqual(lines(file([7, 2, 0]), file([8, 1, 1])), ['a:7-7', 'a:7-7'], 'removed between two lines');
  assert.deepEqual(lines(file([], 'b', 'a'), file([3, 1, 1])), ['', 'b:3-3'], 'renamed');
  assert.deepEqual(lines(file([0, 9, 0], null, 'a'), file([3, 1, 1])), ['', ''], 'removed');
  assert.deepEqual(lines(file([1, 0, 9], 'a', null), file([0, 9, 0], null, 'a')), ['a:1-9', ''], 'made anew');
  assert.deepEqual(lines(file([1, 6_000, 3]), file([3, 1, 1])), ['', ''], 'written anew');
});

/** `name: parents`, the oldest first. */
function history(...lines: string[]): Map<string, CachedCommit> {
  return new Map(
    lines.map((line, time) => {
      const [commit, ...parents] = line.split(/:? +/).filter(Boolean);
      const empty = { author: '', email: '', subject: commit, body: '', files: 0, paths: [], renames: [] };
      return [commit.replace(':', ''), { ...empty, commit: commit.replace(':', ''), parents, time, authored: time }];
    }),
  );
}

test('a commit belongs to the first merge on the line of first parents that has it', () => {
  const kept = history('a:', 'b: a', 'x: a', 'y: x', 'm: b y', 'z: y', 'inner: z m', 'n: m inner');
  const log = logOf(kept, { tip: 'n', maxCommits: 100, shallow: new Set() });
  const merges = [...mergesOf(log)].map(([commit, { commit: merge }]) => `${commit} by ${merge}`).sort();
  assert.deepEqual(merges, ['inner by n', 'x by m', 'y by m', 'z by n']);
});
