/** Vectors of a snapshot while they are filled: those of files are reused only where their texts are known and have a direction. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorDrafts } from '../../src/indexer/vector-draft.js';
import { hashKey } from '../../src/indexer/vector-units.js';
import { HASH_BYTES } from '../../src/record/limits.js';
import type { LexicalShard } from '../../src/shard/lexical.js';
import { readVectorShard, writeVectorShard } from '../../src/shard/vector-shard.js';
import { makeDirectory } from '../support/repositories/repo.js';

const PROFILE = '0123456789ab';
const shard = (name: string, documents: number) => ({ name, meta: { documents } }) as unknown as LexicalShard;
const NAME = `lexical-${'1'.repeat(16)}.bin`;
const OTHER = `lexical-${'2'.repeat(16)}.bin`;
const place = () => ({ directory: makeDirectory('shards'), profile: PROFILE });
const vector = (...numbers: number[]) => Int8Array.from(numbers);
const hashes = (...texts: string[]) => new Uint8Array(Buffer.from(texts.map(hashKey).join(''), 'latin1'));

test('a vector that was set is found by its text, from any shard, and is in the file that is saved', () => {
  const at = place();
  const drafts = new VectorDrafts(at, [shard(NAME, 2), shard(OTHER, 1)], 4);
  assert.equal(drafts.find(hashKey('a')), null);
  drafts.set(0, 1, hashKey('a'), vector(1, 2, 3, 4));
  assert.deepEqual(drafts.find(hashKey('a')), vector(1, 2, 3, 4));
  assert.deepEqual(
    [drafts.has(0, 0), drafts.has(0, 1), drafts.has(1, 0), drafts.has(9, 0)],
    [false, true, false, false],
  );
  assert.deepEqual(drafts.copy(0, 1, 1), { hashes: hashes('a'), rows: vector(1, 2, 3, 4) });
  assert.equal(drafts.save(), 2 * (4 + HASH_BYTES), 'the shard that changed alone');
  assert.equal(drafts.save(), 0, 'nothing has changed since');
  const saved = readVectorShard(at.directory, PROFILE, NAME, 2);
  assert.deepEqual(
    [saved?.has(0), saved?.has(1), readVectorShard(at.directory, PROFILE, OTHER, 1)],
    [false, true, null],
  );
  const again = new VectorDrafts(at, [shard(NAME, 2), shard(OTHER, 1)], null);
  assert.deepEqual([again.dimensions, again.has(0, 0), again.has(0, 1)], [4, false, true]);
  assert.deepEqual(again.find(hashKey('a')), vector(1, 2, 3, 4));
});

test('a row of zeros is made again; a file of other dimensions, or without hashes, is not reused', () => {
  const at = place();
  const rows = vector(1, 0, 0, 0, 0, 0, 0, 0);
  const columns = { dimensions: 4, rows, hashes: hashes('a', 'b'), present: null };
  writeVectorShard(at.directory, PROFILE, NAME, columns);
  const present = (dimensions: number | null) => {
    const drafts = new VectorDrafts(at, [shard(NAME, 2)], dimensions);
    return [drafts.has(0, 0), drafts.has(0, 1)];
  };
  assert.deepEqual(present(4), [true, false]);
  assert.deepEqual(present(null), [true, false]);
  assert.deepEqual(present(8), [false, false]);
  writeVectorShard(at.directory, PROFILE, NAME, { ...columns, hashes: null });
  assert.deepEqual(present(4), [false, false]);
});

test('while the number of dimensions is not known there are no vectors; it is fixed once', () => {
  const drafts = new VectorDrafts(place(), [shard(NAME, 1)], null);
  assert.deepEqual(
    [drafts.dimensions, drafts.has(0, 0), drafts.find(hashKey('a')), drafts.save()],
    [null, false, null, 0],
  );
  drafts.fix(4);
  drafts.fix(8);
  assert.equal(drafts.dimensions, 4);
});
