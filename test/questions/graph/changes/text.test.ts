/** Texts about a change: what dangles and does not fit, the API, routes, each change with its users, owners. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../../support/in-process/told.js';
import { branched } from '../../../support/repositories/branched-market.js';

const { text, refusal } = await openTold(branched);
const impact = (target?: string, more = {}) => text('graph impact', { target, ...more });

test('a range has dangling uses, calls that do not fit, the API, routes, and each change with its users', async () => {
  assert.equal(
    await impact('main..topic'),
    `
main ([taxes rise]) to topic ([a voucher]): 6 files, 8 symbols changed, 2 removed
risk: high  (3 certain dangling uses in 3 files; 1 call does not fit the new parameters; before: 7 direct users, 2 other files in 1 folder, exported, 1 test file reaches it)

certain dangling uses
  src/cart.test.ts:12  coupon  coupon of src/money.ts is voucher now
  src/main.ts:8  main  money.describe  describe of src/money.ts is gone
  src/money.ts:2  ./log  src/log.ts is src/util/log.ts now

calls that do not fit
  src/cart.ts:14  Item.price  withTax()  1 argument where it takes 3: src/money.ts:5

exported symbols
  - src/money.ts:22  export function describe(cart: Cart): string
  - src/money.ts:26  export function coupon(code: string): number
  - src/shelf.ts:16  export function pong(count: number): number
  ~ src/money.ts:5  export function withTax(net: number, rate: number, country: string): number  was export function withTax(net: number, rate = 0.2): number
  ~ src/shelf.ts:4  fill(cart: Cart, count = 1): void  was fill(cart: Cart): void
  + src/fresh.ts:3  export function fresh(): Shelf
  + src/money.ts:22  export function voucher(code: string): number

routes, schemas, configuration
  - src/routes.ts:5  GET /prices/:id  route
  + src/routes.ts:5  DELETE /carts/:id  route

affects 7 symbols in 4 files within 3 hops
1 use of the same name could not be resolved: git socraticode graph references NAME

changes, largest effect first
  ~ src/money.ts:10  roundUp  function  1 direct user, 3 in all, 1 test file
  ~ src/shelf.ts:4  Shelf.fill  method  2 direct users, 3 in all, medium risk
  ~ src/money.ts:5  withTax  function  1 direct user, 2 in all, 1 test file
  ~ src/money.ts:18  quarter  function  1 direct user
  ~ src/shelf.ts:16  pong  function  1 direct user
  > src/util/log.ts  file  was src/log.ts, no known users, unknown risk
  + src/fresh.ts:3  fresh  function  no known users
  > src/money.ts:22  voucher  function  was coupon, no known users, unknown risk
  - src/money.ts  describe  function
  - src/routes.ts  GET /prices/:id  function

hop 1: 5
  src/cart.ts:14  Item.price  calls withTax
  src/money.ts:15  halve  calls quarter
  src/shelf.ts:13  ping  calls pong
  src/cart.ts:38  Cart.restock  calls Shelf.fill
  src/main.ts:7  main  calls Shelf.fill

hop 2: 2
  src/cart.ts:34  Cart.total  calls what is overridden by Item.price
  src/main.ts:12  top level  calls main

tests to run: 1 file
  src/cart.test.ts:8  3 hops

mentioned in 1 document: docs/guide.md:7

owners by history
  Bob Old  50%, 1 commit
  A U Thor  50%, 1 commit
`,
  );
  assert.equal(
    await impact('main..topic', { limit: 1 }),
    `
main ([taxes rise]) to topic ([a voucher]): 6 files, 8 symbols changed, 2 removed
risk: high  (3 certain dangling uses in 3 files; 1 call does not fit the new parameters; before: 7 direct users, 2 other files in 1 folder, exported, 1 test file reaches it)

certain dangling uses
  src/cart.test.ts:12  coupon  coupon of src/money.ts is voucher now
  … 2 more: raise --limit

calls that do not fit
  src/cart.ts:14  Item.price  withTax()  1 argument where it takes 3: src/money.ts:5

exported symbols
  - src/money.ts:22  export function describe(cart: Cart): string
  … 6 more: raise --limit

routes, schemas, configuration
  - src/routes.ts:5  GET /prices/:id  route
  … 1 more: raise --limit

affects 7 symbols in 4 files within 3 hops
1 use of the same name could not be resolved: git socraticode graph references NAME

changes, largest effect first
  ~ src/money.ts:10  roundUp  function  1 direct user, 3 in all, 1 test file
  - src/money.ts  describe  function
  … 8 more: raise --limit

hop 1: 5
  src/cart.ts:14  Item.price  calls withTax
  … 4 more: raise --limit

hop 2: 2
  … 2 more: raise --limit

tests to run: 1 file
  src/cart.test.ts:8  3 hops

mentioned in 1 document: docs/guide.md:7

owners by history
  Bob Old  50%, 1 commit
  … and 1 other, 50% together
`,
  );
  assert.equal(
    await impact('main...other'),
    `
main ([taxes rise]) to other ([rounds to the nearest]): 2 files, 1 symbol changed
risk: low  (before: 1 direct user, 1 other file in 1 folder, 1 test file reaches it)

affects 4 symbols in 3 files within 3 hops

changes, largest effect first
  ~ src/money.ts:10  roundUp  function  1 direct user, 4 in all, 1 test file

hop 1: 1
  src/money.ts:7  withTax  calls roundUp

hop 2: 2
  src/cart.ts:14  Item.price  calls withTax
  src/main.ts:13  top level  calls withTax

hop 3: 1
  src/cart.ts:34  Cart.total  calls what is overridden by Item.price

tests to run: 1 file
  src/cart.test.ts:8  4 hops

owners by history
  Bob Old  50%, 1 commit
  A U Thor  50%, 1 commit
`,
  );
  assert.equal(
    await impact('main..main'),
    `
main ([taxes rise]) to main ([taxes rise]): 0 files, 0 symbols changed
nothing that others could notice
exit 1
`,
  );
  assert.equal(
    await refusal('graph impact', { target: 'main..nowhere' }),
    'UNKNOWN_REF: unknown ref: nowhere (Branches and tags here: guest, main, other, topic.)',
  );
});
