/** Files that a file depends on, where one import stands for a whole package. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawingOf } from '../../../src/graph/picture/drawing.js';
import { findCycles } from '../../../src/graph/query/cycles.js';
import { dependenciesOf } from '../../../src/graph/query/dependencies.js';
import { filesUsedBy, filesUsing, neighbours } from '../../../src/graph/query/file-edges.js';
import { statsOf } from '../../../src/graph/query/statistics.js';
import { graphOf } from '../build.js';

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
