/** Routes in groups below a path: groups that are values, are handed to functions, and stand in one another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupedLiterals } from '../../src/graph/route-groups.js';
import { type Project, routesOf } from './link/project.js';

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
