/** Sizes of the graph by language, the most connected, and what makes answers incomplete. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GraphStatsResponse, Shares } from '../../../../src/questions/graph/stats/question.js';
import { openTold } from '../../../support/in-process/told.js';
import { market } from '../../../support/repositories/market.js';

const { text, document } = await openTold(market);

test('sizes, shares of what was resolved, languages, the most connected, orphans', async () => {
  assert.equal(
    await text('graph stats'),
    `
files    14: 11 linked, 3 without call facts
symbols  33
edges    35 call, 17 import, 8 new, 5 read, 4 type, 2 extends, 2 value, 1 implements, 1 type-import
imports  18: 67% resolved, 28% external, 6% unresolved
calls    45: 67% resolved, 22% external, 11% unresolved
cycles   1: graph cycles lists them

languages
  typescript  8 files; imports 16: 69% resolved, 25% external, 6% unresolved; calls 42: 67% resolved, 24% external, 10% unresolved
  few or no edges: 3 python, 1 json, 1 markdown, 1 text

most connected files
  src/cart.ts  used by 4, uses 2
  src/money.ts  used by 3, uses 2
  src/main.ts  used by 1, uses 3
  src/shelf.ts  used by 2, uses 1
  src/cart.test.ts  used by 0, uses 2
  lib/fmt.py  used by 1, uses 0
  lib/report.py  used by 0, uses 1
  src/log.ts  used by 1, uses 0
  src/routes.ts  used by 0, uses 1

most used symbols
  src/cart.ts:25  Cart  class  4 uses in 4 files
  src/cart.ts:7  Priced  interface  3 uses in 1 file
  src/cart.ts:11  Item  class  3 uses in 3 files
  src/cart.ts:28  Cart.add  method  3 uses in 2 files
  src/cart.ts:26  Cart.items  field  2 uses in 1 file
  src/cart.ts:33  Cart.total  method  2 uses in 2 files
  src/main.ts:5  main  function  2 uses in 2 files
  src/routes.ts:4  app  constant  2 uses in 1 file
  src/shelf.ts:3  Shelf  class  2 uses in 2 files
  src/shelf.ts:4  Shelf.fill  method  2 uses in 2 files

orphans: 2 files that no import connects
  lib/__init__.py
  src/broken.ts

files with parse errors that may hide declarations and uses: 1
`,
  );
});

test('a limit cuts each list', async () => {
  assert.equal(
    await text('graph stats', { limit: 1 }),
    `
files    14: 11 linked, 3 without call facts
symbols  33
edges    35 call, 17 import, 8 new, 5 read, 4 type, 2 extends, 2 value, 1 implements, 1 type-import
imports  18: 67% resolved, 28% external, 6% unresolved
calls    45: 67% resolved, 22% external, 11% unresolved
cycles   1: graph cycles lists them

languages
  typescript  8 files; imports 16: 69% resolved, 25% external, 6% unresolved; calls 42: 67% resolved, 24% external, 10% unresolved
  few or no edges: 3 python, 1 json, 1 markdown, 1 text

most connected files
  src/cart.ts  used by 4, uses 2

most used symbols
  src/cart.ts:25  Cart  class  4 uses in 4 files

orphans: 2 files that no import connects
  lib/__init__.py
  … 1 more: raise --limit

files with parse errors that may hide declarations and uses: 1
`,
  );
});

test('each language has its own files, symbols, calls and imports', async () => {
  const { languages, states } = await document<Pick<GraphStatsResponse, 'languages' | 'states'>>('graph stats');
  const counts = ({ total, resolved, external, ambiguous, unresolved }: Shares) =>
    [total, resolved, external, ambiguous, unresolved].join(' ');
  assert.deepEqual(states, { linked: 11, none: 3, degraded: 0, unreadable: 0 });
  assert.deepEqual(
    languages.map(({ language, files, symbols, calls, imports }) => [
      language,
      files,
      symbols,
      counts(calls),
      counts(imports),
    ]),
    [
      ['typescript', 8, 30, '42 28 10 0 4', '16 11 4 0 1'],
      ['python', 3, 3, '3 2 0 0 1', '2 1 1 0 0'],
      ['json', 1, 0, '0 0 0 0 0', '0 0 0 0 0'],
      ['markdown', 1, 0, '0 0 0 0 0', '0 0 0 0 0'],
      ['text', 1, 0, '0 0 0 0 0', '0 0 0 0 0'],
    ],
  );
});
