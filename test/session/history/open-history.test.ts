/** Dates as people type them, the files that a walk through history is about, and the filters by author and date. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChangeFilters, changedBetween } from '../../../src/session/history/last-changes.js';
import { commitOf, openHistory, pathSelector, secondsOf } from '../../../src/session/history/open-history.js';
import { opened } from '../../support/in-process/asker.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

const DAY = 86_400;

test('a date is a number and a unit, or what git takes for one; a text that git does not understand is refused', async (t) => {
  const session = await opened(t, createRepo());
  const now = Date.now() / 1000;
  const ago = async (date: string) => Math.round((now - (await secondsOf(session, date))) / 3_600);
  assert.deepEqual(await Promise.all(['2h', '3d', '1w', ' 3d ', '2 days ago'].map(ago)), [2, 72, 168, 72, 48]);
  // A month is no minute: git takes `1m` for something else.
  const days = Math.round((await ago('1m')) / 24);
  assert.ok(days >= 28 && days <= 31, `${days}`);
  assert.ok((await ago('1y')) / 24 > 360);
  assert.equal(await secondsOf(session, '2024-01-02T00:00:00Z'), Date.UTC(2024, 0, 2) / 1000);
  assert.ok(Math.abs((await secondsOf(session, 'now')) - now) < 60);
  for (const wrong of ['', ' ', 'soon-ish', 'a\0b', 'parcel'])
    await assert.rejects(secondsOf(session, wrong), { code: 'BAD_ARGUMENT' }, wrong);
});

test('old files are selected by the settings of the ref and by the paths that are asked for; secrets never', () => {
  const scope = { config: { include: [], exclude: ['gen/**'] } } as unknown as Parameters<typeof pathSelector>[0];
  const names = ['src/a.ts', 'gen/a.ts', 'lib/a.ts', '.env', 'left/a.ts'];
  const origin = { ignore: 'left/\n' };
  assert.deepEqual(names.filter(pathSelector(scope, origin, undefined)), ['src/a.ts', 'lib/a.ts']);
  assert.deepEqual(names.filter(pathSelector(scope, origin, ['src/**', 'gen/**'])), ['src/a.ts']);
  const accepts = pathSelector(scope, { ignore: null }, undefined);
  assert.deepEqual(
    [names.filter(accepts), names.filter(accepts)],
    Array(2).fill(['src/a.ts', 'lib/a.ts', 'left/a.ts']),
  );
});

test('a walk begins at a commit with the files it has there; a tree has no history, and a bad date is refused at once', async (t) => {
  const repo = createRepo();
  const commit = repo.commit({ 'a.ts': '1\n', 'b.ts': '2\n', '.socraticodeignore': 'b.ts\n' });
  const session = await opened(t, repo);
  const origin = await session.origin('HEAD');
  const { history, source } = await openHistory(session, origin, { maxCommits: 7, since: '2001-01-01' });
  t.after(() => source.close());
  assert.deepEqual([history.walk.tip, history.walk.maxCommits, history.walk.since], [commit, 7, '2001-01-01']);
  assert.equal(history.tip.get('a.ts'), repo.git('rev-parse', 'HEAD:a.ts'));
  assert.deepEqual([history.tip.has('b.ts'), history.accepts('b.ts'), history.partial], [false, false, false]);
  const tree = await session.origin('HEAD^{tree}');
  assert.throws(() => commitOf(tree.resolved), { code: 'BAD_ARGUMENT', message: /is a tree/ });
  await assert.rejects(openHistory(session, tree, {}), { code: 'BAD_ARGUMENT' });
  await assert.rejects(openHistory(session, origin, { since: 'soon-ish' }), { code: 'BAD_ARGUMENT' });
});

test('with all refs, a walk begins at the branches and tags that the ref lacks as well', async (t) => {
  const repo = createRepo();
  const main = repo.commit({ 'a.ts': '1\n' });
  repo.git('tag', 'inside');
  const beside = (name: string) => {
    repo.git('checkout', '-q', '--detach', main);
    return repo.commit({ 'a.ts': `${name}\n` }, name);
  };
  const branch = beside('branch');
  repo.git('branch', 'beside');
  const tag = beside('tag');
  repo.git('tag', 'v1');
  repo.git('checkout', '-q', 'main');
  const session = await opened(t, repo);
  const walk = async (allRefs: boolean) => {
    const { history, source, side } = await openHistory(session, await session.origin('HEAD'), { allRefs });
    source.close();
    return [history.walk.tip, history.walk.others?.slice().sort(), side?.tags.map(({ name }) => name)];
  };
  assert.deepEqual(await walk(true), [main, [branch, tag].sort(), ['v1']]);
  assert.deepEqual(await walk(false), [main, undefined, undefined]);
});

/** Commits of two people on two days; `mine.ts` is changed and not committed. */
function team(): TestRepo {
  const repo = createRepo();
  const commit = (day: number, who: string, files: Record<string, string>) => {
    const date = `${1_700_000_000 + day * DAY} +0000`;
    repo.write(files);
    repo.git('add', '-A');
    repo.gitAt(
      date,
      '-c',
      `user.name=${who}`,
      'commit',
      '-q',
      `--author=${who} <${who === 'Ada' ? 'first' : 'bob'}@example.com>`,
      `--date=${date}`,
      '-m',
      'x',
    );
  };
  commit(0, 'Ada', { 'old.ts': '1', 'both.ts': '1', 'mine.ts': '1' });
  commit(10, 'Bob', { 'new.ts': '1', 'both.ts': '2' });
  repo.git('config', 'user.name', 'Ada Own');
  repo.git('config', 'user.email', 'own@example.com');
  return repo;
}

