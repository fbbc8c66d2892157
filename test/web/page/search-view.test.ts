/** Searches of the page as a reader sees them: words, lines and commits of this repository, and the repositories of a fleet. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fleetReader, fleetView, searchView } from '../../../src/web/page/search-view.js';
import { Browser, type Drawn } from './drawn.js';

/** A search at an address after Enter: before that, what was typed is searched by words alone. */
async function searched(browser: Browser, address: string): Promise<Drawn> {
  const drawn = await browser.draw(address, searchView);
  drawn.fire(/<form role="search"/, 'submit');
  browser.visited.length = 0;
  return browser.draw(address, searchView);
}

const OVERVIEW = {
  files: 7,
  languages: [
    { name: 'typescript', files: 5 },
    { name: 'go', files: 2 },
    { name: 'make', files: 1 },
  ],
  folders: [{ name: 'src', files: 6 }],
  endings: { ts: 'typescript', mts: 'typescript', go: 'go', 'tools/Makefile': 'make' },
};
const COVERAGE = { covered: 3, total: 3 };
const CART = {
  ...{ path: 'src/cart.ts', startLine: 5, endLine: 6, symbol: 'Cart.total', kind: 'method', language: 'typescript' },
  content: 'total() {\n  return sum;\n}\n',
  places: [{ path: 'src/cart.ts' }, { path: 'lib/cart.ts' }],
  also: [
    { symbol: 'Cart.add', startLine: 1, endLine: 2 },
    { symbol: 'Cart.drop', startLine: 9, endLine: 9 },
  ],
};
const TEXT = {
  ...{ path: 'docs/a/cart.md', startLine: 1, endLine: 1, symbol: null, kind: 'text', language: 'markdown' },
  ...{ uncommitted: true, content: 'the total', contentLine: 3 },
};

