/** Maps as a reader sees them. Treemaps: areas are the values, and nothing overlaps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hotspotsView, mapView, treemap } from '../../../src/web/page/map-views.js';
import { Browser } from './drawn.js';

const within = { x: 0, y: 0, width: 600, height: 400 };

test('areas are in proportion, inside of the whole, and apart', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 40 }), (values) => {
      const sorted = [...values].sort((a, b) => b - a);
      const rects = treemap(
        sorted.map((value) => ({ value })),
        within,
      );
      const total = sorted.reduce((sum, value) => sum + value, 0);
      rects.forEach(({ x, y, width, height }, i) => {
        assert.ok(Math.abs(width * height - (sorted[i] / total) * 240_000) < 1);
        assert.ok(x >= -0.01 && y >= -0.01 && x + width <= 600.01 && y + height <= 400.01);
        for (const other of rects.slice(0, i)) {
          const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
          const along = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
          assert.ok(across < 0.01 || along < 0.01, 'apart');
        }
      });
    }),
  );
});

test('rectangles of like values are nearly square', () => {
  for (const { width, height } of treemap(
    Array.from({ length: 24 }, () => ({ value: 1 })),
    within,
  ))
    assert.ok(Math.max(width / height, height / width) < 2);
});

const picture = (nodes: readonly string[], edges: readonly (readonly [from: string, to: string, count: number])[]) => ({
  nodes: nodes.map((label, i) => ({ id: `n${label}`, label, path: label, members: i + 1 })),
  edges: edges.map(([from, to, count]) => ({
    from: `n${from}`,
    to: `n${to}`,
    count,
    kinds: { web: ['type-import'], base: ['type-import', 'call'] }[from] ?? ['call'],
  })),
  leftOut: { aside: 3, unlinked: 1 },
});
const FOLDERS = picture(
  ['web', 'shop', 'base', `src/${'very/'.repeat(8)}deep`, 'alone'],
  [
    ['web', 'shop', 4],
    ['web', 'base', 1],
    ['shop', 'base', 16],
    ['base', 'web', 1],
    ['shop', `src/${'very/'.repeat(8)}deep`, 2],
  ],
);
const step = (path: string) => ({ path, line: 2 });
const CYCLES = {
  cycles: {
    list: [
      { size: 2, shortest: [step('a.ts'), step('b.ts')] },
      { size: 9, shortest: 'abcdefg'.split('').map((name) => step(`${name}.ts`)) },
    ],
    leftOut: 1,
  },
};

test('the map shows folders above what they use, thicker lines for more uses, broken ones for types alone, and circles of imports', async (t) => {
  const browser = new Browser(t, { 'graph visualize': FOLDERS, 'graph cycles': CYCLES });
  const drawn = await browser.draw('/map?ref=m1', mapView);
  assert.deepEqual(
    drawn.text,
    `Map
A folder stands above the folders that it uses. Thicker lines mean more uses, broken ones types alone; brown lines lead upwards. Choose a folder to see all of its uses.
with tests, examples and generated code (3 files left out) Not drawn: 1 file of data and documents that no code uses
web: 1 file web 1 file shop: 2 files shop 2 files base: 3 files base 3 files src/very/very/very/very/very/very/very/very/deep: 4 files src/very/very/very/very/…/deep 4 files alone: 5 files alone 5 files
Cycles
Cycles of imports 3
2 files: a.ts:2 → b.ts:2 →
9 files: a.ts:2 → b.ts:2 → c.ts:2 → d.ts:2 → e.ts:2 → f.ts:2 → …
and 1 more`,
  );
  assert.deepEqual(
    drawn.markup.match(/class=use(?: +(?:up|weak))*|stroke-width=[\d.]+/g)?.join(),
    'class=use up,stroke-width=2.8,class=use  weak,stroke-width=2.8,class=use,stroke-width=3.5,class=use  weak,stroke-width=4.5,class=use,stroke-width=8.0',
  );
  assert.deepEqual(browser.last('graph visualize'), { view: 'folders', limit: 40, ref: 'm1' });
  const heights = [...drawn.markup.matchAll(/<rect x=\S+ y=(\S+)/g)].map(([, y]) => Number(y));
  assert.ok(heights[0] < heights[1] && heights[1] < heights[2], `${heights}`);
  drawn.fire(/<input type="checkbox"/, 'change');
  assert.deepEqual(browser.visited, ['/map?ref=m1&tests=yes']);
});

test('a chosen folder shows its own uses, the strongest first, and fades those that have none with it', async (t) => {
  const browser = new Browser(t, { 'graph visualize': FOLDERS, 'graph cycles': { cycles: { list: [], leftOut: 0 } } });
  const drawn = await browser.draw('/map?ref=m2&at=shop&tests=yes', mapView);
  assert.deepEqual(
    drawn.text,
    `Map
A folder stands above the folders that it uses. Thicker lines mean more uses, broken ones types alone; brown lines lead upwards. Choose a folder to see all of its uses.
with tests, examples and generated code (3 files left out) Not drawn: 1 file of data and documents that no code uses
web: 1 file web 1 file shop: 2 files shop 2 files base: 3 files base 3 files src/very/very/very/very/very/very/very/very/deep: 4 files src/very/very/very/very/…/deep 4 files alone: 5 files alone 5 files
shop
Files Hotspots People
Uses 2
base 16 uses
src/very/very/very/very/very/very/very/very/deep 2 uses
Used by 1
web 4 uses
Cycles
Cycles of imports 0
No files import each other in circles.`,
  );
  assert.deepEqual(drawn.links, {
    'web: 1 file web 1 file': '/map?ref=m2&at=web&tests=yes',
    'shop: 2 files shop 2 files': '/map?ref=m2&tests=yes',
    'base: 3 files base 3 files': '/map?ref=m2&at=base&tests=yes',
    'src/very/very/very/very/very/very/very/very/deep: 4 files src/very/very/very/very/…/deep 4 files':
      '/map?ref=m2&at=src%2Fvery%2Fvery%2Fvery%2Fvery%2Fvery%2Fvery%2Fvery%2Fvery%2Fdeep&tests=yes',
    'alone: 5 files alone 5 files': '/map?ref=m2&at=alone&tests=yes',
    Files: '/?ref=m2&folder=shop',
    Hotspots: '/hotspots?ref=m2&folder=shop',
    People: '/people?ref=m2&path=shop',
    base: '/map?ref=m2&at=base&tests=yes',
    'src/very/very/very/very/very/very/very/very/deep':
      '/map?ref=m2&at=src%2Fvery%2Fvery%2Fvery%2Fvery%2Fvery%2Fvery%2Fvery%2Fvery%2Fdeep&tests=yes',
    web: '/map?ref=m2&at=web&tests=yes',
  });
  assert.deepEqual(
    drawn.markup.match(/class=(?:use|box)(?: \w+)*/g)?.join(),
    `class=use out d,class=use in weak d,class=use out d,class=box href,class=box chosen href,class=box href,class=box href,class=box faint href`,
  );
  assert.equal(browser.last('graph visualize')?.tests, true);
});

