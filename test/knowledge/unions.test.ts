/** Tags and summaries of several clones: whoever took in whose entries first, all clones read the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inspectEntry, SUMMARIES, summariesOf } from '../../src/knowledge/codecs.js';
import { decodeEntry, type Entry, type EntryKind, encodeEntry, handTagsOf, TAGS } from '../../src/knowledge/entry.js';
import { KNOWLEDGE_KINDS } from '../../src/knowledge/kinds.js';
import { claims, summaryBodies, tagBodies } from './sample.js';

test('every kind of entry has a codec that checks know', () => {
  for (const kind of KNOWLEDGE_KINDS) {
    const verdict = inspectEntry(kind, Buffer.from('nothing'), 'a'.repeat(40));
    assert.ok(!verdict.ok && !verdict.detail.includes('is no kind'), kind);
  }
});

/** As the set of a clone holds them: each once, by its id. */
function union<Body>(...clones: readonly (readonly Entry<Body>[])[]): Entry<Body>[] {
  return [...new Map(clones.flat().map((entry) => [entry.id, entry])).values()];
}

/** Entries about few keys, at few times, so that clones contradict each other. */
const entriesOf = <Body>(kind: EntryKind<Body>, bodies: fc.Arbitrary<Body>) =>
  fc.array(
    fc.tuple(claims, fc.nat(2), bodies).map(([claim, time, body]) => {
      const { id, bytes } = encodeEntry(kind, { ...claim, time, body }, 'sha1');
      const decoded = decodeEntry(kind, bytes, id);
      assert.ok(decoded.ok);
      return decoded.record;
    }),
    { maxLength: 6 },
  );

const summaries = entriesOf(
  SUMMARIES,
  fc.tuple(summaryBodies, fc.constantFrom('0', '1')).map(([body, digit]) => ({ ...body, key: digit.repeat(32) })),
);
const ANCHOR = { path: 'a.ts', symbol: null, lines: null, blob: 'a'.repeat(40), commit: null, size: 1 };
const tags = entriesOf(
  TAGS,
  fc.tuple(tagBodies, fc.constantFrom('0', '1')).map(([{ isOff }, digit]) => ({
    ...{ isOff, tag: 'auth', anchor: { ...ANCHOR, content: digit.repeat(32) } },
  })),
);

test('summaries: any order of exchange gives every clone one text for each key, the earliest', () => {
  fc.assert(
    fc.property(summaries, summaries, summaries, (a, b, c) => {
      const one = summariesOf(union(a, b, c));
      assert.deepEqual(summariesOf(union(union(c, a), b)), new Map([...one]));
      assert.deepEqual(summariesOf(union(b, union(a, a, c))), one);
      const all = union(a, b, c);
      for (const [key, { time }] of one)
        assert.equal(time, Math.min(...all.flatMap((entry) => (entry.body.key === key ? [entry.time] : []))));
    }),
  );
});

test('tags: any order of exchange gives every clone the same last word on each place', () => {
  fc.assert(
    fc.property(tags, tags, tags, (a, b, c) => {
      const one = handTagsOf(union(a, b, c));
      assert.deepEqual(handTagsOf(union(union(c, b), a)), one);
      assert.deepEqual(handTagsOf(union(b, union(a, a, c))), one);
      assert.equal(new Set(one.map(({ anchor }) => anchor.content)).size, one.length);
    }),
  );
});
