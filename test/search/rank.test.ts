/** The parts of a score, by hand: what each feature is weighed with, classes of files, and the order of equals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreBm25f } from '../../src/search/bm25.js';
import { createCorpus } from '../../src/search/create-corpus.js';
import type { DenseFeatures, DenseScorer } from '../../src/search/dense.js';
import { parseQuery } from '../../src/search/query.js';
import { aboveShare, type RankedChunk, rank } from '../../src/search/rank.js';
import { CLASS_FACTOR, FILE, WEIGHTS } from '../../src/search/weights.js';
import { createLiveSet } from '../../src/shard/live.js';
import { buildShard, catalogFile, type SourceFile } from '../support/generated/corpus.js';

const file = (path: string, className: string, ...words: string[]): SourceFile => ({
  ...{ path, className },
  methods: words.length === 0 ? [] : [{ name: `do${className}`, words }],
});

function corpusOf(files: readonly SourceFile[]) {
  const { live, entries } = createLiveSet([buildShard(files)], files.map(catalogFile));
  return createCorpus(live, entries);
}

const near = (found: number, expected: number) => assert.ok(Math.abs(found - expected) < 1e-9, `${found} ${expected}`);

test('each similarity is a share of the best of its kind, under its own weight', () => {
  const corpus = corpusOf([file('src/one.ts', 'Parcel'), file('src/two.ts', 'Parcels'), file('src/three.ts', 'Depot')]);
  const { fileOf } = corpus.live;
  const of: DenseFeatures[] = [
    { dense: 0.8, denseRare: 0.1, denseFile: 0.2 },
    { dense: 0.2, denseRare: 0.4, denseFile: 0.3 },
    { dense: 0.4, denseRare: 0.2, denseFile: 0.6 },
  ];
  const dense = {
    nearest: () => [0, 1, 2],
    features: (document: number) => of[fileOf[document]],
  } as unknown as DenseScorer;
  const ranked = rank(corpus, parseQuery('where is the parcel sent'), { dense, limit: 9 });
  assert.equal(ranked.length, 3);
  const weights = WEIGHTS.hybrid[parseQuery('where is the parcel sent').kind];
  for (const { file: at, explain } of ranked) {
    near(explain.dense, (weights.dense * of[at].dense) / 0.8);
    near(explain.denseRare, (weights.denseRare * of[at].denseRare) / 0.4);
    near(explain.denseFile, (weights.denseFile * of[at].denseFile) / 0.6);
  }
});

test('centrality counts by its root, so that the file that all use does not drown the others', () => {
  const corpus = corpusOf([file('src/a.ts', 'Parcel', 'sent'), file('src/b.ts', 'Depot', 'parcel', 'sent')]);
  corpus.centrality.set([0.8, 0.2]);
  const ranked = rank(corpus, parseQuery('where is it sent'), { limit: 9 });
  const [a, b] = [0, 1].map((at) => ranked.find((one) => one.file === at)?.explain.centrality ?? Number.NaN);
  near(b / a, 0.5);
});

test('a name asks for no class of files, a description with the same word does', () => {
  const filler = Array.from({ length: 12 }, (_, i) => file(`src/part${i}.ts`, `Part${i}`, 'running'));
  const corpus = corpusOf([...filler, file('tests/parcel.test.ts', 'Mock', 'parcel'), file('src/p.ts', 'Parcel')]);
  const factorOf = (query: string) => {
    const found = rank(corpus, parseQuery(query), { limit: 20 }).find(
      ({ file: at }) => corpus.classes[at] !== corpus.classes[0],
    );
    return found?.explain['factor:test'] ?? 1;
  };
  assert.equal(parseQuery('Mock').kind, 'symbol');
  assert.equal(factorOf('Mock'), CLASS_FACTOR.test);
  assert.equal(factorOf('mock of a parcel'), 1);
});

test('of equal scores the file that comes first in the snapshot is first, whatever the order of indexing', () => {
  const files = ['b', 'a', 'c'].map((name) => file(`src/${name}/x.ts`, `Parcel${'x'.repeat(name.charCodeAt(0) - 96)}`));
  const same = files.map(({ path }, i) => ({ path, className: 'Parcel', methods: [{ name: `m${i}`, words: [] }] }));
  for (const order of [same, [...same].reverse(), [same[1], same[2], same[0]]]) {
    const { live, entries } = createLiveSet(
      [buildShard(order)],
      [...same].sort((a, b) => (a.path < b.path ? -1 : 1)).map(catalogFile),
    );
    const corpus = createCorpus(live, entries);
    corpus.centrality.fill(1 / 3);
    const paths = rank(corpus, parseQuery('Parcel'), { limit: 9 })
      .filter(({ defines }) => defines !== undefined)
      .map(({ file: at }) => live.files.paths(at)[0]);
    assert.deepEqual(paths, ['src/a/x.ts', 'src/b/x.ts', 'src/c/x.ts']);
  }
});

test('the chunks of a file support its best one: the further, the less for a description, and all alike for a question', () => {
  const many = Array.from({ length: 9 }, (_, i) => ({ name: `parcel${i}`, words: ['depot'] }));
  const corpus = corpusOf([
    { path: 'src/large.ts', className: 'Large', methods: many },
    { path: 'src/small.ts', className: 'Small', methods: [{ name: 'send', words: ['parcel', 'sent', 'depot'] }] },
  ]);
  const supported = (query: string, part: number) => {
    const ranked = rank(corpus, parseQuery(query), { limit: 99 });
    const chunks = ranked.map(({ file: at, score, explain: { saturation = 1, coherence = 0 } }) => ({
      ...{ at, coherence, own: score / saturation - coherence },
    }));
    const sums = [0, 1].map((at) => {
      const own = chunks.filter((chunk) => chunk.at === at).map((chunk) => chunk.own);
      return own.sort((a, b) => b - a).reduce((sum, score, i) => sum + score * part ** i, 0);
    });
    const top = Math.max(...chunks.map(({ own }) => own));
    for (const at of [0, 1]) {
      const found = chunks.find((chunk) => chunk.at === at && chunk.coherence > 0)?.coherence ?? 0;
      near(found, (FILE.coherence[parseQuery(query).kind] * top * sums[at]) / Math.max(...sums));
    }
    return sums[0] / sums[1];
  };
  assert.ok(supported('parcel of a depot', FILE.fading.natural) < 5);
  assert.ok(supported('where is a parcel of the depot', 1) > 8);
});

test('a word in the name of a chunk counts for that word alone, and not for the next query', () => {
  const corpus = corpusOf([file('src/a.ts', 'Parcel', 'depot'), file('src/b.ts', 'Depot', 'parcel')]);
  const definedBy = (terms: string[]) => [...scoreBm25f(corpus, terms).defined];
  const [parcel, depot] = [definedBy(['parcel']), definedBy(['depot'])];
  assert.ok(parcel.some((value) => value > 0) && depot.some((value) => value > 0));
  for (const [i, both] of definedBy(['parcel', 'depot']).entries()) near(both, parcel[i] + depot[i]);
  assert.deepEqual(definedBy(['parcel']), parcel);
});

test('the least score is a share of the best one; none leaves out nothing, not even what scores below zero', () => {
  const ranked = [10, 5, 4.9, -1].map((score) => ({ score }) as RankedChunk);
  const kept = (minScore: number) => aboveShare(ranked, minScore).map(({ score }) => score);
  assert.deepEqual([kept(0.5), kept(0), kept(1)], [[10, 5], [10, 5, 4.9, -1], [10]]);
  assert.deepEqual(aboveShare([], 0.5), []);
});
