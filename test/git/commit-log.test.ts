/** Commits and the files that each changed: renames, removed files, merges, submodules, and what is missing. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CommitFiles, diffCommits, listCommits } from '../../src/git/commit-log.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const LONG = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');

async function visited(repo: TestRepo, commits: string[], partial = false) {
  const { git } = await openRepository(repo.dir);
  const seen: CommitFiles[] = [];
  const isWhole = await diffCommits(git, commits, { partial }, (files) => seen.push(files));
  return { isWhole, seen };
}

test('commits come newest first with parents and times, as many as are asked for', async () => {
  const repo = createRepo();
  const [one, two, three] = ['1', '2', '3'].map((text) => repo.commit({ 'a.txt': text }));
  const { git } = await openRepository(repo.dir);
  const all = await listCommits(git, { tip: 'HEAD', maxCommits: 10 });
  assert.deepEqual(
    all.map(({ commit, parents }) => [commit, parents]),
    [
      [three, [two]],
      [two, [one]],
      [one, []],
    ],
  );
  assert.ok(all.every(({ time }) => time === 1_704_164_645));
  assert.equal((await listCommits(git, { tip: 'HEAD', maxCommits: 2 })).length, 2);
  await assert.rejects(listCommits(git, { tip: 'nowhere', maxCommits: 2 }), { code: 'GIT_FAILED' });
});

test('each commit has the files that it changed, with their blobs before and after', async () => {
  const repo = createRepo();
  const first = repo.commit({ 'a.txt': LONG, 'gone.txt': 'gone' });
  repo.git('mv', 'a.txt', 'b.txt');
  repo.git('rm', '-q', 'gone.txt');
  repo.write({ 'b.txt': `${LONG}more\n` }).git('commit', '-qam', 'move');
  const second = repo.git('rev-parse', 'HEAD');
  const blob = (name: string) => repo.git('rev-parse', name);
  const { isWhole, seen } = await visited(repo, [second, first]);
  assert.equal(isWhole, true);
  assert.deepEqual(seen, [
    {
      commit: second,
      paths: ['b.txt', 'gone.txt'],
      renames: [['a.txt', 'b.txt']],
      blobs: [
        { before: blob(`${first}:a.txt`), after: blob(`${second}:b.txt`) },
        { before: blob(`${first}:gone.txt`), after: null },
      ],
    },
    {
      commit: first,
      paths: ['a.txt', 'gone.txt'],
      renames: [],
      blobs: [
        { before: null, after: blob(`${first}:a.txt`) },
        { before: null, after: blob(`${first}:gone.txt`) },
      ],
    },
  ]);
});

test('in a partial clone only equal contents are renames, for which no blob is read', async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': LONG, 'c.txt': 'same content\n' });
  repo.git('mv', 'a.txt', 'b.txt');
  repo.git('mv', 'c.txt', 'd.txt');
  repo.write({ 'b.txt': `${LONG}more\n` }).git('commit', '-qam', 'move');
  const { seen } = await visited(repo, [repo.git('rev-parse', 'HEAD')], true);
  assert.deepEqual(seen[0].renames, [['c.txt', 'd.txt']]);
  const whole = await visited(repo, [repo.git('rev-parse', 'HEAD')]);
  assert.deepEqual(whole.seen[0].renames, [
    ['a.txt', 'b.txt'],
    ['c.txt', 'd.txt'],
  ]);
  assert.deepEqual(seen[0].paths.sort(), ['a.txt', 'b.txt', 'd.txt']);
});

test('merges and empty commits are left out; links and submodules have no blob', async () => {
  const repo = createRepo();
  const base = repo.commit({ 'a.txt': 'a' });
  repo.git('checkout', '-q', '-b', 'side');
  const side = repo.commit({ 'b.txt': 'b' });
  repo.git('checkout', '-q', '-');
  repo.commit({ 'c.txt': 'c' });
  repo.git('merge', '-q', '--no-edit', 'side');
  const merge = repo.git('rev-parse', 'HEAD');
  repo.git('commit', '-q', '--allow-empty', '-m', 'nothing');
  const empty = repo.git('rev-parse', 'HEAD');
  const link = repo.blob('a.txt');
  repo.git('update-index', '--add', '--cacheinfo', `120000,${link},link`, '--cacheinfo', `160000,${base},sub`);
  repo.git('commit', '-q', '-m', 'link');
  const last = repo.git('rev-parse', 'HEAD');
  const { seen } = await visited(repo, [last, empty, merge, side]);
  assert.deepEqual(
    seen.map(({ commit }) => commit),
    [last, side],
  );
  assert.deepEqual([seen[0].paths, seen[0].blobs], [['link', 'sub'], Array(2).fill({ before: null, after: null })]);
});

test('more commits than travel at once are all visited', async () => {
  const repo = createRepo();
  const commit = repo.commit({ 'a.txt': 'a' });
  for (const count of [0, 1_000, 1_100]) {
    const { seen, isWhole } = await visited(repo, Array(count).fill(commit));
    assert.deepEqual([seen.map((each) => each.commit), isWhole], [Array(count).fill(commit), true]);
  }
});

test('where an object is missing the rest is unknown; a caller that gives up is told so', async () => {
  const repo = createRepo();
  const first = repo.commit({ 'a.txt': 'a' });
  const second = repo.commit({ 'a.txt': 'b' });
  const tree = repo.git('rev-parse', `${first}^{tree}`);
  rmSync(join(repo.commonDir, 'objects', tree.slice(0, 2), tree.slice(2)));
  assert.equal((await visited(repo, [second, first])).isWhole, false);
  const { git } = await openRepository(repo.dir);
  const signal = AbortSignal.abort();
  await assert.rejects(
    diffCommits(git, [second], { partial: false, signal }, () => {}),
    { code: 'CANCELLED' },
  );
  const mine = new Error('of the caller');
  const controller = new AbortController();
  const third = repo.commit({ 'a.txt': 'c' });
  const fail = (isGivenUp: boolean) => () => {
    if (isGivenUp) controller.abort();
    throw mine;
  };
  const read = (isGivenUp: boolean) =>
    diffCommits(git, [third, third], { partial: false, signal: controller.signal }, fail(isGivenUp));
  await assert.rejects(read(false), mine);
  await assert.rejects(read(true), { code: 'CANCELLED' });
});