test('results of words: their code with marks, other places, and facets with counts', async (t) => {
  const search = {
    query: 'total cost',
    results: [CART, { ...TEXT, content: 'the total, cast' }, { ...CART, symbol: 'other', also: [] }],
    coverage: { covered: 2, total: 3 },
  };
  const browser = new Browser(t, {
    overview: OVERVIEW,
    search: { ...search, corrections: { cst: ['cost', 'cast'] }, range: { files: 2 } },
  });
  const address =
    '/?q=total+cost&ref=w1&in=main..w1&lang=go,rust&kind=method&folder=src/[a]&author=ann&since=1m&is=test';
  const drawn = await searched(browser, address);
  assert.deepEqual(
    drawn.text,
    `Search
Search this repository
Words
Exact text
Regex
Commits
Narrow (7)
Files all without tests source only tests only
Folder
src/[a] ✕
Language
go,rust ✕
typescript 2
markdown 1
Kind
method 2 ✕
text 1
Changed any time last week last month last half year last year
Author
Only what changed in
main..w1 ✕
3 results in 2 files of 2 of 3 files, in 2 changed files
“cst” does not occur here; searched for cost, cast.
Cart.total src/cart.ts:5
method typescript the same text in 1 other file
5 total() {
6 return sum;
7 }
also in this file: Cart.add , Cart.drop
docs/a/cart.md:1
text markdown uncommitted
3 the total, cast
other src/cart.ts:5
method typescript the same text in 1 other file
5 total() {
6 return sum;
7 }`,
  );
  assert.deepEqual(drawn.links, {
    '3': '/read?ref=w1&in=main..w1&path=docs%2Fa%2Fcart.md&lines=3',
    '5': '/read?ref=w1&in=main..w1&path=src%2Fcart.ts&lines=5',
    '6': '/read?ref=w1&in=main..w1&path=src%2Fcart.ts&lines=6',
    '7': '/read?ref=w1&in=main..w1&path=src%2Fcart.ts&lines=7',
    Words:
      '/?q=total+cost&ref=w1&in=main..w1&lang=go%2Crust&kind=method&folder=src%2F%5Ba%5D&author=ann&since=1m&is=test',
    'Exact text':
      '/?q=total+cost&ref=w1&in=main..w1&lang=go%2Crust&kind=method&folder=src%2F%5Ba%5D&author=ann&since=1m&is=test&what=exact',
    Regex:
      '/?q=total+cost&ref=w1&in=main..w1&lang=go%2Crust&kind=method&folder=src%2F%5Ba%5D&author=ann&since=1m&is=test&what=pattern',
    Commits:
      '/?q=total+cost&ref=w1&in=main..w1&lang=go%2Crust&kind=method&folder=src%2F%5Ba%5D&author=ann&since=1m&is=test&what=commits',
    'src/[a] ✕': '/?q=total+cost&ref=w1&in=main..w1&lang=go%2Crust&kind=method&author=ann&since=1m&is=test',
    'go,rust ✕': '/?q=total+cost&ref=w1&in=main..w1&kind=method&folder=src%2F%5Ba%5D&author=ann&since=1m&is=test',
    'typescript 2':
      '/?q=total+cost&ref=w1&in=main..w1&lang=typescript&kind=method&folder=src%2F%5Ba%5D&author=ann&since=1m&is=test',
    'markdown 1':
      '/?q=total+cost&ref=w1&in=main..w1&lang=markdown&kind=method&folder=src%2F%5Ba%5D&author=ann&since=1m&is=test',
    'method 2 ✕': '/?q=total+cost&ref=w1&in=main..w1&lang=go%2Crust&folder=src%2F%5Ba%5D&author=ann&since=1m&is=test',
    'text 1':
      '/?q=total+cost&ref=w1&in=main..w1&lang=go%2Crust&kind=text&folder=src%2F%5Ba%5D&author=ann&since=1m&is=test',
    'main..w1 ✕': '/?q=total+cost&ref=w1&lang=go%2Crust&kind=method&folder=src%2F%5Ba%5D&author=ann&since=1m&is=test',
    'Cart.total src/cart.ts:5': '/read?ref=w1&in=main..w1&path=src%2Fcart.ts&lines=5-6',
    'Cart.add': '/read?ref=w1&in=main..w1&path=src%2Fcart.ts&lines=1-2',
    'Cart.drop': '/read?ref=w1&in=main..w1&path=src%2Fcart.ts&lines=9',
    'docs/a/cart.md:1': '/read?ref=w1&in=main..w1&path=docs%2Fa%2Fcart.md&lines=1',
    'other src/cart.ts:5': '/read?ref=w1&in=main..w1&path=src%2Fcart.ts&lines=5-6',
  });
  assert.deepEqual(browser.last('search'), {
    query: 'total cost',
    ref: 'w1',
    in: 'main..w1',
    author: 'ann',
    since: '1m',
    is: ['test'],
    path: ['src/\\[a\\]/**'],
    lang: ['go', 'rust'],
    kind: ['method'],
    limit: 30,
  });
  assert.deepEqual(drawn.markup.match(/<mark>.*?<\/mark>/g), [
    '<mark>total</mark>',
    '<mark>total</mark>',
    '<mark>cast</mark>',
    '<mark>total</mark>',
  ]);
});

test('a search without results; the ways to search are links that keep the query', async (t) => {
  const browser = new Browser(t, { overview: OVERVIEW, search: { query: 'nothing', results: [], coverage: COVERAGE } });
  const drawn = await searched(browser, '/?q=nothing&ref=w2');
  assert.deepEqual(
    drawn.text,
    `Search
Search this repository
Words
Exact text
Regex
Commits
Narrow
Files all without tests source only tests only
Other language … typescript go make
Changed any time last week last month last half year last year
Author
Nothing found.`,
  );
  assert.deepEqual(drawn.links, {
    Words: '/?q=nothing&ref=w2',
    'Exact text': '/?q=nothing&ref=w2&what=exact',
    Regex: '/?q=nothing&ref=w2&what=pattern',
    Commits: '/?q=nothing&ref=w2&what=commits',
  });
  assert.deepEqual(browser.last('search'), { query: 'nothing', limit: 30, ref: 'w2' });
});

