/** Numbers with commas, against the text of the standard library, and text that is made visible. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  chooseSigns,
  codeSpan,
  groupDigits,
  longestFence,
  quotedWord,
  safeJson,
  shellWord,
  signs,
  visibleDocument,
  visibleLine,
  visiblePatch,
} from '../../src/base/printable.js';

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

test('the first variable that is set says what the locale is, and without UTF-8 the signs are of ASCII', (t) => {
  const before = { ...signs };
  t.after(() => Object.assign(signs, before));
  const cut = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform = 'linux') => {
    Object.assign(signs, before);
    chooseSigns(env, platform);
    return signs.cut;
  };
  const utf8 = [
    { LANG: 'de_DE.UTF-8' },
    { LC_CTYPE: 'C.utf8', LANG: 'C' },
    { LC_ALL: 'C.UTF-8', LC_CTYPE: 'C', LANG: 'C' },
  ];
  const other = [{}, { LANG: 'C' }, { LC_CTYPE: 'C', LANG: 'C.UTF-8' }, { LC_ALL: 'C', LC_CTYPE: 'C.UTF-8' }];
  for (const env of utf8) assert.equal(cut(env), '…');
  for (const env of other) assert.equal(cut(env), '...');
  assert.deepEqual(signs, { cut: '...', bar: '|', branch: '|-', last: '`-' });
  assert.deepEqual([cut({}, 'win32'), cut({ LANG: 'C' }, 'win32')], ['…', '...']);
});

test('a word is quoted for a shell unless no shell reads anything into it', () => {
  for (const word of ['main', 'a=b', 'src/a-b.ts', '@{u}'.slice(0, 1), 'x%y+z:,.']) assert.equal(shellWord(word), word);
  for (const word of ['', '-x;', '=name', 'a b', '$(x)', '~', 'a*', 'a{b}', '#x', 'a\nb', 'é', '!x', 'a&'])
    assert.equal(shellWord(word), `'${word}'`, word);
  assert.equal(shellWord("it's"), "'it'\\''s'");
  assert.equal(quotedWord('main'), "'main'");
});

test('a span of code has a longer fence than any run in its text, and is never empty', () => {
  assert.deepEqual(['', 'a', '`a``b`'].map(longestFence), [0, 0, 2]);
  assert.deepEqual(['a', '', 'a`b', '``', 'a\nb'].map(codeSpan), ['`a`', '` `', '`` a`b ``', '``` `` ```', '`a\\nb`']);
});

test('a patch keeps the line ends of its file, and other fields do not; a document is read to its depth', () => {
  assert.equal(visiblePatch('a\r\nb\u202e\r\n'), 'a\r\nb\\u202e\r\n');
  const document = { patch: 'a\r\nb\u202e', list: [{ text: 'x\ty\r', 'k\n': '\u200b' }, null, 7] };
  assert.deepEqual(visibleDocument(document), {
    patch: 'a\r\nb\\u202e',
    list: [{ text: 'x\ty', 'k\n': '\\u200b' }, null, 7],
  });
  assert.deepEqual(visibleDocument(document, ['text']), {
    patch: document.patch,
    list: [{ text: 'x\ty', 'k\\n': '\\u200b' }, null, 7],
  });
  assert.deepEqual(visibleDocument({ list: ['a\nb'] }, ['list']), { list: ['a\nb'] });
  assert.deepEqual(visibleDocument({ list: ['a\nb'] }, []), { list: ['a\\nb'] });
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
