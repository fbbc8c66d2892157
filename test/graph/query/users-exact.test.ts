/** Uses whose target is not known, with the likelihood that each means a definition; and uses through what a member overrides. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  canMeanIt,
  evidenceFor,
  likelihoods,
  meansContainer,
  possibleUses,
  resolvedCalls,
  sortUses,
  testsAmong,
  usesAbove,
  usesAboveAll,
  walkUsers,
} from '../../../src/graph/query/users.js';
import { graphOf, type LiteralEdge, type LiteralGraph, nodeAt, placeOf } from '../build.js';
import { graphOf as linked } from '../link/project.js';

const PROJECT = {
  'cart.ts':
    'export class Cart {\n  total() {}\n  map() {}\n}\nexport class Bag {\n  total() {}\n}\nexport function sumAllLines() {}\n',
  'near.ts':
    "import { Cart } from './cart';\nexport function a(cart, x) {\n  cart.total();\n  x.total();\n  x.map();\n  cart.map();\n  this.carts[0].total();\n  x.sumAllLines();\n}\n",
  'far.ts': 'export function b(cart, x) {\n  cart.total();\n  x.total();\n}\n',
  'cart.py': 'class Cart:\n    def total(self):\n        pass\n',
  'far.py': 'def f(x):\n    x.total()\n',
  'near.py': 'from cart import Cart\n\ndef f(x):\n    x.total()\n',
  'cart.rb': 'class Cart\n  def total; end\nend\ndef use(x)\n  x.total\nend\n',
};

test('a use is likelier with a receiver that is named like the type and in a file that imports it, less with more candidates', () => {
  const graph = linked(PROJECT);
  const rows = (place: string) => {
    const node = nodeAt(graph, place);
    const [likelihoodOf, isContainer] = [likelihoods(graph, node), meansContainer(graph, node)];
    return possibleUses(graph, node).map((edge) => {
      const { likelihood, rank, order } = likelihoodOf(edge);
      const line = `${graph.path(graph.source(edge))}:${graph.tables.edgeLine[edge]}`;
      return `${line} ${likelihood} ${rank} ${order}${isContainer(edge) ? ' container' : ''}`;
    });
  };
  assert.deepEqual(rows('cart.ts:Cart.total'), [
    'far.ts:2 0.05 0.05 0.05',
    'far.ts:3 0.01 0.01 0.01',
    'near.ts:3 0.22 0.22 0.22',
    'near.ts:4 0.07 0.07 0.07',
    'near.ts:7 0.22 0.22 0.22',
  ]);
  assert.deepEqual(rows('cart.ts:Bag.total').slice(0, 3), [
    'far.ts:2 0.01 0.01 0.01',
    'far.ts:3 0.01 0.01 0.01',
    'near.ts:3 0.07 0.07 0.07',
  ]);
  assert.deepEqual(rows('cart.ts:Cart.map'), ['near.ts:5 0.11 0.11 0.11 container', 'near.ts:6 0.09 0.09 0.09']);
  assert.deepEqual(rows('cart.ts:sumAllLines'), ['near.ts:8 0.11 0.11 0.11']);
  assert.deepEqual(rows('cart.py:Cart.total'), ['far.py:2 0.05 0.05 0.01', 'near.py:4 0.2 0.2 0.07']);
  assert.deepEqual(rows('cart.rb:Cart.total'), ['cart.rb:5 undefined 0.2 0.07'], 'no share held there');
});

test('with more than four and more than ten candidates a use is less likely', () => {
  const order = (definitions: number, receiver: string) => {
    const names = Array.from({ length: definitions }, (_, i) => [`class T${i}`, `T${i}.run`]).flat();
    const graph = graphOf({
      files: { 'a.ts': ['class Cart', 'Cart.run', ...names], 'b.ts': ['use'] },
      edges: [{ from: 'b.ts:use', name: 'run', receiver }],
    });
    return likelihoods(graph, nodeAt(graph, 'a.ts:Cart.run'))(0).order;
  };
  assert.deepEqual(
    [0, 1, 3, 4, 9, 10].map((count) => order(count, 'x')),
    [0.05, 0.01, 0.01, 0.003, 0.003, 0.001],
  );
  assert.deepEqual(
    [0, 3, 9, 10].map((count) => order(count, 'cart')),
    [0.03, 0.05, 0.05, 0.003],
  );
});

test('a receiver is evidence where its last name resembles the type; a name of several words that is rare is evidence itself', () => {
  const edges: LiteralGraph['edges'] = Array.from({ length: 4 }, () => ({
    from: 'b.ts:use',
    name: 'callOften',
    receiver: 'x',
  }));
  const outside = { from: 'b.ts:use', name: 'readFile', receiver: 'fs', tier: 'external' as const };
  const graph = graphOf({
    files: {
      'a.ts': [
        'class ColumnMetadata',
        ...['readCart', 'read', 'callOften', 'readFile'].map((name) => `ColumnMetadata.${name}`),
      ],
      'c.ts': ['sum', 'twice', 'class Id', 'Id.of'],
      'd.ts': ['twice'],
      'b.ts': ['use'],
    },
    edges: [...edges, outside],
  });
  const is = (place: string, receiver = 'x') => evidenceFor(graph, nodeAt(graph, place))(receiver);
  const names = ['readCart', 'read', 'callOften', 'readFile'].map((name) => `a.ts:ColumnMetadata.${name}`);
  assert.deepEqual(
    names.map((place) => is(place)),
    [true, false, false, false],
  );
  assert.deepEqual([is('c.ts:sum'), is('c.ts:twice')], [true, false]);
  const receivers = [
    'column',
    'columns',
    'metadata',
    'this.columnMetadata',
    'my_column_metadata',
    'column.items[]',
    'x',
    '',
    'co',
  ];
  assert.deepEqual(
    receivers.map((receiver) => is('a.ts:ColumnMetadata.read', receiver)),
    [...[true, true, true, true, true, false, false, false, false]],
  );
  assert.deepEqual(
    ['id', '_id', 'ids', 'idx'].map((receiver) => is('c.ts:Id.of', receiver)),
    [true, true, false, false],
  );
});

test('a use may mean a definition that its file can name, in a language of the family, with a receiver where members need one', () => {
  const graph = graphOf({
    files: {
      'a.ts': ['function outer', 'function outer.inner', 'local own', 'Cart', 'Cart.total', 'open'],
      'b.js': ['use'],
      'c.py': ['use'],
      'd.go': ['struct Bag', 'field Bag.rate', 'function Bag.fill'],
    },
    edges: [
      { from: 'a.ts', kind: 'import', name: 'x' },
      ...['a.ts:outer', 'a.ts:outer.inner', 'b.js:use', 'c.py:use', 'd.go:Bag.fill'].flatMap((from) => [
        { from, name: 'f', line: 1 },
        { from, name: 'f', line: 2, receiver: 'x' },
        { from, name: 'f', line: 3, kind: 'write' as const },
      ]),
    ],
  });
  const meant = (place: string) => {
    const can = canMeanIt(graph, nodeAt(graph, place));
    const edges = Array.from({ length: graph.edgeCount }, (_, edge) => edge).filter(
      (edge) => graph.edge(edge).name === 'f' && can(edge),
    );
    return edges.map((edge) => `${placeOf(graph, graph.source(edge))}:${graph.tables.edgeLine[edge]}`).join(' ');
  };
  const outer = 'a.ts:outer:1 a.ts:outer:2 a.ts:outer:3 a.ts:outer.inner:1 a.ts:outer.inner:2 a.ts:outer.inner:3';
  assert.equal(meant('a.ts:open'), `${outer} b.js:use:1 b.js:use:2 b.js:use:3`);
  assert.equal(meant('a.ts:own'), 'a.ts:outer:1 a.ts:outer:3 a.ts:outer.inner:1 a.ts:outer.inner:3');
  assert.equal(meant('a.ts:outer.inner'), 'a.ts:outer:1 a.ts:outer:3 a.ts:outer.inner:1 a.ts:outer.inner:3');
  assert.equal(meant('d.go:Bag.rate'), 'd.go:Bag.fill:1 d.go:Bag.fill:2 d.go:Bag.fill:3');
});

test('calls of a language are resolved in the share of those that may stay inside; of fewer than twenty nothing is said', () => {
  const calls = (from: string, resolved: number, open: number) => [
    ...Array.from({ length: resolved }, () => ({ from, to: 'a.ts:f' })),
    ...Array.from({ length: open }, () => ({ from, name: 'x' })),
    ...Array.from({ length: 5 }, () => ({ from, name: 'x', tier: 'external' as const })),
    { from, name: 'T', kind: 'type' as const },
  ];
  const graph = graphOf({
    files: { 'a.ts': ['f'], 'b.ts': ['use'], 'c.ts': ['use'], 'd.py': ['use'] },
    edges: [...calls('b.ts:use', 10, 2), ...calls('c.ts:use', 5, 3), ...calls('d.py:use', 9, 10)],
  });
  assert.deepEqual(
    ['typescript', 'python', 'go'].map((language) => resolvedCalls(graph, language)),
    [0.75, 1, 1],
  );
});

test('uses are in the order of production code, direct before through a parent, then of places', () => {
  const graph = graphOf({ files: { 'a.ts': [], 'b.ts': [], 'test/a.test.ts': [] } });
  const use = (path: string, line: number, through?: string) =>
    ({ path, line, through }) as unknown as Parameters<typeof sortUses>[1][number];
  const uses = [
    use('test/a.test.ts', 1),
    use('b.ts', 3),
    use('a.ts', 5, 'Base.run'),
    use('b.ts', 2),
    use('test/a.test.ts', 0, 'x'),
  ];
  assert.deepEqual(
    sortUses(graph, uses).map(
      ({ path, line, through }) => `${path} ${line}${through === undefined ? '' : ` ${through}`}`,
    ),
    ['b.ts 2', 'b.ts 3', 'a.ts 5 Base.run', 'test/a.test.ts 1', 'test/a.test.ts 0 x'],
  );
});

/** `Base.run` is overridden in `Left` and `Right`; `Low` is below `Left`, `Both` below both of them, and `Other` beside all. */
const FAMILY = (uses: LiteralGraph['edges']) =>
  graphOf({
    files: {
      'a.ts': [
        ...['class Base', 'Base.run', 'class Left', 'Left.run', 'Left.go', 'class Right', 'Right.run', 'Right.go'],
        ...['class Low', 'Low.go', 'class Both', 'Both.go', 'class Other', 'Other.go', 'loose'],
      ],
    },
    edges: [
      ...['Left', 'Right'].map((type) => `a.ts:${type} -> a.ts:Base extends`),
      ...['a.ts:Low -> a.ts:Left extends', 'a.ts:Both -> a.ts:Left extends', 'a.ts:Both -> a.ts:Right extends'],
      ...(uses ?? []),
    ],
  });

