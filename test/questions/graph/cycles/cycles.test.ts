/** Circles of files and of functions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';

const { text, document } = await openTold(market);

test('imports of values make circles; those of types count where that is asked for', async () => {
  assert.equal(
    await text('graph cycles'),
    `
1 group of files that reach each other, 2 files in all

2 files
  src/cart.ts:4
  src/shelf.ts:1
  back to src/cart.ts
`,
  );
  assert.equal(
    await text('graph cycles', { types: true }),
    `
1 group of files that reach each other, 3 files in all

3 files, a shortest circle has 2
  src/cart.ts:3
  src/money.ts:1  type-import
  back to src/cart.ts
`,
  );
});

test('functions that call each other, and one that calls itself, largest group first', async () => {
  assert.equal(
    await text('graph cycles', { symbols: true }),
    `
2 groups of functions that reach each other, 3 functions in all

2 functions
  src/shelf.ts:13  ping
  src/shelf.ts:17  pong
  back to ping

1 function
  lib/report.py:10  walk
  calls itself
`,
  );
  assert.equal(
    await text('graph cycles', { symbols: true, limit: 1 }),
    `
2 groups of functions that reach each other, 3 functions in all

2 functions
  src/shelf.ts:13  ping
  src/shelf.ts:17  pong
  back to ping
  … 1 more: raise --limit
`,
  );
  const { cycles } = await document<{
    cycles: { list: { size: number; members: { leftOut: number } }[]; leftOut: number };
  }>('graph cycles', { symbols: true, limit: 1 });
  assert.deepEqual([cycles.list.map(({ size, members }) => [size, members.leftOut]), cycles.leftOut], [[[2, 0]], 1]);
});