test('as many results as were asked for are the best, and one is one', async (t) => {
  const many = Array.from({ length: 30 }, (_, i) => ({ ...TEXT, path: `${i}.md`, content: undefined }));
  const browser = new Browser(t, {
    search: ({ query }: { query: string }) => ({ query, results: query === 'one' ? [TEXT] : many, coverage: COVERAGE }),
  });
  assert.match((await searched(browser, '/?q=many&ref=w3')).text, /^the best 30 results in 30 files$/m);
  const one = await searched(browser, '/?q=one&ref=w3');
  assert.match(one.text, /^1 result in 1 file$/m);
  assert.match(one.markup, /class=results data-query=one/);
});

const hit = (path: string, line: number, text: string, symbol: string | null = null) => ({ path, line, text, symbol });
const HITS = [
  hit('src/cart.ts', 3, '    total(', 'Cart.total'),
  hit('src/cart.ts', 9, `    const long = ${'1 + '.repeat(30)}total;`, 'Cart.total'),
  { ...hit('src/price.ts', 2, '\ttotal\n\tof', null), uncommitted: true },
  ...Array.from({ length: 21 }, (_, i) => hit('src/cart.ts', 20 + i, 'total', null)),
];
const MARKS = [[[4, 9]], [[137, 142]], [[1, 10]], ...Array.from({ length: 21 }, () => [[0, 5]])];
const FOUND = {
  hits: HITS,
  marks: MARKS,
  hitsLeftOut: 0,
  total: { hits: 24, files: 2 },
  coverage: { covered: 4, total: 5 },
};

test('a match over several lines is marked in each of them, from where it begins to where it ends', async (t) => {
  const found = {
    hits: [hit('src/cart.ts', 3, 'sum of total\nand of\nprice there')],
    marks: [[[7, 25]]],
    hitsLeftOut: 0,
    total: { hits: 1, files: 1 },
    coverage: COVERAGE,
  };
  const browser = new Browser(t, { overview: OVERVIEW, grep: found });
  const drawn = await searched(browser, '/?q=total%5Cnand&what=pattern&ref=l9');
  assert.deepEqual(drawn.markup.match(/<mark>.*?<\/mark>/g), [
    '<mark>total</mark>',
    '<mark>and of</mark>',
    '<mark>price</mark>',
  ]);
});

test('lines with a text: below their files and symbols, without their shared indentation, the match in sight', async (t) => {
  const browser = new Browser(t, { overview: OVERVIEW, grep: FOUND });
  const drawn = await searched(browser, '/?q=total&what=exact&ref=l1&word=yes&lang=typescript,make');
  assert.deepEqual(
    drawn.text.replace(/\n(?:2[1-9]|3[0-6]) total/g, ''),
    `Search
Search this repository
Words
Exact text
Regex
Commits
Match case Whole words
Narrow (1)
Files all without tests source only tests only
Folder
src 2
Language
typescript,make ✕
typescript 2
Changed any time last week last month last half year last year
Author
24 lines in 2 files. 1 file could not be searched.
src/cart.ts 23 lines
Cart.total
3 total(
9 …+ 1 + 1 + 1 + 1 + 1 + 1 + 1 + total;
top level
20 total
37 total
3 further lines
38 total
39 total
40 total
src/price.ts 2 lines uncommitted
2 total
3 of`,
  );
  assert.deepEqual(browser.last('grep'), {
    pattern: 'total',
    fixed: true,
    words: true,
    ignoreCase: true,
    ref: 'l1',
    path: ['**/*.ts', '**/ts', '**/*.mts', '**/mts', 'tools/Makefile'],
    limit: 200,
  });
  assert.deepEqual(drawn.markup.match(/<mark>.*?<\/mark>/gs)?.slice(0, 4), [
    '<mark>total</mark>',
    '<mark>total</mark>',
    '<mark>total</mark>',
    '<mark>total</mark>',
  ]);
});

