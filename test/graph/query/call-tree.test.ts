/** The tree of calls below an entry point, and where programs, commands and tests begin. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../../../src/graph/graph.js';
import { findEntries, flowFrom } from '../../../src/graph/query/call-tree.js';
import { graphOf, nodeAt } from '../build.js';

/** Lines of the tree, as `depth name mark`. */
function lines(graph: Graph, places: readonly string[], { depth = 9, limit = 99 } = {}): string[] {
  const { tree } = flowFrom(
    graph,
    places.map((place) => nodeAt(graph, place)),
    { depth, limit },
  );
  return tree.list.map(({ depth: at, symbol, path, use, seen, deeper }) =>
    [at, symbol ?? path, use, seen ?? '', deeper ?? ''].join(' ').trimEnd(),
  );
}

test('calls are in the order of their lines, each target once, and below the place that is nearest to the entry', () => {
  const graph = graphOf({
    files: { 'a.ts': ['run', 'near', 'far', 'leaf'] },
    edges: [
      { from: 'a.ts:run', to: 'a.ts:far', line: 5 },
      { from: 'a.ts:run', to: 'a.ts:near', line: 3 },
      { from: 'a.ts:run', to: 'a.ts:far', line: 7 },
      { from: 'a.ts:near', to: 'a.ts:far', line: 13 },
      { from: 'a.ts:far', to: 'a.ts:leaf', line: 23 },
    ],
  });
  assert.deepEqual(lines(graph, ['a.ts:run']), [
    '0 run entry',
    '1 near call',
    '2 far call below',
    '1 far call',
    '2 leaf call',
  ]);
  const { reached, tree } = flowFrom(graph, [nodeAt(graph, 'a.ts:run')], { depth: 9, limit: 2 });
  assert.deepEqual([reached, tree.list.length, tree.leftOut], [3, 2, 3]);
});

test('a call that is likely is told as one, unless another call of the same proves it', () => {
  const graph = graphOf({
    files: { 'a.py': ['run', 'maybe', 'sure', 'both'] },
    edges: [
      { from: 'a.py:run', to: 'a.py:maybe', line: 2, tier: 'likely' },
      { from: 'a.py:run', to: 'a.py:sure', line: 3 },
      { from: 'a.py:run', to: 'a.py:both', line: 4, tier: 'likely' },
      { from: 'a.py:run', to: 'a.py:both', line: 5 },
    ],
  });
  const { tree } = flowFrom(graph, [nodeAt(graph, 'a.py:run')], { depth: 1, limit: 9 });
  assert.deepEqual(
    tree.list.map(({ symbol, line, likely = false }) => [symbol, line, likely]),
    [
      ['run', 0, false],
      ['maybe', 2, true],
      ['sure', 3, false],
      ['both', 5, false],
    ],
  );
});

test('what was shown above is not shown again, a circle is told as one, and a leaf is a leaf wherever it is called', () => {
  const graph = graphOf({
    files: { 'a.ts': ['run', 'one', 'two', 'shared', 'leaf'] },
    edges: [
      'a.ts:run -> a.ts:one',
      'a.ts:run -> a.ts:two',
      'a.ts:one -> a.ts:shared',
      'a.ts:two -> a.ts:shared',
      'a.ts:shared -> a.ts:leaf',
      'a.ts:two -> a.ts:leaf',
      'a.ts:shared -> a.ts:run',
    ],
  });
  const found = lines(graph, ['a.ts:run']);
  assert.deepEqual(
    found.filter((line) => / (?:cycle|above|below)/.test(line)),
    ['3 run call cycle', '2 shared call above'],
  );
  assert.deepEqual(
    found.filter((line) => line.includes(' leaf ')),
    ['3 leaf call', '2 leaf call'],
  );
});

test('where the depth ends the number of calls below is told; two entries are one tree each, the same one once', () => {
  const graph = graphOf({
    files: { 'a.ts': ['run', 'one', 'two', 'three', 'other'] },
    edges: ['a.ts:run -> a.ts:one', 'a.ts:one -> a.ts:two', 'a.ts:one -> a.ts:three', 'a.ts:other -> a.ts:three'],
  });
  assert.deepEqual(lines(graph, ['a.ts:run'], { depth: 1 }), ['0 run entry', '1 one call  2']);
  assert.deepEqual(lines(graph, ['a.ts:run'], { depth: 0 }), ['0 run entry  1']);
  assert.deepEqual(lines(graph, ['a.ts:other', 'a.ts:other', 'a.ts:two']), [
    '0 other entry',
    '1 three call',
    '0 two entry',
  ]);
});

test('a class has the calls of its constructor, a file those of its top level; a declaration has those that override it', () => {
  const graph = graphOf({
    files: {
      'a.ts': [
        'class Base',
        'method Base.run',
        'class Own',
        'constructor Own.new',
        'method Own.run',
        'make',
        'constant value',
      ],
    },
    edges: [
      'a.ts:Own -> a.ts:Base extends',
      'a.ts:Own.new -> a.ts:make',
      'a.ts:Own.run -> a.ts:make',
      'a.ts -> a.ts:make call',
      { from: 'a.ts', to: 'a.ts:value', kind: 'value' },
    ],
  });
  assert.deepEqual(lines(graph, ['a.ts:Own']), ['0 Own entry', '1 make call']);
  assert.deepEqual(lines(graph, ['a.ts']), ['0 a.ts entry', '1 make call']);
  assert.deepEqual(lines(graph, ['a.ts:Base.run']), ['0 Base.run entry', '1 Own.run override', '2 make call']);
});

