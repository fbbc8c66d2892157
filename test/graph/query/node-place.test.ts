/** Places as answers show them, the classes of code that they are in, and paths as people type them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  byPlace,
  cut,
  findDirectory,
  findPath,
  isProduction,
  isRunnableTest,
  isTestData,
  pathsEnding,
  placeOf,
  spellings,
  topFolder,
  unknownPath,
  useOf,
  writtenText,
} from '../../../src/graph/query/node-place.js';
import { graphOf, nodeAt } from '../build.js';

const graph = graphOf({
  files: {
    'src/cart.ts': ['class Cart', 'method Cart.total', 'local helper'],
    'src/shop/cart.ts': [],
    'lib/smart-cart.ts': [],
    'test/cart.test.ts': ['checks'],
    'test/helpers.ts': ['make'],
    'test/fixtures/sample.test.ts': ['checks'],
    'test/test-utils.ts': [],
    'test/setup.test.json': [],
    'docs/examples/use.ts': ['use'],
  },
  edges: [{ from: 'test/cart.test.ts:checks', to: 'src/cart.ts:Cart.total', receiver: 'cart', line: 3, span: 2 }],
});
const fileOf = (path: string) => graph.findFile(path);

test('a place has the path, the qualified name and the lines of a symbol; a file has no symbol', () => {
  const { path, symbol, kind, exported, startLine, endLine } = placeOf(graph, nodeAt(graph, 'src/cart.ts:Cart.total'));
  assert.deepEqual(
    [path, symbol, kind, exported, startLine, endLine],
    ['src/cart.ts', 'Cart.total', 'method', true, 11, 19],
  );
  assert.equal(placeOf(graph, nodeAt(graph, 'src/cart.ts:helper')).exported, false);
  assert.deepEqual(
    [placeOf(graph, nodeAt(graph, 'src/cart.ts')).symbol, placeOf(graph, nodeAt(graph, 'src/cart.ts')).startLine],
    [null, 1],
  );
});

test('a use is where it is written: the user, all of its lines, how sure it is, and the text', () => {
  const [edge] = graph.incoming(nodeAt(graph, 'src/cart.ts:Cart.total'));
  assert.deepEqual(useOf(graph, edge), {
    ...{ path: 'test/cart.test.ts', line: 3, endLine: 5, symbol: 'checks', kind: 'call', tier: 'imported' },
    ...{ confidence: 0.98, text: 'cart.total' },
  });
});

test('marks of the extractor are no part of what is written, and a route is called by its name', () => {
  const text = (receiver: string, literal = '', kind = 'call') =>
    writtenText({ kind, receiver, name: 'run', literal } as Parameters<typeof writtenText>[0]);
  assert.deepEqual(
    ['', 'cart', 'this(master=!).slaves', 'keep(=open(0))', 'make(<Cart>)', 'open(:path)', 'a(?#key)'].map((receiver) =>
      text(receiver),
    ),
    ['run', 'cart.run', 'this.slaves.run', 'keep.run', 'make().run', 'open.run', 'a.run'],
  );
  assert.equal(text('x', 'NAME /cart.show', 'request'), 'cart.show');
  assert.equal(text('x', 'GET /cart', 'request'), 'x.run');
});

test('a list that is cut says how many it leaves out, also when it has just as many or fewer', () => {
  assert.deepEqual(
    [2, 3, 4, 0].map((limit) => cut([1, 2, 3], limit)),
    [
      { list: [1, 2], leftOut: 1 },
      { list: [1, 2, 3], leftOut: 0 },
      { list: [1, 2, 3], leftOut: 0 },
      { list: [], leftOut: 3 },
    ],
  );
});

test('places are in the order of their paths, then of their lines as numbers', () => {
  const places = [
    { path: 'b', line: 1 },
    { path: 'a', startLine: 10 },
    { path: 'a', line: 9 },
    { path: 'B', line: 7 },
  ];
  assert.deepEqual(
    places.sort(byPlace).map(({ path, ...rest }) => `${path}${Object.values(rest)}`),
    ['B7', 'a9', 'a10', 'b1'],
  );
});

test('a test that can be run is code called like one, no helper of tests and nothing that tests read', () => {
  const paths = graph.tables.files.map(({ path }) => path);
  assert.deepEqual(
    paths.filter((path) => isRunnableTest(graph, fileOf(path))),
    ['test/cart.test.ts'],
  );
  assert.deepEqual(
    paths.filter((path) => isProduction(graph, fileOf(path))),
    ['lib/smart-cart.ts', 'src/cart.ts', 'src/shop/cart.ts'],
  );
  assert.deepEqual(['test/fixtures/a.ts', '__mocks__/a.ts', 'test_data/a.json', 'src/fixture.ts'].map(isTestData), [
    true,
    true,
    true,
    false,
  ]);
});

test('a template and a copy under another ending are no test that can be run', () => {
  const files = {
    'theme/test.twig': { language: 'twig', symbols: ['checks'] },
    'tests/CartTest.php': { language: 'php', symbols: ['checks'] },
    'tests/CartTest.php.bak': { language: 'php', symbols: ['checks'] },
  };
  const kept = graphOf({ files, edges: [] });
  const paths = kept.tables.files.map(({ path }) => path);
  assert.deepEqual(
    paths.filter((path) => isRunnableTest(kept, kept.findFile(path))),
    ['tests/CartTest.php'],
  );
});

test('where no test has such a name all files of test folders are tests, but for helpers without a test in them', () => {
  const unnamed = graphOf({
    files: {
      'test/cart.py': ['run'],
      'test/test_helpers.py': ['make'],
      'test/test_utils.py': ['test_make'],
      'src/a.py': [],
    },
  });
  const runnable = (g: typeof unnamed, path: string) => isRunnableTest(g, g.findFile(path));
  assert.deepEqual(
    ['test/cart.py', 'test/test_helpers.py', 'test/test_utils.py', 'src/a.py'].map((path) => runnable(unnamed, path)),
    [false, false, true, false],
  );
  const plain = graphOf({ files: { 'test/cart.py': ['run'], 'test/other.py': ['run'] } });
  assert.ok(runnable(plain, 'test/cart.py'));
});

test('a path is one from the directory first, then one from the top; none leads out of the repository', () => {
  const prefix = { directory: 'src/shop', workTree: '/work' };
  const cases: [string, string[]][] = [
    ['cart.ts', ['src/shop/cart.ts', 'cart.ts']],
    ['../cart.ts', ['src/cart.ts']],
    ['./cart.ts', ['src/shop/cart.ts', 'cart.ts']],
    [':/src/cart.ts', ['src/cart.ts']],
    [':(top)src/cart.ts', ['src/cart.ts']],
    ['/work/src/cart.ts', ['src/cart.ts']],
  ];
  for (const [text, expected] of cases) assert.deepEqual(spellings(text, prefix), expected, text);
  for (const out of ['../../../x', '/workshop/a', '/work/../x', ':/../x'])
    assert.throws(() => spellings(out, prefix), { code: 'BAD_ARGUMENT' }, out);
  assert.throws(() => spellings('/work/a', { directory: '', workTree: null }), { code: 'BAD_ARGUMENT' });
  assert.equal(findPath(graph, 'cart.ts', prefix), fileOf('src/shop/cart.ts'));
  assert.equal(findPath(graph, 'lib/smart-cart.ts', prefix), fileOf('lib/smart-cart.ts'));
  assert.equal(findPath(graph, 'none.ts', prefix), -1);
});

test('files are found by the last parts of their paths, whole names alone; folders with a slash at their end', () => {
  const ending = (text: string) => pathsEnding(graph, text).map((file) => graph.tables.files[file].path);
  assert.deepEqual(ending('cart.ts'), ['src/cart.ts', 'src/shop/cart.ts']);
  assert.deepEqual([ending('./shop/cart.ts'), ending('art.ts')], [['src/shop/cart.ts'], []]);
  assert.deepEqual(
    ['src', 'src/', '.', 'sr', 'src/cart.ts'].map((text) => findDirectory(graph, text)),
    ['src/', 'src/', '', null, null],
  );
  assert.equal(findDirectory(graph, 'shop', { directory: 'src', workTree: null }), 'src/shop/');
  assert.match(`${unknownPath(graph, 'src').hint}`, /is a directory/);
  assert.match(`${unknownPath(graph, 'src/cartt.ts').hint}`, /Did you mean .*src\/cart\.ts/);
  assert.deepEqual(['a.ts', 'src/a.ts', 'src/x/a.ts', 'src/x/y/a.ts'].map(topFolder), ['.', 'src', 'src/x', 'src/x']);
});
