/** What a change reaches: hops, dispatch, confidence, tests, risk; many changes at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ImpactOptions, impactOf, impactOfChanges } from '../../../src/graph/query/impact.js';
import { graphOf, type LiteralEdge, nodeAt } from '../build.js';
import { graphOf as linked } from '../link/project.js';

const OPTIONS: ImpactOptions = { depth: 3, minConfidence: 0, limit: 50 };

const graph = graphOf({
  files: {
    'store.ts': ['interface Store', 'method Store.save'],
    'disk.ts': ['Disk', 'Disk.save', 'local write'],
    'service.ts': ['place', 'local guess'],
    'app.ts': ['function main', 'main.inner'],
    'page.ts': [],
    'test/disk.test.ts': ['checks'],
  },
  edges: [
    'disk.ts:Disk -> store.ts:Store implements',
    'disk.ts:Disk.save -> disk.ts:write',
    { from: 'service.ts:place', to: 'store.ts:Store.save', tier: 'receiver' },
    { from: 'service.ts:guess', to: 'disk.ts:Disk.save', tier: 'unique' },
    'app.ts:main.inner -> service.ts:place',
    'page.ts -> app.ts',
    { from: 'page.ts', to: 'app.ts:main', line: 3 },
    'test/disk.test.ts:checks -> disk.ts:Disk.save',
    { from: 'app.ts:main', name: 'write', receiver: 'x' },
    { from: 'disk.ts:Disk', name: 'write' },
    { from: 'app.ts:main', name: 'gone', tier: 'external', line: 6 },
  ],
});

const hopsOf = (places: string[], options: Partial<ImpactOptions> = {}) => {
  const nodes = places.map((place) => nodeAt(graph, place));
  const { hops } = impactOf(graph, nodes, { ...OPTIONS, ...options });
  return hops.map(({ affected }) => affected.map(({ symbol, path }) => symbol ?? path).sort());
};

test('a method: its callers, and the callers of the interface member that it implements', () => {
  assert.deepEqual(hopsOf(['disk.ts:Disk.save']), [['guess', 'place'], ['main.inner'], ['main']]);
  assert.deepEqual(hopsOf(['disk.ts:Disk.save'], { depth: 4 }).at(-1), ['page.ts'], 'top-level code that calls it');
  const { hops } = impactOf(graph, [nodeAt(graph, 'disk.ts:Disk.save')], OPTIONS);
  const uses = hops[0].affected.map(({ symbol, use, confidence, via }) => [symbol, use, confidence, via]);
  assert.deepEqual(uses, [
    ['place', 'overrides', 0.95, 'Disk.save'],
    ['guess', 'call', 0.7, 'Disk.save'],
  ]);
});

test('confidence multiplies along a path, and results can be filtered by it', () => {
  assert.deepEqual(hopsOf(['disk.ts:write'], { minConfidence: 0.92 }), [['Disk.save'], ['place']]);
  assert.deepEqual(hopsOf(['disk.ts:write'], { minConfidence: 0.5, depth: 2 }), [['Disk.save'], ['guess', 'place']]);
});

test('a type changes with its members, a file with everything in it and its importers', () => {
  assert.deepEqual(hopsOf(['store.ts:Store'], { depth: 1 }), [['Disk', 'place']]);
  assert.deepEqual(hopsOf(['app.ts'], { depth: 1 }), [['page.ts']]);
  assert.deepEqual(hopsOf(['disk.ts'], { depth: 1 }), [['guess', 'place']]);
});

test('tests are listed separately, changed ones first, and the answer says if no test reaches the code', () => {
  const { tests, affected, risk, possible } = impactOf(graph, [nodeAt(graph, 'disk.ts:write')], OPTIONS);
  assert.deepEqual(
    tests.list.map(({ path, symbol, hops }) => [path, symbol, hops]),
    [['test/disk.test.ts', 'checks', 2]],
  );
  assert.deepEqual([affected, possible, risk.level], [4, 1, 'unknown']);
  const own = impactOf(graph, [nodeAt(graph, 'test/disk.test.ts:checks')], OPTIONS);
  assert.deepEqual(
    own.tests.list.map(({ path, hops }) => [path, hops]),
    [['test/disk.test.ts', 0]],
  );
  assert.ok(
    impactOf(graph, [nodeAt(graph, 'service.ts:place')], OPTIONS).risk.reasons.includes('no test is known to reach it'),
  );
});

test('the limit counts over all hops, and says what it leaves out', () => {
  const { hops, affected } = impactOf(graph, [nodeAt(graph, 'disk.ts:Disk.save')], { ...OPTIONS, limit: 2 });
  assert.deepEqual(
    hops.map(({ affected: list, leftOut }) => [list.length, leftOut]),
    [
      [2, 0],
      [0, 1],
      [0, 1],
    ],
  );
  assert.equal(affected, 4);
});

test('on pages of hops the limit counts for each hop, so that none is empty', () => {
  const { hops } = impactOf(graph, [nodeAt(graph, 'disk.ts:Disk.save')], { ...OPTIONS, limit: 1, perHop: true });
  assert.deepEqual(
    hops.map(({ affected: list, leftOut }) => [list.length, leftOut]),
    [
      [1, 1],
      [1, 0],
      [1, 0],
    ],
  );
});

test('of several uses by one function the surest is told, wherever it stands', () => {
  const [unsure, sure] = [{ tier: 'unique', line: 2 } as const, { tier: 'imported', line: 5 } as const];
  for (const uses of [
    [unsure, sure],
    [
      { ...sure, line: 2 },
      { ...unsure, line: 5 },
    ],
  ]) {
    const edges = uses.map((use) => ({ from: 'a.ts:run', to: 'b.ts:total', ...use }));
    const one = graphOf({ files: { 'a.ts': ['run'], 'b.ts': ['total'] }, edges });
    const [{ affected }] = impactOf(one, [nodeAt(one, 'b.ts:total')], OPTIONS).hops;
    const { line } = uses.find(({ tier }) => tier === 'imported') ?? assert.fail();
    assert.deepEqual(
      affected.map((use) => [use.symbol, use.line]),
      [['run', line]],
    );
    assert.ok(affected[0].confidence > 0.9);
  }
});

test('cycles end; risk grows with users, files and folders', () => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`p${i % 6}/m/f${i}.ts`, ['use']]));
  const edges: (string | LiteralEdge)[] = Object.keys(files).map((path) => `${path}:use -> core.ts:core`);
  const wide = graphOf({
    files: { ...files, 'core.ts': ['core'] },
    edges: [...edges, 'core.ts:core -> p0/m/f0.ts:use'],
  });
  const { risk, affected, hops } = impactOf(wide, [nodeAt(wide, 'core.ts:core')], { ...OPTIONS, depth: 10 });
  assert.deepEqual([risk.level, affected, hops.length], ['critical', 60, 1]);
  assert.match(
    risk.reasons.join(),
    /60 direct users,60 other files in 6 folders,exported,no test is known to reach it/,
  );
});

test('the folders of a risk are those that hold the files, not the tops above them', () => {
  const paths = ['src/shop/cart/a.ts', 'src/shop/cart/b.ts', 'src/shop/order/c.ts'];
  const one = graphOf({
    files: { ...Object.fromEntries(paths.map((path) => [path, ['use']])), 'core.ts': ['core'] },
    edges: paths.map((path) => `${path}:use -> core.ts:core`),
  });
  const { risk } = impactOf(one, [nodeAt(one, 'core.ts:core')], OPTIONS);
  assert.match(risk.reasons.join(), /3 other files in 2 folders/);
});

test('many changes: each by itself, most felt first; what is removed and still named', () => {
  const symbols = ['disk.ts:write', 'disk.ts:Disk.save', 'app.ts:main'].map((place) => ({
    node: nodeAt(graph, place),
    change: 'changed' as const,
  }));
  const removed = [
    { path: 'old.ts', symbol: 'Old.write', kind: 'method' },
    { path: 'old.ts', symbol: 'gone', kind: 'function' },
  ];
  const { together, symbols: each, removed: gone } = impactOfChanges(graph, { symbols, removed }, OPTIONS);
  assert.deepEqual(
    each.list.map(({ symbol }) => symbol),
    ['write', 'Disk.save', 'main'],
  );
  assert.equal(
    together.affected,
    4,
    'guess, place, main.inner and the page, each once; what changes itself is not among them',
  );
  const paths = new Set(['disk.ts', 'test/disk.test.ts', 'gone.ts']);
  const { list } = impactOfChanges(graph, { symbols, removed, paths }, OPTIONS).together.tests;
  assert.deepEqual(
    list.map(({ path, hops }) => [path, hops]),
    [['test/disk.test.ts', 0]],
    'a test file that differs is run, whatever it defines',
  );
  assert.deepEqual(
    gone.list.map(({ symbol, uses }) => [symbol, uses.list]),
    [
      [
        'Old.write',
        [
          { path: 'app.ts', line: 2 },
          { path: 'disk.ts', line: 2 },
        ],
      ],
      ['gone', [{ path: 'app.ts', line: 6 }]],
    ],
  );
});

test('tests inside of a Rust file are tests; files of tests that import are counted where no call leads to one', () => {
  const graph = graphOf({
    files: {
      'src/list.rs': ['push', 'module tests', 'local tests.pushes'],
      'src/lone.ts': ['lone', 'user'],
      'src/index.ts': [],
      'test/lone.test.ts': [],
    },
    edges: [
      'src/list.rs:tests.pushes -> src/list.rs:push',
      'src/lone.ts:user -> src/lone.ts:lone',
      'src/index.ts -> src/lone.ts reexport',
      'test/lone.test.ts -> src/index.ts',
    ],
  });
  const options = { depth: 3, minConfidence: 0, limit: 9 };
  const push = impactOf(graph, [nodeAt(graph, 'src/list.rs:push')], options);
  assert.deepEqual([push.affected, push.tests.list.map(({ symbol }) => symbol)], [0, ['tests.pushes']]);
  const lone = impactOf(graph, [nodeAt(graph, 'src/lone.ts:lone')], options);
  assert.match(lone.risk.reasons.at(-1) ?? '', /by calls, but 1 test file imports its file/);
});

test('declarations that share a body share one walk over their users, however many there are', () => {
  const count = 300;
  const over = graphOf({
    files: { 'big.ts': Array.from({ length: count }, () => 'function f'), 'use.ts': ['use'] },
    edges: ['use.ts:use -> big.ts:f'],
  });
  let looks = 0;
  const incoming = over.incoming.bind(over);
  over.incoming = (node) => {
    looks++;
    return incoming(node);
  };
  const { hops } = impactOf(over, [nodeAt(over, 'big.ts')], OPTIONS);
  assert.deepEqual(
    hops.map(({ affected }) => affected.map(({ symbol }) => symbol)),
    [['use']],
  );
  assert.ok(looks < 3 * count, `${looks}`);
});

test('symbols that claim to be thousands deep keep names that can be printed', () => {
  const deep = graphOf({ files: { 'a.ts': Array.from({ length: 200 }, (_, i) => `${'n.'.repeat(i)}n`) }, edges: [] });
  assert.equal(deep.qualifiedName(deep.fileNode(0) + 10), `${'n.'.repeat(9)}n`);
  assert.equal(deep.qualifiedName(deep.nodeCount - 1), `${'n.'.repeat(63)}n`);
});

test('a function of a module that code hands on has no low risk, though no call leads to it', () => {
  const formats = graphOf({
    files: {
      'formats.py': ['local formats'],
      'tar.py': ['function open'],
      'zip.py': ['function unzip'],
      'bz.py': ['local open'],
      'alone.py': ['local close'],
      'test_tar.py': ['test_open'],
    },
    edges: [
      'formats.py:formats -> tar.py value',
      'formats.py -> alone.py',
      'formats.py -> zip.py',
      'test_tar.py:test_open -> tar.py:open',
      'test_tar.py:test_open -> zip.py value',
    ],
  });
  const risk = (place: string) => impactOf(formats, [nodeAt(formats, place)], OPTIONS).risk;
  assert.equal(risk('tar.py:open').level, 'unknown');
  assert.match(risk('tar.py:open').reasons[0], /^formats\.py hands its module on/);
  assert.match(risk('zip.py:unzip').reasons[0], /^nothing here is known to use it/, 'only a test hands it on');
  assert.match(risk('bz.py:open').reasons[0], /^another definition of this name is used/, 'in a file beside it');
  assert.equal(risk('alone.py:close').level, 'low');
});

test('members that override it are a reason of a risk, those of tests are not', () => {
  const shapes = linked({
    'shape.ts': 'export class Shape {\n  area(): number { return 0 }\n  name(): string { return "" }\n}\n',
    'round.ts':
      "import { Shape } from './shape'\nexport class Ball extends Shape {\n  area(): number { return 1 }\n}\n" +
      'export class Disc extends Ball {\n  area(): number { return 2 }\n}\n',
    'test/fake.test.ts':
      "import { Shape } from '../src/shape'\nclass Fake extends Shape {\n  name(): string { return 'x' }\n}\n",
  });
  const reasons = (name: string) => {
    const node = shapes.nodesNamed(name).filter((each) => shapes.path(each) === 'shape.ts');
    return impactOf(shapes, node, OPTIONS).risk.reasons.filter((reason) => /members? override/.test(reason));
  };
  assert.deepEqual(reasons('area'), ['2 members override it']);
  assert.deepEqual(reasons('name'), []);
});

test('what a framework, a tool or code made from it may use unseen is no low risk', () => {
  const used = linked({
    'app/carts/page.tsx':
      "import { total } from '../../lib/total'\nexport const dynamic = false\nexport default () => total(1)\nconst own = 1\n",
    'lib/total.ts': 'export const total = (n: number) => n\nexport const spare = 2\n',
    'forms.py':
      'class Token:\n    pass\n\nclass Form:\n    token_class = Token\n\nclass Read:\n    pass\n\nheld = Read\nprint(held)\n',
    'run.py': 'import forms\n',
    'api.proto': 'syntax = "proto3";\nmessage Line { string id = 1; }\nmessage Cart { Line line = 1; }\n',
    Makefile: 'all: build\n\nbuild:\n\tgo build\n',
    '.github/workflows/ci.yml': 'on: push\njobs:\n  check:\n    runs-on: x\n    steps:\n      - run: make\n',
    'main.go':
      'package main\n\nfunc main() { spare() }\n\nfunc spare() {}\n\ntype Cart struct{}\n\nfunc (c Cart) MarshalText() ([]byte, error) { return nil, nil }\n\nfunc (c Cart) own() {}\n',
    'api.pb.go':
      '// Code generated by protoc-gen-go. DO NOT EDIT.\n\npackage main\n\ntype reply struct{ sizeCache int }\n',
  });
  used.tables.files[used.findFile('api.pb.go')].isGenerated = true;
  const levelOf = (place: string) => {
    const [path, name] = place.split(':');
    const nodes = used.nodesNamed(name).filter((node) => used.path(node) === path);
    return impactOf(used, nodes, OPTIONS).risk;
  };
  for (const [place, reason] of [
    ['app/carts/page.tsx:dynamic', 'nothing here imports its file, and what loads it by its place is not known'],
    ['forms.py:Token', 'it is the value of Form.token_class, which nothing is known to read'],
    ['api.proto:Line', 'tools make code from it, and uses of that are not known'],
    ['Makefile:all', 'people, CI and tools run it by its name'],
    ['Makefile:build', 'people, CI and tools run it by its name'],
    ['main.go:MarshalText', 'an interface outside of this repository may ask for it, which no type says'],
    ['api.pb.go:sizeCache', 'a tool wrote its file, and libraries of that tool may use it'],
    ['.github/workflows/ci.yml:jobs.check', 'people, CI and tools run it by its name'],
  ]) {
    const { level, reasons } = levelOf(place);
    assert.deepEqual([place, level, reasons[0]], [place, 'unknown', reason]);
  }
  for (const place of ['app/carts/page.tsx:own', 'forms.py:Read', 'main.go:spare', 'main.go:own'])
    assert.deepEqual([place, levelOf(place).level], [place, 'low']);
});

test('what nothing is known to use has a low risk only if nothing but its own file can use it', () => {
  const lonely = graphOf({
    files: {
      'Cart.java': ['Cart', 'Cart.total', 'local spare', 'Bill', 'Bill.sum'],
      'Shop.java': ['shop'],
      'test/CartTest.java': ['checks'],
    },
    edges: [
      'Shop.java:shop -> Cart.java:Bill.sum',
      'test/CartTest.java:checks -> Cart.java:Cart.total',
      'test/CartTest.java:checks -> Cart.java:Bill.sum',
    ],
  });
  const risk = (place: string) => impactOf(lonely, [nodeAt(lonely, place)], OPTIONS).risk;
  const reason = 'nothing here is known to use it, but it is exported, so code outside may use it';
  for (const place of ['Cart.java:Cart', 'Cart.java:Cart.total', 'Shop.java:shop'])
    assert.deepEqual([place, risk(place).level, risk(place).reasons[0]], [place, 'unknown', reason]);
  assert.equal(risk('Cart.java:spare').level, 'low', 'its file alone sees it');
  assert.doesNotMatch(risk('Cart.java:Bill').reasons.join(), /nothing here/, 'what is in it is used');
  assert.equal(risk('test/CartTest.java:checks').level, 'low', 'a runner calls tests');
});

test('code that a tool made of a definition in another language is named', () => {
  const used = graphOf({
    files: { 'cart.graphql': ['type Cart'], 'cart.go': ['struct Cart'] },
    edges: ['cart.graphql -> cart.graphql:Cart'],
  });
  used.tables.files[used.findFile('cart.go')].isGenerated = true;
  used.tables.files[used.findFile('cart.graphql')].language = 'graphql';
  assert.deepEqual(
    impactOf(used, [nodeAt(used, 'cart.graphql:Cart')], OPTIONS).risk.reasons[0],
    'cart.go has code that a tool made of it, and uses of that are not counted',
  );
});

test('uses in tests that lead nowhere, and uses elsewhere of what only its file can name, are no doubt', () => {
  const risk = (more: LiteralEdge[], options: Partial<ImpactOptions> = {}) => {
    const own = graphOf({
      files: { 'a.py': ['class Cart', 'method Cart.total'], 'b.py': ['use'], 'tests/test_a.py': ['test_total'] },
      edges: ['b.py:use -> a.py:Cart.total', 'tests/test_a.py:test_total -> b.py:use', ...more],
    });
    return impactOf(own, [nodeAt(own, 'a.py:Cart.total')], { ...OPTIONS, ...options }).risk.level;
  };
  const inTest: LiteralEdge = { from: 'tests/test_a.py:test_total', name: 'total', receiver: 'x' };
  const inCode: LiteralEdge = { from: 'b.py:use', name: 'total', receiver: 'x' };
  assert.equal(risk([inTest]), 'low');
  assert.equal(risk([inTest, inCode]), 'unknown');
  assert.equal(risk([inCode], { fileOwn: new Set([2]) }), 'low');
});
