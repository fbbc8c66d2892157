/** Summaries without a model: extracted from files, symbols and folders, folders first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { market } from '../../support/repositories/market.js';

const { text, refusal } = await openTold(market);
const summarize = (given: object) => text('summarize', { ...given });

test('files, symbols, folders and the repository have what their code says', async () => {
  assert.equal(
    await summarize({ targets: ['src/money.ts', 'withTax', 'Cart.total', 'Item', 'docs/guide.md'] }),
    `
docs/guide.md
 Defines nothing that the graph knows.
src/cart.ts  Cart.total
 total(): number. Used by src/cart.test.ts, describe.
src/cart.ts  Item
 export class Item implements Priced. Used by src/cart.test.ts, Gift, Shelf.fill.
src/money.ts
 Defines withTax, describe, coupon, roundUp, quarter, halve. "Adds tax to a net price." Used by 3 files.
src/money.ts  withTax
 export function withTax(net: number, rate = 0.2): number. "Adds tax to a net price." Used by Item.price.
extracted from the code: no model has written about it (summarizer.name)
`,
  );
  assert.equal(
    await summarize({ targets: ['lib'] }),
    `
lib/
 3 files, most of them python.
lib/__init__.py
 Defines nothing that the graph knows.
lib/fmt.py
 Defines pad. Used by 1 file.
lib/report.py
 Defines walk, render.
extracted from the code: no model has written about it (summarizer.name)
`,
  );
  assert.equal(
    await summarize({ targets: ['src'], symbols: true }),
    `
src/
 8 files, most of them typescript.
src/broken.ts
 Defines half.
src/cart.ts
 Defines Item, Cart, Gift, Priced. "Collects what a customer wants." Used by 4 files.
src/cart.ts  Cart
 export class Cart extends EventEmitter. "Collects what a customer wants." Used by src/cart.test.ts, main, describe, Shelf.fill.
src/cart.ts  Cart.add
 add(item: Priced): void. Used by src/cart.test.ts, Shelf.fill.
src/cart.ts  Cart.total
 total(): number. Used by src/cart.test.ts, describe.
src/cart.ts  Gift
 export class Gift extends Item. Used by Shelf.fill.
src/cart.ts  Item
 export class Item implements Priced. Used by src/cart.test.ts, Gift, Shelf.fill.
src/cart.ts  Item.constructor
 constructor(readonly net: number). Used by Shelf.fill.
src/log.ts
 Defines log. Used by 1 file.
src/log.ts  log
 export function log(text: string): void. Used by withTax.
src/main.ts
 Defines main. Used by 1 file.
src/main.ts  main
 export function main(given: any): void. Used by src/main.ts, GET /prices/:id.
src/money.ts
 Defines withTax, describe, coupon, roundUp, quarter, halve. "Adds tax to a net price." Used by 3 files.
src/money.ts  coupon
 export function coupon(code: string): number. Used by src/cart.test.ts.
src/money.ts  describe
 export function describe(cart: Cart): string. Used by main.
src/money.ts  withTax
 export function withTax(net: number, rate = 0.2): number. "Adds tax to a net price." Used by Item.price.
src/routes.ts
 Defines GET /prices/:id, list, app.
src/shelf.ts
 Defines Shelf, ping, pong. Used by 2 files.
src/shelf.ts  Shelf
 export class Shelf. Used by Cart.restock, main.
src/shelf.ts  Shelf.fill
 fill(cart: Cart): void. Used by Cart.restock, main.
extracted from the code: no model has written about it (summarizer.name)
`,
  );
  assert.equal(
    await summarize({ all: true, limit: 3 }),
    `
the repository
 14 files, most of them typescript. Most used: Item, withTax, Shelf, pad, log, main.
lib/
 3 files, most of them python.
lib/__init__.py
 Defines nothing that the graph knows.
  … 10 more: raise --limit
extracted from the code: no model has written about it (summarizer.name)
`,
  );
});

test('nothing named, an ambiguous name, a name of nothing and a limit without a price are refused', async () => {
  assert.equal(await refusal('summarize', {}), 'BAD_ARGUMENT: nothing is named (Name a symbol, a file or a folder.)');
  assert.equal(
    await refusal('summarize', { targets: ['restock'] }),
    'BAD_ARGUMENT: restock is ambiguous: 2 definitions (Name one by its place: src/cart.ts:Cart.restock, src/shelf.ts:Shelf.restock)',
  );
  assert.equal(
    await refusal('summarize', { targets: ['nowhere'] }),
    'BAD_ARGUMENT: no symbol nowhere is defined in this snapshot; parse errors may hide it in a file (Search for it: git socraticode search nowhere; names with a part of it: git socraticode graph symbols PART)',
  );
  assert.equal(
    await refusal('summarize', { all: true, maxCost: 1 }),
    'BAD_ARGUMENT: the cost is limited, and no price is known (Set summarizer.inputPrice and summarizer.outputPrice, for a million tokens.)',
  );
  assert.equal(
    await refusal('summarize', { all: true, pull: true }),
    'BAD_ARGUMENT: --pull downloads models to Ollama, and summarizer.name is none (git config --global socraticode.summarizer.name ollama)',
  );
  assert.equal(
    await summarize({ targets: ['src/log.ts'], dryRun: true }),
    `
extracted from the code: no model has written about it (summarizer.name)
`,
  );
});
