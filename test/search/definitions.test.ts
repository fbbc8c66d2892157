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

test('in a list of settings, the one whose lines have most of the query is shown, though each comment has one of its words', () => {
  const own = { symbol: 'Automation.OCSPInterval', kind: 'field' };
  const field = (name: string, line: number) => ({ name, line, kind: 'field', isTopLevel: false });
  const content = [
    '  // Staples responses for all certificates. This setting',
    '  // changes how often.',
    '  OCSPInterval Duration',
    '',
    '  // Scans all certificates for',
    '  // expiration.',
    '  RenewInterval Duration',
  ].join('\n');
  const shown = (terms: string[]) =>
    focused(own, [field('OCSPInterval', 2), field('RenewInterval', 6)], { content, terms }).symbol;
  assert.equal(shown(['certificat', 'renew']), 'Automation.RenewInterval');
  assert.equal(shown(['certificat', 'stapl']), 'Automation.OCSPInterval');
  assert.equal(shown(['parcel']), 'Automation.OCSPInterval');
});

test('of two functions with a word of the query in a line of each, the first is shown, however many words the other has in all', () => {
  const own = { symbol: 'first', kind: 'function' };
  const named = (name: string, line: number) => ({ name, line, kind: 'function', isTopLevel: true });
  const content = 'function first() {\n  refund();\n}\nfunction second() {\n  refund();\n  parcel();\n}';
  const shown = focused(own, [named('first', 0), named('second', 3)], { content, terms: ['refund', 'parcel'] });
  assert.equal(shown.symbol, 'first');
});

test('lines above the first definition of a chunk belong to what the chunk is about', () => {
  const own = { symbol: 'pay', kind: 'function' };
  const defined = [
    { name: 'later', line: 3, kind: 'function', isTopLevel: true },
    { name: 'last', line: 4, kind: 'function', isTopLevel: true },
  ];
  const content = '  refund(parcel);\n}\n/** Parcels. */\nfunction later() {}\nfunction last() {}';
  assert.equal(focused(own, defined, { content, terms: ['refund', 'parcel'] }).symbol, 'pay');
  assert.equal(focused(own, defined, { content, terms: ['parcel'] }).symbol, 'pay');
});

test('a definition above all others, and one that is no field, is never replaced by a further one', () => {
  const own = { symbol: 'first', kind: 'function' };
  const defined = [
    { name: 'first', line: 0, kind: 'function', isTopLevel: true },
    { name: 'limit', line: 2, kind: 'field', isTopLevel: false },
    { name: 'parcels', line: 3, kind: 'field', isTopLevel: false },
  ];
  const content = 'function first(refund) {\n}\n  limit = refund;\n  parcels = refund, parcel;';
  const symbol = (terms: string[], from: typeof defined) => focused(own, from, { content, terms }).symbol;
  assert.equal(symbol(['refund'], defined), 'first');
  assert.equal(symbol(['limit'], defined), 'limit');
  assert.equal(symbol(['parcel', 'refund'], defined), 'parcels');
});
