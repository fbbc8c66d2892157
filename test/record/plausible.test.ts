/** Claims of a record that cannot be true of its blob are told, in whichever language they stand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlobFacts } from '../../src/extract/facts.js';
import { contradiction } from '../../src/record/plausible.js';

/** Facts of one chunk that ends at `end`, with so many lines. */
function facts(end: number, lines = 1): BlobFacts {
  const relations = { imports: [], exports: [], references: [], bindings: [] };
  return { lines, chunks: end === 0 ? [] : [{ start: 0, end }], symbols: [], relations } as unknown as BlobFacts;
}

const of = (size: number, ...all: BlobFacts[]) =>
  contradiction({ facts: Object.fromEntries(all.map((each, i) => [`language${i}`, each])) }, size);

test('chunks that end before the last byte or behind it are told; a blob of a mark alone has none', () => {
  assert.equal(of(10, facts(10)), null);
  assert.match(of(10, facts(9)) ?? '', /^chunks of 9 bytes in a blob of 10$/);
  assert.match(of(10, facts(11)) ?? '', /^chunks of 11 bytes/);
  assert.equal(of(3, facts(0)), null);
  assert.match(of(4, facts(0)) ?? '', /^chunks of 0 bytes/);
});

test('as many lines as bytes can be, more cannot', () => {
  assert.equal(of(10, facts(10, 10)), null);
  assert.match(of(10, facts(10, 11)) ?? '', /^11 lines/);
});

test('one language that lies is told, wherever it stands; a record without facts claims nothing', () => {
  assert.match(of(10, facts(10), facts(9)) ?? '', /^chunks of 9/);
  assert.match(of(10, facts(9), facts(10)) ?? '', /^chunks of 9/);
  assert.equal(contradiction({ skip: 'binary' }, 10), null);
});
