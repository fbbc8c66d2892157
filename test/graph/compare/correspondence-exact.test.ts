/** Which node is which after a change: exact answers of a comparison of two small graphs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Comparison,
  graphVersionsOf,
  inheritsFrom,
  isStillReceiver,
  lostUses,
  movedFiles,
  movedPaths,
  type NodePair,
  samePaths,
} from '../../../src/graph/compare/correspondence.js';
import type { Graph } from '../../../src/graph/graph.js';
import { graphOf, type LiteralGraph, nodeAt, placeOf } from '../build.js';

/** A graph in which each file has the bytes that `bytes` names, its own where it names none. */
function made(literal: LiteralGraph, version: string, bytes: Readonly<Record<string, string>> = {}): Graph {
  const graph = graphOf(literal);
  for (const file of graph.tables.files) file.oid = bytes[file.path] ?? `${version} ${file.path}`;
  return graph;
}

const OLD: LiteralGraph = {
  files: {
    'a.ts': ['run', 'step'],
    'b.ts': ['Cart', 'Cart.total', 'Cart.total', 'Cart.add', 'open'],
    'c.ts': ['gone'],
    'd.ts': ['stay'],
    'e.ts': ['far'],
  },
};
const NOW: LiteralGraph = {
  files: {
    'a.ts': ['run', 'step'],
    'b.ts': ['local open', 'Cart', 'Cart.add', 'Cart.total', 'Cart.size'],
    'lib/d.ts': ['stay'],
    'lib/e.ts': ['far', 'new'],
  },
};
const old = made(OLD, 'old', { 'a.ts': 'A', 'd.ts': 'D' });
const now = made(NOW, 'now', { 'a.ts': 'A', 'lib/d.ts': 'D' });
const MOVED = new Map([
  ['d.ts', 'lib/d.ts'],
  ['e.ts', 'lib/e.ts'],
]);
const comparison = new Comparison(old, now, MOVED);

test('a file is the one at its path or where it moved to; it is the same with equal bytes, untouched at its place too', () => {
  const told = old.tables.files.map(({ path }, file) => [
    path,
    now.tables.files[comparison.file(file)]?.path ?? null,
    comparison.isSame(file),
    comparison.isUntouched(file),
  ]);
  assert.deepEqual(told, [
    ['a.ts', 'a.ts', true, true],
    ['b.ts', 'b.ts', false, false],
    ['c.ts', null, false, false],
    ['d.ts', 'lib/d.ts', true, false],
    ['e.ts', 'lib/e.ts', false, false],
  ]);
});

test('equal bytes that are read in another way are not the same file', () => {
  const one = (file: Partial<LiteralGraph['files'][string]>) => made({ files: { 'a.ts': file } as never }, 'x');
  const isSame = (before: Graph, after: Graph) => new Comparison(before, after).isSame(0);
  const plain = one({ symbols: ['f'] });
  assert.equal(isSame(plain, one({ symbols: ['f'] })), true);
  assert.equal(isSame(plain, one({ symbols: ['f'], language: 'javascript' })), false);
  assert.equal(isSame(plain, one({ symbols: ['f'], state: 'degraded' })), false);
  assert.equal(isSame(plain, one({ symbols: ['f', 'g'] })), false);
});

test('a node is found by its place in the same file, else by its name, the second of a name as the second or the last', () => {
  const newer = (place: string) => {
    const at = comparison.node(nodeAt(old, place));
    return at < 0 ? null : placeOf(now, at);
  };
  assert.deepEqual(['a.ts', 'a.ts:step', 'b.ts', 'b.ts:Cart.add', 'b.ts:open'].map(newer), [
    ...['a.ts', 'a.ts:step', 'b.ts', 'b.ts:Cart.add', 'b.ts:open'],
  ]);
  assert.deepEqual(['c.ts', 'c.ts:gone', 'd.ts:stay', 'e.ts', 'e.ts:far'].map(newer), [
    ...[null, null, 'lib/d.ts:stay', 'lib/e.ts', 'lib/e.ts:far'],
  ]);
  const totals = [0, 1].map((i) => comparison.node(nodeAt(old, 'b.ts:Cart.total') + i));
  assert.deepEqual(totals, [nodeAt(now, 'b.ts:Cart.total'), nodeAt(now, 'b.ts:Cart.total')]);
  const twice = made({ files: { 'b.ts': ['f', 'f', 'g'] } }, 'old');
  const later = made({ files: { 'b.ts': ['g', 'f', 'f', 'f'] } }, 'now');
  const pairs = new Comparison(twice, later);
  assert.deepEqual(
    [1, 2, 3].map((node) => pairs.node(node)),
    [2, 3, 1],
  );
});

