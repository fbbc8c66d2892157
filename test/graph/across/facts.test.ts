// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of templates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ClientCall,
  mayUse,
  RouteIndex,
  routeEdges,
  type ServedRoute,
  sketchOf,
  wantedOf,
} from '../../../src/graph/across/facts.js';
import type { Reference } from '../../../src/languages/roles/relation-facts.js';
import { parseRequest, withRequests } from '../../../src/languages/roles/requests.js';

const route = (written: string): ServedRoute => {
  const [method, path] = written.split(' ');
  return { method, route: path, path: 'server.ts', line: 1, handler: null };
};
const call = (written: string): ClientCall => {
  const [method, path, below] = written.split(' ');
  return {
    method,
    route: path,
    path: 'client.ts',
    symbol: null,
    line: 1,
    ...(below === 'below' && { below: true }),
    ...(below === 'based' && { based: true }),
  };
};
const matches = (routes: string[], written: string) =>
  routeEdges(new RouteIndex(routes.map(route)), { calls: [call(written)] }).map(
    ({ route: found, confidence }) => `${found.method} ${found.route} ${confidence}`,
  );

test('paths agree part by part, whatever a parameter is called, and methods where both tell them', () => {
  const routes = ['GET /users/:id', 'POST /users/{id}', 'ANY /users/<int:id>/posts', 'USE /users'];
  assert.deepEqual(matches(routes, 'GET /users/*'), ['GET /users/:id 0.9']);
  assert.deepEqual(matches(routes, 'GET /users/*/posts'), ['ANY /users/<int:id>/posts 0.8']);
  assert.deepEqual(matches(routes, 'DELETE /users/*'), []);
  assert.deepEqual(matches(routes, 'GET /users'), [], 'a mount answers nothing');
  assert.deepEqual(matches(['GET /users/me', 'GET /users/:id'], 'GET /users/me'), ['GET /users/me 0.9']);
  assert.deepEqual(matches(['GET /users/:id'], 'GET /users/me'), ['GET /users/:id 0.75'], 'a value for the parameter');
  assert.deepEqual(matches(['GET /users/me'], 'GET /users/*'), [], 'any value is seldom that one');
});

test('what stands before one of the paths may be a mount or a base, and is less certain', () => {
  assert.deepEqual(matches(['GET /users/:id'], 'GET /api/v1/users/*'), ['GET /users/:id 0.7']);
  assert.deepEqual(matches(['GET /list'], 'GET /shop/list'), ['GET /list 0.45']);
  assert.deepEqual(matches(['GET /api/users/:id'], 'GET /users/* below'), ['GET /api/users/:id 0.7']);
  assert.deepEqual(matches(['GET /api/users/:id'], 'GET /users/*'), [], 'a path from the root has no base');
  const api = ['GET /api/v1/users/:id', 'GET /shop/carts'];
  assert.deepEqual(matches(api, 'GET /users/* based'), ['GET /api/v1/users/:id 0.7'], 'a client may have one');
  assert.deepEqual(matches(api, 'GET /carts based'), [], 'which is `/api`, and no more');
  assert.deepEqual(matches(['GET /:a/:b'], 'GET /x/y'), [], 'a route of parameters alone tells nothing');
  assert.deepEqual(matches(['GET /users/:id', 'GET /users/:name'], 'GET /users/*'), [
    'GET /users/:id 0.45',
    'GET /users/:name 0.45',
  ]);
});

test('a route matches the request for it, however its parameters are written', () => {
  const part = fc.stringMatching(/^[a-z]{1,6}$/);
  const written = fc.array(fc.tuple(part, fc.constantFrom(...['', ':', '{', '<'])), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(written, (parts) => {
      fc.pre(parts.some(([, form]) => form === ''));
      const ends: Record<string, string> = { ':': '', '{': '}', '<': '>', '': '' };
      const served = parts.map(([name, form]) => `/${form}${name}${ends[form]}`).join('');
      const sent = parts.map(([name, form]) => `/${form === '' ? name : '*'}`).join('');
      assert.equal(matches([`GET ${served}`], `GET ${sent}`).length, 1, `${served} ${sent}`);
    }),
  );
});

/** Would a repository that imports a module, or sends a request, be asked for uses of another's module or route? */
function isAsked(
  used: { specifier?: string; request?: string },
  published: { module?: string; route?: string },
): boolean {
  const user = { path: 'client.ts', symbol: null, line: 1, name: '', uses: 1, ecosystem: 'pypi' };
  const sketch = sketchOf({
    uses: used.specifier === undefined ? [] : [{ ...user, specifier: used.specifier }],
    calls: used.request === undefined ? [] : [call(used.request)],
  });
  const { module, route: served } = published;
  const wanted = wantedOf({
    packages: [{ ecosystem: 'pypi', name: 'shop', manifest: 'pyproject.toml' }],
    exports:
      module === undefined ? [] : [{ package: 0, module, name: 'View', path: 'views.py', symbol: 'View', line: 1 }],
    routes: served === undefined ? [] : [route(served)],
  });
  return mayUse(sketch, wanted);
}

