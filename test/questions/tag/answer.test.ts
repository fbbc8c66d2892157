/** Tags of rules and by hand: counted, listed, explained, given and taken away. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tagTest } from '../../../src/questions/tag/read-tags.js';
import { askerOf } from '../../support/in-process/asker.js';
import { openTold } from '../../support/in-process/told.js';
import { makeMarket } from '../../support/repositories/market.js';

const repo = makeMarket();
const RULES = [
  { tag: 'pricing', symbol: ['*Tax', 'Item'], why: 'money' },
  { tag: 'pricing', path: ['src/money.ts'] },
  { tag: 'python', path: ['lib/**'] },
];
repo.commit({ '.socraticode.json': JSON.stringify({ tags: { rules: RULES } }) }, 'tags');
const { text, refusal, session } = await openTold(repo);

test('rules give tags to files and symbols, and say why', async () => {
  assert.equal(
    await text('tags'),
    `
python         3 files, 0 symbols in others
pricing        1 file, 1 symbol in others
configuration  1 file, 0 symbols in others
http           1 file, 0 symbols in others
logging        1 file, 0 symbols in others
tests          1 file, 0 symbols in others
auth           nothing
caching        nothing
database       nothing
`,
  );
  assert.equal(
    await text('tag list', { tag: 'pricing' }),
    `
pricing: 1 file, 1 symbol in others
src/cart.ts
  11-16 Item
src/money.ts  whole file
`,
  );
  assert.equal(
    await text('tag list', { tag: 'python', limit: 1 }),
    `
python: 3 files, 0 symbols in others
lib/__init__.py  whole file
  … 2 more: raise --limit
`,
  );
  assert.equal(
    await text('tag why', { target: 'withTax' }),
    `
src/money.ts  5-8 withTax
pricing
  its file: path src/money.ts  rule of .socraticode.json, 2
  symbol withTax  rule of .socraticode.json, 1: money
`,
  );
  assert.equal(
    await text('tag why', { target: 'Item.price' }),
    `
src/cart.ts  13-15 Item.price
pricing
  Item: symbol Item  rule of .socraticode.json, 1: money
`,
  );
  assert.equal(
    await text('tag why', { target: 'restock' }),
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
    await text('tag why', { target: 'src/log.ts' }),
    `
src/log.ts  whole file
logging
  path {logging,logger,log,logs}.*  built-in rule 10
`,
  );
});

test('a tag by hand is new once, can be shared later, and is taken away again', async () => {
  const add = (target: string, tag: string, more = {}) => text('tag add', { target, tag, ...more });
  assert.equal(
    await add('Cart.total', 'slow'),
    `
src/cart.ts  33-35 Cart.total  has the tag slow  only in this clone
`,
  );
  assert.equal(
    await add('Cart.total', 'slow'),
    `
src/cart.ts  33-35 Cart.total  has the tag slow  as before, only in this clone
`,
  );
  assert.equal(
    await add('Cart.total', 'slow', { share: true }),
    `
src/cart.ts  33-35 Cart.total  has the tag slow  shared with the next push
`,
  );
  assert.equal(
    await add('src/log.ts', 'slow', { agent: 'robot' }),
    `
src/log.ts  whole file  has the tag slow  only in this clone
`,
  );
  assert.equal(
    await add('log', 'slow'),
    `
src/log.ts  1-3 log  has the tag slow  only in this clone
`,
  );
  assert.equal(
    await text('tag list', { tag: 'slow' }),
    `
slow: 1 file, 1 symbol in others
src/cart.ts
  33-35 Cart.total  by A U Thor <author@example.com>, <now>, shared
src/log.ts  whole file  by the agent robot of A U Thor <author@example.com>, <now>, only in this clone
`,
  );
  assert.equal(
    await text('tag why', { target: 'log' }),
    `
src/log.ts  1-3 log
logging
  its file: path {logging,logger,log,logs}.*  built-in rule 10
slow
 its file:   by the agent robot of A U Thor <author@example.com>, <now>, only in this clone
   by A U Thor <author@example.com>, <now>, only in this clone
`,
  );
  assert.equal(
    await text('tag remove', { target: 'Cart.total', tag: 'slow' }),
    `
src/cart.ts  33-35 Cart.total  does not have the tag slow  shared with the next push
`,
  );
  assert.equal(
    await text('tag list', { tag: 'slow' }),
    `
slow: 1 file, 0 symbols in others
src/log.ts  whole file  by the agent robot of A U Thor <author@example.com>, <now>, only in this clone
`,
  );
  assert.equal(
    await text('tags'),
    `
python         3 files, 0 symbols in others
pricing        1 file, 1 symbol in others
configuration  1 file, 0 symbols in others
http           1 file, 0 symbols in others
logging        1 file, 0 symbols in others
slow           1 file, 0 symbols in others, 2 by hand
tests          1 file, 0 symbols in others
auth           nothing
caching        nothing
database       nothing
`,
  );
});

test('what a rule gave can be taken away where it was given, and nowhere else', async () => {
  assert.equal(
    await refusal('tag remove', { target: 'Item.price', tag: 'pricing' }),
    'BAD_ARGUMENT: Item.price does not itself have the tag pricing (A tag of its file or of the symbol around it is taken from that one: `tag why` says which.)',
  );
  assert.equal(
    await text('tag remove', { target: 'Item', tag: 'pricing' }),
    `
src/cart.ts  11-16 Item  does not have the tag pricing  only in this clone
`,
  );
  assert.equal(
    await text('tag list', { tag: 'pricing' }),
    `
pricing: 1 file, 0 symbols in others
src/money.ts  whole file
`,
  );
  assert.equal(
    await refusal('tag list', { tag: 'pricin' }),
    'BAD_ARGUMENT: no rule and nobody gives the tag pricin (Did you mean pricing? Tags here: configuration, http, logging, pricing, python, slow, tests)',
  );
});

test('lines have a tag where they meet those of a place that has it', async () => {
  await text('tag add', { target: 'Shelf.fill', tag: 'busy' });
  const has = await tagTest(askerOf(session), ['busy'], {});
  const bounds = [
    [1, 3],
    [1, 4],
    [5, 6],
    [7, 9],
    [8, 9],
  ];
  assert.deepEqual(
    bounds.map(([first, last]) => has('src/shelf.ts', first, last)),
    [false, true, true, true, false],
  );
  await text('tag remove', { target: 'Shelf.fill', tag: 'busy' });
  const slow = await tagTest(askerOf(session), ['!slow'], {});
  assert.deepEqual([slow('src/log.ts', 1, 3), slow('src/cart.ts', 1, 3)], [false, true]);
});

test('searches take code with a tag, or without it', async () => {
  const paths = async (tag: string[]) =>
    (await text('search', { query: 'total price log', tag, noContent: true, mode: 'lexical' })).replace(
      /^.*?@.*$/m,
      '',
    );
  assert.equal(
    await paths(['slow']),
    `
src/log.ts:1  log  function
1-3

filters by tag left out 7 of the best results
`,
  );
  assert.equal(
    await paths(['!pricing', '!slow']),
    `
src/cart.ts:7  Priced  interface
7-40

src/routes.ts:1  app  constant
1-10

docs/guide.md:1  Guide  section
1-7

.socraticode.json:1  tags  key
1-1

src/cart.test.ts:1  code
1-13

`,
  );
});

test('tags by hand on code that changed say so, and those on code that is gone are counted', async () => {
  const file = repo.git('show', 'HEAD:src/log.ts');
  repo.write({ 'src/log.ts': file.replace('text)', 'text, 1)') });
  assert.equal(
    await text('tag list', { tag: 'slow' }),
    `
slow: 1 file, 0 symbols in others
src/log.ts  whole file  by the agent robot of A U Thor <author@example.com>, <now>, only in this clone, its code changed since

1 uncommitted file included
`,
  );
  repo.git('rm', '-qf', 'src/log.ts');
  assert.equal(
    await text('tag list', { tag: 'slow' }),
    `
slow: nothing
2 tags given by hand to code that is gone

1 uncommitted file included
exit 1
`,
  );
  repo.git('checkout', '-q', 'HEAD', '--', '.');
});
