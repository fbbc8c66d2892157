/** What a job of the background indexer says when it is over, and for whom it is done. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import type { IndexReport } from '../../src/indexer/report.js';
import { Job, type JobKind } from '../../src/serve/job.js';
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
