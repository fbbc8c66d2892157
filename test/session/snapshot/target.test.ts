/** Which snapshot a question is about, by its options, and what a range counts as new. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countNew,
  isRange,
  mergeBase,
  openTarget,
  parseRange,
  readBaseline,
  targetRef,
  workTreeUse,
} from '../../../src/session/snapshot/target.js';
import type { FileTable } from '../../../src/shard/live-set.js';
import { opened } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';

test('a question is about one ref, one range or all branches', () => {
  assert.deepEqual(
    [{}, { ref: 'v1' }, { in: 'a..b' }, { in: 'a..' }, { allRefs: true }, { allRefs: false, ref: 'v1' }].map(targetRef),
    [undefined, 'v1', 'b', undefined, undefined, 'v1'],
  );
  for (const two of [
    { ref: 'a', in: 'a..b' },
    { ref: 'a', allRefs: true },
    { in: 'a..b', allRefs: true },
  ])
    assert.throws(() => targetRef(two), { code: 'BAD_ARGUMENT' });
});

test('uncommitted files belong to what is checked out, are counted for HEAD by name, and are nothing to other refs', () => {
  assert.deepEqual(
    [
      {},
      { committed: true },
      { ref: 'HEAD' },
      { ref: 'v1' },
      { in: 'main..' },
      { in: 'main..HEAD' },
      { in: 'a..b' },
    ].map(workTreeUse),
    ['included', 'counted', 'counted', 'ignored', 'included', 'counted', 'ignored'],
  );
  assert.equal(workTreeUse({ allRefs: true, committed: true }), 'ignored');
});

test('a range has two ends, of which one may be missing, and two dots or three', () => {
  const range = (from: string, to: string | undefined, symmetric = false) => ({ from, to, symmetric });
  assert.deepEqual(['a..b', 'a...b', 'a..', '..b', 'v1.0..v1.1', 'a.b...'].map(parseRange), [
    range('a', 'b'),
    range('a', 'b', true),
    range('a', undefined),
    range('HEAD', 'b'),
    range('v1.0', 'v1.1'),
    range('a.b', undefined, true),
  ]);
  for (const wrong of ['a', '..', '...', 'a....b', '', 'a.'])
    assert.throws(() => parseRange(wrong), { code: 'BAD_ARGUMENT' }, wrong);
  assert.deepEqual(
    ['a..b', 'a...', 'src/a..b', '../a', './..', 'a/..', 'a/../b', '..', '/tmp/a..b', 'a.b'].map(isRange),
    [true, true, true, false, false, false, false, false, false, false],
  );
});

test('a baseline has the blobs and paths of its commit, and files are new by their blob, once for each path', async (t) => {
  const repo = createRepo();
  const first = repo.commit({ 'a.ts': '1\n', 'b.ts': '2\n' });
  const session = await opened(t, repo);
  const baseline = await readBaseline(session, parseRange(`${first}..`));
  assert.equal(baseline.commit, first);
  assert.deepEqual(baseline.paths(), ['a.ts', 'b.ts']);
  assert.deepEqual([baseline.at('a.ts'), baseline.at('c.ts')], [repo.git('rev-parse', 'HEAD:a.ts'), undefined]);
  const [old, fresh] = [repo.git('rev-parse', 'HEAD:b.ts'), repo.blob('3\n')];
  const files = {
    length: 2,
    oid: (file: number) => [old, fresh][file],
    paths: (file: number) => [['moved.ts'], ['c.ts', 'd.ts']][file],
  };
  assert.equal(countNew(files as unknown as FileTable, baseline), 2);
});

test('branches without a common commit have no merge base, and the two ends can still be compared', async (t) => {
  const repo = createRepo();
  const one = repo.commit({ 'a.ts': '1\n' });
  repo.git('checkout', '-q', '--orphan', 'other');
  const other = repo.commit({ 'b.ts': '1\n' });
  const session = await opened(t, repo);
  await assert.rejects(mergeBase(session, 'main', 'other'), { code: 'BAD_ARGUMENT', hint: /main\.\.other/ });
  await assert.rejects(readBaseline(session, parseRange('main...other')), { code: 'BAD_ARGUMENT' });
  assert.equal((await readBaseline(session, parseRange('main..other'))).commit, one);
  assert.equal(await mergeBase(session, 'other', other), other);
});

test('a range of three dots starts where its own two ends part, and at HEAD only where it names no end', async (t) => {
  const repo = createRepo();
  const base = repo.commit({ 'a.ts': '1\n' });
  repo.git('branch', 'other');
  const head = repo.commit({ 'a.ts': '2\n' });
  repo.git('checkout', '-q', 'other');
  repo.commit({ 'b.ts': '1\n' });
  repo.git('checkout', '-q', 'main');
  const session = await opened(t, repo);
  const start = async (range: string) => (await readBaseline(session, parseRange(range))).commit;
  const ranges = ['main...other', 'other...main', 'other...', '...other', 'main...', 'main..other'];
  assert.deepEqual(await Promise.all(ranges.map(start)), [base, base, base, base, head, head]);
});

test('a target opens the end of its range and reads the blobs before it; all branches have no baseline', async (t) => {
  const repo = createRepo();
  const first = repo.commit({ 'a.ts': '1\n' });
  const second = repo.commit({ 'a.ts': '2\n' });
  repo.git('branch', 'side', first);
  const session = await opened(t, repo);
  const range = await openTarget(session, { in: `${second}..side` });
  assert.deepEqual([range.ref, range.origin.resolved.commit, range.baseline?.commit], ['side', first, second]);
  const plain = await openTarget(session, {});
  assert.deepEqual([plain.ref, plain.baseline, plain.all], [undefined, null, null]);
  const all = await openTarget(session, { allRefs: true });
  assert.deepEqual([all.ref, all.baseline, all.all?.origin.key], [undefined, null, all.origin.key]);
  const empty = await opened(t, createRepo());
  assert.equal((await openTarget(empty, {})).origin.resolved.commit, null);
  await assert.rejects(openTarget(empty, { committed: true }), { code: 'UNBORN_HEAD' });
});
