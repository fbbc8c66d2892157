/** Routes by calls, decorators and tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../../../../src/graph/graph.js';
import { findEntries } from '../../../../src/graph/query/call-tree.js';
import { graphOf } from '../../../graph/build.js';

const routesOf = (graph: Graph) =>
  findEntries(graph, { limit: 50 }).routes.list.map(
    ({ method, route, handler }) => `${method} ${route} ${handler?.symbol ?? ''}`,
  );

test('routes: the path of a controller begins those of its methods, whatever the framework writes where', () => {
  const decorated = (from: string, name: string, literal = '', line?: number) => ({
    ...{ from, name, literal, kind: 'decorator' as const, tier: 'external' as const },
    ...(line !== undefined && { line }),
  });
  const web = graphOf({
    files: {
      'Items.java': ['Items', 'Items.one', 'Items.all'],
      'Users.java': ['Users', 'Users.one', 'Users.all', 'Users.other', 'Plain', 'Plain.get'],
      'api.ts': ['UsersController', 'UsersController.find', 'UsersController.health'],
      'view.py': ['class Page', 'Lone'],
    },
    edges: [
      decorated('Items.java:Items', 'Path', 'items'),
      decorated('Items.java:Items.one', 'GET'),
      decorated('Items.java:Items.one', 'Path', '{id}'),
      decorated('Items.java:Items.all', 'GET'),
      decorated('Users.java:Users', 'RequestMapping', '/api/'),
      decorated('Users.java:Users.one', 'GetMapping', '/users/{id}'),
      decorated('Users.java:Users.all', 'PostMapping'),
      decorated('Users.java:Users.other', 'Override'),
      decorated('Users.java:Plain.get', 'GET'),
      decorated('api.ts:UsersController', 'Route', 'v1/[controller]'),
      decorated('api.ts:UsersController.find', 'HttpGet', '[action]'),
      decorated('api.ts:UsersController.health', 'HttpGet', '~/health'),
      decorated('view.py:Page', 'route', '/page'),
    ],
  });
  assert.deepEqual(routesOf(web), [
    'GET /items/{id} Items.one',
    'GET /items Items.all',
    'GET /api/users/{id} Users.one',
    'POST /api Users.all',
    'GET /v1/Users/find UsersController.find',
    'GET /health UsersController.health',
    'ANY /page Page',
  ]);
});

test('routes: patterns of net/http name the method, and clients of it are no servers', () => {
  const web = graphOf({
    files: { 'main.go': ['main', 'index', 'struct api', 'api.items'] },
    edges: [
      { from: 'main.go:main', name: 'HandleFunc', receiver: 'http', literal: '/', line: 2 },
      { from: 'main.go:main', to: 'main.go:index', kind: 'value', line: 2 },
      { from: 'main.go:main', name: 'HandleFunc', receiver: 'mux', literal: 'GET example.org/items/{id}', line: 3 },
      { from: 'main.go:main', to: 'main.go:api.items', kind: 'value', line: 3 },
      { from: 'main.go:main', name: 'Get', receiver: 'http', literal: '/feed', line: 4 },
    ],
  });
  assert.deepEqual(routesOf(web), ['ANY / index', 'GET /items/{id} api.items']);
});

test('routes: tables that include other tables', () => {
  const entry = (from: string, name: string, literal: string, line: number) => ({
    ...{ from, name, literal, line, tier: 'external' as const },
  });
  const web = graphOf({
    files: {
      'site/urls.py': ['variable urlpatterns'],
      'shop/urls.py': ['variable urlpatterns'],
      'shop/views.py': ['order', 'class Page'],
      'util.py': ['run'],
    },
    edges: [
      entry('site/urls.py', 'path', 'shop/', 2),
      entry('site/urls.py', 'include', 'shop.urls', 2),
      entry('site/urls.py', 'path', 'other/', 3),
      entry('site/urls.py', 'include', 'elsewhere.urls', 3),
      entry('shop/urls.py', 're_path', '^order/$', 2),
      { from: 'shop/urls.py', to: 'shop/views.py:order', kind: 'value', line: 2 },
      entry('shop/urls.py', 'path', '', 3),
      { from: 'shop/urls.py', to: 'shop/views.py:Page', kind: 'value', line: 3 },
      entry('util.py:run', 'path', 'shop/', 2),
    ],
  });
  assert.deepEqual(routesOf(web), ['ANY /shop/order/ order', 'ANY /shop/ Page', 'USE /other/ ']);
});
