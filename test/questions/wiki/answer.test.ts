/** Pages of a site about the repository, as text. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { market } from '../../support/repositories/market.js';
import { makeDirectory } from '../../support/repositories/repo.js';

const { text, refusal } = await openTold(market);
const out = join(makeDirectory('wiki'), 'site');
const masked = (told: string) => told.replaceAll(out, 'OUT').replace(/\b\d[\d.]* [KM]?B\b/g, 'SIZE');
/** What stands on a page, without markup and pictures. */
const wordsOf = (page: string) =>
  page
    .replace(/<(style|svg)[\s\S]*?<\/\1>/g, '')
    .replace(/<\/(?:tr|li|p|h\d|title|pre|dt|dd)>/g, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n[\n ]*/g, '\n')
    .replace(/\b[0-9a-f]{9,40}\b/g, '<id>')
    .replaceAll(basename(market.dir), 'REPO')
    .trim();

test('an overview, and a page of each folder and file', async () => {
  assert.equal(
    masked(await text('wiki', { out })),
    `
OUT/index.html  13 pages, SIZE
0 summaries by a model, 13 extracted from the code
`,
  );
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const pages = names.map((name) => readFileSync(join(out, name), 'utf8'));
  const page = (title: string) => wordsOf(pages.find((each) => each.includes(`<h1>${title}</h1>`)) ?? '');
  assert.equal(
    wordsOf(readFileSync(join(out, 'index.html'), 'utf8')),
    `REPO
REPO
14 files, most of them typescript. Most used: Item, withTax, Shelf, pad, log, main.
Files by language: typescript 8, python 3, json 1, markdown 1, text 1. Those of production code have a page: 10.
What is used most
symbol kind uses from other files file
Cart class 9 src/cart.ts
Shelf class 4 src/shelf.ts
Item class 3 src/cart.ts
pad function 1 lib/fmt.py
Gift class 1 src/cart.ts
log function 1 src/log.ts
main function 1 src/main.ts
withTax function 1 src/money.ts
describe function 1 src/money.ts
coupon function 1 src/money.ts
Contents
lib/ 3 files, most of them python.
src/ 8 files, most of them typescript.
HEAD <id>. Made from the code graph by git socraticode; counts are of uses that the graph knows.`,
  );
  assert.equal(
    page('src'),
    `src
REPO
src
8 files, most of them typescript.
How its parts use each other
Users stand above what they use; a dashed line leads upwards. Thicker lines stand for more uses.
Contents
broken.ts Defines half.
cart.ts Defines Item, Cart, Gift, Priced. &quot;Collects what a customer wants.&quot; Used by 4 files.
log.ts Defines log. Used by 1 file.
main.ts Defines main. Used by 1 file.
money.ts Defines withTax, describe, coupon, roundUp, quarter, halve. &quot;Adds tax to a net price.&quot; Used by 3 files.
routes.ts Defines GET /prices/:id, list, app.
shelf.ts Defines Shelf, ping, pong. Used by 2 files.
HEAD <id>. Made from the code graph by git socraticode; counts are of uses that the graph knows.`,
  );
  assert.equal(
    page('src/money.ts'),
    `src/money.ts
REPO / src
src/money.ts
Defines withTax, describe, coupon, roundUp, quarter, halve. &quot;Adds tax to a net price.&quot; Used by 3 files.
typescript, 28 lines
Definitions
name kind lines calls
withTax function, exported 5-8 1
roundUp function 10-12 1
halve function 14-16 0
quarter function 18-20 1
describe function, exported 22-24 1
coupon function, exported 26-28 1
Uses
src/cart.ts 3
src/log.ts 2
Used by
src/cart.ts 2
src/main.ts 2
HEAD <id>. Made from the code graph by git socraticode; counts are of uses that the graph knows.`,
  );
  assert.equal(
    page('src/cart.ts'),
    `src/cart.ts
REPO / src
src/cart.ts
Defines Item, Cart, Gift, Priced. &quot;Collects what a customer wants.&quot; Used by 4 files.
typescript, 40 lines
Definitions
name kind lines calls
Priced interface, exported 7-9 0
Priced.price method, exported 8-8 1
Item class, exported 11-16 2
Item.constructor constructor, exported 12-12 1
Item.net field, exported 12-12 0
Item.price method, exported 13-15 0
Gift class, exported 18-22 1
Gift.price method, exported 19-21 0
Cart class, exported 25-40 2
Cart.items field 26-26 0
Cart.add method, exported 28-31 3
Cart.total method, exported 33-35 2
Cart.restock method, exported 37-39 0
Uses
src/shelf.ts 3
src/money.ts 2
Used by
src/shelf.ts 7
src/money.ts 3
src/main.ts 2
HEAD <id>. Made from the code graph by git socraticode; counts are of uses that the graph knows.`,
  );
});

test('a later wiki takes the place of an earlier one, and of nothing else', async () => {
  assert.equal(
    masked(await text('wiki', { out, ref: 'HEAD~1' })),
    `
OUT/index.html  13 pages, SIZE
0 summaries by a model, 13 extracted from the code
`,
  );
  const other = makeDirectory('other');
  writeFileSync(join(other, 'mine.txt'), 'mine');
  assert.equal(
    (await refusal('wiki', { out: other })).replaceAll(other, 'OTHER'),
    'BAD_ARGUMENT: OTHER holds other files (Name a new directory, an empty one, or one that holds an earlier wiki.)',
  );
});
