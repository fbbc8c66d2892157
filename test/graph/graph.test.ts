/** What a graph gives by number: nodes, their names and containers, edges, and the lists of edges and of names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyGraph, Graph } from '../../src/graph/graph.js';
import { CONFIDENCE } from '../../src/graph/tables.js';
import { graphOf, nodeAt, placeOf, tablesOf } from './build.js';

const SHOP = {
  files: {
    'a.ts': ['Cart', 'Cart.total', 'Cart.items', 'local run'],
    'b.ts': ['run', 'total'],
    'c.ts': [],
    'd.ts': { symbols: ['total'], state: 'degraded' as const },
  },
  edges: [
    'a.ts -> b.ts',
    { from: 'a.ts', name: './lost', kind: 'import' as const },
    'a.ts:Cart.total -> b.ts:run',
    { from: 'a.ts:run', to: 'b.ts:run', line: 33, span: 2, receiver: '#12.shop#7', literal: 'x' },
    { from: 'b.ts:run', name: 'total', line: 3 },
    { from: 'b.ts:run', name: 'fetch', line: 4, tier: 'external' as const },
    { from: 'd.ts:total', name: 'total' },
    { from: 'd.ts:total', to: 'a.ts:Cart', kind: 'new' as const },
  ],
};

test('files are found by their whole path alone, the first and the last too', () => {
  const graph = graphOf(SHOP);
  const wanted = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'a', 'a.tsx', 'bb.ts', 'e.ts', '', '0.ts'];
  assert.deepEqual(
    wanted.map((path) => graph.findFile(path)),
    [0, 1, 2, 3, -1, -1, -1, -1, -1, -1],
  );
  assert.equal(emptyGraph().findFile('a.ts'), -1);
  assert.deepEqual([graph.fileCount, graph.nodeCount, graph.edgeCount], [4, 11, 8]);
  const empty = emptyGraph();
  assert.deepEqual([empty.fileCount, empty.nodeCount, empty.edgeCount, [...empty.names()]], [0, 0, 0, []]);
});

test('a node has the file, the kind, the lines and the name with its containers', () => {
  const graph = graphOf(SHOP);
  const rows = Array.from({ length: graph.nodeCount }, (_, node) =>
    [
      graph.path(node),
      graph.kind(node),
      graph.qualifiedName(node),
      graph.isExported(node) ? 'exported' : '',
      `${graph.startLine(node)}-${graph.endLine(node)}`,
      graph.container(node),
    ].join(' '),
  );
  assert.deepEqual(rows, [
    'a.ts file a.ts  1-40 -1',
    'a.ts class Cart exported 1-29 0',
    'a.ts method Cart.total exported 11-19 1',
    'a.ts method Cart.items exported 21-29 1',
    'a.ts function run  31-39 0',
    'b.ts file b.ts  1-20 -1',
    'b.ts function run exported 1-9 5',
    'b.ts function total exported 11-19 5',
    'c.ts file c.ts  1-10 -1',
    'd.ts file d.ts  1-10 -1',
    'd.ts function total exported 1-9 9',
  ]);
});

test('a qualified name has 64 names at most, however deep a symbol claims to be', () => {
  const path = Array.from({ length: 80 }, (_, i) => `n${i}`);
  const symbols = path.map((_, i) => path.slice(0, i + 1).join('.'));
  const graph = graphOf({ files: { 'a.ts': symbols } });
  assert.equal(graph.qualifiedName(80), path.slice(16).join('.'));
  assert.equal(graph.qualifiedName(64), path.slice(0, 64).join('.'));
});

test('a member that is written outside of its type has the type as its container, and is a method', () => {
  const tables = tablesOf({ files: { 'a.go': ['struct Cart'], 'b.go': ['total', 'field size', 'open'] } });
  const graph = new Graph({ ...tables, nodeOwner: Int32Array.of(-1, -1, -1, 1, 1, -1) });
  assert.deepEqual(
    [3, 4, 5].map((node) => `${graph.qualifiedName(node)} ${graph.kind(node)} ${graph.container(node)}`),
    ['Cart.total method 1', 'Cart.size field 1', 'open function 2'],
  );
  // The tables are shared with the next link, which reads them as they were.
  assert.deepEqual([tables.nodeContainer[3], tables.nodeKind[3] === tables.nodeKind[5]], [2, true]);
});

test('flags of a node tell what is exported, what is fixed, and how many parameters there are', () => {
  const tables = tablesOf({ files: { 'a.ts': ['a', 'b', 'c', 'd', 'e'] } });
  const graph = new Graph({
    ...tables,
    nodeFlags: Uint8Array.of(0, 0, 1, 2, 3 + 4, 4 * 3),
    nodeParameters: Uint32Array.of(0, 0, 0, 0, 7, 0),
  });
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((node) => [
      graph.isExported(node),
      graph.isFixed(node),
      graph.arity(node),
      graph.parameters(node),
    ]),
    [
      [false, false, -1, 0],
      [true, false, -1, 0],
      [false, true, -1, 0],
      [true, true, 0, 7],
      [false, false, 2, 0],
    ],
  );
  assert.equal(new Graph(tables).parameters(4), 0);
});

test('edges leave and reach their nodes, whether or not the lists of incoming edges were made before', () => {
  const rows = (graph: Graph) =>
    Array.from({ length: graph.edgeCount }, (_, i) => {
      const { from, to, kind, tier, confidence, startLine, endLine, name, receiver, literal } = graph.edge(i);
      assert.equal(confidence, CONFIDENCE[tier]);
      const place = to < 0 ? '?' : placeOf(graph, to);
      return `${placeOf(graph, from)} ${kind} ${place} ${tier} ${startLine}-${endLine} ${name} ${receiver} ${literal}`;
    });
  const before = rows(graphOf(SHOP));
  assert.deepEqual(before, [
    'a.ts import b.ts path 2-2 b.ts  ',
    'a.ts import ? unresolved 2-2 ./lost  ',
    'a.ts:Cart.total call b.ts:run imported 12-12 run  ',
    'a.ts:run call b.ts:run imported 33-35 run shop x',
    'b.ts:run call ? unresolved 3-3 total  ',
    'b.ts:run call ? external 4-4 fetch  ',
    'd.ts:total call ? unresolved 2-2 total  ',
    'd.ts:total new a.ts:Cart imported 2-2 Cart  ',
  ]);
  const after = graphOf(SHOP);
  after.incomingLists();
  assert.deepEqual(rows(after), before);
  const reached = (place: string) => [...after.incoming(nodeAt(after, place))];
  assert.deepEqual(['a.ts', 'b.ts', 'b.ts:run', 'b.ts:total', 'a.ts:Cart', 'd.ts:total'].map(reached), [
    [],
    [0],
    [2, 3],
    [],
    [7],
    [],
  ]);
  assert.deepEqual(
    [0, 1, 7].map((edge) => after.isFileEdge(edge)),
    [true, true, false],
  );
});

test('names lead to their symbols in the order of files, and never to a file', () => {
  const graph = graphOf({ files: { ...SHOP.files, 'total.ts': ['a'] } });
  assert.deepEqual(
    graph.nodesNamed('total').map((node) => placeOf(graph, node)),
    ['a.ts:Cart.total', 'b.ts:total', 'd.ts:total'],
  );
  assert.deepEqual(graph.namesakes(nodeAt(graph, 'd.ts:total')), graph.nodesNamed('total'));
  assert.deepEqual(
    ['a.ts', 'nothing', ''].map((name) => graph.nodesNamed(name)),
    [[], [], []],
  );
  assert.deepEqual([...graph.names()].sort(), ['Cart', 'a', 'items', 'run', 'total']);
});

test('uses without a target are listed by their name, in order, without imports', () => {
  const graph = graphOf(SHOP);
  const lines = (name: string) => graph.danglingEdges(name).map((edge) => `${graph.edge(edge).from}`);
  const [run, total] = [nodeAt(graph, 'b.ts:run'), nodeAt(graph, 'd.ts:total')];
  assert.deepEqual(lines('total'), [String(run), String(total)]);
  assert.deepEqual(lines('fetch'), [String(run)]);
  assert.deepEqual([lines('./lost'), lines('run'), lines('nowhere')], [[], [], []]);
  assert.deepEqual(graph.danglingNamesakes(total), graph.danglingEdges('total'));
});
