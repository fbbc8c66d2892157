/** What files use of each other, how central they are, and what a map shows of them: exact answers over one small graph. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  centralityOf,
  dependenciesOf,
  entriesOf,
  filesOnMap,
  filesUsedBy,
  filesUsing,
  foldersOf,
  isOnMap,
  isUnusedPart,
  neighbours,
  secondaryFolders,
  shareOfBest,
  shownContainer,
  unusedParts,
  usesWithoutImport,
} from '../../../src/graph/query/file-edges.js';
import { graphOf, nodeAt, placeOf } from '../build.js';

const graph = graphOf({
  files: {
    'src/app.ts': ['run', 'local step', 'Box', 'Box.open'],
    'src/cart.ts': ['Cart', 'Cart.total', 'Cart.add', 'local hidden', 'constant RATE'],
    'src/tax.ts': ['tax'],
    'src/types.ts': ['interface Item'],
    'src/view.html': { language: 'html' },
    'test/cart.test.ts': ['checks'],
    'docs/cart.md': { symbols: ['section Cart'], state: 'none' },
  },
  edges: [
    { from: 'src/app.ts', to: 'src/cart.ts', line: 1, kind: 'import' },
    { from: 'src/app.ts', to: 'src/cart.ts', line: 2, kind: 'type-import' },
    { from: 'src/app.ts', to: 'src/types.ts', line: 3, kind: 'type-import' },
    { from: 'src/app.ts:run', to: 'src/cart.ts:Cart.total', line: 5 },
    { from: 'src/app.ts:run', to: 'src/cart.ts:Cart.total', line: 6 },
    { from: 'src/app.ts:run', to: 'src/cart.ts:Cart.add', line: 7 },
    { from: 'src/app.ts:run', to: 'src/cart.ts:Cart', line: 8, kind: 'new' },
    { from: 'src/app.ts:run', to: 'src/app.ts:step', line: 9 },
    { from: 'src/app.ts:step', to: 'src/tax.ts:tax', line: 12, tier: 'unique' },
    { from: 'src/app.ts:step', to: 'src/tax.ts:tax', line: 11, tier: 'unique' },
    { from: 'src/app.ts:step', name: 'fetch', line: 13 },
    { from: 'src/view.html', to: 'src/app.ts:run', kind: 'request', tier: 'route' },
    'src/cart.ts -> src/tax.ts',
    'src/cart.ts:Cart.total -> src/tax.ts:tax',
    'src/cart.ts:Cart.add -> src/types.ts:Item type',
    'test/cart.test.ts -> src/cart.ts',
    'test/cart.test.ts:checks -> src/cart.ts:Cart.total',
  ],
});
const paths = graph.tables.files.map(({ path }) => path);
const fileOf = (path: string) => graph.findFile(path);
const short = (file: number) => paths[file].split('/')[1];

type Link = ReturnType<typeof filesUsedBy>[number];
/** As `cart.ts import,type-import 1,2 Cart.total,Cart`. */
const line = ({ path, kinds, lines, names }: Link): string =>
  [path.split('/')[1], kinds.join(), lines.join(), names.list.join()].join(' ').trim();

test('files that a file uses: imports with their lines, else lines of uses; what is used most first, then by name', () => {
  assert.deepEqual(filesUsedBy(graph, fileOf('src/app.ts')).map(line), [
    'cart.ts import,type-import 1,2 Cart.total,Cart,Cart.add',
    'types.ts type-import 3',
    'tax.ts  11,12 tax',
  ]);
  assert.deepEqual(filesUsedBy(graph, fileOf('src/cart.ts')).map(line), ['tax.ts import 2 tax', 'types.ts  22 Item']);
  assert.deepEqual(filesUsedBy(graph, fileOf('src/view.html')), [], 'a request needs no file');
});

test('files that use a file are in the order of their paths, itself left out', () => {
  const using = (path: string) => filesUsing(graph, fileOf(path)).map(line);
  assert.deepEqual(using('src/cart.ts'), [
    'app.ts import,type-import 1,2 Cart.total,Cart,Cart.add',
    'cart.test.ts import 2 Cart.total',
  ]);
  assert.deepEqual(using('src/tax.ts'), ['app.ts  11,12 tax', 'cart.ts import 2 tax']);
  assert.deepEqual(using('src/types.ts'), ['app.ts type-import 3', 'cart.ts  22 Item']);
  assert.deepEqual(using('src/app.ts'), []);
});