test('lines of a regular expression with case, in a folder; of more lines than are listed all files are counted', async (t) => {
  const rest = { ...FOUND, hitsLeftOut: 1_500, total: { hits: 1_524, files: 3 }, coverage: COVERAGE, range: {} };
  const files = [
    { path: 'src/cart.ts', hits: 1_500 },
    { path: 'src/price.ts', hits: 23 },
    { path: 'go/cart.go', hits: 1 },
  ];
  const browser = new Browser(t, {
    overview: OVERVIEW,
    grep: ({ count }: { count?: true }) => (count ? { ...rest, files } : rest),
  });
  const drawn = await searched(browser, '/?q=tot.l&what=pattern&ref=l2&case=yes&folder=src');
  assert.deepEqual(
    drawn.text
      .split('\n')
      .filter((line) => !/^\d+/.test(line))
      .join('\n'),
    `Search
Search this repository
Words
Exact text
Regex
Commits
Match case Whole words
Narrow (1)
Files all without tests source only tests only
Folder
src ✕
Language
typescript 2
go 1
Other language … make
Changed any time last week last month last half year last year
Author
src/cart.ts 1,500 lines
Cart.total
top level
src/price.ts 23 lines uncommitted
Show up to 1,000 lines`,
  );
  assert.deepEqual(browser.asked.filter(([name]) => name === 'grep').slice(0, 2), [
    ['grep', { pattern: 'tot.l', ref: 'l2', path: ['src/**'], limit: 40 }],
    ['grep', { pattern: 'tot.l', ref: 'l2', path: ['src/**'], limit: 200 }],
  ]);
  assert.equal(drawn.links['Show up to 1,000 lines'], '/?q=tot.l&what=pattern&ref=l2&case=yes&folder=src&n=1000');
  const most = { ...rest, hits: Array.from({ length: 1_000 }, (_, i) => hit('src/cart.ts', i + 1, 'total')) };
  const full = new Browser(t, {
    overview: OVERVIEW,
    grep: ({ count }: { count?: true }) => (count ? { ...most, files } : most),
  });
  const { text } = await searched(full, '/?q=tot.l&what=pattern&ref=l3&n=1000');
  assert.match(text, /^Choose a folder or a language for the other 1,500 lines\.$/m);
  assert.equal(full.asked.find(([name]) => name === 'grep')?.[1].limit, 1_000);
  assert.doesNotMatch(text, /Show up to/);
});

test('half of a regular expression is no failure, and no line is said to match', async (t) => {
  const half = { error: { code: 'BAD_ARGUMENT', message: 'the pattern ends early', hint: 'escape it' } };
  const none = { ...FOUND, hits: [], marks: [], total: { hits: 0, files: 0 }, coverage: COVERAGE };
  const browser = new Browser(t, {
    overview: OVERVIEW,
    grep: ({ pattern }: { pattern: string }) => (pattern === '((' ? half : none),
  });
  const broken = await searched(browser, '/?q=((&what=pattern&ref=l4');
  assert.match(broken.text, /^the pattern ends early$/m);
  assert.doesNotMatch(broken.text, /escape it/);
  assert.match((await searched(browser, '/?q=none&what=exact&ref=l4')).text, /^No line matches\.$/m);
});

test('commits whose message has the words', async (t) => {
  const results = [
    { commit: 'c0ffee0123456789', subject: 'Add the total', author: 'Ann', date: '2024-05-31T10:00:00Z' },
    { commit: 'beef000000000000', subject: '', author: 'Bob', date: null },
  ];
  const browser = new Browser(t, { overview: OVERVIEW, search: { results } });
  const drawn = await searched(browser, '/?q=total&what=commits&ref=c1');
  assert.deepEqual(
    drawn.text,
    `Search
Search this repository
Words
Exact text
Regex
Commits
Add the total
Ann 2024-05-31 c0ffee012
beef000000000000
Bob beef00000`,
  );
  assert.deepEqual(browser.last('search'), { query: 'total', commits: true, limit: 30, ref: 'c1' });
  assert.match(drawn.markup, /Add the <mark>total<\/mark>/);
});

