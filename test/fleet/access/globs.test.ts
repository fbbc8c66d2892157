/** Globs of grants. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesGrant } from '../../../fleet/src/access/globs.js';

test('a grant matches whole names alone: * has no slash, ** has, and everything else is itself', () => {
  const cases: [string, string, boolean][] = [
    ['acme/*', 'acme/shop', true],
    ['acme/*', 'acme/shop/web', false],
    ['acme/**', 'acme/shop/web', true],
    ['shop', 'acme/shop', false],
    ['acme/sh?p', 'acme/shop', false],
    ['**', 'a/b', true],
    ['*', 'a/b', false],
    ['*shop*', 'workshops', true],
    ['', 'a', false],
    ['a.c', 'abc', false],
    ['a*', 'a', true],
    ['a**b', 'a/x/b', true],
    ['a*b', 'axxb', true],
    ['a*b', 'axbx', false],
    ['ab', 'abc', false],
    ['abc', 'ab', false],
    ['***', 'a/b', true],
    ['😀*', '😀b', true],
    ['', '', true],
  ];
  for (const [glob, name, isMatch] of cases) assert.equal(matchesGrant(glob, name), isMatch, `${glob} ${name}`);
  // Steps are bounded by the product of the lengths.
  assert.equal(matchesGrant('*a'.repeat(200), `${'a'.repeat(399)}b`), false);
});
