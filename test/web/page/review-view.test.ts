/** Views of changes as a reader sees them: review, history, people. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyView, peopleView, reviewView, suggestions } from '../../../src/web/page/review-view.js';
import { Browser, Drawn } from './drawn.js';

const DAY = '2024-05-31T10:00:00Z';
const COMMIT = 'c0ffee0123456789';
const NONE = { list: [], leftOut: 0 };
const LISTS = ['notRead', 'dangling', 'mismatches', 'api', 'further', 'symbols', 'removed', 'coupled', 'owners'];
const CHANGES = {
  ...Object.fromEntries(LISTS.map((name) => [name, NONE])),
  ...{ files: 2, notIndexed: 1, users: { before: 1_200, after: 3 } },
  ...{ from: { ref: 'main', commit: null }, to: { ref: 'feature', commit: null } },
  removed: { list: [{ path: 'src/old.ts', symbol: 'oldTotal', kind: 'function', uses: NONE }], leftOut: 2 },
};
const ANN = { name: 'Ann', email: '', by: 'person', signed: false, parts: 1 };
const REVIEW = {
  risk: { level: 'high', reasons: ['an export changed', 'no test reaches it'] },
  ...{ changes: CHANGES, affected: 4_000, depth: 3, tests: NONE, coverage: { covered: 1, total: 1 }, dirty: 0 },
  approvals: {
    ...{ parts: 3, seen: 1, minReviewers: 1, how: { same: 1, moved: 0, renamed: 0, reindented: 0 }, unreadable: 0 },
    ...{ reviewers: [ANN, { ...ANN, name: 'Bob' }], unseen: NONE },
  },
};
const PART = { path: 'src/cart.ts', symbol: 'Cart.total', startLine: 5, endLine: 7, content: 'a\nb\nc\n' };
const SHOWN = {
  commit: COMMIT,
  range: { deleted: { count: 3, first: ['old.ts', 'older.ts'] } },
  parts: [
    {
      ...PART,
      changes: [
        { line: 6, added: 1, removed: 2 },
        { line: 7, added: 1, removed: 0 },
      ],
    },
  ],
};

test('the branch that is checked out is suggested for a review, unless it is unknown or the main one', (t) => {
  new Browser(t, {}).at('/review?range=main..detached');
  const suggested = (branch: string | null, range = '') =>
    Object.keys(new Drawn(suggestions(range, { branch, commit: null })).links);
  assert.deepEqual(suggested('feature'), ['main...feature', 'HEAD~1..HEAD']);
  assert.deepEqual(suggested('feature', 'main...feature'), ['HEAD~1..HEAD']);
  for (const branch of [null, 'main', 'master']) assert.deepEqual(suggested(branch), ['HEAD~1..HEAD'], `${branch}`);
});

test('a review tells its risk, what is affected, who approved it, and shows the changed lines', async (t) => {
  const browser = new Browser(t, { review: REVIEW, show: SHOWN });
  const drawn = await browser.draw('/review?range=main...feature&in=main..v1', reviewView);
  assert.deepEqual(
    drawn.text,
    `Review of main...feature
Range Review HEAD~1..HEAD
3 files (1 of them not indexed), 0 symbols changed, 3 removed
risk: high (an export changed; no test reaches it)
users: 1,200 before, 4,000 now, within 3 hops
1 of 3 changed parts is as it was approved, 2 are new
approved by Ann: 1; Bob: 1 (names without proof)
Findings
Changes, largest effect first 3
removed: src/old.ts oldTotal function
and 2 more
Search in what changed
Changed code
Deleted: old.ts, older.ts and 1 more
Cart.total src/cart.ts:5 +2 −2
5 a
6 b
7 c`,
  );
  assert.deepEqual(drawn.links, {
    '5': '/read?in=main..v1&path=src%2Fcart.ts&lines=5',
    '6': '/read?in=main..v1&path=src%2Fcart.ts&lines=6',
    '7': '/read?in=main..v1&path=src%2Fcart.ts&lines=7',
    'HEAD~1..HEAD': '/review?range=HEAD%7E1..HEAD',
    'Search in what changed': '/?in=main...feature',
    'Cart.total src/cart.ts:5': '/read?in=main..v1&path=src%2Fcart.ts&lines=5-7',
  });
  assert.deepEqual(browser.last('review'), { range: 'main...feature', limit: 30 });
  assert.deepEqual(browser.last('show'), { in: 'main...feature' });
  assert.deepEqual(drawn.rows, ['', 'changed', 'changed']);
});

test('a review of uncommitted changes has no range, and says so where nothing differs', async (t) => {
  const { approvals, ...plain } = REVIEW;
  const changes = { ...CHANGES, files: 0, notIndexed: 0, removed: NONE };
  const nothing = { ...plain, risk: { level: 'low', reasons: [] }, changes };
  const browser = new Browser(t, { review: nothing });
  const drawn = await browser.draw('/review', reviewView);
  assert.deepEqual(
    drawn.text,
    `Review of uncommitted changes
Range Review main...feature HEAD~1..HEAD
0 files, 0 symbols changed
nothing that others could notice`,
  );
  assert.deepEqual(browser.last('review'), { limit: 30 });
  assert.equal(browser.last('show'), undefined, 'no code to show');
});

test('a review leaves out what is not known: approvals, who gave them, and deleted files', async (t) => {
  const { approvals, ...review } = REVIEW;
  const parts = Array.from({ length: 60 }, (_, i) => ({ ...PART, symbol: null, path: `src/${i}.ts` }));
  const shown = { review: { ...review, changes: { ...CHANGES, notIndexed: 0 } }, show: { commit: null, parts } };
  const { text } = await new Browser(t, shown).draw('/review?range=main..unknown', reviewView);
  assert.match(text, /^src\/59\.ts:5/m);
  assert.doesNotMatch(text, /approved|Deleted|more parts/);
  const unsigned = { ...shown.review, approvals: { ...approvals, reviewers: [] } };
  const kept = { commit: null, parts: [], range: { deleted: { count: 0, first: [] } } };
  const drawn = await new Browser(t, { review: unsigned, show: kept }).draw('/review?range=main..unsigned', reviewView);
  assert.match(drawn.text, /^1 of 3 changed parts is as it was approved, 2 are new$/m);
  assert.doesNotMatch(drawn.text, /approved by|Deleted/);
});

test('a review of files without an index says how many those are', async (t) => {
  const changes = { ...CHANGES, files: 0, notIndexed: 2, removed: NONE };
  const unindexed = { ...REVIEW, risk: { level: 'unknown', reasons: ['2 changed files are not indexed'] }, changes };
  const browser = new Browser(t, { review: unindexed });
  const drawn = await browser.draw('/review?range=HEAD~1..HEAD', reviewView);
  assert.deepEqual(
    drawn.text,
    `Review of HEAD~1..HEAD
Range Review main...feature
2 files (not indexed), 0 symbols changed
risk: unknown (2 changed files are not indexed)
users: 1,200 before, 4,000 now, within 3 hops
1 of 3 changed parts is as it was approved, 2 are new
approved by Ann: 1; Bob: 1 (names without proof)`,
  );
});

test('a review with one reviewer and tests that reach it; many parts are cut, and all deleted files named', async (t) => {
  const review = {
    ...REVIEW,
    tests: { list: [{ path: 'test/cart.test.ts', line: 3, symbol: null, reason: 'calls', hops: 1 }], leftOut: 0 },
  };
  const approvals = { ...REVIEW.approvals, reviewers: [ANN] };
  const changes = { ...CHANGES, notIndexed: 0 };
  const show = {
    commit: COMMIT,
    range: { deleted: { count: 1, first: ['old.ts'] } },
    parts: Array.from({ length: 62 }, (_, i) => ({ ...PART, symbol: null, path: `src/${i}.ts` })),
  };
  const browser = new Browser(t, { review: { ...review, approvals, changes }, show });
  const { text } = await browser.draw('/review?range=main..tested', reviewView);
  assert.deepEqual(
    text.replace(/\nsrc\/(?!59)\d+\.ts:5 \+0 −0\n5a\n6b\n7c/g, ''),
    `Review of main..tested
Range Review main...feature HEAD~1..HEAD
2 files, 0 symbols changed, 3 removed
risk: high (an export changed; no test reaches it)
users: 1,200 before, 4,000 now, within 3 hops
1 of 3 changed parts is as it was approved, 2 are new
approved by Ann: 1 (names without proof)
Findings
Changes, largest effect first 3
removed: src/old.ts oldTotal function
and 2 more
Tests to run 1
test/cart.test.ts:3 directly
Search in what changed
Changed code
Deleted: old.ts
src/0.ts:5 +0 −0
5 a
6 b
7 c
src/1.ts:5 +0 −0
5 a
6 b
7 c
src/2.ts:5 +0 −0
5 a
6 b
7 c
src/3.ts:5 +0 −0
5 a
6 b
7 c
src/4.ts:5 +0 −0
5 a
6 b
7 c
src/5.ts:5 +0 −0
5 a
6 b
7 c
src/6.ts:5 +0 −0
5 a
6 b
7 c
src/7.ts:5 +0 −0
5 a
6 b
7 c
src/8.ts:5 +0 −0
5 a
6 b
7 c
src/9.ts:5 +0 −0
5 a
6 b
7 c
src/10.ts:5 +0 −0
5 a
6 b
7 c
src/11.ts:5 +0 −0
5 a
6 b
7 c
src/12.ts:5 +0 −0
5 a
6 b
7 c
src/13.ts:5 +0 −0
5 a
6 b
7 c
src/14.ts:5 +0 −0
5 a
6 b
7 c
src/15.ts:5 +0 −0
5 a
6 b
7 c
src/16.ts:5 +0 −0
5 a
6 b
7 c
src/17.ts:5 +0 −0
5 a
6 b
7 c
src/18.ts:5 +0 −0
5 a
6 b
7 c
src/19.ts:5 +0 −0
5 a
6 b
7 c
src/20.ts:5 +0 −0
5 a
6 b
7 c
src/21.ts:5 +0 −0
5 a
6 b
7 c
src/22.ts:5 +0 −0
5 a
6 b
7 c
src/23.ts:5 +0 −0
5 a
6 b
7 c
src/24.ts:5 +0 −0
5 a
6 b
7 c
src/25.ts:5 +0 −0
5 a
6 b
7 c
src/26.ts:5 +0 −0
5 a
6 b
7 c
src/27.ts:5 +0 −0
5 a
6 b
7 c
src/28.ts:5 +0 −0
5 a
6 b
7 c
src/29.ts:5 +0 −0
5 a
6 b
7 c
src/30.ts:5 +0 −0
5 a
6 b
7 c
src/31.ts:5 +0 −0
5 a
6 b
7 c
src/32.ts:5 +0 −0
5 a
6 b
7 c
src/33.ts:5 +0 −0
5 a
6 b
7 c
src/34.ts:5 +0 −0
5 a
6 b
7 c
src/35.ts:5 +0 −0
5 a
6 b
7 c
src/36.ts:5 +0 −0
5 a
6 b
7 c
src/37.ts:5 +0 −0
5 a
6 b
7 c
src/38.ts:5 +0 −0
5 a
6 b
7 c
src/39.ts:5 +0 −0
5 a
6 b
7 c
src/40.ts:5 +0 −0
5 a
6 b
7 c
src/41.ts:5 +0 −0
5 a
6 b
7 c
src/42.ts:5 +0 −0
5 a
6 b
7 c
src/43.ts:5 +0 −0
5 a
6 b
7 c
src/44.ts:5 +0 −0
5 a
6 b
7 c
src/45.ts:5 +0 −0
5 a
6 b
7 c
src/46.ts:5 +0 −0
5 a
6 b
7 c
src/47.ts:5 +0 −0
5 a
6 b
7 c
src/48.ts:5 +0 −0
5 a
6 b
7 c
src/49.ts:5 +0 −0
5 a
6 b
7 c
src/50.ts:5 +0 −0
5 a
6 b
7 c
src/51.ts:5 +0 −0
5 a
6 b
7 c
src/52.ts:5 +0 −0
5 a
6 b
7 c
src/53.ts:5 +0 −0
5 a
6 b
7 c
src/54.ts:5 +0 −0
5 a
6 b
7 c
src/55.ts:5 +0 −0
5 a
6 b
7 c
src/56.ts:5 +0 −0
5 a
6 b
7 c
src/57.ts:5 +0 −0
5 a
6 b
7 c
src/58.ts:5 +0 −0
5 a
6 b
7 c
src/59.ts:5 +0 −0
5 a
6 b
7 c
and 2 more parts`,
  );
});

const EVENT = { commit: COMMIT, date: DAY, author: 'Ann', subject: 'Add carts', path: 'src/cart.ts' };
const RESULT = {
  ...{ path: 'src/cart.ts', startLine: 5, endLine: 7, symbol: 'Cart.total', kind: 'method', present: true },
  ...{ disappeared: null, changes: 2, language: '', content: 'x\ny\n' },
  events: [
    { ...EVENT, type: 'changed', parts: ['body', 'signature'] },
    { ...EVENT, type: 'appeared', subject: '', from: 'src/basket.ts' },
  ],
};
const GONE = {
  ...RESULT,
  ...{ symbol: null, present: false, changes: 0, content: undefined, disappeared: { commit: COMMIT } },
  events: [{ ...EVENT, type: 'disappeared', from: 'src/cart.ts' }],
};

test('the history of code: what happened to it, with links to it as it was', async (t) => {
  const browser = new Browser(t, { history: { results: [RESULT, GONE] } });
  const drawn = await browser.draw('/history?q=total&ref=v1', historyView);
  assert.deepEqual(
    drawn.text,
    `History of code
Symbol or words only code that is gone Show Search commits instead
2 results.
Cart.total src/cart.ts:5
method still there 2 changes
changed 2024-05-31 Add carts Ann body, signature as it was
appeared 2024-05-31 c0ffee0123456789 Ann from src/basket.ts as it was
Its code
5 x
6 y
src/cart.ts:5
method gone never changed
disappeared 2024-05-31 Add carts Ann as it was`,
  );
  assert.deepEqual(drawn.links, {
    '5': '/read?ref=v1&path=src%2Fcart.ts&lines=5',
    '6': '/read?ref=v1&path=src%2Fcart.ts&lines=6',
    'Search commits instead': '/?ref=v1&q=total&what=commits',
    'Cart.total src/cart.ts:5': '/read?ref=v1&path=src%2Fcart.ts&lines=5-7',
    'Add carts': 'https://github.com/acme/shop/commit/c0ffee0123456789',
    'as it was': '/read?path=src%2Fcart.ts&ref=c0ffee0123456789',
    c0ffee0123456789: 'https://github.com/acme/shop/commit/c0ffee0123456789',
    'src/cart.ts:5': '/read?path=src%2Fcart.ts&ref=c0ffee0123456789%5E',
  });
  assert.deepEqual(browser.asked.slice(-2), [
    ['history', { query: 'total', ref: 'v1', limit: 8, events: true, maxCommits: 40 }],
    ['history', { query: 'total', ref: 'v1', limit: 8, events: true }],
  ]);
});

test('while older commits are read, no count of changes is told', async (t) => {
  const never = new Promise(() => {});
  const browser = new Browser(t, {
    history: (values: { maxCommits?: number }) => (values.maxCommits === undefined ? never : { results: [RESULT] }),
  });
  const { text } = await browser.draw('/history?q=prices&gone=yes', historyView);
  assert.deepEqual(
    text,
    `History of code
Symbol or words only code that is gone Show Search commits instead
1 result in the 40 newest commits; older ones are being read.
Cart.total src/cart.ts:5
method still there reading its changes
changed 2024-05-31 Add carts Ann body, signature as it was
appeared 2024-05-31 c0ffee0123456789 Ann from src/basket.ts as it was
Its code
5 x
6 y`,
  );
  assert.equal(browser.last('history')?.deleted, true);
});

test('a history without a question asks nothing, and one without an answer says so', async (t) => {
  const browser = new Browser(t, { history: { results: [] } });
  const { text } = await browser.draw('/history?q=%20', historyView);
  assert.deepEqual(
    text,
    `History of code
Symbol or words only code that is gone Show Search commits instead
Name a symbol for all of its past, or use words to find code that is not there any more.`,
  );
  assert.equal(browser.last('history'), undefined);
  const found = await browser.draw('/history?q=nothing', historyView);
  assert.match(found.text, /^Nothing found\.$/m);
});

const PAST = {
  ...{ method: 'commits', files: 1, changes: 4 },
  window: { commits: 9, end: 'root', unknown: 0, oldest: DAY },
};

test('who knows a file, and what changes with it', async (t) => {
  const owners = { list: [{ author: 'Ann', share: 0.666, commits: 1_200, last: DAY }], leftOut: 0 };
  const coupled = { list: [{ path: 'src/price.ts', together: 3, of: 4, share: 0.75 }], leftOut: 0 };
  const browser = new Browser(t, {
    owners: { ...PAST, paths: ['src/cart.ts'], owners },
    coupling: { ...PAST, target: 'src/cart.ts', coupled },
  });
  const drawn = await browser.draw('/people?path=src/cart.ts&ref=v2', peopleView);
  assert.deepEqual(
    drawn.text,
    `Who knows src/cart.ts
File, folder or symbol Show
src/cart.ts changed in 4 commits
from all 9 commits since 2024-05-31; newer ones weigh more
Findings
Who knows it 1
67% Ann 1,200 commits, last 2024-05-31
src/cart.ts changed in 4 commits
from all 9 commits since 2024-05-31; newer ones weigh more
Findings
Usually also changes 1
src/price.ts in 3 of 4 commits`,
  );
  assert.deepEqual(browser.last('owners'), { ref: 'v2', limit: 25, paths: ['src/cart.ts'] });
  assert.deepEqual(browser.last('coupling'), { target: 'src/cart.ts', ref: 'v2', limit: 25 });
});

test('who knows the whole repository; a file that changes with no other', async (t) => {
  const browser = new Browser(t, {
    owners: { ...PAST, paths: [], owners: NONE },
    coupling: { ...PAST, target: 'a.ts', changes: 1, coupled: NONE },
  });
  const whole = await browser.draw('/people?ref=v3', peopleView);
  assert.deepEqual(
    whole.text,
    `Who knows this repository
File, folder or symbol Show
this repository changed in 4 commits
from all 9 commits since 2024-05-31; newer ones weigh more`,
  );
  assert.deepEqual(browser.last('owners'), { ref: 'v3', limit: 25 });
  assert.equal(browser.last('coupling'), undefined);
  const alone = await browser.draw('/people?ref=v3&path=a.ts', peopleView);
  assert.deepEqual(
    alone.text,
    `Who knows a.ts
File, folder or symbol Show
this repository changed in 4 commits
from all 9 commits since 2024-05-31; newer ones weigh more
a.ts changed in 1 commit
nothing else usually changes with it
from all 9 commits since 2024-05-31; newer ones weigh more`,
  );
});
