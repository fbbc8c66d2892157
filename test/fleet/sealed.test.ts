/** Bytes in a store: whatever is flipped, cut off or too large is noticed before anything is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checked,
  deflated,
  inflated,
  limitsOf,
  packed,
  sealed,
  unchecked,
  unpacked,
  unsealed,
} from '../../fleet/src/sealed.js';

const isRefused = (open: () => unknown): boolean => {
  try {
    open();
    return false;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    assert.deepEqual([code, message], ['FLEET_STORE', 'a thing is damaged']);
    return true;
  }
};

test('sealed bytes come back as they were, and no flipped bit or lost byte is read', () => {
  const bytes = sealed([1, 'cart', new Uint8Array([7, 8])]);
  const open = (of: Uint8Array) => unsealed(of, 'a thing', limitsOf(1_000));
  assert.deepEqual(open(bytes), [1, 'cart', new Uint8Array([7, 8])]);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = bytes.slice();
    flipped[bit >> 3] ^= 1 << (bit & 7);
    assert.ok(
      isRefused(() => open(flipped)),
      `bit ${bit}`,
    );
  }
  for (const cut of [0, 7, 8, bytes.length - 1])
    assert.ok(
      isRefused(() => open(bytes.subarray(0, cut))),
      `${cut}`,
    );
  assert.ok(isRefused(() => open(Buffer.concat([bytes, Buffer.of(0)]))));
  assert.ok(
    isRefused(() => open(checked(Buffer.of(0xff)))),
    'a right checksum of what is no value',
  );
  assert.ok(
    isRefused(() => unsealed(bytes, 'a thing', limitsOf(4))),
    'larger than allowed',
  );
});

test('checked bytes need one byte of content', () => {
  assert.deepEqual(unchecked(checked(Buffer.from('a')), 'a thing'), new Uint8Array(Buffer.from('a')));
  assert.ok(isRefused(() => unchecked(checked(new Uint8Array(0)), 'a thing')));
});

test('packed and deflated bytes are opened up to the size that is allowed, and not a byte more', () => {
  const content = Buffer.from('cart '.repeat(1_000));
  for (const [pack, open] of [
    [deflated, inflated],
    [packed, unpacked],
  ] as const) {
    const small = pack(content);
    assert.ok(small.length < content.length / 10);
    assert.ok(open(small, content.length, 'a thing').equals(content));
    assert.ok(isRefused(() => open(small, content.length - 1, 'a thing')));
    assert.ok(isRefused(() => open(small.subarray(0, small.length - 3), content.length, 'a thing')));
    assert.ok(isRefused(() => open(Buffer.from('no such bytes'), 100, 'a thing')));
    assert.equal(open(pack(new Uint8Array(0)), 0, 'a thing').length, 0);
  }
  const kept = unpacked(packed(content), content.length, 'a thing');
  assert.equal(kept.buffer.byteLength, content.length, 'nothing else is kept in memory');
});
