/** Why lines are as they are, who usually changes what with them, and where the code is hot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { createRepo } from '../../support/repositories/repo.js';

const cart = (rate: string) =>
  `export function total(items: number[]): number {\n  if (items.length > 1) {\n    return ${rate};\n  }\n  return 0;\n}\n\nexport const other = 1;\n`;
const repo = createRepo();
repo.commit({ 'cart.ts': cart('1'), 'cart.test.ts': "import './cart';\n" }, 'begin (#1)');
for (const [rate, words] of [
  ['2', 'double\n\nFixes #12, see PROJ-7.\nIt was too low.'],
  ['3', 'Merge pull request #9 from a/b\n\nthree'],
  ['4', 'four'],
] as const) {
  repo.write({ 'cart.ts': cart(rate), 'tax.ts': `export const tax = ${rate};\n` });
  repo.git('add', '-A');
  repo.git('commit', '-qm', words, '--author=Bob Old <bob@old.example>', `--date=2024-0${rate}-01T00:00:00Z`);
}
const { text, refusal } = await openTold(repo);

test('a line and a symbol have their commits, with requests, issues and messages', async () => {
  assert.equal(
    await text('why', { place: 'cart.ts:3' }),
    `
cart.ts:3
[four] 2024-04-01 four (Bob Old) wrote 1 of 1 line
[Merge pull request #9 from a/b] 2024-03-01 Merge pull request #9 from a/b (Bob Old)
    three
  names pull request #9
[double] 2024-02-01 double (Bob Old)
    Fixes #12, see PROJ-7.
    It was too low.
  names issue #12
[begin (#1)] 2024-01-02 begin (#1) (A U Thor)
  names pull request #1
`,
  );
  assert.equal(
    await text('why', { place: 'total', limit: 1 }),
    `
cart.ts:1-6  total
[four] 2024-04-01 four (Bob Old) wrote 1 of 6 lines
  … 3 more: raise --limit
`,
  );
  assert.equal(
    await text('why', { place: 'total', full: true }),
    `
cart.ts:1-6  total
[four] 2024-04-01 four (Bob Old) wrote 1 of 6 lines
[Merge pull request #9 from a/b] 2024-03-01 Merge pull request #9 from a/b (Bob Old)
    three
  names pull request #9
[double] 2024-02-01 double (Bob Old)
    Fixes #12, see PROJ-7.
    It was too low.
  names issue #12
[begin (#1)] 2024-01-02 begin (#1) (A U Thor) wrote 5 of 6 lines
  names pull request #1
`,
  );
  assert.equal(
    await text('why', { place: 'cart.ts:7-8', ref: 'HEAD~1' }),
    `
cart.ts:7-8
[begin (#1)] 2024-01-02 begin (#1) (A U Thor) wrote 2 of 2 lines
  names pull request #1
`,
  );
  assert.equal(await refusal('why', { place: 'cart.ts:99' }), 'BAD_ARGUMENT: cart.ts has no line 99 (It has 8 lines.)');
});

test('what changed in the same commits, by share and by number', async () => {
  assert.equal(
    await text('coupling', { target: 'cart.ts' }),
    `
cart.ts changed in 4 commits

usually also changes
  tax.ts  in 3 of 4 commits

from all 4 commits since 2024-01-02; newer ones weigh more
`,
  );
  assert.equal(
    await text('coupling', { target: 'cart.ts', minShare: 0.8 }),
    `
cart.ts changed in 4 commits
nothing else usually changes with it
from all 4 commits since 2024-01-02; newer ones weigh more
exit 1
`,
  );
  assert.equal(
    await text('coupling', { target: 'tax.ts', minCommits: 4 }),
    `
tax.ts changed in 3 commits
nothing else usually changes with it
from all 4 commits since 2024-01-02; newer ones weigh more
exit 1
`,
  );
  assert.equal(
    await text('coupling', { target: 'total' }),
    `
total: its file changed in 4 commits

symbols that usually also change
  tax.ts  tax  in 3 of 4 commits

with its file usually also changes
  tax.ts  in 3 of 4 commits

from all 4 commits since 2024-01-02; newer ones weigh more
`,
  );
});

test('files and functions by what changed, how often and how complex they are', async () => {
  assert.equal(
    await text('hotspots'),
    `
heat = churn x centrality x complexity, a number without a unit
heat  churn  centrality  complexity
  16   3.99           1           4  cart.ts  4 commits, 5 lines of code
   0      3       0.145           0  tax.ts  3 commits, 1 line of code
churn: commits, newer ones weigh more; centrality: 1 for the file that the others rest on most
complexity: depth of indentation, added up over the lines of code
1 changed test file left out: --tests
from all 4 commits since 2024-01-02; newer ones weigh more
`,
  );
  assert.equal(
    await text('hotspots', { tests: true, limit: 1 }),
    `
heat = churn x centrality x complexity, a number without a unit
heat  churn  centrality  complexity
  16   3.99           1           4  cart.ts  4 commits, 5 lines of code
  … 2 more: raise --limit
churn: commits, newer ones weigh more; centrality: 1 for the file that the others rest on most
complexity: depth of indentation, added up over the lines of code
from all 4 commits since 2024-01-02; newer ones weigh more
`,
  );
  assert.equal(
    await text('hotspots', { symbols: true }),
    `
heat = churn x centrality x complexity, a number without a unit
heat  churn  centrality  complexity
  16   3.99           1           4  cart.ts:1  total  4 commits, 0 uses, 4 lines of code
churn: commits, newer ones weigh more; centrality: log2(2 + uses)
complexity: depth of indentation, added up over the lines of code
functions of the 2 hottest files, by the newest 4 commits that changed them
1 changed test file left out: --tests
from all 4 commits since 2024-01-02; newer ones weigh more
`,
  );
  assert.equal(
    await text('hotspots', { functions: true, paths: ['cart.ts'] }),
    `
cognitive  cyclomatic  lines  parameters
        1           2      6           1  cart.ts:1  total
cognitive: branches and loops, deeper ones count more; cyclomatic: 1 + places where code may go another way
`,
  );
  assert.equal(
    await text('hotspots', { since: '2024-03-15' }),
    `
no code changed often enough to be a hotspot
only commits since 2024-03-15
from all 4 commits since 2024-01-02; newer ones weigh more
exit 1
`,
  );
});
