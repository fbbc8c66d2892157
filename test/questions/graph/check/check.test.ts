/** Rules about dependencies: each form, exceptions, types, circles, and violations that a change adds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSocraticodeError } from '../../../../src/base/errors.js';
import type { GraphRule } from '../../../../src/config/rules.js';
import {
  excessesOf,
  findViolations,
  onlyGrown,
  onlyNew,
  readRules,
  unmatchedGlobs,
} from '../../../../src/questions/graph/check/answer.js';
import type { FunctionSize } from '../../../../src/questions/hotspots/question.js';
import { graphOf, type LiteralEdge } from '../../../graph/build.js';

const FILES = ['base/b.ts', 'git/g.ts', 'ui/one/u.ts', 'ui/two/v.ts', 'ui/two/w.ts'];
const files = Object.fromEntries(FILES.map((path) => [path, ['f']]));

const brokenIn = (edges: readonly (string | LiteralEdge)[], ...rules: GraphRule[]): string[] =>
  findViolations(graphOf({ files, edges }), readRules(rules)).map(
    ({ violation: { rule, from, line, to } }) => `${rule} ${from}:${line} ${to}`,
  );

test('to forbids, only allows nothing else, and files in from may always use each other', () => {
  const edges = [
    { from: 'git/g.ts', to: 'ui/one/u.ts', line: 4 },
    'git/g.ts -> base/b.ts',
    'ui/two/v.ts -> ui/two/w.ts',
    'ui/two/v.ts -> git/g.ts',
  ];
  assert.deepEqual(brokenIn(edges, { from: ['git/**'], to: ['ui/**'], allow: false }), ['1 git/g.ts:4 ui/one/u.ts']);
  assert.deepEqual(brokenIn(edges, { from: ['ui'], only: ['base'] }), ['1 ui/two/v.ts:2 git/g.ts']);
  assert.deepEqual(brokenIn(edges, { from: ['git'], only: [] }), [
    '1 git/g.ts:2 base/b.ts',
    '1 git/g.ts:4 ui/one/u.ts',
  ]);
  assert.deepEqual(brokenIn(edges, { from: ['**', '!git'], to: ['git'] }), ['1 ui/two/v.ts:2 git/g.ts']);
});

test('layers: nothing below uses what is above; independent folders use none of the others', () => {
  const edges = [
    'base/b.ts -> git/g.ts',
    'git/g.ts -> base/b.ts',
    'ui/one/u.ts -> base/b.ts',
    'ui/one/u.ts -> ui/two/v.ts',
    'ui/two/v.ts -> ui/two/w.ts',
  ];
  assert.deepEqual(brokenIn(edges, { layers: ['base', 'git/**', 'ui'] }), ['1 base/b.ts:2 git/g.ts']);
  assert.deepEqual(brokenIn(edges, { independent: ['ui/*'] }), ['1 ui/one/u.ts:2 ui/two/v.ts']);
});

test('an exception allows what rules above it forbid, not those below; types can be left out, or alone', () => {
  const edges: LiteralEdge[] = [
    { from: 'git/g.ts', to: 'ui/one/u.ts', kind: 'type-import', line: 1 },
    { from: 'git/g.ts', to: 'ui/two/v.ts', line: 2 },
    { from: 'git/g.ts:f', to: 'ui/one/u.ts:f', kind: 'type', line: 3 },
  ];
  const forbidden: GraphRule = { from: ['git'], to: ['ui'] };
  const exception: GraphRule = { from: ['git'], to: ['ui/two'], allow: true };
  const [types, values] = ['1 git/g.ts:1 ui/one/u.ts', '1 git/g.ts:2 ui/two/v.ts'];
  assert.deepEqual(brokenIn(edges, forbidden), [types, values]);
  assert.deepEqual(brokenIn(edges, forbidden, exception), [types]);
  assert.deepEqual(brokenIn(edges, exception, forbidden), ['2 git/g.ts:1 ui/one/u.ts', '2 git/g.ts:2 ui/two/v.ts']);
  assert.deepEqual(brokenIn(edges, { ...forbidden, imports: 'values' }), [values]);
  assert.deepEqual(brokenIn(edges, { ...forbidden, imports: 'types' }), [types]);
});

test('a use in the same package needs no import and counts; a member of an object from elsewhere does not', () => {
  const edges: LiteralEdge[] = [
    { from: 'git/g.ts:f', to: 'ui/one/u.ts:f', tier: 'package', line: 5 },
    { from: 'git/g.ts:f', to: 'ui/two/v.ts:f', tier: 'receiver', line: 6 },
    { from: 'git/g.ts:f', to: 'ui/two/w.ts:f', tier: 'reexported', line: 7 },
  ];
  assert.deepEqual(brokenIn(edges, { from: ['git'], to: ['ui'] }), ['1 git/g.ts:5 ui/one/u.ts']);
});

test('circles: within the files of the rule, without those that an exception opens', () => {
  const edges = [
    'base/b.ts -> git/g.ts',
    'git/g.ts -> base/b.ts',
    'ui/one/u.ts -> ui/two/v.ts',
    'ui/two/v.ts -> ui/one/u.ts',
  ];
  assert.deepEqual(brokenIn(edges, { cycles: false }).length, 2);
  assert.deepEqual(brokenIn(edges, { from: ['ui'], cycles: false }), ['1 ui/one/u.ts:2 ui/two/v.ts']);
  const opened: GraphRule = { from: ['ui/two'], to: ['ui/one'], allow: true };
  assert.deepEqual(brokenIn(edges, { from: ['ui'], cycles: false }, opened), []);
});

test('circles: a rule of static imports passes over those that a lazy import closes', () => {
  const edges: LiteralEdge[] = [
    { from: 'base/b.ts', to: 'git/g.ts', kind: 'dynamic-import', line: 1 },
    { from: 'git/g.ts', to: 'base/b.ts', kind: 'import', line: 1 },
    { from: 'ui/one/u.ts', to: 'ui/two/v.ts', kind: 'import', line: 1 },
    { from: 'ui/two/v.ts', to: 'ui/one/u.ts', kind: 'import', line: 1 },
  ];
  assert.equal(brokenIn(edges, { cycles: false }).length, 2);
  assert.deepEqual(brokenIn(edges, { cycles: false, imports: 'static' }), ['1 ui/one/u.ts:1 ui/two/v.ts']);
});

test('of a range only what is new counts: another line of the same import is the same violation', () => {
  const rules = readRules([{ from: ['git'], to: ['ui'] }, { cycles: false }]);
  const circle = ['base/b.ts -> git/g.ts', 'git/g.ts -> base/b.ts'];
  const before = graphOf({ files, edges: [...circle, { from: 'git/g.ts', to: 'ui/one/u.ts', line: 3 }] });
  const after = graphOf({
    files,
    edges: [
      ...circle,
      { from: 'git/g.ts', to: 'ui/one/u.ts', line: 9 },
      'git/g.ts -> ui/two/v.ts',
      'ui/two/v.ts -> base/b.ts',
    ],
  });
  const pathOf = (file: number) => FILES[file];
  const added = onlyNew(findViolations(after, rules), findViolations(before, rules), {
    pathNow: pathOf,
    pathThen: pathOf,
  });
  assert.deepEqual(
    added.map(({ violation: { rule, from, to }, files: all }) => [rule, from, to, all.length]),
    [
      [1, 'git/g.ts', 'ui/two/v.ts', 2],
      [2, 'base/b.ts', 'git/g.ts', 3],
    ],
    'the circle has one file more',
  );
  assert.deepEqual(
    onlyNew(findViolations(before, rules), findViolations(before, rules), { pathNow: pathOf, pathThen: pathOf }),
    [],
  );
});

test('a rule that says nothing, or two things, is refused with its number; a glob without a file is told', () => {
  const faultOf = (...rules: GraphRule[]) => {
    try {
      return `read ${readRules(rules).length}`;
    } catch (error) {
      if (!isSocraticodeError(error, 'BAD_CONFIG')) throw error;
      return error.message;
    }
  };
  assert.equal(faultOf({ from: ['a'] }), 'graph.rules[0]: it forbids nothing');
  assert.match(faultOf({ cycles: false }, { from: ['a'], to: ['b'], only: ['c'] }), /^graph\.rules\[1\]: to and only/);
  assert.match(faultOf({ to: ['b'] }), /needs from/);
  assert.match(faultOf({ from: ['a'], cycles: false, allow: true }), /allow needs to/);
  assert.match(faultOf({ from: ['a'], to: ['b'], imports: 'static' }), /static for cycles alone/);
  const rules: GraphRule[] = [{ from: ['git/**', '!no/**'], to: ['uii/**'] }];
  assert.deepEqual(unmatchedGlobs(rules, FILES), [{ rule: 1, field: 'to', glob: 'uii/**' }]);
});

test('functions over a limit are excesses; of a range those alone that are new or grew', () => {
  const size = (symbol: string, values: Partial<FunctionSize>): FunctionSize => ({
    ...{ path: 'src/a.ts', symbol, kind: 'function', startLine: 1, endLine: 9 },
    ...{ cyclomatic: 1, cognitive: 0, lines: 9, ...values },
  });
  const rules = readRules([
    { from: ['src'], cognitive: 10, parameters: 3 },
    { from: ['src', '!src/a.ts'], lines: 5 },
  ]);
  const over = (...sizes: FunctionSize[]) => excessesOf(sizes, rules);
  const text = (all: ReturnType<typeof over>) => all.map(({ symbol, limit, value }) => `${symbol} ${limit} ${value}`);
  const now = over(size('f', { cognitive: 12 }), size('g', { cognitive: 11, parameters: 4 }), size('h', { lines: 80 }));
  assert.deepEqual(text(now), ['f cognitive 12', 'g cognitive 11', 'g parameters 4']);
  assert.equal(now[0].says, 'functions in src: at most cognitive 10, parameters 3');
  const before = over(size('f', { cognitive: 11 }), size('g', { cognitive: 11 }));
  assert.deepEqual(text(onlyGrown(now, before)), ['f cognitive 12', 'g parameters 4']);
  assert.equal(onlyGrown(now, before)[0].was, 11);
  assert.throws(() => readRules([{ to: ['a'], from: ['b'], lines: 3 }]), { code: 'BAD_CONFIG' });
});
