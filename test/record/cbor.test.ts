import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SocraticodeError } from '../../src/base/errors.js';
import { type CborValue, decodeCanonical, encodeCanonical } from '../../src/record/cbor.js';
import { RECORD_LIMITS } from '../../src/record/limits.js';
import { prescan } from '../../src/record/prescan.js';
import { cpuTimer } from '../support/processes/cpu-time.js';

const WIDE = { ...RECORD_LIMITS, maxItems: 100_000, maxEntries: 10_000 };

const text = fc.string({ unit: 'binary', maxLength: 90 }).filter((value) => !value.startsWith('\ufeff'));
const leaf = fc.oneof(
  fc.integer({ min: -(2 ** 32), max: 2 ** 32 - 1 }),
  text,
  fc.boolean(),
  fc.constant(null),
  fc.uint8Array(),
);
const { value: anyValue } = fc.letrec<{ value: CborValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 30 }),
    fc
      .uniqueArray(fc.tuple(fc.oneof(text, fc.nat()), tie('value')), { maxLength: 30, selector: ([key]) => key })
      .map((entries) => new Map(entries)),
  ),
}));

function hexOf(value: CborValue): string {
  return Buffer.from(encodeCanonical(value)).toString('hex');
}

test('any encoded value passes the prescan, decodes to an equal value, and encodes to the same bytes again', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const bytes = encodeCanonical(value);
      const back = decodeCanonical(bytes, WIDE);
      assert.deepEqual(back, value);
      assert.deepEqual(encodeCanonical(back as CborValue), bytes);
    }),
    { numRuns: 500 },
  );
});

test('the order in which keys are set does not change the bytes', () => {
  const keys = fc.uniqueArray(fc.oneof(text, fc.nat()), { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(keys, (list) => {
      const forward = new Map(list.map((key): [string | number, CborValue] => [key, 1]));
      assert.equal(hexOf(forward), hexOf(new Map([...forward].reverse())));
    }),
  );
});

test('the examples of RFC 8949 appendix A encode and decode as given there', () => {
  assert.equal(hexOf(23), '17');
  assert.equal(hexOf(24), '1818');
  assert.equal(hexOf(1_000_000), '1a000f4240');
  assert.equal(hexOf(-1000), '3903e7');
  assert.equal(hexOf('水'), '63e6b0b4');
  assert.equal(hexOf(Uint8Array.of(1, 2, 3, 4)), '4401020304');
  assert.equal(hexOf([1, [2, 3], [4, 5]]), '8301820203820405');
  assert.equal(hexOf({ b: [2, 3], a: 1 }), 'a26161016162820203');
});

test('byte strings decode as Uint8Arrays that own their bytes', () => {
  const source = encodeCanonical([Uint8Array.of(1, 2)]);
  const [bytes] = decodeCanonical(source, WIDE) as [Uint8Array];
  source.fill(0);
  assert.equal(bytes.constructor, Uint8Array);
  assert.deepEqual([...bytes], [1, 2]);
});

test('sixteen levels are encoded, and a seventeenth is refused', () => {
  const nested = (levels: number): CborValue => (levels === 0 ? 1 : [nested(levels - 1)]);
  assert.equal(encodeCanonical(nested(16)).length, 17);
  assert.throws(() => encodeCanonical(nested(17)), /more than 16 levels/);
  assert.throws(() => encodeCanonical({ a: nested(16) }), /more than 16 levels/);
});

test('__proto__ is a key like any other', () => {
  const map = decodeCanonical(encodeCanonical(new Map([['__proto__', 1]])), WIDE);
  assert.deepEqual(map, new Map([['__proto__', 1]]));
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test('values that CBOR could hold in several ways are refused', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const values = [
    1.5,
    Number.NaN,
    2 ** 32,
    -(2 ** 32) - 1,
    1n,
    undefined,
    new Date(0),
    /a/,
    new Set([1]),
    '\ud800',
    '\ufeffa',
    cycle,
    () => 1,
  ];
  for (const value of values) {
    assert.throws(() => encodeCanonical([value] as CborValue), isInternal, String(value));
  }
});

function isInternal(error: unknown): boolean {
  return error instanceof SocraticodeError && error.code === 'INTERNAL';
}

test('every limit of the prescan is exact', () => {
  const limits = { maxBytes: 100, maxDepth: 2, maxItems: 6, maxEntries: 4, maxString: 5 };
  const reasonOf = (value: CborValue) => prescan(encodeCanonical(value), limits)?.reason ?? null;
  assert.equal(reasonOf([[1, 2, 3, 4]]), null);
  assert.equal(reasonOf([[1, 2, 3, 4], 5]), 'too many items');
  assert.equal(reasonOf([[[]]]), 'nested too deeply');
  assert.equal(reasonOf([1, 2, 3, 4, 5]), 'too many entries');
  assert.equal(reasonOf('12345'), null);
  assert.equal(reasonOf('123456'), 'string too long');
  assert.equal(reasonOf(new Uint8Array(6)), 'string too long');
  assert.deepEqual(prescan(new Uint8Array(101), limits), { reason: 'too large', offset: 100 });
});

test('the prescan names what it found and where', () => {
  assert.deepEqual(prescan(Uint8Array.of(0x82, 0x01, 0xc1, 0x00), WIDE), { reason: 'tag', offset: 2 });
  assert.deepEqual(prescan(Uint8Array.of(0x01, 0x02), WIDE), { reason: 'trailing bytes', offset: 1 });
});

test('the prescan passes 1 MiB of the worst items without stalling', () => {
  const open = { maxBytes: 2 ** 21, maxDepth: 16, maxItems: 2 ** 21, maxEntries: 2 ** 21, maxString: 2 ** 21 };
  const worst = [
    encodeCanonical('é'.repeat(500_000)),
    encodeCanonical(Array.from({ length: 300_000 }, (_, i) => i + 300)),
  ];
  for (const bytes of worst) {
    const usedMs = cpuTimer();
    assert.equal(prescan(bytes, open), null);
    assert.ok(usedMs() < 5_000);
  }
});
