/** Walks from a definition to its users: hops, how sure they are, what is followed, and the tests among them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../../../src/graph/graph.js';
import { countTestsImporting, possibleUses, testsAmong, walkUsers } from '../../../src/graph/query/users.js';
import { graphOf, nodeAt, placeOf } from '../build.js';
import { graphOf as linked, type Project } from '../link/project.js';

const walk = (graph: Graph, place: string, options: Parameters<typeof walkUsers>[2]) =>
  walkUsers(graph, [nodeAt(graph, place)], options);
const told = (graph: Graph, place: string, depth = 9) =>
  walk(graph, place, { depth }).map(({ node, hop, how }) => `${hop} ${placeOf(graph, node)} ${how}`);

const CHAIN = graphOf({
  files: { 'a.ts': ['base'], 'b.ts': ['one', 'two'], 'c.ts': ['three'], 'd.ts': [] },
  edges: [
    'b.ts:one -> a.ts:base',
    'b.ts:two -> b.ts:one',
    { from: 'c.ts:three', to: 'b.ts:two', tier: 'unique' },
    { from: 'c.ts:three', to: 'a.ts:base', tier: 'ambiguous' },
    'a.ts:base -> c.ts:three',
    'd.ts -> b.ts',
  ],
});

test('each user is told once with its fewest hops, nearest first, to the depth that is asked for; never the definition itself', () => {
  assert.deepEqual(told(CHAIN, 'a.ts:base', 2), ['1 b.ts:one call', '1 c.ts:three call', '2 b.ts:two call']);
  assert.deepEqual(told(CHAIN, 'a.ts:base', 1), ['1 b.ts:one call', '1 c.ts:three call']);
  assert.deepEqual(told(CHAIN, 'a.ts:base', 0), []);
});

test('a way is as sure as all of its steps together, and one that is less sure than asked for is not walked', () => {
  const sure = walk(CHAIN, 'a.ts:base', { depth: 9, minConfidence: 0.5 });
  assert.deepEqual(
    sure.map(({ node, hop, confidence }) => [placeOf(CHAIN, node), hop, Number(confidence.toFixed(3))]),
    [
      ['b.ts:one', 1, 0.98],
      ['b.ts:two', 2, 0.96],
      ['c.ts:three', 3, 0.672],
    ],
  );
  assert.deepEqual(
    sure.map(({ via }) => placeOf(CHAIN, via)),
    ['a.ts:base', 'b.ts:one', 'b.ts:two'],
  );
  assert.equal(walk(CHAIN, 'a.ts:base', { depth: 9, minConfidence: 0.7 }).length, 2);
});

test('of two ways of as many hops the surer one is told, with its line', () => {
  const graph = graphOf({
    files: { 'a.ts': ['base'], 'b.ts': ['user'] },
    edges: [
      { from: 'b.ts:user', to: 'a.ts:base', tier: 'unique', line: 3 },
      { from: 'b.ts:user', to: 'a.ts:base', tier: 'imported', line: 7 },
      { from: 'b.ts:user', to: 'a.ts:base', tier: 'unique', line: 8 },
    ],
  });
  assert.deepEqual(
    walk(graph, 'a.ts:base', { depth: 1 }).map(({ line, confidence }) => [line, confidence]),
    [[7, 0.98]],
  );
});

test('imports are followed from a file that is asked for, and from files that import it, not from any file with a use', () => {
  const graph = graphOf({
    files: { 'a.ts': ['base'], 'b.ts': [], 'c.ts': [], 'd.ts': [] },
    edges: ['b.ts -> a.ts', 'c.ts -> b.ts', 'd.ts -> c.ts', 'b.ts -> a.ts:base call'],
  });
  assert.deepEqual(told(graph, 'a.ts'), ['1 b.ts import', '2 c.ts import', '3 d.ts import']);
  assert.deepEqual(told(graph, 'a.ts:base'), ['1 b.ts call']);
});

test('a constructor is used by who makes its class, a member by who calls the one it overrides, and what contains it', () => {
  const graph = graphOf({
    files: {
      'a.ts': [
        'class Base',
        'method Base.run',
        'class Own',
        'constructor Own.new',
        'method Own.run',
        'function outer',
        'function outer.inner',
      ],
      'b.ts': ['make', 'call'],
    },
    edges: ['a.ts:Own -> a.ts:Base extends', 'b.ts:make -> a.ts:Own new', 'b.ts:call -> a.ts:Base.run'],
  });
  assert.deepEqual(told(graph, 'a.ts:Own.new'), ['1 b.ts:make new']);
  assert.deepEqual(told(graph, 'a.ts:Own.run'), ['1 b.ts:call overrides']);
  assert.deepEqual(told(graph, 'a.ts:outer.inner'), ['1 a.ts:outer contains']);
});

test('a step that is likely makes all behind it likely; a request of a route is told as one, other names as names', () => {
  const graph = graphOf({
    files: { 'a.ts': ['base'], 'b.ts': ['one', 'topic', 'route'], 'c.ts': ['two'] },
    edges: [
      { from: 'b.ts:one', to: 'a.ts:base', tier: 'likely' },
      'c.ts:two -> b.ts:one',
      { from: 'b.ts:topic', to: 'a.ts:base', kind: 'request', literal: 'TOPIC cart', tier: 'route' },
      { from: 'b.ts:route', to: 'a.ts:base', kind: 'request', literal: 'GET /cart', tier: 'route' },
    ],
  });
  assert.deepEqual(
    walk(graph, 'a.ts:base', { depth: 2 }).map(
      ({ node, how, isLikely }) => `${placeOf(graph, node)} ${how} ${isLikely}`,
    ),
    ['b.ts:one call true', 'b.ts:topic named false', 'b.ts:route request false', 'c.ts:two call true'],
  );
});

test('a test file is told once with its nearest use; of two as near the first by path', () => {
  const graph = graphOf({
    files: {
      'a.ts': ['base'],
      'b.ts': ['via'],
      'test/z.test.ts': ['direct', 'far'],
      'test/y.test.ts': ['direct'],
      'test/helpers.ts': ['help'],
    },
    edges: [
      'b.ts:via -> a.ts:base',
      'test/z.test.ts:far -> b.ts:via',
      'test/z.test.ts:direct -> a.ts:base',
      'test/y.test.ts:direct -> b.ts:via',
      'test/helpers.ts:help -> a.ts:base',
    ],
  });
  const users = walk(graph, 'a.ts:base', { depth: 4 });
  assert.deepEqual(
    testsAmong(graph, users).map(({ path, symbol, hops }) => `${path} ${symbol} ${hops}`),
    ['test/z.test.ts direct 1', 'test/y.test.ts direct 2'],
  );
  assert.deepEqual(testsAmong(graph, []), []);
});

test('tests that import files are counted once, directly or through others, for one file and for several', () => {
  const graph = graphOf({
    files: {
      'a.ts': [],
      'b.ts': [],
      'c.ts': [],
      'test/x.test.ts': [],
      'test/y.test.ts': ['checks'],
      'test/helpers.ts': [],
      'test/z.test.ts': [],
    },
    edges: [
      'b.ts -> a.ts',
      'test/x.test.ts -> b.ts',
      'test/x.test.ts -> a.ts',
      'test/helpers.ts -> a.ts',
      'test/y.test.ts -> test/helpers.ts',
      'test/y.test.ts -> c.ts',
      'test/z.test.ts -> c.ts call',
    ],
  });
  const count = (...paths: string[]) => countTestsImporting(graph, new Set(paths.map((path) => graph.findFile(path))));
  // In any order, and again: what is remembered is of one file.
  assert.deepEqual(
    [count('a.ts'), count('c.ts'), count('b.ts'), count('a.ts'), count('b.ts', 'c.ts'), count()],
    [2, 1, 1, 2, 2, 0],
  );
});

/** Lines of the uses without a target that may mean a definition, `path:line`. */
const possible = (project: Project, place: string) => {
  const graph = linked(project);
  const lines = possibleUses(graph, nodeAt(graph, place)).map(
    (edge) => `${graph.path(graph.source(edge))}:${graph.tables.edgeLine[edge]}`,
  );
  return lines.sort();
};

