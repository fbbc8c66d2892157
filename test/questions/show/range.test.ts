/** Lines that a range changed, in their symbols: of renamed, new and edited files, and of removed lines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { branched } from '../../support/repositories/branched-market.js';

const { text, refusal } = await openTold(branched);
const show = (given: object) => text('show', { ...given });

test('all changed lines in their symbols, of both ends of a range, cut by a limit', async () => {
  assert.equal(
    await show({ in: 'main..topic' }),
    `
src/fresh.ts:1  (of 5 lines, new)
+1:import { Shelf } from './shelf';
+2:
+3:export function fresh(): Shelf {
+4:  return new Shelf();
+5:}

src/money.ts:4  withTax  (of 24 lines)
 4:/** Adds tax to a net price. */
- 1 line removed
+5:export function withTax(net: number, rate: number, country: string): number {
 6:  log('tax');
 7:  return roundUp(net * (1 + rate));
 8:}

src/money.ts:10  roundUp  (of 24 lines)
 10:function roundUp(value: number): number {
- 1 line removed
+11:  return Math.floor(value);
 12:}

src/money.ts:18  quarter  (of 24 lines)
 18:function quarter(value: number): number {
- 5 lines removed
+19:  return (value * 2) / 8;
 20:}

src/money.ts:22  voucher  (of 24 lines)
- 1 line removed
+22:export function voucher(code: string): number {
 23:  return code.length;
 24:}

src/routes.ts:1  (of 9 lines)
 1:import express from 'express';
- 1 line removed
 2:
 3:const app = express();
- 1 line removed
 4:app.post('/carts', list);
+5:app.delete('/carts/:id', list);
 6:
 7:function list(request: any, response: any): void {
 8:  response.send(String(request));

src/shelf.ts:4  Shelf.fill  (of 18 lines)
- 1 line removed
+4:  fill(cart: Cart, count = 1): void {
 5:    cart.add(new Item(1));
 6:    cart.add(new Gift(0));
 7:  }

src/shelf.ts:16  pong  (of 18 lines)
- 1 line removed
+16:function pong(count: number): number {
 17:  return ping(count);
 18:}

notes.txt:1  (of 1 line)
- 1 line removed
+1:taxes and vouchers

+ is new or changed since [taxes rise]

topic @ [a voucher]
`,
  );
  assert.equal(
    await show({ in: 'topic..main', limit: 2 }),
    `
src/money.ts:4  withTax  (of 28 lines)
 4:/** Adds tax to a net price. */
- 1 line removed
+5:export function withTax(net: number, rate = 0.2): number {
 6:  log('tax');
 7:  return roundUp(net * (1 + rate));
 8:}

src/money.ts:10  roundUp  (of 28 lines)
 10:function roundUp(value: number): number {
- 1 line removed
+11:  return Math.ceil(value);
 12:}

+ is new or changed since [a voucher]
5 further places: raise --limit
1 deleted file: src/fresh.ts

main @ [taxes rise]
`,
  );
  assert.equal(
    await show({ in: 'topic...other' }),
    `
src/main.ts:1  (of 13 lines)
 1:import { Cart } from './cart';
 2:import * as money from './money';
+3:import { withTax } from './money';
 4:import { Shelf } from './shelf';
 5:
 6:export function main(given: any): void {

src/main.ts:10  (of 13 lines)
 10:  given.restock();
 11:}
 12:
- 1 line removed
+13:main(withTax(1));

src/money.ts:10  roundUp  (of 28 lines)
 10:function roundUp(value: number): number {
- 1 line removed
+11:  return Math.round(value);
 12:}

+ is new or changed since [taxes rise]

other @ [rounds to the nearest]
`,
  );
});

test('of targets the new lines are marked, and a renamed file is compared with what it was', async () => {
  assert.equal(
    await show({ in: 'main..topic', targets: ['src/money.ts:1-8', 'src/util/log.ts', 'src/fresh.ts', 'src/log.ts'] }),
    `
src/money.ts:1  (of 24 lines)
 1:import type { Cart } from './cart';
 2:import { log } from './log';
 3:
 4:/** Adds tax to a net price. */
- 1 line removed
+5:export function withTax(net: number, rate: number, country: string): number {
 6:  log('tax');
 7:  return roundUp(net * (1 + rate));
 8:}

src/util/log.ts:1  (of 3 lines, was src/log.ts)
 1:export function log(text: string): void {
 2:  console.log(text);
 3:}

src/fresh.ts:1  (of 5 lines, new)
+1:import { Shelf } from './shelf';
+2:
+3:export function fresh(): Shelf {
+4:  return new Shelf();
+5:}

no file src/log.ts is indexed in this snapshot
  Did you mean src/util/log.ts?

+ is new or changed since [taxes rise]

topic @ [a voucher]
exit 1
`,
  );
  assert.equal(
    await show({ in: 'main..topic', targets: ['quarter'], context: 1 }),
    `
src/money.ts:17  quarter  (of 24 lines)
 17:
 18:function quarter(value: number): number {
- 5 lines removed
+19:  return (value * 2) / 8;
 20:}
 21:

+ is new or changed since [taxes rise]

topic @ [a voucher]
`,
  );
  assert.equal(
    await show({ targets: ['src/cart.ts'], skeleton: true, ref: 'topic' }),
    `
src/cart.ts:1  (of 40 lines)
1:import { EventEmitter } from 'node:events';
2:import { sum } from 'lodash';
3:import { withTax } from './money';
4:import { Shelf } from './shelf';
5:import { gone } from './missing';
6:
7:export interface Priced {
8:  price(): number;
9:}
10:
11:export class Item implements Priced {
12:  constructor(readonly net: number) {}
13:  price(): number {
14:    return withTax(this.net);
15:  }
16:}
17:
18:export class Gift extends Item {
19:  price(): number {
20:    return 0;
21:  }
22:}
23:
24:/** Collects what a customer wants. */
25:export class Cart extends EventEmitter {
26:  private readonly items: Priced[] = [];
27:
28:  add(item: Priced): void {
…
31:  }
32:
33:  total(): number {
34:    return sum(this.items.map((item) => item.price()));
35:  }
36:
37:  restock(): void {
38:    new Shelf().fill(this);
39:  }
40:}

topic @ [a voucher]
`,
  );
  assert.equal(
    await refusal('show', { in: 'main..nowhere' }),
    'UNKNOWN_REF: unknown ref: nowhere (Branches and tags here: guest, main, other, topic.)',
  );
  assert.equal(
    await refusal('show', {}),
    'BAD_ARGUMENT: nothing is named to be shown (Name a file, lines of it, or a symbol: src/cart.ts:10-40, Cart.total.)',
  );
});
