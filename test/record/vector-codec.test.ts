import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { SocraticodeError } from '../../src/base/errors.js';
import { open } from '../../src/record/cbor.js';
import { MAX_RECORD_BYTES, RECORD_FORMAT, VECTOR_FORMAT, type VectorRecord } from '../../src/record/format.js';
import { encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { decodeVectorRecord, encodeVectorRecord, textHash, VECTORS_KIND } from '../../src/record/vector-codec.js';
import { anyOid, readersOf, SAMPLE_OID, sealed } from './sample.js';
import { anyVectorRecord, VECTOR_SAMPLE } from './vector-sample.js';

const GOLDEN = new URL('../../../fixtures/records/vectors-v1.cbor', import.meta.url);

function encoded(record: VectorRecord, oid = SAMPLE_OID): Uint8Array {
  const bytes = encodeVectorRecord(oid, record);
  assert.ok(bytes !== null, 'more than 1 MiB');
  return bytes;
}

const { decoded, reasonOf } = readersOf(decodeVectorRecord);

test('any vectors come back equal and have one encoding', () => {
  fc.assert(
    fc.property(anyOid, anyVectorRecord, (oid, record) => {
      const bytes = encoded(record, oid);
      const back = decoded(bytes, oid);
      assert.deepEqual(back, record);
      assert.deepEqual(encoded(back, oid), bytes);
    }),
    { numRuns: 300 },
  );
});

test('the same vectors give the same bytes, wherever they lie in memory and in whatever order of languages', () => {
  fc.assert(
    fc.property(anyVectorRecord, fc.nat(9), ({ dimensions, languages }, offset) => {
      const moved = Object.entries(languages).map(([id, { hashes, rows }]) => {
        const memory = new Uint8Array(offset + hashes.length + rows.length + 3).fill(0x55);
        memory.set(hashes, offset);
        memory.set(new Uint8Array(rows.buffer, rows.byteOffset, rows.length), offset + hashes.length);
        const cut = Buffer.from(memory.buffer, offset, hashes.length);
        return [id, { hashes: cut, rows: new Int8Array(memory.buffer, offset + hashes.length, rows.length) }] as const;
      });
      const turned = { dimensions, languages: Object.fromEntries(moved.reverse()) };
      assert.deepEqual(encoded(turned), encoded({ dimensions, languages }));
    }),
  );
});

/** One to three changes, sizes and places drawn by fast-check: a byte set, bytes removed, or bytes put in. */
const changes = fc.array(
  fc.record({ at: fc.nat(), remove: fc.nat(3), insert: fc.uint8Array({ maxLength: 3 }), cut: fc.nat(20) }),
  { minLength: 1, maxLength: 3 },
);

test('changed bytes are either refused or are the only encoding of what they decode to', () => {
  fc.assert(
    fc.property(anyVectorRecord, changes, (record, edits) => {
      const opened = open(VECTORS_KIND, VECTOR_FORMAT, SAMPLE_OID, encoded(record));
      assert.ok(opened.ok);
      let payload = Buffer.from(opened.payload);
      for (const { at, remove, insert, cut } of edits) {
        const start = at % payload.length;
        // Removing as much as is put in changes values and keeps lengths: most of what survives to be compared.
        const gone = cut < 15 ? insert.length : remove;
        payload = Buffer.concat([payload.subarray(0, start), insert, payload.subarray(start + gone)]);
        if (cut === 20) payload = payload.subarray(0, Math.max(1, start));
      }
      const bytes = sealed(VECTORS_KIND, VECTOR_FORMAT, payload);
      const result = decodeVectorRecord(bytes, SAMPLE_OID);
      if (result.ok) assert.deepEqual(encoded(result.record), bytes);
    }),
    { numRuns: 1_000 },
  );
});

test('the golden vectors of version 1 still decode and are still what is written', () => {
  const golden = new Uint8Array(readFileSync(GOLDEN));
  assert.deepEqual(decoded(golden), VECTOR_SAMPLE);
  assert.deepEqual(encoded(VECTOR_SAMPLE), golden);
});

test('every change of one byte and every truncation of a record is noticed', () => {
  const bytes = encoded(VECTOR_SAMPLE);
  for (let at = 0; at < bytes.length; at++) {
    assert.notEqual(reasonOf(bytes.subarray(0, at)), 'ok', `cut at ${at}`);
    for (const bits of [1, 0x20, 0x80, 0xff]) {
      const damaged = bytes.slice();
      damaged[at] ^= bits;
      assert.notEqual(reasonOf(damaged), 'ok', `byte ${at} xor ${bits}`);
    }
  }
});

test('each kind of fault in a vector record has its own reason', () => {
  const bytes = encoded(VECTOR_SAMPLE);
  const changed = (at: number, byte: number) => Uint8Array.from(bytes, (old, i) => (i === at ? byte : old));
  assert.equal(reasonOf(bytes), 'ok');
  assert.equal(reasonOf(changed(5, VECTOR_FORMAT + 1)), 'too-new');
  assert.equal(reasonOf(changed(5, 0)), 'outdated');
  assert.equal(reasonOf(bytes, SAMPLE_OID.replace('0', 'f')), 'wrong-blob');
  assert.equal(reasonOf(changed(bytes.length - 1, 5)), 'checksum');
  assert.equal(reasonOf(new Uint8Array(MAX_RECORD_BYTES + 1)), 'too-large');
  const skipped = encodeSyntaxRecord(SAMPLE_OID, { skip: 'binary' });
  assert.equal(reasonOf(skipped), 'not-a-record');
  const opened = open('syntax', RECORD_FORMAT, SAMPLE_OID, skipped);
  assert.equal(reasonOf(sealed(VECTORS_KIND, VECTOR_FORMAT, opened.ok ? opened.payload : skipped)), 'malformed');
});

/** One language with `chunks` good rows, then changed. */
function vectors(chunks: number, dimensions: number, change?: (rows: Int8Array) => void): VectorRecord {
  const rows = new Int8Array(chunks * dimensions);
  for (let chunk = 0; chunk < chunks; chunk++) rows[chunk * dimensions] = 127;
  change?.(rows);
  return { dimensions, languages: { c: { hashes: new Uint8Array(chunks * 8), rows } } };
}

test("a bug of the embedder's caller is refused when writing, not found when reading", () => {
  const one = vectors(1, 16).languages.c;
  const cases: Record<string, VectorRecord> = {
    '15 dimensions': vectors(1, 15),
    '4097 dimensions': vectors(1, 4097),
    'half a dimension': { ...vectors(1, 16), dimensions: 16.5 },
    'a row of zeros': vectors(3, 16, (rows) => rows.fill(0, 16, 32)),
    'a row not scaled': vectors(3, 16, (rows) => rows.fill(1, 16, 32)),
    'a row with -128': vectors(3, 16, (rows) => rows.fill(-128, 16, 17)),
    'a row too few': { dimensions: 16, languages: { c: { ...one, hashes: new Uint8Array(16) } } },
    'half a hash': { dimensions: 16, languages: { c: { ...one, hashes: new Uint8Array(4) } } },
    'no language': { dimensions: 16, languages: {} },
    'language id': { dimensions: 16, languages: { C: one } },
    'prototype as language': { dimensions: 16, languages: Object.fromEntries([['__proto__', one]]) },
    '17 languages': {
      dimensions: 16,
      languages: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`l${i}`, one])),
    },
    '20,001 chunks': vectors(20_001, 16),
  };
  for (const [name, record] of Object.entries(cases)) {
    assert.throws(() => encodeVectorRecord(SAMPLE_OID, record), SocraticodeError, name);
  }
  assert.throws(() => encodeVectorRecord('abc', vectors(1, 16)), SocraticodeError);
  assert.equal(reasonOf(encoded(vectors(20_000, 16))), 'ok');
});

test('vectors beyond 1 MiB give null, and smaller ones a record', () => {
  const overhead = encoded(vectors(1_000, 256)).length - 1_000 * 264;
  // Heads of byte strings are as long as here for anything from 64 KiB on; the hashes stay below that in both.
  const chunks = Math.floor((MAX_RECORD_BYTES - overhead) / 264);
  assert.ok(encoded(vectors(chunks, 256)).length <= MAX_RECORD_BYTES);
  assert.equal(encodeVectorRecord(SAMPLE_OID, vectors(chunks + 1, 256)), null);
  assert.ok(chunks > 3_900 && encodeVectorRecord(SAMPLE_OID, vectors(255, 4096)) !== null);
});

test('a text hash is the start of the SHA-256 of the text in UTF-8', () => {
  const full = createHash('sha256').update(Buffer.from('größe')).digest();
  assert.deepEqual(textHash('größe'), new Uint8Array(full.subarray(0, 8)));
});
