import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearest, nearestPaths, refAdvice } from '../../src/base/spelling.js';

/** All words of up to four letters of which there are two. */
const words = [''];
for (const word of words) if (word.length < 4) words.push(`${word}a`, `${word}b`);

test('a bound on edits changes no distance within it, and lets none beyond it look near', () => {
  assert.equal(editDistance('total', 'toatl'), 1, 'neighbours that changed places are one edit');
  assert.equal(editDistance('kitten', 'sitting'), 3);
  for (const a of words)
    for (const b of words) {
      const exact = editDistance(a, b);
      for (const most of [0, 1, 2, 3]) {
        const bounded = editDistance(a, b, most);
        assert.ok(exact <= most ? bounded === exact : bounded > most, `${a} and ${b} within ${most}: ${bounded}`);
      }
    }
});

test('the nearest candidate is at most a third of its letters away, and its last part counts one edit more', () => {
  assert.equal(nearest('indxe', ['remove', 'index', 'search.index']), 'index');
  assert.equal(nearest('limit', ['search.limt', 'unrelated']), null);
  assert.equal(nearest('limits', ['search.limit', 'unrelated']), 'search.limit');
  assert.equal(nearest('q', []), null);
  // A longer word is no typing error.
  assert.equal(nearest('x'.repeat(64), ['x'.repeat(64)]), 'x'.repeat(64));
  assert.equal(nearest('x'.repeat(65), ['x'.repeat(65)]), null);
});

test('a path is suggested by its name, and a directory or a glob by the nearest directory', () => {
  const paths = ['pkg/server/router.go', 'pkg/server/tcp/router.go', 'pkg/provider/file.go', 'docs/index.md'];
  assert.deepEqual(nearestPaths(paths, 'pkg/server/rotuer.go'), ['pkg/server/router.go', 'pkg/server/tcp/router.go']);
  for (const typed of ['pkg/sever', 'pkg/sever/', 'pkg/sever/**', 'pkg/sever/*.go'])
    assert.deepEqual(nearestPaths(paths, typed), ['pkg/server/'], typed);
  assert.deepEqual(nearestPaths(paths, 'nothing/at/all'), []);
});

test('of equal names the one that shares most directories with the typed path comes first, then the first by letter', () => {
  const paths = ['app/admin/cart.ts', 'app/shop/cart.ts', 'lib/cart.ts'];
  assert.deepEqual(nearestPaths(paths, 'app/shop/old/cart.ts'), [
    'app/shop/cart.ts',
    'app/admin/cart.ts',
    'lib/cart.ts',
  ]);
  assert.deepEqual(nearestPaths(paths, 'lib/old/cart.ts')[0], 'lib/cart.ts');
  assert.deepEqual(nearestPaths(paths, 'cart.ts'), paths);
  assert.deepEqual(nearestPaths(['a/cart.tsx', 'b/cart.ts', 'c/cort.ts', 'a/cart.ts'], 'cart.ts'), [
    'a/cart.ts',
    'b/cart.ts',
    'a/cart.tsx',
  ]);
  assert.deepEqual(
    nearestPaths(['app/shop/crt.ts', 'lib/cart.ts'], 'app/shop/cart.ts')[0],
    'lib/cart.ts',
    'name first',
  );
});

test('a name with a ref in it, in the spelling of git or of package managers, is told of the option; others are not', () => {
  const typed = [
    'v1.2:src/cart.ts',
    'HEAD~3:cart.ts',
    'origin/main:src/',
    'Cart.total@v1.2',
    'src/cart.ts@0a1b2c3',
    'a.ts@main',
  ];
  assert.deepEqual(
    typed.map((text) =>
      /^(.*) is a ref: name (.*) alone, and/
        .exec(refAdvice(text) ?? '')
        ?.slice(1)
        .reverse(),
    ),
    [
      ['src/cart.ts', 'v1.2'],
      ['cart.ts', 'HEAD~3'],
      ['src/', 'origin/main'],
      ['Cart.total', 'v1.2'],
      ['src/cart.ts', '0a1b2c3'],
      ['a.ts', 'main'],
    ],
  );
  for (const text of [
    'Cart.total',
    'src/cart.ts',
    'src/cart.ts:total',
    'src/cart.ts:42',
    'C:\\cart.ts',
    '@acme/cart',
    'a@b.c',
  ])
    assert.equal(refAdvice(text), null, text);
});
