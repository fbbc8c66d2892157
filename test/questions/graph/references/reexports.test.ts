/** Lines that offer a name of another file to others are uses of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveTarget } from '../../../../src/graph/query/target.js';
import { referencesOf } from '../../../../src/questions/graph/references/answer.js';
import { graphOf, type Project } from '../../../graph/link/project.js';

function uses(project: Project, name: string): string[] {
  const graph = graphOf(project);
  const target = resolveTarget(graph, name);
  assert.ok('nodes' in target);
  return referencesOf(graph, target.nodes, 100).uses.list.map(({ path, line, kind }) => `${path}:${line} ${kind}`);
}

test('Python: what the file of a package imports is a use, and leads to those who import it from there', () => {
  const project = {
    'shop/__init__.py': 'from .cart import Cart, total\nfrom .tax import *\n',
    'shop/cart.py': 'class Cart:\n    pass\n\n\ndef total(x):\n    pass\n\n\ndef hidden():\n    pass\n',
    'shop/tax.py': 'def rate():\n    pass\n',
    'app.py': 'from shop import Cart, rate\n\nCart()\nrate()\n',
  };
  assert.deepEqual(uses(project, 'Cart'), ['app.py:1 import', 'app.py:3 new', 'shop/__init__.py:1 reexport']);
  assert.deepEqual(uses(project, 'total'), ['shop/__init__.py:1 reexport']);
  assert.deepEqual(uses(project, 'hidden'), []);
  assert.deepEqual(uses(project, 'rate'), ['app.py:1 import', 'app.py:4 call']);
});

test('TypeScript: a line that names what it re-exports is a use, and one that names something else is none', () => {
  const project = {
    'cart.ts': 'export class Cart {}\nexport function total() {}\n',
    'index.ts': "export { Cart } from './cart';\nexport { total as sum } from './cart';\n",
    'app.ts': "import { Cart } from './index';\nnew Cart();\n",
  };
  assert.deepEqual(uses(project, 'Cart'), ['app.ts:1 import', 'app.ts:2 new', 'index.ts:1 reexport']);
});

test('C: a line that includes a header is a use of the header, and of nothing that it declares', () => {
  const project = {
    'cart.h': 'int total(int a);\nint rate(int a);\n',
    'cart.c': '#include "cart.h"\nint total(int a) { return a; }\nint rate(int a) { return a; }\n',
    'main.c': '#include "cart.h"\nint main(void) { return total(1); }\n',
  };
  assert.deepEqual(uses(project, 'total'), ['main.c:2 call']);
  assert.deepEqual(uses(project, 'rate'), []);
  assert.deepEqual(uses(project, 'cart.h'), ['cart.c:1 include', 'main.c:1 include']);
});
