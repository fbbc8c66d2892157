/** Lines that match: hits in their symbols, counts, files, contexts, refs, ranges, syntax and rewriting. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { branched } from '../../support/repositories/branched-market.js';

const { text, refusal } = await openTold(branched);
const grep = (pattern: string, more = {}) => text('grep', { pattern, ...more });

test('hits stand in their symbols, cut by a limit, with lines around them', async () => {
  assert.equal(
    await grep('withTax'),
    `
docs/guide.md
 Guide.Prices
7:\`withTax\` adds tax, \`oldTax\` did so before. See [prices](#prices) and [none](#none).

src/cart.ts
3:import { withTax } from './money';
 Item.price
14:    return withTax(this.net);

src/money.ts
 withTax
5:export function withTax(net: number, rate = 0.2): number {

4 hits in 3 files, all shown
`,
  );
  assert.equal(
    await grep('TAX', { ignoreCase: true, limit: 2 }),
    `
docs/guide.md
 Guide
3:[The cart](../src/cart.ts) adds up with \`Cart.total\`; [taxes](../src/taxes.ts) are gone.
 Guide.Prices
7:\`withTax\` adds tax, \`oldTax\` did so before. See [prices](#prices) and [none](#none).

first 2 of 8 hits in 4 files; raise --limit
`,
  );
  assert.equal(
    await grep('tax', { words: true }),
    `
docs/guide.md
 Guide.Prices
7:\`withTax\` adds tax, \`oldTax\` did so before. See [prices](#prices) and [none](#none).

src/money.ts
4:/** Adds tax to a net price. */
 withTax
6:  log('tax');

3 hits in 2 files, all shown
`,
  );
  assert.equal(
    await grep('price()', { fixed: true, context: 1, path: ['src/cart.ts'] }),
    `
src/cart.ts
 Priced.price
7-export interface Priced {
8:  price(): number;
9-}
…
 Item.price
12-  constructor(readonly net: number) {}
13:  price(): number {
14-    return withTax(this.net);
…
 Gift.price
18-export class Gift extends Item {
19:  price(): number {
20-    return 0;
…
 Cart.total
33-  total(): number {
34:    return sum(this.items.map((item) => item.price()));
35-  }

4 hits in 1 file, all shown
`,
  );
  assert.equal(
    await grep('return[^;]*;\\n}', { multiline: true, path: ['src/shelf.ts'] }),
    `
src/shelf.ts
 ping
13:  return count > 0 ? pong(count - 1) : 0;
14:}
 pong
17:  return ping(count);
18:}

2 hits in 1 file, all shown
`,
  );
});

test('files, counts, refs, ranges and all branches', async () => {
  assert.equal(
    await grep('cart', { files: true }),
    `
docs/guide.md
src/cart.test.ts
src/main.ts
src/money.ts
src/routes.ts
src/shelf.ts
`,
  );
  assert.equal(
    await grep('cart', { count: true, limit: 2 }),
    `
docs/guide.md:1
src/cart.test.ts:5
first 2 files; 18 hits in 6 files
`,
  );
  assert.equal(
    await grep('voucher', { ref: 'topic' }),
    `
notes.txt
1:taxes and vouchers

src/money.ts
 voucher
22:export function voucher(code: string): number {

2 hits in 2 files, all shown
`,
  );
  assert.equal(
    await grep('return', { in: 'main..topic' }),
    `
src/fresh.ts
 fresh
4:  return new Shelf();

src/money.ts
 roundUp
11:  return Math.floor(value);
 quarter
19:  return (value * 2) / 8;

3 hits in 2 files, all shown
only lines that are new or changed since [taxes rise]
`,
  );
  assert.equal(
    await grep('bill|voucher', { allRefs: true }),
    `
notes.txt  on topic
1:taxes and vouchers

src/money.ts  on topic
 voucher
22:export function voucher(code: string): number {

src/guest.ts  on guest
 bill
3:export const bill = (net: number) => withTax(net);

3 hits in 3 files, all shown
4 branches searched
`,
  );
  assert.equal(
    await grep('nothing at all'),
    `
no line matches
exit 1
`,
  );
});

test('code as syntax, and a patch that rewrites it', async () => {
  assert.equal(
    await grep('cart.add($A)', { ast: true }),
    `
src/cart.test.ts
7:  cart.add(new Item(2));

src/shelf.ts
 Shelf.fill
5:    cart.add(new Item(1));
6:    cart.add(new Gift(0));

3 hits in 2 files, all shown
`,
  );
  assert.equal(
    await grep('withTax($A)', { ast: true, rewrite: 'taxed($A)', language: ['typescript'] }),
    `
diff --git a/src/cart.ts b/src/cart.ts
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -11,7 +11,7 @@
 export class Item implements Priced {
   constructor(readonly net: number) {}
   price(): number {
-    return withTax(this.net);
+    return taxed(this.net);
   }
 }
 
`,
  );
  assert.equal(
    await refusal('grep', { pattern: '(' }),
    'BAD_ARGUMENT: the pattern is not a regular expression: missing closing ): `(` (The syntax is RE2, which has no lookaround and no back-references. The option or parameter fixed takes exact text.)',
  );
  assert.equal(
    await refusal('grep', { pattern: 'x', rewrite: 'y' }),
    'BAD_ARGUMENT: rewrite needs ast (Only code that matches by its syntax is rewritten.)',
  );
  assert.equal(
    await refusal('grep', {}),
    'BAD_ARGUMENT: no pattern is given (Say what to look for: a regular expression, or with fixed an exact string.)',
  );
});
