/** Which blob a record says that it is about, told from bytes that nobody has checked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeSyntaxRecord } from '../../src/record/codec.js';
import { aboutBlob, open } from '../../src/record/envelope.js';
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
