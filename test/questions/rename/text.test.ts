/** Patches of a rename, a move and a deletion in the market, what is left to people, and what branches say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { branched } from '../../support/repositories/branched-market.js';
import { createRepo } from '../../support/repositories/repo.js';

const { text, refusal } = await openTold(branched);
const rename = async (given: object) => (await text('rename', { ...given })).replace(/^index .*\n/gm, '');

test('a name is changed where it is meant, and branches that use it are named, unless they are left out', async () => {
  assert.equal(
    await rename({ name: 'withTax', to: 'taxed' }),
    `
diff --git a/src/cart.ts b/src/cart.ts
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -1,6 +1,6 @@
 import { EventEmitter } from 'node:events';
 import { sum } from 'lodash';
-import { withTax } from './money';
+import { taxed } from './money';
 import { Shelf } from './shelf';
 import { gone } from './missing';
 
@@ -11,7 +11,7 @@
 export class Item implements Priced {
   constructor(readonly net: number) {}
   price(): number {
-    return withTax(this.net);
+    return taxed(this.net);
   }
 }
 
diff --git a/src/money.ts b/src/money.ts
--- a/src/money.ts
+++ b/src/money.ts
@@ -2,7 +2,7 @@
 import { log } from './log';
 
 /** Adds tax to a net price. */
-export function withTax(net: number, rate = 0.2): number {
+export function taxed(net: number, rate = 0.2): number {
   log('tax');
   return roundUp(net * (1 + rate));
 }

withTax -> taxed: 3 places in 2 files in the patch
src/money.ts:5  withTax  function

4 conflicts
  - src/guest.ts  guest adds lines with withTax (branch)
  - src/inn.ts  guest adds lines with withTax (branch)
  - src/main.ts  other adds lines with withTax (branch)
  - src/money.ts  topic changes 1 part of what the patch changes (branch)

1 place in text: 1 document
  docs/guide.md:7  \`withTax\` adds tax, \`oldTax\` did so before. See [prices](#prices) and [none](#none).  (document)
`,
  );
  assert.equal(
    await rename({ name: 'withTax', to: 'taxed', noBranches: true }),
    `
diff --git a/src/cart.ts b/src/cart.ts
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -1,6 +1,6 @@
 import { EventEmitter } from 'node:events';
 import { sum } from 'lodash';
-import { withTax } from './money';
+import { taxed } from './money';
 import { Shelf } from './shelf';
 import { gone } from './missing';
 
@@ -11,7 +11,7 @@
 export class Item implements Priced {
   constructor(readonly net: number) {}
   price(): number {
-    return withTax(this.net);
+    return taxed(this.net);
   }
 }
 
diff --git a/src/money.ts b/src/money.ts
--- a/src/money.ts
+++ b/src/money.ts
@@ -2,7 +2,7 @@
 import { log } from './log';
 
 /** Adds tax to a net price. */
-export function withTax(net: number, rate = 0.2): number {
+export function taxed(net: number, rate = 0.2): number {
   log('tax');
   return roundUp(net * (1 + rate));
 }

withTax -> taxed: 3 places in 2 files in the patch
src/money.ts:5  withTax  function

1 place in text: 1 document
  docs/guide.md:7  \`withTax\` adds tax, \`oldTax\` did so before. See [prices](#prices) and [none](#none).  (document)
`,
  );
  assert.equal(
    await rename({ name: 'Cart.total', to: 'sum' }),
    `
diff --git a/src/cart.test.ts b/src/cart.test.ts
--- a/src/cart.test.ts
+++ b/src/cart.test.ts
@@ -5,7 +5,7 @@
 test('a cart adds up', () => {
   const cart = new Cart();
   cart.add(new Item(2));
-  cart.total();
+  cart.sum();
 });
 
 test('a coupon', () => {
diff --git a/src/cart.ts b/src/cart.ts
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -30,7 +30,7 @@
     this.emit('added', gone());
   }
 
-  total(): number {
+  sum(): number {
     return sum(this.items.map((item) => item.price()));
   }
 
diff --git a/src/money.ts b/src/money.ts
--- a/src/money.ts
+++ b/src/money.ts
@@ -20,7 +20,7 @@
 }
 
 export function describe(cart: Cart): string {
-  return \`\${cart.total()}\`;
+  return \`\${cart.sum()}\`;
 }
 
 export function coupon(code: string): number {

total -> sum: 3 places in 3 files in the patch
src/cart.ts:33  Cart.total  method

2 conflicts
  - src/cart.ts:33  it may override a member of a type outside of the repository: EventEmitter (outside)
  - src/money.ts  topic changes 1 part of what the patch changes (branch)

1 place in text: 1 document
  docs/guide.md:3  [The cart](../src/cart.ts) adds up with \`Cart.total\`; [taxes](../src/taxes.ts) are gone.  (document)
`,
  );
});

