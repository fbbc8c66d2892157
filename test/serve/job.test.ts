/** What a job of the background indexer says when it is over, and for whom it is done. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import type { IndexReport } from '../../src/indexer/report.js';
import {
  asError,
  describeRun,
  Job,
  type JobKind,
  type JobProcess,
  type Requested,
  type RunningState,
} from '../../src/serve/job.js';
import type { SnapshotOrigin } from '../../src/session/snapshot/snapshot.js';

const ORIGIN = { key: 'main', resolved: { ref: 'refs/heads/main', commit: 'c0ffee' } } as unknown as SnapshotOrigin;
const REPORT = {} as IndexReport;
const ERROR = { code: 'DISK' as const, message: 'the disk is full', hint: '' };

const jobOf = (kind: JobKind) => new Job(kind, ORIGIN, 'nothing');

test('a failure is told as one of indexing until the index is there, and of linking from then on', () => {
  const job = jobOf('link');
  const failed = () => job.last({ report: undefined, error: new SocraticodeError(ERROR.code, ERROR.message) } as never);
  assert.deepEqual([failed().kind, failed().ok, failed().ref], ['index', false, 'refs/heads/main']);
  job.hear({ type: 'indexed', report: REPORT });
  assert.deepEqual([failed().kind, failed().ok], ['link', false]);
});

test('a job that succeeds, and one without links, is told by its own kind', () => {
  for (const kind of ['index', 'full', 'link'] as const) {
    const { kind: told, ok } = jobOf(kind).last({ report: REPORT, error: undefined } as never);
    assert.deepEqual([told, ok], [kind, true]);
  }
  for (const kind of ['index', 'full'] as const) assert.equal(jobOf(kind).last({ error: ERROR } as never).kind, kind);
});

test('an index that is there ends a job for a question, and lets a job that links go on', async () => {
  const index = jobOf('index');
  index.hear({ type: 'indexed', report: REPORT });
  assert.equal(await index.done.promise, REPORT);
  const link = jobOf('link');
  link.hear({ type: 'indexed', report: REPORT });
  await link.indexed.promise;
  link.fail(ERROR);
  await assert.rejects(link.done.promise, { code: 'DISK', message: ERROR.message });
});

test('a job is done ahead while no question waits for what is left of it, and a later question only asks for more', () => {
  const ahead = (requested: Requested, ...raised: Requested[]) => {
    const job = new Job('link', ORIGIN, requested);
    for (const each of raised) job.raise(each);
    const before = job.isAhead;
    job.hear({ type: 'indexed', report: null });
    return [before, job.isAhead];
  };
  assert.deepEqual(ahead('nothing'), [true, true]);
  assert.deepEqual(ahead('index'), [false, true]);
  assert.deepEqual(ahead('all'), [false, false]);
  assert.deepEqual(ahead('nothing', 'index'), [false, true]);
  assert.deepEqual(ahead('nothing', 'all'), [false, false]);
  assert.deepEqual(ahead('index', 'all'), [false, false]);
  assert.deepEqual(ahead('index', 'nothing'), [false, true]);
  assert.deepEqual(ahead('all', 'index', 'nothing'), [false, false]);
});

test('the state of a job is what its process said last, and starts anew with each process', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 5_000 });
  const job = jobOf('link');
  const state = { kind: 'link', ref: 'refs/heads/main', commit: 'c0ffee', done: 0, total: 0, note: null, holder: null };
  assert.deepEqual([job.key, job.state(7)], ['link main', { ...state, phase: 'starting', startedAt: 0 }]);
  job.started({ pid: 11 } as JobProcess);
  assert.deepEqual(job.state(null), { ...state, phase: 'starting', startedAt: 5_000 });
  job.hear({ type: 'phase', phase: 'indexing' });
  job.hear({ type: 'progress', done: 3, total: 9, note: 'slow' });
  const now = { ...state, startedAt: 5_000 };
  assert.deepEqual(job.state(7), { ...now, phase: 'indexing', done: 3, total: 9, note: 'slow' });
  assert.deepEqual([job.isBlocked, job.isLinking], [false, false]);
  job.hear({ type: 'phase', phase: 'waiting-for-lock' });
  assert.deepEqual([job.isBlocked, job.state(7)], [true, { ...now, phase: 'waiting-for-lock', holder: 7 }]);
  assert.equal(job.state(11).holder, null, 'its own process');
  job.hear({ type: 'phase', phase: 'linking' });
  assert.deepEqual([job.isBlocked, job.isLinking], [false, true]);
  t.mock.timers.setTime(9_000);
  assert.deepEqual(job.last({ report: REPORT }), {
    ...{ kind: 'link', ref: 'refs/heads/main', ok: true, report: REPORT, ms: 4_000, endedAt: 9_000 },
  });
  Object.assign(job, { isEnding: true, resumes: true, isOver: true });
  job.stop();
  assert.deepEqual([job.isStopped, job.resumes, job.isEnding], [true, false, true]);
  job.started({ pid: 12 } as JobProcess);
  assert.deepEqual([job.isStopped, job.resumes, job.isEnding, job.isOver], [false, false, false, false]);
  assert.deepEqual(job.state(null), { ...state, phase: 'starting', startedAt: 9_000 });
  assert.deepEqual(job.request('/here'), { directory: '/here', kind: 'link', origin: ORIGIN });
});

test('what a question waits for is resolved once the index is there, and all of it at the end', async () => {
  const isOpen = async (promise: Promise<unknown>) => {
    const open = {};
    return (await Promise.race([promise, Promise.resolve(open)])) === open;
  };
  const full = jobOf('full');
  full.hear({ type: 'indexed', report: REPORT });
  assert.deepEqual(
    [full.isIndexed, await isOpen(full.indexed.promise), await isOpen(full.done.promise)],
    [true, false, true],
  );
  const index = jobOf('index');
  index.hear({ type: 'indexed', report: null });
  assert.deepEqual([await isOpen(index.indexed.promise), await isOpen(index.done.promise)], [false, true]);
  const quick = jobOf('link');
  quick.hear({ type: 'done', report: REPORT });
  assert.equal(quick.isIndexed, false, 'the last message is not heard here');
  quick.succeed(REPORT);
  assert.deepEqual(
    [quick.isIndexed, await quick.done.promise, await isOpen(quick.indexed.promise)],
    [true, REPORT, false],
  );
  const failed = jobOf('link');
  failed.fail({ ...ERROR, hint: 'make room' });
  await assert.rejects(failed.indexed.promise, { code: 'DISK', message: ERROR.message, hint: 'make room' });
  assert.deepEqual(asError({ ...ERROR, hint: 'h' }).hint, 'h');
});

test('a run is described by its phase, its part and the whole, and by whom it waits for', () => {
  const run = (change: Partial<RunningState>) =>
    describeRun({ ref: 'HEAD', phase: 'indexing', done: 0, total: 0, holder: null, ...change } as RunningState);
  assert.equal(run({}), 'indexing HEAD');
  assert.equal(run({ done: 1_204, total: 3_541 }), 'indexing HEAD: 34% (1,204/3,541)');
  assert.equal(run({ done: 999, total: 1_000 }), 'indexing HEAD: 99% (999/1,000)');
  assert.equal(run({ phase: 'vectors', done: 1, total: 1 }), 'embedding HEAD: 100% (1/1)');
  assert.equal(run({ phase: 'linking' }), 'linking HEAD');
  assert.equal(run({ phase: 'starting', ref: 'all branches' }), 'indexing all branches');
  assert.equal(run({ ref: 'a'.repeat(40) }), `indexing ${'a'.repeat(9)}`);
  assert.equal(run({ ref: 'a'.repeat(39) }), `indexing ${'a'.repeat(39)}`);
  assert.equal(run({ phase: 'waiting-for-lock' }), 'indexing HEAD: waiting for the writer lock');
  assert.equal(
    run({ phase: 'waiting-for-lock', holder: 7 }),
    'indexing HEAD: waiting for process 7, which is writing the index',
  );
});
