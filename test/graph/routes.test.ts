/** Paths of routes on groups and mounted routers, through the real extraction and the real links. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupedLiterals } from '../../src/graph/route-groups.js';
import { findRoutes } from '../../src/graph/routes.js';
import { graphOf, link, nodeText, type Project } from './link/project.js';

/** Requests of a project, as `from -> handler`; `?` for one that no route answers. */
const requestsOf = (project: Project) => {
  const graph = graphOf(project);
  return Array.from({ length: graph.edgeCount }, (_, i) => graph.edge(i))
    .filter(({ kind }) => kind === 'request')
    .map(({ from, to }) => `${nodeText(graph, from)} -> ${to < 0 ? '?' : nodeText(graph, to)}`);
};

const routesOf = (project: Project) =>
  findRoutes(graphOf(project)).map(({ method, route, path, line }) => `${method} ${route} ${path}:${line}`);

const MODULE = 'module example.com/shop\n\ngo 1.21\n';

test('routes: a group of Go that is a value is the beginning of the routes on it, also within another group', () => {
  const routes = routesOf({
    'go.mod': MODULE,
    'main.go': [
      ...[
        'package main',
        'func main() {',
        '\tr := gin.Default()',
        '\tapi := r.Group("/api")',
        '\tapi.GET("/carts", list)',
      ],
      ...['\tv1 := api.Group("/v1")', '\t{', '\t\tv1.POST("", list)', '\t\tv1.GET("/carts/:id", one)', '\t}'],
      ...['\tr.GET("/health", list)', '}', 'func other(api *gin.Engine) {', '\tapi.GET("/alone", list)', '}'],
      ...['func again(r *gin.Engine) {', '\tr.GET("/a", list)', '\tr := r.Group("/x")', '\tr.GET("/b", list)', '}'],
      ...['func list() {}', 'func one() {}', ''],
    ].join('\n'),
  });
  assert.deepEqual(routes, [
    ...[
      'GET /api/carts main.go:5',
      'POST /api/v1 main.go:8',
      'GET /api/v1/carts/:id main.go:9',
      'GET /health main.go:11',
    ],
    ...['GET /alone main.go:14', 'GET /a main.go:17', 'GET /x/b main.go:19'],
  ]);
});

test('routes: a group that is handed to a function of another file is the beginning of the routes that it declares', () => {
  const project = (calls: string): Project => ({
    'go.mod': MODULE,
    'main.go': `package main\n\nimport "example.com/shop/users"\n\nfunc main() {\n\tr := gin.New()\n\tv1 := r.Group("/v1")\n${calls}}\n`,
    'users/users.go': [
      ...['package users', 'func Register(router *gin.RouterGroup) {', '\trouter.POST("/login", login)'],
      ...['\tmore(router.Group("/more"))', '}', 'func more(g *gin.RouterGroup) { g.GET("/:id", login) }'],
      ...['type Api struct{}', 'func New() *Api { return &Api{} }'],
      ...['func (a *Api) Routes(g *gin.RouterGroup) {', '\ttags := g.Group("/tags")', '\ttags.GET("/", login)', '}'],
      ...['func login() {}', ''],
    ].join('\n'),
  });
  assert.deepEqual(
    routesOf(project('\tusers.Register(v1.Group("/users"))\n\tapi := users.New()\n\tapi.Routes(v1)\n')),
    [
      ...[
        'POST /v1/users/login users/users.go:3',
        'GET /v1/users/more/:id users/users.go:6',
        'GET /v1/tags users/users.go:11',
      ],
    ],
  );
  const twice = routesOf(project('\tusers.Register(v1)\n\tusers.Register(r.Group("/v2"))\n'));
  assert.deepEqual(twice.slice(0, 2), ['POST /v1/login users/users.go:3', 'POST /v2/login users/users.go:3']);
  assert.equal(twice[4], 'GET /tags users/users.go:11', 'a function that nobody hands a group to');
});

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

