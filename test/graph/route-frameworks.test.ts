/** Routes that frameworks declare, functions without a name that answer them, and the clients that ask for them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRoutes } from '../../src/graph/routes.js';
import { graphOf, nodeText, type Project } from './link/project.js';

/** Routes with what answers them. */
const answersOf = (project: Project) =>
  findRoutes(graphOf(project)).map(({ method, route, handler }) => `${method} ${route} ${handler?.symbol ?? '-'}`);

/** Requests as `from -> handler`; `?` for one that no route answers. */
function requestsOf(project: Project): string[] {
  const graph = graphOf(project);
  return Array.from({ length: graph.edgeCount }, (_, i) => graph.edge(i))
    .filter(({ kind }) => kind === 'request')
    .map(({ from, to }) => `${nodeText(graph, from)} -> ${to < 0 ? '?' : nodeText(graph, to)}`);
}

const lines = (...all: string[]) => `${all.join('\n')}\n`;
const MODULE = 'module example.com/shop\n\ngo 1.21\n';

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

test('closures: a request leads to the function without a name that answers it, and what that calls is called by it alone', () => {
  const project = {
    'app.js': lines(
      'const app = require("express")();',
      'app.get("/carts/:id", auth, async (req, res) => {',
      '  res.json(one());',
      '});',
      'app.post("/carts", (req, res) => res.json(add()));',
      'app.get("/named", (req, res, next) => next(), one);',
      'function one() {}',
      'function add() {}',
      'function auth() {}',
    ),
    'web.js': lines(
      "export const load = (id) => fetch('/carts/' + id);",
      "export const save = () => fetch('/carts', { method: 'POST' });",
    ),
  };
  assert.deepEqual(answersOf(project), ['GET /carts/:id GET /carts/:id', 'POST /carts POST /carts', 'GET /named one']);
  assert.deepEqual(requestsOf(project), ['web.js:load -> app.js:GET /carts/:id', 'web.js:save -> app.js:POST /carts']);
  const graph = graphOf(project);
  const callers = Array.from({ length: graph.edgeCount }, (_, i) => graph.edge(i))
    .filter(({ kind, to }) => kind === 'call' && to >= 0)
    .map(({ from, to }) => `${nodeText(graph, from)} -> ${graph.name(to)}`);
  assert.deepEqual(callers, ['app.js:GET /carts/:id -> one', 'app.js:POST /carts -> add']);
});

test('closures: paths in an array and behind a name are in the name of a closure', () => {
  const text = "const BASE = '/api';\napp.get(['/about', '/info'], (req, res) => {\n  res.end();\n});\n";
  const held = `app.get(\`\${BASE}/stats\`, (req, res) => {\n  res.end();\n});\n`;
  assert.deepEqual(answersOf({ 'a.js': text + held }), ['GET /about GET /about', 'GET /api/stats GET /{BASE}/stats']);
});

