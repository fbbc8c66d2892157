/** Text of a query as typed: quoted phrases must occur, and code comes first where it stands. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { exactTexts, squeezed } from '../../src/search/exact.js';
import { Process } from '../support/in-process/search.js';
import { createRepo } from '../support/repositories/repo.js';

const repo = createRepo();
repo.commit({
  'a.ts': 'export function retry(limit: number) {\n  // gives up when the stock is out\n  return limit;\n}\n',
  'b.ts': 'export function order(stock: Stock) {\n  throw new Error("Out of   stock");\n}\n',
  'c.ts': 'export function check(color: Color, item: Item) {\n  if (color === Color.RED) item.paint( color, 1 );\n}\n',
  'd.ts': 'export enum Color {\n  RED,\n}\nexport class Item {\n  paint(color: Color, item: number) {}\n}\n',
  'e.ts':
    'export const red = 1;\nexport function paint(item: Item, color: Color) {\n  return [item, color, color, item];\n}\n',
});
repo.commit({
  'wait.ts': 'export class Wait {\n  maxTimeMS = 5000;\n  ms(ms: Ms) {\n    return ms;\n  }\n}\n',
  'doc/upgrade.md': '# Upgrade\n\nThe timeout is now 5000ms, and the\noldest server that works is 2.10.\n',
  'doc/other.md': '# Other\n\nThe timeout of 15000ms came with 2.10.3, with 2 of 10 servers.\n',
});
let shop: Process;
before(async () => {
  shop = await Process.open(repo);
});
after(() => shop.close());

const paths = async (query: string) => (await shop.search(query)).results.map(({ path }) => path);

test('a phrase in quotes occurs in every result, however it is spaced and in any case', async () => {
  assert.deepEqual(await paths('"out of stock"'), ['b.ts']);
  assert.deepEqual(await paths('order "out of stock"'), ['b.ts']);
  assert.deepEqual(await paths('"stock out of"'), []);
  assert.ok((await paths('out of stock')).length > 1);
});

test('code comes first where it stands as typed', async () => {
  assert.equal((await paths('item.paint(color, 1)'))[0], 'c.ts');
  assert.equal((await paths('if (color === Color.RED)'))[0], 'c.ts');
  assert.equal((await paths('export function check(color: Color, item: Item) {\n    nothing here'))[0], 'c.ts');
});

test('a definition of the name that was asked for stays above its uses', async () => {
  assert.equal((await paths('Color.RED'))[0], 'd.ts');
});

test('a number with its unit, or a version, comes first where it stands as typed', async () => {
  assert.equal((await paths('5000ms'))[0], 'doc/upgrade.md');
  assert.equal((await paths('timeout of 5000MS'))[0], 'doc/upgrade.md');
  assert.equal((await paths('2.10'))[0], 'doc/upgrade.md');
  assert.equal((await paths('2.10.3'))[0], 'doc/other.md');
  assert.deepEqual(exactTexts({ text: 'why is the timeout 5000ms and not longer' }), { phrases: [], lines: [] });
});

test('quotes inside of code ask for no phrase', () => {
  assert.deepEqual(exactTexts({ text: 'log("two words")' }), { phrases: [], lines: ['log("two words")'] });
  assert.deepEqual(exactTexts({ text: 'why "two words" here' }), { phrases: ['two words'], lines: [] });
  assert.deepEqual(exactTexts({ text: 'where are sessions stored?' }), { phrases: [], lines: [] });
  assert.equal(squeezed('  a ( b,\n c )'), 'a(b,c)');
});
