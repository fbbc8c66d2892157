/** Files that a file depends on, where one import stands for a whole package. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawingOf } from '../../../src/graph/picture/drawing.js';
import { dependenciesOf, filesUsedBy, filesUsing, neighbours } from '../../../src/graph/query/file-edges.js';
import { findCycles, statsOf } from '../../../src/graph/query/statistics.js';
import { walkUsers } from '../../../src/graph/query/users.js';
import { referencesOf } from '../../../src/questions/graph/references/answer.js';
import { graphOf } from '../build.js';
import { graphOf as projectGraph } from '../link/project.js';

const parts = ['cart/add.go', 'cart/total.go', 'cart/tax.go'];
const imports = parts.map(
  (path) => ({ from: 'main.go', to: path, kind: 'import', tier: 'package', name: 'shop/cart' }) as const,
);
const files = {
  'main.go': ['main'],
  ...Object.fromEntries(parts.map((path) => [path, [path.slice(5, -3)]])),
};
const used = (edges: Parameters<typeof graphOf>[0]['edges']) => {
  const graph = graphOf({ files, edges });
  const users = parts.filter((path) => filesUsing(graph, graph.findFile(path)).length > 0);
  return { imports: filesUsedBy(graph, graph.findFile('main.go')).map(({ path }) => path), users };
};

test('an import of a package counts as the files that are used, or as all where none is', () => {
  const call = 'main.go:main -> cart/total.go:total';
  assert.deepEqual(used([...imports, call]), { imports: ['cart/total.go'], users: ['cart/total.go'] });
  assert.deepEqual(used(imports), { imports: parts, users: parts });
});

test('references of a file name who uses it without an import, and each importer once', () => {
  const graph = graphOf({
    files: {
      'a/Lock.java': ['Lock', 'method Lock.open'],
      'a/Near.java': ['near'],
      'b/Far.java': ['far'],
      'b/Given.java': ['given'],
    },
    edges: [
      { from: 'b/Far.java', to: 'a/Lock.java', kind: 'import' },
      'b/Far.java:far -> a/Lock.java:Lock.open',
      { from: 'a/Near.java:near', to: 'a/Lock.java:Lock', kind: 'type', tier: 'package' },
      { from: 'a/Near.java:near', to: 'a/Lock.java:Lock.open', tier: 'receiver' },
      { from: 'b/Given.java:given', to: 'a/Lock.java:Lock.open', tier: 'receiver' },
      'a/Lock.java:Lock.open -> a/Lock.java:Lock',
    ],
  });
  const file = graph.findFile('a/Lock.java');
  const { counts, uses } = referencesOf(graph, [graph.fileNode(file)], 9);
  assert.deepEqual(counts, { import: 1, type: 1, call: 1 });
  assert.deepEqual([...new Set(uses.list.map(({ path }) => path))].sort(), ['a/Near.java', 'b/Far.java']);
});

/** The parts of the package import the program, so that each one that counts closes a circle. */
const circular = graphOf({
  files,
  edges: [
    ...imports,
    'main.go:main -> cart/total.go:total',
    ...parts.map((path) => ({ from: path, to: 'main.go', kind: 'import' }) as const),
  ],
});
const numberOf = (path: string) => circular.findFile(path);

test('users and references of a file leave out who imports its package for another file of it', () => {
  const usersOf = (path: string) => {
    const node = circular.fileNode(numberOf(path));
    const walked = walkUsers(circular, [node], { depth: 1 }).map((user) => circular.path(user.node));
    const { uses } = referencesOf(circular, [node], 9);
    return { walked, uses: uses.list.map((use) => use.path) };
  };
  assert.deepEqual(usersOf('cart/total.go'), { walked: ['main.go'], uses: ['main.go'] });
  assert.deepEqual(usersOf('cart/tax.go'), { walked: [], uses: [] });
  assert.deepEqual(usersOf('main.go').walked, [...parts].sort());
});

test('cycles, statistics, rules, pictures and further dependencies count the same files of a package', () => {
  const { cycles } = findCycles(circular, { limit: 9 });
  assert.deepEqual(
    cycles.list.map(({ members }) => members.list.map(({ path }) => path)),
    [['cart/total.go', 'main.go']],
  );
  const main = statsOf(circular, { connected: 9, orphans: 9 }).connectedFiles.list.find(
    ({ path }) => path === 'main.go',
  );
  assert.deepEqual([main?.imports, main?.dependents], [1, 3]);
  assert.deepEqual([...neighbours(circular, numberOf('main.go'), 'out')], [numberOf('cart/total.go')]);
  assert.deepEqual([...neighbours(circular, numberOf('cart/tax.go'), 'in')], []);
  assert.deepEqual(
    [...(dependenciesOf(circular).get(numberOf('main.go')) ?? new Map()).keys()],
    [numberOf('cart/total.go')],
  );
  const { nodes, edges } = drawingOf(circular, 'files');
  const drawn = edges.filter(({ from }) => nodes[from].path === 'main.go').map(({ to }) => nodes[to].path);
  assert.deepEqual(drawn, ['cart/total.go']);
});

const SPACES = {
  'shop.rb': 'module Shop\n  def self.configure; end\n  LIMIT = 3\nend\n',
  'shop/cart.rb': 'module Shop\n  class Cart\n    def total; end\n  end\nend\n',
  'shop/cart/line.rb': 'module Shop\n  class Cart\n    class Line; end\n  end\nend\n',
  'shop/taxed.rb': 'module Shop\n  module Taxed\n    def tax; end\n  end\nend\n',
  'run.rb': 'Shop::Cart.new.total\nShop.unknown\n',
  'setup.rb': 'Shop.configure\n',
  'order.rb': 'class Order\n  include Shop::Taxed\nend\n',
  'cart.h': 'namespace till {\nclass Cart { public: int total(); };\n}\n',
  'tax.h': 'namespace till {\nint tax();\n}\n',
  'main.cc': '#include "tax.h"\nusing namespace till;\nint run() { return till::tax(); }\n',
};

test('a use that names a namespace of several files alone is a use of none of them', () => {
  const graph = projectGraph(SPACES);
  const used = (path: string) => filesUsedBy(graph, graph.findFile(path)).map((link) => link.path);
  assert.deepEqual(used('run.rb'), ['shop/cart.rb']);
  assert.deepEqual(used('setup.rb'), ['shop.rb'], 'a member of the module is in one file');
  assert.deepEqual(used('order.rb'), ['shop/taxed.rb'], 'a module of one file is in it');
  assert.deepEqual(used('main.cc'), ['tax.h']);
  const of = (path: string) =>
    statsOf(graph, { connected: 20, orphans: 20 }).connectedFiles.list.find((one) => one.path === path);
  assert.equal(of('shop.rb')?.dependents, 1);
  assert.deepEqual([...neighbours(graph, graph.findFile('run.rb'), 'out')], [graph.findFile('shop/cart.rb')]);
  const hubs = statsOf(graph, { connected: 20, orphans: 20 }).connectedSymbols.list.map(({ symbol }) => symbol);
  assert.ok(!hubs.includes('Shop') && hubs.includes('Shop.Taxed'), hubs.join());
  const { nodes, edges } = drawingOf(graph, 'files');
  const drawn = edges.filter(({ from }) => nodes[from].path === 'run.rb').map(({ to }) => nodes[to].path);
  assert.deepEqual(drawn, ['shop/cart.rb']);
});
