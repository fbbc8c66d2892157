/** The plan of an index run: which blobs lack documents, and which only lack their record. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlanOptions, planIndex } from '../../src/indexer/plan.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical } from '../../src/shard/columns.js';
import { LexicalShard } from '../../src/shard/lexical.js';
import type { UnitState } from '../../src/shard/lexical-format.js';
import type { CatalogFile } from '../../src/shard/live.js';
import { buildShard, catalogFile, type SourceFile } from '../support/generated/corpus.js';

const FILE: SourceFile = { path: 'src/a.ts', className: 'Cart', methods: [] };
const KNOWN = catalogFile(FILE);
const OTHER: CatalogFile = { ...KNOWN, path: 'src/b.ts', oid: 'b'.repeat(40) };
const SIZE = 1_000;

const OPTIONS: PlanOptions = { maxFileBytes: 100, hasRecord: () => true, hasGrammar: () => false };

function plan(files: readonly CatalogFile[], shards: readonly LexicalShard[], options: Partial<PlanOptions> = {}) {
  return planIndex(files, shards, { ...OPTIONS, ...options });
}

/** A shard that says why a blob was left out. */
function skipped(state: UnitState): LexicalShard {
  const builder = new LexicalBuilder(20);
  builder.addSkipped(KNOWN.oid, 'typescript', state, SIZE);
  return new LexicalShard(encodeLexical(builder.finish()), state);
}

test('a blob of no shard is planned once, with every language that its paths give it', () => {
  const files = [OTHER, { ...OTHER, path: 'c.tsx', language: 'tsx' }, { ...OTHER, path: 'copy.ts' }];
  assert.deepEqual(plan(files, [buildShard([FILE])]), [
    { oid: OTHER.oid, languages: ['typescript', 'tsx'], path: 'src/b.ts', sharded: false },
  ]);
});

test('a blob that is in a shard is planned only for want of its record', () => {
  const shards = [buildShard([FILE])];
  assert.deepEqual(plan([KNOWN], shards), []);
  assert.deepEqual(plan([KNOWN], shards, { hasRecord: undefined }), []);
  const [planned] = plan([KNOWN], shards, { hasRecord: () => false });
  assert.deepEqual([planned.oid, planned.sharded], [KNOWN.oid, true]);
});

test('a blob that lacks its documents in one of two languages is not called sharded, in either order', () => {
  const files = [KNOWN, { ...KNOWN, path: 'a.tsx', language: 'tsx' }];
  for (const order of [files, [...files].reverse()]) {
    const [planned, ...more] = plan(order, [buildShard([FILE])], { hasRecord: () => false });
    assert.deepEqual([planned.sharded, planned.languages.length, more], [false, 2, []]);
  }
});

test('a file that was too large is planned when the limit allows its size', () => {
  const shards = [skipped('too-large')];
  assert.deepEqual(plan([KNOWN], shards, { maxFileBytes: SIZE - 1, hasRecord: () => false }), []);
  assert.equal(plan([KNOWN], shards, { maxFileBytes: SIZE })[0].sharded, false);
});

test('a file that was cut by lines is planned when its grammar is there', () => {
  const shards = [skipped('grammar-missing')];
  assert.deepEqual(plan([KNOWN], shards, { hasRecord: () => false }), []);
  assert.equal(plan([KNOWN], shards, { hasGrammar: (language) => language === 'typescript' }).length, 1);
});

test('degraded chunks have no record to miss; files left out for their content have one', () => {
  for (const [state, isPlanned] of [
    ['binary', true],
    ['secret', true],
    ['lfs-pointer', true],
    ['parse-timeout', false],
  ] as const) {
    const planned = plan([KNOWN], [skipped(state)], { hasRecord: () => false });
    assert.deepEqual(
      planned.map(({ sharded }) => sharded),
      isPlanned ? [true] : [],
      state,
    );
  }
});