test('eight names and eight lines of a file are listed, and names left out are counted', () => {
  const symbols = Array.from({ length: 10 }, (_, i) => `f${i}`);
  const edges = symbols.map((name, i) => ({ from: 'a.ts', to: `b.ts:${name}`, kind: 'call' as const, line: 30 - i }));
  const many = graphOf({ files: { 'a.ts': [], 'b.ts': symbols }, edges });
  const [{ lines, names }] = filesUsedBy(many, many.findFile('a.ts'));
  assert.deepEqual(lines, [21, 22, 23, 24, 25, 26, 27, 28]);
  assert.deepEqual(names, { list: symbols.slice(0, 8), leftOut: 2 });
});

test('neighbours are files that are imported or used, both ways, without requests and without itself', () => {
  const both = (path: string) =>
    (['out', 'in'] as const).map((way) => [...neighbours(graph, fileOf(path), way)].map(short));
  assert.deepEqual(both('src/app.ts'), [['cart.ts', 'types.ts', 'tax.ts'], []]);
  assert.deepEqual(both('src/cart.ts'), [
    ['tax.ts', 'types.ts'],
    ['app.ts', 'cart.test.ts'],
  ]);
  assert.deepEqual(both('src/view.html'), [[], []]);
});

test('uses without an import are those of files that import nothing of it and use it for certain', () => {
  const users = (path: string) =>
    usesWithoutImport(graph, fileOf(path)).map((edge) => placeOf(graph, graph.source(edge)));
  assert.deepEqual(users('src/types.ts'), ['src/cart.ts:Cart.add']);
  assert.deepEqual(users('src/tax.ts'), [], 'one user imports it, and of the other nobody is sure');
  assert.deepEqual(users('src/cart.ts'), []);
});

test('central files are those that much code uses or that use much; tests and short files count little', () => {
  const ranks = [...centralityOf(graph)];
  const shares = paths.map((_, file) => `${short(file)} ${shareOfBest(graph, file).toFixed(3)}`);
  assert.deepEqual(shares, [
    ...['cart.md 0.005', 'app.ts 0.908', 'cart.ts 1.000', 'tax.ts 0.412', 'types.ts 0.323', 'view.html 0.166'],
    'cart.test.ts 0.006',
  ]);
  assert.equal(ranks[fileOf('src/cart.ts')].toFixed(4), '0.1224');
  assert.equal(shareOfBest(graphOf({ files: { 'a.ts': { lines: 0 } } }), 0), 0);
});

test('of a file the used definitions come first, then visible ones; members are worth half, values less', () => {
  const ranks = centralityOf(graph);
  const entries = (path: string) =>
    entriesOf(graph, fileOf(path)).map(
      ({ node, file, value }) => `${graph.qualifiedName(node)} ${(value / ranks[file]).toFixed(3)}`,
    );
  assert.deepEqual(entries('src/cart.ts'), ['Cart 1.300', 'Cart.total 0.650', 'Cart.add 0.650', 'RATE 0.120']);
  assert.deepEqual(entries('src/app.ts'), ['run 1.300', 'Box 0.300', 'Box.open 0.150']);
  assert.deepEqual(entries('src/tax.ts'), ['tax 1.885'], 'two files use it');
});

test('entries leave out what lies deeper than a member, repeated declarations, blocks of methods and fields', () => {
  const nested = graphOf({
    files: {
      'a.ts': [
        ...['namespace Shop', 'class Shop.Cart', 'method Shop.Cart.total', 'function Shop.Cart.total.inner'],
        ...['variable Shop.Cart.size', 'class Shop.Item', 'class Shop.Tax', 'class Shop.Rate'],
        ...['function over', 'function over', 'impl Block', 'variable loose'],
      ],
    },
  });
  assert.deepEqual(
    entriesOf(nested, 0).map(({ node }) => nested.qualifiedName(node)),
    ['Shop.Cart', 'Shop.Item', 'Shop.Tax', 'Shop.Rate', 'over', 'Shop.Cart.total', 'loose'],
  );
  const container = (place: string) => {
    const at = shownContainer(nested, nodeAt(nested, place));
    return at < 0 ? null : nested.qualifiedName(at);
  };
  assert.deepEqual(
    ['a.ts:Shop.Cart', 'a.ts:Shop.Cart.total', 'a.ts:over', 'a.ts:Shop.Cart.total.inner'].map(container),
    [null, 'Shop.Cart', null, 'Shop.Cart.total'],
    'a namespace of types alone only says where they are',
  );
});