test('backwards, nodes of files that differ are found, and new ones are not', () => {
  const older = (place: string) => {
    const at = comparison.older(nodeAt(now, place));
    return at < 0 ? null : placeOf(old, at);
  };
  assert.deepEqual(
    ['b.ts', 'b.ts:Cart', 'b.ts:Cart.total', 'b.ts:Cart.size', 'lib/e.ts:far', 'lib/e.ts:new'].map(older),
    [...['b.ts', 'b.ts:Cart', 'b.ts:Cart.total', null, 'e.ts:far', null]],
  );
});

test('displaced is what is gone, moved, renamed or not exported any more', () => {
  const places = (of: Comparison) => of.displaced().map((node) => placeOf(of.old, node));
  assert.deepEqual(places(comparison), ['b.ts:open', 'c.ts', 'c.ts:gone', 'd.ts', 'd.ts:stay', 'e.ts', 'e.ts:far']);
  const pair: NodePair = { old: nodeAt(old, 'b.ts:Cart.add'), now: nodeAt(now, 'b.ts:Cart.size'), how: 'renamed' };
  const renamed = new Comparison(old, now, MOVED, [pair]);
  assert.deepEqual(places(renamed).slice(0, 2), ['b.ts:Cart.add', 'b.ts:open']);
  assert.deepEqual(
    [renamed.pair(pair.old), renamed.pair(pair.old + 1), renamed.node(pair.old)],
    [pair, undefined, pair.now],
  );
  assert.equal(placeOf(old, renamed.older(pair.now)), 'b.ts:Cart.add');
  assert.equal(comparison.older(nodeAt(now, 'b.ts:Cart.total')), nodeAt(old, 'b.ts:Cart.total'), 'the first of a name');
  assert.deepEqual(places(new Comparison(old, old)), []);
});

test('members outside of their class are matched by their plain names, where headers declare classes', () => {
  const before = made({ files: { 'a.cpp': { language: 'cpp', symbols: ['class A', 'A.run', 'stop'] } } }, 'old');
  const after = made(
    { files: { 'a.cpp': { language: 'cpp', symbols: ['class B', 'B.run', 'stop', 'other'] } } },
    'now',
  );
  const pairs = new Comparison(before, after);
  assert.deepEqual(
    [1, 2, 3].map((node) => pairs.node(node)),
    [-1, 2, 3],
  );
  const plain = (symbols: string[], version: string) => made({ files: { 'a.ts': symbols } }, version);
  const others = new Comparison(plain(['class A', 'A.run'], 'old'), plain(['class B', 'B.run'], 'now'));
  assert.deepEqual(
    [1, 2].map((node) => others.node(node)),
    [-1, -1],
  );
});

function lost(before: LiteralGraph, after: LiteralGraph, files = new Map<string, string>()): string[] {
  const sides = new Comparison(made(before, 'old'), made(after, 'now'), files);
  return lostUses(sides).map(({ edge, oldEdge, was }) => {
    const { name, startLine } = sides.now.edge(edge);
    return `${startLine} ${name} was ${placeOf(sides.old, was)} in ${sides.old.edge(oldEdge).startLine}`;
  });
}

