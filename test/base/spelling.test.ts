import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearest, nearestPaths } from '../../src/base/spelling.js';

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
});

test('a path is suggested by its name, and a directory or a glob by the nearest directory', () => {
  const paths = ['pkg/server/router.go', 'pkg/server/tcp/router.go', 'pkg/provider/file.go', 'docs/index.md'];
  assert.deepEqual(nearestPaths(paths, 'pkg/server/rotuer.go'), ['pkg/server/router.go', 'pkg/server/tcp/router.go']);
  for (const typed of ['pkg/sever', 'pkg/sever/', 'pkg/sever/**', 'pkg/sever/*.go'])
    assert.deepEqual(nearestPaths(paths, typed), ['pkg/server/'], typed);
  assert.deepEqual(nearestPaths(paths, 'nothing/at/all'), []);
});
