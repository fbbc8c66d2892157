/** Decoding of raw CBOR: it knows UTF-8 as the platform does, and names the first fault. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decoder } from 'cbor-x/decode';
import fc from 'fast-check';
import { SocraticodeError } from '../../src/base/errors.js';
import {
  aboutBlob,
  type CborLimits,
  type CborValue,
  decodeCanonical,
  encodeCanonical,
  open,
  openAnyVersion,
  seal,
} from '../../src/record/cbor.js';
import { MAX_RECORD_BYTES, RECORD_LIMITS } from '../../src/record/format.js';
import { encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { cpuTimer } from '../support/processes/cpu-time.js';

const WIDE = { ...RECORD_LIMITS, maxItems: 100_000, maxEntries: 10_000 };

/** Describes what is wrong with bytes; null if they are decoded. */
function faultOf(bytes: Uint8Array, limits: CborLimits): string | null {
  try {
    decodeCanonical(bytes, limits);
    return null;
  } catch (error) {
    assert.ok(error instanceof SocraticodeError && error.code === 'RECORD_CORRUPT', String(error));
    return error.message.replace(/^CBOR: /, '');
  }
}

const reasonOf = (bytes: Uint8Array, limits: CborLimits) =>
  faultOf(bytes, limits)?.replace(/ at byte \d+$/, '') ?? null;

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

test('any encoded value decodes to an equal value, and encodes to the same bytes again', () => {
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

test('of changed bytes, those that are decoded are the only encoding of their value, and mean the same to cbor-x', () => {
  const oracle = new Decoder({ useRecords: false, mapsAsObjects: false, copyBuffers: true });
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
  let decoded = 0;
  fc.assert(
    fc.property(anyValue, changes, (value, list) => {
      const bytes = encodeCanonical(value);
      for (const [at, byte] of list) bytes[at % bytes.length] = byte;
      if (faultOf(bytes, WIDE) !== null) return;
      const back = decodeCanonical(bytes, WIDE);
      assert.deepEqual(encodeCanonical(back as CborValue), bytes);
      assert.deepEqual(back, oracle.decode(bytes));
      decoded++;
    }),
    { numRuns: 2_000 },
  );
  assert.ok(decoded > 200, `${decoded} were decoded`);
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
    new Map([[-1, 0]]),
    new Map([[1.5, 0]]),
    new Map([[2 ** 32, 0]]),
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

test('every limit is exact', () => {
  const limits = { maxBytes: 100, maxDepth: 2, maxItems: 6, maxEntries: 4, maxString: 5 };
  const found = (value: CborValue) => reasonOf(encodeCanonical(value), limits);
  assert.equal(found([[1, 2, 3, 4]]), null);
  assert.equal(found([[1, 2, 3, 4], 5]), 'too many items');
  assert.equal(found([[[]]]), 'nested too deeply');
  assert.equal(found([1, 2, 3, 4, 5]), 'too many entries');
  assert.equal(found('12345'), null);
  assert.equal(found('123456'), 'string too long');
  assert.equal(found(new Uint8Array(6)), 'string too long');
  assert.equal(faultOf(new Uint8Array(101), limits), 'too large at byte 100');
});

test('a fault says what was found and where', () => {
  assert.equal(faultOf(Uint8Array.of(0x82, 0x01, 0xc1, 0x00), WIDE), 'tag at byte 2');
  assert.equal(faultOf(Uint8Array.of(0x01, 0x02), WIDE), 'trailing bytes at byte 1');
});

test('1 MiB of the worst items is decoded without stalling', () => {
  const open = { maxBytes: 2 ** 21, maxDepth: 16, maxItems: 2 ** 21, maxEntries: 2 ** 21, maxString: 2 ** 21 };
  const worst = [
    encodeCanonical('é'.repeat(500_000)),
    encodeCanonical(Array.from({ length: 300_000 }, (_, i) => i + 300)),
  ];
  for (const bytes of worst) {
    const usedMs = cpuTimer();
    assert.equal(faultOf(bytes, open), null);
    assert.ok(usedMs() < 5_000);
  }
});

const LIMITS = { maxBytes: 1_000, maxDepth: 8, maxItems: 100, maxEntries: 20, maxString: 100 };
const fault = (...bytes: number[]) => reasonOf(Uint8Array.from(bytes), LIMITS);

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
    fc.string({ unit: 'binary', maxLength: 5 }).map((text) => [...Buffer.from(text)]),
  );
  fc.assert(
    fc.property(bytes, fc.nat(3), fc.nat(3), (list, before, after) => {
      fc.pre(!String.fromCharCode(...list).startsWith('\xef\xbb\xbf'));
      // An array of three texts: one that is fine, the one in question, and one that is fine.
      const plain = (length: number) => [TEXT + length, ...Array(length).fill(0x61)];
      const whole = [0x83, ...plain(before), TEXT + list.length, ...list, ...plain(after)];
      const said = platformSays(Uint8Array.from(list)) ? null : 'text is not UTF-8';
      assert.equal(fault(...whole), said, list.join());
    }),
    { numRuns: 2_000 },
  );
});

/** Head of a text of less than 24 bytes. */
const TEXT = 0x60;

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
  assert.equal(faultOf(Uint8Array.from(whole.slice(0, 3)), LIMITS), 'truncated at byte 3');
  assert.equal(faultOf(new Uint8Array(), LIMITS), 'truncated at byte 0');
  assert.equal(faultOf(Uint8Array.from([...whole, 0x00]), LIMITS), 'trailing bytes at byte 4');
});

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

test('a fault of an envelope says what was found', () => {
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