test('a use of an inherited member may run one that overrides it, unless its receiver is of a sibling', () => {
  const runs = (from: string, receiver: string, member = 'Left.run') => {
    const graph = FAMILY([{ from: `a.ts:${from}`, to: 'a.ts:Base.run', tier: 'inherited', receiver }]);
    return usesAbove(graph, nodeAt(graph, `a.ts:${member}`)).mayRun.length === 1;
  };
  const own = ['Left.go', 'Low.go', 'Both.go', 'Right.go', 'Other.go', 'loose'];
  assert.deepEqual(
    own.map((from) => runs(from, 'this')),
    [true, true, true, true, true, true],
    '`Both` is below `Right` too',
  );
  const types = ['Left', 'Left()', 'new Low()', 'new Right()', 'cart', 'Other'];
  assert.deepEqual(
    types.map((receiver) => runs('loose', receiver)),
    [true, true, true, true, true, true],
  );
  assert.deepEqual(
    ['Left.go', 'Low.go', 'Right.go'].map((from) => runs(from, 'super')),
    [false, true, true],
  );
  assert.deepEqual(
    ['Low', 'new Low()'].map((receiver) => runs('loose', receiver, 'Right.run')),
    [false, false],
  );
  assert.equal(runs('Low.go', 'this', 'Right.run'), false);
});

