/** Paths of routes on groups and mounted routers, through the real extraction and the real links. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf, link, type Project, requestsOf, routesOf } from './link/project.js';

test('routes: thousands of routers within one another end, with as much of the path as is kept', () => {
  const count = 3_000;
  const names = Array.from({ length: count }, (_, i) => `r${i}`);
  const routes = routesOf({
    'app.js': [
      "import { Router } from 'express';",
      ...names.map((name) => `const ${name} = Router();`),
      ...names.slice(1).map((name, i) => `${names[i]}.use('/a', ${name});`),
      `${names[count - 1]}.get('/x', () => 1);`,
      '',
    ].join('\n'),
  });
  assert.deepEqual(routes, [`GET ${'/a'.repeat(20)}/x app.js:${2 * count + 1}`]);
});

const SHOP: Project = {
  'server/app.js': [
    ...["const express = require('express');", 'const app = express();', "app.get('/api/carts/:id', getCart);"],
    ...["app.post('/api/carts', addCart);", 'function getCart() {}', 'function addCart() {}', ''],
  ].join('\n'),
  'web/cart.js': [
    ...["export const loadCart = (id) => fetch('/api/carts/' + id);"],
    ...["export const saveCart = (cart) => fetch(`/api/carts`, { method: 'POST', body: cart });"],
    ...["export const stars = () => fetch('https://api.github.com/api/carts/1');"],
    ...["export const dropCart = (id) => fetch('/api/carts/' + id, { method: 'DELETE' });"],
    ...["export const local = (id) => fetch('http://localhost:3000/api/carts/' + id);", ''],
  ].join('\n'),
};

test('requests: a call with a path that one route fits is a use of its handler, and one of a foreign host is none', () => {
  assert.deepEqual(requestsOf(SHOP), [
    ...['web/cart.js:loadCart -> server/app.js:getCart', 'web/cart.js:saveCart -> server/app.js:addCart'],
    ...['web/cart.js:stars -> ?', 'web/cart.js:dropCart -> ?', 'web/cart.js:local -> server/app.js:getCart'],
  ]);
});

test('requests: a route that another file moves is looked for anew, with the bytes of a first link', () => {
  const moved = {
    ...SHOP,
    'server/app.js': SHOP['server/app.js'].replace("'/api/carts', addCart", "'/v2/carts', addCart"),
  };
  const gone = { ...SHOP, 'server/app.js': 'export {};\n' };
  for (const next of [moved, gone]) assert.deepEqual(link(next, link(SHOP)).tables, link(next).tables);
  assert.equal(requestsOf(moved)[1], 'web/cart.js:saveCart -> ?');
});

test('routes: decorators that list methods declare one route for each, below the path of their class', () => {
  const routes = answersOf({
    'src/Cart.php': [
      ...[
        '<?php',
        'use Symfony\\Component\\Routing\\Attribute\\Route;',
        "#[Route('/carts', name: 'cart_')]",
        'class Cart {',
      ],
      ...[
        "    #[Route('/{id}', name: 'show', methods: ['GET', 'HEAD'])]",
        '    public function show() {}',
        "    #[Route(path: '/new')]",
        '    public function add() {}',
        '}',
        '',
      ],
    ].join('\n'),
    'Carts.java': [
      ...[
        '@RestController',
        '@RequestMapping(value = "/api/carts")',
        'class Carts {',
        '  @RequestMapping(method = RequestMethod.POST)',
        '  void add() {}',
      ],
      ...[
        '  @GetMapping({"/{id}"})',
        '  void show() {}',
        '  @RequestMapping(path = "/all", method = {RequestMethod.GET, RequestMethod.POST})',
        '  void all() {}',
        '}',
        '',
      ],
    ].join('\n'),
    'app.py':
      "from flask import Flask, Blueprint\nbp = Blueprint('x', __name__, url_prefix='/shop')\n@bp.route('/cart', methods=['GET', 'POST'])\ndef cart(): ...\n",
  });
  assert.deepEqual(
    routes,
    [
      ...[
        'POST /api/carts Carts.add',
        'GET /api/carts/{id} Carts.show',
        'GET /api/carts/all Carts.all',
        'POST /api/carts/all Carts.all',
      ],
      ...[
        'GET /shop/cart cart',
        'POST /shop/cart cart',
        'GET /carts/{id} Cart.show',
        'HEAD /carts/{id} Cart.show',
        'ANY /carts/new Cart.add',
      ],
    ].filter(() => true),
  );
});

test('routes: groups of ASP.NET need no slash, and actions without a path have those of their controller', () => {
  const routes = routesOf({
    'Api.cs': [
      ...[
        'static class Api {',
        '  static void Map(IEndpointRouteBuilder app) {',
        '    var api = app.MapGroup("api/catalog");',
      ],
      ...['    api.MapGet("{id:int}", GetItems);', '  }', '  static void GetItems() {}', '}', ''],
    ].join('\n'),
    'Controllers.cs': 'public class AccountController : Controller {\n  [HttpGet]\n  public void Login() {}\n}\n',
  });
  assert.deepEqual(routes, ['GET /api/catalog/{id:int} Api.cs:4', 'GET /Account/Login Controllers.cs:2']);
});

test('routes: an object that a decorator is given states the path, wherever the key stands in it', () => {
  const routes = routesOf({
    'auth.ts':
      "@Controller({\n  path: 'auth',\n  version: '1',\n})\nexport class AuthController {\n  @Post('email/login')\n  login() {}\n  @Get()\n  me() {}\n}\n",
    'carts.ts':
      "@Controller({ version: '2', path: ['carts'] })\nexport class CartsController {\n  @Get({ path: ':id' })\n  one() {}\n}\n",
    'bare.ts': "@Controller({ version: '1' })\nexport class BareController {\n  @Get('/health')\n  health() {}\n}\n",
  });
  assert.deepEqual(routes.sort(), [
    ...[
      'GET /auth auth.ts:8',
      'GET /carts/:id carts.ts:3',
      'GET /health bare.ts:3',
      'POST /auth/email/login auth.ts:6',
    ],
  ]);
});
