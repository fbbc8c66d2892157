/** One definition: whether other files see it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, symbolLines } from './helpers.js';

test('javascript: methods of an object in a function are seen where an exported constant holds what it gives', () => {
  const cases: [source: string, line: string][] = [
    ['use({ open() {} });', '+ method open'],
    ['use(() => ({ open() {} }));', '- method open'],
    ['export const cart = use(() => ({ open() {} }));', '+ method cart.open'],
  ];
  for (const [source, line] of cases) assert.equal(symbolLines(factsOf(source, 'javascript')).at(-1), line, source);
});
