/** Routes that frameworks declare, functions without a name that answer them, and the clients that ask for them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRoutes } from '../../src/graph/routes.js';
import { answersOf, graphOf, requestsOf } from './link/project.js';

const lines = (...all: string[]) => `${all.join('\n')}\n`;

const MODULE = 'module example.com/shop\n\ngo 1.21\n';

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
