/** What breaks when a symbol or a branch changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../../support/in-process/told.js';
import { branched } from '../../../support/repositories/branched-market.js';

const { text } = await openTold(branched);
const impact = (target?: string, more = {}) => text('graph impact', { target, ...more });

test('users hop by hop with their tests, the risk and its reasons', async () => {
  assert.equal(
    await impact('withTax'),
    `
src/money.ts:5  withTax  function
risk: low  (1 direct user; 1 other file in 1 folder; exported; 1 test file reaches it)
affects 3 symbols in 2 files within 3 hops

hop 1: 1
  src/cart.ts:14  Item.price

hop 2: 1
  src/cart.ts:34  Cart.total  calls what is overridden by Item.price

hop 3: 1
  src/money.ts:23  describe  calls Cart.total

tests to run: 1 file
  src/cart.test.ts:8  3 hops

mentioned in 1 document: docs/guide.md:7
`,
  );
  assert.equal(
    await impact('log', { depth: 1 }),
    `
src/log.ts:1  log  function
risk: medium  (1 direct user; 1 other file in 1 folder; exported; no test is known to reach it by calls, but 1 test file imports its file, directly or through others)
affects 1 symbol in 1 file within 1 hop

hop 1: 1
  src/money.ts:6  withTax

may run it: 1 more test file
  src/cart.test.ts:8  4 hops
`,
  );
  assert.equal(
    await impact('src/shelf.ts'),
    `
src/shelf.ts  file
risk: unknown  (1 use of their names could not be resolved; 4 direct users; 4 other files in 1 folder; 1 test file reaches it)
affects 7 symbols in 4 files within 3 hops

hop 1: 4
  src/cart.ts:4  file  imports src/shelf.ts
  src/main.ts:3  file  imports src/shelf.ts
  src/cart.ts:38  Cart.restock  makes Shelf
  src/main.ts:7  main  makes Shelf

hop 2: 3
  src/money.ts:1  file  imports the types of src/cart.ts
  src/routes.ts:2  file  imports src/main.ts
  src/routes.ts:5  GET /prices/:id  calls main

tests to run: 1 file
  src/cart.test.ts:2  2 hops
`,
  );
  assert.equal(
    await impact('halve'),
    `
src/money.ts:14  halve  function
risk: low  (no test is known to reach it by calls, but 1 test file imports its file, directly or through others)
nothing is known to use it

may run it: 1 more test file
  src/cart.test.ts:1  imports its file
exit 1
`,
  );
  assert.equal(
    await impact('quarter'),
    `
src/money.ts:18  quarter  function
risk: low  (1 direct user; no test is known to reach it by calls, but 1 test file imports its file, directly or through others)
affects 1 symbol in 1 file within 3 hops

hop 1: 1
  src/money.ts:15  halve

may run it: 1 more test file
  src/cart.test.ts:1  imports its file
`,
  );
});

test('limits cut each list; uses that are less certain can be left out; files narrow a name', async () => {
  assert.equal(
    await impact('log', { limit: 1 }),
    `
src/log.ts:1  log  function
risk: medium  (1 direct user; 2 other files in 1 folder; exported; no test is known to reach it by calls, but 1 test file imports its file, directly or through others)
affects 3 symbols in 2 files within 3 hops

hop 1: 1
  src/money.ts:6  withTax

hop 2: 1
  … 1 more: raise --limit

hop 3: 1
  … 1 more: raise --limit

may run it: 1 more test file
  src/cart.test.ts:8  4 hops
`,
  );
  assert.equal(
    await impact('Priced.price', { minConfidence: 0.95 }),
    `
src/cart.ts:8  Priced.price  method
risk: low  (1 direct user; 2 members override it; exported; 1 test file reaches it)
affects 1 symbol in 1 file within 3 hops

hop 1: 1
  src/cart.ts:34  Cart.total

tests to run: 1 file
  src/cart.test.ts:1  reaches it by what it makes and calls
`,
  );
  assert.equal(
    await impact('restock', { file: 'shelf.ts', coupled: true }),
    `
src/shelf.ts:9  Shelf.restock  method
risk: unknown  (1 use of its name could not be resolved; exported; no test is known to reach it by calls, but 1 test file imports its file, directly or through others)
nothing is known to use it, but uses may have been missed
1 use of the same name could not be resolved: git socraticode graph references Shelf.restock
its name stands in src/main.ts:9: git socraticode grep -w restock

may run it: 1 more test file
  src/cart.test.ts:1  imports its file through 1 other
nothing else usually changes with its file
exit 1
`,
  );
  assert.equal(
    await impact('restock'),
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