test('while the graph is linked, the map shows folders and languages that lead on', async (t) => {
  const languages = [{ name: 'go', files: 7 }];
  const browser = new Browser(t, {
    'graph visualize': () => new Promise(() => {}),
    'graph cycles': () => new Promise(() => {}),
    overview: { files: 7, isByName: true, languages, folders: [{ name: 'src', files: 5 }], endings: {} },
  });
  const drawn = await browser.draw('/map?ref=m3', mapView);
  assert.match(drawn.text, /Linking the graph.*…\nMeanwhile: files by folder\n7 files: go 7\nsrc\/ 5$/);
  assert.equal(drawn.links['src/ 5'], '/?ref=m3&folder=src');
});

const hot = (path: string, more: object = {}) => ({
  ...{ path, heat: 12.4, commits: 3, codeLines: 10, last: '2024-05-31T10:00:00Z' },
  ...more,
});

test('hotspots: a table, and rectangles by folders whose colour is the number of commits', async (t) => {
  const list = [
    hot('src/shop/cart.ts', { codeLines: 2_000, commits: 40, heat: 1_234.5 }),
    hot('src/shop/price.ts', { codeLines: 500, commits: 2, heat: 9.96 }),
    hot('src/web/page.ts', { codeLines: 900, commits: 10, last: null }),
    hot('src/top.ts', { codeLines: 0, commits: 1, heat: 0 }),
  ];
  const browser = new Browser(t, { hotspots: { hotspots: { list, leftOut: 37 } } });
  const drawn = await browser.draw('/hotspots?ref=h1&folder=src&since=1y&tests=yes', hotspotsView);
  assert.deepEqual(
    drawn.text,
    `Hotspots of src
Files that change often, are complex, and are used by much other code. Size: lines of code. Darker: more commits.
Colour commits age of the last change heat Changes of the whole history the last year the last three months with tests All folders
src/shop src/shop/cart.ts: 2,000 lines of code, 40 commits, last 2024-05-31 cart.ts src/shop/price.ts: 500 lines of code, 2 commits, last 2024-05-31 price.ts src/web src/web/page.ts: 900 lines of code, 10 commits, last page.ts src/top.ts: 0 lines of code, 1 commit, last 2024-05-31
The hottest files File Heat Commits Last Lines of code
src/shop/cart.ts 1,235 40 2024-05-31 2,000
src/shop/price.ts 10.0 2 2024-05-31 500
src/web/page.ts 12 10 900
src/top.ts 0.0 1 2024-05-31 0
and 1 more`,
  );
  assert.deepEqual(drawn.markup.match(/heat-\d/g)?.join(), `heat-8,heat-1,heat-5,heat-0`);
  assert.deepEqual(browser.last('hotspots'), { ref: 'h1', limit: 400, since: '1y', tests: true, paths: ['src'] });
  drawn.fire(/<label>Colour/, 'change', { target: { value: 'age' } });
  drawn.fire(/<label>Changes of/, 'change', { target: { value: '' } });
  drawn.fire(/<label><input type="checkbox"/, 'change');
  assert.deepEqual(browser.visited, [
    '/hotspots?ref=h1&folder=src&since=1y&tests=yes&colour=age',
    '/hotspots?ref=h1&folder=src&tests=yes&colour=age',
    '/hotspots?ref=h1&folder=src&colour=age',
  ]);
  const aged = await browser.draw('/hotspots?ref=h1&folder=src&since=1y&tests=yes&colour=age', hotspotsView);
  assert.deepEqual(
    aged.markup.match(/Darker: [^.]*|heat-\d/g)?.join(),
    `Darker: changed more recently,heat-8,heat-8,heat-0,heat-8`,
  );
  const heat = await browser.draw('/hotspots?ref=h1&folder=src&since=1y&tests=yes&colour=heat', hotspotsView);
  assert.deepEqual(heat.markup.match(/Darker: [^.]*|heat-\d/g)?.join(), `Darker: hotter,heat-8,heat-3,heat-3,heat-0`);
});

