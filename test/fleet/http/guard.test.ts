/** Which requests reach a fleet's server: its routes, no web pages, one token. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { foreign, routeOf, tokenOf } from '../../../fleet/src/http/guard.js';

const request = (
  method: string,
  url: string | undefined,
  headers: Readonly<Record<string, string | string[]>> = {},
): IncomingMessage => {
  const distinct = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]);
  const single = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  return {
    ...{ method, url, headers: Object.fromEntries(single), headersDistinct: Object.fromEntries(distinct) },
  } as unknown as IncomingMessage;
};

test('each route has its method and its exact address', () => {
  const route = (method: string, url?: string) => {
    const found = routeOf(request(method, url));
    if ('kind' in found) return `${found.kind} ${found.name ?? ''}`.trim();
    return `${found.status} ${found.headers?.Allow ?? ''}`.trim();
  };
  const posts = ['plan', 'units', 'view', 'refs', 'keep'].map((name) => [`/fleet/${name}`, `publish ${name}`]);
  const asks = ['search', 'repos', 'file', 'uses'].map((name) => [`/fleet/${name}`, `ask ${name}`]);
  for (const [url, wanted] of [...posts, ...asks, ['/mcp', 'mcp']]) {
    assert.equal(route('POST', url), wanted);
    assert.equal(route('GET', url), '405 POST');
  }
  for (const url of ['healthz', 'readyz', 'metrics']) {
    assert.equal(route('GET', `/${url}`), url);
    assert.equal(route('POST', `/${url}`), '405 GET');
  }
  assert.deepEqual(
    ['/', '/fleet/none', '/fleet/plan/', '/fleet/plan?a=b', '/FLEET/plan', '', undefined].map((url) =>
      route('POST', url),
    ),
    Array(7).fill('404'),
  );
});

test('a web page gets nothing, and without tokens no request that names another machine does', () => {
  const status = (headers: Readonly<Record<string, string>>, isOpen: boolean) =>
    foreign(request('POST', '/fleet/search', headers), { port: 8080, isOpen })?.status ?? 200;
  const own = { host: '127.0.0.1:8080' };
  assert.equal(status(own, false), 200);
  assert.equal(status({ host: 'fleet.example' }, false), 200);
  assert.equal(status({ ...own, origin: 'https://page.example' }, false), 403);
  assert.equal(status({ ...own, origin: 'http://127.0.0.1:8080' }, false), 403);
  assert.equal(status(own, true), 200);
  assert.equal(status({ host: 'localhost:8080' }, true), 200);
  assert.equal(status({ host: 'fleet.example:8080' }, true), 403);
  assert.equal(status({ host: '127.0.0.1:9999' }, true), 403);
  assert.equal(status({ ...own, origin: 'https://page.example' }, true), 403);
});

test('a token is the only one of a request, up to 4096 visible characters', () => {
  const token = (...authorization: string[]) =>
    tokenOf(request('POST', '/', authorization.length > 0 ? { authorization } : {}));
  assert.equal(token('Bearer abc'), 'abc');
  assert.equal(token('bearer   a.b-c  '), 'a.b-c');
  assert.deepEqual(
    [
      token(),
      token('abc'),
      token('Bearer'),
      token('Bearer '),
      token('Bearer a b'),
      token('Basic abc'),
      token('xBearer a'),
    ],
    Array(7).fill(null),
  );
  assert.equal(token('Bearer a', 'Bearer a'), null);
  assert.equal(token(`Bearer ${'x'.repeat(4096)}`)?.length, 4096);
  assert.equal(token(`Bearer ${'x'.repeat(4097)}`), null);
  assert.equal(token('Bearer ä'), null);
});