test('a repository is asked if it imports a module or the one above it, however its language joins their names', () => {
  for (const [module, above] of [
    ['flask.views', 'flask'],
    ['flask.json.tag', 'flask.json'],
    ['tokio::sync', 'tokio'],
    ['@acme/cart/price', '@acme/cart'],
    ['Monolog\\Handler', 'Monolog'],
  ]) {
    assert.ok(isAsked({ specifier: module }, { module }), module);
    assert.ok(isAsked({ specifier: above }, { module }), `${above} of ${module}`);
    assert.ok(!isAsked({ specifier: module }, { module: above }), `${above} is not below ${module}`);
    assert.ok(!isAsked({ specifier: `${above}2` }, { module }), `another one beside ${above}`);
  }
  assert.ok(!isAsked({ specifier: 'flask' }, { module: 'flask.json.tag' }), 'two above');
  assert.ok(!isAsked({}, { module: 'flask' }));
  assert.ok(!isAsked({ specifier: 'flask' }, {}));
});

test('a repository is asked if it has a request for the last part of a route, or any where that is a parameter', () => {
  assert.ok(isAsked({ request: 'GET /api/users' }, { route: 'GET /users' }));
  assert.ok(!isAsked({ request: 'GET /users/carts' }, { route: 'GET /users' }));
  assert.ok(isAsked({ request: 'GET /users/7' }, { route: 'GET /users/:id' }));
  assert.ok(!isAsked({ specifier: 'flask' }, { route: 'GET /users/:id' }), 'it has no request');
  assert.ok(!isAsked({ request: 'GET /users' }, { module: 'users' }), 'a module is no route');
});

/** Requests among the references of a text. */
const requestsIn = (text: string, references: Reference[]) =>
  withRequests(text, references).flatMap(({ kind, literal }) =>
    kind === 'request' ? (parseRequest(literal) ?? []) : [],
  );

/** Reads a call that stands on the last line. */
function read(text: string, receiver: string, name: string): string | null {
  const startLine = text.split('\n').length;
  const reference = {
    kind: 'call',
    name,
    receiver,
    args: 1,
    literal: '',
    symbol: -1,
    startLine,
    endLine: startLine,
  } as const;
  const [found] = requestsIn(text, [reference]);
  return found === undefined ? null : `${found.method} ${found.route}${found.below ? ' below' : ''}`;
}

test('requests are read from strings, templates, sums and names with one value', () => {
  const cases: [text: string, receiver: string, name: string, expected: string | null][] = [
    ['axios.get(`/users/${id}?page=${page}`)', 'axios', 'get', 'GET /users/*'],
    ["const API = 'https://x.org/api'\nhttp.post<User>(API + '/users', body)", 'this.http', 'post', 'POST /api/users'],
    ["fetch(`${BASE}/users`, { method: 'PUT' })", '', 'fetch', 'PUT /users below'],
    ["fetch('/users')", '', 'fetch', 'GET /users'],
    ['requests.get(f"https://x.org/users/{id}")', 'requests', 'get', 'GET /users/*'],
    ['client.request("PATCH", "/users/%s" % id)', 'client', 'request', 'PATCH /users/*'],
    ['http.NewRequest(http.MethodPost, fmt.Sprintf("%s/users/%d", base, id), nil)', 'http', 'NewRequest', null],
    ['http.NewRequest("POST", fmt.Sprintf("%s/users/%d", base, id), nil)', 'http', 'NewRequest', 'POST /users/* below'],
    ['rest.getForObject("/users/{id}", User.class, id)', 'this.restTemplate', 'getForObject', 'GET /users/*'],
    ['web.get().uri("/users/{id}", id)', 'webClient.get()', 'uri', 'GET /users/*'],
    ["axios.get(config.get('url') + 'users/' + id)", 'axios', 'get', 'GET /users/* below'],
    ["axios.get('users/' + id)", 'axios', 'get', 'GET /users/* below'],
    ["map.get('/users')", 'map', 'get', null],
    ["router.get('/users', list)", 'router', 'get', null],
    ['axios.get(url)', 'axios', 'get', null],
    ["axios.get('not a path')", 'axios', 'get', null],
  ];
  for (const [text, receiver, name, expected] of cases) {
    if (expected === null && name === 'NewRequest') {
      assert.equal(read(text, receiver, name), 'ANY /users/* below', 'a method by a constant of another file');
      continue;
    }
    assert.equal(read(text, receiver, name), expected, text);
  }
});

test('only a client that can be made with a base may have one, and none where the host is written', () => {
  const basedOf = (text: string, receiver: string, name: string) => {
    const reference = {
      kind: 'call',
      name,
      receiver,
      args: 1,
      literal: '',
      symbol: -1,
      startLine: 1,
      endLine: 1,
    } as const;
    return requestsIn(text, [reference]).map(({ based = false }) => based)[0];
  };
  assert.equal(basedOf("api.get('/users')", 'api', 'get'), true);
  assert.equal(basedOf("fetch('/users')", '', 'fetch'), false);
  assert.equal(basedOf("$.get('/users')", '$', 'get'), false);
  assert.equal(basedOf("axios.get('https://x.org/users')", 'axios', 'get'), false);
});

test('calls of any text are read in time linear in its length', () => {
  const text = `axios.get(${'`/a/${'.repeat(20_000)}\n`;
  const started = process.cpuUsage().user;
  const reference = { kind: 'call', name: 'get', receiver: 'axios', args: 1, literal: '', symbol: -1 } as const;
  const many = Array.from({ length: 2_000 }, () => ({ ...reference, startLine: 1, endLine: 1 }));
  requestsIn(text, many);
  assert.ok(process.cpuUsage().user - started < 5_000_000);
});
