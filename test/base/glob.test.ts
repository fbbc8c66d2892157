/** Globs of filters: what is refused for its cost, what git's signs before a glob mean, and which words are classes of files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILE_CLASSES, globFault, isFileClass, parsePathspec, plainGlob } from '../../src/base/glob.js';

test('signs of regular expressions are escaped, and signs of globs stay', () => {
  assert.equal(plainGlob('a(b)|c+/**/*.{ts,js}[x]?'), 'a\\(b\\)\\|c\\+/**/*.{ts,js}[x]?');
});

test('a glob is refused for what makes its matching slow, and one step below each bound it is not', () => {
  const rows: [fits: string, tooMuch: string, why: RegExp][] = [
    ['x'.repeat(512), 'x'.repeat(513), /^more than 512 characters$/],
    ['**/'.repeat(6), '**/'.repeat(7), /^more than 6 "\*\*"$/],
    ['{a,b}/{a,b}/{a,b}/{a,b}', '{a,b}/{a,b}/{a,b}/{a,b}/{a,b}', /^more than 4 "\{"$/],
    ['*a*b*/x', 'x/*a*b*c*', /^more than 3 "\*" between two slashes$/],
    ['*a*{b,c}{d,e}', '*a*b*{c,d}', /^too many "\*" and "\{" between two slashes$/],
    ['*{a,b}{c,d}{e,f}', '*a*{a,b}{c,d}{e,f}', /^too many/],
    // Braces that offer nothing are literal.
    ['*a*b*{c}', '*a*b*{1..3}', /^too many/],
    // A slash in braces ends no segment.
    ['*/*a*b/c', '{*/*a,*b/c*}', /^more than 3|^too many/],
  ];
  for (const [fits, tooMuch, why] of rows) {
    assert.equal(globFault(fits), null, fits);
    assert.match(globFault(tooMuch) ?? '', why, tooMuch);
  }
});

test("the signs of git's pathspecs stand before the glob, the exclusion first", () => {
  const rows: [text: string, glob: string, excludes: boolean, isTop: boolean][] = [
    ['src/*', 'src/*', false, false],
    [':/src', 'src', false, true],
    [':(top)src', 'src', false, true],
    ['!src', 'src', true, false],
    [':!src', 'src', true, false],
    [':^src', 'src', true, false],
    [':(exclude)src', 'src', true, false],
    ['!:/src', 'src', true, true],
    ['src/!x:/y', 'src/!x:/y', false, false],
  ];
  for (const [text, glob, excludes, isTop] of rows)
    assert.deepEqual(parsePathspec(text), { glob, excludes, isTop }, text);
});

test('a class of files is one of nine words, also without it', () => {
  assert.equal(FILE_CLASSES.length, 9);
  for (const name of FILE_CLASSES) assert.deepEqual([isFileClass(name), isFileClass(`!${name}`)], [true, true]);
  for (const word of ['', '!', '!!test', 'Test', 'tests', 'src/test']) assert.equal(isFileClass(word), false, word);
});
