/** Dependencies, circles and exported symbols that differ between two branches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../../support/in-process/told.js';
import { branched } from '../../../support/repositories/branched-market.js';

const { text, refusal } = await openTold(branched);
const diff = (refs: string[], more = {}) => text('graph diff', { refs, ...more });

test('both directions tell of the same differences, with the sides exchanged', async () => {
  assert.equal(
    await diff(['main..topic']),
    `
main ([taxes rise]) to topic ([a voucher])
1 file moved, each compared as one

dependencies: 3 changed, 2 removed, 1 added  (uses: 7 removed, 1 added)
  + src/fresh.ts:1 imports src/shelf.ts  +Shelf
  - src/money.ts:2 imports src/util/log.ts  -log
  - src/routes.ts:2 imports src/main.ts  -main
  ~ src/main.ts:2 uses src/money.ts  -describe
  ~ src/money.ts:1 uses src/cart.ts  -Cart -Cart.total
  ~ src/cart.test.ts:3 uses src/money.ts  -coupon

exported symbols: 3 removed, 2 added, 2 changed
  - src/money.ts:22  export function describe(cart: Cart): string
  - src/money.ts:26  export function coupon(code: string): number
  - src/shelf.ts:16  export function pong(count: number): number
  ~ src/money.ts:5  export function withTax(net: number, rate: number, country: string): number
      was export function withTax(net: number, rate = 0.2): number
  ~ src/shelf.ts:4  Shelf: fill(cart: Cart, count = 1): void
      was fill(cart: Cart): void
  + src/fresh.ts:3  export function fresh(): Shelf
  + src/money.ts:22  export function voucher(code: string): number
`,
  );
  assert.equal(
    await diff(['topic', 'main']),
    `
topic ([a voucher]) to main ([taxes rise])
1 file moved, each compared as one

dependencies: 3 changed, 2 added, 1 removed  (uses: 7 added, 1 removed)
  + src/money.ts:2 imports src/log.ts  +log
  + src/routes.ts:2 imports src/main.ts  +main
  - src/fresh.ts:1 imports src/shelf.ts  -Shelf
  ~ src/main.ts:2 uses src/money.ts  +describe
  ~ src/money.ts:1 uses src/cart.ts  +Cart +Cart.total
  ~ src/cart.test.ts:3 uses src/money.ts  +coupon

exported symbols: 3 added, 2 changed, 2 removed
  - src/fresh.ts:3  export function fresh(): Shelf
  - src/money.ts:22  export function voucher(code: string): number
  ~ src/money.ts:5  export function withTax(net: number, rate = 0.2): number
      was export function withTax(net: number, rate: number, country: string): number
  ~ src/shelf.ts:4  Shelf: fill(cart: Cart): void
      was fill(cart: Cart, count = 1): void
  + src/money.ts:22  export function describe(cart: Cart): string
  + src/money.ts:26  export function coupon(code: string): number
  + src/shelf.ts:16  export function pong(count: number): number
`,
  );
});

test('a path and a limit narrow it, sides since they parted are compared, and nothing is a negative answer', async () => {
  assert.equal(
    await diff(['main..topic'], { path: ['src/shelf.ts', 'src/fresh.ts'] }),
    `
main ([taxes rise]) to topic ([a voucher])
1 file moved, each compared as one

dependencies: 1 added  (uses: 1 added)
  + src/fresh.ts:1 imports src/shelf.ts  +Shelf

exported symbols: 1 added, 1 changed, 1 removed
  - src/shelf.ts:16  export function pong(count: number): number
  ~ src/shelf.ts:4  Shelf: fill(cart: Cart, count = 1): void
      was fill(cart: Cart): void
  + src/fresh.ts:3  export function fresh(): Shelf
`,
  );
  assert.equal(
    await diff(['main..topic'], { limit: 1 }),
    `
main ([taxes rise]) to topic ([a voucher])
1 file moved, each compared as one

dependencies: 3 changed, 2 removed, 1 added  (uses: 7 removed, 1 added)
  + src/fresh.ts:1 imports src/shelf.ts  +Shelf
  … 5 more: raise --limit

exported symbols: 3 removed, 2 added, 2 changed
  - src/money.ts:22  export function describe(cart: Cart): string
  … 6 more: raise --limit
`,
  );
  assert.equal(
    await diff(['topic...other']),
    `
topic ([taxes rise]) to other ([rounds to the nearest])

dependencies: 1 changed  (uses: 1 added)
  ~ src/main.ts:2 uses src/money.ts  +withTax
`,
  );
  assert.equal(
    await diff(['main', 'main']),
    `
main ([taxes rise]) to main ([taxes rise])
no dependency, import cycle or exported symbol differs
exit 1
`,
  );
  assert.equal(
    await refusal('graph diff', { refs: ['a', 'b', 'c'] }),
    'BAD_ARGUMENT: two refs can be compared, or one range (git socraticode graph diff main..feature)',
  );
});