test('a namespace with more than a third of other code than types is shown itself', () => {
  const kinds = (types: number, others: number) => [
    'namespace Shop',
    ...Array.from({ length: types }, (_, i) => `class Shop.T${i}`),
    ...Array.from({ length: others }, (_, i) => `function Shop.f${i}`),
  ];
  const shows = (types: number, others: number) => {
    const made = graphOf({ files: { 'a.ts': kinds(types, others) } });
    return entriesOf(made, 0).some(({ node }) => made.qualifiedName(node) === 'Shop');
  };
  assert.deepEqual([shows(3, 1), shows(4, 1), shows(1, 0), shows(0, 1)], [true, false, false, true]);
});

test('a map has code that people work on; of a scope without any it has everything', () => {
  const named = (files: number[]) => files.map((file) => paths[file]);
  assert.deepEqual(named(filesOnMap(graph)), ['src/app.ts', 'src/cart.ts', 'src/tax.ts', 'src/types.ts']);
  assert.deepEqual(named(filesOnMap(graph, (path) => path.startsWith('test/'))), ['test/cart.test.ts']);
  assert.deepEqual(named(filesOnMap(graph, (path) => path.startsWith('docs/'))), ['docs/cart.md']);
  assert.equal(isOnMap(graph, fileOf('docs/cart.md')), false);
  const states = graphOf({
    files: {
      'a.ts': { state: 'linked' },
      'b.ts': { state: 'degraded' },
      'c.ts': { state: 'unreadable' },
      'd.ts': { state: 'none' },
      'e.d.ts': { state: 'linked' },
    },
  });
  assert.deepEqual(
    [0, 1, 2, 3, 4].filter((file) => isOnMap(states, file)),
    [0, 1],
  );
});

test('folders that a map leaves out are counted, those beside shown files two levels deep', () => {
  const shown = new Set([fileOf('src/app.ts')]);
  assert.deepEqual(secondaryFolders(graph, shown), [
    ['src', 4],
    ['test', 1],
  ]);
  assert.deepEqual(
    secondaryFolders(graph, shown, (path) => path.startsWith('test/')),
    [['test', 1]],
  );
  const deep = graphOf({
    files: { 'src/a/x.ts': [], 'src/b/c/y.ts': [], 'lib/a/z.ts': [], 'top.ts': [], 'lib/b/w.ts': [] },
  });
  assert.deepEqual(secondaryFolders(deep, new Set([deep.findFile('src/a/x.ts')])), [
    ['lib', 2],
    ['.', 1],
    ['src/b', 1],
  ]);
});

