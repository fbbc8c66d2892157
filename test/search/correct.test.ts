/** How a query is corrected once similar words are known: which words, by how many, and which words of the query stay. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreCorrected } from '../../src/search/correct.js';
import { createCorpus } from '../../src/search/create-corpus.js';
import { parseQuery } from '../../src/search/query.js';
import type { Vocabulary } from '../../src/search/vocabulary.js';
import { createLiveSet } from '../../src/shard/live.js';
import { buildShard, catalogFile, type SourceFile } from '../support/generated/corpus.js';

const file = (path: string, className: string, ...words: string[]): SourceFile => ({
  ...{ path, className },
  methods: [{ name: 'doIt', words }],
});
const FILES = [
  file('src/a.ts', 'Alpha', 'parcel', 'weighed', 'parcels', 'panel'),
  file('src/b.ts', 'Beta', 'weighed'),
  file('src/c.ts', 'Gamma', 'parsley'),
];
const { live, entries } = createLiveSet([buildShard(FILES)], FILES.map(catalogFile));
const corpus = createCorpus(live, entries);

/** `words`: what resembles a word that no document has, the nearest first. */
const corrected = (query: string, words: Record<string, string[]>) =>
  scoreCorrected(corpus, parseQuery(query), {
    similar: async (term: string) => words[term] ?? [],
  } as unknown as Vocabulary);

test('a word stands for its two nearest at most, and the other words of the query stay', async () => {
  const { query, corrections, lexical } = await corrected('parcal weighed', { parcal: ['parcel', 'panel', 'parslei'] });
  assert.deepEqual(corrections, { parcal: ['parcel', 'panel'] });
  assert.deepEqual(query.terms, ['parcel', 'panel', 'weigh']);
  assert.deepEqual(
    lexical.terms.map(({ term }) => term),
    ['parcel', 'panel', 'weigh'],
  );
});

test('an unknown identifier is told of, and nothing stands for it although a word resembles it', async () => {
  const { query, corrections } = await corrected('parcelsWeighed', { parcelsweighed: ['parcel'] });
  assert.deepEqual(corrections, { parcelsWeighed: [] });
  assert.ok(query.terms.includes('parcelsweighed'));
});

test('words of a phrase that no document has count as no term of the query', async () => {
  const parsed = { ...parseQuery('parcel weighed'), phrasal: ['parcelweigh', 'parsley'] };
  const { lexical } = await scoreCorrected(corpus, parsed, { similar: async () => [] } as unknown as Vocabulary);
  assert.deepEqual(
    lexical.terms.map(({ term }) => term),
    ['parcel', 'weigh', 'parsley'],
  );
});
