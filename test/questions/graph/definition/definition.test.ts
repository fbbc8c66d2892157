/** Definition of the name at a place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';
import { createRepo } from '../../../support/repositories/repo.js';

const { text, refusal } = await openTold(market);
const definition = (place: string) => text('graph definition', { place });

test('of a use, of an import, of a name at its first and right after its last letter, of a definition itself', async () => {
  for (const [place, found] of [
    [
      'src/cart.ts:14:12',
      `
src/money.ts:5  withTax  function
`,
    ],
    [
      'src/cart.ts:14:19',
      `
src/money.ts:5  withTax  function
`,
    ],
    [
      'src/cart.ts:3:12',
      `
src/money.ts:5  withTax  function
`,
    ],
    [
      'src/main.ts:8:9',
      `
src/money.ts:22  describe  function
`,
    ],
    [
      'src/money.ts:10:10',
      `
src/money.ts:10  roundUp  function
`,
    ],
    [
      'src/cart.ts:27:14',
      `
no name stands at that place
exit 1
`,
    ],
  ])
    assert.equal(await definition(place), found, place);
});

test('a use without a known target is answered with definitions of its name, and a place without a name with none', async () => {
  assert.equal(
    await definition('src/main.ts:9:10'),
    `
the target of this use is not known; definitions of that name:
src/cart.ts:37  Cart.restock  method
src/shelf.ts:9  Shelf.restock  method
exit 1
`,
  );
  assert.equal(
    await definition('src/main.ts:4:1'),
    `
no name stands at that place
exit 1
`,
  );
  assert.equal(
    await definition('src/main.ts:9:4'),
    `
no definition of given is known for that place
exit 1
`,
  );
});

test('places that no file has are refused', async () => {
  assert.equal(
    await refusal('graph definition', { place: 'src/main.ts:9' }),
    'BAD_ARGUMENT: the place has another form (Write PATH:LINE:COLUMN.)',
  );
  assert.equal(
    await refusal('graph definition', { place: 'src/main.ts:99:1' }),
    'BAD_ARGUMENT: src/main.ts has no line 99 (It has 13 lines.)',
  );
  assert.equal(
    await refusal('graph definition', { place: 'src/main.ts:0:1' }),
    'BAD_ARGUMENT: src/main.ts has no line 0 (It has 13 lines.)',
  );
  assert.equal(
    await refusal('graph definition', { place: 'src/mian.ts:1:1' }),
    'BAD_ARGUMENT: no file src/mian.ts is indexed in this snapshot (Did you mean src/main.ts?)',
  );
});

test('a definition is found behind a decorator that has its name as a part, and the decorator is none', async () => {
  const repo = createRepo();
  repo.commit({
    'cart.ts': 'export class Cart {\n  @cartTotals\n  cartTotal(): number {\n    return 1;\n  }\n}\n',
    'cart.py': '@sub_total\ndef total():\n    return 1\n',
  });
  const { text: told } = await openTold(repo);
  const answers = await Promise.all(
    ['cart.ts:3:5', 'cart.ts:2:5', 'cart.py:2:5', 'cart.py:1:3'].map((place) => told('graph definition', { place })),
  );
  assert.deepEqual(answers, [
    '\ncart.ts:2  Cart.cartTotal  method\n',
    '\nno definition of cartTotals is known for that place\nexit 1\n',
    '\ncart.py:1  total  function\n',
    '\nno definition of sub_total is known for that place\nexit 1\n',
  ]);
});