const at = (day: number) => new Date((1_700_000_000 + day * DAY) * 1000).toISOString();

test('files are filtered by their last change, by that of one author, and uncommitted ones have changed now', async (t) => {
  const repo = team();
  const session = await opened(t, repo);
  const tip = repo.git('rev-parse', 'HEAD');
  const all = ['both.ts', 'mine.ts', 'new.ts', 'old.ts', 'unknown.ts'];
  const passing = async (filters: ChangeFilters, uncommitted: string[] = []) =>
    all.filter(await changedBetween(session, filters, { tip, uncommitted: new Set(uncommitted) })).join(' ');
  assert.equal(await passing({ since: at(5) }), 'both.ts new.ts');
  assert.equal(
    await passing({ until: at(5) }),
    'mine.ts old.ts unknown.ts',
    'a file without a change is older than any date',
  );
  assert.equal(await passing({ since: at(0), until: at(0) }), 'mine.ts old.ts', 'both ends belong to it');
  assert.equal(await passing({ author: 'ADA' }), 'both.ts mine.ts old.ts');
  assert.equal(await passing({ author: 'bob@' }), 'both.ts new.ts');
  assert.equal(await passing({ author: 'ada', since: at(5) }), '');
  assert.equal(
    await passing({ author: 'Own', since: at(5) }, ['mine.ts']),
    'mine.ts',
    'its author has no commit and this work tree',
  );
  assert.equal(await passing({ author: 'bob' }, ['mine.ts']), 'both.ts new.ts');
  assert.equal(await passing({ since: at(5) }, ['mine.ts']), 'both.ts mine.ts new.ts');
  assert.equal(await passing({ until: at(5) }, ['mine.ts']), 'old.ts unknown.ts');
});

test('an author without a commit is refused with the nearest name, and dates that are exchanged are', async (t) => {
  const repo = team();
  const session = await opened(t, repo);
  const scope = { tip: repo.git('rev-parse', 'HEAD'), uncommitted: new Set<string>() };
  await assert.rejects(changedBetween(session, { author: 'Bop', since: at(1) }, scope), { code: 'BAD_ARGUMENT' });
  await assert.rejects(changedBetween(session, { author: 'Bop' }, scope), {
    code: 'BAD_ARGUMENT',
    hint: 'Did you mean Bob?',
  });
  await assert.rejects(changedBetween(session, { since: at(5), until: at(1) }, scope), {
    code: 'BAD_ARGUMENT',
    message: /is after/,
  });
  // Before the first commit there is nobody to mistake an author for.
  const accepts = await changedBetween(session, { author: 'Bop' }, { ...scope, tip: null });
  assert.equal(accepts('a.ts'), false);
});
