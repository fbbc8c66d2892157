/** Payloads made to crash, stall or fool a decoder. None is ever a valid payload of a record of any kind. */
import { encodeCanonical } from '../../src/record/cbor.js';
import { packFacts } from '../../src/record/syntax-codec.js';
import { wrongRelations } from './hostile-relations.js';
import { SAMPLE } from './sample.js';

export interface Hostile {
  name: string;
  bytes: Uint8Array;
}

const MIB = 1_048_576;

export function hex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
}

/** `head` followed by `size` bytes of `fill`. */
export function padded(head: string, size: number, fill = 0): Uint8Array {
  const start = hex(head);
  const bytes = new Uint8Array(start.length + size).fill(fill);
  bytes.set(start);
  return bytes;
}

/** Hand-written CBOR, most of it seen to hurt a decoder; the key is what it is. */
const WRITTEN: Record<string, string> = {
  empty: '',
  'break alone': 'ff',
  'reserved head 28': '1c',
  'reserved head 31 integer': '1f',
  'array of 2^32-1': '9a ffffffff',
  'array of 2^64-1': '9b ffffffffffffffff',
  'array of 2^31 with content': '9a 80000000 00000000',
  'map of 2^32-1': 'ba ffffffff',
  'map of 2^64-1': 'bb ffffffffffffffff',
  'bytes of 2^32-1': '5a ffffffff',
  'bytes of 2^64-1': '5b ffffffffffffffff',
  'text of 2^32-1': '7a ffffffff 61',
  'text of 2^64-1': '7b ffffffffffffffff 61',
  bignum: 'c2 49 010000000000000000',
  'negative bignum': 'c3 49 010000000000000000',
  'decimal fraction': 'c4 82 1b 7fffffffffffffff 01',
  'big float': 'c5 82 1b 7fffffffffffffff 03',
  'date text': 'c0 74 323031332d30332d32315432303a30343a30305a',
  'date number': 'c1 1a 514b67b0',
  'packed reference': 'c6 00',
  'packed table': 'd8 33 84 81 61 61 80 80 e0',
  'packed table nested': 'd8 33 84 82 d8 33 84 81 61 61 80 80 e0 61 62 80 80 e0',
  RegExp: 'd8 1b 82 66 526567457870 82 64 2861 2b2b 61 67',
  'regexp tag 35': 'd8 23 68 28612b292b2462 21',
  'regexp tag 21066': 'd9 524a 82 65 28612b292b 60',
  Error: 'd8 1b 82 65 4572726f72 61 78',
  'Set tag 258': 'd9 0102 83 01 02 03',
  'Map tag 259': 'd9 0103 a1 61 61 01',
  'shareable tag 28': 'd8 1c 81 d8 1d 00',
  'cycle through tags 28 and 29': 'd8 1c 82 01 d8 1d 00',
  'record tag 105': 'd8 69 83 19 e000 81 61 61 01',
  'record definition dfff': 'd9 dfff 83 19 e000 81 61 61 01',
  'record definitions dffe': 'd9 dffe 83 19 e000 81 61 61 01',
  'bundled strings dff9': 'd9 dff9 82 1a 00000004 61 61 61 62',
  'typed array tag 64': 'd8 40 43 010203',
  'typed array of floats': 'd8 55 48 0000807f 0000c07f',
  'self-described': 'd9 d9f7 a1 64 736b6970 66 62696e617279',
  'tag of 2^64-1': 'db ffffffffffffffff 00',
  'tag chain': `${'c1'.repeat(1000)} 00`,
  'URI tag': 'd8 20 6b 66696c653a2f2f2f657463',
  'base64 tag': 'd8 22 64 41414141',
  'embedded CBOR tag 24': 'd8 18 42 9fff',
  'NaN half': 'f9 7e00',
  'infinity half': 'f9 7c00',
  'NaN single': 'fa 7fc00000',
  'NaN double': 'fb 7ff8000000000000',
  'double one': 'fb 3ff0000000000000',
  undefined: 'f7',
  'simple 0': 'e0',
  'simple 255': 'f8 ff',
  'simple as two bytes': 'f8 14',
  'indefinite array': '9f 01 02 ff',
  'indefinite array unclosed': '9f',
  'indefinite map': 'bf 61 61 01 ff',
  'indefinite text': '7f 61 61 61 62 ff',
  'indefinite bytes': '5f 41 00 41 01 ff',
  'indefinite nested': `${'9f'.repeat(500)}${'ff'.repeat(500)}`,
  '64-bit integer': '1b 0000000100000000',
  '64-bit negative': '3b ffffffffffffffff',
  'integer in two bytes': '18 17',
  'integer in three bytes': '19 00ff',
  'integer in five bytes': '1a 0000ffff',
  'length in long form': '58 01 00',
  'array length in long form': '98 01 00',
  'map length in long form': 'b8 01 61 61 01',
  'duplicate keys': 'a2 64 736b6970 66 62696e617279 64 736b6970 66 736563726574',
  'unsorted keys': 'a2 61 62 01 61 61 02',
  'keys sorted by text, not by length': 'a2 62 6161 01 61 62 02',
  '__proto__ key': 'a1 69 5f5f70726f746f5f5f a1 61 61 01',
  '__proto__ language': 'a1 65 6661637473 a1 69 5f5f70726f746f5f5f 88 00 f4 00 40 00 40 40 f6',
  'constructor key': 'a1 6b 636f6e7374727563746f72 a1 69 70726f746f74797065 a0',
  'map as key': 'a1 a1 61 61 01 02',
  'array as key': 'a1 81 01 02',
  'bytes as key': 'a1 41 61 02',
  'null as key': 'a1 f6 02',
  'text that is not UTF-8': 'a1 64 736b6970 62 ff fe',
  'overlong UTF-8': 'a1 64 736b6970 62 c0 80',
  'surrogate in UTF-8': 'a1 64 736b6970 63 ed a0 80',
  'byte order mark': 'a1 64 736b6970 63 ef bb bf',
  'UTF-8 cut': 'a1 64 736b6970 62 e2 82',
  'trailing zero': 'a1 64 736b6970 66 62696e617279 00',
  'two items': 'a1 64 736b6970 66 62696e617279 a1 64 736b6970 66 62696e617279',
  'unknown skip reason': 'a1 64 736b6970 63 6e6577',
  'skip as bytes': 'a1 64 736b6970 46 62696e617279',
  'skip and facts': 'a2 64 736b6970 66 62696e617279 65 6661637473 a0',
  'no language': 'a1 65 6661637473 a0',
  'facts as an array': 'a1 65 6661637473 80',
};

