/** Which two addresses of a remote are one repository. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSamePlace } from '../../src/git/remote.js';

test('https and ssh addresses with one host and path are one place; all others differ', () => {
  const same = [
    'https://example.com/a/b.git',
    'https://me@Example.com/a/b',
    'git@example.com:a/b.git',
    'ssh://git@example.com/a/b/',
  ];
  for (const a of same) for (const b of same) assert.ok(isSamePlace(a, b), `${a} ${b}`);
  const others = [
    ...['https://example.com/a/c', 'https://example.org/a/b', 'git@example.com:c/b', 'http://example.com/a/b'],
    ...[
      'https://example.com:8443/a/b',
      'ssh://git@example.com:2222/a/b',
      'ext::sh -c x',
      '/srv/a/b',
      'file:///srv/a/b',
    ],
    ...['https://example.com/a/b.git?x', 'https://evil@example.com.evil.org/a/b', 'git@example.com:/a/b', 'C:/a/b', ''],
  ];
  for (const other of others) assert.ok(!isSamePlace(same[0], other), other);
  assert.ok(isSamePlace('/srv/a', '/srv/a') && !isSamePlace('/srv/a', '/srv/a.git'));
});