test('closures: keys of hashes and arrays are none, so that a route with a named handler and a request of a test are no symbols', () => {
  const graph = graphOf({
    'config/routes.rb': lines('Rails.application.routes.draw do', "  delete '/carts', :action => :reset", 'end'),
    'test/carts_test.rb': lines(
      'class CartsTest < ActionDispatch::IntegrationTest',
      '  def test_create',
      "    post '/carts', params: { :cart => { 'id' => 1 }, Cart => 2 }",
      '  end',
      'end',
    ),
    'routes/web.php': lines('<?php', "Route::get('/carts', ['uses' => 'CartController@index', 'as' => 'carts']);"),
  });
  const named = Array.from({ length: graph.nodeCount }, (_, node) => graph.name(node));
  assert.deepEqual(
    named.filter((name) => /^[A-Z]+ \//.test(name)),
    [],
  );
});

test('closures: languages with functions without a name have them, each with its lines', () => {
  const placesOf = (project: Project) =>
    findRoutes(graphOf(project)).map(({ handler }) => `${handler?.symbol} ${handler?.startLine}`);
  assert.deepEqual(
    placesOf({
      'go.mod': MODULE,
      'main.go': lines(
        'package main',
        'func main() {',
        '\tr.GET("/a", func(c *gin.Context) {',
        '\t\tc.JSON(1)',
        '\t})',
        '}',
      ),
    }),
    ['main.GET /a 3'],
  );
  assert.deepEqual(
    placesOf({ 'P.cs': lines('var app = b.Build();', 'app.MapGet("/a", async (Db db) => await db.A());') }),
    ['GET /a 2'],
  );
  assert.deepEqual(placesOf({ 'a.rb': lines("get '/a' do", '  list', 'end', 'def list; end') }), ['GET /a 1']);
  assert.deepEqual(
    placesOf({
      'A.kt': lines(
        'fun Application.m() {',
        '  route("/c") {',
        '    get("/{id}") {',
        '      one()',
        '    }',
        '  }',
        '}',
      ),
    }),
    ['m.GET /{id} 3'],
  );
});

test('routes: Rust has closures as handlers, variables that hold parts, parts with arguments, and paths in constants', () => {
  const cargo = { 'Cargo.toml': '[package]\nname = "shop"\n' };
  const axum = answersOf({
    ...cargo,
    'src/main.rs': lines(
      'mod users; mod admin;',
      'fn app() -> Router {',
      '    let api = Router::new().nest("/users", users::router()).route("/ping", get(|| async { "pong; (" }));',
      '    let v1 = Router::new().nest("/v1", api);',
      '    Router::new()',
      '        .route("/sum", post(|Json(x): Json<X>| async move { add(x) }).get(root))',
      '        .nest("/api", v1).nest_service("/files", ServeDir::new("x")).merge(admin::routes(state.clone()))',
      '}',
      'async fn root() {}\nfn add() {}',
    ),
    'src/users.rs': 'pub fn router() -> Router { Router::new().route("/:id", get(one)) }\nasync fn one() {}\n',
    'src/admin.rs': lines(
      'const STATS: &str = "/stats";',
      'pub fn routes(s: S) -> Router {\n  let inner = Router::new().route(STATS, get(stats));\n  Router::new().nest("/admin", inner)\n}',
      'async fn stats() {}',
    ),
  });
  assert.deepEqual(axum, [
    ...['GET /admin/stats stats', 'GET /api/v1/ping app.GET /api/v1/ping', 'POST /sum app.POST /sum', 'GET /sum root'],
    ...['GET /api/v1/users/:id one'],
  ]);
  const actix = answersOf({
    ...cargo,
    'src/main.rs': lines(
      'use actix_web::{web, App};\nfn main() {',
      '  App::new().service(web::scope("/api").route("/in", web::get().to(|| async { ok() })).configure(items::config))',
      '}\nfn ok() {}',
    ),
    'src/items.rs':
      'pub fn config(c: &mut web::ServiceConfig) { c.route("/items", web::post().to(list)); }\nasync fn list() {}\n',
  });
  assert.deepEqual(actix, ['POST /api/items list', 'GET /api/in main.GET /api/in']);
  const rocket = answersOf({
    ...cargo,
    'src/main.rs': 'mod b;\nfn rocket() -> _ { rocket::build().mount("/b", b::routes()) }\n',
    'src/b.rs': '#[get("/two")]\nfn two() {}\npub fn routes() -> Vec<Route> { routes![two] }\n',
  });
  assert.deepEqual(rocket, ['GET /b/two two']);
  const described = `#[utoipa::path(get, path = "/x", responses(${'(status = 200, description = "a long text of an answer"), '.repeat(20)}))]`;
  const project = {
    ...cargo,
    'src/main.rs': lines(described, '#[route("/x", method = "GET", method = "HEAD")]', 'async fn x() {}'),
  };
  assert.deepEqual(answersOf(project), ['GET /x x', 'HEAD /x x']);
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

test('routes: subclasses of a router of FastAPI have its prefix, and an empty path is the path of the router', () => {
  const routes = answersOf({
    'shop/carts.py': lines(
      'router = UserAPIRouter(prefix="/carts")',
      'class Carts(Base):\n    @router.get("", response_model=Page)\n    def all(self): ...\n    @router.get("/{id}")\n    def one(self, id): ...',
      'bare = make()\nclass More(Base):\n    @bare.get("")\n    def all(self): ...',
    ),
  });
  assert.deepEqual(routes, ['GET /carts Carts.all', 'GET /carts/{id} Carts.one', 'GET / More.all']);
});

test('routes: a router that a function makes is below the path at which a local of it is mounted, with members as handlers', () => {
  const project = {
    'setup.ts': lines(
      "import { createCarts } from './carts.js';",
      'export const setup = (app: Application, all: Controllers) => {',
      '  const cartRoutes = createCarts(all.carts, verify);',
      "  app.use('/api/carts', verify, cartRoutes);",
      '};',
    ),
    'carts.ts': lines(
      'export interface ICarts { list: RequestHandler; add(req: Request): void }',
      'export const createCarts = (cartController: ICarts, verify: RequestHandler) => {',
      '  const router = Router();',
      "  router.get('/', verify, cartController.list);",
      "  router.post('/:id', allowed(['a']), cartController.add);",
      '  return router;',
      '};',
      'function allowed(roles: string[]) {}',
    ),
    'page.tsx': "export const Page = () => useGet<Cart[]>('/carts');\n",
    'ui.ts': 'createRouter({ history, routes });\nconst routes = [];\n',
  };
  assert.deepEqual(answersOf(project), ['GET /api/carts ICarts.list', 'POST /api/carts/:id ICarts.add']);
  assert.deepEqual(requestsOf(project), ['page.tsx:Page -> carts.ts:ICarts.list']);
});

test('routes: handlers of Go in a call are functions that make one or variables that hold one, and chains have their methods behind', () => {
  const routes = answersOf({
    'go.mod': MODULE,
    'main.go': lines(
      'package main\nvar usersGetHandler = with(list)\nfunc main() {',
      'api := r.PathPrefix("/api").Subrouter()\nusers := api.PathPrefix("/users").Subrouter()',
      'top := chi.NewRouter()\nr.Mount("/top", top)\ntop.Get("/", list)',
      'users.Handle("", monkey(usersGetHandler, "")).Methods("GET")\napi.Handle("/login", monkey(loginHandler(1), ""))',
      'api.PathPrefix("/raw").Handler(monkey(rawHandler, "/api/raw")).Methods("GET")\n}',
      'func loginHandler(n int) handle { return nil }\nfunc rawHandler() {}\nfunc monkey(h handle, p string) {}\nfunc list() {}',
    ),
  });
  assert.deepEqual(routes, [
    'GET /top list',
    'GET /api/users usersGetHandler',
    'ANY /api/login loginHandler',
    'GET /api/raw rawHandler',
  ]);
});

test('routes: a prefix that a constant or a setting holds is part of the path, and one of unknown value is none', () => {
  const fastapi = answersOf({
    'app/__init__.py': '',
    'app/config.py': 'class Settings(Base):\n    API_V1: str = "/api/v1"\nsettings = Settings()\n',
    'app/main.py': lines(
      'from app.config import settings\nfrom app import users, admin',
      'MORE = "/more"\napi = APIRouter()',
      'api.include_router(users.router, prefix="/users")\napi.include_router(admin.router, prefix=MORE + "/in")',
      'app.include_router(api, prefix=settings.API_V1)\napp.include_router(admin.make_router(), prefix=f"{MORE}/made")',
      'app.include_router(users.other, prefix=unknown.PREFIX)',
    ),
    'app/users.py': lines(
      'router = APIRouter()\n@router.get("/{id}")\ndef one(id): ...\n@router.api_route("/all", methods=["GET", "POST"])\ndef all(): ...',
      'other = APIRouter(prefix=base + "/other")\n@other.get("/x")\ndef x(): ...',
    ),
    'app/admin.py': lines(
      'router = APIRouter(prefix="/admin")\n@router.get("/stats")\ndef stats(): ...',
      'def make_router():\n    r = APIRouter()\n    @r.get("/inner")\n    def inner(): ...\n    return r',
      'class Views:\n    def __init__(self):\n        self.router = APIRouter(prefix="/views")',
      '        self.router.add_api_route("/list", self.list, methods=["PUT"])\n    def list(self): ...',
    ),
  });
  assert.deepEqual(fastapi, [
    ...[
      'GET /api/v1/more/in/admin/stats stats',
      'GET /more/made/inner make_router.inner',
      'PUT /views/list Views.list',
    ],
    ...['GET /api/v1/users/{id} one', 'GET /api/v1/users/all all', 'POST /api/v1/users/all all', 'GET /other/x x'],
  ]);
  const scripts = answersOf({
    'config.js': "export const config = {\n  apiPrefix: '/api',\n};\n",
    'app.js': lines(
      "import carts from './carts.js';\nimport items from './items.js';\nconst ITEMS = '/items';",
      `app.use(\`\${config.apiPrefix}/carts\`, carts);\nfastify.register(items, { prefix: ITEMS });`,
      "fastify.post('/in', { schema, handler: list });\nrouter.get(ITEMS + '/:id', list);\nfunction list() {}",
    ),
    'carts.js': "const router = Router();\nrouter.get('/:id', one);\nexport default router;\nfunction one() {}\n",
    'items.js': "export default async (f) => {\n  f.get('/', all);\n};\nfunction all() {}\n",
  });
  assert.deepEqual(scripts, ['POST /in list', 'GET /items/:id list', 'GET /api/carts/:id one', 'GET /items all']);
});

test('routes: calls of Go state their methods in front of the path, behind the call, or on a router below a path', () => {
  const routes = answersOf({
    'go.mod': MODULE,
    'main.go': lines(
      'package main\nfunc main() {',
      'r.HandleFunc(base + "/cart", one).Methods(http.MethodGet, http.MethodHead)',
      'g.GET(c.Base+"/install", one)',
      'api := r.PathPrefix("/api").Subrouter()\napi.HandleFunc("/x", one).Methods("POST")',
      'g.Handle("PUT", "/b", one)\ne.Match([]string{"GET", "POST"}, "/m", one)\nr.MethodFunc("PATCH", "/mf", one)',
      'r.Route("/long", func(r chi.Router) {',
      ...Array.from({ length: 15 }, () => '\t// more'),
      '\tr.Get("/{id}", one)\n})\n}\nfunc one() {}',
    ),
  });
  assert.deepEqual(routes, [
    ...[
      'GET /cart one',
      'HEAD /cart one',
      'GET /install one',
      'POST /api/x one',
      'PUT /b one',
      'GET /m one',
      'POST /m one',
    ],
    ...['PATCH /mf one', 'GET /long/{id} one'],
  ]);
});

test('routes: Go mounts by StripPrefix, ends chains with the handler, keeps groups in fields, and has tables', () => {
  const project = {
    'go.mod': MODULE,
    'main.go': lines(
      'package main\nfunc (s *Server) main() {',
      'mux := http.NewServeMux()\nsub := http.NewServeMux()\nsub.HandleFunc("POST /users", one)',
      'mux.Handle("/api/", http.StripPrefix("/api", sub))\nmux.Handle("/admin/", http.StripPrefix("/admin", Admin()))',
      'g := r.PathPrefix("/g").Subrouter()\ng.Path("/x").Methods("POST").HandlerFunc(one)\ng.Methods(http.MethodGet).Path("/y").Handler(one)',
      'chi := chi.NewRouter()\nchi.Get("/in", one)\nr.Mount("/chi", chi)',
      's.api = s.router.Group("/field")\n}',
      'func (s *Server) more() { s.api.GET("/z", one) }',
      'func Admin() http.Handler {\nm := http.NewServeMux()\nm.HandleFunc("/stats", one)\nreturn m\n}',
      'var routes = []Route{\n{"List", "GET", "/pets", one},\n{Name: "One", Method: http.MethodPut, Pattern: "/pets/{id}", HandlerFunc: one},\n}',
      'var tests = []Case{\n{"List", "GET", "/pets/1", 200},\n}\ntype HandlerFunc func()\nfunc one() {}',
    ),
  };
  assert.deepEqual(answersOf(project).sort(), [
    ...['ANY /admin/stats one', 'GET /chi/in one', 'GET /field/z one', 'GET /g/y one', 'GET /pets one'],
    ...['POST /api/users one', 'POST /g/x one', 'PUT /pets/{id} one'],
  ]);
  assert.deepEqual(requestsOf(project), [], 'a server that is called `api` sends no request');
});

test('GraphQL: root fields are answered by resolvers of every kind, and asked for by documents and templates', () => {
  const ask = {
    'q.ts': 'export const GET = gql`\n  query Get($id: ID!) { mine: cart(id: $id) { id carts { id } } }\n`;\n',
  };
  const answered = (answer: Project) =>
    requestsOf({ ...answer, ...ask }).map((line) => line.replace(/^q.ts:GET -> /, ''));
  assert.deepEqual(
    answered({
      'r.ts': 'export const all = { Query: { cart: async (_, a) => find(a), carts() {} } };\nfunction find() {}\n',
    }),
    ['r.ts:all.GQL /Query/cart'],
  );
  assert.deepEqual(
    answered({
      'n.ts':
        "@Resolver(() => Cart)\nclass R {\n  @Query(() => Cart, { name: 'cart' }) get() {}\n  @Query() other() {}\n}\n",
    }),
    ['n.ts:R.get'],
  );
  assert.deepEqual(
    answered({
      'go.mod': MODULE,
      'g.go':
        'package g\ntype queryResolver struct{ *Resolver }\nfunc (r *queryResolver) Cart(id string) *Cart { return nil }\n',
    }),
    ['g.go:queryResolver.Cart'],
  );
  assert.deepEqual(answered({ 'p.py': 'class Query(graphene.ObjectType):\n    def resolve_cart(self, info): ...\n' }), [
    'p.py:Query.resolve_cart',
  ]);
  assert.deepEqual(
    answered({ 's.py': '@strawberry.type\nclass Query:\n    @strawberry.field\n    def cart(self) -> int: ...\n' }),
    ['s.py:Query.cart'],
  );
  const schema = { 's.graphql': 'type Query {\n  cart(id: ID!): Cart\n}\n' };
  assert.deepEqual(
    answered({
      ...schema,
      'r.rb': 'class Types::QueryType < Base\n  field :cart, Cart\n  def cart\n  end\n  def helper; end\nend\n',
    }),
    ['r.rb:Types.QueryType.cart'].map((line) => line.replace('Types.QueryType', nameOfQueryType)),
  );
  assert.deepEqual(
    requestsOf({
      ...schema,
      'ops.graphql': 'query L { cart { ...F } }\nfragment F on Cart { id }\n',
      'r.ts': 'const Query = { cart };\nfunction cart() {}\n',
    }),
    ['ops.graphql:L -> r.ts:cart'],
  );
});

const nameOfQueryType = 'Types::QueryType';

test('GraphQL: fields of a root type in several parts, in classes of their own and by annotations are answered', () => {
  const fields = (project: Project) => answersOf(project).filter((line) => line.startsWith('GQL'));
  assert.deepEqual(
    fields({
      's.py': lines(
        'class CreateUser(graphene.Mutation):\n    def mutate(self, info): ...',
        'class Users(graphene.ObjectType):\n    def resolve_users(self, info): ...',
        'class Query(Users, graphene.ObjectType):\n    def resolve_me(self, info): ...',
        'class Mutation(graphene.ObjectType):\n    create_user = CreateUser.Field()',
        'query = QueryType()\n@query.field("cart")\ndef cart_of(_, info): ...',
      ),
    }).sort(),
    [
      ...['GQL /Mutation/createUser CreateUser.mutate', 'GQL /Query/cart cart_of', 'GQL /Query/me Query.resolve_me'],
      ...['GQL /Query/users Users.resolve_users'],
    ],
  );
  assert.deepEqual(
    fields({
      'q.rb': lines(
        'module Types\n  class QueryType < BaseObject\n    field :cart, CartType\n    field :all_items, resolver: Resolvers::Items',
        '    def cart\n    end\n    def helper\n    end\n  end\nend',
      ),
      'i.rb': 'module Resolvers\n  class Items < Base\n    def resolve\n    end\n  end\nend\n',
    }),
    ['GQL /Query/cart Types.QueryType.cart', 'GQL /Query/allItems Resolvers.Items.resolve'],
  );
  assert.deepEqual(
    fields({
      'Q.cs': lines(
        'using HotChocolate;\npublic class Query {\n  public Cart GetCart() => null;\n  private int Helper() => 1;\n}',
        '[ExtendObjectType(typeof(Mutation))]\npublic class More {\n  public async Task<Cart> AddCartAsync() => null;\n}',
        '[QueryType]\npublic static class Users {\n  public static User GetUser() => null;\n}',
      ),
      'Other.cs': 'public class Command {\n  public void Handle() {}\n}\n',
    }),
    ['GQL /Query/cart Query.GetCart', 'GQL /Mutation/addCart More.AddCartAsync', 'GQL /Query/user Users.GetUser'],
  );
  assert.deepEqual(fields({ 'Q.cs': 'public class Query {\n  public Cart GetCart() => null;\n}\n' }), []);
  assert.deepEqual(
    fields({
      'C.java':
        '@Controller\nclass C {\n  @QueryMapping public Book book() { return null; }\n  @DgsMutation public Book add() { return null; }\n}\n',
    }),
    ['GQL /Query/book C.book', 'GQL /Mutation/add C.add'],
  );
  assert.deepEqual(
    fields({
      'q.rs': 'pub struct QueryRoot;\n#[Object]\nimpl QueryRoot {\n    async fn cart_items(&self) -> i32 { 1 }\n}\n',
    }),
    ['GQL /Query/cartItems QueryRoot.cart_items'],
  );
  const parts = {
    'r.ts': lines(
      "const queries = { users: async () => [], user, other() {} };\nfunction user() {}\nconst posts: QueryResolvers['posts'] = async () => 1;",
      'const carts: MutationResolvers = { addCart: user };',
    ),
    'c.ts': 'const Q = gql`query { users { id } user { id } }`;\n',
  };
  assert.deepEqual(fields(parts).sort(), [
    ...['GQL /Mutation/addCart user', 'GQL /Query/posts GQL /Query/posts', 'GQL /Query/user user'],
    'GQL /Query/users queries.users',
  ]);
});

test('gRPC: a call of a stub leads to the method of the type that implements the service', () => {
  const proto = { 'a.proto': 'syntax = "proto3";\nservice CartService {\n  rpc GetCart(A) returns (B) {}\n}\n' };
  assert.deepEqual(
    requestsOf({
      ...proto,
      'go.mod': MODULE,
      'main.go': lines(
        'package main\nimport pb "example.com/shop/genproto"',
        'type server struct {\n\tpb.UnimplementedCartServiceServer\n}',
        'func (s *server) GetCart(c context.Context, r *pb.A) (*pb.B, error) { return nil, nil }',
        'func use() { c := pb.NewCartServiceClient(conn); c.GetCart(ctx, nil); c.Close() }',
        'func once() { pb.NewCartServiceClient(conn).GetCart(ctx, nil) }',
      ),
    }),
    ['main.go:use -> main.go:server.GetCart', 'main.go:once -> main.go:server.GetCart'],
  );
  assert.deepEqual(
    requestsOf({
      'I.java':
        'class I extends CartServiceGrpc.CartServiceImplBase {\n  public void getCart(R r, StreamObserver<C> o) {}\n}\n',
      'D.java':
        'class D { void x() { CartServiceGrpc.CartServiceBlockingStub stub = CartServiceGrpc.newBlockingStub(ch); stub.getCart(r); } }\n',
    }),
    ['D.java:D.x -> I.java:I.getCart'],
  );
  assert.deepEqual(
    requestsOf({
      'i.py': 'import cart_pb2_grpc\nclass I(cart_pb2_grpc.CartServiceServicer):\n    def GetCart(self, r, c): ...\n',
      'd.py':
        'import cart_pb2_grpc\ndef go():\n    stub = cart_pb2_grpc.CartServiceStub(channel)\n    return stub.GetCart(1)\n',
    }),
    ['d.py:go -> i.py:I.GetCart'],
  );
  assert.deepEqual(
    requestsOf({
      ...proto,
      'I.cs':
        'using Grpc.Core;\npublic class I : Shop.CartService.CartServiceBase {\n  public override Task<B> GetCart(A r, ServerCallContext c) { return null; }\n}\n',
      'U.cs':
        'using Grpc.Core;\npublic class U { private readonly CartService.CartServiceClient _c; async Task Go() { await _c.GetCartAsync(new A()); } }\n',
    }),
    ['U.cs:U.Go -> I.cs:I.GetCart'],
  );
  assert.deepEqual(
    requestsOf({
      's.js':
        'const grpc = require("@grpc/grpc-js");\nserver.addService(shop.CartService.service, { getCart });\nfunction getCart() {}\n',
      'c.js':
        'const grpc = require("@grpc/grpc-js");\nconst client = new shop.CartServiceClient("a:1");\nexport const go = () => client.getCart({});\n',
    }),
    ['c.js:go -> s.js:getCart'],
  );
});

test('gRPC: stubs of Rust, Ruby, Connect and NestJS lead to servers of theirs', () => {
  const proto = { 'a.proto': 'syntax = "proto3";\nservice CartService {\n  rpc GetCart(A) returns (B) {}\n}\n' };
  assert.deepEqual(
    requestsOf({
      ...proto,
      'Cargo.toml': '[package]\nname = "shop"\n',
      'src/s.rs':
        '#[tonic::async_trait]\nimpl CartService for Cart2 { async fn get_cart(&self, r: Request<A>) -> Result<B, Status> {} }\n',
      'src/c.rs': lines(
        'use tonic::Request;\nstruct W { client: CartServiceClient<Channel> }',
        'impl W { async fn held(&mut self) { self.client.get_cart(req).await; } }',
        'async fn go() { let mut client = CartServiceClient::connect("x").await?; client.get_cart(req).await?; }',
      ),
    }),
    ['src/c.rs:W.held -> src/s.rs:Cart2.get_cart', 'src/c.rs:go -> src/s.rs:Cart2.get_cart'],
  );
  assert.deepEqual(
    requestsOf({
      ...proto,
      's.rb': 'class CartServer < Shop::CartService::Service\n  def get_cart(req, _call)\n  end\nend\n',
      'c.rb': "def go\n  stub = Shop::CartService::Stub.new('x', :this)\n  stub.get_cart(1)\nend\n",
    }),
    ['c.rb:go -> s.rb:CartServer.get_cart'],
  );
  const typed = (server: string, client: string) => requestsOf({ ...proto, 's.ts': server, 'c.ts': client });
  assert.deepEqual(
    typed(
      'export default (router: ConnectRouter) => router.service(CartService, { async getCart(req) {} });\n',
      "import { createClient } from '@connectrpc/connect';\nconst client = createClient(CartService, t);\nexport const go = () => client.getCart({});\n",
    ),
    ['c.ts:go -> s.ts:GRPC /CartService/GetCart'],
  );
  assert.deepEqual(
    typed(
      "@Controller()\nexport class C { @GrpcMethod('CartService') getCart() {} }\n",
      "import { ClientGrpc } from '@nestjs/microservices';\nexport class W { go() { this.carts = this.client.getService<CartService>('CartService'); return this.carts.getCart({}); } }\n",
    ),
    ['c.ts:W.go -> s.ts:C.getCart'],
  );
  const objects =
    'export const impl: CartServiceImplementation = { async getCart(r) {} };\nconst other: EventHandlers = { getCart() {} };\n';
  assert.deepEqual(answersOf({ ...proto, 's.ts': objects }), [
    'GRPC /CartService/GetCart impl.GRPC /CartService/GetCart',
  ]);
});

test('ASP.NET: a controller has the path of the class above it, unless it has its own', () => {
  const project = {
    'Base.cs': '[Route("api/[controller]")]\npublic class BaseApiController : ControllerBase { }\n',
    'Carts.cs':
      'public class CartsController : BaseApiController { [HttpGet("open")] public void Open() { } [HttpPost] public void Make() { } }\n',
    'Tills.cs':
      '[Route("tills")]\npublic class TillsController : BaseApiController { [HttpGet("all")] public void All() { } }\n',
    'client.ts': "export const load = () => this.httpClient.get('/api/carts/open');\n",
  };
  assert.deepEqual(
    findRoutes(graphOf(project)).map(({ method, route, handler }) => `${method} ${route} ${handler?.symbol}`),
    [
      'GET /api/Carts/open CartsController.Open',
      'POST /api/Carts CartsController.Make',
      'GET /tills/all TillsController.All',
    ],
  );
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

test('topics: what is published under a name leads to what listens to it, in each library', () => {
  const led = (project: Project) => requestsOf(project).map((line) => line.replace(/^.* -> /, ''));
  assert.deepEqual(
    led({
      'p.js': lines(
        "producer.send({ topic: 'orders', messages: [] });\nchannel.publish('shop', 'mail.sent', b);",
        "const mails = new Queue('mail');\nexport const go = () => mails.add('welcome', {});\nbus.emit('cart:added', 1);",
      ),
      'c.js': lines(
        "import { Worker } from 'bullmq';",
        "export const listen = () => consumer.subscribe({ topics: ['orders'] });\nexport function work() { return new Worker('mail', send); }",
        "channel.consume('mail.sent', sent);\nbus.on('cart:added', added);\nfunction send() {}\nfunction sent() {}\nfunction added() {}",
      ),
    }),
    ['c.js:listen', 'c.js:sent', 'c.js:added', 'c.js:send'],
  );
  assert.deepEqual(
    led({
      'a.ts': "@Processor('audio')\nexport class Audio { @Process() run(job) {} }\n",
      'b.ts':
        "class S { constructor(@InjectQueue('audio') private audio: Queue) {} go() { this.audio.add('x', {}); } }\n",
    }),
    ['a.ts:Audio'],
  );
  assert.deepEqual(
    led({
      't.py': lines(
        '@shared_task(name="mail.send")\ndef send_mail(x): ...\n@broker.subscriber("orders")\nasync def ordered(m): ...',
        "channel.basic_consume(queue='mail_queue', on_message_callback=on_mail)\ndef on_mail(ch): ...",
      ),
      'c.py': lines(
        'def a(): current_app.send_task("mail.send", args=[1])',
        "def b(): channel.basic_publish(exchange='', routing_key='mail_queue', body=x)",
      ),
    }),
    ['t.py:send_mail', 't.py:on_mail'],
  );
  assert.deepEqual(
    led({
      'P.java': lines(
        'class P {\n  static final String TOPIC = "orders.created";\n  void a() { kafkaTemplate.send(TOPIC, x); rabbitTemplate.convertAndSend("shop", "order.key", m); }\n}',
        'class L {\n  @KafkaListener(topics = "orders.created") void on(String s) {}\n  @RabbitListener(queues = "order.key") void key(String s) {}\n}',
      ),
    }),
    ['P.java:L.on', 'P.java:L.key'],
  );
});

test('topics: a constant of another file names the same one at both ends, in each language', () => {
  const led = (project: Project) => requestsOf(project).map((line) => line.replace(/^.*:(\S+) .*-> .*:/, '$1 -> '));
  assert.deepEqual(
    led({
      'topics.ts': `export const Topics = { ORDER: 'order.created', PAID: 'order.paid' } as const;
export enum Events { Saved = 'cart.saved', Lost = 'cart.lost' }
export const MAIL_QUEUE = 'mail';
`,
      'a.ts': `import { Events, MAIL_QUEUE, Topics } from './topics';
export class A {
  order() { this.producer.send({ topic: Topics.ORDER, messages: [] }); }
  paid() { this.client.emit(Topics.PAID, {}); }
  mail() { this.channel.sendToQueue(MAIL_QUEUE, Buffer.from('')); }
  other() { this.client.emit(Events.Lost, {}); this.client.emit(topic, {}); }
}
`,
      'b.ts': `import { Events, MAIL_QUEUE, Topics } from './topics';
export class B {
  @EventPattern(Topics.ORDER) onOrder() {}
  @EventPattern(Topics.PAID) onPaid() {}
  @EventPattern(Events.Saved) onSaved() {}
  start() { this.channel.consume(MAIL_QUEUE, this.onMail); }
  onMail() {}
}
`,
    }),
    ['A.order -> B.onOrder', 'A.paid -> B.onPaid', 'A.mail -> B.onMail', 'a.ts:A.other -> ?'],
  );
  assert.deepEqual(
    led({
      'topics.py': 'class Topics:\n    ORDER = "order.created"\nMAIL_SENT = "mail.sent"\n',
      'a.py':
        'from topics import Topics, MAIL_SENT\nclass A:\n    def go(self):\n        self.producer.send(Topics.ORDER, b"")\n    def mail(self):\n        self.redis.publish(MAIL_SENT, "x")\n',
      'b.py':
        'from topics import Topics, MAIL_SENT\nclass B:\n    def listen(self):\n        self.consumer.subscribe(Topics.ORDER, self.on_order)\n        self.pubsub.subscribe(MAIL_SENT, self.on_mail)\n    def on_order(self): pass\n    def on_mail(self): pass\n',
    }),
    ['A.go -> B.on_order', 'A.mail -> B.on_mail'],
  );
  assert.deepEqual(
    led({
      'Topics.java': 'package a;\npublic final class Topics { public static final String ORDER = "order.created"; }\n',
      'P.java': 'package a;\nclass P { void go() { kafkaTemplate.send(Topics.ORDER, "x"); } }\n',
      'L.java':
        'package a;\nclass L { @KafkaListener(id = "one", topics = Topics.ORDER, groupId = "g") void on(String m) {} }\n',
    }),
    ['P.go -> L.on'],
  );
  assert.deepEqual(
    led({
      'a.go':
        'package a\nconst OrderCreatedTopic = "order.created"\nfunc On(nc *Conn) { nc.Subscribe(OrderCreatedTopic, handle) }\nfunc handle() {}\n',
      'b.go':
        'package a\nfunc Go(nc *Conn) { nc.Publish(OrderCreatedTopic, nil) }\nfunc None(nc *Conn) { nc.Publish(name, nil) }\n',
    }),
    ['Go -> handle'],
  );
  assert.deepEqual(
    led({
      'Topics.php': "<?php\nnamespace A;\nfinal class Topics { const ORDER = 'order.created'; }\n",
      'P.php': "<?php\nnamespace A;\nclass P { function go() { $this->producer->publish(Topics::ORDER, 'x'); } }\n",
      'L.php':
        "<?php\nnamespace A;\nclass L { function on() { $this->consumer->subscribe(Topics::ORDER, [$this, 'handle']); } function handle() {} }\n",
    }),
    ['P.go -> L.handle'],
  );
});

test('topics: lists, bindings, constants and names of one word of Spring', () => {
  const source = `class L {
  static final String PAID = "bills.paid";
  @KafkaListener(topics = "orders") void one(String s) {}
  @KafkaListener(topics = {"first.x", "second.x"}, groupId = "g") void several(String s) {}
  @KafkaListener(topics = PAID) void held(String s) {}
  @RabbitListener(bindings = @QueueBinding(value = @Queue(value = "q"), exchange = @Exchange("shop"), key = "k")) void bound(String s) {}
  @SqsListener("jobs") void job(String s) {}
  @SqsListener(queueNames = "others") void other(String s) {}
  void go() {
    kafkaTemplate.send("orders", x);
    producer.send(new ProducerRecord<>("orders", k, v));
    kafkaTemplate.send("second.x", x);
    kafkaTemplate.send("bills.paid", x);
    rabbitTemplate.convertAndSend("q", x);
    rabbitTemplate.convertAndSend("shop", "k", x);
    sqsTemplate.send("jobs", x);
    queueMessagingTemplate.convertAndSend("others", x);
    mailer.send("orders", x);
  }
}
`;
  assert.deepEqual(
    requestsOf({ 'L.java': source }).map((line) => line.replace(/^.*:L\./, '')),
    ['one', 'one', 'several', 'held', 'bound', 'bound', 'job', 'other'],
  );
});

test('topics: patterns of NestJS are names and objects, and tasks of Celery are sent by any application', () => {
  const nest = `import { ClientProxy } from '@nestjs/microservices';
export class C {
  @EventPattern('created') created() {}
  @MessagePattern({ role: 'math', cmd: 'sum' }) sum() {}
}
export class S {
  constructor(private readonly client: ClientProxy) {}
  create() { this.client.emit('created', {}); }
  add() { return this.client.send<number>({ role: 'math', cmd: 'sum' }, [1]); }
  none() { this.mailer.send('created', {}); }
}
`;
  const tasks = '@app.task(bind=True, name="mail")\ndef mail(self): ...\n';
  const sender = 'def go():\n    celery_app.send_task("mail", args=[1])\n';
  assert.deepEqual(requestsOf({ 'c.ts': nest, 't.py': tasks, 'c.py': sender }), [
    'c.py:go -> t.py:mail',
    'c.ts:S.create -> c.ts:C.created',
    'c.ts:S.add -> c.ts:C.sum',
  ]);
});

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

test('OpenAPI: an operation leads to the function of its id, unless code declares the path, and clients to what answers', () => {
  const document = {
    'openapi.yaml': lines(
      'openapi: 3.0.0',
      'paths:',
      '  /carts/{id}:',
      '    get:',
      '      operationId: getCart',
      '    put:',
      '      operationId: carts.cart_update',
      '  /orders:',
      '    post:',
      '      operationId: createOrder',
    ),
  };
  const project = {
    ...document,
    'server/h.go':
      'package server\nfunc (s *Server) GetCart(id string) {}\ntype Api interface {\n\tGetCart(id string)\n}\n',
    'server/carts.py': 'def cart_update(id): ...\n',
    'other/carts.ts': 'export class OrderClient { createOrder() {} cartUpdate() {} }\n',
    'server/app.js': "app.post('/api/v1/orders', add);\nfunction add() {}\n",
    'web/load.js': "import { api } from 'shop-client';\nexport const load = () => api.getCart({ id: 1 });\n",
  };
  assert.deepEqual(answersOf(project).sort(), [
    ...['GET /carts/{id} GetCart', 'POST /api/v1/orders add', 'PUT /carts/{id} cart_update'],
  ]);
  const graph = graphOf(project);
  const uses = Array.from({ length: graph.edgeCount }, (_, i) => graph.edge(i))
    .filter(({ tier, kind }) => tier === 'route' && kind === 'call')
    .map(({ from, to }) => `${nodeText(graph, from)} -> ${nodeText(graph, to)}`);
  assert.deepEqual(uses, ['web/load.js:load -> server/h.go:GetCart']);
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

test('OpenAPI: of several functions with the name of an operation, the one counts where most operations are answered', () => {
  const names = ['listCarts', 'getCart', 'addCart'];
  const routes = answersOf({
    'api.json': JSON.stringify({
      openapi: '3.0.0',
      paths: Object.fromEntries(names.map((id) => [`/${id}`, { get: { operationId: id } }])),
    }),
    'handler/carts.py': 'def list_carts(): ...\ndef get_cart(): ...\ndef add_cart(): ...\n',
    'model/carts.py': 'def get_cart(): ...\n',
  });
  assert.deepEqual(routes.sort(), ['GET /addCart add_cart', 'GET /getCart get_cart', 'GET /listCarts list_carts']);
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

test('Go: a handler that a function wraps answers, whatever stands behind it on lines of their own', () => {
  const project = {
    'go.mod': MODULE,
    'server.go': lines(
      'package shop',
      '',
      'import "net/http"',
      '',
      'func toHandler(deps int, h func(), more ...func()) http.HandlerFunc { return nil }',
      'func HandleCart() {}',
      'func HandleTotal() {}',
      '',
      'func setup(mux *http.ServeMux, logged []func()) {',
      '\tmux.HandleFunc("GET /cart", toHandler(1, HandleCart, logged...))',
      '\tmux.HandleFunc("GET /total", toHandler(1,',
      '\t\tHandleTotal,',
      '\t\tlogged...,',
      '\t))',
      '}',
    ),
  };
  assert.deepEqual(answersOf(project), ['GET /cart HandleCart', 'GET /total HandleTotal']);
});
