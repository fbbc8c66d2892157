/** Files that a file depends on, where one import stands for a whole package. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesUsedBy, filesUsing } from '../../../src/graph/query/file-edges.js';
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