/** Payloads too large or too regular to write by hand. */
function built(): Hostile[] {
  return [
    { name: 'arrays 500,000 deep', bytes: new Uint8Array(500_000).fill(0x81) },
    { name: 'arrays 17 deep', bytes: hex(`${'81'.repeat(17)}00`) },
    { name: 'maps 100,000 deep', bytes: hex('a100'.repeat(100_000)) },
    { name: 'a million integers', bytes: padded('9a 000f4240', 1_000_000) },
    { name: 'a million empty arrays', bytes: padded('9a 000f4240', 1_000_000, 0x80) },
    { name: 'half a million map entries', bytes: padded('ba 0007a120', 1_000_000) },
    { name: 'bignum of 262 kB', bytes: padded('c2 5a 00040000', 0x40000, 0xff) },
    { name: 'text of 1 MiB', bytes: padded('7a 00100000', MIB, 0x61) },
    { name: 'text just under 1 MiB', bytes: padded('7a 000fff00', 0xfff00, 0x61) },
    { name: 'bytes of 1 MiB', bytes: padded('5a 00100000', MIB) },
    { name: 'packed table of 110 kB', bytes: padded('d8 33 84 9a 0001adb0', 110_000, 0xe0) },
    { name: 'arrays that each claim the rest', bytes: hex('990400'.repeat(300)) },
    { name: 'wide arrays in arrays', bytes: hex(`9818${'9818'.repeat(12)}${'00'.repeat(400)}`) },
    { name: 'a name that is text', bytes: encodeCanonical({ facts: { c: [1, false, 0, '', 0, '', '', null, ''] } }) },
  ];
}

