/** Unused definitions by certainty, why, since when, and what a deletion leaves unused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';

const { text, refusal } = await openTold(market);
const unused = (given = {}) => text('graph unused', given);

test('by certainty, what only tests use behind the rest', async () => {
  assert.equal(
    await unused(),
    `
1 definition unused, 3 lines

certain: nothing reaches them
  src/money.ts
    14 halve  function, 3 lines

only certain ones; others: --min-certainty exported, or possible
`,
  );
  assert.equal(
    await unused({ minCertainty: 'exported' }),
    `
7 definitions unused, 18 lines

certain: nothing reaches them
  src/money.ts
    14 halve  function, 3 lines

exported: only code outside of this repository can use them
  lib/fmt.py
    1 pad  function, 2 lines: only unused code uses it
  lib/report.py
    5 render  function, 2 lines
    9 walk  function, 2 lines
  src/broken.ts
    1 half  function, 3 lines
  src/shelf.ts
    12 ping  function, 3 lines: only unused code uses it
    16 pong  function, 3 lines: only unused code uses it

parse errors may hide declarations and uses in src/broken.ts
`,
  );
  assert.equal(
    await unused({ minCertainty: 'possible' }),
    `
11 definitions unused, 28 lines

certain: nothing reaches them
  src/money.ts
    14 halve  function, 3 lines

exported: only code outside of this repository can use them
  lib/fmt.py
    1 pad  function, 2 lines: only unused code uses it
  lib/report.py
    5 render  function, 2 lines
    9 walk  function, 2 lines
  src/broken.ts
    1 half  function, 3 lines
  src/shelf.ts
    12 ping  function, 3 lines: only unused code uses it
    16 pong  function, 3 lines: only unused code uses it

possible: something here may use them unseen
  src/cart.ts
    37 Cart.restock  method, 3 lines: Cart inherits from EventEmitter, which is outside of this repository and may call it
  src/money.ts
    18 quarter  function, 3 lines: only unused code uses it; its name stands in settings.json:1, in quotes
  src/shelf.ts
    9 Shelf.restock  method, 1 line: one use of the name restock could not be resolved and may mean it

only tests use them: possible, as something here may use them unseen
  src/money.ts
    26 coupon  function, 3 lines: its name stands in src/cart.test.ts:11, in quotes

parse errors may hide declarations and uses in src/broken.ts
`,
  );
  assert.equal(
    await unused({ minCertainty: 'exported', tests: true, path: ['src/money.ts', 'src/cart*'] }),
    `
1 definition unused, 3 lines

certain: nothing reaches them
  src/money.ts
    14 halve  function, 3 lines
`,
  );
  assert.equal(
    await unused({ minCertainty: 'possible', limit: 1 }),
    `
11 definitions unused, 28 lines

certain: nothing reaches them
  src/money.ts
    14 halve  function, 3 lines
  … 10 more: raise --limit
`,
  );
});

test('since which commit nothing uses them', async () => {
  assert.equal(
    await unused({ minCertainty: 'exported', since: true, path: ['src/money.ts'] }),
    `
1 definition unused, 3 lines

certain: nothing reaches them
  src/money.ts
    14 halve  function, 3 lines
      never used since [a market] 2024-01-02 a market
`,
  );
});

test('what a deletion leaves unused', async () => {
  assert.equal(
    await unused({ if: 'Cart.total' }),
    `
nothing is certain to be unused without Cart.total
exit 1
`,
  );
  assert.equal(
    await unused({ if: 'src/main.ts' }),
    `
2 definitions unused without src/main.ts, 4 lines

exported: only code outside of this repository can use them
  src/money.ts
    22 describe  function, 3 lines
  src/shelf.ts
    9 Shelf.restock  method, 1 line
`,
  );
  assert.equal(
    await unused({ if: 'restock' }),
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

test('an explanation has what speaks for it, and what would refute it', async () => {
  for (const [name, said] of [
    [
      'halve',
      `
src/money.ts:14 halve  function
  unused, certain: nothing reaches them
  because
    0 known uses, of which 0 in tests
    0 uses of its name could not be resolved and may mean it
    0 lines elsewhere have its name without a known use
    it is not exported, and nothing here uses it
  refuted by
    a name that is put together while the program runs, such as a computed key
    a file outside of this repository, or one that it ignores, which names it
`,
    ],
    [
      'quarter',
      `
src/money.ts:18 quarter  function
  unused, possible: something here may use them unseen
  because
    1 known use, of which 0 in tests: src/money.ts:15
    0 uses of its name could not be resolved and may mean it
    1 line elsewhere has its name without a known use: settings.json:1
    all code that uses it is unused itself
    its name stands in settings.json:1, in quotes
  refuted by
    a look at what may use it unseen: its name stands in settings.json:1, in quotes
`,
    ],
    [
      'coupon',
      `
src/money.ts:26 coupon  function
  unused, possible: something here may use them unseen
  because
    1 known use, of which 1 in tests: src/cart.test.ts:12
    0 uses of its name could not be resolved and may mean it
    1 line elsewhere has its name without a known use: src/cart.test.ts:11
    no code that runs is known to reach it, only tests do
    its name stands in src/cart.test.ts:11, in quotes
  refuted by
    a look at what may use it unseen: its name stands in src/cart.test.ts:11, in quotes
`,
    ],
    [
      'withTax',
      `
src/money.ts:5 withTax  function
  used
  because
    1 known use, of which 0 in tests: src/cart.ts:14
    0 uses of its name could not be resolved and may mean it
    0 lines elsewhere have its name without a known use
    code that runs reaches it, or something that it is part of
  refuted by
    proof that the code which uses it never runs
exit 1
`,
    ],
    [
      'Shelf.restock',
      `
src/shelf.ts:9 Shelf.restock  method
  unused, possible: something here may use them unseen
  because
    0 known uses, of which 0 in tests
    one use of the name restock could not be resolved and may mean it
    1 line elsewhere has its name without a known use: src/main.ts:9
  refuted by
    one of the unresolved uses of its name, if it means this one
`,
    ],
  ])
    assert.equal(await unused({ explain: name }), said, name);
  assert.equal(
    await refusal('graph unused', { explain: 'src/log.ts' }),
    'BAD_ARGUMENT: src/log.ts is a file (Name a symbol of it.)',
  );
});
