/** Lines that differ: applied to the old text they make the new one, also where a text is too large for one comparison. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type LineChange, lineChanges } from '../../src/base/line-diff.js';

function applied(old: readonly string[], changes: readonly LineChange[]): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const change of changes) {
    assert.deepEqual(old.slice(change.first, change.first + change.old.length), change.old);
    lines.push(...old.slice(at, change.first), ...change.fresh);
    at = change.first + change.old.length;
  }
  return [...lines, ...old.slice(at)];
}

test('changes of any two texts lead from one to the other', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, (old, fresh) => {
      assert.deepEqual(applied(old, lineChanges(old, fresh)), fresh);
    }),
  );
});

test('two edits far from each other in a long text are two changes', () => {
  const old = Array.from({ length: 5_000 }, (_, i) => (i % 3 === 0 ? '}' : `line ${i}`));
  const fresh = old.map((line, i) => (i === 1 || i === 4_900 ? `${line} edited` : line));
  assert.deepEqual(
    lineChanges(old, fresh).map(({ first, old: gone }) => [first, gone.length]),
    [
      [1, 1],
      [4_900, 1],
    ],
  );
});

test('texts without a common order are compared in bounded time', () => {
  const old = Array.from({ length: 60_000 }, (_, i) => `line ${i % 7}`);
  const fresh = Array.from({ length: 60_000 }, (_, i) => `line ${i % 5}`).reverse();
  assert.deepEqual(applied(old, lineChanges(old, fresh)), fresh);
});

test('only lines that stand once hold two long texts together', () => {
  // The last brace of one text is no sign of the last brace of the other.
  const lines = (count: number, every: number) =>
    Array.from({ length: count }, (_, i) => (i % every === 0 ? '}' : `  step ${i % 5}`));
  const [old, fresh] = [lines(2_000, 7), lines(2_100, 11)];
  const [change, ...others] = lineChanges(['old', ...old, 'end 1'], ['fresh', ...fresh, 'end 2']);
  assert.deepEqual(
    [change.first, change.old.length, change.fresh.length, others.length],
    [0, old.length + 2, fresh.length + 2, 0],
  );
});
