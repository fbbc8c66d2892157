/** What is counted of a snapshot whose files are not all here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countFile,
  countUnits,
  coverageOf,
  hasAllFiles,
  isSearchable,
  languageOfFile,
  snapshotState,
  type UnitCounts,
} from '../../../src/session/snapshot/coverage.js';
import type { SnapshotFiles } from '../../../src/session/snapshot/snapshot.js';
import { emptyManifest } from '../../../src/shard/directory.js';
import type { UnitLookup } from '../../../src/shard/live-set.js';
import { buildShard, catalogFile, type SourceFile } from '../../support/generated/corpus.js';

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

const COUNTS: UnitCounts = {
  ...{ files: 0, chunks: 0, skipped: {}, degraded: {}, parseErrors: 0, missing: 0, unreadableBlobs: 0 },
  about: { languages: {}, incomplete: [], bare: [] },
};

test('a snapshot is missing, a fragment, partial, degraded or ready by its files and what they lack', () => {
  for (const [change, state, isWhole] of [
    [{}, 'ready', true],
    [{ files: 3 }, 'ready', true],
    [{ missing: 1 }, 'missing', false],
    [{ files: 4, missing: 1 }, 'partial', false],
    [{ files: 3, missing: 1 }, 'fragment', false],
    [{ files: 100, missing: 25 }, 'partial', false],
    [{ files: 100, missing: 26 }, 'fragment', false],
    [{ files: 5, degraded: { unparsed: 1 } }, 'partial', false],
    [{ files: 4, degraded: { unparsed: 1 } }, 'fragment', false],
    [{ files: 10, missing: 1, degraded: { unparsed: 1 } }, 'partial', false],
    [{ files: 9, missing: 1, degraded: { unparsed: 1 } }, 'partial', false],
    [{ files: 8, missing: 1, degraded: { unparsed: 1 } }, 'fragment', false],
    [{ files: 9, degraded: { 'parse-timeout': 1 } }, 'degraded', true],
    [{ files: 9, unreadableBlobs: 1 }, 'degraded', true],
    [{ files: 9, missing: 1, unreadableBlobs: 1 }, 'partial', false],
    [{ unreadableBlobs: 1 }, 'degraded', true],
  ] as const) {
    const found = snapshotState({ ...COUNTS, ...change });
    assert.deepEqual([found, hasAllFiles(found)], [state, isWhole], JSON.stringify(change));
  }
  assert.deepEqual(coverageOf({ ...COUNTS, files: 5, missing: 2, skipped: { unreadable: 1, binary: 9 } }), {
    ...{ covered: 5, total: 8 },
  });
});

const unitOf = (change: Partial<UnitLookup> = {}) => ({ size: 10, state: null, ...change }) as UnitLookup;

test('a file counts as searchable, skipped or degraded by its unit, and is taken out as it was added', () => {
  const none = structuredClone(COUNTS);
  for (const [unit, isCounted, expected] of [
    [{}, true, { files: 1 }],
    [{ size: 100 }, true, { files: 1 }],
    [{ size: 101 }, false, { skipped: { 'too-large': 1 } }],
    [{ state: 'binary' }, false, { skipped: { binary: 1 } }],
    [{ state: 'lfs-pointer' }, false, { skipped: { 'lfs-pointer': 1 } }],
    [{ state: 'secret' }, false, { skipped: { secret: 1 } }],
    [{ state: 'too-large' }, false, { skipped: { 'too-large': 1 } }],
    [{ state: 'parse-timeout' }, true, { files: 1, degraded: { 'parse-timeout': 1 } }],
    [{ isIncomplete: true }, true, { files: 1, parseErrors: 1 }],
  ] as const) {
    const counts = structuredClone(none);
    assert.equal(countFile(counts, unitOf(unit as Partial<UnitLookup>), 100), isCounted, JSON.stringify(unit));
    assert.deepEqual(counts, { ...none, ...expected }, JSON.stringify(unit));
    assert.equal(isSearchable(unitOf(unit as Partial<UnitLookup>), 100), isCounted);
    countFile(counts, unitOf(unit as Partial<UnitLookup>), 100, -1);
    const left = Object.values({ ...counts.skipped, ...counts.degraded });
    assert.deepEqual([counts.files, counts.parseErrors, left.every((count) => count === 0)], [0, 0, true]);
  }
});

test('chunks of equal bytes count once, languages and paths of each file, contents without a record up to their limit', () => {
  const sources = ['a', 'b'].map((name): SourceFile => ({ path: `${name}.ts`, className: name, methods: [] }));
  const shards = [buildShard([sources[0]]), buildShard([sources[1]])];
  const files = [catalogFile(sources[0]), { ...catalogFile(sources[0]), path: 'copy.ts' }, catalogFile(sources[1])];
  const scope = (maxFileBytes: number) =>
    ({ catalog: { files, skipped: {}, blobs: 2 }, config: { maxFileBytes } }) as unknown as SnapshotFiles;
  const counts = countUnits(scope(1_000_000), shards, emptyManifest('p'));
  const chunks = shards[0].unitDocuments[0] + shards[1].unitDocuments[0];
  assert.ok(chunks > 0);
  assert.deepEqual(
    [counts.files, counts.chunks, counts.missing, counts.about.languages],
    [3, chunks, 0, { typescript: 3 }],
  );
  assert.deepEqual(countUnits(scope(0), shards, emptyManifest('p')).skipped, { 'too-large': 3 });
  const first = countUnits(scope(1_000_000), shards.slice(0, 1), emptyManifest('p'));
  assert.deepEqual([first.files, first.chunks, first.missing], [2, shards[0].unitDocuments[0], 1]);
  const unit = { shard: 1, unit: 0 } as UnitLookup;
  assert.equal(languageOfFile({ language: null }, unit, shards), 'typescript');
  assert.equal(languageOfFile({ language: null }, null, shards), 'unknown');
  assert.equal(languageOfFile({ language: 'tsx' }, unit, shards), 'tsx');
});