test('uses above several nodes are told once, with the member that is used', () => {
  const graph = FAMILY([
    { from: 'a.ts:loose', to: 'a.ts:Base.run', line: 3 },
    { from: 'a.ts:loose', to: 'a.ts:Base.run', line: 4 },
  ]);
  const nodes = ['Left.run', 'Right.run'].map((name) => nodeAt(graph, `a.ts:${name}`));
  assert.deepEqual(
    usesAboveAll(graph, [graph.fileNode(0), ...nodes]).map(({ parent, edge }) => [
      placeOf(graph, parent),
      graph.tables.edgeLine[edge],
    ]),
    [
      ['a.ts:Base.run', 3],
      ['a.ts:Base.run', 4],
    ],
  );
  assert.deepEqual(usesAbove(graph, nodes[0]).open, []);
});

test('Rust: a call of a trait on a value of unknown type is open where several types implement it', () => {
  const of = (path: string, types: string[], call: Partial<LiteralEdge>) => {
    const graph = graphOf({
      files: {
        [path]: ['trait Shape', 'Shape.area', 'sum', ...types.flatMap((type) => [`struct ${type}`, `${type}.area`])],
      },
      edges: [
        ...types.map((type) => `${path}:${type} -> ${path}:Shape implements`),
        { from: `${path}:sum`, to: `${path}:Shape.area`, receiver: 'x', ...call },
      ],
    });
    const { mayRun, open } = usesAbove(graph, nodeAt(graph, `${path}:A.area`));
    return [mayRun.length, open.length];
  };
  assert.deepEqual(of('a.rs', ['A', 'B'], {}), [0, 1]);
  assert.deepEqual(of('a.rs', ['A'], {}), [1, 0]);
  assert.deepEqual(of('a.rs', ['A', 'B'], { receiver: '' }), [1, 0]);
  assert.deepEqual(of('a.rs', ['A', 'B'], { tier: 'receiver' }), [1, 0]);
  assert.deepEqual(of('a.rs', ['A', 'B'], { kind: 'value' }), [1, 0]);
  assert.deepEqual(of('a.ts', ['A', 'B'], {}), [1, 0], 'no other language has such methods');
});

test('what a walk finds through a likely step is marked in the tests, with their nearest line', () => {
  const graph = graphOf({
    files: { 'a.ts': ['base'], 'test/b.test.ts': ['near'], 'test/a.test.ts': [] },
    edges: [
      { from: 'test/b.test.ts:near', to: 'a.ts:base', tier: 'likely', line: 4 },
      { from: 'test/a.test.ts', to: 'a.ts:base', kind: 'call', line: 9 },
    ],
  });
  assert.deepEqual(testsAmong(graph, walkUsers(graph, [nodeAt(graph, 'a.ts:base')], { depth: 1 })), [
    { path: 'test/a.test.ts', symbol: null, hops: 1, line: 9 },
    { path: 'test/b.test.ts', symbol: 'near', hops: 1, line: 4, likely: true },
  ]);
});
