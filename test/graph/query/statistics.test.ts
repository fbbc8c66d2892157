/** Measures of the graph: sizes, the most connected, files that nothing uses, circles, and the advice that shares give. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cyclicComponents,
  fileCycles,
  fileImports,
  findCycles,
  shortestWay,
  statsOf,
} from '../../../src/graph/query/statistics.js';
import { graphOf, type LiteralEdge, type LiteralGraph, nodeAt } from '../build.js';

const LIMITS = { connected: 10, orphans: 10 };
const stats = (literal: LiteralGraph, limits = LIMITS) => statsOf(graphOf(literal), limits);

const SHOP: LiteralGraph = {
  files: {
    'a.ts': ['run', 'Cart', 'method Cart.total'],
    'b.ts': ['help'],
    'c.ts': ['lone'],
    'd.py': { symbols: ['other'], state: 'degraded' },
    'test/e.test.ts': ['checks'],
  },
  edges: [
    'a.ts -> b.ts',
    'a.ts:run -> b.ts:help',
    'a.ts:run -> a.ts:Cart.total',
    'a.ts:Cart.total -> b.ts:help',
    'test/e.test.ts:checks -> b.ts:help',
    { from: 'a.ts:run', name: 'print', tier: 'external' },
    { from: 'a.ts:run', name: 'maybe', tier: 'ambiguous' },
    { from: 'b.ts:help', name: 'gone' },
    { from: 'b.ts', name: 'package', kind: 'import', tier: 'external' },
    { from: 'b.ts', name: 'GET /x', kind: 'request' },
  ],
};

test('files, symbols and edges are counted, by state, kind and language; each use by how sure it is', () => {
  const found = stats(SHOP);
  assert.deepEqual([found.files, found.symbols, found.states.linked, found.states.degraded], [5, 7, 4, 1]);
  assert.deepEqual(found.edges, { import: 2, call: 7, request: 1 });
  assert.deepEqual(found.calls, { total: 7, resolved: 4, external: 1, ambiguous: 1, unresolved: 1 });
  assert.deepEqual(found.imports, { total: 2, resolved: 1, external: 1, ambiguous: 0, unresolved: 0 });
  assert.deepEqual(
    found.languages.map(({ language, files, symbols, calls }) => [language, files, symbols, calls.total]),
    [
      ['typescript', 4, 6, 7],
      ['python', 1, 1, 0],
    ],
  );
});

test('a file that uses another in many ways is connected with it once, in both directions; symbols count every use', () => {
  const { connectedFiles, connectedSymbols } = stats(SHOP);
  assert.deepEqual(
    connectedFiles.list.map(({ path, dependents, imports }) => [path, dependents, imports]),
    [
      ['b.ts', 2, 0],
      ['a.ts', 0, 1],
      ['test/e.test.ts', 0, 1],
    ],
  );
  assert.deepEqual(
    connectedSymbols.list.map(({ symbol, uses, files }) => [symbol, uses, files]),
    [
      ['help', 3, 2],
      ['Cart.total', 1, 1],
    ],
  );
  const cut = stats(SHOP, { connected: 1, orphans: 0 });
  assert.deepEqual(
    [cut.connectedFiles, cut.connectedSymbols, cut.orphans].map(({ list, leftOut }) => [list.length, leftOut]),
    [
      [1, 2],
      [1, 1],
      [0, 1],
    ],
  );
});

test('files that nothing uses and that use nothing are orphans, but for tests and files that were not linked', () => {
  assert.deepEqual(stats(SHOP).orphans, { list: ['c.ts'], leftOut: 0 });
});

const edges = (count: number, more: Omit<LiteralEdge, 'from'>) =>
  Array.from({ length: count }, (_, i) => ({ from: 'a.ts', line: i + 1, ...more }));

test('advice is given from twenty uses on, where too few lead anywhere; packages do not count against them', () => {
  const advice = (calls: [number, number, number], imports: [number, number, number] = [0, 0, 0]) =>
    stats({
      files: { 'a.ts': ['f'], 'b.ts': [] },
      edges: [
        ...edges(calls[0], { to: 'a.ts:f', kind: 'call' }),
        ...edges(calls[1], { name: 'gone', kind: 'call' }),
        ...edges(calls[2], { name: 'print', kind: 'call', tier: 'external' }),
        ...edges(imports[0], { to: 'b.ts', kind: 'import' }),
        ...edges(imports[1], { name: './gone', kind: 'import' }),
        ...edges(imports[2], { name: 'package', kind: 'import', tier: 'external' }),
      ],
    }).advice;
  assert.deepEqual(advice([16, 4, 30]), []);
  assert.deepEqual(advice([10, 9, 30]), []);
  assert.match(advice([15, 5, 30]).join(), /^25% of the calls in typescript/);
  assert.deepEqual(advice([0, 0, 0], [16, 4, 30]), []);
  assert.match(advice([0, 0, 0], [15, 5, 30]).join(), /^only 75% of the imports in typescript/);
  assert.match(stats(SHOP).advice.join(), /^1 files could not be read or parsed as a whole$/);
});

const ring = (prefix: string, size: number, kind = '') =>
  Array.from({ length: size }, (_, i) => `${prefix}${i}.ts -> ${prefix}${(i + 1) % size}.ts${kind}`);
const filesOf = (...names: string[]) => Object.fromEntries(names.map((name) => [name, [] as string[]]));

test('circles of files are told by size, those of tests last, with a shortest way around each', () => {
  const names = ['a0', 'a1', 'b0', 'b1', 'b2', 'test/t0', 'test/t1', 'test/t2', 'test/t3', 'lone'].map(
    (name) => `${name}.ts`,
  );
  const graph = graphOf({
    files: filesOf(...names),
    edges: [
      ...ring('a', 2),
      ...ring('b', 3),
      'b0.ts -> b2.ts',
      ...ring('test/t', 4),
      'a0.ts -> b0.ts',
      'lone.ts -> lone.ts',
    ],
  });
  const { of, count, involved, cycles } = findCycles(graph, { limit: 2 });
  assert.deepEqual([of, count, involved, cycles.leftOut], ['files', 3, 9, 1]);
  assert.deepEqual(
    cycles.list.map(({ size, shortest }) => [size, shortest.map(({ path }) => path).join(' ')]),
    [
      [3, 'b0.ts b2.ts'],
      [2, 'a0.ts a1.ts'],
    ],
  );
  assert.equal(stats({ files: filesOf('a0.ts', 'a1.ts'), edges: ring('a', 2) }).cycles, 1);
});

test('imports of types alone close no circle unless they are asked for, and late ones can be left out', () => {
  const literal = (kind: string) => ({
    files: filesOf('a0.ts', 'a1.ts'),
    edges: ['a0.ts -> a1.ts', `a1.ts -> a0.ts ${kind}`],
  });
  const types = graphOf(literal('type-import'));
  assert.equal(findCycles(types, { limit: 9 }).count, 0);
  assert.equal(findCycles(types, { limit: 9, types: true }).count, 1);
  const late = graphOf(literal('dynamic-import'));
  assert.equal(findCycles(late, { limit: 9 }).count, 1);
  assert.equal(fileCycles(late, fileImports(late, { lazy: false })).length, 0);
  const [component] = fileCycles(late);
  assert.deepEqual(
    shortestWay(late, component, fileImports(late)).map(({ path, use }) => `${path} ${use}`),
    ['a0.ts import', 'a1.ts dynamic-import'],
  );
});

test('a circle of symbols is of functions that call each other, and one that calls itself is a circle', () => {
  const graph = graphOf({
    files: { 'a.ts': ['one', 'two', 'self', 'caller'], 'b.ts': ['three'] },
    edges: [
      'a.ts:one -> a.ts:two',
      'a.ts:two -> b.ts:three',
      'b.ts:three -> a.ts:one',
      'a.ts:self -> a.ts:self',
      'a.ts:caller -> a.ts:one',
    ],
  });
  const { of, count, involved, cycles } = findCycles(graph, { limit: 9, symbols: true });
  assert.deepEqual([of, count, involved], ['symbols', 2, 4]);
  assert.deepEqual(
    cycles.list.map(({ shortest, members }) => [
      shortest.map(({ symbol }) => symbol).join(' '),
      members.list.length,
      members.leftOut,
    ]),
    [
      ['one two three', 3, 0],
      ['self', 1, 0],
    ],
  );
  assert.equal(cycles.list[0].shortest[0].line, graph.startLine(nodeAt(graph, 'a.ts:one')) + 1);
});

test('of a large circle a hundred members are listed; components are found however they hang together', () => {
  const names = Array.from({ length: 103 }, (_, i) => `n${i}.ts`);
  const { cycles } = findCycles(graphOf({ files: filesOf(...names), edges: ring('n', 103) }), { limit: 1 });
  assert.deepEqual(
    [cycles.list[0].size, cycles.list[0].members.list.length, cycles.list[0].members.leftOut],
    [103, 100, 3],
  );
  const next: Record<number, number[]> = { 0: [1], 1: [2], 2: [0, 3], 3: [4], 4: [3], 5: [5, 0], 6: [] };
  assert.deepEqual(
    cyclicComponents([0, 1, 2, 3, 4, 5, 6], (node) => next[node]),
    [[3, 4], [0, 1, 2], [5]],
  );
});
