/** Vector files: what was written is read, and nothing else ever is. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import { localKey } from '../../src/base/local-key.js';
import { HASH_BYTES } from '../../src/record/format.js';
import { emptyManifest, ShardDirectory } from '../../src/shard/directory.js';
import { hnswPath, vectorFileOwner, vectorPath } from '../../src/shard/lexical-format.js';
import { readVectorShard, VectorShard, writeVectorShard } from '../../src/shard/vector-shard.js';
import { mixture, seeded } from '../support/generated/vectors.js';
import { makeDirectory } from '../support/repositories/repo.js';

const PROFILE = '0123456789ab';
const LEXICAL = 'lexical-00112233aabbccdd.bin';
const DIMENSIONS = 24;
const COUNT = 60;

const rows = mixture(seeded(1), DIMENSIONS, 5)(COUNT);
const present = Uint8Array.from({ length: COUNT }, (_, i) => (i % 7 === 3 ? 0 : 1));
const partial = rows.map((value, i) => (present[Math.floor(i / DIMENSIONS)] === 0 ? 0 : value));
const hashes = Uint8Array.from({ length: COUNT * HASH_BYTES }, (_, i) => i * 7);

const contentOf = (shard: VectorShard) => ({ ...shard, digest: null });

test('a vector file is read back unchanged, with and without the optional columns', () => {
  const directory = join(makeDirectory(), 'new');
  for (const columns of [{ rows }, { rows: partial, present }, { rows, hashes }, { rows: partial, present, hashes }]) {
    const written = writeVectorShard(directory, PROFILE, LEXICAL, { dimensions: DIMENSIONS, ...columns });
    const read = readVectorShard(directory, PROFILE, LEXICAL, COUNT);
    assert.ok(read !== null);
    assert.deepEqual(read.rows, columns.rows);
    assert.equal(read.rows.byteOffset, 0);
    assert.equal(read.covered, 'present' in columns ? 51 : COUNT);
    assert.deepEqual([read.has(3), read.has(4)], [!('present' in columns), true]);
    assert.deepEqual(read.hashes === null ? null : new Uint8Array(read.hashes), 'hashes' in columns ? hashes : null);
    assert.deepEqual([contentOf(read).squares, read.digest], [contentOf(written).squares, written.digest]);
    assert.equal(read.digest?.length, 64);
  }
  assert.deepEqual(readdirSync(directory), ['vectors-0123456789ab-00112233aabbccdd.bin']);
});

test('a shard without documents has no vectors', () => {
  const directory = makeDirectory();
  writeVectorShard(directory, PROFILE, LEXICAL, { dimensions: DIMENSIONS, rows: new Int8Array(0) });
  assert.equal(readVectorShard(directory, PROFILE, LEXICAL, 0)?.covered, 0);
});

test('rows from the middle of a buffer get one of their own', () => {
  const inner = rows.subarray(DIMENSIONS, 3 * DIMENSIONS);
  const shard = new VectorShard({ dimensions: DIMENSIONS, rows: inner });
  assert.equal(shard.rows.byteOffset, 0);
  assert.deepEqual(shard.rows, inner.slice());
});

test('columns that disagree and names of another shape are bugs', () => {
  const isInternal = (error: unknown) => isSocraticodeError(error, 'INTERNAL');
  assert.throws(() => new VectorShard({ dimensions: 7, rows }), isInternal);
  assert.throws(() => new VectorShard({ dimensions: 0, rows }), isInternal);
  assert.throws(() => new VectorShard({ dimensions: DIMENSIONS, rows, present: present.slice(1) }), isInternal);
  assert.throws(() => new VectorShard({ dimensions: DIMENSIONS, rows, hashes: hashes.slice(1) }), isInternal);
  for (const [profile, lexical] of [
    ['../../evil', LEXICAL],
    [PROFILE, '../lexical-00112233aabbccdd.bin'],
    [PROFILE, 'view-00112233aabbccdd.bin'],
  ]) {
    assert.throws(() => vectorPath('.', profile, lexical), isInternal);
  }
});

test('a vector file gives nothing for another shard, profile or number of documents', () => {
  const directory = makeDirectory();
  const other = 'lexical-ffffffffffffffff.bin';
  assert.equal(readVectorShard(directory, PROFILE, LEXICAL, COUNT), null);
  writeVectorShard(directory, PROFILE, LEXICAL, { dimensions: DIMENSIONS, rows });
  assert.equal(readVectorShard(directory, 'ffffffffffff', LEXICAL, COUNT), null);
  assert.equal(readVectorShard(directory, PROFILE, other, COUNT), null);
  // Under the name of another shard or profile: whole, but not what it says.
  const bytes = readFileSync(vectorPath(directory, PROFILE, LEXICAL));
  for (const [profile, lexical] of [
    ['ffffffffffff', LEXICAL],
    [PROFILE, other],
  ]) {
    writeFileSync(vectorPath(directory, profile, lexical), bytes);
    assert.equal(readVectorShard(directory, profile, lexical, COUNT), null);
    assert.ok(existsSync(`${vectorPath(directory, profile, lexical)}.bad`));
  }
  assert.ok(readVectorShard(directory, PROFILE, LEXICAL, COUNT) !== null);
  assert.equal(readVectorShard(directory, PROFILE, LEXICAL, COUNT + 1), null);
  assert.equal(existsSync(vectorPath(directory, PROFILE, LEXICAL)), false);
});

test('a byte that differs anywhere makes a vector file worthless, and so does the seal of somebody else', () => {
  const directory = makeDirectory();
  const path = vectorPath(directory, PROFILE, LEXICAL);
  const columns = { dimensions: DIMENSIONS, rows: partial, present, hashes };
  writeVectorShard(directory, PROFILE, LEXICAL, columns);
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 97) {
    const bytes = Buffer.from(whole);
    bytes[at] ^= 1;
    writeFileSync(path, bytes);
    assert.equal(readVectorShard(directory, PROFILE, LEXICAL, COUNT), null, `byte ${at}`);
  }
  const forged = Buffer.concat([whole.subarray(0, -32), createHash('sha256').update(whole.subarray(0, -32)).digest()]);
  writeFileSync(path, forged);
  assert.equal(readVectorShard(directory, PROFILE, LEXICAL, COUNT), null);
});

test('false headers with a valid seal are refused without allocating memory', () => {
  const directory = makeDirectory();
  const header = { profile: PROFILE, lexical: LEXICAL, dimensions: 4, count: 2, present: false, hashes: false };
  const lies: object[] = [
    ...[{ dimensions: 65_536 }, { dimensions: 0 }, { dimensions: -4 }, { dimensions: 1e300 }, { dimensions: '4' }],
    ...[{ dimensions: 2.5 }, { dimensions: null }, { count: 1e15 }, { present: true }, { hashes: true }],
  ];
  for (const lie of [null, [], 'x', ...lies]) {
    const value = lie === null || typeof lie !== 'object' || Array.isArray(lie) ? lie : { ...header, ...lie };
    const body = Buffer.concat([Buffer.from(`GSCVEC01${JSON.stringify(value)}`.padEnd(256)), Buffer.alloc(16)]);
    const digest = localKey().hmac('vectors').update(body).digest();
    writeFileSync(vectorPath(directory, PROFILE, LEXICAL), Buffer.concat([body, digest]));
    assert.equal(readVectorShard(directory, PROFILE, LEXICAL, 2), null, JSON.stringify(lie));
  }
});

test('vectors and graphs go when their shard goes, whatever their profile, and not before', () => {
  const directory = new ShardDirectory(makeDirectory(), 'abcdefabcdef');
  const entry = (n: number) => ({ ...directory.writeShard(Buffer.from([n]), { units: 1, documents: 1 }) });
  const [kept, replaced] = [entry(1), entry(2)];
  directory.publish({ ...emptyManifest(directory.profile), shards: [kept, replaced] });
  const companions = ({ file }: { file: string }) =>
    [PROFILE, 'eeeeeeeeeeee'].flatMap((profile) => [
      vectorPath(directory.directory, profile, file),
      hnswPath(directory.directory, profile, file),
    ]);
  const bad = `${vectorPath(directory.directory, PROFILE, kept.file)}.bad`;
  const age = (path: string) => utimesSync(path, 1, 1);
  for (const path of [...companions(kept), ...companions(replaced), bad]) {
    writeFileSync(path, 'x');
    age(path);
  }
  const all = (paths: string[]) => paths.map((path) => existsSync(path));
  directory.publish({ ...emptyManifest(directory.profile), shards: [kept] });
  // A reader may still hold the previous manifest: their clock has only been started.
  assert.deepEqual(all([...companions(kept), ...companions(replaced)]), Array(8).fill(true));
  assert.equal(existsSync(bad), false);
  companions(replaced).forEach(age);
  directory.publish({ ...emptyManifest(directory.profile), shards: [kept] });
  assert.deepEqual([all(companions(kept)), all(companions(replaced))], [Array(4).fill(true), Array(4).fill(false)]);
});

test('only vector and graph files have an owner', () => {
  assert.equal(vectorFileOwner('vectors-0123456789ab-00112233aabbccdd.hnsw'), LEXICAL);
  assert.equal(vectorFileOwner('vectors-0123456789ab-00112233aabbccdd.bin'), LEXICAL);
  for (const name of [
    'lexical-00112233aabbccdd.bin',
    'vectors-xyz-00112233aabbccdd.bin',
    'vectors-0123456789ab-00.bin',
  ]) {
    assert.equal(vectorFileOwner(name), null);
  }
});
