/** Routes that no call declares: files by their paths, tables, and routers that one file mounts for another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf, routesOf } from './link/project.js';

test('routes: routers of FastAPI and Flask have their own prefix below that of where they are included', () => {
  const routes = routesOf({
    'app/__init__.py': '',
    'app/main.py': [
      ...['from fastapi import FastAPI', 'from app.items import router as items', 'from app import api, shop'],
      ...['app = FastAPI()', 'app.include_router(', '    api.router,', '    tags=["a"],', '    prefix="/api",', ')'],
      ...['app.register_blueprint(shop.bp, url_prefix="/shop")', ''],
    ].join('\n'),
    'app/api.py': [
      ...['from fastapi import APIRouter', 'from app import items, people', 'router = APIRouter()'],
      ...['router.include_router(items.router)', 'router.include_router(people.router, prefix="/v1")', ''],
    ].join('\n'),
    'app/items.py': [
      ...['from fastapi import APIRouter', 'router = APIRouter(tags=["items"], prefix="/items")'],
      ...['@router.get("/{id}")', 'def one(id): ...', '@router.post("")', 'def add(): ...', ''],
    ].join('\n'),
    'app/people.py': 'from fastapi import APIRouter\nrouter = APIRouter()\n@router.get("/me")\ndef me(): ...\n',
    'app/shop.py':
      'from flask import Blueprint\nbp = Blueprint("shop", __name__)\n@bp.route("/cart")\ndef cart(): ...\n',
    'tests/test_app.py':
      'from app.main import app\nfrom app import people\napp.include_router(people.router, prefix="/fake")\n',
  });
  assert.deepEqual(routes, [
    ...['GET /api/items/{id} app/items.py:3', 'POST /api/items app/items.py:5', 'GET /api/v1/me app/people.py:3'],
    'ANY /shop/cart app/shop.py:3',
  ]);
});

test('routes: a file that Express mounts is below its path; what has no routes of its own stays in the list', () => {
  const routes = routesOf({
    'app.js': [
      ...["const express = require('express');", "const users = require('./users');", 'const app = express();'],
      ...["app.use('/api/users', users);", "app.use('/static', express.static('public'));"],
      ...["app.get('/health', ok);", 'function ok() {}', ''],
    ].join('\n'),
    'users.js': [
      ...["const router = require('express').Router();", "const carts = require('./carts');"],
      ...["router.get('/:id', one);", "router.use('/:id/carts', carts);", 'function one() {}'],
      ...['module.exports = router;', ''],
    ].join('\n'),
    'carts.js': [
      ...["const router = require('express').Router();", "router.post('/', add);", "require('./users');"],
      ...["router.use('/back', require('./users'));", 'function add() {}', 'module.exports = router;', ''],
    ].join('\n'),
  });
  assert.deepEqual(
    routes.filter((route) => !route.includes('/back')),
    [
      ...['USE /static app.js:5', 'GET /health app.js:6', 'POST /api/users/:id/carts carts.js:2'],
      'GET /api/users/:id users.js:3',
    ],
    'routers that mount each other end',
  );
});

test('routes: files are routes of Next.js, SvelteKit and Remix, where the framework is used', () => {
  const handler = (name: string) => `export async function ${name}() {}\n`;
  const files = {
    'shop/next.config.js': 'module.exports = {};\n',
    'shop/app/(main)/carts/[id]/route.ts': handler('GET') + handler('DELETE'),
    'shop/app/carts/page.tsx': 'export default function Carts() { return null; }\n',
    'shop/src/pages/api/items/[...path].ts': 'export default function handler() {}\n',
    'shop/pages/index.tsx':
      'export default function Home() { return null; }\nexport async function getServerSideProps() {}\n',
    'shop/pages/_app.tsx': 'export default function App() { return null; }\n',
    'kit/src/routes/carts/[id]/+server.ts': handler('PUT'),
    'kit/src/routes/carts/+page.server.ts': `${handler('load')}export const actions = {};\n`,
    'mix/app/root.tsx': "import { Links } from '@remix-run/react';\nexport default function Root() { return Links; }\n",
    'mix/app/routes/carts.$id_.edit.tsx': `${handler('loader')}${handler('action')}export default function Edit() {}\n`,
    'mix/app/routes/_index.tsx': 'export default function Index() { return null; }\n',
    'plain/pages/about.tsx': 'export default function About() { return null; }\n',
  };
  assert.deepEqual(answersOf(files).sort(), [
    ...['ANY /api/items/*path handler', 'DELETE /carts/:id DELETE', 'GET / Home', 'GET / Index', 'GET /carts Carts'],
    ...['GET /carts load', 'GET /carts/:id GET', 'GET /carts/:id/edit loader', 'POST /carts actions'],
    ...['POST /carts/:id/edit action', 'PUT /carts/:id PUT'],
  ]);
});

test('routes: two entries of Django share a line, and view sets are below the path of their router', () => {
  const routes = answersOf({
    'shop/urls.py': [
      ...['from django.urls import include, path', 'from shop import views', 'from shop.api import router'],
      ...["urlpatterns = [path('carts/', views.carts), path('items/<int:id>/', views.item)]"],
      ...["urlpatterns += [path('api/', include(router.urls)), path('more/', include(more_urls))]"],
      ...[
        'urlpatterns += [',
        "    path('in/', include([",
        "        path('side/', views.carts),",
        '    ])),',
        ']',
        "more_urls = [path('x/', views.item)]",
        '',
      ],
    ].join('\n'),
    'shop/api.py': [
      ...[
        'from rest_framework import routers',
        'from shop.views import CartViewSet',
        'router = routers.DefaultRouter()',
      ],
      ...["router.register(r'carts', CartViewSet, basename='cart')", ''],
    ].join('\n'),
    'shop/views.py':
      'def carts(request): ...\ndef item(request, id): ...\nclass CartViewSet:\n    def list(self): ...\n',
    'shop/__init__.py': '',
  });
  assert.deepEqual(routes, [
    ...[
      'ANY /api/carts CartViewSet',
      'ANY /api/carts/{pk} CartViewSet',
      'ANY /carts/ carts',
      'ANY /items/<int:id>/ item',
      'ANY /in/side/ carts',
      'ANY /more/x/ item',
    ],
  ]);
});
