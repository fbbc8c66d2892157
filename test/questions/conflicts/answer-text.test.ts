/** Texts of conflicts: each branch with what it shares with this side, and a plan with what breaks on the way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conflictsText } from '../../../src/questions/conflicts/answer.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';

const pen = plainPen(COMMAND_WORDS);
const told = (document: object, isCommand = false) => conflictsText(document as never, { pen, isCommand });
const none = { list: [], leftOut: 0 };
const LEFT_OUT = { merged: 0, old: 0, contained: 0, beyond: 0, files: 0 };
const HEADER = { ref: 'HEAD', coverage: { covered: 1, total: 2 }, dirty: 0, overlay: 0 };
const DOCUMENT = { ...HEADER, branches: none, clean: 0, compared: 0, leftOut: LEFT_OUT, maxAge: 1, unknown: [] };
const branch = (rest: object = {}) => ({
  ...{ name: 'topic', kind: 'branch', alias: [], uncommitted: 0, files: { theirs: 1_200, mine: 2, both: 1 } },
  ...{ merge: none, symbols: none, uses: none, unknown: [] },
  ...rest,
});
const FILES = '1,200 files changed there, 2 here, 1 on both sides';
const lines = (rest: object) => told({ ...DOCUMENT, compared: 1, branches: { list: [branch(rest)], leftOut: 0 } });

test('no branch, clean ones, and those that were not compared', () => {
  assert.equal(told(DOCUMENT), 'no branch to compare with\n');
  assert.equal(told(DOCUMENT, true), 'no branch to compare with\n\npartial: 1 of 2 files are known\n');
  assert.equal(told({ ...DOCUMENT, clean: 1, compared: 1 }), 'no conflict with 1 branch\n');
  assert.equal(told({ ...DOCUMENT, clean: 1, compared: 2 }), 'no conflict with 1 of 2 branches\n');
  assert.equal(
    told({
      ...{ ...DOCUMENT, compared: 1, maxAge: 30, unknown: ['too many files'] },
      ...{ branches: { list: [], leftOut: 3 }, leftOut: { merged: 4, old: 3, contained: 2, beyond: 1, files: 1 } },
    }),
    `  … 3 more: raise --limit
left out: 4 merged already, 3 more than 30 days older than the newest, 2 behind the local branch that follows them, 1 beyond the newest that are compared
symbols of 1 file were not compared: there are too many; name fewer branches
not compared of this side: too many files
`,
  );
});

test('a branch without anything shared says so; a work tree is named as one, with its other names', () => {
  assert.equal(lines({}), `topic  (${FILES})\n  merges, and changes nothing that you change or use\n`);
  const alias = ['a', 'b', 'c', 'd', 'e'];
  assert.equal(
    lines({ kind: 'worktree', alias, uncommitted: 1, unknown: ['no ancestor'] }),
    `topic  (work tree; 1 uncommitted file in its work tree; also a, b, c, d; ${FILES})\n  ? no ancestor\n`,
  );
});

test('conflicts of text come first, then symbols of other files, then uses of what changes there', () => {
  const shared = (path: string, line: number | null) => ({
    path,
    line,
    symbol: 'Cart.total',
    mine: 'body',
    theirs: 'signature',
  });
  const use = (change: string, rest: object = {}, target: object = {}) => ({
    ...{ path: 'c.ts', line: 4, symbol: 'main', use: 'call' },
    target: { path: 'a.ts', symbol: `f${Object.keys(target).length}`, change, was: null, now: null, ...target },
    ...rest,
  });
  const body = (symbol: string) => use('body', {}, { symbol });
  const symbols = { list: [shared('a.ts', 3), shared('b.ts', 3), shared('b.ts', null)], leftOut: 0 };
  const uses = {
    list: [
      use('removed', { symbol: null, use: 'thinks' }),
      use('signature', {}, { was: 'f(a)', now: 'f(a, b)' }),
      use('signature', {}, { was: 'f(a)', now: 'f(a)' }),
      use('signature', {}, { was: null, now: 'f(a)' }),
      ...['v', 'w', 'x', 'y', 'z', 'z'].map(body),
    ],
    leftOut: 2,
  };
  const merge = {
    list: [
      { path: 'a.ts', kind: 'contents', symbols: ['p', 'q', 'r', 's', 't', 'u'] },
      { path: 'd.ts', kind: 'removed', symbols: [] },
    ],
    leftOut: 1,
  };
  assert.equal(
    lines({ merge, symbols, uses }),
    `topic  3 merge conflicts, 3 symbols changed on both sides, 12 uses of what it changes  (${FILES})
  ! a.ts  contents: p, q, r, s and 2 more
  ! d.ts  removed
  … 1 more: raise --limit
  ~ b.ts:3  Cart.total  here: body; there: declaration
  ~ b.ts  Cart.total  here: body; there: declaration
  > c.ts:4  thinks f0 of a.ts, removed there
  > c.ts:4  main calls f2 of a.ts, declared otherwise there: f(a) -> f(a, b)
  > c.ts:4  main calls f2 of a.ts, declared otherwise there
  > c.ts:4  main calls f2 of a.ts, declared otherwise there
  > 6 uses here of what changes inside there: v, w, x, y and others
  … 2 more: raise --limit
`,
  );
  assert.match(lines({ uses: { list: [use('removed')], leftOut: 1 } }), /removed there\n {2}… 1 more/);
});

const PLAN = {
  ...{ ...HEADER, order: none, clean: 0, breaks: none, conflicts: none, unknown: [] },
  pairs: { all: 1, linked: 0, leftOut: 0 },
};
const step = (name: string, rest: object = {}) => ({
  ...{ name, kind: 'branch', files: 1, uncommitted: 0, breaks: 0, conflicts: 0, with: [], ...rest },
});

test('a plan begins with how far it goes without a break, and each step says what it breaks', () => {
  const heading = (count: number, clean: number) =>
    told({ ...PLAN, clean, order: { list: Array.from({ length: count }, () => step('a')), leftOut: 0 } }).split(
      '\n',
    )[0];
  assert.equal(heading(1, 1), 'merge 1 branch in this order: none breaks another');
  assert.equal(heading(2, 0), 'merge 2 branches in this order: the first breaks already');
  assert.equal(heading(2, 1), 'merge 2 branches in this order: the first breaks nothing');
  assert.equal(heading(3, 2), 'merge 3 branches in this order: the first 2 break nothing');
  assert.equal(
    told({ ...PLAN, unknown: ['not read'], pairs: { all: 3, linked: 1, leftOut: 2 } }, true),
    `merge 0 branches in this order: none breaks another

no branch brings anything
? not read
2 pairs were not linked: there are too many; name fewer branches
3 pairs; in 1 one names what the other changes

partial: 1 of 2 files are known
`,
  );
  const list = [
    step('a', { breaks: 1, with: ['v'] }),
    step('b', { breaks: 2, conflicts: 1, with: ['v', 'w', 'x', 'y', 'z'], kind: 'worktree', uncommitted: 3, files: 2 }),
  ];
  assert.deepEqual(
    told({ ...PLAN, order: { list, leftOut: 1 } })
      .split('\n')
      .slice(1, 4),
    [
      '  1. a  1 use breaks with v  (1 file)',
      '  2. b  2 uses break, 1 merge conflict with v, w, x, y and 1 more  (2 files; work tree; 3 uncommitted)',
      '  … 1 more: raise --limit',
    ],
  );
});

test('a break names the change, where it leads now, and the use with its reason', () => {
  const change = { what: 'removed', symbol: 'f', path: 'a.ts', line: 3 };
  const use = { path: 'b.ts', line: 7, symbol: 'main', text: 'f(1)' };
  const broken = (rest: object) => {
    const one = { certainty: 'certain', changer: 'x', user: 'y', kind: 'use', why: null, change, use, ...rest };
    return told({ ...PLAN, breaks: { list: [one], leftOut: 0 } })
      .split('\n')
      .slice(2, 4);
  };
  assert.deepEqual(broken({}), ['! x removes f a.ts:3', '    y uses it in b.ts:7  main: f(1)']);
  const now = { path: 'c.ts', line: 5, symbol: 'g' };
  assert.deepEqual(
    broken({
      certainty: 'likely',
      why: 'a guess',
      change: { ...change, what: 'renamed', now },
      use: { ...use, symbol: null },
    }),
    ['? x renames f a.ts:3 to g at c.ts:5', '    y uses it in b.ts:7  f(1)  a guess'],
  );
  assert.equal(
    broken({ change: { what: 'moved', symbol: null, path: 'a.ts', line: 1, now: { ...now, symbol: null } } })[0],
    '! x moves a.ts to c.ts:5',
  );
  const verbs = ['use', 'twice', 'demanded', 'override'].map((kind) => / y (.*) b\.ts/.exec(broken({ kind })[1])?.[1]);
  assert.deepEqual(verbs, ['uses it in', 'adds, too,', 'adds', 'adds']);
  const whats = ['hidden', 'declared', 'demanded', 'added'].map((what) => broken({ change: { ...change, what } })[0]);
  assert.deepEqual(
    whats,
    ['hides', 'declares otherwise', 'demands', 'adds'].map((verb) => `! x ${verb} f a.ts:3`),
  );
  const files = Array.from({ length: 5 }, (_, i) => ({ path: `${i}.ts`, kind: 'contents' }));
  const conflicts = { list: [{ a: 'x', b: 'y', files }], leftOut: 0 };
  assert.equal(
    told({ ...PLAN, conflicts }).split('\n')[2],
    'x x and y do not merge: 0.ts (contents), 1.ts (contents), 2.ts (contents), 3.ts (contents) and 1 more',
  );
});