test('hotspots are grouped below the folder that nine tenths of them share, whichever file is the first', async (t) => {
  const paths = ['tools/run.ts', ...Array.from({ length: 9 }, (_, i) => `src/${i < 5 ? 'shop' : 'web'}/f${i}.ts`)];
  const list = paths.map((path, i) => hot(path, { codeLines: 100 - i }));
  const browser = new Browser(t, { hotspots: { hotspots: { list, leftOut: 0 } } });
  const drawn = await browser.draw('/hotspots?ref=h3', hotspotsView);
  const folders = drawn.text.match(/(?:^| )(?:src|src\/shop|src\/web|tools)(?= \S+\/)/gm)?.map((each) => each.trim());
  assert.deepEqual(folders, ['src/shop', 'src/web', 'tools']);
});

test('hotspots list forty files, count the rest, and have one colour where all are alike', async (t) => {
  const list = Array.from({ length: 42 }, (_, i) => hot(`a-file-with-a-long-name-${i}.ts`, { codeLines: 42 - i }));
  const browser = new Browser(t, { hotspots: { hotspots: { list, leftOut: 0 } } });
  const drawn = await browser.draw('/hotspots?ref=h2', hotspotsView);
  assert.equal(drawn.text.match(/^a-file-with-a-long-name-\d+\.ts 12/gm)?.length, 40);
  assert.match(drawn.text, /^and 2 more$/m);
  assert.deepEqual([...new Set(drawn.markup.match(/heat-\d/g))], ['heat-4']);
  assert.match(drawn.markup, />a-file-with-…</);
});

test('a name that just fits its rectangle is written whole, a longer one is cut', async (t) => {
  // One file fills the picture: of its 1,200 pixels, 1,192 are left for 165 characters of 7.2 pixels.
  const label = async (length: number) => {
    const list = [hot(`${'n'.repeat(length - 3)}.ts`)];
    const browser = new Browser(t, { hotspots: { hotspots: { list, leftOut: 0 } } });
    const { markup } = await browser.draw(`/hotspots?ref=h${length}`, hotspotsView);
    return /<text class="?(?!folder)[^>]*>(n+\S*?)<\/text>/.exec(markup)?.[1];
  };
  assert.equal(await label(164), `${'n'.repeat(161)}.ts`);
  assert.equal(await label(165), `${'n'.repeat(162)}.ts`);
  assert.equal(await label(166), `${'n'.repeat(163)}.…`);
});
