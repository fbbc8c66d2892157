/** Highlighted words: every form that was searched for, at its place, and nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createHighlighter } from '../../../src/questions/results/highlight.js';

const words = (query: string, text: string, extra?: string[]) =>
  createHighlighter(query, extra)(text).map(({ offset, length }) => text.slice(offset, offset + length));

test('all forms of a word, parts of names included, stop words not', () => {
  const text = 'the parser is parsing parsed text: parseText(the_text)';
  assert.deepEqual(words('how is the text parsed', text), ['parsing', 'parsed', 'text', 'parseText', 'the_text']);
});

test('a name in another style', () => {
  assert.deepEqual(words('get_user', 'getUser(user_id)'), ['getUser', 'user_id']);
});

test('corrections count like the words they stand for', () => {
  assert.deepEqual(words('pasword', 'const password = 1;', ['password']), ['password']);
});

test('property: places are in order, do not overlap, and lie within the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.string({ maxLength: 20 }), (text, query) => {
      let end = 0;
      for (const { offset, length, terms } of createHighlighter(`${query} ${text.slice(0, 10)}`)(text)) {
        assert.ok(offset >= end && length > 0 && terms.length > 0);
        end = offset + length;
      }
      assert.ok(end <= text.length);
    }),
  );
});
