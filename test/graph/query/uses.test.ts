/** Steps between nodes that questions take: members, parents, children, what overrides what, and who makes an object. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MARK_UNIT } from '../../../src/extract/facts.js';
import { Graph } from '../../../src/graph/graph.js';
import {
  childrenOf,
  directMembers,
  inheritEdges,
  inheritedMembers,
  interfacesOf,
  isHidden,
  isLocalFunction,
  isModule,
  isOwnOfModule,
  makersOf,
  mayHaveSameParameters,
  membersOf,
  overriddenBy,
  overridersOf,
  ownerOf,
  parentsOf,
  siblingsNamed,
  typesOf,
  usesOf,
  withInside,
} from '../../../src/graph/query/uses.js';
import { graphOf, type LiteralGraph, nodeAt, placeOf, tablesOf } from '../build.js';

const places = (graph: Graph, nodes: Iterable<number>): string =>
  [...nodes].map((node) => placeOf(graph, node).replace(/^a\.\w+:/, '')).join(' ');

/** The tables of a graph with other columns. */
function changed(graph: LiteralGraph, columns: Partial<ReturnType<typeof tablesOf>>): Graph {
  return new Graph({ ...tablesOf(graph), ...columns });
}

const RUST = {
  files: {
    'a.rs': [
      'struct Cart',
      'field Cart.size',
      'impl Cart',
      'method add',
      'impl Cart',
      'method total',
      'struct Other',
      'field Other.size',
    ],
    'b.rs': ['impl Cart', 'Cart.far'],
  },
  edges: [
    { from: 'a.rs:Cart', to: 'a.rs:Other', kind: 'implements' as const, line: 2 },
    { from: 'a.rs:Cart', name: 'Display', kind: 'implements' as const, line: 21 },
    { from: 'a.rs:Cart', name: 'Debug', kind: 'implements' as const, line: 49 },
    { from: 'a.rs:Cart', name: 'noise', kind: 'call' as const, line: 22 },
  ],
};

/** A Cart with two blocks, whose functions are the nodes 4 and 6. */
function rust(): Graph {
  const { nodeContainer, nodeEndLine } = tablesOf(RUST);
  const containers = nodeContainer.slice();
  containers[4] = 3;
  containers[6] = 5;
  const ends = nodeEndLine.slice();
  ends[3] = 39;
  ends[5] = 59;
  return changed(RUST, { nodeContainer: containers, nodeEndLine: ends });
}

test('a type has the members of its blocks in the same file, and a block only its own', () => {
  const graph = rust();
  assert.deepEqual(membersOf(graph, 1), [2, 3, 4, 5, 6]);
  assert.deepEqual(membersOf(graph, 3), [4]);
  assert.deepEqual(membersOf(graph, 7), [8]);
  assert.deepEqual([...withInside(graph, [3, 4, 7])], [3, 4, 7, 8]);
  assert.deepEqual([...withInside(graph, [nodeAt(graph, 'b.rs')])], [9, 10, 11]);
  assert.deepEqual([...directMembers(graph, 1)], [2]);
  assert.deepEqual([...directMembers(graph, 5)], [6]);
  assert.deepEqual([...directMembers(graph, 0)], [1, 3, 5, 7]);
});

test('a block inherits what its own lines name, and the type all of it', () => {
  const graph = rust();
  const names = (node: number) => [...inheritEdges(graph, node)].map((edge) => graph.edge(edge).name);
  assert.deepEqual([1, 3, 5, 7].map(names), [['Other', 'Display', 'Debug'], ['Display'], ['Debug'], []]);
  assert.deepEqual(childrenOf(graph, 7), [1]);
  assert.deepEqual(
    childrenOf(graphOf({ ...RUST, edges: [{ ...RUST.edges[0], line: 25 }] }), 7),
    [1, 3],
    'the block that names it is a child, too',
  );
});

