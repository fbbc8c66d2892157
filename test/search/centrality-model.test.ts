/** Centrality against its definition, worked out the slow way: who uses which names, and where a walk along these uses comes to rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Edges, fileCentrality, pageRank } from '../../src/search/build-corpus.js';
import { createLiveSet } from '../../src/shard/live-set.js';
import { buildShard, catalogFile, type SourceFile } from '../support/generated/corpus.js';

const near = (found: ArrayLike<number>, expected: readonly number[]) => {
  assert.equal(found.length, expected.length);
  for (const [i, value] of expected.entries())
    assert.ok(Math.abs(found[i] - value) < 1e-9, `${i}: ${found[i]}, not ${value}`);
};

/** Twenty steps of a walk that follows an edge 17 times of 20, and starts anew the others, or where no edge leads on. */
function walked(count: number, edges: Edges, starts = Array<number>(count).fill(1 / count)): number[] {
  const chance = Array.from({ length: count }, (_, from) => {
    const own = edges.from.flatMap((each, i) => (each === from ? [i] : []));
    const all = own.reduce((sum, i) => sum + edges.weight[i], 0);
    return starts.map((start, to) => {
      if (own.length === 0) return start;
      const along = own.filter((i) => edges.to[i] === to).reduce((sum, i) => sum + edges.weight[i] / all, 0);
      return 0.15 * start + 0.85 * along;
    });
  });
  let rank = Array<number>(count).fill(1 / count);
  for (let step = 0; step < 20; step++)
    rank = starts.map((_, to) => rank.reduce((sum, value, from) => sum + value * chance[from][to], 0));
  return rank;
}

const COUNT = 5;
const edge = fc.tuple(fc.nat(COUNT - 1), fc.nat(COUNT - 1), fc.constantFrom(0.25, 0.5, 1));

test('rank is where a walk of twenty steps is, from anywhere or from given places', () => {
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 9 }), fc.boolean(), (all, isBiased) => {
      const edges = {
        from: all.map(([from]) => from),
        to: all.map(([, to]) => to),
        weight: all.map(([, , weight]) => weight),
      };
      const starts = isBiased ? [0.5, 0.5, 0, 0, 0] : undefined;
      near(pageRank(COUNT, edges, starts && Float64Array.from(starts)), walked(COUNT, edges, starts));
    }),
    { numRuns: 200 },
  );
  assert.deepEqual([...pageRank(0, { from: [], to: [], weight: [] })], []);
});

const file = (path: string, className: string, ...words: string[]): SourceFile => ({
  ...{ path, className },
  methods: words.length === 0 ? [] : [{ name: `run${path.replace(/\W/g, '').repeat(2)}`, words }],
});
/** Files without a word in common, so that those that matter are a small share. */
const filler = (count: number) =>
  Array.from({ length: count }, (_, i) => file(`z${i}.ts`, `Filler${'x'.repeat(i + 1)}`));

/** Centrality of files; each edge is `[user, definer, weight]` by number. */
function assertEdges(files: readonly SourceFile[], expected: readonly (readonly [number, number, number])[]): void {
  const { live } = createLiveSet([buildShard(files)], files.map(catalogFile));
  const edges = {
    from: expected.map(([from]) => from),
    to: expected.map(([, to]) => to),
    weight: expected.map(([, , weight]) => weight),
  };
  near(fileCentrality(live), walked(files.length, edges));
}

test('a use leads to the file that defines the name, or to both of two, and counts less the more files use it', () => {
  assertEdges([file('a.ts', 'Parcel'), file('b.ts', 'Bbbb', 'parcel'), ...filler(6)], [[1, 0, 1 / Math.sqrt(2)]]);
  const two = [
    file('a.ts', 'Parcel', 'one'),
    file('b.ts', 'Parcel', 'two'),
    file('c.ts', 'Cccc', 'parcel'),
    ...filler(9),
  ];
  const weight = 1 / (2 * Math.sqrt(3));
  assertEdges(two, [
    [2, 0, weight],
    [2, 1, weight],
  ]);
});

test('names of three files, of two letters, or that more than a quarter of all files use, lead nowhere', () => {
  const three = ['a', 'b', 'c'].map((name) => file(`${name}.ts`, 'Parcel', `${name}word`));
  assertEdges([...three, file('d.ts', 'Dddd', 'parcel'), ...filler(20)], []);
  assertEdges([file('a.ts', 'Ab'), file('b.ts', 'Bbbb', 'ab'), ...filler(9)], []);
  assertEdges([file('a.ts', 'Abc'), file('b.ts', 'Bbbb', 'abc'), ...filler(9)], [[1, 0, 1 / Math.sqrt(2)]]);
  const used = [file('a.ts', 'Parcel'), file('b.ts', 'Bbbb', 'parcel')];
  assertEdges([...used, ...filler(6)], [[1, 0, 1 / Math.sqrt(2)]]);
  assertEdges([...used, ...filler(5)], []);
  const twice = { ...used[1], methods: [...used[1].methods, { name: 'runAgain', words: ['parcel', 'again'] }] };
  assertEdges([used[0], twice, ...filler(6)], [[1, 0, 1 / Math.sqrt(2)]]);
});
