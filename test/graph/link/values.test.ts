/** Abstract values: alternatives, values together, and which kinds of symbols a use can mean. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SymbolKind } from '../../../src/extract/facts.js';
import {
  type AbstractValue,
  BY_PART,
  CALLED,
  EXPECTED_KINDS,
  EXTERNAL,
  GUESSED_OUTSIDE,
  instanceAround,
  keyOf,
  mapValues,
  PATH_ROOTS,
  ROOTS,
  rankOf,
  type Several,
  severalValues,
  symbolValue,
  valuesTogether,
  wholeScope,
} from '../../../src/graph/link/values.js';

const instance = (symbol: number, file = 0): AbstractValue => ({ is: 'instance', file, symbol });
const [a, b, c] = [1, 2, 3].map((symbol) => instance(symbol));

/** `1 | 2`, `1 & 2`. */
function shown(value: AbstractValue | null): string {
  if (value === null) return 'none';
  if (value.is === 'several') return `(${value.values.map(shown).join(value.together ? ' & ' : ' | ')})`;
  return value.is === 'instance' ? `${value.symbol}${value.args ? '<>' : ''}` : value.is;
}

test('alternatives are flat and each once; unknown ones are left out, and one alone is itself', () => {
  const typed: AbstractValue = { is: 'instance', file: 0, symbol: 1, args: { file: 0, scope: 0, list: [] } };
  const either = severalValues([a, b]);
  const both = valuesTogether([a, b]);
  const rows: [AbstractValue | null, string][] = [
    [severalValues([]), 'none'],
    [severalValues([null, null]), 'none'],
    [severalValues([null, a]), '1'],
    [severalValues([a, b]), '(1 | 2)'],
    [severalValues([b, a]), '(2 | 1)'],
    [severalValues([a, b, instance(1)]), '(1 | 2)'],
    [severalValues([a, instance(1, 5)]), '(1 | 1)'],
    [severalValues([a, typed, typed]), '(1 | 1<> | 1<>)'],
    [severalValues([either, c, a]), '(1 | 2 | 3)'],
    [severalValues([both, c]), '((1 & 2) | 3)'],
    [severalValues([EXTERNAL, GUESSED_OUTSIDE, a]), '(external | 1)'],
    [severalValues([a, EXTERNAL]), '(1 | external)'],
    [valuesTogether([a, null]), '1'],
    [valuesTogether([both, c]), '(1 & 2 & 3)'],
    [valuesTogether([either, c]), '((1 & 3) | (2 & 3))'],
    [valuesTogether([c, either]), '((3 & 1) | (3 & 2))'],
    [valuesTogether([either, severalValues([b, c])]), '((1 & 2) | (1 & 3) | 2 | (2 & 3))'],
  ];
  assert.deepEqual(
    rows.map(([value]) => shown(value)),
    rows.map(([, wanted]) => wanted),
  );
});

test('a value has 40 alternatives at most, the first ones', () => {
  const many = severalValues(Array.from({ length: 60 }, (_, i) => instance(i))) as Several;
  assert.deepEqual([many.values.length, shown(many.values[39])], [40, '39']);
});

test('changing each value keeps whether they are alternatives or one value together', () => {
  const next = (value: AbstractValue) =>
    value.is === 'instance' && value.symbol < 3 ? instance(value.symbol + 1) : null;
  assert.equal(shown(mapValues(severalValues([a, b]) as Several, next)), '(2 | 3)');
  assert.equal(shown(mapValues(valuesTogether([a, b]) as Several, next)), '(2 & 3)');
  assert.equal(shown(mapValues(severalValues([b, c]) as Several, next)), '3');
});

test('a symbol of a file has a number of its own, -1 being the file', () => {
  const keys = [keyOf(0, -1), keyOf(0, 0), keyOf(0, 2 ** 24 - 2), keyOf(1, -1), keyOf(1, 0)];
  assert.deepEqual(keys, [0, 1, 2 ** 24 - 1, 2 ** 24, 2 ** 24 + 1]);
  assert.deepEqual(symbolValue({ file: 3, symbol: -1 }), { is: 'files', files: [3] });
  assert.deepEqual(symbolValue({ file: 3, symbol: 0 }), { is: 'symbol', file: 3, symbol: 0 });
  assert.equal(instanceAround(3, -1), null);
  assert.deepEqual(instanceAround(3, 0), { is: 'instance', file: 3, symbol: 0 });
  assert.deepEqual(wholeScope(1, 2), { file: 1, symbol: 2, line: Number.POSITIVE_INFINITY, expected: ROOTS });
});

test('of symbols of one name, the kind of use says which kinds come first and which are never meant', () => {
  const ranks = (expected: Parameters<typeof rankOf>[1], ...kinds: SymbolKind[]) =>
    kinds.map((kind) => rankOf(kind, expected)).join(' ');
  const {
    call,
    new: made,
    type,
    extends: parent,
    implements: face,
    decorator,
    value,
    read,
    write,
    route,
    request,
  } = EXPECTED_KINDS;
  assert.equal(
    ranks(call, 'function', 'method', 'macro', 'class', 'constant', 'enum', 'type', 'interface', 'module'),
    '0 0 0 1 2 2 3 3 -1',
  );
  assert.equal(ranks(CALLED, 'function', 'class', 'module', 'namespace', 'section'), '0 1 4 4 -1');
  assert.equal(
    ranks(made, 'class', 'struct', 'function', 'enum-member', 'interface', 'module', 'object', 'method'),
    '0 0 1 1 2 2 3 -1',
  );
  assert.equal(
    ranks(type, 'class', 'type', 'enum', 'module', 'object', 'function', 'constant', 'method'),
    '0 0 0 1 1 2 2 -1',
  );
  assert.deepEqual([parent, face, write, route, request], [type, type, read, value, value]);
  assert.equal(ranks(decorator, 'function', 'class', 'method', 'constant', 'object', 'type'), '0 0 0 1 1 -1');
  assert.equal(
    ranks(value, 'function', 'method', 'constant', 'struct', 'trait', 'type', 'field', 'key'),
    '0 0 1 1 2 3 3 -1',
  );
  assert.equal(ranks(read, 'constant', 'field', 'class', 'method', 'interface', 'key', 'selector'), '0 0 0 1 2 3 -1');
  assert.equal(ranks(ROOTS, 'variable', 'module', 'type', 'function', 'key'), '0 0 1 2 -1');
  assert.equal(ranks(PATH_ROOTS, 'interface', 'namespace', 'constant', 'function', 'key'), '0 0 1 2 -1');
});

test('a path that asks for members by a part of their name has the value, if any, and how', () => {
  const parts = (path: string) => BY_PART.exec(path)?.slice(1, 3);
  assert.deepEqual(['this.begins#', 'ends#', 'a.b.named#', 'any#', 'begins', 'this.other#'].map(parts), [
    ['this', 'begins'],
    [undefined, 'ends'],
    ['a.b', 'named'],
    [undefined, 'any'],
    undefined,
    undefined,
  ]);
});
