/** Filters among the words of a query. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitFilters } from '../../src/search/query-filters.js';

test('filters are taken out of a query, wherever they stand', () => {
  assert.deepEqual(splitFilters('author:"Ann Lee" parse since:2w -is:test cart uses:Cart.total is:source'), {
    query: 'parse cart',
    filters: { author: 'Ann Lee', since: '2w', is: ['!test', 'source'], uses: 'Cart.total' },
  });
});

test('words that only look like filters stay, and so does a query without any, byte for byte', () => {
  for (const query of [
    'std::is:: x',
    'is: test',
    'is:empty',
    '-author:ann',
    'a  b\tc',
    'http://x.org/uses:',
    '{author:1}',
  ])
    assert.deepEqual(splitFilters(query), { query, filters: {} });
});
