/** Complexity by indentation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complexityOf, depthsOf } from '../../../src/questions/hotspots/answer.js';

test('the width of an indentation changes nothing, and neither do blank lines, brackets and comments', () => {
  const code = (indent: string) =>
    `if a {\n${indent}// why\n\n${indent}if b {\n${indent}${indent}c()\n${indent}}\n}\nd()\n`;
  for (const indent of ['\t', '  ', '    '])
    assert.deepEqual(complexityOf(depthsOf(code(indent))), { complexity: 3, codeLines: 4 });
});

test('a part counts from the depth of its own first line', () => {
  const depths = depthsOf('class A {\n  b() {\n    c()\n  }\n}\n');
  assert.deepEqual(depths, [0, 1, 2, null, null, null]);
  assert.deepEqual(complexityOf(depths, 2, 4), { complexity: 1, codeLines: 2 });
});

test('a text that is all indentation takes no longer than another', () => {
  const stairs = Array.from({ length: 20_000 }, (_, i) => `${' '.repeat(i % 500)}a`).join('\n');
  assert.equal(depthsOf(stairs).length, 20_000);
  assert.deepEqual(depthsOf(''), [null]);
});