test('a symbol goes to another file, and what uses it imports it from there', async () => {
  assert.equal(
    await rename({ name: 'coupon', toFile: 'src/log.ts' }),
    `
diff --git a/src/money.ts b/src/money.ts
--- a/src/money.ts
+++ b/src/money.ts
@@ -22,7 +22,3 @@
 export function describe(cart: Cart): string {
   return \`\${cart.total()}\`;
 }
-
-export function coupon(code: string): number {
-  return code.length;
-}
diff --git a/src/cart.test.ts b/src/cart.test.ts
--- a/src/cart.test.ts
+++ b/src/cart.test.ts
@@ -1,6 +1,6 @@
 import { test } from 'node:test';
 import { Cart, Item } from './cart';
-import { coupon } from './money';
+import { coupon } from './log';
 
 test('a cart adds up', () => {
   const cart = new Cart();
diff --git a/src/log.ts b/src/log.ts
--- a/src/log.ts
+++ b/src/log.ts
@@ -1,3 +1,7 @@
 export function log(text: string): void {
   console.log(text);
 }
+
+export function coupon(code: string): number {
+  return code.length;
+}

coupon to src/log.ts: 3 places in 3 files in the patch
src/money.ts:26  coupon  function

1 conflict
  - src/money.ts  topic changes 1 part of what the patch changes (branch)
`,
  );
  assert.equal(
    await rename({ name: 'coupon', toFile: 'src/log.ts', noBranches: true }),
    `
diff --git a/src/money.ts b/src/money.ts
--- a/src/money.ts
+++ b/src/money.ts
@@ -22,7 +22,3 @@
 export function describe(cart: Cart): string {
   return \`\${cart.total()}\`;
 }
-
-export function coupon(code: string): number {
-  return code.length;
-}
diff --git a/src/cart.test.ts b/src/cart.test.ts
--- a/src/cart.test.ts
+++ b/src/cart.test.ts
@@ -1,6 +1,6 @@
 import { test } from 'node:test';
 import { Cart, Item } from './cart';
-import { coupon } from './money';
+import { coupon } from './log';
 
 test('a cart adds up', () => {
   const cart = new Cart();
diff --git a/src/log.ts b/src/log.ts
--- a/src/log.ts
+++ b/src/log.ts
@@ -1,3 +1,7 @@
 export function log(text: string): void {
   console.log(text);
 }
+
+export function coupon(code: string): number {
+  return code.length;
+}

coupon to src/log.ts: 3 places in 3 files in the patch
src/money.ts:26  coupon  function
`,
  );
});

