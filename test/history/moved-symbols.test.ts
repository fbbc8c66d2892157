/** Symbols that were removed in one file and added in another: which pairs are one symbol that moved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { joinMoves, type PlacedChange } from '../../src/history/moved-symbols.js';
import { countWords, similarity } from '../../src/history/similar-text.js';
import type { BlobSource } from '../../src/history/source.js';

const source: BlobSource = {
  unreadable: new Set(),
  bytes: async (oid) => Buffer.from(oid),
  facts: async () => null,
};

/** A change of one symbol that is all of its blob; its id is its text. */
function change(type: 'added' | 'removed', path: string, text: string, kind = 'function'): PlacedChange {
  const hash = text.replace(/\s/g, '');
  const symbol = {
    ...{ symbol: 'run', name: 'run', kind, exported: false, startLine: 1, endLine: 1, container: -1 },
    ...{ start: 0, end: Buffer.byteLength(text), text: hash, signature: 'run', body: hash, doc: '', raw: text },
  };
  return { path, oid: text, change: { type, symbol, members: 0 } };
}

const LONG = 'function run(depot, parcel) { return parcel.distance + depot.distance; }';
const EDITED = 'function run(depot, parcel) { return parcel.distance - depot.distance * 2; }';
const OTHER = 'function run() { for (const line of console.lines()) if (line !== "") print(line); }';

test('the same text in another file is a move, and is not listed as removed', async () => {
  const [from, to] = [change('removed', 'a.ts', LONG), change('added', 'b.ts', LONG)];
  assert.deepEqual(await joinMoves([from, to], source), new Set([from.change]));
  assert.equal(to.change.type, 'moved');
  assert.equal(to.change.from?.path, 'a.ts');
});

test('an edited symbol moved where at least half of its words are the same', async () => {
  const edited = change('added', 'b.ts', EDITED);
  await joinMoves([change('removed', 'a.ts', LONG), edited], source);
  assert.equal(edited.change.type, 'moved');
  const other = change('added', 'b.ts', OTHER);
  assert.equal((await joinMoves([change('removed', 'a.ts', LONG), other], source)).size, 0);
  assert.equal(other.change.type, 'added');
});

test('the same text wins over a similar one, whatever their order is', async () => {
  for (const order of [0, 1]) {
    const removed = [change('removed', 'same.ts', LONG), change('removed', 'similar.ts', EDITED)];
    const to = change('added', 'b.ts', LONG);
    await joinMoves([...(order === 0 ? removed : removed.reverse()), to], source);
    assert.equal(to.change.from?.path, 'same.ts');
  }
});

test('one removed symbol goes to one place', async () => {
  const from = change('removed', 'a.ts', LONG);
  const [first, second] = [change('added', 'b.ts', LONG), change('added', 'c.ts', LONG)];
  assert.equal((await joinMoves([from, first, second], source)).size, 1);
  assert.deepEqual([first.change.type, second.change.type], ['moved', 'added']);
});

test('another kind is another symbol, and short symbols move only with equal text', async () => {
  const method = change('added', 'b.ts', LONG, 'method');
  assert.equal((await joinMoves([change('removed', 'a.ts', LONG), method], source)).size, 0);
  const getter = change('added', 'b.ts', 'run() { return 1 }');
  assert.equal((await joinMoves([change('removed', 'a.ts', 'run() { return 2 }'), getter], source)).size, 0);
});

const words = fc.array(fc.constantFrom('parcel', 'depot', '(', ')', 'größe', '42'), { maxLength: 30 });

test('property: similarity is symmetric, 1 for the same words in any order, and 0 without a common word', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      const [left, right] = [countWords(Buffer.from(a.join(' '))), countWords(Buffer.from(b.join(' ')))];
      const score = similarity(left, right);
      assert.equal(score, similarity(right, left));
      assert.ok(score >= 0 && score <= 1);
      const isSame = [...a].sort().join() === [...b].sort().join();
      assert.equal(score === 1, isSame);
      const isDisjoint = !a.some((word) => b.includes(word)) && a.length + b.length > 0;
      assert.equal(score === 0, isDisjoint);
    }),
  );
});