test('routes: thousands of groups of one name in a function take no more than their number', () => {
  const count = 16_000;
  const reference = { args: 1, symbol: 0 };
  const references = Array.from({ length: count }, (_, i) => [
    { ...reference, kind: 'call' as const, name: 'Group', receiver: 'r', literal: `/a${i}`, ...linesOf(2 * i + 1) },
    { ...reference, kind: 'call' as const, name: 'GET', receiver: 'g', literal: '/b', ...linesOf(2 * i + 2) },
  ]).flat();
  const bindings = Array.from({ length: count }, (_, i) => ({
    ...{ scope: 0, name: 'g', type: '', value: 'r.Group()', line: 2 * i + 1 },
  }));
  const started = process.cpuUsage().user;
  const found = groupedLiterals({
    relations: { references, bindings, imports: [], exports: [] },
    symbols: [{ kind: 'function', name: 'f', container: -1 }] as unknown as Parameters<
      typeof groupedLiterals
    >[0]['symbols'],
  });
  assert.ok(process.cpuUsage().user - started < 1_500_000);
  assert.deepEqual(
    [0, 1, count - 1].map((i) => found?.get(references[2 * i + 1])),
    ['/a0/b', '/a1/b', `/a${count - 1}/b`],
  );
});

const linesOf = (line: number) => ({ startLine: line, endLine: line });

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

/** Routes with their handlers. */
const answersOf = (project: Project) =>
  findRoutes(graphOf(project)).map(
    ({ method, route, handler }) => `${method} ${route}${handler === null ? '' : ` ${handler.symbol ?? handler.path}`}`,
  );

test('routes: Rails declares them by resources, namespaces, scopes, members and concerns', () => {
  const routes = answersOf({
    'config/routes.rb': [
      ...[
        'Rails.application.routes.draw do',
        "  root to: 'home#index'",
        '  concern :notable do',
        '    resources :notes, only: :index',
        '  end',
      ],
      ...[
        '  resources :carts, only: %i[index show], concerns: :notable do',
        '    member do',
        '      post :close',
        '    end',
      ],
      ...["    get 'search', on: :collection", '    resources :items, except: [:new, :edit, :show, :update]', '  end'],
      ...[
        '  namespace :admin do # for staff',
        '    resource :profile, only: [:show]',
        "    get 'stats', to: 'reports#stats', as: :stats",
        '  end',
      ],
      ...["  scope '/v1', module: 'api' do", "    match 'ping' => 'status#ping', via: [:get, :post]", '  end'],
      ...[
        "  get '/old', to: redirect('/new')",
        '  if Rails.env.development?',
        "    mount Sidekiq::Web => '/jobs'",
        '  end',
        'end',
        '',
      ],
    ].join('\n'),
    'app/controllers/home_controller.rb': 'class HomeController\n  def index; end\nend\n',
    'app/controllers/carts_controller.rb':
      'class CartsController\n  def index; end\n  def show; end\n  def close; end\n  def search; end\nend\n',
    'app/controllers/items_controller.rb':
      'class ItemsController\n  def index; end\n  def create; end\n  def destroy; end\nend\n',
    'app/controllers/admin/profiles_controller.rb':
      'module Admin\n  class ProfilesController\n    def show; end\n  end\nend\n',
    'app/controllers/admin/reports_controller.rb': 'class Admin::ReportsController\n  def stats; end\nend\n',
    'app/controllers/api/status_controller.rb': 'module API\n  class StatusController\n    def ping; end\n  end\nend\n',
  });
  assert.deepEqual(routes, [
    'GET / HomeController.index',
    ...['GET /carts/:cart_id/notes', 'GET /carts CartsController.index', 'GET /carts/:id CartsController.show'],
    ...['POST /carts/:id/close CartsController.close', 'GET /carts/search CartsController.search'],
    ...['GET /carts/:cart_id/items ItemsController.index', 'POST /carts/:cart_id/items ItemsController.create'],
    'DELETE /carts/:cart_id/items/:id ItemsController.destroy',
    ...['GET /admin/profile Admin.ProfilesController.show', 'GET /admin/stats Admin::ReportsController.stats'],
    ...['GET /v1/ping API.StatusController.ping', 'POST /v1/ping API.StatusController.ping', 'GET /old', 'USE /jobs'],
  ]);
});

