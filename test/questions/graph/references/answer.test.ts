/** Every use of a symbol, surest first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';
import { createRepo } from '../../../support/repositories/repo.js';

const { text } = await openTold(market);
const references = (name: string, more = {}) => text('graph references', { name, ...more });

test('a use of an attribute of either of two types is one use, though the parent declares it as well', async () => {
  const repo = createRepo();
  repo.commit({
    'a.ts':
      'export class Base { total = 1; }\nexport class Cart extends Base { total = 2; }\nexport const sum = (c: Cart | Base) => c.total;\nexport const base = (c: Base) => c.total;\n',
  });
  const { text: told } = await openTold(repo);
  assert.equal(
    await told('graph references', { name: 'Cart.total' }),
    `
a.ts:2  Cart.total  field

2 uses in 1 file: 2 read
  a.ts
    3 sum  read c.total
    4 base  read c.total  (through Base.total)
`,
  );
});

test('uses of functions, types, methods and files', async () => {
  for (const [name, said] of [
    [
      'withTax',
      `
src/money.ts:5  withTax  function

2 uses in 1 file: 1 call, 1 import
  src/cart.ts
    3 top level  import ./money
    14 Item.price  withTax
`,
    ],
    [
      'Priced',
      `
src/cart.ts:7  Priced  interface

3 uses in 1 file: 2 type, 1 implements
  src/cart.ts
    11 Item  implements Priced
    26 Cart.items  type Priced
    28 Cart.add  type Priced
`,
    ],
    [
      'Item.price',
      `
src/cart.ts:13  Item.price  method

1 use in 1 file: 1 call
  src/cart.ts
    34 Cart.total  item.price  (through Priced.price)
`,
    ],
    [
      'Cart',
      `
src/cart.ts:25  Cart  class

8 uses in 4 files: 3 import, 2 new, 2 type, 1 type-import
  src/main.ts
    1 top level  import ./cart
    6 main  new Cart
  src/money.ts
    1 top level  type-import ./cart
    22 describe  type Cart
  src/shelf.ts
    1 top level  import ./cart
    4 Shelf.fill  type Cart
  src/cart.test.ts
    2 top level  import ./cart
    6 top level  new Cart
`,
    ],
    [
      'src/shelf.ts',
      `
src/shelf.ts  file

2 uses in 2 files: 2 import
  src/cart.ts
    4 top level  import ./shelf
  src/main.ts
    3 top level  import ./shelf
`,
    ],
    [
      'Shelf.restock',
      `
src/shelf.ts:9  Shelf.restock  method

no uses are known

1 possible use: the name is right, the target is not known
  src/main.ts
    9 main  given.restock  (right in 7% of such uses)
`,
    ],
    [
      'halve',
      `
src/money.ts:14  halve  function

no uses are known
exit 1
`,
    ],
  ])
    assert.equal(await references(name), said, name);
});

test('a limit counts the rest, a file picks one of several definitions', async () => {
  assert.equal(
    await references('Cart', { limit: 2 }),
    `
src/cart.ts:25  Cart  class

8 uses in 4 files: 3 import, 2 new, 2 type, 1 type-import
  src/main.ts
    1 top level  import ./cart
    6 main  new Cart
  … 6 more: raise --limit
`,
  );
  assert.equal(
    await references('restock', { file: 'src/cart.ts' }),
    `
src/cart.ts:37  Cart.restock  method

no uses are known

1 possible use: the name is right, the target is not known
  src/main.ts
    9 main  given.restock  (right in 7% of such uses)
`,
  );
  assert.equal(
    await references('restock'),
    `
restock is ambiguous: 2 definitions
  src/cart.ts:37  Cart.restock  method  exported, no known uses
  src/shelf.ts:9  Shelf.restock  method  exported, no known uses

pick one with its place: src/cart.ts:Cart.restock
or with --file PATH
exit 1
`,
  );
});

test('uses beside pages whose code is not read are told with the places of the name in these', async () => {
  const repo = createRepo();
  repo.commit({
    'Cart.cs':
      'public class Cart {\n    public int Total() => 1;\n}\npublic class Shop {\n    Cart Make() => new Cart();\n}\n',
    'Pages/Cart.cshtml': '@page\n@model Cart\n<p>@Model.Total()</p>\n',
    'mails/cart.hbs': 'Your Cart is ready: {{Cart}}\n',
    'docs/cart.md': 'A Cart has items.\n',
  });
  const { text: told } = await openTold(repo);
  const uses = `
Cart.cs:1  Cart  class

2 uses in 1 file: 1 new, 1 type
code of pages is not read, and its name stands in Pages/Cart.cshtml:2: git socraticode grep -w Cart
  Cart.cs
    5 Shop.Make  type Cart
    5 Shop.Make  new Cart
`;
  assert.equal(await told('graph references', { name: 'Cart' }), uses);
  const symbol = await told('graph symbol', { names: ['Cart'] });
  assert.match(symbol, /\ncode of pages is not read, and its name stands in Pages\/Cart\.cshtml:2: /);
  repo.git('rm', '-q', 'Pages/Cart.cshtml');
  repo.commit();
  const { text: without } = await openTold(repo);
  assert.equal(await without('graph references', { name: 'Cart' }), uses.replace(/code of pages.*\n/, ''));
});
