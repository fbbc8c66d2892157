/** Verbs with particles meet names that write them as one; and a result is named after the definition whose lines answer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { stem } from '../../src/extract/terms.js';
import { parseQuery } from '../../src/search/query.js';
import { Process } from '../support/in-process/search.js';
import { createRepo } from '../support/repositories/repo.js';

const repo = createRepo();
let shop: Process;
before(async () => {
  repo.commit({
    'src/wait.js': 'export function give() {\n  return timeout;\n}\n',
    'src/clock.js': 'export function timer() {\n  return time.of(timed, times);\n}\n',
    'src/cart.js': [
      'export const LARGEST_CART = 50;\n',
      'export class Cart {\n  add(item) {\n    this.items.push(item);\n  }\n',
      '  // Takes the discount off the price.\n  reduce(price) {\n    return price - this.discount;\n  }\n}\n',
    ].join('\n'),
  });
  shop = await Process.open(repo);
});
after(() => shop.close());

for (const query of ['times out', 'timed out', 'timing out', 'when a request times out'])
  test(`"${query}" meets the name timeout`, async () => {
    assert.ok(parseQuery(query).phrasal.includes('timeout'));
    const { results } = await shop.search(query, { mode: 'lexical', explain: true });
    assert.ok(results.some(({ path }) => path === 'src/wait.js'));
  });

test('words of the query that no name has as one weigh nothing', async () => {
  const { results, corrections } = await shop.search('price down', { mode: 'lexical' });
  assert.equal(corrections, undefined);
  assert.equal(results[0].path, 'src/cart.js');
});

test('united is no past tense of unit, and inflections still meet', () => {
  assert.notEqual(stem('united'), stem('unit'));
  assert.equal(stem('limited'), stem('limit'));
});

test('a result is named after the definition whose lines have the words of the query', async () => {
  const found = async (query: string) => {
    const { results } = await shop.search(query, { mode: 'lexical' });
    const { symbol, kind } = results.find(({ path }) => path === 'src/cart.js') ?? {};
    return `${symbol} ${kind}`;
  };
  assert.equal(await found('take a discount off the price'), 'Cart.reduce method');
  assert.equal(await found('push items'), 'Cart.add method');
  assert.equal(await found('largest'), 'LARGEST_CART constant');
});
