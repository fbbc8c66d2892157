/** Documents: what mentions code, what they mention, and what is out of date in them, by itself and since a change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { branched } from '../../support/repositories/branched-market.js';

const { text, refusal } = await openTold(branched);

test('mentions of a symbol and of a file, and those of a document', async () => {
  assert.equal(
    await text('docs links', { target: 'Cart.total' }),
    `
src/cart.ts:33  Cart.total  method

mentioned in 1 place
  docs/guide.md
    3 Cart.total  Guide
`,
  );
  assert.equal(
    await text('docs links', { target: 'src/cart.ts', limit: 1 }),
    `
src/cart.ts  file

mentioned in 2 places
  docs/guide.md
    3 ../src/cart.ts  Guide
  … 1 more: raise --limit
`,
  );
  assert.equal(
    await text('docs links', { target: 'docs/guide.md' }),
    `
docs/guide.md  file

mentions 3 places of code
  docs/guide.md
    3 Cart.total  src/cart.ts:33  Cart.total  method  Guide
    3 ../src/cart.ts  src/cart.ts  file  Guide
    7 withTax  src/money.ts:5  withTax  function  Guide > Prices
`,
  );
  assert.equal(
    await text('docs links', { target: 'docs/guide.md', minConfidence: 0.99 }),
    `
docs/guide.md  file

no mention of it in 1 document
exit 1
`,
  );
  assert.equal(
    await text('docs links', { target: 'restock' }),
    `
restock is ambiguous: 2 definitions
  src/cart.ts:37  Cart.restock  method  exported, no known uses
  src/shelf.ts:9  Shelf.restock  method  exported, no known uses

pick one with its place: src/cart.ts:Cart.restock
or with --file PATH
exit 1
`,
  );
  assert.equal(
    await refusal('docs links', { target: 'nowhere' }),
    'BAD_ARGUMENT: no symbol nowhere is defined in this snapshot; parse errors may hide it in a file (Search for it: git socraticode search nowhere; names with a part of it: git socraticode graph symbols PART)',
  );
});

test('what a document names is gone, or went with a change', async () => {
  assert.equal(
    await text('docs drift'),
    `
1 mention out of date
  docs/guide.md
    3 ../src/taxes.ts: src/taxes.ts does not exist  Guide
exit 1
`,
  );
  assert.equal(
    await text('docs drift', { range: 'main..topic' }),
    `
nothing in 1 document is known to be out of date

1 mention of what changed, in documents that did not
  docs/guide.md
    7 src/money.ts:5  withTax  function  declaration changed
`,
  );
  assert.equal(
    await text('docs drift', { range: 'main..guest' }),
    `
nothing in 1 document is known to be out of date
`,
  );
  assert.equal(
    await text('docs search', { query: 'prices', noContent: true, mode: 'lexical' }),
    `
docs/guide.md:1  prices  section
1-7

filters by language left out 3 of the best results
`,
  );
});
