/** Under which name a chunk of several definitions is shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { focused, shownSymbol } from '../../src/search/definitions.js';

test('the name that was asked for is shown, within a class and beside a function', () => {
  const text = 'class Cart {\n  total() {}\n  clear() {}\n}';
  const cart = { symbol: 'Cart', kind: 'class' };
  assert.equal(shownSymbol(cart, text, undefined), 'Cart');
  assert.equal(shownSymbol(cart, text, 'clear'), 'Cart.clear');
  assert.equal(shownSymbol({ symbol: 'Cart.total', kind: 'method' }, text, 'clear'), 'Cart.clear');
  assert.equal(shownSymbol(cart, text, 'cart'), 'Cart');
  assert.equal(shownSymbol(cart, text, 'absent'), 'Cart');
});

test('of several definitions, the one around the words of the query is shown', () => {
  const own = { symbol: 'first', kind: 'function' };
  const defined = [
    { name: 'first', line: 0, kind: 'function', isTopLevel: true },
    { name: 'second', line: 2, kind: 'function', isTopLevel: true },
  ];
  const content = 'function first() {\n}\nfunction second() {\n  refund(parcel);\n}';
  assert.equal(focused(own, defined, { content, terms: ['refund', 'parcel'] }).symbol, 'second');
  assert.equal(focused(own, defined, { content, terms: [] }), own);
  assert.equal(focused(own, defined.slice(1), { content, terms: ['refund'] }), own);
});
