/** Lines that match a pattern: equal to a test of each line, whatever shortcut is taken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hitsOf, MAX_MATCH, placeInLines, SlowSearch } from '../../../src/search/grep/hits.js';
import { compilePattern, mayMatch, type PatternOptions } from '../../../src/search/grep/required-texts.js';

const hits = (text: string, options: PatternOptions) =>
  [...hitsOf(text, compilePattern(options))].filter((hit) => hit !== null);
const lines = (text: string, options: PatternOptions) =>
  hits(text, options).map(({ line, endLine }) => [line, endLine]);

test('every line is found that matches by itself, and no other', () => {
  const options = fc.record({
    pattern: fc.constantFrom('ab', 'a+b', '^b', 'b$', 'a|c', '.', '\\bab\\b', 'a b', '[^a]b', '(a|b)c', '\\s'),
    words: fc.boolean(),
    ignoreCase: fc.boolean(),
  });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'c', ' ', '_', '\n', 'é'), maxLength: 40 });
  fc.assert(
    fc.property(options, text, (given, content) => {
      const { pattern: source, words, ignoreCase } = given;
      const whole = words ? `(?<![A-Za-z0-9_])(?:${source})(?![A-Za-z0-9_])` : source;
      const expression = new RegExp(whole, ignoreCase ? 'i' : '');
      const all = content.replace(/\n$/, '').split('\n');
      const expected = content === '' ? [] : all.flatMap((line, i) => (expression.test(line) ? [i + 1] : []));
      assert.deepEqual(
        hits(content, given).map(({ line }) => line),
        expected,
      );
      if (expected.length > 0) assert.ok(mayMatch(compilePattern(given), Buffer.from(content)));
    }),
    { numRuns: 600 },
  );
});

test('shortcuts by exact texts miss no case and no alternative', () => {
  const text = 'task\nTASK\nta\u017f\u212a\nother\nset(x)\nreset\nget\n';
  const each = (options: PatternOptions) => hits(text, options).map(({ line }) => line);
  assert.deepEqual(each({ pattern: 'task', fixed: true, ignoreCase: true }), [1, 2, 3]);
  assert.deepEqual(each({ pattern: 'TASK|get', ignoreCase: true }), [1, 2, 3, 7]);
  assert.deepEqual(each({ pattern: '(?:re)?set$|other|set\\(' }), [4, 5, 6]);
  assert.deepEqual(each({ pattern: 'set(', fixed: true, ignoreCase: true }), [5]);
});

test('whole words: neighbours may be anything but a letter, a digit or an underscore of ASCII', () => {
  const text = 'total\ntotals\n_total\n-total-\nétotal\n';
  assert.deepEqual(lines(text, { pattern: 'total', fixed: true, words: true }).flat(), [1, 1, 4, 4, 5, 5]);
  // A longer word before or behind it on the line takes nothing away.
  const beside = 'totals total\ntotal_ _total total\ntotal totals\ntotals totalled\n';
  for (const fixed of [true, false])
    assert.deepEqual(lines(beside, { pattern: 'total', fixed, words: true }).flat(), [1, 1, 2, 2, 3, 3]);
});

test('a match across lines is one hit, and a pattern with a line break needs no further option', () => {
  const text = 'a {\n  b\n}\nc\na {\n}\n';
  assert.deepEqual(lines(text, { pattern: 'a \\{[^}]*\\}', multiline: true }), [
    [1, 3],
    [5, 6],
  ]);
  assert.deepEqual(lines(text, { pattern: '{\n}', fixed: true }), [[5, 6]]);
  assert.deepEqual(lines(text, { pattern: '^  b$\\n' }), [[2, 2]]);
  assert.deepEqual(lines('a\\nb\n', { pattern: 'a\\\\nb' }), [[1, 1]]);
});

test('matches across lines are found wherever the text is cut into windows', () => {
  const filler = `${'x'.repeat(99)}\n`.repeat((3 * MAX_MATCH) / 100);
  const text = `${filler}begin\nend\n${filler}begin\nend`;
  const first = filler.split('\n').length;
  assert.deepEqual(lines(text, { pattern: 'begin\\nend', multiline: true }), [
    [first, first + 1],
    [2 * first + 1, 2 * first + 2],
  ]);
});

test('a pattern that makes backtracking engines run for ever ends', () => {
  const line = `${'a'.repeat(200_000)}!\n`;
  for (const source of ['(a+)+$', '(a|a)*b', '(a*)*c', 'a.*a.*a.*a.*b', '(.*)(.*)(.*)x$']) {
    assert.deepEqual(lines(line, { pattern: source }), [], source);
    assert.deepEqual(lines(line, { pattern: source, multiline: true }), [], source);
  }
});

test('a pattern of many steps is followed where it matches alone, not at every character of a long text', () => {
  const started = process.cpuUsage();
  const line = `${'a'.repeat(150_000)}bq`;
  const options = { pattern: '([ab\\n]{1,100}){1,10}q', multiline: true };
  assert.deepEqual(lines(`${line}\n`, options), [[1, 1]]);
  assert.deepEqual(lines(`${'a'.repeat(99)}\n`.repeat(1_500) + line, options), [[1_501, 1_501]]);
  assert.equal(placeInLines(line, compilePattern({ pattern: '[ab]([ab]{1,100}){1,10}q' })), line.length - 1_002);
  assert.equal(placeInLines(`${'a'.repeat(99_999)}q${line}`, compilePattern({ pattern: 'q' })), 99_999);
  const { user } = process.cpuUsage(started);
  // A second; 20 where each character is followed.
  assert.ok(user < 6e6, `${user} microseconds`);
});

test('another thread answers for every text of a question, not for the first alone', async () => {
  const slow = new SlowSearch(compilePattern({ pattern: 'a{1,50}b|total' }));
  const texts = ['total\n', 'nothing\n', 'a\ntotal, aab\n', ''];
  const lines = await Promise.all(texts.map(async (text) => (await slow.search(text))?.map(({ line }) => line)));
  slow.close();
  assert.deepEqual(lines, [[1], [], [2], []]);
});

test('syntax that RE2 does not know is refused with the reason', () => {
  for (const source of ['(?=a)', '(a)\\1', 'a(', '[z-a]', '(?:(?:a{1,100}){1,100}){1,100}'])
    assert.throws(() => compilePattern({ pattern: source }), { code: 'BAD_ARGUMENT' }, source);
});
