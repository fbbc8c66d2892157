/** Filters among the words of a query. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitFilters, splitOptions } from '../../src/search/query-filters.js';

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

const isName = (option: 'lang' | 'kind', word: string) => word === (option === 'lang' ? 'go' : 'class');

test('options are taken out of a query as other searches of code write them', () => {
  assert.deepEqual(
    splitOptions('lang:go parse -path:vendor file:*.tpl cart path:"my files" kind:class language:go', isName),
    {
      query: 'parse cart',
      options: { lang: ['go', 'go'], path: ['!vendor', '*.tpl', 'my files'], kind: ['class'] },
    },
  );
});

test('words that only look like options stay', () => {
  for (const query of ['kind:regards', 'file:line', 'lang:tlh', '-lang:go x', 'xpath:a/b', 'path: a', 'file:a:b'])
    assert.deepEqual(splitOptions(query, isName), { query, options: {} });
});
