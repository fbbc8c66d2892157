/** Records of what compilers told: one encoding each, and no bytes that are believed without a check. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CborValue, decodeCanonical, encodeCanonical } from '../../src/record/cbor.js';
import {
  decodeCompilerRecord,
  decodeOccurrences,
  encodeCompilerRecord,
  encodeOccurrences,
  moniker,
} from '../../src/record/compiler-codec.js';
import { MAX_BLOB_BYTES, RECORD_LIMITS } from '../../src/record/limits.js';
import type { CompilerOccurrence, CompilerRecord } from '../../src/record/types.js';
import { anyOid, readersOf, SAMPLE_OID } from './sample.js';

const GOLDEN = new URL('../../../fixtures/records/compiler-v1.cbor', import.meta.url);
const { decoded, reasonOf } = readersOf(decodeCompilerRecord);

const occurrence: fc.Arbitrary<CompilerOccurrence> = fc.record(
  {
    line: fc.integer({ min: 1, max: 1_000_000 }),
    column: fc.nat(300),
    name: fc.constantFrom('total', 'Cart', 'é', 'x', '$y'),
    moniker: fc.constantFrom(...['a', 'b', 'c', 'd'].map(moniker), 0, 2 ** 48 - 1),
    isDefinition: fc.boolean(),
    isWrite: fc.boolean(),
    isLocal: fc.boolean(),
    isMember: fc.boolean(),
  },
  { noNullPrototype: true },
);

const anyRecord: fc.Arbitrary<CompilerRecord> = fc
  .uniqueArray(occurrence, { selector: ({ line, column }) => `${line}:${column}`, maxLength: 30 })
  .map((all) => ({ occurrences: all.sort((a, b) => a.line - b.line || a.column - b.column) }));

function encoded(record: CompilerRecord, oid = SAMPLE_OID): Uint8Array {
  return encodeCompilerRecord(oid, record) ?? assert.fail('more than 1 MiB');
}

const SAMPLE: CompilerRecord = {
  occurrences: [
    { ...at(1, 13), name: 'Cart', moniker: moniker('x Cart#'), isDefinition: true },
    { ...at(4, 16), name: 'total', moniker: moniker('x Cart#total().'), isMember: true },
    { ...at(4, 30), name: 'n', moniker: moniker('local 1'), isLocal: true, isWrite: true },
    { ...at(9, 2), name: 'Cart', moniker: moniker('x Cart#') },
  ],
};

function at(line: number, column: number) {
  return { line, column, isDefinition: false, isWrite: false, isLocal: false, isMember: false };
}

test('any record comes back equal and has one encoding, in notes and in caches', () => {
  fc.assert(
    fc.property(anyOid, anyRecord, (oid, record) => {
      const bytes = encoded(record, oid);
      assert.deepEqual(decoded(bytes, oid), record);
      assert.deepEqual(encoded(decoded(bytes, oid), oid), bytes);
      assert.deepEqual(decodeOccurrences(encodeOccurrences(record)), record);
    }),
    { numRuns: 200 },
  );
});

test('a name of 200 characters is the longest', () => {
  const named = (length: number): CompilerRecord => ({
    occurrences: [{ ...SAMPLE.occurrences[0], name: 'n'.repeat(length) }],
  });
  assert.deepEqual(decoded(encoded(named(200)), SAMPLE_OID), named(200));
  assert.throws(() => decodeOccurrences(encodeOccurrences(named(201))));
});

test('changed bytes are refused, or are the only encoding of what they decode to', () => {
  const change = fc.tuple(fc.nat(), fc.nat(255));
  fc.assert(
    fc.property(anyRecord, fc.array(change, { minLength: 1, maxLength: 3 }), (record, changes) => {
      const bytes = encodeOccurrences(record).slice();
      for (const [place, value] of changes) bytes[place % bytes.length] = value;
      try {
        assert.deepEqual(encodeOccurrences(decodeOccurrences(bytes)), bytes);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'RECORD_CORRUPT', String(error));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('an occurrence before the first line, or at a place that no blob is large enough for, is refused', () => {
  const placed = (line: number, column: number): CompilerRecord => ({
    occurrences: [{ ...SAMPLE.occurrences[0], ...at(line, column) }],
  });
  assert.deepEqual(decodeOccurrences(encodeOccurrences(placed(MAX_BLOB_BYTES, MAX_BLOB_BYTES))).occurrences.length, 1);
  for (const [line, column] of [
    [0, 0],
    [MAX_BLOB_BYTES + 1, 0],
    [1, MAX_BLOB_BYTES + 1],
  ])
    assert.throws(() => decodeOccurrences(encodeOccurrences(placed(line, column))), /outside of any blob/);
});

test('a payload with an item too many, or that is no list, is refused', () => {
  const payload = decodeCanonical(encodeOccurrences(SAMPLE), RECORD_LIMITS) as CborValue[];
  for (const other of [[...payload, 0], payload.slice(0, 3), 'four', 4])
    assert.throws(() => decodeOccurrences(encodeCanonical(other)), { code: 'RECORD_CORRUPT' }, JSON.stringify(other));
});

test('the golden record of version 1 still decodes and is still what is written', () => {
  const golden = new Uint8Array(readFileSync(GOLDEN));
  assert.deepEqual(decoded(golden), SAMPLE);
  assert.deepEqual(encoded(SAMPLE), golden);
  assert.equal(reasonOf(golden.subarray(0, -1)), 'malformed');
});

test('a record of more than 1 MiB is not written', () => {
  const occurrences = Array.from({ length: 100_000 }, (_, i) => ({
    ...{ ...at(i + 1, 0), name: `name${i}`, moniker: i + 1 },
  }));
  assert.equal(encodeCompilerRecord(SAMPLE_OID, { occurrences }), null);
});