test('boxes of a search of lines change its address', async (t) => {
  const browser = new Browser(t, { overview: OVERVIEW, grep: FOUND });
  const drawn = await searched(browser, '/?q=total&what=exact&ref=b1&word=yes');
  drawn.fire(/<label><input type="checkbox" checked=false/, 'change');
  drawn.fire(/<label><input type="checkbox" checked=true/, 'change');
  assert.deepEqual(browser.visited, [
    '/?q=total&what=exact&ref=b1&word=yes&case=yes',
    '/?q=total&what=exact&ref=b1&case=yes',
  ]);
});

test('what is typed is searched by words at once, and with vectors and history after a pause', async (t) => {
  const browser = new Browser(t, { overview: OVERVIEW, search: { query: 'x', results: [], coverage: COVERAGE } });
  const drawn = await searched(browser, '/?q=old&ref=t1&n=1000');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  drawn.fire(/<input id="query"/, 'input', { target: { value: 'new' } });
  assert.deepEqual(browser.last('search'), { query: 'new', ref: 't1', mode: 'lexical', noHistory: true, limit: 10 });
  assert.deepEqual(browser.visited, ['/?q=new&ref=t1']);
  t.mock.timers.tick(349);
  searchView();
  assert.equal(browser.last('search')?.mode, 'lexical');
  t.mock.timers.tick(1);
  searchView();
  assert.deepEqual(browser.last('search'), { query: 'new', ref: 't1', limit: 30 });
});

const ONE = {
  repo: 'git.example/acme/shop',
  ref: 'main',
  commit: 'c0ffee0123456789',
  publishedAt: '2024-05-31T10:00:00Z',
};

test('results of the fleet tell their repository, ref and commit', async (t) => {
  const results = [
    { ...CART, ...ONE },
    { ...TEXT, ...ONE, endLine: 1 },
  ];
  const browser = new Browser(t, {
    'fleet search': { query: 'total', results, fleet: { searched: 1_200, withoutRef: 1 } },
  });
  const drawn = await browser.draw('/fleet?q=total&repo=acme/*,beta/*&lang=go&kind=method&at=v1', fleetView);
  assert.deepEqual(
    drawn.text,
    `Search the fleet
Search the repositories of the fleet
Narrow
Repositories
Branch, tag or commit
Language
go ✕
typescript 1
markdown 1
Kind
method 1 ✕
text 1
The best 2 results of 1,200 repositories; 1 repository have not published this ref
Cart.total src/cart.ts:5
git.example/acme/shop main c0ffee012 2024-05-31 method typescript the same text in 1 other file
5 total() {
6 return sum;
7 }
also in this file: Cart.add , Cart.drop
docs/a/cart.md:1
git.example/acme/shop main c0ffee012 2024-05-31 text markdown uncommitted
3 the total`,
  );
  assert.deepEqual(drawn.links, {
    '3': '/fleet/read?repo=git.example%2Facme%2Fshop&path=docs%2Fa%2Fcart.md&at=main&lines=3',
    '5': '/fleet/read?repo=git.example%2Facme%2Fshop&path=src%2Fcart.ts&at=main&lines=5',
    '6': '/fleet/read?repo=git.example%2Facme%2Fshop&path=src%2Fcart.ts&at=main&lines=6',
    '7': '/fleet/read?repo=git.example%2Facme%2Fshop&path=src%2Fcart.ts&at=main&lines=7',
    'go ✕': '/fleet?q=total&repo=acme%2F*%2Cbeta%2F*&kind=method&at=v1',
    'typescript 1': '/fleet?q=total&repo=acme%2F*%2Cbeta%2F*&lang=typescript&kind=method&at=v1',
    'markdown 1': '/fleet?q=total&repo=acme%2F*%2Cbeta%2F*&lang=markdown&kind=method&at=v1',
    'method 1 ✕': '/fleet?q=total&repo=acme%2F*%2Cbeta%2F*&lang=go&at=v1',
    'text 1': '/fleet?q=total&repo=acme%2F*%2Cbeta%2F*&lang=go&kind=text&at=v1',
    'Cart.total src/cart.ts:5': '/fleet/read?repo=git.example%2Facme%2Fshop&path=src%2Fcart.ts&at=main&lines=5-6',
    'Cart.add': '/fleet/read?repo=git.example%2Facme%2Fshop&path=src%2Fcart.ts&at=main&lines=1-2',
    'Cart.drop': '/fleet/read?repo=git.example%2Facme%2Fshop&path=src%2Fcart.ts&at=main&lines=9',
    'docs/a/cart.md:1': '/fleet/read?repo=git.example%2Facme%2Fshop&path=docs%2Fa%2Fcart.md&at=main&lines=1',
  });
  assert.deepEqual(browser.last('fleet search'), {
    query: 'total',
    repo: ['acme/*', 'beta/*'],
    lang: ['go'],
    kind: ['method'],
    ref: 'v1',
    limit: 30,
  });
  drawn.fire(/<input id=fleet-repo/, 'change', { target: { value: ' acme/x ' } });
  drawn.fire(/<input id=fleet-at/, 'change', { target: { value: ' ' } });
  assert.deepEqual(browser.visited, [
    '/fleet?q=total&repo=acme%2Fx&lang=go&kind=method&at=v1',
    '/fleet?q=total&repo=acme%2Fx&lang=go&kind=method',
  ]);
});

