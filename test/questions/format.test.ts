/** Numbers, counts, names and quotes in answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dateText,
  formatBytes,
  formatCount,
  formatCounts,
  formatOthers,
  formatSeconds,
  formatSkipped,
  linkedLines,
  parseErrorsText,
  quoted,
  shortName,
  windowLines,
  withoutWords,
} from '../../src/questions/format.js';
import { PLAIN } from '../support/in-process/document.js';

test('sizes, counts, times and dates', () => {
  assert.deepEqual([0, 1023, 1024, 1536, 1024 ** 2 - 1, 1024 ** 2, 5.25 * 1024 ** 2].map(formatBytes), [
    '0 B',
    '1023 B',
    '1.0 KB',
    '1.5 KB',
    '1024.0 KB',
    '1.0 MB',
    '5.3 MB',
  ]);
  assert.deepEqual(
    [formatCount(0, 'file'), formatCount(1, 'file'), formatCount(2000, 'file'), formatCount(2, 'entry', 'entries')],
    ['0 files', '1 file', '2,000 files', '2 entries'],
  );
  assert.deepEqual([0.4, 999.4, 1000, 61_250].map(formatSeconds), ['0 ms', '999 ms', '1.0 s', '61.3 s']);
  assert.deepEqual([dateText('2024-05-31T10:00:00Z'), dateText(null)], ['2024-05-31', 'no date']);
});

test('counts by name: the largest first, equal ones by name, none for nothing', () => {
  assert.equal(formatCounts({ b: 2, a: 2, c: 30, none: 0 }), '30 c, 2 a, 2 b');
  assert.equal(formatCounts({ none: 0 }), '');
  assert.equal(formatSkipped({ binary: 1, builtin: 3 }), '3 generated or vendored, 1 binary');
  assert.equal(formatSkipped({ binary: 1 }), '1 binary');
  assert.deepEqual([0, 1, 2].map(withoutWords), [
    '',
    ' (1 chunk has no word that the model knows)',
    ' (2 chunks have no word that the model knows)',
  ]);
  assert.deepEqual([formatOthers([], 'older'), formatOthers(['a', 'b'], 'older')], [[], ['older: a, b']]);
});

test('a name leaves out what its path says, but for two parts; a section keeps its end', () => {
  assert.equal(shortName('src.cart.Cart.total', 'src/cart.ts'), 'Cart.total');
  assert.equal(shortName('src.cart.total', 'src/cart.ts'), 'cart.total');
  assert.equal(shortName('src.other.Cart.total', 'src/cart.ts'), 'other.Cart.total');
  const long = `${'Heading.'.repeat(12)}End`;
  assert.equal(shortName(long, 'a.md'), `…${long.slice(-72)}`);
  assert.equal(shortName(long.slice(-72), 'a.md'), long.slice(-72));
  assert.equal(shortName(long, 'a.ts'), long);
});

test('quoted text begins each line with a space', () => {
  assert.equal(quoted('a\n\nb'), ' a\n \n b');
});

test('parse errors: those that lose declarations apart from small ones, ten of each', () => {
  const at = (startLine: number, endLine: number, lost: boolean) => ({ startLine, endLine, lost });
  assert.equal(
    parseErrorsText([at(2, 4, true), at(9, 9, true), at(12, 12, false)]),
    'parse errors: lines 2-4, 9 could not be read, and declarations may be missing there; small parse errors: lines 12',
  );
  assert.equal(parseErrorsText([at(1, 1, false)]), 'small parse errors: lines 1');
  const many = Array.from({ length: 12 }, (_, i) => at(i + 1, i + 1, false));
  assert.equal(parseErrorsText(many), 'small parse errors: lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more');
  assert.equal(parseErrorsText(many.slice(0, 10)), 'small parse errors: lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10');
});

test('how far back an answer looked, and why no further', () => {
  const lines = (window: object, isWeighed?: boolean) =>
    windowLines(
      { commits: 3, end: 'root', unknown: 0, oldest: '2024-01-02T00:00:00Z', ...window } as never,
      PLAIN.pen,
      isWeighed,
    );
  assert.deepEqual(lines({}), ['from all 3 commits since 2024-01-02; newer ones weigh more']);
  assert.deepEqual(lines({ end: 'max-commits', oldest: null }, false), ['from the last 3 commits']);
  assert.deepEqual(lines({ end: 'shallow', unknown: 1, commits: 1 }, false), [
    'from the last 1 commit since 2024-01-02',
    'this is a shallow clone, its history ends there: `git fetch --unshallow` brings the rest',
    'the changes of 1 commit are not known: this clone lacks their files',
  ]);
});

test('linked repositories: those that were asked on one line, each other one with its reason', () => {
  const one = (project: string, rest: object) => ({
    ...{
      project,
      path: project,
      state: 'searched',
      commit: 'a'.repeat(40),
      coverage: { covered: 2, total: 2 },
      reason: null,
    },
    ...rest,
  });
  assert.deepEqual(linkedLines([]), ['no linked repositories: linkedProjects in .socraticode.json names them']);
  const all = [
    one('lib', {}),
    one('app', { path: '../app', coverage: { covered: 1, total: 2 }, state: 'indexing' }),
    one('part', { commit: null, coverage: { covered: 1, total: 3 } }),
    one('self', { state: 'same', commit: null, coverage: null }),
    one('priv', { state: 'not-allowed', commit: null, coverage: null, reason: 'ask first' }),
    one('gone', { state: 'missing', commit: null, coverage: null }),
  ];
  assert.deepEqual(linkedLines(all as never), [
    `also searched: lib @ ${'a'.repeat(9)}, app (../app) @ ${'a'.repeat(9)} (1 of 2 files, indexing), part (1 of 3 files)`,
    'priv: not allowed: ask first',
    'gone: missing: ',
  ]);
  assert.deepEqual(linkedLines(all.slice(0, 1) as never, 'asked'), [`also asked: lib @ ${'a'.repeat(9)}`]);
});
