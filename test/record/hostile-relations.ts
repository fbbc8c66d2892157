/** Relations that are valid CBOR and wrong. Hand-written columns, one value a byte, are about a blob of 9 lines and one symbol. */
import { type CborValue, encodeCanonical } from '../../src/record/cbor.js';

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
}

/** The payload of a record whose only facts have these relations. */
export function relationsPayload(relations: CborValue): Uint8Array {
  const symbol = [bytes('01 00 00 00 00 01 01 00 00 00 00'), bytes('61')];
  return encodeCanonical({
    facts: { c: [9, false, 1, bytes('01 01 00 00 00'), 1, ...symbol, relations, new Uint8Array()] },
  });
}

function of(columns: string, text = 'a'): CborValue {
  return [bytes(columns), Buffer.from(text)];
}

const REFERENCE = '00 00 00 01 00';
const TWO_REFERENCES = '00 00 00 02 00';
const IMPORT = '01 01 00 00 00';

/** What the wrong ones are made from; every one of them is fine. */
export const HARMLESS_RELATIONS: Readonly<Record<string, CborValue>> = {
  none: null,
  reference: of(`${REFERENCE} 00 01 03 01 01 01`),
  'reference with all there is': of(`${REFERENCE} 07 01 04 01 01 01 01 01 07 01 01 01 01`, 'abcd'),
  'two references of the same name': of(`${TWO_REFERENCES} 00 00 01 02 03 03 00 00 01 00 01`),
  'types of two texts and another': of(`${REFERENCE} 00 01 07 01 01 01 01 01`, 'ab'),
  import: of(`${IMPORT} 00 01 01 00 01 00 01 01 01 01 01 01`, 'abc'),
  export: of('00 00 01 00 00 01 00 01 01'),
  binding: of('00 00 00 00 01 01 01 00 00 09 01'),
};

const WRONG: Readonly<Record<string, CborValue>> = {
  'relations as a number': 0,
  'types of texts in long form': of(`${REFERENCE} 00 01 07 01 01 01 01 01`, 'a"'),
  'relations as bytes': new Uint8Array(),
  'relations of one part': [new Uint8Array()],
  'relations of three parts': [bytes(`${REFERENCE} 00 01 03 01 01 01`), bytes('61'), null],
  'strings as text': [bytes(`${REFERENCE} 00 01 03 01 01 01`), 'a'],
  'no columns': of('', ''),
  'empty relations that are not null': of('00 00 00 00 00', ''),
  'counts cut': of('00 00 00 01', ''),
  '2^32-1 references': of('00 00 00 ffffffff0f 00'),
  '20,001 references': [Buffer.concat([bytes('00 00 00 a19c01 00'), new Uint8Array(200_000)]), new Uint8Array()],
  '20,000 references and no columns': of('00 00 00 a09c01 00'),
  '5,001 imports': [Buffer.concat([bytes('8927 00 00 00 00'), new Uint8Array(100_000)]), new Uint8Array()],
  'an unknown kind of reference': of(`${REFERENCE} 58 01 03 01 01 01`),
  'an unknown kind of import': of(`${IMPORT} 0a 01 01 00 01 00 01 00 01 01`, 'ab'),
  'a string from later': of(`${REFERENCE} 00 02 03 01 01 01`),
  'a string that is not there': of(`${REFERENCE} 00 01 03 01 01`, ''),
  'a string of nothing': of(`${REFERENCE} 00 01 03 01 01 00`, ''),
  'a string of 201': of(`${REFERENCE} 00 01 03 01 01 c901`, 'x'.repeat(201)),
  'a string longer than the text': of(`${REFERENCE} 00 01 03 01 01 02`),
  'text after the last string': of(`${REFERENCE} 00 01 03 01 01 01`, 'ab'),
  'strings that are not UTF-8': [bytes(`${REFERENCE} 00 01 03 01 01 01`), bytes('ff')],
  'a string cut inside a character': of(`${TWO_REFERENCES} 00 00 01 01 03 03 00 00 01 00 01 01`, '\u{1f600}'),
  'a string that stands twice': of(`${TWO_REFERENCES} 00 00 01 01 03 03 00 00 01 00 01 01`, 'aa'),
  'a reference of a missing symbol': of(`${REFERENCE} 00 01 03 03 01 01`),
  'a reference of a symbol before the first': of(`${REFERENCE} 00 01 03 02 01 01`),
  'a reference on line 0': of(`${REFERENCE} 00 01 03 01 00 01`),
  'a reference beyond the last line': of(`${REFERENCE} 00 01 03 01 0a 01`),
  'a reference that ends beyond the last line': of(`${REFERENCE} 04 01 03 01 01 09 01`),
  'a receiver that is empty': of(`${REFERENCE} 01 01 03 01 01 00 01`),
  'a literal that is empty': of(`${REFERENCE} 02 01 03 01 01 00 01`),
  'types that are empty': of(`${REFERENCE} 00 01 04 01 01 00 01`),
  'texts without an argument': of(`${REFERENCE} 00 01 05 01 01 01`),
  'a span of one line': of(`${REFERENCE} 04 01 03 01 01 00 01`),
  'a binding beyond the last line': of('00 00 00 00 01 01 01 00 00 0a 01'),
  'an export beyond the last line': of('00 00 01 00 00 01 00 0a 01'),
  'an import that ends beyond the last line': of(`${IMPORT} 00 01 01 00 01 09 01 00 01 01`, 'ab'),
  'more names than the imports have': of('01 02 00 00 00 00 01 01 00 01 00 01 01 00 00 01 01 01', 'abc'),
  'fewer names than the import has': of(`${IMPORT} 00 01 02 00 01 00 01 00 01 01`, 'ab'),
  'names of no import': of('00 01 00 00 00 01 00 01'),
  'an alias that is the name': of(`${IMPORT} 00 01 01 00 01 00 01 01 03 01 01`, 'ab'),
  'an unknown flag of a name': of(`${IMPORT} 00 01 01 00 01 00 01 02 01 01 01 01`, 'abc'),
  'bytes after the last column': of(`${REFERENCE} 00 01 03 01 01 01 00`),
  'a number in long form': of(`${REFERENCE} 8000 01 03 01 01 01`),
};

export function wrongRelations(): { name: string; bytes: Uint8Array }[] {
  return Object.entries(WRONG).map(([name, relations]) => ({ name, bytes: relationsPayload(relations) }));
}
