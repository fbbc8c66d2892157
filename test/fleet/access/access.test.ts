/** Grants and clients: read strictly, and remembered for a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientCache, clientOf, OPEN_ACCESS, readGrant, tokenHash } from '../../../fleet/src/access/access.js';

test('a grant has a short name and lists of globs, and nothing is allowed that it does not list', () => {
  assert.deepEqual(readGrant({}, 'it'), { name: '', read: [], publish: [] });
  const full = { name: 'n'.repeat(200), read: ['g'.repeat(400)], publish: Array(10_000).fill('a') };
  assert.deepEqual(readGrant({ ...full, other: 1 }, 'it'), full);
  for (const [wrong, why] of [
    [null, /^it: a grant is an object$/],
    [[], /a grant is an object/],
    ['acme', /a grant is an object/],
    [{ name: 'n'.repeat(201) }, /name is a short text/],
    [{ name: 1 }, /name is a short text/],
    [{ name: 'a\nb' }, /name is a short text/],
    [{ read: 'acme/*' }, /read is a list/],
    [{ read: [''] }, /read is a list/],
    [{ read: ['g'.repeat(401)] }, /read is a list/],
    [{ publish: [1] }, /publish is a list/],
    [{ publish: Array(10_001).fill('a') }, /publish is a list/],
  ] as const)
    assert.throws(() => readGrant(wrong, 'it'), { code: 'BAD_CONFIG', message: why });
});

test('a client reads and publishes what its own lists say, also when it is asked again', () => {
  const client = clientOf({ name: 'ci', read: ['acme/*', 'other'], publish: ['acme/shop'] });
  for (let time = 0; time < 2; time++) {
    const may = (repo: string) => [client.mayRead(repo), client.mayPublish(repo)];
    assert.deepEqual(['acme/shop', 'acme/bank', 'other', 'none'].map(may), [
      [true, true],
      [true, false],
      [true, false],
      [false, false],
    ]);
  }
});

test('a client is remembered for a time, a refused one too, and the oldest is forgotten first', async () => {
  let now = 0;
  const cache = new ClientCache(1_000, 2, () => now);
  const client = await OPEN_ACCESS.clientOf(null);
  assert.equal(client?.mayPublish('any/thing'), true);
  assert.equal(cache.get('a'), undefined);
  assert.equal(cache.set('a', client), client);
  assert.equal(cache.set('b', null), null);
  now = 999;
  assert.deepEqual([cache.get('a'), cache.get('b')], [client, null]);
  now = 1_000;
  assert.deepEqual([cache.get('a'), cache.get('b')], [undefined, undefined]);
  cache.set('a', client);
  cache.set('c', client);
  assert.deepEqual(
    ['a', 'b', 'c'].map((hash) => cache.get(hash)),
    [client, undefined, client],
  );
  assert.match(tokenHash('x'), /^2d711642/);
});
