/** Several processes that index one commit at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import { Session } from '../../../src/session/session.js';
import { holdWriterLock } from '../../support/in-process/serve.js';
import { createRepo } from '../../support/repositories/repo.js';

test('of those who wait for the writer lock to index one commit, one parses it and the others do not even list it', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 2;\n' });
  const release = await holdWriterLock(repo);
  t.after(release);
  const sessions = await Promise.all([1, 2, 3].map(() => Session.open({ directory: repo.dir })));
  t.after(() => {
    for (const session of sessions) session.close();
  });
  let waiting = 0;
  const onPhase = (phase: string) => {
    if (phase === 'waiting-for-lock' && ++waiting === sessions.length) setTimeout(release, 50);
  };
  const reports = await Promise.all(sessions.map((session) => indexRef(session, { onPhase, waitMs: 60_000 })));
  assert.deepEqual(reports.map((report) => report.new).sort(), [0, 0, 2]);
  assert.equal(reports.filter(({ ms }) => 'snapshot' in ms).length, 1);
  for (const { files, blobs, chunks, vectors } of reports)
    assert.deepEqual([files, blobs, chunks, vectors.covered], [2, 2, 2, 2]);
});
