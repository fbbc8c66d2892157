/** Names that code uses of packages outside of its repository: which of them are written, and which are inferred. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listUses } from '../../../src/graph/across/package-names.js';
import { openSnapshot } from '../../../src/graph/link/link-snapshot.js';
import { inputOf } from '../link/project.js';

/** Uses in a file, as `function name uses`, with `inferred` where a type or a first value tells the name. */
function usesIn(path: string, text: string): string[] {
  const { snapshot } = openSnapshot(inputOf({ [path]: text }));
  return listUses(snapshot, () => 'eco')
    .map(({ symbol, name, uses, told }) => `${symbol} ${name || 'import'} ${uses}${told ? ' inferred' : ''}`)
    .sort();
}

test('a name that a function writes as well as implies is a written use, in whichever order, and in that function alone', () => {
  const typescript = [
    "import { Cart } from 'cart-kit';",
    'function implied(cart: Cart) { cart.total(); cart.total(); }',
    'function written() { Cart.total(); }',
    'function impliedFirst(cart: Cart) { cart.total(); Cart.total(); }',
    'function writtenFirst(cart: Cart) { Cart.total(); cart.total(); }',
    'function between(cart: Cart) { cart.total(); Cart.total(); cart.total(); }',
    '',
  ].join('\n');
  const python = [
    'from cart_kit import Cart',
    'def implied(cart: Cart):\n    cart.total()\n    cart.total()',
    'def written():\n    Cart.total()',
    'def impliedFirst(cart: Cart):\n    cart.total()\n    Cart.total()',
    'def writtenFirst(cart: Cart):\n    Cart.total()\n    cart.total()',
    'def between(cart: Cart):\n    cart.total()\n    Cart.total()\n    cart.total()',
    '',
  ].join('\n');
  for (const [path, text] of [
    ['a.ts', typescript],
    ['a.py', python],
  ])
    assert.deepEqual(
      usesIn(path, text).filter((line) => line.includes('Cart.total')),
      [
        'between Cart.total 3',
        'implied Cart.total 2 inferred',
        'impliedFirst Cart.total 2',
        'written Cart.total 1',
        'writtenFirst Cart.total 2',
      ],
      path,
    );
});

test('the import alone is told where nothing of it is used', () => {
  assert.deepEqual(usesIn('a.ts', "import { Cart } from 'cart-kit';\n"), ['null Cart 0']);
  assert.deepEqual(usesIn('a.ts', "import 'cart-kit';\n"), ['null import 0']);
  assert.deepEqual(usesIn('a.ts', 'function run(cart: Cart) { cart.total(); }\n'), []);
});
