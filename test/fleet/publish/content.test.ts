/** What a publisher sends of an indexed snapshot: its files by their paths, and the statistics of their terms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { familyId, unitKey } from '../../../fleet/src/keys.js';
import { contentOf, statsOf } from '../../../fleet/src/publish/content.js';
import { createCorpus } from '../../../src/search/build-corpus.js';
import { createLiveSet } from '../../../src/shard/live-set.js';
import { buildShard, catalogFile, materialise, type SourceFile } from '../../support/generated/corpus.js';

const file = (path: string, className: string, ...words: string[]): SourceFile => ({
  ...{ path, className },
  methods: [{ name: `run${className}`, words }],
});
const FILES = [
  file('src/zebra.ts', 'Zebra', 'common', 'stripe'),
  file('src/ant.ts', 'Ant', 'common', 'common', 'tiny'),
  file('test/ant.test.ts', 'AntTest', 'common', 'tiny'),
];
const GONE = file('src/gone.ts', 'Gone', 'common', 'stripe', 'zebra');

/** Two shards, and a file of another snapshot in one of them. */
function corpusOf(order: readonly number[]) {
  const shards = [buildShard([FILES[0], GONE], 'old'), buildShard([FILES[1], FILES[2]], 'new')];
  const copy = { ...catalogFile(FILES[1]), path: 'src/bee.ts' };
  const { live, entries } = createLiveSet(shards, [...order.map((i) => catalogFile(FILES[i])), copy]);
  return createCorpus(live, entries);
}

test('files are in the order of their first paths, with all their paths, class and key', () => {
  const family = familyId('shop');
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
  ]) {
    const corpus = corpusOf(order);
    const content = contentOf(corpus, family);
    assert.deepEqual(
      content.map(({ paths, pathClass, language }) => [paths, pathClass, language]),
      [
        [['src/ant.ts', 'src/bee.ts'], 'source', 'typescript'],
        [['src/zebra.ts'], 'source', 'typescript'],
        [['test/ant.test.ts'], 'test', 'typescript'],
      ],
    );
    const oids = [1, 0, 2].map((i) => materialise(FILES[i]).oid);
    assert.deepEqual(
      content.map(({ oid, key }) => [oid, key]),
      oids.map((oid) => [oid, unitKey(family, oid, 'typescript')]),
    );
    for (const { file: number, oid, centrality } of content) {
      assert.equal(corpus.live.files.oid(number), oid);
      assert.equal(centrality, corpus.centrality[number]);
    }
  }
});

test('a term counts the chunks that have it in their text or their path, once each, and one of a single chunk is left out', () => {
  const corpus = corpusOf([0, 1, 2]);
  const { count, averages, df } = statsOf(corpus);
  assert.deepEqual([count, averages], [6, corpus.averages]);
  const counted = (term: string) => df.get(term);
  // Both chunks of a file have the words of its path.
  assert.deepEqual(
    ['common', 'tini', 'tiny', 'stripe', 'zebra', 'ant', 'src', 'gone', 'none'].map(counted),
    ['common', 'tini', 'tiny', 'stripe', 'zebra', 'ant', 'src', 'gone', 'none'].map((term) => slowly(corpus, term)),
  );
  assert.equal(df.get('common'), 3);
  assert.equal(df.get('stripe'), undefined);
  assert.ok([...df.values()].every((value) => value > 1 && value <= count));
});

/** Live chunks that have a term, counted one by one. */
function slowly({ live, pathPostings }: ReturnType<typeof corpusOf>, term: string): number | undefined {
  const found = new Set<number>();
  for (const [i, shard] of live.shards.entries()) {
    const index = shard.findTerm(term);
    if (index >= 0)
      shard.eachPosting(index, (local) => {
        if (live.fileOf[live.bases[i] + local] >= 0) found.add(live.bases[i] + local);
      });
  }
  for (const [file] of pathPostings.of(term))
    live.fileOf.forEach((own, document) => {
      if (own === file) found.add(document);
    });
  return found.size > 1 ? found.size : undefined;
}
