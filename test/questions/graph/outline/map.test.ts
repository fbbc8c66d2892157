/** Maps: which files are central, which folders there are, what of a file is shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  centralityOf,
  entriesOf,
  filesOnMap,
  foldersOf,
  secondaryFolders,
  shownContainer,
} from '../../../../src/graph/query/file-edges.js';
import { declarationText, signatureText } from '../../../../src/graph/query/signatures.js';
import { graphOf } from '../../../graph/build.js';

test('central files are those that code depends on, without tests, and those that bring many together', () => {
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

test('namespaces around types are seen through; those with functions of their own are shown', () => {
  const symbols = [
    ...['module Rack', 'module Rack.Protection', 'class Rack.Protection.Base', 'method Rack.Protection.Base.call'],
    ...['module Helpers', 'method Helpers.status', 'method Helpers.body', 'class Helpers.Stream'],
  ];
  const graph = graphOf({ files: { 'base.rb': symbols } });
  const entries = entriesOf(graph, 0).map(({ node }) => {
    const inside = shownContainer(graph, node);
    return `${inside < 0 ? '' : `${graph.name(inside)} > `}${graph.name(node)}`;
  });
  assert.deepEqual(entries.sort(), [
    ...['Base', 'Base > call', 'Helpers', 'Helpers > Stream', 'Helpers > body', 'Helpers > status'],
  ]);
});

test('a folder with a single file is no part of its own; files outside the map are named by their folder', () => {
  const files = [...Array(14).keys()].map((i) => [`scripts/page${i}/run.py`, ['run']]);
  const tests = ['tests/test_a.py', 'tests/deep/er/test_b.py', 'src/tests/test_c.py'].map((path) => [path, ['t']]);
  const graph = graphOf({ files: { 'src/app.py': ['main'], ...Object.fromEntries([...files, ...tests]) } });
  const shown = filesOnMap(graph);
  const folders = foldersOf(graph, shown).map(({ path, files: { length } }) => `${path} ${length}`);
  assert.deepEqual(folders.sort(), ['scripts 14', 'src 1']);
  const aside = secondaryFolders(graph, new Set(shown));
  assert.deepEqual(aside, [
    ['tests', 2],
    ['src/tests', 1],
  ]);
});

test('arguments of decorators and trailing comments do not hide the name of a declaration', () => {
  const textOf = (text: string, end = text.length) =>
    signatureText(Buffer.from(text), { kind: 'class', start: 0, end: text.length, signature: { start: 0, end } });
  const reason = 'This class is deprecated (see the guide), and will be gone in a later version of the library';
  assert.equal(textOf(`@deprecated("${reason}")\n@final\nclass Old(Base):`), '@deprecated(…) @final class Old(Base)');
  assert.equal(textOf('@app.get("/items")\nclass A:'), '@app.get("/items") class A');
  const pure = '/*@__PURE__*/ function make(a = "*/*"): T {}';
  assert.equal(textOf(pure, pure.indexOf('{')), 'function make(a = "*/*"): T');
  assert.equal(textOf('module Protection\n  ##\n  # Prevented attack::\n  #\n'), 'module Protection');
});

test('Elixir functions are told without the attributes before them', () => {
  const textOf = (text: string) => declarationText(text, 'elixir');
  assert.equal(textOf('@doc "…" @spec put(t, map) :: t def put(conn, map)'), 'put(conn, map)');
  assert.equal(textOf('@doc false @impl true def init(options)'), 'init(options)');
  assert.equal(textOf('@doc "…" @doc type: :reflection def route(a)'), 'route(a)');
  assert.equal(textOf('defmodule Phoenix.Logger'), 'defmodule Phoenix.Logger');
  assert.equal(textOf('defmacro plug(name)'), 'defmacro plug(name)');
});
