/** Blobs whose records the notes have lost: they are known until a run has written them again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notesKnown } from '../../src/indexer/unrecorded.js';
import type { LexicalShard } from '../../src/shard/lexical.js';
import type { CompleteSnapshot, Manifest } from '../../src/shard/manifest.js';

const COMPLETE = [{ ref: 'HEAD' }] as unknown as CompleteSnapshot[];
const manifest = (unrecorded: string[] = []) => ({ unrecorded, complete: COMPLETE }) as unknown as Manifest;

/** A shard of blobs that are parsed, or left out for a reason that a record keeps. */
const shard = (...oids: string[]) =>
  ({
    meta: { units: oids.length },
    unitState: () => null,
    unitOid: (unit: number) => oids[unit] ?? assert.fail('no such unit'),
  }) as unknown as LexicalShard;

const run = (tried: string[], hasRecord: ((oid: string) => boolean) | null) => ({
  tip: 'tip',
  tried: new Set(tried),
  hasRecord,
});

test('while the notes hold what the manifest says, only what was tried leaves the list', () => {
  assert.deepEqual(notesKnown(manifest(['a', 'b']), [shard('c')], run(['a'], null)), {
    notes: 'tip',
    unrecorded: ['b'],
    complete: COMPLETE,
  });
});

test('otherwise every blob of the shards is looked for, and no snapshot counts as complete if one is missing', () => {
  const has = (oid: string) => oid === 'a';
  assert.deepEqual(notesKnown(manifest(['x']), [shard('c', 'a'), shard('b', 'c')], run([], has)), {
    notes: 'tip',
    unrecorded: ['b', 'c'],
    complete: [],
  });
  assert.deepEqual(notesKnown(manifest(), [shard('a')], run([], has)), {
    notes: 'tip',
    unrecorded: [],
    complete: COMPLETE,
  });
  assert.deepEqual(notesKnown(manifest(), [shard('a', 'b')], run(['b'], has)).complete, COMPLETE);
});

test('more than a manifest lists are not listed: the next run looks at the notes again', () => {
  const many = Array.from({ length: 100_001 }, (_, i) => String(i));
  const { notes, unrecorded } = notesKnown(
    manifest(),
    [shard(...many)],
    run([], () => false),
  );
  assert.deepEqual([notes, unrecorded], [null, []]);
  const all = notesKnown(
    manifest(),
    [shard(...many.slice(1))],
    run([], () => false),
  );
  assert.deepEqual([all.notes, all.unrecorded?.length], ['tip', 100_000]);
});
