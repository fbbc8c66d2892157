/** The envelope of a record: which blob it says that it is about, told from bytes that nobody has checked, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CborValue, encodeCanonical } from '../../src/record/cbor.js';
import { encodeSyntaxRecord } from '../../src/record/codec.js';
import { aboutBlob, open, openAnyVersion, seal } from '../../src/record/envelope.js';
import { MAX_RECORD_BYTES } from '../../src/record/limits.js';

const SHA1 = '0123456789abcdef0123456789abcdef01234567';
const SHA256 = `${SHA1}0123456789abcdef01234567`;

test('the blob of a record is told for both lengths of ids', () => {
  for (const oid of [SHA1, SHA256]) assert.equal(aboutBlob(encodeSyntaxRecord(oid, { skip: 'binary' })), oid);
});

test('a record whose version is no small number is malformed, and not called old', () => {
  const record = encodeSyntaxRecord(SHA1, { skip: 'binary' });
  for (const head of [[0x19, 0x01, 0x00], [0x20], [0x61, 0x31], []]) {
    const bytes = Uint8Array.from([...record.subarray(0, 5), ...head]);
    const { ok, ...fault } = open('syntax', 1, SHA1, bytes) as { ok: false; reason: string; detail: string };
    assert.deepEqual([ok, fault], [false, { reason: 'malformed', detail: 'no version' }]);
  }
});

test('bytes without the whole magic are about nothing, whichever of its bytes differs', () => {
  const record = encodeSyntaxRecord(SHA1, { skip: 'binary' });
  for (let i = 0; i < 5; i++) {
    const changed = record.slice();
    changed[i] ^= 1;
    assert.equal(aboutBlob(changed), null, `byte ${i}`);
  }
  for (const length of [0, 4, 5, 20]) assert.equal(aboutBlob(record.slice(0, length)), null, `${length} bytes`);
  const huge = new Uint8Array(MAX_RECORD_BYTES + 1);
  huge.set(record);
  assert.equal(aboutBlob(huge), null);
});

const kinds = fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 1, maxLength: 25 });
const versions = fc.constantFrom(0, 1, 22, 23, 24, 25, 254, 255);

/** Without the prototype of what was decoded. */
const told = (found: ReturnType<typeof open>) => (found.ok ? Buffer.from(found.payload).toString('hex') : found.reason);

test('what is sealed is opened for its kind, version and blob alone', () => {
  fc.assert(
    fc.property(
      kinds,
      versions,
      fc.uint8Array({ maxLength: 40 }),
      kinds,
      versions,
      (kind, version, payload, other, wanted) => {
        const sealed = seal(kind, version, SHA1, payload) ?? assert.fail();
        const hex = Buffer.from(payload).toString('hex');
        assert.equal(told(openAnyVersion(kind, SHA1, sealed)), hex);
        assert.equal(told(openAnyVersion(kind, SHA256, sealed)), 'wrong-blob');
        const expected = version > wanted ? 'too-new' : version < wanted ? 'outdated' : hex;
        assert.equal(told(open(kind, wanted, SHA1, sealed)), expected);
        if (other !== kind) assert.equal(told(openAnyVersion(other, SHA1, sealed)), 'not-a-record');
        if (other !== kind && kind.length < 24) assert.equal(told(open(other, wanted, SHA1, sealed)), 'not-a-record');
      },
    ),
    { numRuns: 300 },
  );
});

test('a fault says what was found', () => {
  const sealed = seal('kind', 3, SHA1, Uint8Array.of(1, 2, 3)) ?? assert.fail();
  const detail = (found: ReturnType<typeof open>) => (found.ok ? 'ok' : `${found.reason}: ${found.detail}`);
  assert.equal(detail(open('kind', 2, SHA1, sealed)), 'too-new: version 3, this program reads 2');
  assert.equal(detail(open('kind', 4, SHA1, sealed)), 'outdated: version 3, this program writes 4');
  assert.equal(detail(open('other', 3, SHA1, sealed)), 'not-a-record: not a other record');
  assert.equal(detail(open('kind', 3, SHA256, sealed)), `wrong-blob: the record is about ${SHA1}`);
  assert.equal(detail(open('kind', 3, SHA1, Buffer.from('text'))), 'not-a-record: no magic');
  const damaged = Uint8Array.from(sealed);
  damaged[damaged.length - 1] ^= 1;
  assert.equal(detail(open('kind', 3, SHA1, damaged)), 'checksum: the payload is damaged');
  assert.match(detail(open('kind', 3, SHA1, sealed.subarray(0, 20))), /^malformed: \w/);
  assert.throws(() => seal('kind', 3, 'a'.repeat(41), sealed), { code: 'INTERNAL' });
});

test('fields of another type, or an id of another length, are malformed', () => {
  const fields = (oid: CborValue, sum: CborValue, payload: CborValue) =>
    told(openAnyVersion('kind', SHA1, encodeCanonical(['gsc', 1, 'kind', oid, sum, payload])));
  const [id, bytes] = [Buffer.from(SHA1, 'hex'), Uint8Array.of(1)];
  assert.equal(fields(id, bytes, bytes), 'checksum');
  for (const [oid, sum, payload] of [
    ['x', bytes, bytes],
    [id, 'x', bytes],
    [id, bytes, 'x'],
    [id.subarray(1), bytes, bytes],
  ])
    assert.equal(fields(oid as CborValue, sum as CborValue, payload as CborValue), 'malformed');
  const about = encodeCanonical(['gsc', 1, 'kind', 'text', bytes, bytes]);
  assert.deepEqual(
    [aboutBlob(about), aboutBlob(encodeCanonical(['gsc', 1, 'kind', id.subarray(1), bytes, bytes]))],
    [null, null],
  );
});

test('a record has at most a megabyte, and one that has more is not looked into', () => {
  const around = (seal('kind', 1, SHA1, new Uint8Array(100_000)) ?? assert.fail()).length - 100_000;
  const largest = seal('kind', 1, SHA1, new Uint8Array(MAX_RECORD_BYTES - around)) ?? assert.fail();
  assert.equal(largest.length, MAX_RECORD_BYTES);
  assert.equal(openAnyVersion('kind', SHA1, largest).ok, true);
  assert.equal(aboutBlob(largest), SHA1);
  assert.equal(seal('kind', 1, SHA1, new Uint8Array(MAX_RECORD_BYTES - around + 1)), null);
  const larger = Buffer.concat([largest, Uint8Array.of(0)]);
  assert.deepEqual(
    { ...openAnyVersion('kind', SHA1, larger) },
    { ok: false, reason: 'too-large', detail: '1048577 bytes' },
  );
});
