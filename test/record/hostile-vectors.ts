/** Payloads that are wrong as vectors, most of them in valid CBOR: `[dimensions, { language: [hashes, rows] }]`. */
import { type CborValue, encodeCanonical } from '../../src/record/cbor.js';
import { type Hostile, hex, padded } from './hostile.js';

const DIMENSIONS = 16;
const HASH = new Uint8Array(8).fill(0xab);
const ROW = new Uint8Array(DIMENSIONS).fill(1).fill(127, 3, 4);
const GOOD = [HASH, ROW];

/** `count` copies of `part`, one after the other. */
function times(part: Uint8Array, count: number): Uint8Array {
  return new Uint8Array(Buffer.concat(Array.from({ length: count }, () => part)));
}

function rowWith(value: number): Uint8Array {
  return new Uint8Array(DIMENSIONS).fill(value & 0xff, 5, 6);
}

/** The vectors of one language in place of good ones. */
const WRONG_CHUNKS: Record<string, CborValue> = {
  'no fields': [],
  'hashes alone': [HASH],
  'three fields': [HASH, ROW, 0],
  'a map of fields': { hashes: HASH, rows: ROW },
  'bytes alone': ROW,
  'hashes as text': ['abababab', ROW],
  'rows as text': [HASH, 'a'.repeat(DIMENSIONS)],
  'rows as numbers': [HASH, [...ROW]],
  'rows of null': [HASH, null],
  'seven bytes of a hash': [HASH.subarray(1), ROW],
  'a byte after the hashes': [Uint8Array.of(...HASH, 0), ROW],
  'a hash without a row': [HASH, new Uint8Array()],
  'a row without a hash': [new Uint8Array(), ROW],
  'a row more than hashes': [HASH, times(ROW, 2)],
  'a hash more than rows': [times(HASH, 2), ROW],
  'a row cut': [HASH, ROW.subarray(0, DIMENSIONS - 1)],
  'a row too long': [HASH, Uint8Array.of(...ROW, 0)],
  'hashes and rows exchanged': [ROW, HASH],
  'a row of zeros': [HASH, new Uint8Array(DIMENSIONS)],
  'a second row of zeros': [times(HASH, 2), Uint8Array.of(...ROW, ...new Uint8Array(DIMENSIONS))],
  'a row not scaled': [HASH, rowWith(1)],
  'a row with 126 as its largest': [HASH, rowWith(-126)],
  'a row with -128': [HASH, Uint8Array.from(ROW, (value, i) => (i === 5 ? 0x80 : value))],
  '20,001 chunks': [times(HASH, 20_001), times(ROW, 20_001)],
  '100,000 hashes': [new Uint8Array(800_000), ROW],
  '60,000 rows of zeros': [times(HASH, 4), new Uint8Array(960_000)],
};

const WRONG_DIMENSIONS: Record<string, CborValue> = {
  'no dimensions': 0,
  'negative dimensions': -16,
  '15 dimensions': 15,
  '17 dimensions, 16 in the rows': 17,
  '4097 dimensions': 4097,
  '2^32-1 dimensions': 0xffff_ffff,
  'dimensions as text': '16',
  'dimensions as a map': {},
  'dimensions of null': null,
  'dimensions of true': true,
};

function many(count: number): Map<string, CborValue> {
  return new Map(Array.from({ length: count }, (_, i): [string, CborValue] => [`l${i}`, GOOD]));
}

const WRONG_PAYLOADS: Record<string, CborValue> = {
  'vectors as facts': { facts: { c: GOOD } },
  'an object of fields': { dimensions: DIMENSIONS, languages: { c: GOOD } },
  'a payload of one': [DIMENSIONS],
  'a payload of three': [DIMENSIONS, { c: GOOD }, 0],
  'languages as an array': [DIMENSIONS, [GOOD]],
  'no languages': [DIMENSIONS, {}],
  '17 languages': [DIMENSIONS, many(17)],
  '64 languages': [DIMENSIONS, many(64)],
  '__proto__ as a language': [DIMENSIONS, new Map([['__proto__', GOOD]])],
  'a number as a language': [DIMENSIONS, new Map([[1, GOOD]])],
  'an empty language': [DIMENSIONS, { '': GOOD }],
  'a language in capitals': [DIMENSIONS, { C: GOOD }],
  'a language with a newline': [DIMENSIONS, { 'c\n': GOOD }],
  'a language of 33 letters': [DIMENSIONS, { ['c'.repeat(33)]: GOOD }],
  'a good language and a bad one': [DIMENSIONS, { c: GOOD, cpp: [HASH, new Uint8Array(DIMENSIONS)] }],
};

