/** Strings of a table are found, before and after it is hashed, whatever they hold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LexicalBuilder } from '../../src/shard/builder.js';
import {
  encodeLexical,
  hashStrings,
  isFailedParse,
  packStrings,
  StringTable,
  sortUtf8,
  UNIT_STATES,
} from '../../src/shard/lexical-format.js';

const texts = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 4 }));
/** More look-ups than pay for a hash. */
const MANY = 4_100;

test('a table that is asked often finds the same strings as before', () => {
  const asks = fc.tuple(fc.uniqueArray(texts, { maxLength: 40 }), fc.array(texts, { maxLength: 20 }));
  fc.assert(
    fc.property(asks, ([held, others]) => {
      const sorted = sortUtf8(held);
      const table = new StringTable(packStrings(sorted));
      const asked = [...sorted, ...others, '', 'é', 'a'];
      const expected = asked.map((text) => sorted.indexOf(text));
      assert.deepEqual(
        asked.map((text) => table.find(text)),
        expected,
      );
      for (let i = 0; i < MANY; i++) table.find('never there');
      assert.deepEqual(
        asked.map((text) => table.find(text)),
        expected,
      );
    }),
    { numRuns: 20 },
  );
});

test('a table finds all strings of another one as it finds each, whether the other is sorted or not', () => {
  const both = fc.tuple(fc.uniqueArray(texts, { maxLength: 60 }), fc.array(texts, { maxLength: 60 }), fc.boolean());
  fc.assert(
    fc.property(both, ([held, others, isSorted]) => {
      const sorted = sortUtf8(held);
      const asked = [...others, ...held.filter((_, i) => i % 3 > 0)];
      const order = isSorted ? sortUtf8(asked) : asked;
      const found = new StringTable(packStrings(sorted)).indexesOf(packStrings(order));
      assert.deepEqual(
        [...found],
        order.map((text) => sorted.indexOf(text)),
      );
    }),
  );
});

test('a table of a repository is hashed, one with strings made to collide is not', () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `name${i.toString(36)}`);
  const hash = hashStrings(packStrings(names));
  assert.deepEqual([hash?.find(names[12_345]), hash?.find('name'), hash?.find('näme')], [12_345, -1, null]);
  assert.equal(hashStrings(packStrings(collidingNames(7))), null);
});

/** FNV-1a of 32 bits, from a state. */
function fnv(state: number, text: string): number {
  let hash = state;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** As many names as 2 to the `steps`, all of one hash: at each step two endings lead to the same state (Joux, 2004). */
function collidingNames(steps: number): string[] {
  let state = 0x811c9dc5;
  let names = [''];
  for (let step = 0; step < steps; step++) {
    const seen = new Map<number, string>();
    for (let i = 0; ; i++) {
      const ending = i.toString(36);
      const next = fnv(state, ending);
      const other = seen.get(next);
      seen.set(next, ending);
      if (other === undefined) continue;
      names = names.flatMap((name) => [name + other, name + ending]);
      state = next;
      break;
    }
  }
  return names;
}

test('a file is parsed once more after a parser that was too slow or crashed, and after nothing else', () => {
  assert.deepEqual(UNIT_STATES.filter(isFailedParse), ['parse-timeout', 'parse-crash']);
  for (const state of [null, undefined, '']) assert.equal(isFailedParse(state), false);
});

test('files in another order give the same bytes, also files of one content in several languages', () => {
  const encoded = (...units: [oid: string, language: string][]) => {
    const builder = new LexicalBuilder(20);
    for (const [oid, language] of units) builder.addSkipped(oid.repeat(40), language, 'binary', 1);
    return encodeLexical(builder.finish());
  };
  const expected = encoded(['a', 'c'], ['a', 'cpp'], ['b', 'c']);
  assert.deepEqual(encoded(['a', 'cpp'], ['a', 'c'], ['b', 'c']), expected);
  assert.deepEqual(encoded(['b', 'c'], ['a', 'cpp'], ['a', 'c']), expected);
});
