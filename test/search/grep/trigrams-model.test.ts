/** Filters of trigrams hold what blobs have, and hardly anything else; what is encoded reads as it was. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BlobTests, TrigramFilters, type Trigrams, trigramsOf } from '../../../src/search/grep/trigrams.js';

const PLAIN: BlobTests = { isBinary: () => false, isSecret: () => false };
const oidOf = (i: number) => i.toString(16).padStart(40, '0');
const read = (filters: TrigramFilters) => TrigramFilters.of(filters.encode(), 'trigrams');

/** Trigrams of a text in lower case, as numbers. */
function trigramsIn(text: string): number[] {
  const bytes = Buffer.from(text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  return [...bytes.keys()].slice(2).map((at) => bytes.readUIntBE(at - 2, 3));
}

/** The trigrams that a condition asks for: one after the other, each being there. */
function askedBy(trigrams: Trigrams | null): number[] | null {
  if (trigrams === null) return null;
  const asked: number[] = [];
  trigrams((trigram) => asked.push(trigram) > 0);
  return asked;
}

const text = fc.string({ unit: fc.constantFrom('a', 'B', 'c', 'K', 's', 'z', 'Z', '[', '@', 'é', '1'), maxLength: 12 });

test('a pattern asks for every trigram of its text, in lower case', () => {
  fc.assert(
    fc.property(text, (given) => {
      const expected = trigramsIn(given);
      assert.deepEqual(
        askedBy(trigramsOf({ need: { text: given }, ignoreCase: false })),
        expected.length > 0 ? expected : null,
      );
    }),
    { numRuns: 300 },
  );
});

test('where case is ignored, trigrams with k, s or a letter beyond ASCII are not asked for', () => {
  const asked = (text: string) => askedBy(trigramsOf({ need: { text }, ignoreCase: true }));
  assert.deepEqual(asked('abcd'), trigramsIn('abcd'));
  assert.deepEqual(asked('abcKdef'), [...trigramsIn('abc'), ...trigramsIn('def')]);
  assert.deepEqual(asked('abcsdef'), [...trigramsIn('abc'), ...trigramsIn('def')]);
  assert.deepEqual(asked('abcédef'), [...trigramsIn('abc'), ...trigramsIn('def')]);
  assert.deepEqual(asked('abc\x7f'), trigramsIn('abc\x7f'));
  for (const none of ['ks', 'aKb', 'ésa', 'ab', '']) assert.equal(asked(none), null, none);
});

test('a condition on several texts is asked as it is built, and texts that are too short are there', () => {
  const trigrams = trigramsOf({
    need: { all: [{ text: 'abc' }, null, { any: [{ text: 'def' }, { text: 'xyz' }] }, { text: 'q' }] },
    ignoreCase: false,
  });
  const holds = (...texts: string[]) => trigrams?.((trigram) => texts.flatMap(trigramsIn).includes(trigram));
  assert.deepEqual(
    [holds('abc', 'def'), holds('abc', 'xyz'), holds('abc'), holds('def', 'xyz'), holds()],
    [true, true, false, false, false],
  );
  assert.equal(trigramsOf({ need: null, ignoreCase: false }), null);
});

/** Whether a blob may hold one trigram. */
const mayHold = (filters: TrigramFilters, oid: string, trigram: number) =>
  filters.judge(oid, (has) => has(trigram)) === 'read';

test('a filter holds every trigram of its text, and of others about a fifth, before and after it is written', () => {
  const texts = Array.from({ length: 20 }, (_, i) =>
    `function part${i}Of${i * i}(cart) { return ${i ** 3}; }`.repeat(3),
  );
  const filters = TrigramFilters.empty(20);
  for (const [i, each] of texts.slice(0, 9).entries()) filters.add(oidOf(i), Buffer.from(each), PLAIN);
  const second = read(filters);
  for (const [i, each] of texts.entries()) if (i >= 9) second.add(oidOf(i), Buffer.from(each), PLAIN);
  for (const set of [second, read(second)]) {
    let [held, others] = [0, 0];
    for (const [i, each] of texts.entries()) {
      const own = new Set(trigramsIn(each));
      assert.ok([...own].every((trigram) => mayHold(set, oidOf(i), trigram)));
      for (let trigram = 0x202020; trigram < 0x202020 + 3_000; trigram++)
        if (!own.has(trigram)) [held, others] = [held + Number(mayHold(set, oidOf(i), trigram)), others + 1];
    }
    assert.ok(held / others > 0.15 && held / others < 0.26, `${held / others}`);
  }
});

test('a filter takes four bits for each different trigram, at least a word', () => {
  const wordsOf = (text: string) => {
    const filters = TrigramFilters.empty(20);
    filters.add(oidOf(1), Buffer.from(text), PLAIN);
    return filters.bytes / 4;
  };
  const distinct = (count: number) =>
    String.fromCharCode(...Array.from({ length: count + 2 }, (_, i) => 33 + (i % 30) + (i >= 30 ? 40 : 0)));
  assert.deepEqual(['', 'ab', 'abc', 'aaaaaaaaaaaaaaaaaaaaaa', 'abcABCabc'].map(wordsOf), [1, 1, 1, 1, 1]);
  assert.deepEqual(
    [8, 9, 16, 17].map((count) => wordsOf(distinct(count))),
    [1, 2, 2, 3],
  );
});

test('what is known of blobs stays, in whatever order and number of steps they come', () => {
  const blob = fc.record({ text: fc.string({ maxLength: 30 }), isBinary: fc.boolean(), isSecret: fc.boolean() });
  fc.assert(
    fc.property(fc.array(blob, { maxLength: 6 }), fc.array(blob, { maxLength: 6 }), (first, second) => {
      const add = (filters: TrigramFilters, blobs: typeof first, from: number) => {
        for (const [i, { text, isBinary, isSecret }] of blobs.entries())
          filters.add(oidOf(from + i), Buffer.from(text), { isBinary: () => isBinary, isSecret: () => isSecret });
        assert.equal(filters.added, blobs.length);
      };
      const filters = TrigramFilters.empty(20);
      add(filters, first, 0);
      const more = read(filters);
      assert.equal(more.bytes, filters.bytes);
      add(more, second, first.length);
      for (const set of [more, read(more)])
        for (const [i, { text, isBinary, isSecret }] of [...first, ...second].entries()) {
          const { size, isBinary: binary, isClean } = set.known(oidOf(i)) ?? {};
          assert.deepEqual([size, binary, isClean], [Buffer.byteLength(text), isBinary, !isBinary && !isSecret]);
          assert.equal(set.judge(oidOf(i), null), isBinary ? 'binary' : 'read');
          assert.equal(
            set.judge(oidOf(i), () => false),
            isBinary ? 'binary' : 'none',
          );
        }
      assert.equal(read(more).known(oidOf(99)), null);
      assert.equal(
        read(more).judge(oidOf(99), () => false),
        'read',
      );
      assert.equal(read(more).bytes, more.bytes);
    }),
    { numRuns: 100 },
  );
});

test('a secret is looked for by the trigrams of its own blob alone', () => {
  const filters = TrigramFilters.empty(20);
  const asked: boolean[] = [];
  for (const [i, each] of ['const token = 1', 'const other = 1', 'TOKEN'].entries())
    filters.add(oidOf(i), Buffer.from(each), {
      ...PLAIN,
      isSecret: (_, mayHold) => asked.push(mayHold('Token'), mayHold('const')) === 0,
    });
  assert.deepEqual(asked, [true, true, false, true, true, false]);
  assert.equal(filters.known(oidOf(0))?.isClean, true);
});
