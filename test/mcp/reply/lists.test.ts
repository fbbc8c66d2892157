/** What a shortened document keeps and counts: texts inside entries, counters that lists share, and counters that nested lists raise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutDocument, longestLists, WHOLE } from '../../../src/mcp/reply/lists.js';

const cut = (document: object, sizes: Partial<typeof WHOLE>) => cutDocument(document, { ...WHOLE, ...sizes });

test('texts inside entries lose lines and the ends of long ones, and say how many; other texts stay whole', () => {
  const text = `${'x'.repeat(300)}\ntwo\nthree`;
  const document = { note: text, results: [{ text }], resultsLeftOut: 0 };
  const { note, results } = cut(document, { lines: 2 }).document as typeof document;
  assert.equal(note, text);
  assert.equal(results[0].text, `${'x'.repeat(240)}…\ntwo\n… 1 more line`);
  const one = cut(document, { lines: 1 }).document as typeof document;
  assert.equal(one.results[0].text, `${'x'.repeat(240)}…\n… 2 more lines`);
  assert.deepEqual(cut(document, {}).document, document, 'nothing is cut without need');
  assert.equal(longestLists(document).lines, 3);
});

test('what two lists of one counter leave out counts once', () => {
  const { leftOut } = cut({ first: [1, 2, 3], second: [1, 2], leftOut: 5 }, { outer: 2 });
  assert.equal(leftOut, 5 + 1);
});

test('a counter of an entry keeps what a list within it raised', () => {
  const document = { results: [{ uses: { list: [1, 2, 3], leftOut: 4 } }], resultsLeftOut: 0 };
  const inner = cut(document, { inner: 1 }).document as typeof document;
  assert.deepEqual(inner.results, [{ uses: { list: [1], leftOut: 6 } }]);
  const outer = cut(document, { outer: 0 });
  assert.deepEqual(outer.document, { results: [], resultsLeftOut: 1 });
  assert.equal(outer.leftOut, 1);
});

test('the longest lists are told by where they stand: of the page, inside an entry, and texts in lines', () => {
  const entry = { uses: { list: [1, 2, 3], leftOut: 0 }, text: 'a\nb', tags: ['not', 'counted', 'as', 'a', 'list'] };
  assert.deepEqual(longestLists({ results: [entry, {}], note: 'a\nb\nc' }), { outer: 2, inner: 3, lines: 2 });
  assert.deepEqual(longestLists({ files: [1, 2], symbols: [1], leftOut: { files: 0 } }), {
    outer: 2,
    inner: 0,
    lines: 0,
  });
  // Only the results of the document itself need no counter.
  assert.deepEqual(longestLists({ group: { results: [1, 2] } }), { outer: 0, inner: 0, lines: 0 });
  const possible = { uses: { list: [1, 2], leftOut: 0 }, possible: { list: [3], leftOut: 0 } };
  assert.equal(longestLists(possible).outer, 3);
});

test('an entry that is left out counts with the entries in it, by their kinds', () => {
  const files = [{ symbols: [1, 2] }, { symbols: [3, 4, 5] }, { symbols: [6] }];
  const document = { files, leftOut: { files: 2, symbols: 7, note: 'as it is' } };
  const short = cut(document, { outer: 1 });
  assert.deepEqual(short.document, { files: [files[0]], leftOut: { files: 4, symbols: 11, note: 'as it is' } });
  assert.deepEqual([short.shown, short.leftOut], [1, 4]);
});
