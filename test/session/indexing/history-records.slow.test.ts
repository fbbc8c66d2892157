/** `index --history`: the records of past commits, each blob once, and nothing again in the next run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notePath } from '../../../src/git/notes.js';
import { decodeSyntaxRecord } from '../../../src/record/syntax-codec.js';
import { recordHistory } from '../../../src/session/indexing/history-records.js';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import { Session } from '../../../src/session/session.js';
import { createRepo, runGit, type TestRepo } from '../../support/repositories/repo.js';
import { blobOf } from '../../support/repositories/share.js';

/** Four versions of a file, a file that is gone, and one that is never indexed. */
function project(): TestRepo {
  const repo = createRepo();
  for (let version = 1; version <= 4; version++) {
    repo.commit({
      'lib/weigh.py': `def weigh_${version}(scale):\n    return scale.read()\n`,
      'node_modules/x/index.js': `module.exports = ${version};\n`,
      ...(version === 2 ? { 'lib/gone.py': 'def gone():\n    pass\n' } : {}),
    });
  }
  repo.git('rm', '-q', 'lib/gone.py');
  repo.git('commit', '-q', '-m', 'remove');
  return repo;
}

async function recorded(repo: TestRepo, window: string, signal?: AbortSignal) {
  const session = await Session.open({ directory: repo.dir });
  try {
    const { commits, oldest, bytesAdded, ...blobs } = await recordHistory(session, { window, signal });
    assert.equal(bytesAdded > 0, blobs.new > 0);
    return { commits, ...blobs };
  } finally {
    session.close();
  }
}

test('every version of every indexed file in the window is recorded once, removed files too', async () => {
  const repo = project();
  const session = await Session.open({ directory: repo.dir });
  await indexRef(session);
  session.close();
  // The newest two commits remove `gone.py` and change `weigh.py` from version 3 to version 4, which HEAD has.
  assert.deepEqual(await recorded(repo, '2'), { commits: 2, blobs: 3, new: 2, reused: 1, failed: 0 });
  assert.deepEqual(await recorded(repo, '100'), { commits: 5, blobs: 5, new: 2, reused: 3, failed: 0 });
  assert.deepEqual(await recorded(repo, '2020-01-01'), { commits: 5, blobs: 5, new: 0, reused: 5, failed: 0 });
});

test('bytes that stood under names of two languages are recorded in both', async () => {
  const repo = createRepo();
  const text = 'def total(a):\n    return a\n';
  const first = repo.commit({ 'a.py': text, 'b.ts': text });
  repo.git('rm', '-q', 'a.py', 'b.ts');
  repo.commit({ 'c.ts': 'export {};\n' });
  assert.equal((await recorded(repo, '10')).new, 2);
  const oid = blobOf(repo, 'a.py', first);
  const ref = Object.keys(repo.notesRefs()).find((name) => name.includes('/syntax/')) ?? assert.fail('no records');
  const decoded = decodeSyntaxRecord(runGit(['cat-file', 'blob', `${ref}:${notePath(oid)}`], { cwd: repo.dir }), oid);
  assert.deepEqual(decoded.ok && 'facts' in decoded.record && Object.keys(decoded.record.facts).sort(), [
    'python',
    'typescript',
  ]);
});

test('a date before which nothing happened, and a text that is no date', async () => {
  const repo = project();
  assert.deepEqual(await recorded(repo, '2035-01-01'), { commits: 0, blobs: 0, new: 0, reused: 0, failed: 0 });
  await assert.rejects(recorded(repo, 'soon'), { code: 'BAD_ARGUMENT' });
});

test('a cancelled run says so', async () => {
  const repo = project();
  await assert.rejects(recorded(repo, '100', AbortSignal.abort()));
  assert.deepEqual((await recorded(repo, '100')).blobs, 5);
});