test('what nothing uses is deleted, and what is used is not', async () => {
  assert.equal(
    await rename({ name: 'halve', delete: true }),
    `
diff --git a/src/money.ts b/src/money.ts
--- a/src/money.ts
+++ b/src/money.ts
@@ -11,10 +11,6 @@
   return Math.ceil(value);
 }
 
-function halve(value: number): number {
-  return quarter(value) * 2;
-}
-
 function quarter(value: number): number {
   return value / 4;
 }

halve deleted: 1 place in 1 file in the patch
src/money.ts:14  halve  function
`,
  );
  assert.equal(
    await rename({ name: 'quarter', delete: true }),
    `
diff --git a/src/money.ts b/src/money.ts
--- a/src/money.ts
+++ b/src/money.ts
@@ -15,10 +15,6 @@
   return quarter(value) * 2;
 }
 
-function quarter(value: number): number {
-  return value / 4;
-}
-
 export function describe(cart: Cart): string {
   return \`\${cart.total()}\`;
 }

quarter deleted: 1 place in 1 file in the patch
src/money.ts:18  quarter  function

1 conflict; "!" keeps it from being written
  ! src/money.ts:15  call of it (used)

1 place in text: 1 data
  settings.json:1  { "handler": "quarter" }  (data)
`,
  );
});

test('names that are none, several or no names are refused', async () => {
  assert.equal(
    await refusal('rename', { name: 'nowhere', to: 'x' }),
    'BAD_ARGUMENT: no symbol nowhere is defined in this snapshot; parse errors may hide it in a file (Search for it: git socraticode search nowhere; names with a part of it: git socraticode graph symbols PART)',
  );
  assert.equal(
    await refusal('rename', { name: 'withTax', to: '1x' }),
    'BAD_ARGUMENT: 1x is no name (Give the new name alone, without the names of types or files around it.)',
  );
  assert.equal(
    await refusal('rename', { name: 'withTax', to: 'withTax' }),
    'BAD_ARGUMENT: withTax has that name already (See `git socraticode --help`.)',
  );
  assert.equal(
    await rename({ name: 'restock', to: 'refill' }),
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

test('of two members of a name in one file, the one that is meant; a value that is made may have one of its own', async () => {
  const repo = createRepo();
  repo.commit(
    {
      'a.ts':
        'export class A {\n  go(): number {\n    return 1;\n  }\n}\n\nexport class B {\n  go(): number {\n    return 2;\n  }\n}\n\nnew B().go();\n',
      'b.java':
        'interface Runs {\n  int go();\n}\n\nclass Uses {\n  Runs make() {\n    return new Runs() {\n      public int go() { return 3; }\n    };\n  }\n  int go() { return 4; }\n}\n',
    },
    'two',
  );
  const own = await openTold(repo);
  const plan = async (given: object) => (await own.text('rename', { ...given })).replace(/^index .*\n/gm, '');
  assert.equal(
    await plan({ name: 'a.ts:A.go', delete: true }),
    `
diff --git a/a.ts b/a.ts
--- a/a.ts
+++ b/a.ts
@@ -1,7 +1,4 @@
 export class A {
-  go(): number {
-    return 1;
-  }
 }
 
 export class B {

go deleted: 1 place in 1 file in the patch; 2 places of the name mean something else
a.ts:2  A.go  method

3 places in text: 3 code
  b.java:2  int go();  (code)
  b.java:8  public int go() { return 3; }  (code)
  b.java:11  int go() { return 4; }  (code)
`,
  );
  assert.equal(
    await plan({ name: 'b.java:Runs.go', to: 'run' }),
    `
diff --git a/b.java b/b.java
--- a/b.java
+++ b/b.java
@@ -1,5 +1,5 @@
 interface Runs {
-  int go();
+  int run();
 }
 
 class Uses {

go -> run: 1 place in 1 file in the patch; 1 place of the name means something else
b.java:2  Runs.go  method

1 place to decide
  b.java:8  public int go() { return 3; }  (open: it may override the member in a value that is made here)

3 places in text: 3 code
  a.ts:2  go(): number {  (code)
  a.ts:8  go(): number {  (code)
  a.ts:13  new B().go();  (code)
`,
  );
});
