/** BM25F against a reference that counts everything anew for every query, from the text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textTerms } from '../../src/extract/terms.js';
import { createCorpus } from '../../src/search/build-corpus.js';
import { releaseScores, scoreBm25f } from '../../src/search/lexical.js';
import { BM25F } from '../../src/search/weights.js';
import type { LexicalShard } from '../../src/shard/lexical-shard.js';
import { createLiveSet, locate } from '../../src/shard/live-set.js';
import { anyFiles, buildShard, catalogFile, materialise, type SourceFile } from '../support/generated/corpus.js';

const FIELDS = ['body', 'name', 'enclosing', 'path'] as const;
type Document = Record<(typeof FIELDS)[number], string[]> & { key: string };

/** The path field: the file name twice, every directory once. */
function pathField(path: string): string[] {
  const parts = path.split('/');
  const file = parts.pop() ?? '';
  const stem = file.includes('.', 1) ? file.slice(0, file.lastIndexOf('.')) : file;
  return [...textTerms(stem), ...textTerms(stem), ...parts.flatMap((part) => textTerms(part))];
}

const documentsOf = (files: readonly SourceFile[]): Document[] =>
  files.flatMap((file) => {
    const { oid, chunks } = materialise(file);
    return chunks.map((chunk, i) => ({ ...chunk, path: pathField(file.path), key: `${oid} ${i}` }));
  });

const count = (terms: readonly string[], term: string) => terms.filter((other) => other === term).length;

/** The formula of bm25.ts, word for word. */
function reference(documents: readonly Document[], terms: readonly string[]): Map<string, number> {
  const average = Object.fromEntries(
    FIELDS.map((field) => [field, documents.reduce((sum, d) => sum + d[field].length, 0) / documents.length]),
  );
  const frequency = (document: Document, term: string) =>
    FIELDS.reduce((sum, field) => {
      const tf = count(document[field], term);
      if (tf === 0) return sum;
      const { weight, b } = BM25F[field];
      return sum + (weight * tf) / (1 - b + (b * document[field].length) / average[field]);
    }, 0);
  const scores = new Map<string, number>();
  for (const term of terms) {
    const weights = documents.map((document) => frequency(document, term));
    const df = weights.filter((weight) => weight > 0).length;
    const idf = Math.log(1 + (documents.length - df + 0.5) / (df + 0.5));
    for (const [i, { key }] of documents.entries()) {
      scores.set(key, (scores.get(key) ?? 0) + (idf * weights[i]) / (BM25F.k1 + weights[i]));
    }
  }
  return scores;
}

/** Scores of the program, by the same keys. */
function actual(shards: readonly LexicalShard[], files: readonly SourceFile[], terms: string[]): Map<string, number> {
  const { live, entries } = createLiveSet(shards, files.map(catalogFile));
  const { scores, coverage, terms: matched } = scoreBm25f(createCorpus(live, entries), terms);
  const mass = matched.reduce((sum, { idf }) => sum + idf, 0);
  const found = new Map<string, number>();
  for (const [document, file] of live.fileOf.entries()) {
    if (file < 0) {
      assert.equal(scores[document], 0);
      continue;
    }
    // A document covers all terms of a query at most, and some exactly where it scores.
    assert.ok(coverage[document] <= mass + 1e-9);
    assert.equal(coverage[document] > 0, scores[document] > 0);
    if (matched.filter(({ df }) => df > 0).length === 1 && scores[document] > 0)
      assert.ok(matched.some(({ idf }) => idf === coverage[document]));
    const { shard, local } = locate(live, document);
    found.set(`${live.files.oid(file)} ${local - shard.unitFirst[live.files.unit[file]]}`, scores[document]);
  }
  return found;
}

test('a term counts as defined only where it is in a name that the chunk defines', () => {
  const files: SourceFile[] = [
    { path: 'a.ts', className: 'Alpha', methods: [{ name: 'beta', words: ['gamma'] }] },
    { path: 'b.ts', className: 'Delta', methods: [{ name: 'other', words: ['alpha', 'beta'] }] },
  ];
  const { live, entries } = createLiveSet([buildShard(files)], files.map(catalogFile));
  const corpus = createCorpus(live, entries);
  // Twice: nothing of a query stays for the next one, which may get its arrays.
  for (let i = 0; i < 2; i++) {
    const scored = scoreBm25f(corpus, ['alpha', 'beta']);
    assert.deepEqual([...scored.defined].sort(), [0, 0, ...scored.terms.map(({ idf }) => idf)].sort());
    releaseScores(corpus, scored);
  }
});

function assertEqualScores(found: Map<string, number>, expected: Map<string, number>): void {
  assert.deepEqual([...found.keys()].sort(), [...expected.keys()].sort());
  for (const [key, score] of expected) {
    assert.ok(Math.abs((found.get(key) ?? Number.NaN) - score) <= 1e-9, `${key}: ${found.get(key)} is not ${score}`);
  }
}

const anyTerms = fc
  .uniqueArray(
    fc.constantFrom(...textTerms('parse getUser server HTTPServer 解析器 running Größe src http session absent')),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((terms) => [...new Set(terms)]);

test('scores of one shard equal the reference to 1e-9', () => {
  fc.assert(
    fc.property(anyFiles(), anyTerms, (files, terms) => {
      assertEqualScores(actual([buildShard(files)], files, terms), reference(documentsOf(files), terms));
    }),
    { numRuns: 150 },
  );
});

test('documents of other branches in the same shards change nothing', () => {
  fc.assert(
    fc.property(anyFiles(10), fc.nat(9), anyTerms, (all, cut, terms) => {
      const files = all.slice(0, Math.max(1, Math.min(cut, all.length)));
      assertEqualScores(actual([buildShard(all)], files, terms), reference(documentsOf(files), terms));
    }),
    { numRuns: 150 },
  );
});

test('scores of a live set spread over several shards equal the reference', () => {
  fc.assert(
    fc.property(anyFiles(10), fc.array(fc.nat(9), { maxLength: 3 }), fc.nat(9), anyTerms, (all, cuts, live, terms) => {
      const bounds = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length];
      const parts = bounds.slice(1).map((end, i) => all.slice(bounds[i], end));
      const shards = [...parts, all.slice(0, 2)].filter((part) => part.length > 0).map((part) => buildShard(part));
      const files = all.filter((_, i) => i % 10 >= live % 3);
      if (files.length === 0) return;
      assertEqualScores(actual(shards, files, terms), reference(documentsOf(files), terms));
    }),
    { numRuns: 150 },
  );
});
