/** What a shortened document keeps and counts: texts inside entries, counters that lists share, and counters that nested lists raise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CutDocument, cutDocument, cutToBudget, type Fields, longestLists, WHOLE } from '../../src/mcp/paging.js';

/** Entries of a list: plain ones, or with a list and a text inside. */
const entry = (id: number, inner: number, lines: number) => ({
  id,
  uses: { list: Array.from({ length: inner }, (_, i) => `use ${i}`), leftOut: 0 },
  text: Array.from({ length: lines }, (_, i) => `line ${i}`).join('\n'),
});

interface Sizes {
  results: number[];
  callers: number;
  files: number;
  groups: number[];
}

const sizes: fc.Arbitrary<Sizes> = fc.record({
  results: fc.array(fc.nat(12), { maxLength: 30 }),
  callers: fc.nat(40),
  files: fc.nat(15),
  groups: fc.array(fc.nat(10), { maxLength: 4 }),
});

/** What a tool's `run` gives: the first `count` entries of each list, and how many there are beyond. */
function answer({ results, callers, files, groups }: Sizes, count: number): Fields {
  const first = <T>(items: T[]) => items.slice(0, count);
  const numbers = (size: number) => Array.from({ length: size }, (_, i) => i);
  const file = (id: number) => ({ id, symbols: numbers(id % 3) });
  const all = numbers(files).map(file);
  return {
    schemaVersion: 1,
    total: results.length,
    groups: groups.map((size, hop) => ({
      hop,
      affected: first(numbers(size)),
      leftOut: Math.max(0, size - count),
    })),
    callers: { list: first(numbers(callers)), leftOut: Math.max(0, callers - count) },
    files: first(all),
    leftOut: {
      files: Math.max(0, files - count),
      symbols: all.slice(count).reduce((sum, each) => sum + each.symbols.length, 0),
    },
    results: first(results.map((inner, id) => entry(id, inner, inner))),
    resultsLeftOut: Math.max(0, results.length - count),
  };
}

/** The outermost lists of such a document, in order. */
function listsOf(document: Fields): unknown[][] {
  const { groups, callers, files, results } = document as {
    groups: { affected: unknown[] }[];
    callers: { list: unknown[] };
    files: unknown[];
    results: unknown[];
  };
  return [...groups.map(({ affected }) => affected), callers.list, files, results];
}

function countsOf(document: Fields): number[] {
  const { groups, callers, leftOut, resultsLeftOut } = document as {
    groups: { leftOut: number }[];
    callers: { leftOut: number };
    leftOut: { files: number };
    resultsLeftOut: number;
  };
  return [...groups.map((group) => group.leftOut), callers.leftOut, leftOut.files, resultsLeftOut];
}

const idsOf = (list: readonly unknown[]) => list.map((item) => (item as { id?: number }).id ?? item);

const weigh = ({ document }: CutDocument) => JSON.stringify(document).length;

test('pages of a walk hold every entry once, each page within its budget or as small as can be', () => {
  const property = (shape: Sizes, budget: number, limit: number) => {
    const whole = listsOf(answer(shape, Infinity));
    const seen: unknown[][] = whole.map(() => []);
    let skip = 0;
    for (let page = 0; ; page++) {
      assert.ok(page <= 50, 'a page without anything new');
      const cut = cutToBudget(answer(shape, skip + limit), {
        skip,
        limit: Infinity,
        fits: (each) => weigh(each) <= budget,
      });
      const lists = listsOf(cut.document);
      if (weigh(cut) > budget) assert.ok(lists.every((list) => list.length <= 1));
      countsOf(cut.document).forEach((leftOut, i) => {
        assert.equal(leftOut, Math.max(0, whole[i].length - skip - lists[i].length));
      });
      assert.equal(
        cut.leftOut,
        countsOf(cut.document).reduce((sum, each) => sum + each, 0),
      );
      for (const [i, list] of lists.entries()) seen[i].push(...idsOf(list));
      if (cut.leftOut === 0) break;
      assert.ok(cut.shown > 0);
      skip += cut.shown;
    }
    assert.deepEqual(seen, whole.map(idsOf));
  };
  fc.assert(fc.property(sizes, fc.integer({ min: 50, max: 4_000 }), fc.integer({ min: 1, max: 50 }), property));
});

test('possible uses begin where proven ones end, on whatever page that is', () => {
  const listed = (name: string, size: number, count: number) => ({
    list: Array.from({ length: Math.min(size, count) }, (_, i) => `${name} ${i}`),
    leftOut: Math.max(0, size - count),
  });
  const property = (uses: number, possible: number, budget: number, size: number) => {
    const seen: string[] = [];
    for (let skip = 0, page = 0; ; page++) {
      assert.ok(page <= 200, 'a page without anything new');
      const count = skip + size;
      const document = { uses: listed('use', uses, count), possible: listed('maybe', possible, count) };
      const cut = cutToBudget(document, { skip, limit: Infinity, fits: (each) => weigh(each) <= budget });
      const shown = cut.document as typeof document;
      seen.push(...shown.uses.list, ...shown.possible.list);
      assert.equal(cut.leftOut, uses + possible - seen.length);
      assert.equal(shown.uses.leftOut + shown.possible.leftOut, cut.leftOut);
      if (cut.leftOut === 0) break;
      skip += cut.shown;
    }
    assert.deepEqual(seen, [...listed('use', uses, uses).list, ...listed('maybe', possible, possible).list]);
  };
  const sizes = [fc.nat(30), fc.nat(30), fc.integer({ min: 90, max: 600 }), fc.integer({ min: 1, max: 40 })] as const;
  fc.assert(fc.property(...sizes, property));
});

