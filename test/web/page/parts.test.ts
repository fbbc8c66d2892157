/** Parts of the page that need no browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestPaths } from '../../../src/web/page/dialogs.js';
import { linesOf } from '../../../src/web/page/read-view.js';
import { bestLines } from '../../../src/web/page/result.js';

test('a file is found by its name first, then by parts of its path, then by letters in order', () => {
  const paths = ['test/cart.ts', 'src/shopping/carter.ts', 'src/c/a/r/t.ts', 'src/cart.ts', 'docs/readme.md'];
  assert.deepEqual(bestPaths(paths, 'cart'), [
    'src/cart.ts',
    'test/cart.ts',
    'src/shopping/carter.ts',
    'src/c/a/r/t.ts',
  ]);
  assert.deepEqual(bestPaths(paths, 'src cart')[0], 'src/cart.ts');
  assert.deepEqual(bestPaths(paths, 'xyz'), []);
});

test('a long result shows the lines that hold most of the words', () => {
  const text = Array.from({ length: 40 }, (_, i) => (i === 30 ? 'the total of a cart' : `line ${i}`)).join('\n');
  const { text: shown, skipped } = bestLines(text, ['total', 'cart']);
  assert.ok(shown.includes('the total of a cart'));
  assert.equal(shown.split('\n')[0], text.split('\n')[skipped]);
  assert.deepEqual(bestLines('short', ['x']), { text: 'short', skipped: 0 });
});

test('lines in an address', () => {
  assert.deepEqual(linesOf('3-5'), { start: 3, end: 5 });
  assert.deepEqual(linesOf('7'), { start: 7, end: 7 });
  for (const wrong of [null, '', 'x', '3-', '-3', '3-5-7', '1e3'])
    assert.equal(linesOf(wrong), undefined, String(wrong));
});
