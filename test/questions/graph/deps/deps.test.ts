/** Imports of a file, those that lead elsewhere or nowhere, and files that import it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { depsText } from '../../../../src/questions/graph/deps/answer.js';
import type { GraphDepsResponse } from '../../../../src/questions/graph/deps/question.js';
import { plainPen, TOOL_WORDS } from '../../../../src/questions/pen.js';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';

const { text, refusal } = await openTold(market);
const deps = (file: string, more = {}) => text('graph deps', { file, ...more });

test('imports with the names that are used, packages, imports that are not found, and dependents', async () => {
  assert.equal(
    await deps('src/cart.ts'),
    `
src/cart.ts  typescript, 40 lines

imports 2 files
  src/money.ts line 3  withTax
  src/shelf.ts line 4  Shelf, Shelf.fill

imports 2 packages
  node:events  line 1
  lodash  line 2

not found: 1 import
  ./missing  line 5

imported by 4 files
  src/cart.test.ts:2  Cart, Cart.add, Cart.total, Item
  src/main.ts:1  Cart
  src/money.ts:1 type-import  Cart, Cart.total
  src/shelf.ts:1  Cart.add, Cart, Gift, Item, Item.constructor
`,
  );
  assert.equal(
    await deps('money.ts'),
    `
src/money.ts  typescript, 28 lines

imports 2 files
  src/cart.ts line 1 type-import  Cart, Cart.total
  src/log.ts line 2  log

imported by 3 files
  src/cart.test.ts:3  coupon
  src/cart.ts:3  withTax
  src/main.ts:2  describe
`,
  );
  assert.equal(
    await deps('lib/report.py'),
    `
lib/report.py  python, 10 lines

imports 1 file
  lib/fmt.py line 2  pad

imports 1 package
  os  line 1

nothing here imports it
`,
  );
});

test('each list is cut by the limit, and its heading counts all', async () => {
  assert.equal(
    await deps('src/cart.ts', { limit: 1 }),
    `
src/cart.ts  typescript, 40 lines

imports 2 files
  src/money.ts line 3  withTax
  … 1 more: raise --limit

imports 2 packages
  node:events  line 1
  … 1 more: raise --limit

not found: 1 import
  ./missing  line 5

imported by 4 files
  src/cart.test.ts:2  Cart, Cart.add, Cart.total, Item
  … 3 more: raise --limit
`,
  );
});

test('imports of imports go as far as the depth, each by the file before it', async () => {
  assert.equal(
    await deps('src/log.ts', { transitive: true }),
    `
src/log.ts  typescript, 3 lines

imported by 1 file
  src/money.ts:2  log

reached from 6 files within 5 hops
  1 src/money.ts  by src/log.ts
  2 src/cart.test.ts  by src/money.ts
  2 src/cart.ts  by src/money.ts
  2 src/main.ts  by src/money.ts
  3 src/routes.ts  by src/main.ts
  3 src/shelf.ts  by src/cart.ts
`,
  );
  assert.equal(
    await deps('src/main.ts', { depth: 1 }),
    `
src/main.ts  typescript, 12 lines

imports 3 files
  src/cart.ts line 1  Cart
  src/money.ts line 2  describe
  src/shelf.ts line 3  Shelf, Shelf.fill

imported by 1 file
  src/routes.ts:2  main

reaches 3 files within 1 hop
  1 src/cart.ts  by src/main.ts
  1 src/money.ts  by src/main.ts
  1 src/shelf.ts  by src/main.ts

reached from 1 file within 1 hop
  1 src/routes.ts  by src/main.ts
`,
  );
});

test('files without imports, with parse errors and without a known language say so', async () => {
  assert.equal(
    await deps('src/broken.ts'),
    `
src/broken.ts  typescript, 4 lines

nothing here imports it

parse errors may hide declarations and uses in src/broken.ts
exit 1
`,
  );
  assert.equal(
    await deps('notes.txt'),
    `
notes.txt  text, 0 lines, no imports and calls are known in this language

nothing here imports it
exit 1
`,
  );
  assert.equal(
    await refusal('graph deps', { file: 'src/nowhere.ts' }),
    'BAD_ARGUMENT: no file src/nowhere.ts is indexed in this snapshot (The status says which files are indexed, and why others are not.)',
  );
});

test('a later page without dependents does not say that nothing imports the file, since an earlier one may have had them', () => {
  const none = { list: [], leftOut: 0 };
  const file = { path: 'a.ts', language: 'typescript', state: 'linked', lines: 3 };
  const facts = { file, imports: none, external: none, unresolved: none, dependents: none };
  const written = (skipped: number | undefined) =>
    depsText(facts as unknown as GraphDepsResponse, { pen: { ...plainPen(TOOL_WORDS), skipped } });
  assert.equal(written(undefined), 'a.ts  typescript, 3 lines\n\nnothing here imports it\n');
  assert.equal(written(5), 'a.ts  typescript, 3 lines\n');
});