/** Valid CBOR whose facts are wrong: [lines, generated, chunks, columns, symbols, columns, names, relations, parse errors]. */
function wrongFacts(): Hostile[] {
  if (!('facts' in SAMPLE)) return [];
  const good = packFacts(SAMPLE.facts.c) as unknown[];
  const change = (index: number, value: unknown) => good.map((item, i) => (i === index ? value : item));
  const none = new Uint8Array();
  const cases: Record<string, unknown> = {
    'seven fields, as version 1 has them': good.slice(0, 7),
    'eight fields, as version 2 has them': good.slice(0, 8),
    'ten fields': [...good, 0],
    'parse errors as a number': change(8, 0),
    'no parse errors, but their number': change(8, hex('00')),
    '101 parse errors': change(8, hex(`65${'01'.repeat(101)}${'00'.repeat(101)}`)),
    '2^32-1 parse errors': change(8, hex('ffffffff0f')),
    'parse errors without spans': change(8, hex('02 01 02')),
    'bytes after the last parse error': change(8, hex('01 01 00 00')),
    'a parse error on line 0': change(8, hex('01 00 00')),
    'parse errors on one line': change(8, hex('02 01 00 00 01')),
    'a parse error beyond the last line': change(8, hex('01 ff7f 00')),
    'a parse error of 2^31 lines': change(8, hex('01 01 ffffffff0f')),
    'no relations, not even null': change(7, 0),
    'negative lines': change(0, -1),
    'fewer lines than a chunk ends at': change(0, 1),
    'lines beyond any blob': change(0, 0xffffffff),
    'generated as a number': change(1, 1),
    'chunk count of 2^32-1': change(2, 0xffffffff),
    'chunk count of 20,001': change(2, 20_001),
    'chunk count one more': change(2, (good[2] as number) + 1),
    'symbol count of 2^32-1': change(4, 0xffffffff),
    'symbol count one less': change(4, (good[4] as number) - 1),
    'no chunk columns': change(3, none),
    'no symbol columns': change(5, none),
    'no names': change(6, none),
    'names that are not UTF-8': change(6, new Uint8Array((good[6] as Uint8Array).length).fill(0xff)),
    'columns of endless numbers': change(3, new Uint8Array(1000).fill(0xff)),
    'columns of 20,000 zeros': [9, false, 20_000, new Uint8Array(100_000), 0, none, none, null, none],
    'chunk of no bytes': [9, false, 1, hex('00 01 00 00 00'), 0, none, none, null, none],
    'chunk on line 0': [9, false, 1, hex('01 00 00 00 00'), 0, none, none, null, none],
    'chunk beyond 16 MiB': [9, false, 1, hex('81808008 01 00 00 00'), 0, none, none, null, none],
    'chunk of an unknown kind': [9, false, 1, hex('01 01 00 7f 00'), 0, none, none, null, none],
    'chunk about a missing symbol': [9, false, 1, hex('01 01 00 00 01'), 0, none, none, null, none],
    'number in long form': [9, false, 1, hex('8100 01 00 00 00'), 0, none, none, null, none],
    'number beyond 32 bits': [9, false, 1, hex('ffffffff7f 01 00 00 00'), 0, none, none, null, none],
    'symbol in an empty blob': [9, false, 0, none, 1, hex('01 00 00 00 00 01 01 00 00 00 00'), hex('61'), null, none],
    'symbol that contains itself': withSymbol('01 00 01 00 00 01 01 00 00 00 00'),
    'symbol of an unknown kind': withSymbol('01 40 00 00 00 01 01 00 00 00 00'),
    'symbol with more parameters than can be told': withSymbol('01 00 00 78 00 01 01 00 00 00 00'),
    'symbol longer than the blob': withSymbol('01 00 00 00 00 7f 01 00 00 00 00'),
    'symbol on line 0': withSymbol('01 00 00 00 00 01 00 00 00 00 00'),
    'name outside its symbol': withSymbol('01 00 00 00 00 01 01 00 02 00 00'),
    'signature outside its symbol': withSymbol('01 00 00 00 00 01 01 00 00 00 02'),
    'doc before the blob': withSymbol('01 00 00 02 00 01 01 00 00 00 00 02 00'),
    'doc behind the blob': withSymbol('01 00 00 02 00 01 01 00 00 00 00 7f 00'),
    'names cut inside a character': twoNames('c3 a9'),
    'bytes after the last name': twoNames('61 62 63'),
    'name of 513': [
      ...[9, false, 1, hex('01 01 00 00 00'), 1, hex('8104 00 00 00 00 01 01 00 00 00 00')],
      new Uint8Array(513).fill(0x61),
      null,
      none,
    ],
  };
  return Object.entries(cases).map(([name, facts]) => ({
    name,
    bytes: encodeCanonical({ facts: { c: facts } } as Parameters<typeof encodeCanonical>[0]),
  }));
}

function withSymbol(columns: string): unknown[] {
  return [9, false, 1, hex('01 01 00 00 00'), 1, hex(columns), hex('61'), null, new Uint8Array()];
}

/** Two symbols whose names have a byte each. */
function twoNames(names: string): unknown[] {
  const columns = hex('0101 0000 0000 0000 0001 0101 0100 0000 0000 0000 0000');
  return [9, false, 1, hex('02 01 00 00 00'), 2, columns, hex(names), null, new Uint8Array()];
}

/** What one of the wrong ones is made from: fine. */
export const HARMLESS_FACTS = encodeCanonical({
  facts: { c: twoNames('61 62') },
} as Parameters<typeof encodeCanonical>[0]);

export function hostilePayloads(): Hostile[] {
  const written = Object.entries(WRITTEN).map(([name, text]) => ({ name, bytes: hex(text) }));
  return [...written, ...built(), ...wrongFacts(), ...wrongRelations()];
}
