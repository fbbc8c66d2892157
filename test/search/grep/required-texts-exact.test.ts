/** What patterns need, and what compiled patterns find: words, case, several lines, and the first place to look at. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compilePattern,
  fulfils,
  marksOf,
  mayMatch,
  maySlow,
  needOf,
  type PatternOptions,
} from '../../../src/search/grep/required-texts.js';

const text = (one: string) => ({ text: one });

test('what a pattern needs: letters that stay, groups that repeat, and an alternative of each choice', () => {
  const rows: [string, ReturnType<typeof needOf>][] = [
    ['', null],
    ['abc', text('abc')],
    ['ab*', text('a')],
    ['ab+', text('ab')],
    ['ab+c', { all: [text('ab'), text('c')] }],
    ['ab{2}c', { all: [text('ab'), text('c')] }],
    ['ab{0}c', { all: [text('a'), text('c')] }],
    ['ab{2,5}?c', { all: [text('ab'), text('c')] }],
    ['ab+?c', { all: [text('ab'), text('c')] }],
    ['a{x', text('a{x')],
    ['a.b', { all: [text('a'), text('b')] }],
    ['^ab$', text('ab')],
    ['a\\.b', text('a.b')],
    ['a\\wb', { all: [text('a'), text('b')] }],
    ['a[^x]b', { all: [text('a'), text('b')] }],
    ['a[]x]b', { all: [text('a'), text('b')] }],
    ['a[[:alpha:]]b', { all: [text('a'), text('b')] }],
    ['a[\\]]b', { all: [text('a'), text('b')] }],
    ['(ab)+c', { all: [text('ab'), text('c')] }],
    ['(ab)*c', text('c')],
    ['(?:ab)c', { all: [text('ab'), text('c')] }],
    ['(?P<name>ab)', text('ab')],
    ['(?<name>ab)', text('ab')],
    ['(a|b)c', { all: [{ any: [text('a'), text('b')] }, text('c')] }],
    ['a|', null],
    ['a|b|c', { any: [text('a'), text('b'), text('c')] }],
    ['(a|)b', text('b')],
    ['ü+x', { all: [text('ü'), text('x')] }],
    ['😀x', text('😀x')],
    ['😀?x', text('x')],
    ['a)b', null],
    ['(a', null],
    ['[a', null],
    ['a\\', null],
    ['\\pLa', null],
    ['\\ü', null],
  ];
  for (const [pattern, expected] of rows) assert.deepEqual(needOf(pattern), expected, pattern);
});

test('a need holds where all of its parts are there, or one of its alternatives', () => {
  const has = (line: string) => (one: string) => line.includes(one);
  const need = { all: [text('a'), { any: [text('b'), text('c')] }] };
  assert.deepEqual(
    ['ab', 'ac', 'a', 'bc', 'abc'].map((line) => fulfils(need, has(line))),
    [true, true, false, false, true],
  );
  assert.equal(
    fulfils(null, () => false),
    true,
  );
});

test('marks are the list whose shortest text is longest, the first of equals, and none of more than fifty', () => {
  assert.deepEqual(marksOf({ all: [text('ab'), text('abc'), text('xyz')] }), ['abc']);
  assert.deepEqual(marksOf({ all: [{ any: [text('abcd'), text('x')] }, text('ab')] }), ['ab']);
  assert.deepEqual(marksOf({ any: [text('a'), { any: [text('b'), text('c')] }] }), ['a', 'b', 'c']);
  assert.deepEqual([marksOf(null), marksOf(text('')), marksOf({ any: [text('a'), null] })], [null, null, null]);
  assert.deepEqual(marksOf({ all: [null, text('a')] }), ['a']);
  const many = (count: number) => marksOf({ any: Array.from({ length: count }, () => text('a')) })?.length ?? null;
  assert.deepEqual([many(50), many(51)], [50, null]);
});

const spans = (options: PatternOptions, line: string): string[] => {
  const pattern = compilePattern(options);
  const found: string[] = [];
  for (let span = pattern.find(line); span !== null; span = pattern.find(line, span.end)) {
    found.push(`${span.start}-${span.end}`);
    if (found.length > 9) break;
  }
  assert.equal(pattern.test(line), found.length > 0, `${options.pattern} in ${line}`);
  return found;
};

test('an exact text is found with its signs, in any case if case is ignored, and alone if words are asked for', () => {
  assert.deepEqual(spans({ pattern: 'a.b', fixed: true }, 'axb a.b A.B'), ['4-7']);
  assert.deepEqual(spans({ pattern: 'a.b', fixed: true, ignoreCase: true }, 'a.b A.B'), ['0-3', '4-7']);
  const word = { pattern: 'total', fixed: true, words: true };
  assert.deepEqual(spans(word, 'total'), ['0-5']);
  assert.deepEqual(spans(word, 'subtotal total2 _total total.'), ['23-28']);
  assert.deepEqual(spans(word, 'totals'), []);
  assert.deepEqual(spans(word, 'totals total'), ['7-12']);
  assert.deepEqual(spans({ ...word, ignoreCase: true }, 'my Total here'), ['3-8']);
  assert.deepEqual(spans({ pattern: 'tot\\w+', words: true }, 'xtotal total, total'), ['7-12', '14-19']);
});

test('a pattern that has a line break goes over lines, a line start then is one of each line', () => {
  const is = (options: PatternOptions) => compilePattern(options).multiline;
  const cases: [PatternOptions, boolean][] = [
    [{ pattern: 'a' }, false],
    [{ pattern: 'a\nb' }, true],
    [{ pattern: 'a\\nb' }, true],
    [{ pattern: 'a\\\\nb' }, false],
    [{ pattern: 'a\\nb', fixed: true }, false],
    [{ pattern: 'a\nb', fixed: true }, true],
    [{ pattern: 'a', multiline: true }, true],
  ];
  for (const [options, expected] of cases) assert.equal(is(options), expected, JSON.stringify(options));
  assert.deepEqual(spans({ pattern: '^b', multiline: true }, 'a\nb'), ['2-3']);
  assert.deepEqual(spans({ pattern: '^b' }, 'a\nb'), []);
  assert.deepEqual(spans({ pattern: 'a\\nb' }, 'xa\nb'), ['1-4']);
});

test('the next place to look at is the first of the marks, unless letters beyond ASCII may differ in case', () => {
  const next = (options: PatternOptions, line: string, from = 0) =>
    compilePattern(options).nextMark?.(line, from) ?? null;
  assert.deepEqual(
    [next({ pattern: 'ab+c\\w' }, 'xxabab'), next({ pattern: 'ab' }, 'abxab', 1), next({ pattern: 'ab' }, 'x')],
    [2, 3, -1],
  );
  assert.deepEqual([next({ pattern: 'ab|c\\(d' }, 'x c(d ab'), next({ pattern: 'ab|c\\(d' }, 'c(d', 1)], [2, -1]);
  assert.equal(next({ pattern: 'ab', ignoreCase: true }, 'xAB'), 1);
  assert.equal(next({ pattern: 'ä', ignoreCase: true }, 'Ä'), null);
  assert.equal(next({ pattern: 'ä' }, 'xä'), 1);
  assert.equal(next({ pattern: '\\w+' }, 'x'), null);
  assert.equal(next({ pattern: 'a\nb' }, 'a\nb'), null, 'over lines there is no line to look at');
});

test('only an expression can take long, on a text that is long enough for it', () => {
  const plain = compilePattern({ pattern: 'ab', fixed: true });
  assert.equal(plain.steps, 1);
  const slow = compilePattern({ pattern: '(a|b)*c' });
  assert.ok(slow.steps > 1);
  const longest = Math.floor(10_000_000 / slow.steps);
  assert.deepEqual(
    [longest, longest + 1].map((length) => maySlow('a'.repeat(length), slow)),
    [false, true],
  );
  assert.equal(maySlow('a'.repeat(20_000_000), plain), false);
  assert.ok(compilePattern({ pattern: 'ab', fixed: true, ignoreCase: true }).steps > 1);
});

test('a file may match where its bytes have what is needed, and any file where case is ignored', () => {
  const may = (options: PatternOptions, bytes: string) => mayMatch(compilePattern(options), Buffer.from(bytes));
  assert.deepEqual(
    [may({ pattern: 'ab\\w+cd' }, 'cd ab'), may({ pattern: 'ab\\w+cd' }, 'ab'), may({ pattern: 'ä' }, 'ä')],
    [true, false, true],
  );
  assert.equal(may({ pattern: 'ab', ignoreCase: true }, 'x'), true);
});

test('a pattern that is none is refused with its reason, cut, and says which syntax is known', () => {
  const refusal = (pattern: string) => {
    try {
      compilePattern({ pattern });
    } catch (error) {
      return error as Error & { code: string; hint: string };
    }
  };
  const error = refusal('(?=a)');
  assert.equal(error?.code, 'BAD_ARGUMENT');
  assert.match(error?.message ?? '', /^the pattern is not a regular expression: /);
  assert.ok(!error?.message.includes('error parsing regexp'));
  assert.match(error?.hint ?? '', /RE2/);
  assert.ok((refusal(`(${'a'.repeat(5_000)}`)?.message.length ?? 0) <= 300);
  assert.deepEqual(compilePattern({ pattern: '(', fixed: true }).find('a('), { start: 1, end: 2 });
});