test('members of one name in one container are siblings, whatever else has the name', () => {
  const graph = graphOf({
    files: {
      '0.ts': ['run', 'Cart', 'Cart.run'],
      'a.ts': ['run', 'Cart', 'Cart.run', 'Cart.run', 'Cart.stop', 'run', 'Shop', 'Shop.run'],
      'b.ts': ['run'],
    },
  });
  const first = nodeAt(graph, 'a.ts');
  const siblings = (node: number) => siblingsNamed(graph, first + node).map((other) => other - first);
  assert.deepEqual([1, 3, 4, 5, 6, 8].map(siblings), [[1, 6], [3, 4], [3, 4], [5], [1, 6], [8]]);
  const block = rust();
  assert.deepEqual(siblingsNamed(block, 2), [2]);
});

test('who can name a definition: nobody outside of a function or of a module that does not export it', () => {
  const graph = graphOf({
    files: {
      'a.ts': ['local own', 'own.inner', 'own.inner.deep', 'Cart', 'Cart.run', 'function Cart.held', 'open'],
      'b.ts': ['local own', 'local other'],
      'c.ts': ['local own'],
      'd.go': ['local own', 'open'],
      'e.ts': ['local Own', 'Own.part'],
    },
    edges: ['c.ts -> a.ts'],
  });
  const rows = ['a.ts:own', 'a.ts:own.inner', 'a.ts:own.inner.deep', 'a.ts:Cart.run', 'a.ts:Cart.held', 'a.ts:open']
    .concat(['a.ts', 'b.ts:own', 'c.ts:own', 'd.go:own', 'e.ts:Own', 'e.ts:Own.part'])
    .map((place) => {
      const node = nodeAt(graph, place);
      const marks = { local: isLocalFunction, own: isOwnOfModule, hidden: isHidden };
      return [place, ...Object.entries(marks).flatMap(([mark, is]) => (is(graph, node) ? [mark] : []))].join(' ');
    });
  assert.deepEqual(rows, [
    'a.ts:own own hidden',
    'a.ts:own.inner',
    'a.ts:own.inner.deep',
    'a.ts:Cart.run',
    'a.ts:Cart.held',
    'a.ts:open',
    'a.ts',
    'b.ts:own',
    'c.ts:own own hidden',
    'd.go:own',
    'e.ts:Own own hidden',
    'e.ts:Own.part',
  ]);
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((file) => isModule(graph, file)),
    [true, false, true, true, true],
  );
  const inner = graphOf({ files: { 'a.py': ['function outer', 'function outer.inner', 'function outer.inner.deep'] } });
  assert.deepEqual(
    [1, 2, 3].map((node) => isLocalFunction(inner, node)),
    [false, true, true],
  );
});

const FAMILY: LiteralGraph = {
  files: {
    'a.java': [
      ...['interface Any', 'method Any.run', 'Base', 'method Base.run', 'field Base.size', 'Base.only'],
      ...['Middle', 'method Middle.other', 'Leaf', 'method Leaf.run', 'field Leaf.size', 'Stranger', 'Stranger.run'],
    ],
  },
  edges: [
    'a.java:Base -> a.java:Any implements',
    'a.java:Middle -> a.java:Base extends',
    'a.java:Leaf -> a.java:Middle extends',
    'a.java:Stranger -> a.java:Base call',
    { from: 'a.java:Leaf', name: 'Outside', kind: 'implements' as const },
  ],
};

