/** Lines followed through edits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { followLines } from '../../src/knowledge/line-map.js';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '}', '', 'x y'), { minLength: 1, maxLength: 25 });
const range = (length: number, from: number, to: number) => {
  const [start, end] = [from % length, to % length].sort((a, b) => a - b);
  return { start: start + 1, end: end + 1 };
};

test('lines are within the text that they are followed to', () => {
  fc.assert(
    fc.property(lines, lines, fc.nat(), fc.nat(), (before, after, from, to) => {
      const found = followLines(before, after, range(before.length, from, to));
      if (found !== null) assert.ok(found.start >= 1 && found.end >= found.start && found.end <= after.length);
    }),
  );
});

test('lines replaced by others are followed to exactly those, where the lines around them stayed', () => {
  fc.assert(
    fc.property(
      fc.nat(8),
      fc.nat(8),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 6 }),
      (above, below, height, now) => {
        const around = (count: number, mark: string) => Array.from({ length: count }, (_, i) => `${mark}${i}`);
        const before = [...around(above, 'above'), ...around(height, 'old'), ...around(below, 'below')];
        const after = [...around(above, 'above'), ...around(now, 'new'), ...around(below, 'below')];
        assert.deepEqual(followLines(before, after, { start: above + 1, end: above + height }), {
          ...{ start: above + 1, end: above + now },
        });
      },
    ),
  );
});

test('deleted lines are followed nowhere', () => {
  assert.equal(followLines(['a', 'b', 'c', 'd'], ['a', 'd'], { start: 2, end: 3 }), null);
  assert.equal(followLines(['a', 'b'], [], { start: 1, end: 2 }), null);
});

test('a function that grew while others moved around it keeps its lines', () => {
  const before = ['one() {', '}', '', 'two() {', '  return 2;', '}', '', 'three() {', '}'];
  const after = ['three() {', '}', '', 'two() {', '  log();', '  return 2;', '}', '', 'one() {', '}'];
  assert.deepEqual(followLines(before, after, { start: 4, end: 6 }), { start: 4, end: 7 });
});
