/** Tests that a change needs, by a symbol, a file or a range. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { branched } from '../../support/repositories/branched-market.js';

const { text } = await openTold(branched);
const tests = (target: string, more = {}) => text('tests', { target, ...more });

test('those that will run it, those that may, and the commands', async () => {
  assert.equal(
    await tests('coupon'),
    `
1 test file will run it, 0 others may

will run it
  src/cart.test.ts:12  directly

run
  node --test src/cart.test.ts
`,
  );
  assert.equal(
    await tests('withTax'),
    `
1 test file will run it, 0 others may

will run it
  src/cart.test.ts:8  3 hops

run
  node --test src/cart.test.ts
`,
  );
  assert.equal(
    await tests('src/log.ts'),
    `
1 test file will run it, 0 others may

will run it
  src/cart.test.ts:3  2 hops

run
  node --test src/cart.test.ts
`,
  );
  assert.equal(
    await tests('halve'),
    `
0 test files will run it, 1 other may

may run it
  src/cart.test.ts:1  imports its file
`,
  );
  assert.equal(
    await tests('log', { depth: 1 }),
    `
0 test files will run it, 1 other may

may run it
  src/cart.test.ts:8  4 hops
`,
  );
});

test('of a range, and the paths alone', async () => {
  assert.equal(
    await tests('main..topic'),
    `
1 test file will run it, 0 others may

will run it
  src/cart.test.ts:8  3 hops

run
  node --test src/cart.test.ts

1 use of the same name could not be resolved: tests behind them may be missing
`,
  );
  assert.equal(
    await tests('main..topic', { paths: true }),
    `
src/cart.test.ts
`,
  );
  assert.equal(
    await tests('main...other', { limit: 1 }),
    `
1 test file will run it, 0 others may

will run it
  src/cart.test.ts:8  4 hops

run
  node --test src/cart.test.ts
`,
  );
});

test('which runs to believe is no filter of the tests of a change', async () => {
  for (const more of [{ label: 'ci' }, { by: 'ann' }, { signed: true }])
    await assert.rejects(tests('coupon', more), {
      code: 'BAD_ARGUMENT',
      message: 'which runs to believe matters only where runs excuse a test',
    });
});
