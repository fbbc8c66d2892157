/** Uses of an older graph that lead nowhere in a newer one, by graphs alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Comparison, lostUses, type NodePair, samePaths } from '../../../src/graph/compare/correspondence.js';
import { graphOf, type LiteralGraph, nodeAt, placeOf } from '../build.js';

const OLD: LiteralGraph = {
  files: { 'a.ts': ['f', 'g', 'Cart', 'Cart.total'], 'b.ts': ['use'], 'c.ts': ['other'] },
  edges: [
    'b.ts:use -> a.ts:f',
    'b.ts:use -> a.ts:g',
    { from: 'c.ts:other', to: 'a.ts:Cart.total', receiver: 'x' },
    'b.ts -> a.ts',
  ],
};

function lost(
  now: LiteralGraph,
  pairs: [from: string, to: string, how: NodePair['how']][] = [],
  files: [string, string][] = [],
) {
  const [old, newer] = [graphOf(OLD), graphOf(now)];
  const nodes = pairs.map(([from, to, how]) => ({ old: nodeAt(old, from), now: nodeAt(newer, to), how }));
  const sides = new Comparison(old, newer, new Map(files), nodes);
  return lostUses(sides).map(
    ({ edge, was }) => `${placeOf(newer, newer.source(edge))} ${newer.edge(edge).name} ${placeOf(old, was)}`,
  );
}

const nowhere = (from: string, name: string, receiver = '') => ({ from, name, receiver });

test('a graph is compared with each of the graphs after it by its own files', () => {
  const before = graphOf(OLD);
  const newer = (...paths: string[]) => [
    ...samePaths(before, graphOf({ files: Object.fromEntries(paths.map((path) => [path, []])) })).newer,
  ];
  assert.deepEqual(newer('a.ts', 'c.ts'), [0, -1, 1]);
  assert.deepEqual(newer('b.ts'), [-1, 0, -1]);
});

test('a use whose target is gone is lost where it is still written', () => {
  const files = { ...OLD.files, 'a.ts': { symbols: ['g', 'Cart'] } };
  const edges = [nowhere('b.ts:use', 'f'), 'b.ts:use -> a.ts:g', nowhere('c.ts:other', 'total', 'x'), 'b.ts -> a.ts'];
  assert.deepEqual(lost({ files, edges }), ['b.ts:use f a.ts:f', 'c.ts:other total a.ts:Cart.total']);
  const rewritten = { files: { ...files, 'b.ts': ['use', 'more'] }, edges: edges.slice(1) };
  assert.deepEqual(lost(rewritten), ['c.ts:other total a.ts:Cart.total'], 'the call of f is not written any more');
});

test('a use that leads to where its target moved is not lost; one of its former name is', () => {
  const files = { 'a.ts': ['Cart', 'Cart.total'], 'b.ts': ['use'], 'c.ts': ['other'], 'd.ts': ['f', 'h'] };
  const edges = [
    'b.ts:use -> d.ts:f',
    nowhere('b.ts:use', 'g'),
    { from: 'c.ts:other', to: 'a.ts:Cart.total', receiver: 'x' },
    'b.ts -> a.ts',
  ];
  const pairs: [string, string, NodePair['how']][] = [
    ['a.ts:f', 'd.ts:f', 'moved'],
    ['a.ts:g', 'd.ts:h', 'renamed'],
  ];
  assert.deepEqual(lost({ files, edges }, pairs), ['b.ts:use g a.ts:g']);
});

test('a file that is gone: imports by its specifier are lost; a moved file is known by its new path', () => {
  const files = { 'z.ts': OLD.files['a.ts'], 'b.ts': ['use'], 'c.ts': ['other'] };
  const edges = [{ from: 'b.ts', kind: 'import' as const, name: 'a.ts' }];
  assert.deepEqual(lost({ files, edges }, [], [['a.ts', 'z.ts']]), ['b.ts a.ts a.ts']);
  const updated = { files, edges: ['b.ts -> z.ts', 'b.ts:use -> z.ts:f'] };
  assert.deepEqual(lost(updated, [], [['a.ts', 'z.ts']]), []);
});