test('what fits is left as it is', () => {
  fc.assert(
    fc.property(sizes, (shape) => {
      const document = answer(shape, Infinity);
      const cut = cutToBudget(document, { skip: 0, limit: Infinity, fits: () => true });
      assert.deepEqual(cut.document, document);
      assert.deepEqual(Object.keys(cut.document), Object.keys(document));
      assert.equal(cut.leftOut, 0);
    }),
  );
});

test('lists inside an entry are cut only where one entry alone is too large, and say so', () => {
  const document = { found: { list: [entry(0, 40, 2), entry(1, 1, 1)], leftOut: 3 } };
  const roomy = cutToBudget(document, { skip: 0, limit: Infinity, fits: (each) => weigh(each) <= 480 });
  const [first, ...others] = (roomy.document as typeof document).found.list;
  assert.equal(first.uses.list.length, 40);
  assert.deepEqual([others.length, roomy.leftOut], [0, 4]);
  const tight = cutToBudget(document, { skip: 0, limit: Infinity, fits: (each) => weigh(each) <= 200 });
  const [cut] = (tight.document as typeof document).found.list;
  // As many as there is room for.
  assert.ok(cut.uses.list.length > 1 && cut.uses.list.length < 40);
  assert.equal(cut.uses.list.length + cut.uses.leftOut, 40);
  assert.ok(weigh(tight) <= 200);
});

test('a text that alone is too large loses its last lines, and lines of minified code their ends', () => {
  const document = { results: [{ content: Array.from({ length: 500 }, (_, i) => `line ${i}`).join('\n') }] };
  const cut = cutToBudget(document, { skip: 0, limit: 10, fits: (each) => weigh(each) <= 400 });
  const [{ content }] = (cut.document as typeof document).results;
  assert.match(content, /^line 0\nline 1\n[\s\S]*\n… \d+ more lines$/);
  assert.ok(weigh(cut) <= 400 && weigh(cut) > 300);
  const minified = cutToBudget(
    { results: [{ content: 'x'.repeat(5_000) }] },
    { skip: 0, limit: 10, fits: (each) => weigh(each) <= 400 },
  );
  assert.ok(weigh(minified) <= 400);
});

test('an entry of many long fields, which no list or text makes small enough, loses the ends of all of them', () => {
  const fields = Array.from({ length: 40 }, (_, i) => [`field${i}`, 'x'.repeat(200)]);
  const document = { results: [Object.fromEntries(fields)] };
  for (const budget of [9_000, 5_000]) {
    const cut = cutToBudget(document, { skip: 0, limit: 10, fits: (each) => weigh(each) <= budget });
    assert.ok(weigh(cut) <= budget, `${weigh(cut)} of ${budget}`);
    assert.deepEqual(Object.keys((cut.document as typeof document).results[0]), Object.keys(document.results[0]));
  }
});

test('an entry of long lists of long texts has one entry of each list, and as many lines of it as there is room for', () => {
  const text = Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n');
  const document = { found: { list: [{ uses: { list: [{ text }, { text }, { text }], leftOut: 0 } }], leftOut: 0 } };
  const cut = cutToBudget(document, { skip: 0, limit: 10, fits: (each) => weigh(each) <= 250 });
  const [{ uses }] = (cut.document as typeof document).found.list;
  assert.deepEqual([uses.list.length, uses.leftOut], [1, 2]);
  assert.match(uses.list[0].text, /^line 0\nline 1\n[\s\S]*\n… \d+ more lines$/);
  assert.ok(weigh(cut) <= 250 && weigh(cut) > 200, `${weigh(cut)}`);
});

test('uncounted results: one more than the limit tells that there are further ones', () => {
  const document = { results: [1, 2, 3] };
  const cut = cutToBudget(document, { skip: 0, limit: 2, fits: () => true });
  assert.deepEqual(cut, { document: { results: [1, 2] }, shown: 2, leftOut: 1 });
  const last = cutToBudget(document, { skip: 2, limit: 2, fits: () => true });
  assert.deepEqual(last, { document: { results: [3] }, shown: 1, leftOut: 0 });
});

test('a page that can hold what is left is written once; a long one is tried with its first entries before', () => {
  const results = Array.from({ length: 300 }, (_, id) => ({ id }));
  const tried = (skip: number, limit = Infinity) => {
    const shown: number[] = [];
    const fits = (page: CutDocument) => shown.push(page.shown) > 0;
    cutToBudget({ results, resultsLeftOut: 0 }, { skip, limit, fits });
    return shown;
  };
  assert.deepEqual([tried(0), tried(171), tried(172)], [[128, 300], [128, 129], [128]]);
  assert.deepEqual([tried(290), tried(0, 20), tried(0, 129)], [[10], [20], [128, 129]]);
});

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
