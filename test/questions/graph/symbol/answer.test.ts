/** Everything about one definition, and about several. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';
import { createRepo } from '../../../support/repositories/repo.js';

const { text, refusal } = await openTold(market);
const symbol = (...names: string[]) => text('graph symbol', { names });

test('a function has its signature, comment, callers, callees and tests', async () => {
  assert.equal(
    await symbol('withTax'),
    `
src/money.ts:5-8  withTax  function, exported
  export function withTax(net: number, rate = 0.2): number
  Adds tax to a net price.

called from 1 place
  src/cart.ts:14 Item.price

calls 2 symbols
  src/log.ts:1  log  function  line 6
  src/money.ts:10  roundUp  function  line 7

1 test file reaches it by known uses
  src/cart.test.ts:8  3 hops

mentioned in 1 document: docs/guide.md:7
`,
  );
  assert.equal(
    await symbol('coupon'),
    `
src/money.ts:26-28  coupon  function, exported
  export function coupon(code: string): number

called from 1 place
  src/cart.test.ts:12 top level

1 test file reaches it by known uses
  src/cart.test.ts:12  directly
`,
  );
});

test('a class has its parents, subtypes and further uses; a method what it overrides and what overrides it', async () => {
  assert.equal(
    await symbol('Item'),
    `
src/cart.ts:11-16  Item  class, exported
  export class Item implements Priced

called from 2 places
  src/shelf.ts
    5 Shelf.fill  new Item
  src/cart.test.ts
    7 top level  new Item
  1 further use as a type, a value or a parent

calls 1 symbol
  src/money.ts:5  withTax  function  line 14

inherits from
  src/cart.ts:7  Priced  interface  implements

1 subtype
  src/cart.ts:18  Gift  class

1 test file reaches it by known uses
  src/cart.test.ts:7  directly
`,
  );
  assert.equal(
    await symbol('Item.price'),
    `
src/cart.ts:13-15  Item.price  method, exported
  price(): number

called from 1 place
  src/cart.ts
    34 Cart.total  (through Priced.price)

calls 1 symbol
  src/money.ts:5  withTax  function  line 14

overrides
  src/cart.ts:8  Priced.price  method

overridden by
  src/cart.ts:19  Gift.price  method

1 test file reaches it by known uses
  src/cart.test.ts:8  2 hops
`,
  );
  assert.equal(
    await symbol('Cart'),
    `
src/cart.ts:25-40  Cart  class, exported
  export class Cart extends EventEmitter
  Collects what a customer wants.

called from 2 places
  src/main.ts
    6 main  new Cart
  src/cart.test.ts
    6 top level  new Cart
  2 further uses as a type, a value or a parent

calls 3 symbols
  src/cart.ts:8  Priced.price  method  line 34
  src/shelf.ts:3  Shelf  class  new, line 38
  src/shelf.ts:4  Shelf.fill  method  line 38

outside: this.items.push 29, sum 34, this.items.map 34

not resolved: this.emit 30, gone 30

inherits from
  EventEmitter  outside  extends

1 test file reaches it by known uses
  src/cart.test.ts:6  directly

mentioned in 1 document: docs/guide.md:3
`,
  );
  assert.equal(
    await symbol('Cart.add'),
    `
src/cart.ts:28-31  Cart.add  method, exported
  add(item: Priced): void

called from 3 places
  src/shelf.ts:5, 6 Shelf.fill
  src/cart.test.ts:7 top level

outside: this.items.push 29

not resolved: this.emit 30, gone 30

1 test file reaches it by known uses
  src/cart.test.ts:7  directly
`,
  );
});

test('without callers, the reason is said', async () => {
  for (const [name, said] of [
    [
      'halve',
      `
src/money.ts:14-16  halve  function, not exported
  function halve(value: number): number

no callers, certainly: it is not exported, and nothing here uses it

calls 1 symbol
  src/money.ts:18  quarter  function  line 15
`,
    ],
    [
      'Cart.restock',
      `
src/cart.ts:37-39  Cart.restock  method, exported
  restock(): void

no callers in this repository: Cart inherits from EventEmitter, which is outside of this repository and may call it
  src/main.ts
    9 main  given.restock  (unresolved)

calls 2 symbols
  src/shelf.ts:3  Shelf  class  new, line 38
  src/shelf.ts:4  Shelf.fill  method  line 38
`,
    ],
    [
      'main',
      `
src/main.ts:5-10  main  function, exported
  export function main(given: any): void

called from 2 places
  src/main.ts:12 top level
  src/routes.ts:5 GET /prices/:id

calls 4 symbols
  src/cart.ts:25  Cart  class  new, line 6
  src/shelf.ts:3  Shelf  class  new, line 7
  src/shelf.ts:4  Shelf.fill  method  line 7
  src/money.ts:22  describe  function  line 8

not resolved: given.restock 9
`,
    ],
    [
      'half',
      `
src/broken.ts:1-3  half  function, exported
  export function half(: number { return 1; }

no callers in this repository: it is exported, so code outside may use it

parse errors may hide declarations and uses in src/broken.ts
`,
    ],
  ])
    assert.equal(await symbol(name), said, name);
});

test('several names are answered in turn, each with a part of the limit; those without an answer say why', async () => {
  assert.equal(
    await symbol('log', 'restock', 'nowhere', 'log', 'src/log.ts', 'pad'),
    `
src/log.ts:1-3  log  function, exported
  export function log(text: string): void

called from 1 place
  src/money.ts:6 withTax

1 test file reaches it by known uses
  src/cart.test.ts:8  4 hops

---
lib/fmt.py:1-2  pad  function, exported
  def pad(text)

called from 1 place
  lib/report.py:6 render

not resolved: text.rjust 2

---
restock is ambiguous
  src/cart.ts:37  Cart.restock  method
  src/shelf.ts:9  Shelf.restock  method
  Name one by its place: src/cart.ts:Cart.restock

---
no symbol nowhere is defined in this snapshot; parse errors may hide it in a file
  Search for it: git socraticode search nowhere; names with a part of it: git socraticode graph symbols PART

---
src/log.ts is no symbol but a file
  Name a symbol in it, src/log.ts:NAME, or ask for its outline.
exit 1
`,
  );
});

test('limits and files narrow an answer; unknown names and files are refused', async () => {
  assert.equal(
    await text('graph symbol', { names: ['Cart.add'], limit: 1 }),
    `
src/cart.ts:28-31  Cart.add  method, exported
  add(item: Priced): void

called from 3 places
  src/shelf.ts:5 Shelf.fill
  … 2 more: raise --limit

outside: this.items.push 29

not resolved: this.emit 30 and 1 more

1 test file reaches it by known uses
  src/cart.test.ts:7  directly
`,
  );
  assert.equal(
    await text('graph symbol', { names: ['restock'], file: 'src/shelf.ts' }),
    `
src/shelf.ts:9  Shelf.restock  method, exported
  restock(): void

no callers are known: one use of the name restock could not be resolved and may mean it
  src/main.ts
    9 main  given.restock  (unresolved)
`,
  );
  assert.equal(
    await text('graph symbol', { names: ['restock'], limit: 1 }),
    `
restock is ambiguous: 2 definitions
  src/cart.ts:37  Cart.restock  method  exported, no known uses
  … 1 more: raise --limit

pick one with its place: src/cart.ts:Cart.restock
or with --file PATH
exit 1
`,
  );
  assert.equal(
    await refusal('graph symbol', { names: ['withTacks'] }),
    'BAD_ARGUMENT: no symbol withTacks is defined in this snapshot; parse errors may hide it in a file (Did you mean withTax?)',
  );
  assert.equal(
    await refusal('graph symbol', { names: ['src/log.ts'] }),
    'BAD_ARGUMENT: src/log.ts is no symbol but a file (Name a symbol in it, src/log.ts:NAME, or ask for its outline.)',
  );
});

test('nothing is certain of a function that other scripts name, or whose name other code can make', async () => {
  const scripts = createRepo();
  scripts.commit({
    'tool.js': "function pick(kind) {\n  window['addButton' + kind]();\n}\n",
    'buttons.js': 'function addButtonRed() {}\nfunction gone() {}\nfunction size(row) {}\n',
    'page.html': '<script>\n  shown(size);\n</script>\n',
  });
  const { text: ask } = await openTold(scripts);
  const reasonOf = async (name: string) => /^no callers.*$/m.exec(await ask('graph symbol', { names: [name] }))?.[0];
  assert.deepEqual(
    [await reasonOf('addButtonRed'), await reasonOf('size'), await reasonOf('gone')],
    [
      'no callers are known: tool.js has addButton in quotes, and may make its name of it',
      'no callers are known: its name stands where no use of it is known',
      'no callers, certainly: it is not exported, and nothing here uses it',
    ],
  );
});