test('parents and children are those of inheritance alone, and a chain of any length overrides', () => {
  const graph = graphOf(FAMILY);
  const at = (name: string) => nodeAt(graph, `a.java:${name}`);
  const rows = (find: (graph: Graph, node: number) => Iterable<number>, ...names: string[]) =>
    names.map((name) => places(graph, find(graph, at(name))));
  assert.deepEqual(rows(parentsOf, 'Any', 'Base', 'Leaf', 'Stranger'), ['', 'Any', 'Middle', '']);
  assert.deepEqual(rows(childrenOf, 'Any', 'Base', 'Middle', 'Leaf'), ['Base', 'Middle', 'Leaf', '']);
  assert.deepEqual(rows(overriddenBy, 'Leaf.run', 'Base.run', 'Any.run', 'Leaf.size', 'Middle.other', 'Stranger.run'), [
    'Any.run Base.run',
    'Any.run',
    '',
    '',
    '',
    '',
  ]);
  assert.deepEqual(rows(overridersOf, 'Any.run', 'Base.run', 'Leaf.run'), ['Base.run Leaf.run', 'Leaf.run', '']);
  // Answers are kept: the second time gives the same.
  assert.deepEqual(rows(overridersOf, 'Any.run', 'Base.only'), ['Base.run Leaf.run', '']);
  assert.deepEqual(
    [ownerOf(graph, at('Leaf.run')), ownerOf(graph, at('Leaf')), ownerOf(graph, 0)],
    [at('Leaf'), -1, -1],
  );
});

test('an inherited member is that of the nearest ancestors that have it', () => {
  const graph = graphOf(FAMILY);
  const inherited = (name: string, type = 'Leaf') =>
    places(graph, inheritedMembers(graph, [nodeAt(graph, `a.java:${type}`)], name));
  assert.deepEqual(
    ['run', 'other', 'only', 'size', 'nothing'].map((name) => inherited(name)),
    ['Base.run', 'Middle.other', 'Base.only', 'Base.size', ''],
  );
  assert.deepEqual([inherited('run', 'Base'), inherited('run', 'Any')], ['Any.run', '']);
  const ring = graphOf({
    files: { 'a.java': ['A', 'B', 'C', 'C.run'] },
    edges: ['a.java:A -> a.java:B extends', 'a.java:B -> a.java:A extends'],
  });
  assert.deepEqual(inheritedMembers(ring, [1], 'run'), []);
});

test('a member that is fixed overrides nothing and is not overridden; other numbers of parameters are overloads', () => {
  const flags = (values: Readonly<Record<number, number>>) => {
    const { nodeFlags } = tablesOf(FAMILY);
    for (const [node, flag] of Object.entries(values)) nodeFlags[Number(node)] = flag;
    return changed(FAMILY, { nodeFlags });
  };
  const over = (graph: Graph) => places(graph, overriddenBy(graph, nodeAt(graph, 'a.java:Leaf.run')));
  const [any, base, leaf] = [2, 4, 10];
  assert.equal(over(flags({ [base]: 2 })), 'Any.run');
  assert.equal(over(flags({ [leaf]: 2 })), '');
  assert.equal(over(flags({ [any]: 4, [base]: 8, [leaf]: 8 })), 'Base.run');
  assert.equal(over(flags({ [any]: 0, [base]: 4, [leaf]: 8 })), 'Any.run', 'an unknown number fits each');
});

test('parameters fit by their types, except those that are unknown, of another language, or named by an alias', () => {
  const files = { 'a.java': ['run', 'run', 'other'], 'b.kt': { symbols: ['run'], language: 'kotlin' } };
  const fit = (own: number, its: number, other = 2) =>
    mayHaveSameParameters(
      changed(
        { files },
        { nodeParameters: Uint32Array.from([0, own, its, 0, 0, its]), nodeFlags: new Uint8Array(6).fill(8) },
      ),
      1,
      other,
    );
  assert.deepEqual(
    [
      fit(5, 5),
      fit(5, 6),
      fit(5, 0),
      fit(0, 6),
      fit(5, 6, 5),
      fit(5 + 9 * MARK_UNIT, 5 + 8 * MARK_UNIT),
      fit(5 + 9 * MARK_UNIT, 5),
    ],
    [true, false, true, true, true, false, true],
  );
});