/** `count` files in a folder. */
const inFolder = (folder: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/f${String(i).padStart(2, '0')}.ts`, ['f']]));

test('folders are split where they are large and their parts hold several files', () => {
  const split = (files: Record<string, string[]>) => {
    const made = graphOf({ files });
    return foldersOf(made, filesOnMap(made))
      .map(({ path, files: own }) => `${path} ${own.length}`)
      .sort();
  };
  assert.deepEqual(split({ ...inFolder('src/a', 6), ...inFolder('src/b', 6), 'main.ts': ['m'] }), [
    ' 1',
    'src/a 6',
    'src/b 6',
  ]);
  assert.deepEqual(split({ ...inFolder('src/a', 6), ...inFolder('src/b', 5), 'main.ts': ['m'] }), [' 1', 'src 11']);
  assert.deepEqual(
    split({ ...inFolder('src/a/deep', 3), ...inFolder('src/a', 1) }),
    ['src/a 4'],
    'named by what all share',
  );
  const single = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`src/p${i}/f.ts`, ['f']]));
  assert.deepEqual(split({ ...single, 'lib/x.ts': ['x'] }), ['lib 1', 'src 12'], 'a folder for each file says nothing');
});

test('a map has at most 24 folders, and files of those without room stay in the folder around them', () => {
  const files = Object.assign(
    {},
    ...Array.from({ length: 30 }, (_, i) => inFolder(`p${String(i).padStart(2, '0')}`, 2)),
  );
  const made = graphOf({ files });
  const folders = foldersOf(made, filesOnMap(made));
  assert.equal(folders.length, 24);
  assert.equal(folders.find(({ path }) => path === '')?.files.length, 14);
});

test('a folder has its most central file first, and the folders that it uses, most used first', () => {
  const made = graphOf({
    files: { ...inFolder('src/a', 6), ...inFolder('src/b', 6), ...inFolder('lib/c', 6), ...inFolder('lib/d', 6) },
    edges: [
      'src/a/f00.ts -> src/b/f03.ts',
      'src/a/f01.ts -> src/b/f03.ts',
      'src/a/f02.ts -> lib/c/f00.ts',
      'src/a/f02.ts -> src/a/f03.ts',
      'src/b/f03.ts -> lib/d/f05.ts',
    ],
  });
  const folders = foldersOf(made, filesOnMap(made));
  const told = folders.map(({ path, files, uses }) => [path, made.tables.files[files[0]].path, uses.join()].join(' '));
  assert.deepEqual(told, [
    'lib/d lib/d/f05.ts ',
    'src/a src/a/f02.ts src/b,lib/c',
    'src/b src/b/f03.ts lib/d',
    'lib/c lib/c/f00.ts ',
  ]);
  const ranks = centralityOf(made);
  for (const { files, value } of folders)
    assert.ok(Math.abs(value - files.reduce((sum, file) => sum + ranks[file], 0)) < 1e-12);
});

test('a dependency is proven by the import of a value, else of a type, else by a use that is certain', () => {
  const told = [...dependenciesOf(graph).values()].flatMap((own) =>
    [...own.values()].map(
      ({ from, to, edge, types }) =>
        `${short(from)} ${short(to)} ${graph.edgeKind(edge)} ${graph.tables.edgeLine[edge]} ${types}`,
    ),
  );
  assert.deepEqual(told, [
    'app.ts cart.ts import 1 false',
    'app.ts types.ts type-import 3 true',
    'cart.ts tax.ts import 2 false',
    'cart.ts types.ts type 22 false',
    'cart.test.ts cart.ts import 2 false',
  ]);
  const later = graphOf({
    files: { 'a.ts': [], 'b.ts': ['f'] },
    edges: [
      { from: 'a.ts', to: 'b.ts', kind: 'type-import', line: 1 },
      { from: 'a.ts', to: 'b.ts', kind: 'import', line: 2 },
      { from: 'a.ts', to: 'b.ts:f', kind: 'call', line: 3 },
    ],
  });
  const found = dependenciesOf(later).get(0)?.get(1);
  assert.deepEqual([later.tables.edgeLine[found?.edge ?? -1], found?.types], [2, false]);
  const declared = graphOf({ files: { 'a.rs': [], 'b.rs': [] }, edges: ['a.rs -> b.rs module'] });
  assert.equal(dependenciesOf(declared).size, 0, 'a module that is declared is part of its parent');
});

test('files of a package are unused parts where others of it are used, but not those that an import names', () => {
  const of = (more: Parameters<typeof graphOf>[0]['edges'] = []) =>
    graphOf({
      files: { 'a.go': ['run'], 'p/x.go': ['x'], 'p/y.go': ['y'], 'q/z.go': ['z'] },
      edges: [
        { from: 'a.go', to: 'p/x.go', kind: 'import', tier: 'package', name: 'p', line: 1 },
        { from: 'a.go', to: 'p/y.go', kind: 'import', tier: 'package', name: 'p', line: 1 },
        { from: 'a.go', to: 'q/z.go', kind: 'import', tier: 'package', name: 'q', line: 2 },
        ...(more ?? []),
      ],
    });
  const unused = (made: ReturnType<typeof of>) => [...unusedParts(made, 0)].map((file) => made.tables.files[file].path);
  assert.deepEqual(unused(of()), []);
  const used = of(['a.go:run -> p/x.go:x']);
  assert.deepEqual(unused(used), ['p/y.go'], 'of the other package nothing is used');
  assert.deepEqual(
    Array.from({ length: used.edgeCount }, (_, edge) => isUnusedPart(used, edge)),
    [false, true, false, false],
  );
  assert.deepEqual(unused(of(['a.go:run -> p/x.go:x', { from: 'a.go', to: 'p/y.go', kind: 'import', line: 3 }])), []);
});
