/** Which addresses of a fleet's server are taken, and where requests to it go. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedUrl } from '../../fleet/src/post.js';

test('an address is a folder, with or without a slash at its end: requests go below it', () => {
  const below = (url: string) => new URL('v1/plan', checkedUrl({ url, token: null })).href;
  assert.equal(below('https://fleet.example.com'), 'https://fleet.example.com/v1/plan');
  assert.equal(below('https://fleet.example.com/'), 'https://fleet.example.com/v1/plan');
  assert.equal(below('https://example.com/tools/fleet'), 'https://example.com/tools/fleet/v1/plan');
  assert.equal(below('https://example.com/tools/fleet/'), 'https://example.com/tools/fleet/v1/plan');
});

test('an address of another kind, or with a password in it, is refused', () => {
  for (const url of [
    '',
    'fleet.example.com',
    'ftp://example.com',
    'https://me:word@example.com',
    'https://me@example.com',
  ])
    assert.throws(() => checkedUrl({ url, token: null }), { code: 'BAD_ARGUMENT' }, url);
});

test('a token travels in the clear to this machine alone', () => {
  for (const url of ['http://localhost:7700', 'http://127.0.0.1:7700', 'http://[::1]:7700', 'https://example.com'])
    assert.equal(checkedUrl({ url, token: 'secret' }).href, `${url}/`);
  const url = 'http://example.com';
  assert.throws(() => checkedUrl({ url, token: 'secret' }), { code: 'BAD_ARGUMENT' });
  assert.equal(checkedUrl({ url, token: null }).href, `${url}/`);
});