test('calls of a function without a name stand among those of the function around it', () => {
  const graph = graphOf({
    files: { 'a.ts': ['function outer', 'function outer.inner', 'early', 'late'] },
    edges: [
      { from: 'a.ts:outer', to: 'a.ts:late', line: 18 },
      { from: 'a.ts:outer.inner', to: 'a.ts:early', line: 12 },
    ],
  });
  assert.deepEqual(lines(graph, ['a.ts:outer']), ['0 outer entry', '1 early call', '1 late call']);
});

test('calls that lead nowhere are counted by what is known of them; requests and known targets are not', () => {
  const graph = graphOf({
    files: { 'a.ts': ['run', 'one'] },
    edges: [
      'a.ts:run -> a.ts:one',
      { from: 'a.ts:run', name: 'print', tier: 'external' },
      { from: 'a.ts:run', name: 'log', tier: 'external' },
      { from: 'a.ts:run', name: 'maybe', tier: 'ambiguous' },
      { from: 'a.ts:run', name: 'GET /x', kind: 'request' },
      { from: 'a.ts:run', name: 'Type', kind: 'type' },
    ],
  });
  const [{ external, unresolved }] = flowFrom(graph, [nodeAt(graph, 'a.ts:run')], { depth: 1, limit: 9 }).tree.list;
  assert.deepEqual([external, unresolved], [2, 1]);
});

const APP = graphOf({
  files: {
    'main.go': ['main', 'help'],
    'cli.ts': ['local start'],
    'lib.ts': ['used', 'uncalled', 'local hidden', 'calls', 'empty'],
    'script.ts': [],
    'test/a.test.ts': ['checks'],
    'test/b.test.ts': ['checks'],
    'test/helpers.ts': ['help'],
    'pkg/c.test.ts': ['checks'],
    'examples/demo.ts': ['show'],
  },
  edges: [
    'main.go:main -> main.go:help',
    'cli.ts -> lib.ts',
    'cli.ts -> lib.ts:used call',
    'cli.ts:start -> lib.ts:used',
    'lib.ts:uncalled -> lib.ts:used',
    'lib.ts:uncalled -> lib.ts:calls',
    'lib.ts:hidden -> lib.ts:used',
    'script.ts -> lib.ts:used call',
    'test/a.test.ts:checks -> lib.ts:calls',
    'examples/demo.ts:show -> lib.ts:used',
  ],
});

test('programs begin at main functions and at files that manifests name, scripts at their top level', () => {
  const { mains, bins, scripts, uncalled, tests } = findEntries(APP, {
    limit: 9,
    bins: [{ name: 'shop', path: 'cli.ts' }],
  });
  assert.deepEqual(
    mains.list.map(({ path, symbol, calls }) => [path, symbol, calls]),
    [['main.go', 'main', 1]],
  );
  assert.deepEqual(
    bins.list.map(({ path, label, calls }) => [path, label, calls]),
    [['cli.ts', 'shop', 1]],
  );
  assert.deepEqual(
    scripts.list.map(({ path }) => path),
    ['script.ts'],
  );
  // Not those that nobody else can call, that call nothing, or that are called; no examples.
  assert.deepEqual(
    uncalled.list.map(({ symbol, calls }) => [symbol, calls]),
    [['uncalled', 2]],
  );
  assert.deepEqual(tests, {
    files: 3,
    folders: {
      list: [
        { folder: 'test', files: 2 },
        { folder: 'pkg', files: 1 },
      ],
      leftOut: 0,
    },
  });
});

test('a script that a manifest runs is a script; one that other code imports, or that does nothing, is none', () => {
  const script = (path: string) => `${path} -> lib.ts:help call`;
  const graph = graphOf({
    files: {
      'package.json': [],
      'lib.ts': ['help'],
      'named.ts': [],
      'twice.ts': [],
      'alone.ts': [],
      'imported.ts': [],
      'user.ts': ['use'],
      'idle.ts': [],
      'tool.py': [],
    },
    edges: [
      ...['named.ts', 'twice.ts', 'alone.ts', 'imported.ts'].map(script),
      'tool.py -> lib.ts:help call',
      'package.json -> named.ts',
      'package.json -> tool.py',
      'package.json -> idle.ts',
      'package.json -> twice.ts',
      'user.ts -> twice.ts',
      'user.ts -> imported.ts',
    ],
  });
  const { scripts } = findEntries(graph, { limit: 9 });
  assert.deepEqual(scripts.list.map(({ path }) => path).sort(), ['alone.ts', 'named.ts', 'tool.py']);
});

test('lists of entries are cut with what is left out, tests counted in full; without a manifest the file is a script', () => {
  const { bins, scripts, tests } = findEntries(APP, { limit: 1 });
  assert.deepEqual(bins.list, []);
  assert.deepEqual([scripts.list.length, scripts.leftOut], [1, 1]);
  assert.deepEqual(
    [tests.files, tests.folders.list.map(({ folder }) => folder), tests.folders.leftOut],
    [3, ['test'], 1],
  );
});