test('requests: a test of Rails asks its own server without a client', () => {
  const test =
    "describe 'carts' do\n  it 'shows' do\n    get \"/carts/#{cart.id}\", headers: {}\n    post '/carts'\n  end\nend\n";
  assert.deepEqual(
    requestsOf({
      'config/routes.rb': 'Rails.application.routes.draw do\n  resources :carts\nend\n',
      'app/controllers/carts_controller.rb': 'class CartsController\n  def show; end\n  def create; end\nend\n',
      'spec/requests/carts_spec.rb': test,
      'app/server.rb': "get '/carts' do\nend\nclass Client\n  def open\n    post '/repos'\n  end\nend\n",
    }),
    [
      'spec/requests/carts_spec.rb -> app/controllers/carts_controller.rb:CartsController.show',
      'spec/requests/carts_spec.rb -> app/controllers/carts_controller.rb:CartsController.create',
    ],
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

test('routes: Laravel declares them by chains on Route, in groups, by resources and in files that others mount', () => {
  const routes = answersOf({
    'routes/web.php': [
      ...[
        '<?php',
        'use App\\Http\\CartController;',
        'use Illuminate\\Support\\Facades\\Route;',
        "// Route::get('/no', [CartController::class, 'index']);",
      ],
      ...[
        "Route::get('/', fn () => view('home'));",
        "Route::prefix('admin')->middleware(['auth'])->group(function () {",
      ],
      ...["    Route::get('carts', [CartController::class, 'index'])->name('carts');"],
      ...[
        "    Route::group(['prefix' => 'v1', 'namespace' => 'App\\Http'], function () {",
        "        Route::post('/carts/{cart}', 'CartController@store');",
        '    });',
        '});',
      ],
      ...[
        "Route::resource('carts.items', CartController::class)->only(['index', 'update']);",
        "Route::match(['get', 'head'], 'ping', CartController::class);",
      ],
      ...[
        'Route::controller(CartController::class)->group(function () {',
        "    Route::delete('/carts/{id}', 'destroy');",
        '});',
        "Route::view('/about', 'about');",
        '',
      ],
    ].join('\n'),
    'routes/api.php':
      "<?php\nuse App\\Http\\CartController;\nRoute::apiResource('orders', CartController::class)->except('destroy', 'show');\n",
    'routes/other.php': "<?php\nRoute::get('x', fn () => 1);\n",
    'app/Providers/RouteServiceProvider.php':
      "<?php\nclass RouteServiceProvider {\n  function boot() {\n    Route::prefix('other')->group(base_path('routes/other.php'));\n  }\n}\n",
    'app/Http/CartController.php': `<?php\nnamespace App\\Http;\nclass CartController {\n${['index', 'store', 'update', 'destroy', '__invoke'].map((name) => `  public function ${name}() {}`).join('\n')}\n}\n`,
  });
  assert.deepEqual(routes, [
    ...[
      'GET /api/orders CartController.index',
      'POST /api/orders CartController.store',
      'PUT /api/orders/{order} CartController.update',
    ],
    ...[
      'PATCH /api/orders/{order} CartController.update',
      'GET /other/x GET /x',
      'GET / GET /',
      'GET /admin/carts CartController.index',
    ],
    ...['POST /admin/v1/carts/{cart} CartController.store', 'GET /carts/{cart}/items CartController.index'],
    ...[
      'PUT /carts/{cart}/items/{item} CartController.update',
      'PATCH /carts/{cart}/items/{item} CartController.update',
    ],
    ...[
      'GET /ping CartController.__invoke',
      'HEAD /ping CartController.__invoke',
      'DELETE /carts/{id} CartController.destroy',
      'GET /about',
    ],
  ]);
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

test('routes: axum, actix and Rocket declare them in chains below paths, and by attributes', () => {
  const cargo = '[package]\nname = "shop"\nversion = "1.0.0"\n';
  const axum = answersOf({
    'Cargo.toml': cargo,
    'src/main.rs': [
      ...[
        'mod carts;',
        'fn app() -> Router {',
        '    Router::new()',
        '        .route("/health", get(|| async { "ok" }))',
        '        // .route("/no", get(list))',
      ],
      ...[
        '        .nest("/api", carts::router())',
        '        .nest("/v1", Router::new().route("/ping", get(ping).post(carts::add)))',
        '}',
        'async fn ping() {}',
        '',
      ],
    ].join('\n'),
    'src/carts.rs':
      'pub fn router() -> Router {\n    Router::new().route("/carts/:id", get(show).delete(remove))\n}\nasync fn show() {}\nasync fn remove() {}\npub async fn add() {}\n',
  });
  assert.deepEqual(axum, [
    ...[
      'GET /api/carts/:id show',
      'DELETE /api/carts/:id remove',
      'GET /health app.GET /health',
      'GET /v1/ping ping',
      'POST /v1/ping add',
    ],
  ]);
  const actix = answersOf({
    'Cargo.toml': cargo,
    'src/main.rs': [
      ...[
        'mod carts;',
        'fn main() {',
        '    App::new().service(',
        '        web::scope("/api")',
        '            // Carts',
        '            .service(list)',
      ],
      ...['            .service(web::resource("/items").route(web::get().to(items)).route(web::post().to(add)))'],
      ...[
        '            .route("/ping", web::get().to(ping))',
        '            .configure(carts::config),',
        '    ).route("/top", web::get().to(ping));',
        '}',
      ],
      ...[
        '#[get("/carts")]',
        'async fn list() {}',
        'async fn items() {}',
        'async fn add() {}',
        'async fn ping() {}',
        '',
      ],
    ].join('\n'),
    'src/carts.rs':
      'pub fn config(cfg: &mut web::ServiceConfig) {\n    cfg.service(web::resource("/carts/{id}").route(web::put().to(save)));\n}\nasync fn save() {}\n',
  });
  assert.deepEqual(actix, [
    ...[
      'PUT /api/carts/{id} save',
      'GET /api/items items',
      'POST /api/items add',
      'GET /api/ping ping',
      'GET /top ping',
      'GET /api/carts list',
    ],
  ]);
  const rocket = answersOf({
    'Cargo.toml': cargo,
    'src/main.rs':
      '#[get("/carts/<id>?<page>")]\nfn show(id: u32) {}\n#[launch]\nfn rocket() -> _ {\n    rocket::build().mount("/api", routes![show])\n}\n',
  });
  assert.deepEqual(rocket, ['GET /api/carts/<id> show']);
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

test('requests: an interface of Retrofit sends what its methods state, and declares no route', () => {
  const project = {
    'Api.java': 'interface Api {\n  @GET("carts/{id}") Call<Cart> cart(@Path("id") int id);\n}\n',
    'Carts.java':
      '@RestController\n@RequestMapping("/api/carts")\nclass Carts {\n  @GetMapping("/{id}") Cart show(int id) { return null; }\n}\n',
  };
  assert.deepEqual(answersOf(project), ['GET /api/carts/{id} Carts.show']);
  assert.deepEqual(requestsOf(project), ['Api.java:Api.cart -> Carts.java:Carts.show']);
});

test('requests: what is published to a topic by its name leads to what subscribes to it', () => {
  assert.deepEqual(
    requestsOf({
      'bus.ts': [
        ...["export function start(broker) { broker.subscribe('orders.created', onOrder); }", 'function onOrder() {}'],
        ...[
          "export function order(broker) { broker.publish('orders.created', {}); broker.publish('orders.gone', {}); }",
          '',
        ],
      ].join('\n'),
      'Bills.java':
        'class Bills {\n  @KafkaListener(topics = "bill-paid")\n  void paid() {}\n  void pay() { kafkaTemplate.send("bill-paid", 1); }\n}\n',
    }),
    ['Bills.java:Bills.pay -> Bills.java:Bills.paid', 'bus.ts:order -> bus.ts:onOrder', 'bus.ts:order -> ?'],
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
