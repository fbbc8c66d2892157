/** Differences of two graphs: dependencies, circles of imports, exported symbols. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { graphVersionsOf } from '../../../../src/graph/compare/correspondence.js';
import { cycleChanges, dependencyChanges } from '../../../../src/graph/compare/dependency-changes.js';
import type { Graph } from '../../../../src/graph/graph.js';
import { answerGraphDiff } from '../../../../src/questions/graph/diff/answer.js';
import { Session } from '../../../../src/session/session.js';
import { graphOf, type LiteralGraph } from '../../../graph/build.js';
import { askerOf } from '../../../support/in-process/asker.js';
import { createRepo } from '../../../support/repositories/repo.js';

/** Literal graphs number blobs by path: files of the two sides must not look alike by their bytes. */
function changed(literal: LiteralGraph): Graph {
  const graph = graphOf(literal);
  for (const [i, file] of graph.tables.files.entries()) file.oid = `f${i}`.padStart(40, '0');
  return graph;
}

const everything = () => true;

test('dependencies: added, removed, and the symbols that one of both sides uses more or less', () => {
  const files = { 'a.ts': ['run'], 'b.ts': ['one', 'two'], 'c.ts': ['three'], 'd.ts': ['four'], 'a.test.ts': ['t'] };
  const before = graphOf({
    files,
    edges: ['a.ts -> b.ts', 'a.ts:run -> b.ts:one', 'a.ts -> c.ts', 'a.ts:run -> c.ts:three', 'b.ts -> d.ts'],
  });
  const after = changed({
    files,
    edges: [
      'a.ts -> b.ts',
      'a.ts:run -> b.ts:two',
      { from: 'a.ts', to: 'd.ts', kind: 'type-import', line: 3 },
      { from: 'a.ts:run', to: 'd.ts:four', kind: 'type' },
      { from: 'b.ts:one', to: 'c.ts:three', tier: 'unique' },
      'b.ts -> d.ts',
      'a.test.ts -> b.ts',
    ],
  });
  const { list, counts } = dependencyChanges(graphVersionsOf(before, after, everything));
  assert.deepEqual(
    list.map(({ change, from, to, line, use, gained, lost }) =>
      [change, `${from}:${line}`, use, to, ...gained.map((name) => `+${name}`), ...lost.map((name) => `-${name}`)].join(
        ' ',
      ),
    ),
    [
      'added a.ts:3 type-import d.ts +four',
      'removed a.ts:2 import c.ts -three',
      'changed a.ts:2 import b.ts +two -one',
      'added a.test.ts:2 import b.ts',
    ],
    'tests last; uses that are guessed count for nothing',
  );
  assert.deepEqual(counts, {
    dependencies: { added: 2, removed: 1, changed: 1 },
    uses: { added: 2, removed: 2 },
  });
  const narrow = dependencyChanges(graphVersionsOf(before, after, (path) => path === 'b.ts'));
  assert.deepEqual(narrow.list, [], 'only what those files use');
});

test('a file that moved is the file that it was: its dependencies, and those of others on it, did not change', () => {
  const before = graphOf({
    files: { 'a.ts': ['run'], 'b.ts': ['Cart', 'Cart.total'], 'c.ts': [] },
    edges: ['a.ts -> b.ts', 'a.ts:run -> b.ts:Cart.total', 'b.ts -> c.ts'],
  });
  const after = changed({
    files: { 'a.ts': ['run'], 'lib/cart.ts': ['Cart', 'Cart.total'], 'c.ts': [] },
    edges: ['a.ts -> lib/cart.ts', 'a.ts:run -> lib/cart.ts:Cart.total', 'lib/cart.ts -> c.ts'],
  });
  const sides = graphVersionsOf(before, after, everything);
  assert.deepEqual([...sides.moved], [['lib/cart.ts', 'b.ts']]);
  assert.deepEqual(dependencyChanges(sides).list, []);
});