test('who makes an object calls its constructor: also of classes below that have none of their own', () => {
  const files = {
    'a.ts': ['Base', 'constructor Base.constructor', 'Base.run', 'Plain', 'Own', 'constructor Own.constructor', 'Low'],
    'b.ts': ['make'],
  };
  const lines = ['Base', 'Plain', 'Own', 'Low'].map((name, i) => ({
    ...{ from: 'b.ts:make', to: `a.ts:${name}`, kind: 'new' as const, line: i + 1 },
  }));
  const inherit = ['Plain -> Base', 'Own -> Base', 'Low -> Plain'].map(
    (pair) => `a.ts:${pair.replace('-> ', '-> a.ts:')} extends`,
  );
  const read = { from: 'b.ts:make', to: 'a.ts:Base', kind: 'value' as const, line: 9 };
  const makers = (language: string, place: string, literal = '') => {
    const typed = { 'a.ts': { symbols: files['a.ts'], language }, 'b.ts': { symbols: files['b.ts'], language } };
    const edges = [...inherit, ...lines.map((line, i) => (i === 0 ? { ...line, literal } : line)), read];
    const graph = graphOf({ files: typed, edges });
    return makersOf(graph, nodeAt(graph, place)).map((edge) => graph.edge(edge).startLine);
  };
  assert.deepEqual(makers('typescript', 'a.ts:Base.constructor'), [1, 2, 4]);
  assert.deepEqual(makers('typescript', 'a.ts:Own.constructor'), [3]);
  assert.deepEqual(makers('java', 'a.ts:Base.constructor'), [1], 'constructors are not inherited in Java');
  assert.deepEqual(makers('typescript', 'b.ts:make'), []);
  // A use that says which constructor it means, by its number, means no other one.
  assert.deepEqual(makers('java', 'a.ts:Base.constructor', '0'), [1]);
  assert.deepEqual(makers('java', 'a.ts:Base.constructor', '1,0'), [1]);
  assert.deepEqual(makers('java', 'a.ts:Base.constructor', '1'), []);
});

test('Go: a type fits an interface if it has all its methods, with those of all types that it embeds', () => {
  const graph = graphOf({
    files: {
      'a.go': [
        ...['interface Reader', 'method Reader.Read', 'interface Both', 'method Both.Close', 'interface Empty'],
        ...['struct Deep', 'method Deep.Read', 'struct Inner', 'struct Outer', 'method Outer.Close', 'struct Bare'],
      ],
      'b.ts': ['class Outside', 'method Outside.Read'],
    },
    edges: [
      'a.go:Both -> a.go:Reader extends',
      'a.go:Outer -> a.go:Inner extends',
      'a.go:Inner -> a.go:Deep extends',
      'a.go:Bare -> a.go:Deep call',
    ],
  });
  const types = (name: string) => places(graph, typesOf(graph, nodeAt(graph, `a.go:${name}`)));
  const interfaces = (place: string) => places(graph, interfacesOf(graph, nodeAt(graph, place)));
  assert.deepEqual(['Reader', 'Both', 'Empty', 'Deep'].map(types), ['Deep Inner Outer', 'Outer', '', '']);
  assert.deepEqual(['a.go:Outer', 'a.go:Inner', 'a.go:Bare', 'b.ts:Outside'].map(interfaces), [
    'Reader Both',
    'Reader',
    '',
    '',
  ]);
  assert.equal(places(graph, overriddenBy(graph, nodeAt(graph, 'a.go:Outer.Close'))), 'Both.Close');
  assert.equal(places(graph, overridersOf(graph, nodeAt(graph, 'a.go:Reader.Read'))), 'Deep.Read');
});

test('uses of a definition are what runs it or hands it on, not what imports, reads or inherits it', () => {
  const kinds = ['call', 'new', 'decorator', 'value', 'route', 'request', 'read', 'write', 'type', 'extends'] as const;
  const graph = graphOf({
    files: { 'a.ts': ['run', 'use'] },
    edges: kinds.map((kind, i) => ({ from: 'a.ts:use', to: 'a.ts:run', kind, line: i + 1 })),
  });
  assert.deepEqual([usesOf(graph, 1), usesOf(graph, 2)], [6, 0]);
});
