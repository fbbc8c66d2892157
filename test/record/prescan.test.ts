/** The pass over raw CBOR: it knows UTF-8 as the platform does, and names the first fault. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isUtf8Range, prescan } from '../../src/record/prescan.js';

const LIMITS = { maxBytes: 1_000, maxDepth: 8, maxItems: 100, maxEntries: 20, maxString: 100 };
const fault = (...bytes: number[]) => prescan(Uint8Array.from(bytes), LIMITS)?.reason ?? null;

function platformSays(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Bytes near the borders of every form, which random ones seldom meet. */
const BORDERS = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee];
const HIGH = [0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xff, 0x41];

test('text is UTF-8 exactly where the platform says so', () => {
  const border = fc.constantFrom(...BORDERS, ...HIGH);
  const bytes = fc.oneof(
    fc.array(border, { maxLength: 6 }),
    fc.string({ unit: 'binary' }).map((text) => [...Buffer.from(text)]),
  );
  fc.assert(
    fc.property(bytes, fc.nat(3), fc.nat(3), (list, before, after) => {
      const inner = Uint8Array.from(list);
      const whole = Uint8Array.from([...Array(before).fill(0xff), ...list, ...Array(after).fill(0x80)]);
      assert.equal(isUtf8Range(whole, before, before + list.length), platformSays(inner), list.join());
    }),
    { numRuns: 2_000 },
  );
});

test('every lead byte asks for the bytes that its form has', () => {
  for (let lead = 0x80; lead < 0x100; lead++)
    for (const rest of [
      [],
      [0x80],
      [0xa0],
      [0x90, 0x80],
      [0xa0, 0x80],
      [0x90, 0x80, 0x80],
      [0x8f, 0xbf, 0xbf],
      [0xbf, 0xbf, 0xbf],
    ]) {
      const bytes = Uint8Array.from([lead, ...rest]);
      assert.equal(isUtf8Range(bytes, 0, bytes.length), platformSays(bytes), [...bytes].join());
    }
});

test('keys of a map are in order and different, whatever follows them', () => {
  assert.equal(fault(0xa2, 0x61, 0x61, 0x00, 0x61, 0x62, 0x00), null);
  assert.equal(fault(0xa2, 0x61, 0x62, 0x00, 0x61, 0x61, 0x00), 'map keys out of order');
  for (const [first, second] of [
    [0, 0],
    [0, 1],
    [1, 0],
  ])
    assert.equal(fault(0xa2, 0x61, 0x61, first, 0x61, 0x61, second), 'duplicate map key', `${first}, ${second}`);
  assert.equal(fault(0xa2, 0x00, 0x00, 0x00, 0x05), 'duplicate map key');
  assert.equal(fault(0xa1, 0x41, 0x61, 0x00), 'map key is neither text nor unsigned');
});

test('an array or a map of more entries than bytes is refused before they are counted', () => {
  assert.equal(fault(0x83, 0x00, 0x00), 'more entries than the input has bytes');
  assert.equal(fault(0x82, 0x00, 0x00), null);
  // Two bytes cannot hold two keys with their values.
  assert.equal(fault(0xa2, 0x00, 0x00), 'more entries than the input has bytes');
  assert.equal(fault(0xa2, 0x00, 0x00, 0x01), 'more entries than the input has bytes');
  assert.equal(fault(0xa1, 0x00, 0x00), null);
});

test('a byte order mark is refused at the beginning of a text, alone or not, and nowhere else', () => {
  assert.equal(fault(0x63, 0xef, 0xbb, 0xbf), 'byte order mark');
  assert.equal(fault(0x64, 0xef, 0xbb, 0xbf, 0x61), 'byte order mark');
  assert.equal(fault(0x64, 0x61, 0xef, 0xbb, 0xbf), null);
  assert.equal(fault(0x43, 0xef, 0xbb, 0xbf), null, 'bytes are no text');
  assert.equal(fault(0x63, 0xef, 0xbc, 0x81), null);
});

test('heads of 64 bits, of indefinite length and of no meaning are refused in every kind of item', () => {
  for (const major of [0, 1, 2, 3, 4, 5]) {
    const head = major << 5;
    assert.equal(fault(head | 27, 0, 0, 0, 0, 0, 0, 0, 1), '64-bit integer');
    for (const info of [28, 29, 30, 31])
      assert.equal(fault(head | info, 0x18, 0x18, 0xff), 'indefinite length or reserved head', `${major}, ${info}`);
  }
});

test('a number in a longer form than it needs is refused, in each of the forms', () => {
  for (const [longest, next] of [
    [
      [0x18, 0x17],
      [0x18, 0x18],
    ],
    [
      [0x19, 0x00, 0xff],
      [0x19, 0x01, 0x00],
    ],
    [
      [0x1a, 0x00, 0x00, 0xff, 0xff],
      [0x1a, 0x00, 0x01, 0x00, 0x00],
    ],
  ]) {
    assert.equal(fault(...longest), 'not the shortest form');
    assert.equal(fault(...next), null);
  }
});

test('an item that is missing at the end is called truncated, where the bytes end', () => {
  const whole = [0x82, 0x81, 0x00, 0x05];
  assert.equal(fault(...whole), null);
  assert.deepEqual(prescan(Uint8Array.from(whole.slice(0, 3)), LIMITS), { reason: 'truncated', offset: 3 });
  assert.deepEqual(prescan(new Uint8Array(), LIMITS), { reason: 'truncated', offset: 0 });
  assert.deepEqual(prescan(Uint8Array.from([...whole, 0x00]), LIMITS), { reason: 'trailing bytes', offset: 4 });
});
