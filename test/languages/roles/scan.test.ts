/** Looking back over white space and comments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipSpaceBack } from '../../../src/languages/roles/scan.js';

const LEXICAL = { lineComments: ['//'], blockComment: ['/*', '*/'] as [string, string], quotes: '"', joins: ['.'] };

test('white space and comments before a place are skipped, with or without a space between them', () => {
  for (const [text, expected] of [
    ['cart', 4],
    ['cart  ', 4],
    ['cart/* open */', 4],
    ['cart /* open */', 4],
    ['cart /* open */ ', 4],
    ['cart // open\n', 4],
    ['cart /* a */ // b\n /* c */', 4],
    ['cart */', 7],
    ['  ', 0],
  ] as const)
    assert.equal(skipSpaceBack(text, text.length, 0, LEXICAL), expected, JSON.stringify(text));
  assert.equal(skipSpaceBack('cart  ', 6, 5, LEXICAL), 5, 'not below the floor');
});
