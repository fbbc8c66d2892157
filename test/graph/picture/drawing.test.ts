/** What is drawn of a graph: nodes, joined edges, circles, and folders that stand for what is in them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawingOf, fit } from '../../../src/graph/picture/drawing.js';
import {
  chooseOpen,
  type Drawing,
  type DrawingNode,
  folderTree,
  type Marks,
  marksOf,
} from '../../../src/graph/picture/folders.js';
import { partOf, planOf } from '../../../src/graph/picture/picture.js';
import { graphOf, nodeAt } from '../build.js';

const graph = graphOf({
  files: {
    'app.ts': ['function main'],
    'shop/cart.ts': ['class Cart', 'method Cart.total', 'field Cart.items'],
    'shop/price.ts': ['function price', 'function round'],
    'shop/types.ts': ['interface Item'],
    'docs/readme.md': [],
  },
  edges: [
    'app.ts -> shop/cart.ts',
    'shop/cart.ts -> shop/price.ts',
    'shop/price.ts -> shop/cart.ts',
    'shop/price.ts -> shop/types.ts type-import',
    'shop/types.ts -> shop/price.ts type-import',
    'app.ts:main -> shop/cart.ts:Cart new',
    'app.ts:main -> shop/cart.ts:Cart.total',
    'shop/cart.ts:Cart.total -> shop/price.ts:price',
    'shop/price.ts:price -> shop/cart.ts:Cart.total',
    'shop/price.ts:price -> shop/price.ts:round',
    'shop/price.ts -> shop/price.ts:round call',
    'shop/cart.ts:Cart.total -> shop/types.ts:Item type',
    { from: 'app.ts:main', name: 'log', tier: 'external' },
  ],
});

const edgesOf = ({ nodes, edges }: Drawing) =>
  edges.map(({ from, to, kinds, count, inCycle }) => {
    return `${nodes[from].label} -> ${nodes[to].label}: ${kinds.join('+')} ${count}${inCycle ? ' circle' : ''}`;
  });

test('files: imports and uses between two files are one edge; types make no circle', () => {
  assert.deepEqual(edgesOf(drawingOf(graph, 'files')).sort(), [
    'app.ts -> cart.ts: import+new+call 3',
    'cart.ts -> price.ts: import+call 2 circle',
    'price.ts -> cart.ts: import+call 2 circle',
    'price.ts -> types.ts: type-import 1',
    'types.ts -> price.ts: type-import 1',
  ]);
});

test('symbols: calls, constructions and inheritance, with the lines where they stand', () => {
  const drawing = drawingOf(graph, 'symbols');
  assert.deepEqual(edgesOf(drawing).sort(), [
    'Cart.total -> price: call 1 circle',
    'main -> Cart.total: call 1',
    'main -> Cart: new 1',
    'price -> Cart.total: call 1 circle',
    'price -> round: call 1',
    'price.ts -> round: call 1',
  ]);
  assert.ok(drawing.edges.every(({ lines }) => lines.length === 1 && lines[0] > 0));
  assert.ok(!drawing.nodes.some(({ kind }) => kind === 'field'), 'a field that nothing calls is no node');
  assert.equal(drawing.nodes.find(({ label }) => label === 'Cart.total')?.folder, 'shop/cart.ts');
});

test('only some paths; only what is around a symbol, in the other view around its file', () => {
  const shop = drawingOf(graph, 'files', (path) => path.startsWith('shop/'));
  assert.deepEqual(
    shop.nodes.map(({ label }) => label),
    ['cart.ts', 'price.ts', 'types.ts'],
  );
  const focus = [nodeAt(graph, 'shop/price.ts:round')];
  const near = partOf(graph, 'symbols', { focus, depth: 1 });
  assert.deepEqual(near.drawing.nodes.map(({ label }) => label).sort(), ['price', 'price.ts', 'round']);
  assert.equal(near.drawing.nodes[near.focus].label, 'round');
  const files = partOf(graph, 'files', { focus, depth: 1 });
  assert.deepEqual(files.drawing.nodes.map(({ label }) => label).sort(), ['cart.ts', 'price.ts', 'types.ts']);
});

const node = (path: string): DrawingNode => {
  const cut = path.lastIndexOf('/');
  const [label, folder] = [path.slice(cut + 1), path.slice(0, Math.max(0, cut))];
  return { label, path, folder, language: 'typescript', kind: 'file', startLine: 1, endLine: 1 };
};

const namesOf = ({ marks }: Marks, nodes: readonly DrawingNode[], folders: ReturnType<typeof folderTree>) =>
  marks.map((mark) => (mark.folder === undefined ? nodes[mark.node].path : `${folders[mark.folder].path}/`)).sort();

test('folders are expanded while there is room, and a folder with too many files stays one node', () => {
  const nodes = [
    ...['a.ts', 'src/x/1.ts', 'src/x/2.ts', 'src/y/deep/er/3.ts', 'src/__proto__/4.ts'].map(node),
    ...Array.from({ length: 50 }, (_, i) => node(`test/many/${i}.ts`)),
  ];
  const folders = folderTree(nodes);
  const draw = (limit: number) =>
    namesOf(marksOf(nodes.length, [], folders, chooseOpen(folders, limit)), nodes, folders);
  assert.deepEqual(draw(3), ['a.ts', 'src/', 'test/many/']);
  assert.deepEqual(draw(6), [
    'a.ts',
    'src/__proto__/4.ts',
    'src/x/1.ts',
    'src/x/2.ts',
    'src/y/deep/er/3.ts',
    'test/many/',
  ]);
  assert.equal(draw(100).length, nodes.length);
});

test('edges between the same folders become one; inside a folder none is drawn', () => {
  const nodes = ['a/1.ts', 'a/2.ts', 'b/1.ts', 'b/2.ts'].map(node);
  const edge = (from: number, to: number, inCycle = false) => {
    return { from, to, kinds: ['import' as const], count: 2, inCycle, lines: [1] };
  };
  const folders = folderTree(nodes);
  const { edges, markOf } = marksOf(4, [edge(0, 1), edge(0, 2), edge(1, 3, true), edge(3, 0)], folders, new Set([0]));
  assert.deepEqual(
    edges.map(({ from, to, count, inCycle, edges: joined }) => [from, to, count, inCycle, joined]),
    [
      [markOf[0], markOf[2], 4, true, [1, 2]],
      [markOf[2], markOf[0], 2, false, [3]],
    ],
  );
});

test('nodes without edges are left out, unless no node has an edge', () => {
  const options = { limit: 100, linkedOnly: true };
  const plan = planOf(partOf(graph, 'files', {}), options);
  assert.deepEqual([plan.marks.length, plan.unlinked], [4, 1]);
  const alone = graphOf({ files: { 'a.md': [], 'b.md': [] } });
  assert.equal(planOf(partOf(alone, 'files', {}), options).marks.length, 2);
});

test('a page that is too large keeps the most connected nodes, and always the requested ones', () => {
  const drawing = drawingOf(graph, 'files');
  const keep = drawing.nodes.findIndex(({ label }) => label === 'readme.md');
  const { drawing: kept, cut, keep: at } = fit(drawing, { maxNodes: 3, maxEdges: 1, keep });
  assert.deepEqual(kept.nodes.map(({ label }) => label).sort(), ['cart.ts', 'price.ts', 'readme.md']);
  assert.equal(kept.nodes[at].label, 'readme.md');
  assert.deepEqual([kept.edges.length, cut], [1, { nodes: 2, edges: 4 }]);
});
