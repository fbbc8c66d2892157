/** Functions without a name that answer routes are symbols of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRoutes } from '../../../src/graph/routes.js';
import { answersOf, graphOf, nodeText, type Project, requestsOf } from '../../graph/link/project.js';

const lines = (...all: string[]) => `${all.join('\n')}\n`;

const MODULE = 'module example.com/shop\n\ngo 1.21\n';

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
