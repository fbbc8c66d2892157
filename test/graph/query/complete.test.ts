/** Paths and names that are being typed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeName, completePath } from '../../../src/graph/query/describe-symbol.js';
import { graphOf } from '../build.js';

const graph = graphOf({
  files: {
    'docs/cart.md': ['section Cart'],
    'src/Cart.ts': ['Cart', 'Cart.total', 'Cart.add'],
    'src/old/cart-item.ts': ['CartItem', 'CartItem.total'],
    'test/src/cart.test.ts': ['checksCart'],
  },
  edges: [
    'src/old/cart-item.ts:CartItem -> src/Cart.ts:Cart.total',
    'test/src/cart.test.ts:checksCart -> src/Cart.ts:Cart.add',
  ],
});

test('paths: from the top, then by file name, then anywhere; tests and documents last among equals', () => {
  assert.deepEqual(completePath(graph, 'src/', 10).values, [
    'src/Cart.ts',
    'src/old/cart-item.ts',
    'test/src/cart.test.ts',
  ]);
  assert.deepEqual(completePath(graph, 'cart', 10).values, [
    'src/Cart.ts',
    'src/old/cart-item.ts',
    'docs/cart.md',
    'test/src/cart.test.ts',
  ]);
  assert.deepEqual(completePath(graph, 'item', 10), { values: ['src/old/cart-item.ts'], total: 1 });
  assert.deepEqual(completePath(graph, '', 2), { values: completePath(graph, '', 4).values.slice(0, 2), total: 4 });
});

test('names: what begins so, then members that do, then anywhere; what is used most first; no headings', () => {
  assert.deepEqual(completeName(graph, 'cart', 10).values, [
    'Cart.add',
    'Cart.total',
    'Cart',
    'CartItem',
    'CartItem.total',
    'checksCart',
  ]);
  assert.deepEqual(completeName(graph, 'total', 10).values, ['Cart.total', 'CartItem.total']);
  assert.deepEqual(completeName(graph, 'nothing', 10), { values: [], total: 0 });
});
