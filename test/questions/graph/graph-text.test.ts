/** What answers about the graph say alike: places, doubts, what was left out, tests, mentions, candidates and linked uses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percent } from '../../../src/questions/format.js';
import {
  candidatesText,
  definitionBlocks,
  doubt,
  linkedBlocks,
  memberUsesText,
  mentionedBlocks,
  namedPieces,
  othersBlocks,
  parseErrorBlocks,
  placeText,
  renderFooter,
  testBlocks,
  testReason,
  useItem,
  usesSection,
} from '../../../src/questions/graph/graph-text.js';
import { COMMAND_WORDS, plainPen, TOOL_WORDS } from '../../../src/questions/pen.js';
import {
  blockLines,
  count,
  itemLine,
  listing,
  more,
  rows,
  section,
  textOf,
  total,
} from '../../../src/questions/view.js';

const pen = plainPen(COMMAND_WORDS);
const laterPage = { ...plainPen(TOOL_WORDS), skipped: 5 };

type Place = Parameters<typeof placeText>[0];
const place = (symbol: string | null, path = 'src/cart.ts', startLine = 3): Place =>
  ({ path, symbol, kind: 'method', exported: true, startLine, endLine: 9 }) as Place;

test('a list is counted with what it leaves out and with earlier pages, unless it ended on one of them', () => {
  const some = { list: [1, 2], leftOut: 3 };
  assert.deepEqual([total(some), count(some, pen), count(some, laterPage)], [5, 5, 10]);
  assert.deepEqual(count({ list: [], leftOut: 0 }, laterPage), 0);
  assert.deepEqual(more(0, pen), []);
  assert.deepEqual([more(1_200, pen), more(2, laterPage)], [['  … 1,200 more: raise --limit'], ['  … 2 more']]);
  assert.deepEqual(
    rows(some, (n) => (n === 1 ? ['a', 'b'] : 'c'), pen),
    ['a', 'b', 'c', '  … 3 more: raise --limit'],
  );
  assert.deepEqual([section('title', []), section('title', ['a'])], [[], ['', 'title', 'a']]);
  assert.deepEqual(listing('title', some, String, pen), ['', 'title', '1', '2', '  … 3 more: raise --limit']);
});

test('a place is a file or a symbol; overloads share a line, and of other definitions three are shown', () => {
  assert.equal(placeText(place(null), pen), 'src/cart.ts  file');
  assert.equal(placeText(place('Cart.total'), pen), 'src/cart.ts:3  Cart.total  method');
  const lines = (places: Place[], all?: number) => blockLines(definitionBlocks(places, all), pen);
  assert.deepEqual(lines([place('f')]), ['src/cart.ts:3  f  method']);
  assert.deepEqual(lines([place('f'), place('f', 'src/cart.ts', 5)]), ['src/cart.ts:3  f  method  2 declarations']);
  const apart = [place('f'), place('f', 'b.ts'), place('g', 'c.ts'), place('f', 'd.ts')];
  const shown = ['src/cart.ts:3  f  method', 'b.ts:3  f  method', 'c.ts:3  g  method'];
  assert.deepEqual(lines(apart.slice(0, 3)), shown);
  assert.deepEqual(lines(apart), [...shown, 'and 1 more declaration']);
  assert.deepEqual(lines(apart.slice(0, 1), 4), ['src/cart.ts:3  f  method  4 declarations']);
  assert.deepEqual(lines(apart.slice(0, 2), 5), [...shown.slice(0, 2), 'and 3 more declarations']);
});

test('a doubt is told below four in five, by its tier and its share; what is likely is called so', () => {
  const of = (confidence: number, rest: object = {}) => doubt({ confidence, ...rest }, pen);
  assert.deepEqual([of(1), of(0.8), of(0.8, { likely: true })], ['', '', '  (likely)']);
  assert.equal(of(0.79), '  (right in 79% of such uses)');
  assert.equal(of(0.5, { tier: 'same-name', likely: true }), '  (same-name, right in 50% of such uses)');
  assert.deepEqual([of(0, { tier: 'guess' }), of(0)], ['  (guess)', '  (right in 0% of such uses)']);
  assert.equal(of(1, { likelihood: 0.3 }), '  (right in 30% of such uses)');
  assert.deepEqual([0, 0.0049, 0.005, 0.994, 1].map(percent), ['0%', '<1%', '1%', '99%', '100%']);
});

type Uses = Parameters<typeof usesSection>[1];
const useLines = (uses: Uses, names?: ReadonlySet<string>) =>
  blockLines([usesSection('uses', uses, { isBare: true, ...(names && { names }) })], pen);
const use = (line: number, rest: object = {}) => ({
  ...{
    path: 'a.ts',
    line,
    endLine: line,
    symbol: 'f',
    kind: 'call',
    tier: 'imported',
    confidence: 1,
    text: 'cart.total',
  },
  ...rest,
});

test('uses stand below their files: repeated ones on a line, four plain calls on another, others with their verb', () => {
  const list = [
    ...[use(1), use(2), use(2)],
    use(3, { symbol: null }),
    ...['g', 'h', 'i'].map((symbol, i) => use(4 + i, { symbol })),
    use(9, { kind: 'read' }),
    use(10, { through: 'index.ts' }),
    use(11, { confidence: 0.5 }),
    use(12, { text: 'cart.sum' }),
    use(1, { path: 'b.ts', kind: 'import', text: './cart', symbol: null }),
    use(2, { path: 'b.ts' }),
  ];
  assert.deepEqual(useLines({ list, leftOut: 7 } as Uses, new Set(['total'])), [
    '  a.ts:1, 2 f; 3 top level; 4 g; 5 h',
    '    6 i',
    '    9 f  read cart.total',
    '    10 f  (through index.ts)',
    '    11 f  cart.total  (imported, right in 50% of such uses)',
    '    12 f  cart.sum',
    '  b.ts',
    '    1 top level  import ./cart',
    '    2 f',
    '  … 7 more: raise --limit',
  ]);
  assert.deepEqual(useLines({ list: [], leftOut: 0 }), []);
});

test('a test says why it is to run, and five of those that may run it are shown', () => {
  type Test = Parameters<typeof testReason>[0];
  const reason = (reason: string, hops: number, rest: object = {}) => testReason({ reason, hops, ...rest } as Test);
  assert.deepEqual(
    [reason('calls', 0), reason('calls', 1), reason('calls', 3), reason('calls', 1, { likely: true })],
    ['changes itself', 'directly', '3 hops', 'directly (likely)'],
  );
  assert.deepEqual(
    [reason('imports', 1), reason('imports', 2), reason('imports', 4)],
    ['imports its file', 'imports its file through 1 other', 'imports its file through 3 others'],
  );
  assert.equal(reason('named', 0), 'has the name of its file');
  assert.equal(reason('reaches', 2), 'reaches it by what it makes and calls');
  assert.equal(reason('calls', 2, { ran: '2 days ago' }), 'ran it, 2 days ago');
  const one = (path: string) => ({ path, line: 2, symbol: null, reason: 'calls', hops: 1 }) as unknown as Test;
  const tests = { list: [one('a.test.ts')], leftOut: 1 };
  const mayRun = { list: Array.from({ length: 6 }, (_, i) => one(`${i}.test.ts`)), leftOut: 2 };
  assert.deepEqual(blockLines(testBlocks({ tests, mayRun } as never), pen), [
    ...['', 'tests to run: 2 files', '  a.test.ts:2  directly', '  … 1 more: raise --limit'],
    ...['', 'may run it: 8 more test files', ...[0, 1, 2, 3, 4].map((i) => `  ${i}.test.ts:2  directly`)],
    '  … 3 more: raise --limit',
  ]);
  assert.deepEqual(blockLines(testBlocks({ tests: { list: [], leftOut: 0 } }), pen), []);
});

test('documents and comments that mention it have a line each, on the first page alone', () => {
  const first = [{ path: 'docs/a.md', line: 3 }];
  const mentioned = {
    mentions: 4,
    documents: 2,
    first,
    comments: { mentions: 1, files: 1, first: [{ path: 'b.ts', line: 9 }] },
  };
  assert.deepEqual(blockLines(mentionedBlocks(mentioned as never), pen), [
    '',
    'mentioned in 2 documents, 4 times: docs/a.md:3, …',
    'mentioned in comments of 1 file: b.ts:9',
  ]);
  assert.deepEqual(mentionedBlocks({ mentions: 0, documents: 0, first: [] } as never), []);
  assert.deepEqual(blockLines(mentionedBlocks({ mentions: 1, documents: 1, first } as never), pen), [
    '',
    'mentioned in 1 document: docs/a.md:3',
  ]);
  assert.deepEqual([mentionedBlocks(undefined), mentionedBlocks(mentioned as never, laterPage)], [[], []]);
});

const HEADER = { ref: 'HEAD', coverage: { covered: 1_200, total: 1_200 }, dirty: 0, overlay: 0 };

test('the end of an answer says what it does not cover', () => {
  const footer = (rest: object) => renderFooter({ ...HEADER, ...rest }, pen);
  assert.equal(footer({}), '');
  assert.equal(footer({ coverage: { covered: 1_199, total: 1_200 } }), '\npartial: 1,199 of 1,200 files are known\n');
  assert.equal(footer({ dirty: 1 }), '\n1 uncommitted file not looked at: this is HEAD as committed\n');
  assert.equal(footer({ dirty: 2, overlay: 2 }), '\n2 uncommitted files included\n');
  assert.equal(
    footer({ dirty: 5, overlay: 2 }),
    '\n2 uncommitted files included, 3 left out: not indexed, too many, or not readable\n',
  );
  assert.deepEqual(parseErrorBlocks(HEADER), []);
  assert.deepEqual(blockLines(parseErrorBlocks({ ...HEADER, parseErrors: ['a.ts', 'b.ts'] }), pen), [
    ...['', 'parse errors may hide declarations and uses in a.ts, b.ts'],
  ]);
});

test('definitions that are not meant are named or counted', () => {
  assert.deepEqual(blockLines(othersBlocks({ others: 0 }), pen), []);
  const counted = ' in tests, examples or copies: name one as PATH:NAME';
  assert.deepEqual(blockLines(othersBlocks({ others: 1 }), pen), ['', `1 more definition of this name${counted}`]);
  assert.deepEqual(blockLines(othersBlocks({ others: 2, alternatives: ['a', 'b', 'c'] }), pen), [
    ...['', 'not meant, since nothing uses it: a, b, c'],
    `2 more definitions of this name${counted}`,
  ]);
  assert.deepEqual(blockLines(othersBlocks({ others: 0, alternatives: ['a', 'b', 'c', 'd', 'e'] }), pen), [
    ...['', 'not meant, since nothing uses it: a, b, c and 2 more'],
  ]);
});

test('an ambiguous name lists its candidates with their uses, and how to pick one', () => {
  const candidate = (symbol: string | null, rest: object) => ({ ...place(symbol), pick: 'src/cart.ts:total', ...rest });
  const list = [
    candidate('Cart.total', { uses: 3, exported: true, sites: ['a.ts:1', 'b.ts:2'] }),
    candidate('total', { uses: 1, exported: false, sites: ['a.ts:1'] }),
    candidate('total', { uses: 0, exported: false }),
  ];
  const text = (candidates: object) => candidatesText({ target: 'total', candidates } as never, { pen });
  assert.equal(
    text({ list, leftOut: 1 }),
    `total is ambiguous: 4 definitions
  src/cart.ts:3  Cart.total  method  exported, 3 uses
    a.ts:1
    b.ts:2
    … 1 more
  src/cart.ts:3  total  method  1 use
    a.ts:1
  src/cart.ts:3  total  method  no known uses
  … 1 more: raise --limit

pick one with its place: src/cart.ts:total
or with --file PATH
`,
  );
  assert.equal(
    text({ list: [candidate(null, { uses: 2, exported: false })], leftOut: 0 }),
    'total is ambiguous: 1 file\n  src/cart.ts  file  2 uses\n\npick one with its place: src/cart.ts:total\n',
  );
  assert.equal(text({ list: [], leftOut: 2 }), 'total is ambiguous: 2 files\n  … 2 more: raise --limit\n');
});

test('uses by linked repositories are grouped by repository, each with what is known of it', () => {
  type Linked = Parameters<typeof useItem>[0];
  const linked = (project: string, rest: object = {}) =>
    ({
      ...{ project, path: 'a.ts', line: 7, symbol: 'main', kind: 'import', name: 'Cart', uses: 2, hop: 1 },
      ...{ version: null, evidence: 'name', confidence: 1 },
      ...rest,
    }) as unknown as Linked;
  const line = (rest: object) => itemLine(useItem(linked('shop', rest)), pen);
  assert.equal(line({}), '  shop:a.ts:7  main  uses Cart');
  assert.equal(line({ symbol: null, uses: 0 }), '  shop:a.ts:7  top level  imports Cart');
  assert.equal(
    line({ kind: 'route', uses: 0, confidence: 0.5 }),
    '  shop:a.ts:7  main  requests Cart  (right in 50% of such uses)',
  );
  assert.equal(
    line({ hop: 2, version: '^1.0', evidence: 'module' }),
    '  shop:a.ts:7  main  uses Cart  hop 2, ^1.0, which names it uses is not known',
  );
  assert.equal(line({ version: '' }), '  shop:a.ts:7  main  uses Cart');
  const none = 'no linked repositories: linkedProjects in .socraticode.json names them';
  const lines = (packages: string[], list: Linked[] = [], at = pen) =>
    blockLines(linkedBlocks({ repositories: [], packages, uses: { list, leftOut: 0 } } as never, at), at);
  assert.deepEqual(lines([]), ['', 'linked repositories: no known uses (no package here exports it)', none]);
  assert.equal(lines(['a', 'b', 'c'])[1], 'linked repositories: no known uses (exported by a, b, c)');
  assert.equal(lines(['a', 'b', 'c', 'd'])[1], 'linked repositories: no known uses (exported by a, b, c, …)');
  assert.deepEqual(lines([], [], laterPage), []);
  assert.deepEqual(lines([], [linked('shop'), linked('bank'), linked('shop', { line: 9 })]), [
    ...['', 'linked repositories: 3 uses in 0 files', '  shop:a.ts:7  main  uses Cart'],
    ...['  shop:a.ts:9  main  uses Cart', '  bank:a.ts:7  main  uses Cart', none],
  ]);
});

test('a name that nothing uses is told with where it stands, and the last part of it is what to look for', () => {
  assert.equal(
    textOf(namedPieces(['a.ts', 'b.ts'], [{ symbol: 'Cart.total' }], pen), pen),
    'its name stands in a.ts, b.ts: git socraticode grep -w total',
  );
  assert.equal(
    textOf(namedPieces([], [{ symbol: 'shop::Cart#open' }], plainPen(TOOL_WORDS))),
    'its name stands in very many files: codebase_grep for the word open lists them',
  );
  assert.equal(
    textOf(namedPieces(['a.cshtml:2'], [{ symbol: 'Cart.total' }], pen, true), pen),
    'code of pages is not read, and its name stands in a.cshtml:2: git socraticode grep -w total',
  );
  assert.equal(memberUsesText(1), 'nothing is known to use its own name; what is in it has 1 use');
});