test('circles: the import that closes one, those that grew, and those that are gone', () => {
  const files = { 'a.ts': [], 'b.ts': [], 'c.ts': [], 'd.ts': [], 'e.ts': [] };
  const before = graphOf({ files, edges: ['a.ts -> b.ts', 'b.ts -> a.ts', 'd.ts -> e.ts', 'e.ts -> d.ts'] });
  const after = changed({
    files,
    edges: ['a.ts -> b.ts', 'b.ts -> a.ts', 'b.ts -> c.ts', { from: 'c.ts', to: 'a.ts', line: 7 }, 'd.ts -> e.ts'],
  });
  const list = cycleChanges(graphVersionsOf(before, after, everything));
  assert.deepEqual(
    list.map(({ change, size, was, closedBy }) => [
      change,
      size,
      was,
      closedBy.map(({ from, to, line }) => `${from}:${line} ${to}`),
    ]),
    [
      ['grown', 3, 2, ['b.ts:2 c.ts', 'c.ts:7 a.ts']],
      ['removed', 2, 2, []],
    ],
  );
  const [same] = cycleChanges(graphVersionsOf(before, before, everything));
  assert.equal(same, undefined);
});

test('exported symbols: added, removed and moved ones, and changed declarations, up to the work tree', async (t) => {
  const repo = createRepo();
  repo.commit(
    {
      'cart.ts':
        'export function total(items: number[]): number { return 0; }\nexport class Cart { add(): void {} drop(): void {} }\nexport function kept(a: string, b: string): void {}\nfunction hidden(): void {}\n',
      'move.ts': 'export function moved(): void {}\nexport const stays = 1;\n',
    },
    'before',
  );
  repo.write({
    'cart.ts':
      'export function total(items: number[], tax: number): number { return 0; }\nexport function kept(\n  a: string,\n  b: string,\n): void {}\nfunction hidden(x: number): void {}\n',
    'move.ts': 'export const stays = 1;\n',
    'moved.ts': 'export function moved(): void {}\nexport interface Fresh { a: number }\n',
  });
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const { api, counts, from, to } = await answerGraphDiff(askerOf(session), {});
  assert.deepEqual(
    api.list.map(({ change, symbol, signature, was, members }) => [change, symbol, signature, was ?? members]),
    [
      ['removed', 'Cart', 'export class Cart', 2],
      [
        'changed',
        'total',
        'export function total(items: number[], tax: number): number',
        'export function total(items: number[]): number',
      ],
      ['moved', 'moved', 'export function moved(): void', undefined],
      ['added', 'Fresh', 'export interface Fresh', 1],
    ],
    'what is laid out otherwise is the same',
  );
  assert.deepEqual(counts.api, { added: 1, removed: 1, changed: 1, moved: 1 });
  assert.deepEqual([from.ref, to], ['HEAD', null]);
  const back = await answerGraphDiff(askerOf(session), { refs: ['HEAD..HEAD'] });
  assert.deepEqual([back.api.list, back.to?.ref], [[], 'HEAD']);
});

test('a module that a new file opens again, too: its new members are added, and what goes with a file is removed', async (t) => {
  const repo = createRepo();
  repo.commit({
    'lib/cart.rb': 'module Shop\n  class Cart\n    def total = 1\n  end\nend\n',
    'lib/old.rb': 'module Shop\n  class Old\n    def gone = 1\n  end\nend\n',
  });
  repo.write({ 'lib/cart_tax.rb': 'module Shop\n  class Cart\n    def tax = 2\n  end\nend\n' });
  rmSync(join(repo.dir, 'lib', 'old.rb'));
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const { api } = await answerGraphDiff(askerOf(session), {});
  assert.deepEqual(
    api.list.map(({ change, symbol }) => [change, symbol]),
    [
      ['removed', 'Shop.Old'],
      ['added', 'Shop.Cart.tax'],
    ],
  );
});