test('a use is lost where it leads nowhere or by its name alone, in the same definition, and a found route is not', () => {
  const files = { 'a.ts': ['f', 'g'], 'b.ts': ['use', 'more'] };
  const before: LiteralGraph = {
    files,
    edges: [
      { from: 'b.ts:use', to: 'a.ts:f', line: 3 },
      { from: 'b.ts:more', to: 'a.ts:g', line: 13 },
      { from: 'b.ts:more', to: 'a.ts:g', line: 14, receiver: 'x' },
    ],
  };
  const after = { 'a.ts': ['other'], 'b.ts': ['use', 'more'], 'z.ts': ['f', 'g'] };
  const nowEdges = (edges: LiteralGraph['edges']): LiteralGraph => ({ files: after, edges });
  assert.deepEqual(
    lost(
      before,
      nowEdges([
        { from: 'b.ts:use', name: 'f', line: 5 },
        { from: 'b.ts:more', to: 'z.ts:g', tier: 'unique', line: 15 },
      ]),
    ),
    ['5 f was a.ts:f in 3', '15 g was a.ts:g in 13'],
  );
  assert.deepEqual(
    lost(
      before,
      nowEdges([
        { from: 'b.ts:use', to: 'z.ts:f', line: 5 },
        { from: 'b.ts:use', name: 'g', line: 6 },
      ]),
    ),
    [],
  );
  const asked: LiteralGraph = {
    files,
    edges: [{ from: 'b.ts:use', to: 'a.ts:f', kind: 'request', tier: 'route', literal: 'GET /f', name: 'get' }],
  };
  const request = (literal: string, to?: string): LiteralGraph =>
    nowEdges([
      { from: 'b.ts:use', to, kind: 'request', tier: to ? 'route' : undefined, literal, name: 'fetch', line: 4 },
    ]);
  assert.deepEqual(lost(asked, request('GET /f')), ['4 fetch was a.ts:f in 2']);
  assert.deepEqual(lost(asked, request('GET /f', 'z.ts:f')), []);
  assert.deepEqual(lost(asked, request('GET /g')), []);
});

test('in a file with the same bytes a use is the one in its line', () => {
  const sides = new Comparison(
    made(
      {
        files: { 'a.ts': ['f'], 'b.ts': ['use'] },
        edges: [
          { from: 'b.ts:use', to: 'a.ts:f', line: 3 },
          { from: 'b.ts:use', name: 'f', line: 4 },
        ],
      },
      'old',
      { 'b.ts': 'B' },
    ),
    made(
      {
        files: { 'a.ts': ['g'], 'b.ts': ['use'] },
        edges: [
          { from: 'b.ts:use', name: 'f', line: 3 },
          { from: 'b.ts:use', name: 'f', line: 4 },
        ],
      },
      'now',
      { 'b.ts': 'B' },
    ),
  );
  assert.deepEqual(
    lostUses(sides).map(({ edge }) => sides.now.tables.edgeLine[edge]),
    [3],
  );
});

test('imports of a moved file are lost where none of its kind leads anywhere', () => {
  const before: LiteralGraph = {
    files: { 'a.ts': ['f'], 'b.ts': ['use'], 'c.ts': [] },
    edges: ['b.ts -> a.ts', 'c.ts -> a.ts', { from: 'b.ts', to: 'a.ts:f', kind: 'call', name: 'a.ts', line: 3 }],
  };
  const moved = new Map([['b.ts', 'lib/b.ts']]);
  const files = { 'a.ts': ['f'], 'lib/b.ts': ['use'], 'c.ts': [] };
  const nowhere = { from: 'lib/b.ts', kind: 'import' as const, name: 'a.ts', line: 2 };
  assert.deepEqual(lost(before, { files, edges: [nowhere, 'c.ts -> a.ts'] }, moved), ['2 a.ts was a.ts in 2']);
  assert.deepEqual(lost(before, { files, edges: [nowhere, 'lib/b.ts -> a.ts', 'c.ts -> a.ts'] }, moved), []);
});

