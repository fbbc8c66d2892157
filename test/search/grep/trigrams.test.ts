/** Trigram filters save reading, and never a file that matches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hitsOf } from '../../../src/search/grep/hits.js';
import { compilePattern } from '../../../src/search/grep/required-texts.js';
import { TrigramFilters, trigramsOf } from '../../../src/search/grep/trigrams.js';

const OID = 'a'.repeat(40);

function filtersOf(text: string): TrigramFilters {
  const filters = TrigramFilters.empty(20);
  filters.add(OID, Buffer.from(text), { isBinary: () => false, isSecret: () => false });
  return TrigramFilters.of(filters.encode(), 'trigrams');
}

test('a text with a hit is always read', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'b', 'K', 's', 'ſ', '\u212a', 'é', '.'),
    minLength: 1,
    maxLength: 6,
  });
  const given = fc.record({ pattern: word, fixed: fc.boolean(), words: fc.boolean(), ignoreCase: fc.boolean() });
  const around = fc.constantFrom('', ' ', 'x', 'AB\n');
  fc.assert(
    fc.property(given, around, around, fc.boolean(), (options, before, after, upper) => {
      const text = before + (upper ? options.pattern.toUpperCase() : options.pattern) + after;
      const pattern = compilePattern(options);
      fc.pre([...hitsOf(text, pattern)].some((hit) => hit !== null));
      return filtersOf(text).judge(OID, trigramsOf(pattern)) === 'read';
    }),
    { numRuns: 500 },
  );
});

test('a text without the letters of a pattern is not read, whatever their case', () => {
  const filters = filtersOf('export function total(cart) {}\n'.repeat(20));
  const judge = (pattern: string, ignoreCase = false) =>
    filters.judge(OID, trigramsOf(compilePattern({ pattern, ignoreCase })));
  assert.equal(judge('getBeanDefinition'), 'none');
  assert.equal(judge('getBEANDefinition', true), 'none');
  assert.equal(judge('get\\w+Bean|fooBarBaz'), 'none');
  assert.equal(judge('fooBarBaz|total'), 'read');
  assert.equal(judge('TOTAL', true), 'read');
  assert.equal(judge('\\d+'), 'read');
});

test('a blob that was read is known by its size, and whether it holds a secret, asked by its own trigrams', () => {
  const text = Buffer.from('const token = read();\n');
  const filters = TrigramFilters.empty(20);
  const asked: boolean[] = [];
  const isSecret = (_: Buffer, mayHold: (text: string) => boolean) => {
    asked.push(mayHold('TOKEN'), mayHold('secret'));
    return true;
  };
  filters.add(OID, text, { isBinary: () => false, isSecret });
  filters.add('b'.repeat(40), text, { isBinary: () => false, isSecret: () => false });
  const kept = TrigramFilters.of(filters.encode(), 'trigrams');
  assert.deepEqual(kept.known(OID), { size: text.length, isBinary: false, isClean: false });
  assert.equal(kept.known('b'.repeat(40))?.isClean, true);
  assert.equal(kept.known('c'.repeat(40)), null);
  assert.deepEqual(asked, [true, false]);
});

test('binary blobs are known as such, and unknown ones are read', () => {
  const filters = TrigramFilters.empty(20);
  filters.add(OID, Buffer.from('\0'), { isBinary: () => true, isSecret: () => false });
  const kept = TrigramFilters.of(filters.encode(), 'trigrams');
  assert.equal(kept.judge(OID, null), 'binary');
  assert.equal(kept.judge('b'.repeat(40), trigramsOf(compilePattern({ pattern: 'abc' }))), 'read');
  assert.throws(() => TrigramFilters.of(Buffer.from('nothing'), 'trigrams'), { code: 'SHARD_CORRUPT' });
});