const HASH_HEX = `48 ${'ab'.repeat(8)}`;
const ROW_HEX = `50 ${Buffer.from(ROW).toString('hex')}`;
const GOOD_HEX = `82 ${HASH_HEX} ${ROW_HEX}`;

/** What canonical CBOR cannot hold, in each place that a reader looks at. */
const WRITTEN: Record<string, string> = {
  'dimensions as a bignum': `82 c2 41 10 a1 61 63 ${GOOD_HEX}`,
  'dimensions in two bytes': `82 18 10 a1 61 63 ${GOOD_HEX}`,
  'dimensions in 64 bits': `82 1b 0000000000000010 a1 61 63 ${GOOD_HEX}`,
  'dimensions as a float': `82 f9 4c00 a1 61 63 ${GOOD_HEX}`,
  'hashes as a bignum': `82 10 a1 61 63 82 c2 ${HASH_HEX} ${ROW_HEX}`,
  'rows as a typed array of int8': `82 10 a1 61 63 82 ${HASH_HEX} d8 48 ${ROW_HEX}`,
  'rows as a typed array of floats': `82 10 a1 61 63 82 ${HASH_HEX} d8 55 ${ROW_HEX}`,
  'rows in chunks': `82 10 a1 61 63 82 ${HASH_HEX} 5f ${ROW_HEX} ff`,
  'rows that claim 2^32-1 bytes': `82 10 a1 61 63 82 ${HASH_HEX} 5a ffffffff`,
  'rows that claim 2^64-1 bytes': `82 10 a1 61 63 82 ${HASH_HEX} 5b ffffffffffffffff`,
  'rows with a length in long form': `82 10 a1 61 63 82 ${HASH_HEX} 58 10 ${ROW_HEX.slice(3)}`,
  'a tagged payload': `d9 d9f7 82 10 a1 61 63 ${GOOD_HEX}`,
  'tagged languages': `82 10 d9 0103 a1 61 63 ${GOOD_HEX}`,
  'the same language twice': `82 10 a2 61 63 ${GOOD_HEX} 61 63 ${GOOD_HEX}`,
  'languages out of order': `82 10 a2 61 64 ${GOOD_HEX} 61 63 ${GOOD_HEX}`,
  'a language as bytes': `82 10 a1 41 63 ${GOOD_HEX}`,
  'languages of indefinite length': `82 10 bf 61 63 ${GOOD_HEX} ff`,
  'a byte behind vectors': `82 10 a1 61 63 ${GOOD_HEX} 00`,
  'vectors twice': `82 10 a1 61 63 ${GOOD_HEX} 82 10 a1 61 63 ${GOOD_HEX}`,
  'vectors cut': `82 10 a1 61 63 ${GOOD_HEX.slice(0, -2)}`,
};

/** What all of the above are one change away from. */
export const HARMLESS_VECTORS: Uint8Array = hex(`82 10 a1 61 63 ${GOOD_HEX}`);

export function hostileVectorPayloads(): Hostile[] {
  const valid: [string, CborValue][] = [
    ...Object.entries(WRONG_CHUNKS).map(([name, chunks]): [string, CborValue] => [name, [DIMENSIONS, { c: chunks }]]),
    ...Object.entries(WRONG_DIMENSIONS).map(([name, n]): [string, CborValue] => [name, [n, { c: GOOD }]]),
    ...Object.entries(WRONG_PAYLOADS),
  ];
  return [
    ...valid.map(([name, value]) => ({ name, bytes: encodeCanonical(value) })),
    ...Object.entries(WRITTEN).map(([name, text]) => ({ name, bytes: hex(text) })),
    {
      name: '250 rows of 4096 zeros',
      bytes: padded(`82 19 1000 a1 61 63 82 59 07d0 ${'00'.repeat(2000)} 5a 000fa000`, 1_024_000),
    },
  ];
}
