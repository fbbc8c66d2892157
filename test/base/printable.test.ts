/** Numbers with commas, against the text of the standard library, and text that is made visible. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { groupDigits, safeJson, visibleDocument, visibleLine } from '../../src/base/printable.js';

test('an integer is written as toLocaleString writes it in English', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => assert.equal(groupDigits(value), value.toLocaleString('en'))),
    { examples: [[0], [999], [1000], [-1000], [123_456], [1_234_567]] },
  );
});

test('digits after the point have no commas', () => {
  assert.equal(groupDigits(1234.5678), '1,234.5678');
  assert.equal(groupDigits(0.5), '0.5');
});

test('a line of a file with CRLF ends in nothing visible, in documents for agents and for writers', () => {
  assert.deepEqual(visibleDocument({ text: '  return a;\r', path: 'a\rb' }), { text: '  return a;', path: 'a\\x0db' });
  assert.deepEqual(visibleDocument({ text: 'x\r' }, ['text']), { text: 'x' });
});

test('a joiner is shown between two emoji, where it is part of one sign, and escaped anywhere else', () => {
  for (const sign of ['\u{1f9d1}\u200d\u{1f4bb}', '\u{1f9d1}\u{1f3fd}\u200d\u{1f4bb}', '\u2764\ufe0f\u200d\u{1f525}']) {
    assert.equal(visibleLine(sign), sign);
    assert.equal(safeJson(sign), JSON.stringify(sign));
  }
  assert.equal(visibleLine('Ev\u200dil'), 'Ev\\u200dil');
  assert.equal(visibleLine('\u{1f9d1}\u200d\u200d\u{1f4bb}'), '\u{1f9d1}\\u200d\\u200d\u{1f4bb}');
  assert.equal(visibleLine('a\u200d\u{1f4bb}\u200d'), 'a\\u200d\u{1f4bb}\\u200d');
});
