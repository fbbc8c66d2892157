/** Questions about files: dependencies, cycles, statistics; and the list of symbols. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listSymbols } from '../../../src/graph/query/describe-symbol.js';
import { findCycles, statsOf } from '../../../src/graph/query/statistics.js';
import { depsOf } from '../../../src/questions/graph/deps/answer.js';
import { graphOf, type LiteralEdge } from '../../graph/build.js';

const LIMITS = { connected: 10, orphans: 20 };

test('deps: imports with kinds, lines and used names; packages; unresolved imports; dependents', () => {
  const graph = graphOf({
    files: { 'a.ts': ['run'], 'b.ts': ['B', 'B.x'], 'c.ts': ['c'], 'same.go': { symbols: ['s'] }, 'pkg.go': ['p'] },
    edges: [
      { from: 'a.ts', to: 'b.ts', line: 1 },
      { from: 'a.ts', to: 'b.ts', kind: 'type-import', line: 2 },
      'a.ts:run -> b.ts:B new',
      'a.ts:run -> b.ts:B.x',
      'a.ts:run -> b.ts:B.x',
      { from: 'a.ts', name: 'lodash', kind: 'import', tier: 'external', line: 3 },
      { from: 'a.ts', name: './gone', kind: 'import', line: 4 },
      'c.ts -> a.ts',
      'pkg.go:p -> same.go:s',
    ],
  });
  const deps = depsOf(graph, graph.findFile('a.ts'), { limit: 10 });
  assert.deepEqual(deps.imports.list, [
    { path: 'b.ts', kinds: ['import', 'type-import'], lines: [1, 2], names: { list: ['B.x', 'B'], leftOut: 0 } },
  ]);
  assert.deepEqual(deps.external.list, [{ specifier: 'lodash', kind: 'import', line: 3 }]);
  assert.deepEqual(deps.unresolved.list, [{ specifier: './gone', kind: 'import', line: 4 }]);
  assert.deepEqual(
    deps.dependents.list.map(({ path }) => path),
    ['c.ts'],
  );
  assert.equal(deps.transitive, undefined);
  const go = depsOf(graph, graph.findFile('same.go'), { limit: 10 }).dependents.list;
  assert.deepEqual(
    go,
    [{ path: 'pkg.go', kinds: [], lines: [2], names: { list: ['s'], leftOut: 0 } }],
    'no import needed',
  );
});

test('deps: transitive with hops, each file once, through cycles, as deep as asked', () => {
  const graph = graphOf({
    files: { 'a.ts': [], 'b.ts': [], 'c.ts': [], 'd.ts': [] },
    edges: ['a.ts -> b.ts', 'b.ts -> c.ts', 'c.ts -> a.ts', 'c.ts -> d.ts'],
  });
  const hops = (depth: number) => {
    const { transitive } = depsOf(graph, 0, { limit: 10, depth });
    return transitive?.imports.list.map(({ path, hops: count, via }) => `${count} ${path} ${via}`);
  };
  assert.deepEqual(hops(2), ['1 b.ts a.ts', '2 c.ts b.ts']);
  assert.deepEqual(hops(9), ['1 b.ts a.ts', '2 c.ts b.ts', '3 d.ts c.ts']);
});

test('cycles: largest first with a shortest way round and its lines; types and modules are left out', () => {
  const graph = graphOf({
    files: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'lone'].map((name) => [`${name}.ts`, []])),
    edges: [
      ...['a.ts -> b.ts', 'b.ts -> c.ts', 'c.ts -> a.ts', 'c.ts -> d.ts', 'lone.ts -> a.ts'],
      { from: 'd.ts', to: 'c.ts', line: 7, kind: 'require' } as LiteralEdge,
      ...['e.ts -> f.ts', 'f.ts -> e.ts type-import', 'g.ts -> h.ts module', 'h.ts -> g.ts'],
    ],
  });
  const { count, involved, cycles } = findCycles(graph, { limit: 10 });
  assert.deepEqual([count, involved], [1, 4]);
  assert.deepEqual(
    cycles.list[0].members.list.map(({ path }) => path),
    ['a.ts', 'b.ts', 'c.ts', 'd.ts'],
  );
  assert.deepEqual(
    cycles.list[0].shortest.map(({ path, line, use }) => [path, line, use]),
    [
      ['c.ts', 2, 'import'],
      ['d.ts', 7, 'require'],
    ],
  );
  assert.equal(findCycles(graph, { limit: 10, types: true }).count, 2);
  const none = findCycles(graphOf({ files: { 'a.ts': [] } }), { limit: 10 });
  assert.deepEqual([none.count, none.cycles.list], [0, []]);
});

test('a shortest circle is shown, whichever file is looked at first', () => {
  const edges = ['a -> b', 'b -> c', 'c -> a', 'a -> d', 'd -> e', 'e -> f', 'f -> a'];
  for (const letters of ['abcdef', 'fedcba', 'dabcef']) {
    const named = (letter: string) => `${letters.indexOf(letter)}.ts`;
    const graph = graphOf({
      files: Object.fromEntries([...letters].map((_, i) => [`${i}.ts`, []])),
      edges: edges.map((edge) => edge.replace(/[a-f]/g, named)),
    });
    const [{ size, shortest }] = findCycles(graph, { limit: 10 }).cycles.list;
    assert.deepEqual([size, shortest.map(({ path }) => path).sort()], [6, ['a', 'b', 'c'].map(named).sort()], letters);
  }
});

test('a circle of tests alone comes after those of the product, however large it is', () => {
  const ring = (paths: string[]) => paths.map((from, i) => ({ from, to: paths[(i + 1) % paths.length] }));
  const tests = ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts'];
  const product = ['src/x.ts', 'src/y.ts'];
  const files = Object.fromEntries([...tests, ...product].map((path) => [path, []]));
  const { cycles } = findCycles(graphOf({ files, edges: [...ring(tests), ...ring(product)] }), { limit: 10 });
  assert.deepEqual(
    cycles.list.map(({ size }) => size),
    [2, 3],
  );
});

test('cycles of calls: mutual and direct recursion; a chain of 50,000 files ends', () => {
  const graph = graphOf({
    files: { 'a.ts': ['ping', 'pong', 'self', 'plain'] },
    edges: ['a.ts:ping -> a.ts:pong', 'a.ts:pong -> a.ts:ping', 'a.ts:self -> a.ts:self', 'a.ts:plain -> a.ts:self'],
  });
  const { cycles } = findCycles(graph, { limit: 10, symbols: true });
  assert.deepEqual(
    cycles.list.map(({ shortest }) => shortest.map(({ symbol }) => symbol)),
    [['ping', 'pong'], ['self']],
  );
  const names = Array.from({ length: 50_000 }, (_, i) => `f${String(i).padStart(5, '0')}.ts`);
  const chain = graphOf({
    files: Object.fromEntries(names.map((name) => [name, []])),
    edges: names.map((name, i) => ({ from: name, to: names[(i + 1) % names.length] })),
  });
  const [ring] = findCycles(chain, { limit: 1 }).cycles.list;
  assert.deepEqual([ring.size, ring.shortest.length, ring.members.leftOut], [50_000, 50_000, 49_900]);
});

test('stats: sizes, shares, what is most connected, orphans that are no entry, test or configuration', () => {
  const graph = graphOf({
    files: {
      'hub.ts': ['hub'],
      ...{ 'x.ts': ['x'], 'y.ts': ['y'], 'lonely.ts': ['l'], 'vite.config.ts': [], 'test/z.test.ts': [] },
      ...{ 'main.go': ['main'], 'bin/run.js': [], 'README.md': { state: 'none' as const, symbols: ['section Usage'] } },
    },
    edges: [
      ...['x.ts -> hub.ts', 'y.ts -> hub.ts', 'x.ts:x -> hub.ts:hub', 'y.ts:y -> hub.ts:hub'],
      { from: 'x.ts:x', name: 'join', tier: 'external' },
      { from: 'x.ts:x', name: 'what' },
      { from: 'x.ts:x', name: 'which', tier: 'ambiguous' },
    ],
  });
  const stats = statsOf(graph, LIMITS);
  assert.deepEqual([stats.files, stats.states.linked, stats.states.none, stats.symbols], [9, 8, 1, 6]);
  assert.deepEqual(stats.edges, { import: 2, call: 5 });
  assert.deepEqual(stats.calls, { total: 5, resolved: 2, external: 1, ambiguous: 1, unresolved: 1 });
  assert.deepEqual(stats.connectedFiles.list[0], { path: 'hub.ts', dependents: 2, imports: 0 });
  assert.deepEqual([stats.connectedSymbols.list[0].symbol, stats.connectedSymbols.list[0].files], ['hub', 2]);
  assert.deepEqual(stats.orphans.list, ['lonely.ts']);
  assert.deepEqual([stats.cycles, stats.advice], [0, []], 'too few calls to advise on');
});

test('stats advise where many calls or imports of a language could not be resolved', () => {
  const unknown = Array.from({ length: 30 }, (_, i): LiteralEdge => ({ from: 'a.py:f', name: `g${i}` }));
  const gone = Array.from({ length: 30 }, (_, i): LiteralEdge => ({ from: 'a.py', name: `m${i}`, kind: 'import' }));
  const { advice } = statsOf(graphOf({ files: { 'a.py': ['f'] }, edges: [...unknown, ...gone] }), LIMITS);
  assert.match(advice.join('\n'), /100% of the calls in python .*\nonly 0% of the imports in python/);
});

test('symbols: by file and line; by name exact, beginning, part, humps; by kind', () => {
  const graph = graphOf({
    files: {
      'a.ts': ['getUserName', 'User', 'User.getName', 'local username', 'interface UserStore'],
      'notes.md': { symbols: ['section User'], state: 'none' },
    },
    edges: ['a.ts:getUserName -> a.ts:User.getName'],
  });
  const list = (options: Parameters<typeof listSymbols>[1]) =>
    listSymbols(graph, options).symbols.list.map(({ symbol }) => symbol);
  assert.deepEqual(list({ limit: 9, query: 'user' }), ['User', 'UserStore', 'username', 'getUserName']);
  assert.deepEqual(list({ limit: 9, query: 'gUN' }), ['getUserName']);
  assert.deepEqual(list({ limit: 9, query: 'gn' }), ['User.getName', 'getUserName']);
  assert.deepEqual(list({ limit: 9, query: 'User.get' }), ['User.getName']);
  assert.deepEqual(list({ limit: 9, kinds: new Set(['interface']) }), ['UserStore']);
  assert.deepEqual(list({ limit: 9, accepts: (path) => path === 'notes.md' }), ['User']);
  const two = listSymbols(graph, { limit: 2 });
  assert.deepEqual([two.total, two.symbols.leftOut], [5, 3]);
});
