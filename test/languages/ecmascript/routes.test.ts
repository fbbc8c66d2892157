/** Routes that frameworks of JavaScript declare: tRPC, Fastify, Koa, Hono and NestJS. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRoutes } from '../../../src/graph/routes.js';
import { answersOf, graphOf, requestsOf, routesOf } from '../../graph/link/project.js';

test('routes: procedures of tRPC are below the keys of their routers, and calls of a client lead to them', () => {
  const project = {
    'server/root.ts': [
      ...["import { cartRouter } from './cart';", "import { router } from './trpc';"],
      ...['export const appRouter = router({ cart: cartRouter });', ''],
    ].join('\n'),
    'server/trpc.ts': 'export const router = (all: object) => all;\n',
    'server/cart.ts': [
      ...[
        "import { router } from './trpc';",
        "import { publicProcedure } from './procedures';",
        "import { addItem } from './add';",
      ],
      ...[
        'export const cartRouter = router({',
        '  get: publicProcedure',
        '    .input({ a: 1, b: 2 })',
        '    .query(({ ctx }) => ctx.cart),',
      ],
      ...['  addItem,', '});', ''],
    ].join('\n'),
    'server/add.ts': 'export const addItem = publicProcedure.mutation(() => 1);\n',
    'server/procedures.ts': 'export const publicProcedure = {};\n',
    'web/page.ts': [
      ...["import { trpc } from './client';", 'export function Page() { return trpc.cart.get.useQuery({ id: 1 }); }'],
      ...['export function Add() { return trpc.cart.addItem.useMutation(); }', ''],
    ].join('\n'),
  };
  assert.deepEqual(answersOf(project), ['TRPC /cart/get cartRouter.TRPC /get', 'TRPC /cart/addItem addItem']);
  assert.deepEqual(requestsOf(project), [
    'web/page.ts:Page -> server/cart.ts:cartRouter.TRPC /get',
    'web/page.ts:Add -> server/add.ts:addItem',
  ]);
});

test('routes: Koa names routes without a slash; requests of a client and middleware for all are no routes', () => {
  const routes = routesOf({
    'api/documents.js': [
      ...["import Router from 'koa-router';", 'const router = new Router();'],
      ...[
        'router.post("documents.move", auth(), async (ctx) => {',
        '  ctx.body = 1;',
        '});',
        'export default router;',
        '',
      ],
    ].join('\n'),
    'api/index.js': [
      ...["import Koa from 'koa';", "import Router from 'koa-router';", "import documents from './documents';"],
      ...[
        'const api = new Koa();',
        'const router = new Router();',
        'router.use("/", log);',
        'router.use("/", documents.routes());',
      ],
      ...['api.use(router.routes());', 'export default api;', 'function log() {}', ''],
    ].join('\n'),
    'web.js': [
      ...["import mount from 'koa-mount';", "import Koa from 'koa';", "import api from './api';"],
      ...['const app = new Koa();', 'app.use(mount("/api", api));', ''],
    ].join('\n'),
    'github.js':
      "export const open = (octokit) => octokit.post('/repos/a/b/issues', { title: 'x' });\nexport const all = (github) => github.get('/repos');\n",
  });
  assert.deepEqual(routes, ['POST /api/documents.move api/documents.js:3']);
});

const lines = (...all: string[]) => `${all.join('\n')}\n`;

test('Fastify: plugins that are registered in each other add their prefixes, on one line and on several', () => {
  const app = lines(
    'const fastify = require("fastify")();',
    'fastify.register(async (api) => { api.register(async (v1) => { v1.get("/carts", list); }, { prefix: "/v1" }); }, { prefix: "/api" });',
    'fastify.register(async (api) => {',
    '  api.register(async (v2) => {',
    '    v2.get("/carts/:id", show);',
    '  }, { prefix: "/v2" });',
    '}, { prefix: "/api" });',
    'fastify.get("/top", list);',
    'async function list() {}',
    'async function show() {}',
  );
  const found = answersOf({ 'app.js': app });
  for (const route of ['GET /api/v1/carts list', 'GET /api/v2/carts/:id show', 'GET /top list'])
    assert.ok(found.includes(route), found.join('\n'));
  assert.ok(!found.some((route) => / \/v[12]|^USE/.test(route)), found.join('\n'));
});

test('routes: Fastify registers below a prefix, states routes as objects, and loads folders', () => {
  const routes = answersOf({
    'app.js': lines(
      "import carts from './carts.js';",
      "app.register(carts, { prefix: '/v1/carts' });",
      "app.register(async (f) => {\n  f.get('/in', ok);\n}, { prefix: '/wrap' });",
      "app.route({ method: ['GET', 'HEAD'], url: '/status', handler: ok });",
      "app.route({ method: 'POST', url: '/s2', handler: async (r) => {\n  return ok(r);\n} });",
      'function ok() {}',
    ),
    'carts.js': lines("export default async function routes(f) {\n  f.get('/', list);\n}", 'function list() {}'),
  });
  assert.deepEqual(routes, [
    ...['GET /wrap/in ok', 'GET /status ok', 'HEAD /status ok', 'POST /s2 POST /s2', 'GET /v1/carts list'],
  ]);
  const loaded = answersOf({
    'src/app.ts': lines(
      "import autoload from '@fastify/autoload';",
      "export default async (f) => f.register(autoload, { dir: join(here, 'routes'), options: { prefix: '/api' } });",
    ),
    'src/routes/carts/_id/index.ts': "export default async (f) => { f.get('/items', async () => 1); };\n",
  });
  assert.deepEqual(loaded, ['USE /api -', 'GET /api/carts/:id/items GET /items']);
});

test('routes: Hono mounts routers and begins with a base path; Express chains methods; Koa has a prefix', () => {
  const hono = answersOf({
    'index.ts': lines(
      "import { Hono } from 'hono';\nimport { items } from './items';",
      "const app = new Hono().basePath('/api');\napp.route('/items', items);\nexport default app;",
    ),
    'items.ts': lines(
      "export const items = new Hono()\n  .get('/', (c) => c.text('a'))\n  .post('/:id', save);",
      'function save(c) {}',
    ),
  });
  assert.deepEqual(hono, ['GET /api/items items.GET /', 'POST /api/items/:id save']);
  const express = answersOf({
    'a.js': lines(
      "const router = express.Router();\nrouter.route('/x/:id').get(list).post(auth, add);\nmodule.exports = router;",
      'function list() {}\nfunction add() {}\nfunction auth() {}',
    ),
    'b.js': "const app = express();\napp.use('/api', require('./a'));\n",
  });
  assert.deepEqual(express, ['GET /api/x/:id list', 'POST /api/x/:id add']);
  const koa = { 'k.js': "const r = new Router({ prefix: '/carts' });\nr.get('/:id', one);\nfunction one() {}\n" };
  assert.deepEqual(answersOf(koa), ['GET /carts/:id one']);
});

test('routes: an application of NestJS has a prefix for all, and versions if it says so', () => {
  const project = (main: string) => ({
    'src/main.ts': main,
    'src/carts.ts': lines(
      "@Controller({ path: 'carts', version: '1' })",
      'export class Carts {',
      "  @Get(':id') one(@Query('page') page: number) {}",
      "  @Version('2')\n  @Post('new')\n  add() {}",
      '}',
      "@Controller()\nclass Root {\n  @Get('robots.txt') robots() {}",
      '}',
    ),
  });
  const versions = 'app.enableVersioning({ type: VersioningType.URI });\n';
  assert.deepEqual(answersOf(project(`app.setGlobalPrefix('api', { exclude: ['robots.txt'] });\n${versions}`)), [
    ...['GET /api/v1/carts/:id Carts.one', 'POST /api/v2/carts/new Carts.add', 'GET /robots.txt Root.robots'],
  ]);
  assert.deepEqual(answersOf(project("app.setGlobalPrefix('api');\n")), [
    ...['GET /api/carts/:id Carts.one', 'POST /api/carts/new Carts.add', 'GET /api/robots.txt Root.robots'],
  ]);
});

test('tRPC: objects in a router are parts of the path; Remix: a folder may end in a plus; ASP.NET: case does not count', () => {
  const trpc = {
    'router.ts':
      "export const teamRouter = router({\n  find: findRoute,\n  member: { find: findMembers, group: { add: publicProcedure.mutation(() => 1) } },\n  inbox: router({ count: countRoute, t: t.router({ deep: deepRoute }) }),\n  contract: { method: 'GET', path: '/x', body: schema },\n});\n",
    'root.ts': "import { teamRouter } from './router';\nexport const app = router({ team: teamRouter });\n",
    'find.ts': '',
  };
  assert.deepEqual(
    findRoutes(graphOf(trpc)).flatMap(({ method, route }) => (method === 'TRPC' ? [route] : [])),
    ['/team/find', '/team/member/find', '/team/member/group/add', '/team/inbox/count', '/team/inbox/t/deep'],
  );
  const remix = {
    'react-router.config.ts': 'export default {};\n',
    'app/routes/_in+/settings+/users.$id.tsx': 'export default function Users() { return null; }\n',
  };
  assert.deepEqual(
    findRoutes(graphOf(remix)).map(({ route }) => route),
    ['/settings/users/:id'],
  );
  const net = {
    'Carts.cs':
      '[Route("api/[controller]")]\npublic class CartsController : ControllerBase { [HttpGet("open")] public void Open() { } }\n',
    'client.ts': "export const load = () => this.httpClient.get(this.baseUrl + 'carts/open');\n",
  };
  assert.deepEqual(requestsOf(net), ['client.ts:load -> Carts.cs:CartsController.Open']);
});
