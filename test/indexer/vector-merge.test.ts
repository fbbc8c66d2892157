/** Costly vectors are kept when shards are merged: each chunk has its own afterwards, and others none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carryVectors } from '../../src/indexer/vector-merge.js';
import { hashKey } from '../../src/indexer/vector-units.js';
import { HASH_BYTES } from '../../src/record/limits.js';
import type { LexicalShard } from '../../src/shard/lexical.js';
import { findUnit } from '../../src/shard/live.js';
import { readVectorShard, writeVectorShard } from '../../src/shard/vector-shard.js';
import { buildShard, materialise, type SourceFile } from '../support/generated/corpus.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { DIMENSIONS, keysOf, shardName, source, vectorOf } from './vector-fixture.js';

const PROFILE = '0123456789ab';
const [CART, ORDER, LATE] = [source('Cart', 'add', 'total'), source('Order', 'ship'), source('Late')];

interface Given {
  dimensions?: number;
  hashes?: boolean;
  /** Rows without a vector. */
  without?: number[];
}

/** Writes vectors whose second number is `from` for the first chunk, one more for each further one. */
function give(directory: string, shard: LexicalShard, from: number, given: Given = {}): void {
  const { dimensions = DIMENSIONS, hashes = true, without = [] } = given;
  const { documents } = shard.meta;
  const numbers = Array.from({ length: documents }, (_, i) => from + i);
  const rows = new Int8Array(documents * dimensions);
  for (const [i, number] of numbers.entries()) rows.set(vectorOf(number).subarray(0, dimensions), i * dimensions);
  const present = Uint8Array.from(numbers, (_, i) => (without.includes(i) ? 0 : 1));
  const keys = new Uint8Array(Buffer.from(numbers.map((number) => hashKey(`text ${number}`)).join(''), 'latin1'));
  writeVectorShard(directory, PROFILE, shard.name, { dimensions, rows, present, hashes: hashes ? keys : null });
}

/** Of a merged shard, what each chunk of a file has: the number of its vector, or null. */
function carried(directory: string, to: LexicalShard, file: SourceFile) {
  const shard = readVectorShard(directory, PROFILE, to.name, to.meta.documents);
  const found = findUnit([to], materialise(file).oid, 'typescript');
  assert.ok(shard !== null && shard.hashes !== null && found !== null);
  const keys = keysOf(shard.hashes, to.meta.documents);
  return Array.from({ length: to.unitDocuments[found.unit] }, (_, i) => {
    const row = to.unitFirst[found.unit] + i;
    if (!shard.has(row)) return null;
    const number = shard.rows[row * shard.dimensions + 1];
    assert.equal(keys[row], hashKey(`text ${number}`), 'its hash goes with it');
    return number;
  });
}

function shards(...groups: SourceFile[][]): LexicalShard[] {
  return groups.map((files, i) => buildShard(files, shardName(i)));
}

test('each chunk keeps its vector and hash, and one without stays without', () => {
  const directory = makeDirectory('shards');
  const [one, two, merged] = shards([CART], [ORDER, LATE], [LATE, CART, ORDER]);
  give(directory, one, 10, { without: [1] });
  give(directory, two, 20);
  carryVectors(directory, [one, two], merged);
  assert.deepEqual(carried(directory, merged, CART), [10, null, 12]);
  assert.deepEqual([...carried(directory, merged, ORDER), ...carried(directory, merged, LATE)].sort(), [20, 21, 22]);
  const file = readVectorShard(directory, PROFILE, merged.name, merged.meta.documents);
  assert.equal(file?.hashes?.length, 6 * HASH_BYTES);
});

test('of a file in two shards the vectors of the newer one count, as its chunks do', () => {
  const directory = makeDirectory('shards');
  const [one, two, merged] = shards([CART], [CART], [CART]);
  give(directory, one, 10);
  give(directory, two, 20);
  carryVectors(directory, [one, two], merged);
  assert.deepEqual(carried(directory, merged, CART), [20, 21, 22]);
  assert.equal(readVectorShard(directory, PROFILE, merged.name, 3)?.present, null, 'every chunk has one');
});

test('a part without vectors, or with those of another size, leaves its chunks without', () => {
  for (const given of [null, { dimensions: 8 }, { hashes: false }]) {
    const directory = makeDirectory('shards');
    const [one, two, merged] = shards([CART], [ORDER], [CART, ORDER]);
    give(directory, one, 10);
    if (given !== null) give(directory, two, 20, given);
    carryVectors(directory, [one, two], merged);
    assert.deepEqual(carried(directory, merged, CART), [10, 11, 12]);
    assert.deepEqual(carried(directory, merged, ORDER), [null, null]);
  }
});

test('vectors of the built-in model have no hashes and are not carried over', () => {
  const directory = makeDirectory('shards');
  const [one, merged] = shards([CART], [CART]);
  give(directory, one, 10, { hashes: false });
  carryVectors(directory, [one], merged);
  assert.equal(readVectorShard(directory, PROFILE, merged.name, 3), null);
});

test('a unit that was cut otherwise in the merged shard takes no vectors', () => {
  const directory = makeDirectory('shards');
  const [one, other] = shards([CART], [CART, ORDER]);
  give(directory, one, 10);
  const { oid } = materialise(ORDER);
  // As after a change of the rules: the blob of `one` has three chunks, that of the merged shard two.
  const cut = new Proxy(other, {
    get: (target, key) =>
      key === 'unitOid'
        ? (unit: number) => (other.unitOid(unit) === oid ? materialise(CART).oid : oid)
        : Reflect.get(target, key),
  });
  carryVectors(directory, [one], cut);
  const shard = readVectorShard(directory, PROFILE, other.name, other.meta.documents);
  assert.equal(shard?.covered, 0);
});
