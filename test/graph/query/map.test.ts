/** Maps: which files are central, which folders there are, what of a file is shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { centralityOf } from '../../../src/graph/query/central.js';
import { entriesOf, filesOnMap, foldersOf } from '../../../src/graph/query/map.js';
import { signatureText } from '../../../src/graph/query/outline.js';
import { graphOf } from '../build.js';

test('central is what code rests on, whatever tests use; and what brings much together', () => {
  const tests = Array.from({ length: 20 }, (_, i) => `test/t${i}.test.ts`);
  const graph = graphOf({
    files: {
      'src/app.ts': { symbols: ['main'], lines: 100 },
      'src/cart.ts': { symbols: ['Cart'], lines: 100 },
      'src/price.ts': { symbols: ['round'], lines: 100 },
      'src/testing.ts': { symbols: ['fake'], lines: 100 },
      ...Object.fromEntries(tests.map((path) => [path, ['t']])),
    },
    edges: [
      'src/app.ts:main -> src/cart.ts:Cart new',
      'src/app.ts:main -> src/price.ts:round',
      'src/cart.ts:Cart -> src/price.ts:round',
      ...tests.map((path) => `${path}:t -> src/testing.ts:fake`),
    ],
  });
  const ranks = centralityOf(graph);
  const rank = (path: string) => ranks[graph.findFile(path)];
  assert.ok(rank('src/price.ts') > rank('src/cart.ts'));
  assert.ok(rank('src/app.ts') > rank('src/testing.ts'));
  assert.ok(rank('src/price.ts') > rank('src/testing.ts'));
  const shown = filesOnMap(graph).map((file) => graph.tables.files[file].path);
  assert.deepEqual(shown, ['src/app.ts', 'src/cart.ts', 'src/price.ts', 'src/testing.ts']);
  assert.equal(filesOnMap(graph, (path) => path.startsWith('test/')).length, 20);
});

test('folders: large ones taken apart, with what they use; what there is no room for stays together', () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `src/f${String(i % 30).padStart(2, '0')}/m${i}.ts`,
      { symbols: ['x'], lines: 50 },
    ]),
  );
  const graph = graphOf({ files: { 'main.ts': ['run'], ...files }, edges: ['src/f00/m0.ts -> src/f01/m1.ts'] });
  const folders = foldersOf(graph, filesOnMap(graph));
  assert.ok(folders.length <= 24 && folders.length > 10, `${folders.length}`);
  assert.equal(
    folders.reduce((sum, folder) => sum + folder.files.length, 0),
    61,
  );
  assert.ok(folders.some(({ path }) => path === 'src'));
  assert.deepEqual(folders.find(({ path }) => path === 'src/f00')?.uses, ['src/f01']);
  assert.equal(folders.find(({ path }) => path === '')?.files.length, 1);
});

test('entries: what others use before what is visible; overloads once; private helpers not at all', () => {
  const graph = graphOf({
    files: {
      'a.ts': [
        'function unused',
        'function used',
        'function used',
        'function local helper',
        'class Cart',
        'method Cart.total',
      ],
      'b.ts': ['run'],
      'c.ts': ['go'],
      'a.test.ts': ['t'],
    },
    edges: [
      'b.ts:run -> a.ts:used',
      'c.ts:go -> a.ts:used',
      'b.ts:run -> a.ts:Cart.total',
      'a.test.ts:t -> a.ts:unused',
    ],
  });
  const names = entriesOf(graph, graph.findFile('a.ts')).map(({ node }) => graph.qualifiedName(node));
  assert.equal(names[0], 'used');
  assert.deepEqual([...names].sort(), ['Cart', 'Cart.total', 'unused', 'used']);
});

test('a declaration with braces among its parameters ends at its own body', () => {
  const text = 'normalize(column: {\n  type?: string\n  length?: number\n}): string {\n  return "";\n}\n';
  const end = text.indexOf('{') + 1;
  const symbol = { kind: 'method' as const, start: 0, end: text.length, signature: { start: 0, end } };
  assert.equal(
    signatureText(Buffer.from(text), symbol),
    'normalize(column: { type?: string length?: number }): string',
  );
});
