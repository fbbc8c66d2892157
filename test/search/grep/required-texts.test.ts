/** Texts that every match of a pattern contains: never one too many. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { fulfils, marksOf, needOf } from '../../../src/search/grep/required-texts.js';

test('letters in succession are needed, also in groups, and alternatives need one of them', () => {
  assert.deepEqual(needOf('getBean\\('), { text: 'getBean(' });
  assert.deepEqual(needOf('ab?c+d'), { all: [{ text: 'a' }, { text: 'c' }, { text: 'd' }] });
  assert.deepEqual(needOf('foo|(?:bar)'), { any: [{ text: 'foo' }, { text: 'bar' }] });
  assert.deepEqual(needOf('(\\w+)::new[()]'), { text: '::new' });
  assert.deepEqual(marksOf(needOf('get\\w+Names')), ['Names']);
  assert.deepEqual(marksOf(needOf('x(get|set)Bean|remove.*All')), ['Bean', 'remove']);
  assert.equal(marksOf(needOf('get|\\w+')), null);
});

test('groups in succession are no deeper than one, and too deep ones are not looked into', () => {
  const nested = (depth: number) => needOf(`${'('.repeat(depth)}ab${')'.repeat(depth)}`);
  assert.deepEqual([nested(50), nested(51)], [{ text: 'ab' }, null]);
  assert.notEqual(needOf('(ab)'.repeat(60)), null);
});

test('nothing is needed where letters may be left out, or the syntax is not one of the usual forms', () => {
  for (const pattern of ['a*', '(abc)?', 'abc|', '(?i)abc', '\\Qabc\\E', '\\x41bc', '[abc]', 'a{0,2}'])
    assert.equal(needOf(pattern), null, pattern);
});

const letter = fc.constantFrom('a', 'b', 'c', '.', '\\.', '[ab]', '\\w', '[^]a]', '^', '\\b');
const pattern = fc.letrec<{ atom: string; sequence: string; either: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: 'small' },
    letter,
    tie('either').map((inner) => `(${inner})`),
  ),
  sequence: fc
    .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,1}', '+?')), { maxLength: 4 })
    .map((parts) => parts.map(([atom, times]) => (/^(\^|\\b)$/.test(atom) ? atom : atom + times)).join('')),
  either: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((branches) => branches.join('|')),
})).either;

test('a text that matches has what the pattern needs', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', ' ', ']'), maxLength: 12 });
  fc.assert(
    fc.property(pattern, text, (source, line) => {
      fc.pre(RE2JS.compile(source).test(line));
      return fulfils(needOf(source), (needed) => line.includes(needed));
    }),
    { numRuns: 400 },
  );
});
