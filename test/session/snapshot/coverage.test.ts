/** What is counted of a snapshot whose files are not all here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countUnits, coverageOf, snapshotState } from '../../../src/session/snapshot/coverage.js';
import type { SnapshotFiles } from '../../../src/session/snapshot/snapshot.js';
import { emptyManifest } from '../../../src/shard/directory.js';

test('a blob that cannot be read is one blob and as many files as have it; one that nobody has parsed yet is missing', () => {
  const [gone, fresh] = ['a', 'b'].map((digit) => digit.repeat(40));
  const files = [
    ['x.ts', gone],
    ['y.ts', gone],
    ['z.ts', fresh],
  ].map(([path, oid]) => ({ path, oid, language: 'typescript', generated: undefined, vendored: undefined }));
  const scope = { catalog: { files, skipped: { excluded: 2 }, blobs: 2 }, config: { maxFileBytes: 1_000 } };
  const counts = countUnits(scope as unknown as SnapshotFiles, [], { ...emptyManifest('p'), unreadable: [gone] });
  assert.deepEqual([counts.unreadableBlobs, counts.missing, counts.files], [1, 1, 0]);
  assert.deepEqual(counts.skipped, { excluded: 2, unreadable: 2 });
  assert.deepEqual(coverageOf(counts), { covered: 0, total: 3 });
  assert.deepEqual([snapshotState(counts), counts.about.languages], ['missing', { typescript: 3 }]);
});
