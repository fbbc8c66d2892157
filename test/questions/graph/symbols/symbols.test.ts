/** Symbols by file, by name and by kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runComplete } from '../../../../src/questions/graph/symbols/answer.js';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';

const { text, refusal, session } = await openTold(market);
const symbols = (given: object) => text('graph symbols', { ...given });

test('definitions of a file or a folder, with their lines and uses; a limit counts the rest', async () => {
  assert.equal(
    await symbols({ file: 'src/money.ts' }),
    `
src/money.ts
  5-8 withTax  function, exported, 1 use
  10-12 roundUp  function, 1 use
  14-16 halve  function
  18-20 quarter  function, 1 use
  22-24 describe  function, exported, 1 use
  26-28 coupon  function, exported, 1 use
`,
  );
  assert.equal(
    await symbols({ file: 'src', limit: 3 }),
    `
src/broken.ts
  1-3 half  function, exported
src/cart.ts
  7-9 Priced  interface, exported
  8 Priced.price  method, exported, 1 use
  … 27 more: raise --limit
`,
  );
});

test('a part of a name, beginnings of its words, and kinds in any language', async () => {
  assert.equal(
    await symbols({ query: 'tax' }),
    `
src/money.ts
  5-8 withTax  function, exported, 1 use
`,
  );
  assert.equal(
    await symbols({ query: 'wT' }),
    `
src/money.ts
  5-8 withTax  function, exported, 1 use
`,
  );
  assert.equal(
    await symbols({ queryOption: 'restock', query: 'ignored' }),
    `
src/cart.ts
  37-39 Cart.restock  method, exported
src/shelf.ts
  9 Shelf.restock  method, exported
`,
  );
  assert.equal(
    await symbols({ kind: ['class', 'interface'] }),
    `
src/cart.ts
  7-9 Priced  interface, exported
  11-16 Item  class, exported, 2 uses
  18-22 Gift  class, exported, 1 use
  25-40 Cart  class, exported, 2 uses
src/shelf.ts
  3-10 Shelf  class, exported, 2 uses
`,
  );
  assert.equal(
    await symbols({ query: 'p', kind: ['function'], file: 'lib' }),
    `
lib/fmt.py
  1-2 pad  function, exported, 1 use
`,
  );
});

test('where nothing has the name, names that resemble it; unknown files and kinds are refused', async () => {
  assert.equal(
    await symbols({ query: 'whithTax' }),
    `
no symbols
did you mean withTax?
exit 1
`,
  );
  assert.equal(
    await symbols({ query: 'xyzzyxyzzy' }),
    `
no symbols
exit 1
`,
  );
  assert.equal(
    await refusal('graph symbols', { kind: ['class', 'clas'] }),
    'BAD_ARGUMENT: unknown kind: clas (Did you mean class? Kinds: function, method, constructor, class, interface, trait, struct, enum, enum-member, type, module, namespace, constant, variable, field, property, macro, object, section, table, selector, key, impl)',
  );
  assert.equal(
    await refusal('graph symbols', { file: 'src/nowhere.ts' }),
    'BAD_ARGUMENT: no file src/nowhere.ts is indexed in this snapshot (The status says which files are indexed, and why others are not.)',
  );
});

test('paths and names are completed, as many as are wanted', async () => {
  const complete = (what: 'path' | 'name', part: string, limit?: number) =>
    runComplete(session, { what, text: part, limit, committed: true });
  assert.deepEqual(await complete('path', 'src/m'), { values: ['src/main.ts', 'src/money.ts'], total: 2 });
  assert.deepEqual(await complete('name', 'C', 2), { values: ['Cart.add', 'Cart'], total: 14 });
});
