/** Requests of clients lead to the handler of their path. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf, requestsOf } from '../../graph/link/project.js';

test('requests: an interface of Retrofit sends what its methods state, and declares no route', () => {
  const project = {
    'Api.java': 'interface Api {\n  @GET("carts/{id}") Call<Cart> cart(@Path("id") int id);\n}\n',
    'Carts.java':
      '@RestController\n@RequestMapping("/api/carts")\nclass Carts {\n  @GetMapping("/{id}") Cart show(int id) { return null; }\n}\n',
  };
  assert.deepEqual(answersOf(project), ['GET /api/carts/{id} Carts.show']);
  assert.deepEqual(requestsOf(project), ['Api.java:Api.cart -> Carts.java:Carts.show']);
});

const lines = (...all: string[]) => `${all.join('\n')}\n`;

test('requests: clients of all languages lead to the handler, and a foreign host to none', () => {
  const server = {
    'app.js':
      "const app = express();\napp.get('/carts/:id', one);\napp.post('/carts', add);\nfunction one() {}\nfunction add() {}\n",
  };
  const led = (path: string, text: string) =>
    requestsOf({ ...server, [path]: text }).map((line) => line.replace(/^.* -> (?:app.js:)?/, ''));
  assert.deepEqual(
    led('F.java', '@FeignClient(name = "carts")\ninterface F {\n  @GetMapping("/carts/{id}") Cart one(int id);\n}\n'),
    ['one'],
  );
  assert.deepEqual(led('c.dart', "void a() { http.get(Uri.parse('$base/carts/$id')); dio.post('/carts'); }\n"), [
    'one',
    'add',
  ]);
  assert.deepEqual(
    led('c.swift', 'func a() { URLSession.shared.dataTask(with: URL(string: "\\(base)/carts/\\(id)")!) }\n'),
    ['one'],
  );
  assert.deepEqual(led('c.php', "<?php\nfunction a() { Http::withToken($t)->post('/carts', []); }\n"), ['add']);
  assert.deepEqual(led('c.py', 'def a(i): return requests.get(f"{BASE}/carts/{i}")\n'), ['one']);
  assert.deepEqual(led('c.go', 'package c\nfunc a() { http.NewRequest("POST", base+"/carts", nil) }\n'), ['add']);
  assert.deepEqual(led('C.cs', 'class C { async Task A() { await _httpClient.GetAsync($"/carts/{id}"); } }\n'), [
    'one',
  ]);
  assert.deepEqual(led('c.rb', 'def a; HTTParty.get("/carts/#{id}"); end\n'), ['one']);
  assert.deepEqual(
    led(
      'f.js',
      "export const f = () => axios.post('https://api.github.com/carts');\nexport const g = (gh) => gh.post('/repos/a', {});\n",
    ),
    ['?'],
  );
});

test('requests: a host without a domain names the folder of a service, and one with a domain none', () => {
  const service = (name: string) => ({
    [`services/${name}/app.js`]: "app.get('/health', alive);\nfunction alive() {}\n",
  });
  const led = (host: string) =>
    requestsOf({
      ...service('cart'),
      ...service('order-service'),
      'web/a.js': `export const a = () => fetch('http://${host}/health');\n`,
    }).map((line) => line.replace(/^.* -> /, ''));
  assert.deepEqual(led('cart-service:8080'), ['services/cart/app.js:alive']);
  assert.deepEqual(led('order-service.shop.svc.cluster.local'), ['services/order-service/app.js:alive']);
  assert.deepEqual(led('pay-service:8080'), ['?']);
  assert.deepEqual(led('cart.io'), ['?']);
});

test('requests: constants in a template are part of the path, and a client with a base may leave out who it asks for', () => {
  const project = {
    'a.py': lines(
      '@app.get("/api/v1/{organization}/cases/{id}/people")\ndef people(id): ...',
      '@app.get("/api/v1/{organization}/teams/people")\ndef team(id): ...',
    ),
    'api.js': lines(
      "const resource = 'cases';",
      `export const load = (id) => API.get(\`/\${resource}/\${id}/people\`);`,
      'export const other = (id) => API.get(`/people`);',
    ),
  };
  assert.deepEqual(requestsOf(project), ['api.js:load -> a.py:people', 'api.js:other -> ?']);
});

test('requests: clients that generators write lead to the handler', () => {
  const server = {
    'app.js': "app.get('/api/v3/carts/:id', one);\napp.post('/orders', add);\nfunction one() {}\nfunction add() {}\n",
  };
  const led = (path: string, text: string) =>
    requestsOf({ ...server, [path]: text }).map((line) => line.replace(/ -> app.js:/, ' '));
  assert.deepEqual(
    led(
      'a.ts',
      lines(
        'export class Carts {',
        "  static one(id: string) { return __request(OpenAPI, { method: 'GET', url: '/carts/{id}', path: { id } }); }",
        "  async add() { return this.request({ path: `/orders`, method: 'POST' }); }",
        '}',
        "export const orders = (body) => customInstance<Order>({ url: `/orders`, method: 'POST', data: body });",
        "export const hey = (options) => (options.client ?? own).get<R>({ url: '/carts/{id}', ...options });",
        'export const axios = (id) => {',
        "  const localVarPath = `/carts/{id}`.replace('{id}', String(id));",
        "  const localVarRequestOptions = { method: 'GET', ...base };",
        '};',
      ),
    ),
    ['a.ts:Carts.one one', 'a.ts:Carts.add add', 'a.ts:orders add', 'a.ts:hey one', 'a.ts:axios one'],
  );
  assert.deepEqual(
    led(
      'a.py',
      lines(
        "def one(self): return self.api_client.call_api('/carts/{id}', 'GET', params)",
        "def add(self): return self.api_client.param_serialize(method='POST', resource_path='/orders')",
      ),
    ),
    ['a.py:one one', 'a.py:add add'],
  );
  assert.deepEqual(
    led(
      'a.go',
      'package a\nfunc One() {\n\tm := http.MethodGet\n\tlocalVarPath := base + "/carts/{id}"\n\tsend(m, localVarPath)\n}\n',
    ),
    ['a.go:One one'],
  );
  assert.deepEqual(
    led(
      'A.java',
      'class A { Call one() {\n  String localVarPath = "/carts/{id}".replace(a, b);\n  return client.buildCall(base, localVarPath, "GET", x);\n} }\n',
    ),
    ['A.java:A.one one'],
  );
});
