/**
 * The model that is shipped, at work. After a training, make the golden vectors anew:
 *
 *     npx tsc -p test/tsconfig.json && UPDATE_FIXTURES=1 node build/test/model/builtin.test.js
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Facts, withTables } from '../../model/train/readme.js';
import { builtinModel } from '../../src/embed/builtin/index.js';
import { type StaticModel, SubwordPool, segment } from '../../src/embed/builtin/model.js';
import { textTerms } from '../../src/extract/terms.js';
import { embedShard } from '../../src/indexer/static-vectors.js';
import { ROOT } from '../house/root.js';
import { anyFiles, buildShard, type ExpectedChunk, materialise } from '../support/generated/corpus.js';

const model = builtinModel();
const GOLDEN = new URL('fixtures/model/vectors.json', ROOT);
const read = (name: string) => readFileSync(new URL(name, ROOT));
const json = (name: string) => JSON.parse(read(name).toString());

const TEXTS = [
  'open a file and read its lines',
  'function parseHeader(line) {\n  const at = line.indexOf(":");\n  return line.slice(0, at);\n}',
  'retry the request with exponential backoff',
  'class UserSessionStore:\n    def remember_token(self, user, token):\n        self.tokens[user] = token',
  'qzxv',
];

/** Rows of a text with their frequencies. */
function rowsOf(text: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of textTerms(text)) for (const row of model.rowsOf(term)) counts.set(row, (counts.get(row) ?? 0) + 1);
  return counts;
}

function vectorOf(pool: SubwordPool, counts: Iterable<readonly [row: number, count: number]>): Int8Array {
  const vector = new Int8Array(model.dimensions);
  for (const [row, count] of counts) pool.count(row, count);
  pool.finish(vector);
  return vector;
}

test('golden vectors of five short texts', () => {
  const pool = new SubwordPool(model);
  const vectors = TEXTS.map((text) => [text, Buffer.from(vectorOf(pool, rowsOf(text)).buffer).toString('hex')]);
  const golden = { version: model.version, vectors: Object.fromEntries(vectors) };
  if (process.env.UPDATE_FIXTURES === '1') {
    mkdirSync(new URL('.', GOLDEN), { recursive: true });
    writeFileSync(GOLDEN, `${JSON.stringify(golden, null, 2)}\n`);
  }
  const expected = JSON.parse(readFileSync(GOLDEN, 'utf8'));
  assert.equal(expected.version, golden.version, 'another model: see the top of this file');
  assert.deepEqual(golden, expected);
  assert.match(golden.vectors[TEXTS[4]], /^0+$/);
});

test('an unknown term is cut into the longest words from left to right, whatever words share their first letters', () => {
  const words = ['cat', 'cats', 'category', 'cab', 'tea', 'team', 'eam', 'größe', 'at', 'x'.repeat(25)];
  const rowOf = new Map(words.map((word, row) => [word, row]));
  const cut = (term: string) => {
    const rows: string[] = [];
    for (let at = 0; at < term.length; ) {
      const lengths = [...words].filter((word) => word.length >= 3 && word.length <= 24 && term.startsWith(word, at));
      const longest = lengths.sort((a, b) => b.length - a.length).at(0);
      if (longest !== undefined) rows.push(longest);
      at += longest?.length ?? 1;
    }
    return rows;
  };
  const parts = fc.array(fc.constantFrom(...words, 'ca', 'te', 'q', 'ß', '\u{1f600}'), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(parts, (list) => {
      const term = `${list.join('')}7`;
      const found = segment(term, rowOf).map((row) => words[row]);
      assert.deepEqual(found, cut(term));
    }),
  );
});

test('metrics.json and the tables of README.md are those of this model', () => {
  const file = read('model/builtin.bin');
  const metrics = json('model/metrics.json') as Facts['metrics'];
  assert.equal(metrics.model.sha256, createHash('sha256').update(file).digest('hex'));
  assert.equal(metrics.model.version, model.version);
  const text = read('model/README.md').toString();
  assert.equal(text, withTables(text, { corpus: json('model/corpus.json'), metrics }));
});

test('the model beats BM25 on documentation of packages that it has never seen', () => {
  const { scores } = json('model/metrics.json') as Facts['metrics'];
  const { doc } = scores.package;
  assert.ok(doc !== undefined && doc.candidates === 1_000 && doc.model > doc.bm25, JSON.stringify(doc));
});

const anyCounts = fc.uniqueArray(fc.tuple(fc.nat(model.words - 1), fc.integer({ min: 1, max: 300 })), {
  selector: ([row]) => row,
  maxLength: 60,
});

test('property: the order of counting does not change a vector', () => {
  const pool = new SubwordPool(model);
  fc.assert(
    fc.property(anyCounts, fc.infiniteStream(fc.nat()), (counts, orders) => {
      const keyed = counts.map((count) => ({ count, key: orders.next().value }));
      const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ count }) => count);
      // One occurrence after the other, and all at once.
      const single = shuffled.flatMap(([row, count]) => Array.from({ length: count }, () => [row, 1] as const));
      const expected = vectorOf(pool, counts);
      assert.deepEqual(vectorOf(pool, shuffled), expected);
      assert.deepEqual(vectorOf(pool, single.reverse()), expected);
    }),
    { numRuns: 50 },
  );
});

/** Terms of a chunk by hand: a word in the name counts 3 more, in the enclosing definitions' names 4. */
function byHand({ body, name, enclosing }: ExpectedChunk): Int8Array {
  const terms = new Map<string, number>();
  const add = (list: readonly string[], weight: number) => {
    for (const term of list) terms.set(term, (terms.get(term) ?? 0) + weight);
  };
  add(body, 1);
  add(name, 3);
  add(enclosing, 4);
  const counts = new Map<number, number>();
  for (const [term, n] of terms) for (const row of model.rowsOf(term)) counts.set(row, (counts.get(row) ?? 0) + n);
  return plainVector(model, counts);
}

function plainVector({ dimensions }: StaticModel, counts: ReadonlyMap<number, number>): Int8Array {
  const sum = new Float64Array(dimensions);
  for (const [row, count] of counts) model.addWeighted(sum, row, Math.round(Math.sqrt(Math.min(count, 255)) * 64));
  const largest = sum.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return Int8Array.from(sum, (x) => (largest === 0 ? 0 : Math.round(x * (127 / largest))));
}

test('vectors of a shard are those of its chunks, counted by hand', () => {
  fc.assert(
    fc.property(anyFiles(), (files) => {
      const shard = buildShard(files);
      const { rows, present } = embedShard(shard, model);
      for (const { oid, chunks } of files.map(materialise)) {
        const unit = [...Array(shard.meta.units).keys()].find((i) => shard.unitOid(i) === oid) ?? -1;
        for (const [i, chunk] of chunks.entries()) {
          const document = shard.unitFirst[unit] + i;
          const row = rows.slice(document * model.dimensions, (document + 1) * model.dimensions);
          const expected = byHand(chunk);
          assert.deepEqual(row, expected);
          assert.equal(
            present === null || present[document] === 1,
            expected.some((x) => x !== 0),
          );
        }
      }
    }),
    { numRuns: 60 },
  );
});