test('a function inside of another one is meant by nothing outside, unless something holds it as a value', () => {
  const project = (last: string) => ({
    'a.js': `export function outer() {\n  function inner() {}\n  inner();\n  ${last}\n}\n`,
    'b.js': 'export function use(x) {\n  x.inner();\n}\n',
  });
  assert.deepEqual(possible(project(''), 'a.js:outer.inner'), []);
  assert.deepEqual(possible(project('return { inner };'), 'a.js:outer.inner'), ['b.js:2']);
});

test('a type inside of a function is meant by nothing outside, where types are stated', () => {
  const project = {
    'go.mod': 'module example.com/shop\n\ngo 1.21\n',
    'cart.go': 'package shop\n\nfunc load() {\n\ttype row struct{}\n\tread(row{})\n}\n',
    'sale.go': 'package shop\n\nfunc sale() {\n\tvar one row\n\tread(one)\n}\n',
  };
  assert.deepEqual(possible(project, 'cart.go:load.row'), []);
  const named = { 'a.cpp': 'void run() {\n  using Mode = int;\n  Mode one;\n}\n', 'b.cpp': 'shop::Mode other;\n' };
  assert.deepEqual(possible(named, 'a.cpp:run.Mode'), []);
});

test('a bare name means no member where members need a receiver', () => {
  const project = {
    'go.mod': 'module example.com/shop\n\ngo 1.21\n',
    'cart.go': 'package shop\n\ntype cart struct {\n\trate int\n}\n',
    'sale.go': 'package shop\n\nfunc sale(rate func(int)) {\n\trate(1)\n\tuse(rate)\n}\n',
  };
  assert.deepEqual(possible(project, 'cart.go:cart.rate'), []);
});

test('what an object asks of itself, or of its parents, means no member of a type that is no relative', () => {
  const project = {
    'cart.php':
      '<?php\nclass Cart { public function __construct() {} public function tax() {} }\nclass Own extends Cart { function go() { $this->far(); } }\n',
    'page.php':
      '<?php\nclass Page extends Outside {\n  function __construct() {\n    parent::__construct();\n    $this->tax();\n  }\n}\n',
    'any.php': '<?php\nfunction any($x) {\n  $x->tax();\n}\n',
    'base.php': '<?php\nabstract class Base {\n  function run() {\n    $this->hook();\n  }\n}\n',
    'heir.php': '<?php\nclass Heir extends Base {\n  function hook() {}\n}\n',
  };
  assert.deepEqual(possible(project, 'cart.php:Cart.__construct'), []);
  assert.equal(possible(project, 'cart.php:Cart.tax').includes('page.php:5'), false);
});

test('a key of a literal, and an assignment, use no function of that name', () => {
  const project = {
    'a.js': 'export function make() {\n  return {\n    handle() {},\n  };\n}\n',
    'b.js': 'export const other = give({\n  handle: 1,\n});\n',
    'c.js': 'export function use(x) {\n  x.handle = 2;\n  x.handle();\n}\n',
  };
  assert.deepEqual(
    possible(project, 'a.js:make.handle').filter((place) => place !== 'c.js:3'),
    [],
  );
});