test('nothing found in one repository of the fleet', async (t) => {
  const browser = new Browser(t, {
    'fleet search': { query: 'no', results: [], fleet: { searched: 1, withoutRef: 0 } },
  });
  assert.match((await browser.draw('/fleet?q=no', fleetView)).text, /^Nothing found in 1 repository\.$/m);
});

test('repositories of the fleet before anything is searched', async (t) => {
  const results = [{ ...ONE, files: 1, refs: ['main', 'v1'], refsLeftOut: 3 }];
  const browser = new Browser(t, {
    'fleet repos': ({ repo }: { repo?: string[] }) => (repo ? { results: [] } : { results, resultsLeftOut: 1_100 }),
  });
  const drawn = await browser.draw('/fleet', fleetView);
  assert.deepEqual(
    drawn.text,
    `Search the fleet
Search the repositories of the fleet
Narrow
Repositories
Branch, tag or commit
git.example/acme/shop
main c0ffee012 2024-05-31 1 file 5 published refs
and 1,100 more`,
  );
  assert.equal(drawn.links[ONE.repo], `/fleet?repo=${encodeURIComponent(ONE.repo)}`);
  const none = await browser.draw('/fleet?repo=acme/none', fleetView);
  assert.match(none.text, /^No repository that you may read is published here\.$/m);
  assert.doesNotMatch(none.text, /more/);
});

test('a file of the fleet as it was published, with its page on the forge', async (t) => {
  const file = {
    ...ONE,
    repo: 'github.com/acme/shop',
    path: 'src/cart.ts',
    language: 'typescript',
    content: 'a\nb\nc\n',
    lines: 3,
  };
  const browser = new Browser(t, { 'fleet file': file });
  const drawn = await browser.draw(
    '/fleet/read?repo=github.com/acme/shop&path=src/cart.ts&at=v1&lines=2-3',
    fleetReader,
  );
  assert.deepEqual(
    drawn.text,
    `src/cart.ts
github.com/acme/shop /
src/cart.ts
3 lines, typescript main c0ffee012, published 2024-05-31 View on github.com
1 a
2 b
3 c`,
  );
  assert.deepEqual(drawn.links, {
    '1': '/fleet/read?repo=github.com%2Facme%2Fshop&path=src%2Fcart.ts&at=main&lines=1',
    '2': '/fleet/read?repo=github.com%2Facme%2Fshop&path=src%2Fcart.ts&at=main&lines=2',
    '3': '/fleet/read?repo=github.com%2Facme%2Fshop&path=src%2Fcart.ts&at=main&lines=3',
    'github.com/acme/shop': '/fleet?repo=github.com%2Facme%2Fshop',
    'View on github.com': 'https://github.com/acme/shop/blob/c0ffee0123456789/src/cart.ts#L2-L3',
  });
  assert.deepEqual(drawn.rows, ['', 'chosen', 'chosen']);
  assert.deepEqual(browser.last('fleet file'), { repo: 'github.com/acme/shop', path: 'src/cart.ts', ref: 'v1' });
});
