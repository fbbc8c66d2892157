/** Which blob a record says that it is about, told from bytes that nobody has checked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeSyntaxRecord } from '../../src/record/codec.js';
import { aboutBlob } from '../../src/record/envelope.js';
import { MAX_RECORD_BYTES } from '../../src/record/limits.js';

const SHA1 = '0123456789abcdef0123456789abcdef01234567';
const SHA256 = `${SHA1}0123456789abcdef01234567`;

test('the blob of a record is told for both lengths of ids', () => {
  for (const oid of [SHA1, SHA256]) assert.equal(aboutBlob(encodeSyntaxRecord(oid, { skip: 'binary' })), oid);
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
