/** Documents are cut into terms from their bytes, queries from strings: both have to give the same terms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textTerms } from '../../src/extract/terms.js';
import { Identifiers } from '../../src/shard/builder.js';
import { compareUtf8, packStrings, StringTable, sortUtf8 } from '../../src/shard/lexical-format.js';

function reader() {
  const identifiers = new Identifiers();
  const collect = (each: (visit: (term: number) => void) => void) => {
    const ids: number[] = [];
    each((id) => ids.push(id));
    const words = [...identifiers.termIds.keys()];
    return ids.map((id) => words[id]);
  };
  return {
    ofBytes: (bytes: Uint8Array) => collect((visit) => identifiers.eachTerm(bytes, visit)),
    ofName: (name: string) => collect((visit) => identifiers.eachTermOf(name, visit)),
  };
}

const piece = fc.oneof(
  fc.constantFrom(
    'getUser',
    'HTTPServer2',
    'snake_case',
    ' ',
    '\n',
    '.',
    '“quoted”',
    '日本語',
    'naïve',
    '𐐷x',
    '\ufeff',
    'é_b',
  ),
  fc.string({ maxLength: 12 }),
  fc.constantFrom('a'.repeat(64), 'b'.repeat(65), `${'é'.repeat(70)} `),
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

test('the bytes of a text give the same terms as the text', () => {
  const { ofBytes } = reader();
  fc.assert(fc.property(text, (value) => assert.deepEqual(ofBytes(Buffer.from(value)), textTerms(value))));
});

test('bytes that are not UTF-8 give the terms of the text that they decode to', () => {
  const { ofBytes } = reader();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      assert.deepEqual(ofBytes(bytes), textTerms(Buffer.from(bytes).toString('utf8')));
    }),
  );
});

test('a name of any length gives the same terms as text with that name', () => {
  const { ofName } = reader();
  fc.assert(fc.property(text, (name) => assert.deepEqual(ofName(name), textTerms(name))));
  const long = Array.from({ length: 100 }, (_, i) => `part${i}`).join('.');
  assert.deepEqual(ofName(long), textTerms(long));
});

test('many identifiers are told apart, even if their hashes collide', () => {
  const { ofBytes } = reader();
  const many = Array.from({ length: 40_000 }, (_, i) => `w${i.toString(36)}q`).join(' ');
  assert.deepEqual(ofBytes(Buffer.from(many)), textTerms(many));
  assert.deepEqual(ofBytes(Buffer.from(many)), textTerms(many));
  const colliding = collidingIdentifiers(80).join(' ');
  const second = reader();
  for (let round = 0; round < 2; round++)
    assert.deepEqual(second.ofBytes(Buffer.from(colliding)), textTerms(colliding));
});

/** Identifiers whose FNV-1a hashes agree in the bits that choose a slot: more than are probed. */
function collidingIdentifiers(count: number): string[] {
  const found: string[] = [];
  for (let i = 0; found.length < count; i++) {
    const identifier = `x${i.toString(36)}`;
    let hash = 0x811c9dc5;
    for (const c of Buffer.from(identifier)) hash = Math.imul(hash ^ c, 0x01000193);
    if ((hash & 0x7fff) === 7) found.push(identifier);
  }
  return found;
}

test('string tables are in the order of UTF-8 and hold any string', () => {
  const strings = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\uff5e', '😀', '\ue000', 'é', 'z')),
  );
  fc.assert(
    fc.property(strings, (list) => {
      assert.deepEqual(sortUtf8(list), [...list].sort(compareUtf8));
      const table = new StringTable(packStrings(list));
      assert.deepEqual(
        list.map((_, i) => table.at(i)),
        list.map((value) => Buffer.from(value).toString()),
      );
    }),
  );
  // Halves of one character that meet at the border of two strings.
  const halves = new StringTable(packStrings(['a\ud83d', '\ude00b']));
  assert.deepEqual([halves.at(0), halves.at(1)], ['a\ufffd', '\ufffdb']);
});
