/** Paths by uses and by imports, and where a way that is not known may go on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathBetween } from '../../../../src/questions/graph/path/answer.js';
import { graphOf, nodeAt } from '../../../graph/build.js';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';

const { text, refusal, document } = await openTold(market);
const path = (from: string, to: string, more = {}) => text('graph path', { from, to, ...more });

test('the shortest way by uses, through what a use may run instead and what a type constructs', async () => {
  assert.equal(
    await path('main', 'log'),
    `
6 steps by uses
src/main.ts:5  main  function
  calls at src/main.ts:8
src/money.ts:22  describe  function
  calls at src/money.ts:23
src/cart.ts:33  Cart.total  method
  calls at src/cart.ts:34
src/cart.ts:8  Priced.price  method
  may run instead at src/cart.ts:13
src/cart.ts:13  Item.price  method
  calls at src/cart.ts:14
src/money.ts:5  withTax  function
  calls at src/money.ts:6
src/log.ts:1  log  function
`,
  );
  assert.equal(
    await path('Shelf.fill', 'roundUp'),
    `
2 steps by imports: no way by calls and uses is known
src/shelf.ts  file
  imports at src/shelf.ts:1
src/cart.ts  file
  imports at src/cart.ts:3
src/money.ts  file

no use that is reached has the name of one that leads there  (8 symbols reached, 11 that lead there)
it may be called by a name made at run time, by a library, or not at all
`,
  );
  assert.equal(
    await path('src/main.ts', 'src/log.ts'),
    `
6 steps by uses
src/main.ts:5  main  function
  calls at src/main.ts:8
src/money.ts:22  describe  function
  calls at src/money.ts:23
src/cart.ts:33  Cart.total  method
  calls at src/cart.ts:34
src/cart.ts:8  Priced.price  method
  may run instead at src/cart.ts:13
src/cart.ts:13  Item.price  method
  calls at src/cart.ts:14
src/money.ts:5  withTax  function
  calls at src/money.ts:6
src/log.ts:1  log  function
`,
  );
  assert.equal(
    await path('describe', 'Gift'),
    `
3 steps by uses
src/money.ts:22  describe  function
  calls at src/money.ts:23
src/cart.ts:33  Cart.total  method
  calls at src/cart.ts:34
src/cart.ts:8  Priced.price  method
  may run instead at src/cart.ts:19
src/cart.ts:19  Gift.price  method
`,
  );
});

test('a step that is likely is told as one, and a proven way of the same length comes first', () => {
  const graph = graphOf({
    files: { 'a.py': ['start', 'guess', 'proof', 'goal', 'end'] },
    edges: [
      { from: 'a.py:start', to: 'a.py:guess', line: 2, tier: 'likely' },
      { from: 'a.py:start', to: 'a.py:proof', line: 3, tier: 'inherited' },
      ...['a.py:guess -> a.py:goal', 'a.py:proof -> a.py:goal'],
      { from: 'a.py:goal', to: 'a.py:end', line: 9, tier: 'likely' },
    ],
  });
  const { path: found } = pathBetween(graph, [nodeAt(graph, 'a.py:start')], [nodeAt(graph, 'a.py:end')]);
  assert.deepEqual(
    found?.steps.map(({ to, likely = false }) => [to.symbol, likely]),
    [
      ['proof', false],
      ['goal', false],
      ['end', true],
    ],
  );
});

test('with reverse, the two are exchanged; a way in the other direction alone is told of', async () => {
  assert.equal(
    await path('log', 'withTax', { reverse: true }),
    `
1 step by uses
src/money.ts:5  withTax  function
  calls at src/money.ts:6
src/log.ts:1  log  function
`,
  );
  assert.equal(
    await path('log', 'withTax'),
    `
no way leads from log to withTax
there is one from withTax to log: add --reverse

no use that is reached has the name of one that leads there  (1 symbol reached, 10 that lead there)
it may be called by a name made at run time, by a library, or not at all
exit 1
`,
  );
});

test('imports lead where no use does', async () => {
  assert.equal(
    await path('lib/report.py', 'lib/__init__.py'),
    `
no way leads from lib/report.py to lib/__init__.py

no use that is reached has the name of one that leads there  (4 symbols reached, 1 that lead there)
it may be called by a name made at run time, by a library, or not at all
exit 1
`,
  );
  assert.equal(
    await path('src/cart.ts', 'src/broken.ts'),
    `
no way leads from src/cart.ts to src/broken.ts

no use that is reached has the name of one that leads there  (19 symbols reached, 2 that lead there)
it may be called by a name made at run time, by a library, or not at all; nothing known uses
  src/broken.ts:1  half  function

parse errors may hide declarations and uses in src/broken.ts
exit 1
`,
  );
});

test('where the way stops, uses that may close it are listed, nearest first and cut by the limit', async () => {
  assert.equal(
    await path('main', 'Shelf.restock'),
    `
1 step by imports: no way by calls and uses is known
src/main.ts  file
  imports at src/main.ts:3
src/shelf.ts  file

uses that may close the way  (19 symbols reached, 1 that lead there)
  src/main.ts:9  given.restock  in main: the target is not known, one is
    src/shelf.ts:9  Shelf.restock  method
`,
  );
  assert.equal(
    await path('main', 'halve'),
    `
1 step by imports: no way by calls and uses is known
src/main.ts  file
  imports at src/main.ts:2
src/money.ts  file

no use that is reached has the name of one that leads there  (19 symbols reached, 1 that lead there)
it may be called by a name made at run time, by a library, or not at all; nothing known uses
  src/money.ts:14  halve  function
`,
  );
  assert.equal(
    await path('ping', 'halve', { limit: 1 }),
    `
2 steps by imports: no way by calls and uses is known
src/shelf.ts  file
  imports at src/shelf.ts:1
src/cart.ts  file
  imports at src/cart.ts:3
src/money.ts  file

no use that is reached has the name of one that leads there  (2 symbols reached, 1 that lead there)
it may be called by a name made at run time, by a library, or not at all; nothing known uses
  src/money.ts:14  halve  function
`,
  );
});

test('a name of several definitions is answered with them, whichever end it is, and no way leads from a thing to itself', async () => {
  assert.equal(
    await path('restock', 'log', { limit: 1 }),
    `
restock is ambiguous: 2 definitions
  src/cart.ts:37  Cart.restock  method  exported, no known uses
  … 1 more: raise --limit

pick one with its place: src/cart.ts:Cart.restock
or with --file PATH
exit 1
`,
  );
  assert.equal(
    await path('log', 'restock'),
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
    await refusal('graph path', { from: 'Cart', to: 'src/cart.ts:Cart' }),
    'BAD_ARGUMENT: Cart and src/cart.ts:Cart are the same (Name two different symbols or files.)',
  );
  const found = await document<{ from: string; to: string }>('graph path', { from: 'log', to: 'ping', reverse: true });
  assert.deepEqual([found.from, found.to], ['ping', 'log']);
});
