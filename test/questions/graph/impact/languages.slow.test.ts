/** Both sides of changes in several languages, and of changes that only add code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changed, danglingIn, edit, SHOP } from '../../../support/in-process/changes.js';

test('no use dangles where something else gives the name, or may', async () => {
  const cart = SHOP['src/cart.ts'];
  const without = cart.replace(/export function total[^}]*\}\n/, '');
  const elsewhere = {
    're-exported from another file': {
      'src/cart.ts': `export { total } from './sums';\n${without}`,
      'src/sums.ts': cart.slice(0, cart.indexOf('export class')),
    },
    're-exported from a package': { 'src/cart.ts': `export { total } from 'sums';\n${without}` },
    'all of a package re-exported': { 'src/cart.ts': `export * from 'sums';\n${without}` },
    'made by a call': { 'src/cart.ts': `export const total = memo(() => 1);\n${without}` },
    'hidden in a whole': { 'src/cart.ts': `${without}module.exports = make();\n` },
  };
  for (const [name, edits] of Object.entries(elsewhere)) {
    const { changes } = await changed(SHOP, edits);
    assert.deepEqual(
      changes.dangling.list.filter(({ certainty }) => certainty === 'certain'),
      [],
      name,
    );
  }
});

test('what is not exported any more is out of reach of other files alone', async () => {
  const answer = await changed(SHOP, edit('src/cart.ts', 'export function total', 'function total'));
  assert.equal(danglingIn(answer)[0], 'src/app.ts:5 total certain hidden');
  assert.ok(danglingIn(answer).every((line) => line.endsWith('hidden')));
});

const PYTHON = {
  'shop/__init__.py': '',
  'shop/cart.py':
    'class Cart:\n    def add(self, item):\n        return self.check(item)\n\n    def check(self, item):\n        return item > 0\n\n\ndef total(items):\n    return sum(items)\n\n\ndef str_of(value):\n    return repr(value)\n',
  'shop/app.py':
    'from .cart import Cart, total\nfrom . import cart as carts\n\n\ndef main():\n    basket = Cart()\n    basket.add(1)\n    carts.str_of(2)\n    return total([1])\n',
};

test('Python: functions, modules, methods; a name of the language is not certain to dangle', async () => {
  const cart = PYTHON['shop/cart.py'];
  const gone = cart
    .replace('def total', 'def summed')
    .replace('def str_of', 'def text_of')
    .replaceAll('check', 'verify');
  const answer = await changed(PYTHON, { 'shop/cart.py': gone });
  assert.deepEqual(danglingIn(answer), [
    'shop/app.py:8 carts.str_of certain renamed',
    'shop/app.py:9 total certain renamed',
  ]);
  const compat = { 'compat.py': 'def bytes(text):\n    return text\n\n\ndef use():\n    return bytes("a")\n' };
  const builtin = await changed(compat, { 'compat.py': 'def use():\n    return bytes("a")\n' });
  assert.ok(builtin.changes.dangling.list.every(({ certainty }) => certainty !== 'certain'));
});

test('a function that is only handed on, in its own file', async () => {
  const files = { 'a.ts': 'const make = () => 1;\nexport const made = make;\n' };
  const answer = await changed(files, { 'a.ts': 'export const made = make;\n' });
  assert.deepEqual(danglingIn(answer), ['a.ts:1 make likely removed']);
});

test('Python: an import that a `try` guards may fail', async () => {
  const files = {
    'a.py': 'try:\n    from b import x\nexcept ImportError:\n    x = None\n',
    'b.py': 'x = 1\n',
    'c.py': 'y = 2\n',
  };
  const answer = await changed(files, { 'b.py': null });
  assert.ok(answer.changes.dangling.list.every(({ certainty }) => certainty !== 'certain'));
});

const GO = {
  'go.mod': 'module example.com/shop\n\ngo 1.21\n',
  'cart/cart.go':
    'package cart\n\ntype Cart struct{ n int }\n\nfunc (c *Cart) Add(n int) int { return max(c.n, n) }\n\nfunc max(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n\nfunc New(owner string) *Cart { return &Cart{} }\n',
  'cart/more.go': 'package cart\n\nfunc Both() *Cart { return New("both") }\n',
  'main.go': 'package main\n\nimport "example.com/shop/cart"\n\nfunc main() {\n\tc := cart.New("me")\n\tc.Add(1)\n}\n',
};

test('Go: of a package, of an imported one, methods; a function that the language has now', async () => {
  const answer = await changed(GO, {
    'cart/cart.go': GO['cart/cart.go'].replace('func New(', 'func Make(').replace(') Add(', ') Put('),
  });
  assert.deepEqual(danglingIn(answer), [
    'cart/more.go:3 New certain renamed',
    'main.go:6 cart.New certain renamed',
    ...danglingIn(answer).filter((line) => line.includes('c.Add')),
  ]);
  assert.ok(danglingIn(answer).some((line) => line.startsWith('main.go:7 c.Add')));
  const builtin = await changed(GO, { 'cart/cart.go': GO['cart/cart.go'].replace(/func max[\s\S]*?\n}\n/, '') });
  assert.ok(builtin.changes.dangling.list.every(({ certainty }) => certainty !== 'certain'));
});

test('where code is only added, nothing dangles and every call fits', { timeout: 300_000 }, async () => {
  const languages = [
    { files: SHOP, line: (name: string) => `export function ${name}(a = 1) { return a; }\n` },
    { files: PYTHON, line: (name: string) => `\n\ndef ${name}(a=1):\n    return a\n` },
    { files: GO, line: (name: string) => `\nfunc ${name}(a int) int { return a }\n` },
  ];
  const name = fc.constantFrom('total', 'add', 'check', 'Extra', 'max2', 'summed', 'New2');
  await fc.assert(
    fc.asyncProperty(fc.nat(2), fc.nat(20), fc.array(name, { maxLength: 4 }), async (which, at, names) => {
      const { files, line } = languages[which];
      const paths = Object.keys(files).filter((path) => !path.endsWith('.mod'));
      const path = paths[at % paths.length];
      const text = (files as Record<string, string>)[path];
      const { changes } = await changed(files, { [path]: text + [...new Set(names)].map((one) => line(one)).join('') });
      assert.deepEqual([changes.dangling.list, changes.mismatches.list], [[], []]);
    }),
    { numRuns: 12 },
  );
});

test('Go: a type that moves to another file of its package dangles nowhere', async () => {
  const rest =
    'func (e Full) Error() string {\n\treturn string(e)\n}\n\nvar limit = Full("all")\n\nfunc Add() error {\n\treturn Full("cart")\n}\n';
  const files = { 'go.mod': 'module shop\n', 'cart.go': `package shop\n\ntype Full string\n\n${rest}` };
  const answer = await changed(files, {
    'cart.go': `package shop\n\n${rest}`,
    'errors.go': 'package shop\n\ntype Full string\n',
  });
  assert.deepEqual(danglingIn(answer), []);
});

test('a removed field is named only where the receiver, or a name of its own, shows it', async () => {
  const shop = (fields: string) => ({
    'cart.py': `class Cart:\n${fields}    total = 0\n`,
    'app.py': 'def load(path):\n    return path.err\n\n\ndef total(cart):\n    return cart.open_items\n',
    'log.py': 'class Entry:\n    err = 1\n    open_items = 2\n',
  });
  const answer = await changed(shop('    err = None\n    open_items = 0\n'), shop(''));
  assert.deepEqual(
    answer.changes.removed.list.map(({ symbol, uses }) => [symbol, uses.list.map(({ line }) => line)]),
    [
      ['Cart.open_items', [6]],
      ['Cart.err', []],
    ],
  );
  assert.notEqual(answer.risk.level, 'low');
});
