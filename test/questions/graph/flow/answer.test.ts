/** Trees of calls from entry points, and the entry points themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';

const { text } = await openTold(market);
const flow = (entry?: string, more = {}) => text('graph flow', { entry, ...more });

test('a tree of calls goes through interfaces, says what is outside or not known, and stops at circles', async () => {
  assert.equal(
    await flow('main'),
    `
main  src/main.ts:5  1 unresolved
├─ Cart  src/cart.ts:25  new
├─ Shelf  src/shelf.ts:3  new
├─ Shelf.fill  src/shelf.ts:4
│  ├─ Cart.add  src/cart.ts:28  1 outside, 2 unresolved: this.emit on line 30 (nothing here has that name), gone on line 30 (nothing here has that name)
│  ├─ Item  src/cart.ts:11  new
│  ├─ Gift  src/cart.ts:18  new
│  └─ Item.constructor  src/cart.ts:12  new
└─ describe  src/money.ts:22
   └─ Cart.total  src/cart.ts:33  2 outside
      └─ Priced.price  src/cart.ts:8
         ├─ Item.price  src/cart.ts:13  or instead
         │  └─ withTax  src/money.ts:5  +2 calls deeper
         └─ Gift.price  src/cart.ts:19  or instead

13 functions reached within 5 steps
`,
  );
  assert.equal(
    await flow('ping'),
    `
ping  src/shelf.ts:12
└─ pong  src/shelf.ts:16
   └─ ping  src/shelf.ts:12  (calls itself in a circle)

1 function reached within 5 steps
`,
  );
  assert.equal(
    await flow('Cart'),
    `
Cart  src/cart.ts:25

it calls nothing of this repository that is known
exit 1
`,
  );
});

test('depth and limit cut the tree, and say what is left out', async () => {
  assert.equal(
    await flow('main', { depth: 1 }),
    `
main  src/main.ts:5  1 unresolved
├─ Cart  src/cart.ts:25  new
├─ Shelf  src/shelf.ts:3  new
├─ Shelf.fill  src/shelf.ts:4  +4 calls deeper
└─ describe  src/money.ts:22  +1 call deeper

4 functions reached within 1 step
`,
  );
  assert.equal(
    await flow('main', { limit: 3 }),
    `
main  src/main.ts:5  1 unresolved
├─ Cart  src/cart.ts:25  new
└─ Shelf  src/shelf.ts:3  new
  … 11 more: raise --limit

13 functions reached within 5 steps
`,
  );
});

test('without an entry, entry points are listed by kind', async () => {
  assert.equal(
    await flow(),
    `
main functions: 1
  src/main.ts:5  main  function  calls 4

routes: 2
  GET    /prices/:id  -> GET /prices/:id  src/routes.ts:5
  POST   /carts  -> list  src/routes.ts:6

tests: 1 file
  src  1

exported functions that no known call leads to: 1
  lib/report.py:5  render  function  calls 1
`,
  );
  assert.equal(
    await flow(undefined, { limit: 1 }),
    `
main functions: 1
  src/main.ts:5  main  function  calls 4

routes: 2
  GET    /prices/:id  -> GET /prices/:id  src/routes.ts:5
  … 1 more: raise --limit

tests: 1 file
  src  1

exported functions that no known call leads to: 1
  lib/report.py:5  render  function  calls 1
`,
  );
  assert.equal(
    await flow('restock'),
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
