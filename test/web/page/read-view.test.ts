/** The reader as a reader sees it: a file with what is known of it, a symbol, authors of lines, folders, and the first view. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLines, overview, readView } from '../../../src/web/page/read-view.js';
import { Browser } from './drawn.js';

const DAY = '2024-05-31T10:00:00Z';
const COMMIT = 'c0ffee0123456789';
const some = (...list: readonly unknown[]) => ({ list, leftOut: 0 });
const SHOW = {
  commit: COMMIT,
  files: [{ lines: 9, uncommitted: true, note: 'latin1, shown as UTF-8' }],
  parts: [
    {
      path: 'src/cart.ts',
      startLine: 1,
      endLine: 4,
      content: 'class Cart {\n  add() {}\n  total() {}\n}\n',
      changes: [{ line: 2, added: 1 }],
    },
  ],
  problems: [],
};
const SYMBOLS = [
  { name: 'Cart', kind: 'class', startLine: 1, endLine: 4, depth: 0 },
  { name: 'add', kind: 'method', startLine: 2, endLine: 2, depth: 1 },
  { name: 'total', kind: 'method', startLine: 3, endLine: 3, depth: 9 },
];
const OUTLINE = {
  files: [
    { path: 'other.ts' },
    {
      path: 'src/cart.ts',
      language: 'typescript',
      symbols: SYMBOLS,
      parseErrors: [
        { lost: false, startLine: 1, endLine: 1 },
        { lost: true, startLine: 3, endLine: 4 },
      ],
    },
  ],
};
const place = (path: string, more: object = {}) => ({ path, startLine: 7, endLine: 9, ...more });
const SYMBOL = {
  doc: 'Sums it up.',
  definitions: [{ symbol: 'Cart.total', signature: 'total(done, Tax)' }],
  callers: {
    list: Array.from({ length: 13 }, (_, i) => ({ path: `src/${i}.ts`, line: i + 1, symbol: i === 0 ? 'pay' : null })),
    leftOut: 2,
  },
  callees: {
    resolved: {
      list: [
        place('src/price.ts', { symbol: 'price', use: 'call', kind: 'function' }),
        place('src/a.ts', { symbol: 'rate', use: 'value', kind: 'constant' }),
        place('src/b.ts', { symbol: 'Tax', use: 'value', kind: 'class' }),
      ],
      leftOut: 1,
    },
    external: some(
      { text: 'fetch', use: 'call' },
      { text: 'done', use: 'call' },
      { text: 'Tax', use: 'new' },
      { text: 'PI', use: 'value' },
    ),
  },
  parents: [
    { name: 'Base', place: null },
    { name: 'Sum', place: place('src/sum.ts', { symbol: 'Sum' }) },
  ],
  subtypes: some(place('src/sub.ts', { symbol: 'Sub' })),
  tests: some({ path: 'test/cart.test.ts', line: 4, hops: 1 }, { path: 'test/far.test.ts', line: 5, hops: 2 }),
};
const PAST = { files: 1, changes: 3, window: { commits: 9, end: 'root', unknown: 0, oldest: DAY } };
const CART = place('src/cart.ts', { symbol: 'Cart', kind: 'class' });
const MENTION = { path: 'README.md', text: 'Cart', section: ['Guide'], target: CART, confidence: 1 };
const LINKS = {
  ...{ definitions: [CART], others: 0, alternatives: [], coverage: { covered: 1, total: 1 }, dirty: 0, overlay: 0 },
  ...{ documents: { read: 1, leftOut: 0 }, comments: { read: 0, leftOut: 0 }, mentions: some() },
  mentionedIn: some(...[3, 9].map((line) => ({ ...MENTION, line }))),
};
const ANSWERS = {
  ...{ show: SHOW, 'graph outline': OUTLINE, 'graph symbol': SYMBOL },
  overview: { files: 1, languages: [], folders: [], endings: { ts: 'typescript' } },
  'docs links': LINKS,
  why: {
    commits: some(
      { commit: COMMIT, subject: 'Add totals', author: 'Ann', date: DAY },
      { commit: 'beef', subject: '', author: 'Bob', date: DAY },
    ),
  },
  'graph deps': { imports: some(), dependents: some({ path: 'src/pay.ts' }) },
  owners: { ...PAST, method: 'commits', paths: [], owners: some({ author: 'Ann', share: 0.5, commits: 1, last: DAY }) },
  coupling: { ...PAST, target: 'src/cart.ts', coupled: some({ path: 'src/price.ts', together: 2, of: 3 }) },
};

test('a file: its lines, what changed, and beside it users, documents, authors and definitions', async (t) => {
  const browser = new Browser(t, ANSWERS);
  const drawn = await browser.draw('/read?path=src/cart.ts&ref=r1', readView);
  assert.deepEqual(
    drawn.text,
    `src/cart.ts
top /src /
cart.ts
9 lines, typescript uncommitted Blame Copy permalink Open in editor View on github.com parse errors may hide declarations latin1, shown as UTF-8
1 class Cart {
2 add() {}
3 total() {}
4 }
About this file
Used by 1
src/pay.ts
Mentioned in 2
README.md:3 Cart Guide
Who knows it 1
50% Ann 1 commit, last 2024-05-31
Usually also changes 1
src/price.ts in 2 of 3 commits
In this file 3
Cart class
add method
total method`,
  );
  assert.deepEqual(drawn.links, {
    '1': '/read?ref=r1&path=src%2Fcart.ts&lines=1',
    '2': '/read?ref=r1&path=src%2Fcart.ts&lines=2',
    '3': '/read?ref=r1&path=src%2Fcart.ts&lines=3',
    '4': '/read?ref=r1&path=src%2Fcart.ts&lines=4',
    top: '/?ref=r1',
    src: '/?ref=r1&folder=src',
    Blame: '/read?path=src%2Fcart.ts&ref=r1&blame=yes',
    'Open in editor': 'vscode://file/home/ann/shop/src/cart.ts:1',
    'View on github.com': 'https://github.com/acme/shop/blob/c0ffee0123456789/src/cart.ts',
    'parse errors may hide declarations': '/read?ref=r1&path=src%2Fcart.ts&lines=3-4',
    'src/pay.ts': '/read?ref=r1&path=src%2Fpay.ts',
    'README.md:3': '/read?ref=r1&path=README.md&lines=3',
    'src/price.ts': '/read?ref=r1&path=src%2Fprice.ts',
    Cart: '/read?path=src%2Fcart.ts&lines=1-4&ref=r1',
    add: '/read?path=src%2Fcart.ts&lines=2&ref=r1',
    total: '/read?path=src%2Fcart.ts&lines=3&ref=r1',
  });
  assert.deepEqual(
    browser.asked.filter(([name]) => name !== 'about'),
    [
      ['show', { targets: ['src/cart.ts'], ref: 'r1' }],
      ['graph outline', { files: ['src/cart.ts'], ref: 'r1' }],
      ['overview', { ref: 'r1' }],
      ['graph deps', { file: 'src/cart.ts', ref: 'r1', limit: 12 }],
      ['owners', { paths: ['src/cart.ts'], ref: 'r1', limit: 5 }],
      ['coupling', { target: 'src/cart.ts', ref: 'r1', limit: 8 }],
      ['docs links', { target: 'src/cart.ts', ref: 'r1', limit: 12 }],
    ],
  );
  assert.deepEqual(drawn.rows, ['', 'changed', '', '']);
  assert.deepEqual(drawn.markup.match(/depth-\d/g), ['depth-0', 'depth-1', 'depth-4']);
});

test('beside chosen lines stands the innermost symbol around them: callers, calls, supertypes, tests and commits', async (t) => {
  const browser = new Browser(t, ANSWERS);
  const drawn = await browser.draw('/read?path=src/cart.ts&ref=r2&lines=3', readView);
  assert.deepEqual(
    drawn.text,
    `src/cart.ts
top /src /
cart.ts
9 lines, typescript uncommitted Blame Copy permalink Open in editor View on github.com parse errors may hide declarations latin1, shown as UTF-8
1 class Cart {
2 add() {}
3 total() {}
4 }
Cart.total
Sums it up.
Who calls it 15
pay src/0.ts:1
src/1.ts:2
src/2.ts:3
src/3.ts:4
src/4.ts:5
src/5.ts:6
src/6.ts:7
src/7.ts:8
src/8.ts:9
src/9.ts:10
src/10.ts:11
src/11.ts:12
and 3 more
What it calls 3
price src/price.ts:7
Tax src/b.ts:7
and 1 more
outside: fetch, Tax
Inherits from 2
Base
Sum src/sum.ts:7
Derived from it 1
Sub src/sub.ts:7
Tests that reach it 2
test/cart.test.ts:4 1 hop
test/far.test.ts:5 2 hops
Mentioned in 2
README.md:3 Cart Guide
Commits that made it 2
Add totals Ann, 2024-05-31
beef Bob, 2024-05-31
Its whole history About the file
In this file 3
Cart class
add method
total method`,
  );
  assert.deepEqual(drawn.links, {
    '1': '/read?ref=r2&path=src%2Fcart.ts&lines=1',
    '2': '/read?ref=r2&path=src%2Fcart.ts&lines=2',
    '3': '/read?ref=r2&path=src%2Fcart.ts&lines=3',
    '4': '/read?ref=r2&path=src%2Fcart.ts&lines=4',
    top: '/?ref=r2',
    src: '/?ref=r2&folder=src',
    Blame: '/read?path=src%2Fcart.ts&ref=r2&lines=3&blame=yes',
    'Open in editor': 'vscode://file/home/ann/shop/src/cart.ts:3',
    'View on github.com': 'https://github.com/acme/shop/blob/c0ffee0123456789/src/cart.ts#L3-L3',
    'parse errors may hide declarations': '/read?ref=r2&path=src%2Fcart.ts&lines=3-4',
    'pay src/0.ts:1': '/read?ref=r2&path=src%2F0.ts&lines=1',
    'src/1.ts:2': '/read?ref=r2&path=src%2F1.ts&lines=2',
    'src/2.ts:3': '/read?ref=r2&path=src%2F2.ts&lines=3',
    'src/3.ts:4': '/read?ref=r2&path=src%2F3.ts&lines=4',
    'src/4.ts:5': '/read?ref=r2&path=src%2F4.ts&lines=5',
    'src/5.ts:6': '/read?ref=r2&path=src%2F5.ts&lines=6',
    'src/6.ts:7': '/read?ref=r2&path=src%2F6.ts&lines=7',
    'src/7.ts:8': '/read?ref=r2&path=src%2F7.ts&lines=8',
    'src/8.ts:9': '/read?ref=r2&path=src%2F8.ts&lines=9',
    'src/9.ts:10': '/read?ref=r2&path=src%2F9.ts&lines=10',
    'src/10.ts:11': '/read?ref=r2&path=src%2F10.ts&lines=11',
    'src/11.ts:12': '/read?ref=r2&path=src%2F11.ts&lines=12',
    'price src/price.ts:7': '/read?ref=r2&path=src%2Fprice.ts&lines=7-9',
    'Tax src/b.ts:7': '/read?ref=r2&path=src%2Fb.ts&lines=7-9',
    'Sum src/sum.ts:7': '/read?ref=r2&path=src%2Fsum.ts&lines=7-9',
    'Sub src/sub.ts:7': '/read?ref=r2&path=src%2Fsub.ts&lines=7-9',
    'test/cart.test.ts:4': '/read?ref=r2&path=test%2Fcart.test.ts&lines=4',
    'test/far.test.ts:5': '/read?ref=r2&path=test%2Ffar.test.ts&lines=5',
    'README.md:3': '/read?ref=r2&path=README.md&lines=3',
    'Add totals': 'https://github.com/acme/shop/commit/c0ffee0123456789',
    beef: 'https://github.com/acme/shop/commit/beef',
    'Its whole history': '/history?ref=r2&q=Cart.total',
    'About the file': '/read?ref=r2&path=src%2Fcart.ts',
    Cart: '/read?path=src%2Fcart.ts&lines=1-4&ref=r2',
    add: '/read?path=src%2Fcart.ts&lines=2&ref=r2',
    total: '/read?path=src%2Fcart.ts&lines=3&ref=r2',
  });
  assert.deepEqual(browser.last('graph symbol'), { names: ['src/cart.ts:3'], ref: 'r2', limit: 100 });
  assert.deepEqual(browser.last('why'), { place: 'src/cart.ts:3', ref: 'r2', limit: 8 });
});

test('lines before a symbol mean the first symbol in them; a symbol without callers says why', async (t) => {
  const outline = { files: [{ ...OUTLINE.files[1], parseErrors: undefined, symbols: SYMBOLS.slice(1) }] };
  const symbol = {
    ...SYMBOL,
    callers: some(),
    noCallers: { reason: 'It is an entry point.' },
    callees: { resolved: some(), external: some() },
    parents: [],
    subtypes: some(),
    tests: some(),
  };
  const browser = new Browser(t, {
    ...ANSWERS,
    'graph outline': outline,
    'graph symbol': symbol,
    why: undefined,
    'docs links': undefined,
  });
  const drawn = await browser.draw('/read?path=src/cart.ts&ref=r3&lines=1-4', readView);
  assert.deepEqual(
    drawn.text,
    `src/cart.ts
top /src /
cart.ts
9 lines, typescript uncommitted Blame Copy permalink Open in editor View on github.com latin1, shown as UTF-8
1 class Cart {
2 add() {}
3 total() {}
4 }
Cart.total
Sums it up.
Who calls it 0
It is an entry point.
Tests that reach it 0
No test is known to reach it.
Its whole history About the file
In this file 2
add method
total method`,
  );
  assert.deepEqual(drawn.rows, ['chosen', 'chosen changed', 'chosen', 'chosen']);
});

test('authors stand before the first of the lines that a commit wrote', async (t) => {
  const blame = {
    runs: [
      { line: 1, count: 2, commit: COMMIT },
      { line: 4, count: 1, commit: 'beef' },
    ],
    commits: {
      [COMMIT]: { subject: 'Add', author: 'Ann', date: DAY },
      beef: { subject: 'Fix', author: 'Bob', date: null },
    },
  };
  const browser = new Browser(t, { ...ANSWERS, blame });
  const drawn = await browser.draw('/read?path=src/cart.ts&ref=r4&blame=yes', readView);
  assert.deepEqual(
    drawn.text
      .split('\n')
      .filter((line) => /^(?:1|2|3|4|\d{4}|not) ?/.test(line))
      .join('\n'),
    `2024-05-31 Ann1 class Cart {
2 add() {}
not committed3 total() {}`,
  );
  assert.match(drawn.markup, /title=c0ffee012 Add>/);
  assert.equal(drawn.links.Blame, '/read?path=src%2Fcart.ts&ref=r4');
  assert.deepEqual(browser.last('blame'), { path: 'src/cart.ts', ref: 'r4' });
});

test('a path that is not there says so, and a range is asked in place of a ref', async (t) => {
  const browser = new Browser(t, {
    ...ANSWERS,
    show: { ...SHOW, parts: [], problems: [{ message: 'no such file', hint: 'look again' }] },
  });
  const drawn = await browser.draw('/read?path=gone/x.ts&in=main..r5&ref=r5', readView);
  assert.deepEqual(
    drawn.text,
    `gone/x.ts
top /gone /
x.ts
no such file
look again`,
  );
  assert.deepEqual(drawn.links, { top: '/?ref=r5&in=main..r5', gone: '/?ref=r5&in=main..r5&folder=gone' });
  assert.deepEqual(browser.last('show'), { targets: ['gone/x.ts'], in: 'main..r5' });
});

test('a click chooses a line, with shift all lines from the chosen one, and with control none', (t) => {
  const browser = new Browser(t, {});
  const click = (line: number, keys: object = {}) => {
    const link = { getAttribute: () => String(line) };
    chooseLines({ target: { closest: () => link }, preventDefault: () => {}, ...keys } as never);
  };
  browser.at('/read?path=a.ts&lines=5');
  click(3, { ctrlKey: true });
  click(3, { shiftKey: true });
  click(9, { shiftKey: true });
  click(3, { shiftKey: true });
  click(4);
  assert.deepEqual(browser.visited, [
    '/read?path=a.ts&lines=3-5',
    '/read?path=a.ts&lines=3-9',
    '/read?path=a.ts&lines=3',
    '/read?path=a.ts&lines=4',
  ]);
});

test('the first view: what is indexed, and its most central folders', async (t) => {
  const central = [1, 2, 3, 4, 5].map((i) => ({
    path: `src/${i}.ts`,
    defines: [1, 2, 3].map((line) => ({ line, text: `f${i}${line}` })),
  }));
  const folders = [
    { path: 'src', files: 5, uses: ['', 'lib', 'a', 'b', 'c'], central },
    { path: '', files: 1, uses: [], central: [] },
  ];
  const languages = ['typescript', 'go', 'rust', 'c', 'css', 'html', 'sql'].map((name, i) => ({
    name,
    files: 2_000 - i,
  }));
  const browser = new Browser(t, {
    overview: { files: 9_001, languages, folders: [{ name: 'src', files: 1_234 }], endings: {} },
    'graph outline': { folders },
  });
  const drawn = await browser.draw('/?ref=o1', overview);
  assert.deepEqual(
    drawn.text,
    `Keys: / search, t a file by its name, r another branch, tag or range, ? all keys.
9,001 indexed files: typescript 2,000, go 1,999, rust 1,998, c 1,997, css 1,996, html 1,995, …
src/ 1,234
Most central folders
src 5
uses the top, lib, a, b, …
1.ts f11 f12
2.ts f21 f22
3.ts f31 f32
4.ts f41 f42
the top 1`,
  );
  assert.deepEqual(browser.last('graph outline'), { ref: 'o1', maxTokens: 2_500 });
});

test('a central folder names up to four folders that it uses, and says if there are more', async (t) => {
  const used = ['a', 'b', 'c', 'd', 'e'];
  const folders = used.map((path, i) => ({ path, files: 1, uses: used.slice(0, i + 1), central: [] }));
  const browser = new Browser(t, {
    overview: { files: 5, languages: [], folders: [], endings: {} },
    'graph outline': { folders },
  });
  const drawn = await browser.draw('/?ref=o2', overview);
  assert.deepEqual(drawn.text.match(/^uses .*$/gm), [
    'uses a',
    'uses a, b',
    'uses a, b, c',
    'uses a, b, c, d',
    'uses a, b, c, d, …',
  ]);
});

test('a folder lists what is right below it, folders with their number of files', async (t) => {
  const paths = ['src/a.ts', 'src/deep/b.ts', 'src/deep/er/c.ts', 'srcs/d.ts', 'e.ts', 'src/z/f.ts'];
  const browser = new Browser(t, { files: { paths } });
  const drawn = await browser.draw('/?ref=o2&folder=src', overview);
  assert.deepEqual(
    drawn.text,
    `top /
src
deep/ 2
z/ 1
a.ts`,
  );
  assert.deepEqual(drawn.links, {
    top: '/?ref=o2',
    'deep/': '/?ref=o2&folder=src%2Fdeep',
    'z/': '/?ref=o2&folder=src%2Fz',
    'a.ts': '/read?ref=o2&path=src%2Fa.ts',
  });
});
