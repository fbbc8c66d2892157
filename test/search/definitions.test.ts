/** Under which name a chunk of several definitions is shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { focused, shownSymbol } from '../../src/search/definitions.js';

test('the name that was asked for is shown, within a class, beside a function, and by itself at the top level', () => {
  const cart = { symbol: 'Cart', kind: 'class' };
  const total = { symbol: 'Cart.total', kind: 'method' };
  const defined = [
    { name: 'total', line: 1, kind: 'method', isTopLevel: false },
    { name: 'clear', line: 2, kind: 'method', isTopLevel: false },
    { name: 'Stage', line: 4, kind: 'struct', isTopLevel: true },
  ];
  const clear = { symbol: 'Cart.clear', kind: 'method' };
  assert.deepEqual(shownSymbol(cart, defined, 'clear'), clear);
  assert.deepEqual(shownSymbol(total, defined, 'clear'), clear);
  assert.deepEqual(shownSymbol(total, defined, 'stage'), { symbol: 'Stage', kind: 'struct' });
  assert.deepEqual(shownSymbol(total, defined, 'total'), total);
  assert.deepEqual(shownSymbol(cart, defined, 'absent'), cart);
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
