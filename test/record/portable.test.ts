/** Files of records: the same records give the same bytes; whatever else comes in is passed over, never believed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  byFile,
  decodePortable,
  encodePortable,
  isPortableName,
  type PortableRecord,
} from '../../src/record/portable.js';
import { decodeSyntaxRecord, encodeSyntaxRecord } from '../../src/record/syntax-codec.js';

const oidOf = (i: number) => (Math.imul(i + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, '0').padEnd(40, 'a');
const recordOf = (i: number): PortableRecord => {
  const oid = oidOf(i);
  return { oid, bytes: encodeSyntaxRecord(oid, { skip: i % 2 === 0 ? 'binary' : 'secret' }) };
};
const records = Array.from({ length: 50 }, (_, i) => recordOf(i));

test('records in a file come back unchanged, in any order of writing', () => {
  const file = encodePortable('syntax', records);
  assert.deepEqual(encodePortable('syntax', [...records].reverse()), file);
  const { records: found, bad } = decodePortable('syntax', file);
  assert.equal(bad, 0);
  assert.deepEqual(
    found.map(({ oid }) => oid),
    records.map(({ oid }) => oid).sort(),
  );
  assert.deepEqual(
    new Map(found.map(({ oid, bytes }) => [oid, Buffer.from(bytes)])),
    new Map(records.map(({ oid, bytes }) => [oid, Buffer.from(bytes)])),
  );
  for (const { oid, bytes } of found) assert.equal(decodeSyntaxRecord(bytes, oid).ok, true);
});

test('a change of one record changes one file; more records make more files', () => {
  const before = byFile(records);
  const after = byFile([...records.slice(1), recordOf(99)]);
  const bytesOf = (file: readonly PortableRecord[] = []) => Buffer.from(encodePortable('syntax', file)).toString('hex');
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => bytesOf(before.get(name)) !== bytesOf(after.get(name)),
  );
  assert.ok(changed.length >= 1 && changed.length <= 2, changed.join());
  const { bytes } = records[0];
  const many = (count: number) => byFile(Array.from({ length: count }, (_, i) => ({ oid: oidOf(i), bytes })));
  assert.deepEqual([many(2_000).size, many(2_001).size > 200], [16, true]);
  for (const name of many(2_001).keys()) assert.ok(isPortableName(name), name);
  const lengths = (count: number) => [...new Set([...many(count).keys()].map((name) => name.length - '.cbor'.length))];
  assert.deepEqual([lengths(2_000), lengths(2_001), lengths(60_000), lengths(60_001)], [[1], [2], [2], [3]]);
});

test('damage to a file loses only the records that it hits', () => {
  const file = encodePortable('syntax', records);
  for (let at = 0; at < file.length; at += 7) {
    const damaged = Uint8Array.from(file);
    damaged[at] ^= 0x55;
    let found: PortableRecord[] = [];
    try {
      found = decodePortable('syntax', damaged).records;
    } catch (error) {
      assert.match((error as Error).message, /not a file of syntax records/);
    }
    for (const { oid, bytes } of found) {
      const good = records.find((record) => record.oid === oid);
      assert.ok(good === undefined || !decodeSyntaxRecord(bytes, oid).ok || Buffer.compare(good.bytes, bytes) === 0);
    }
  }
  const cut = decodePortable('syntax', file.subarray(0, file.length - 5));
  assert.deepEqual([cut.records.length, cut.bad], [records.length - 1, 1]);
});

test('a file of another format is refused, and items that are not records are counted', () => {
  const file = encodePortable('syntax', records);
  for (const bad of [new Uint8Array(0), file.subarray(1), encodePortable('vectors', []), Buffer.alloc(40 << 20)])
    assert.throws(() => decodePortable('syntax', bad), { code: 'RECORD_CORRUPT' });
  const [largest, larger] = [32 << 20, (32 << 20) + 1].map((size) => Buffer.alloc(size));
  assert.throws(() => decodePortable('syntax', largest), /not a file of syntax records/);
  assert.throws(() => decodePortable('syntax', larger), /33554433 bytes of records/);
  const header = encodePortable('syntax', []);
  const items: [string, number[], number][] = [
    ['an empty byte string', [0x40], 1],
    ['another item', [0x01, 0x02], 1],
    ['text', [0x61, 0x61], 1],
    ['a number, whatever follows', [0x01, 0x40, 0x40], 1],
    ['a byte string of one byte, and an empty one', [0x41, 0x00, 0x40], 2],
    ['lengths of one, two and four bytes', [0x58, 1, 0, 0x59, 0, 1, 0, 0x5a, 0, 0, 0, 1, 0], 3],
    ['a length beyond the end', [0x5a, 0xff, 0xff, 0xff, 0xff, 0], 1],
    ['a length that is cut short', [0x5a, 0xff], 1],
    ['an indefinite length', [0x5f, 0x41, 0x00, 0xff], 1],
    ['a length of eight bytes', [0x5b, 0, 0, 0, 0, 0, 0, 0, 1, 0], 1],
    ['bytes that are no record', [0x43, 1, 2, 3], 1],
    ['many empty ones', Array.from({ length: 1000 }, () => 0x40), 1000],
  ];
  for (const [what, bytes, bad] of items)
    assert.deepEqual(
      decodePortable('syntax', Buffer.concat([header, Uint8Array.from(bytes)])),
      { records: [], bad },
      what,
    );
});

test('only the names that byFile gives count as files of records', () => {
  for (const name of ['a.cbor', '0f.cbor', 'fff.cbor']) assert.ok(isPortableName(name), name);
  for (const name of ['', 'a', 'A.cbor', '../a.cbor', 'abcd.cbor', 'g.cbor', 'a.cbor.tmp', '.tmp-1-0-a.cbor'])
    assert.ok(!isPortableName(name), name);
});