test('a receiver is still of its type where code around it names the type or uses another member of it', () => {
  const files = {
    'a.ts': ['Cart', 'Cart.total', 'Cart.add', 'Other'],
    'b.ts': ['Till', 'Till.open', 'Till.shut', 'loose'],
  };
  const said = (receiver: string, more: LiteralGraph['edges'] = [], from = 'b.ts:Till.open') => {
    const graph = graphOf({ files, edges: [{ from, name: 'sum', receiver, line: 15 }, ...(more ?? [])] });
    const edge = Array.from({ length: graph.edgeCount }, (_, i) => i).find((i) => graph.edge(i).name === 'sum');
    return isStillReceiver(graph, edge ?? -1, [nodeAt(graph, 'a.ts:Cart')]);
  };
  assert.deepEqual(
    ['this', 'super', 'cart', 'this.cart'].map((receiver) => said(receiver)),
    [true, true, false, false],
  );
  const named = (from: string, to = 'a.ts:Cart') => [{ from, to, kind: 'type' as const }];
  assert.equal(said('cart', named('b.ts:Till.open')), true);
  assert.equal(said('cart', named('b.ts:Till')), true);
  assert.equal(said('cart', named('b.ts')), true);
  assert.equal(said('cart', named('b.ts:Till.open', 'a.ts:Other')), false);
  assert.equal(said('cart', named('b.ts:Till.shut')), false, 'a member beside it says nothing of a variable');
  assert.equal(said('this.cart', named('b.ts:Till.shut')), true, 'it does of a field');
  assert.equal(said('that.this.cart', named('b.ts:Till.shut')), false);
  assert.equal(said('this.cart', named('b.ts:loose')), false);
  const used = (receiver: string, from = 'b.ts:Till.open') => [{ from, to: 'a.ts:Cart.add', receiver }];
  assert.deepEqual([said('cart', used('cart')), said('cart', used('other'))], [true, false]);
  assert.equal(said('cart', used('cart', 'b.ts:Till.shut')), false);
});

test('a type inherits from its parents and from theirs, also in circles', () => {
  const graph = graphOf({
    files: { 'a.ts': ['class A', 'class B', 'class C', 'class D'] },
    edges: [
      'a.ts:A -> a.ts:B extends',
      'a.ts:B -> a.ts:C implements',
      'a.ts:C -> a.ts:A extends',
      { from: 'a.ts:D', kind: 'extends', name: 'X' },
    ],
  });
  const does = (type: string, parent: string) =>
    inheritsFrom(graph, nodeAt(graph, `a.ts:${type}`), nodeAt(graph, `a.ts:${parent}`));
  assert.deepEqual(
    [does('A', 'B'), does('A', 'C'), does('C', 'B'), does('A', 'D'), does('D', 'A')],
    [true, true, true, false, false],
  );
});

test('a file moved where half of the worth of its names is common, and at least one name of its own', () => {
  const moves = (before: string[], after: string[], others: string[] = []) => {
    const files: Record<string, string[]> = others.length > 0 ? { 'same.ts': others } : {};
    return [
      ...movedFiles(
        made({ files: { 'a.ts': before, ...files } }, 'old'),
        made({ files: { 'lib/b.ts': after, ...files } }, 'now', { 'same.ts': 'old same.ts' }),
      ),
    ].length;
  };
  assert.equal(moves(['f', 'g'], ['f', 'g']), 1);
  assert.equal(moves(['f', 'g', 'h'], ['f', 'g', 'i']), 1, 'two of four');
  assert.equal(moves(['f', 'g', 'h'], ['f', 'i', 'j']), 0, 'one of five');
  assert.equal(moves(['f'], ['f'], ['f']), 1, 'a name that two files define');
  assert.equal(moves(['f'], ['f'], ['f', 'f']), 0, 'a name that many define says little');
  assert.equal(moves([], []), 0);
  assert.equal(moves(['f'], []), 0);
});

test('paths of moved files are known both ways', () => {
  const before = made({ files: { 'a.ts': ['f'], 'b.ts': ['g'], 'c.ts': ['h'], 'd.ts': ['run', 'stop'] } }, 'old');
  const after = made({ files: { 'b.ts': ['g'], 'lib/a.ts': ['f'], 'lib/d.ts': ['run', 'stop', 'more'] } }, 'now');
  const { moved, pathAfter } = movedPaths(before, after);
  assert.deepEqual(
    [...moved],
    [
      ['lib/a.ts', 'a.ts'],
      ['lib/d.ts', 'd.ts'],
    ],
    'the most alike first',
  );
  assert.deepEqual([0, 1, 2, 3].map(pathAfter), ['lib/a.ts', 'b.ts', 'c.ts', 'lib/d.ts']);
  const accepts = (path: string) => path === 'x';
  const versions = graphVersionsOf(before, after, accepts);
  assert.deepEqual([versions.before, versions.after, versions.accepts], [before, after, accepts]);
  assert.deepEqual(
    [[...samePaths(before, after).newer], [...samePaths(before, after).older]],
    [
      [-1, 0, -1, -1],
      [1, -1, -1],
    ],
  );
});
