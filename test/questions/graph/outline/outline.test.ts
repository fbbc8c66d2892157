/** Outlines of files, and maps of folders within a budget. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';

const { text, refusal } = await openTold(market);
const outline = (given: object) => text('graph outline', { ...given });

test('a file lists its symbols, those that are not exported where that is asked for', async () => {
  assert.equal(
    await outline({ files: ['src/money.ts'] }),
    `
src/money.ts  typescript, 28 lines, 568 B
 5-8 withTax function
 10-12 roundUp, 14-16 halve, 18-20 quarter
 22-24 describe function
 26-28 coupon function
`,
  );
  assert.equal(
    await outline({ files: ['src/money.ts'], all: true, docs: true, signatures: true }),
    `
src/money.ts  typescript, 28 lines, 568 B
 5-8 withTax(net: number, rate = 0.2): number  # Adds tax to a net price.
 10-12 roundUp(value: number): number
 14-16 halve(value: number): number
 18-20 quarter(value: number): number
 22-24 describe(cart: Cart): string
 26-28 coupon(code: string): number
`,
  );
  assert.equal(
    await outline({ files: ['src/cart.ts', 'lib/fmt.py'], limit: 2 }),
    `
src/cart.ts  typescript, 40 lines, 782 B
 7-9 Priced interface
  8 price method
  … 11 more: raise --limit

lib/fmt.py  python, 2 lines, 40 B
 1-2 pad function
`,
  );
});

test('globs select files, and names that lead to none are told of beside the others', async () => {
  assert.equal(
    await outline({ files: ['lib/*.py', 'src/nowhere.ts', 'notes.txt', 'broken.ts'] }),
    `
lib/__init__.py  python, 0 lines, 0 B
  no symbols are known

lib/fmt.py  python, 2 lines, 40 B
 1-2 pad function

lib/report.py  python, 10 lines, 151 B
 5-6 render function
 9-10 walk function

notes.txt  text, 1 line, 18 B
  no symbols are known

src/broken.ts  typescript, 4 lines, 70 B
  parse errors: lines 4 could not be read, and declarations may be missing there; small parse errors: lines 1
 1-3 half function

no file src/nowhere.ts is indexed in this snapshot
`,
  );
  assert.equal(
    await refusal('graph outline', { files: ['src/nowhere.ts'] }),
    'BAD_ARGUMENT: no file src/nowhere.ts is indexed in this snapshot (The status says which files are indexed, and why others are not.)',
  );
});

test('a map begins with the most central files and keeps to its budget', async () => {
  assert.equal(
    await outline({}),
    `
src/  7 files
  cart.ts  40 lines
    7 interface Priced
      8 price(): number
    11 class Item implements Priced
      12 constructor(readonly net: number)
      13 price(): number
    18 class Gift extends Item
      19 price(): number
    25 class Cart extends EventEmitter
      28 add(item: Priced): void
      33 total(): number
      37 restock(): void
  money.ts  28 lines
    5 withTax(net: number, rate = 0.2): number
    22 describe(cart: Cart): string
    26 coupon(code: string): number
  shelf.ts  18 lines
    3 class Shelf
      4 fill(cart: Cart): void
      9 restock(): void
    12 ping(count: number): number
    16 pong(count: number): number
  main.ts  12 lines
    5 main(given: any): void
  log.ts  3 lines
    1 log(text: string): void
  broken.ts  4 lines
    1 half(: number { return 1; }
  … 1 more file

lib/  3 files
  report.py  10 lines
    5 render(rows)
    9 walk(tree)
  fmt.py  2 lines
    1 pad(text)
  … 1 more file

tests, examples and copies: src/ 1 file
`,
  );
  assert.equal(
    await outline({ files: ['src'], maxTokens: 200 }),
    `
src/  7 files
  cart.ts  40 lines, 2 more
    11 class Item implements Priced
    25 class Cart extends EventEmitter
      33 total(): number
  … 6 more files

tests, examples and copies: src/ 1 file
`,
  );
  assert.equal(
    await outline({ files: ['lib'], docs: true, all: true }),
    `
lib/  3 files
  report.py  10 lines
    5 render(rows)
    9 walk(tree)
  fmt.py  2 lines
    1 pad(text)
  … 1 more file
`,
  );
});
