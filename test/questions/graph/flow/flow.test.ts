/** Trees of calls, entry points, shortest ways, outlines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlobFacts } from '../../../../src/extract/facts.js';
import { findEntries, flowFrom } from '../../../../src/graph/query/call-tree.js';
import { bodyOf, overloadsOf } from '../../../../src/graph/query/overloads.js';
import { declarationText, firstLine, signatureText } from '../../../../src/graph/query/signatures.js';
import { walkUsers } from '../../../../src/graph/query/users.js';
import { noRelations } from '../../../../src/languages/roles/relation-facts.js';
import { flowText } from '../../../../src/questions/graph/flow/answer.js';
import type { GraphFlowResponse } from '../../../../src/questions/graph/flow/question.js';
import { outlineOf } from '../../../../src/questions/graph/outline/answer.js';
import { gapsBetween, pathBetween } from '../../../../src/questions/graph/path/answer.js';
import { graphOf, nodeAt } from '../../../graph/build.js';
import { PLAIN } from '../../../support/in-process/document.js';

const graph = graphOf({
  files: {
    'app.ts': ['main', 'local load', 'local render', 'local log', 'unused'],
    'store.ts': ['interface Store', 'method Store.get', 'Disk', 'constructor Disk.constructor', 'Disk.get'],
  },
  edges: [
    { from: 'app.ts:main', to: 'app.ts:load', line: 2 },
    { from: 'app.ts:main', to: 'app.ts:render', line: 3 },
    { from: 'app.ts:main', to: 'store.ts:Disk', kind: 'new', line: 4 },
    { from: 'app.ts:main', name: 'exit', receiver: 'process', tier: 'external', line: 5 },
    { from: 'app.ts:load', to: 'app.ts:log', line: 12 },
    { from: 'app.ts:load', to: 'store.ts:Store.get', line: 13, tier: 'receiver' },
    { from: 'app.ts:render', to: 'app.ts:load', line: 22 },
    { from: 'app.ts:log', to: 'app.ts:main', line: 32 },
    { from: 'store.ts:Disk', to: 'store.ts:Store', kind: 'implements' },
    { from: 'store.ts:Disk.get', to: 'app.ts:log', line: 45 },
    { from: 'store.ts:Disk.constructor', to: 'app.ts:log', line: 33 },
    { from: 'app.ts:unused', to: 'app.ts:log', line: 42 },
  ],
});

const tree = (place: string, depth: number, limit = 100) => {
  const flow = flowFrom(graph, [nodeAt(graph, place)], { depth, limit });
  return flow.tree.list.map(({ depth: at, symbol, seen, deeper, use, external }) =>
    [
      `${'  '.repeat(at)}${symbol}`,
      ...(use === 'call' || use === 'entry' ? [] : [use]),
      ...(seen === undefined ? [] : [seen]),
      ...(deeper === undefined ? [] : [`+${deeper}`]),
      ...(external === 0 ? [] : [`${external} outside`]),
    ].join(' '),
  );
};

test('flow: a function that is handed over may run, a value that is read does not', () => {
  const handing = graphOf({
    files: { 'a.ts': ['main', 'local handler', 'local constant LIMIT', 'local Cart'] },
    edges: ['a.ts:main -> a.ts:handler value', 'a.ts:main -> a.ts:LIMIT value'],
  });
  const { list } = flowFrom(handing, [nodeAt(handing, 'a.ts:main')], { depth: 3, limit: 9 }).tree;
  assert.deepEqual(
    list.map(({ symbol }) => symbol),
    ['main', 'handler'],
  );
});

test('flow: in the order of lines, repeated calls once, circles cut, implementations of an interface', () => {
  assert.deepEqual(tree('app.ts:main', 5), [
    'main 1 outside',
    '  load',
    '    log',
    '      main cycle 1 outside',
    '    Store.get',
    '      Disk.get override',
    '        log above',
    '  render',
    '    load above',
    '  Disk new',
    '    log above',
  ]);
});

test('flow: where it ends, the calls without a known target say why', () => {
  const open = graphOf({
    files: { 'a.ts': ['main', 'load'], 'b.ts': ['Store', 'method Store.save', 'Box', 'method Box.open'] },
    edges: [
      'a.ts:main -> a.ts:load',
      { from: 'a.ts:main', name: 'open', tier: 'unresolved', line: 2 },
      { from: 'a.ts:load', name: 'save', receiver: 'it', tier: 'ambiguous', line: 12 },
      { from: 'a.ts:load', name: 'open', receiver: 'box', tier: 'unresolved', line: 13 },
      { from: 'a.ts:load', name: 'shake', receiver: 'box', tier: 'unresolved', line: 14 },
      { from: 'a.ts:load', name: 'exit', receiver: 'process', tier: 'external', line: 15 },
    ],
  });
  const flow = flowFrom(open, [nodeAt(open, 'a.ts:main')], { depth: 3, limit: 9 });
  const [main, load] = flow.tree.list;
  assert.deepEqual(main.ends, [{ line: 2, text: 'open', why: 'unresolved' }]);
  assert.deepEqual(load.ends, [
    { line: 12, text: 'it.save', why: 'ambiguous' },
    { line: 13, text: 'box.open', why: 'unresolved' },
    { line: 14, text: 'box.shake', why: 'unnamed' },
  ]);
  const text = flowText({ ...flow, target: 'main', others: 0, depth: 3 } as GraphFlowResponse, PLAIN);
  assert.match(text, /^main .* {2}1 unresolved\n/, 'the flow goes on here');
  assert.match(
    text,
    / load .* {2}1 outside, 3 unresolved: it\.save on line 12 \(several definitions fit\), box\.open on line 13 \(which is not known\) \S+\n/,
  );
});

test('flow: what lies deeper is counted, and listed where it is nearest', () => {
  assert.deepEqual(tree('app.ts:main', 1), ['main 1 outside', '  load +2', '  render +1', '  Disk new +1']);
  const cut = flowFrom(graph, [nodeAt(graph, 'app.ts:main')], { depth: 5, limit: 3 });
  assert.deepEqual([cut.tree.list.length, cut.tree.leftOut, cut.reached], [3, 8, 6]);
  const late = graphOf({
    files: { 'a.ts': ['a', 'b', 'c', 'd'] },
    edges: ['a.ts:a -> a.ts:b', { from: 'a.ts:a', to: 'a.ts:c', line: 9 }, 'a.ts:b -> a.ts:c', 'a.ts:c -> a.ts:d'],
  });
  const seen = flowFrom(late, [nodeAt(late, 'a.ts:a')], { depth: 2, limit: 9 }).tree.list;
  assert.deepEqual(
    seen.map(({ symbol, seen: where = '' }) => `${symbol} ${where}`),
    ['a ', 'b ', 'c below', 'c ', 'd '],
  );
});

test('entries: main functions, commands, routes with their handlers, scripts, tests, what nothing calls', () => {
  const web = graphOf({
    files: {
      'main.go': ['main', 'local serve'],
      'src/cli.ts': ['run'],
      'src/server.ts': ['local listUsers', 'local auth'],
      'src/users.controller.ts': ['UsersController', 'UsersController.one'],
      'app.py': ['index'],
      'script.py': ['go'],
      'src/api.ts': ['publicApi', 'local inner'],
      'test/a/x.test.ts': ['t'],
      'test/a/y.test.ts': [],
    },
    edges: [
      'main.go:main -> main.go:serve',
      'src/cli.ts -> src/api.ts',
      { from: 'src/cli.ts', to: 'src/cli.ts:run' },
      { from: 'src/server.ts', name: 'get', receiver: 'app', literal: '/users', line: 3, span: 2 },
      { from: 'src/server.ts', to: 'src/server.ts:auth', kind: 'value', line: 4 },
      { from: 'src/server.ts', to: 'src/server.ts:listUsers', kind: 'value', line: 5 },
      { from: 'src/server.ts', name: 'get', receiver: 'axios', literal: '/remote', line: 7 },
      { from: 'src/server.ts', name: 'get', receiver: 'cache', literal: 'key', line: 8 },
      { from: 'src/users.controller.ts:UsersController.one', name: 'Get', kind: 'decorator', literal: ':id', line: 12 },
      { from: 'app.py:index', name: 'route', receiver: 'app', kind: 'decorator', literal: '/', line: 1 },
      'script.py -> script.py:go',
      'src/api.ts:publicApi -> src/api.ts:inner',
      { from: 'test/a/x.test.ts:t', name: 'get', receiver: 'app', literal: '/fake' },
    ],
  });
  // `script.py -> script.py:go` is written as an edge between places: it is a call at top level.
  const entries = findEntries(web, { limit: 50, bins: [{ name: 'shop', path: 'src/cli.ts' }] });
  assert.deepEqual(
    entries.mains.list.map(({ path, calls }) => [path, calls]),
    [['main.go', 1]],
  );
  assert.deepEqual(
    entries.bins.list.map(({ path, label }) => [path, label]),
    [['src/cli.ts', 'shop']],
  );
  assert.deepEqual(
    entries.routes.list.map(({ method, route, handler }) => [method, route, handler?.symbol]),
    [
      ['ANY', '/', 'index'],
      ['GET', '/users', 'listUsers'],
      ['GET', '/:id', 'UsersController.one'],
    ],
  );
  assert.deepEqual(
    entries.scripts.list.map(({ path }) => path),
    ['script.py'],
  );
  assert.deepEqual(entries.tests, { files: 2, folders: { list: [{ folder: 'test/a', files: 2 }], leftOut: 0 } });
  assert.deepEqual(
    entries.uncalled.list.map(({ symbol }) => symbol),
    ['publicApi'],
  );
});

test('flow: a file runs its main functions', () => {
  const go = graphOf({
    files: { 'main.go': ['main', 'serve', 'struct Api', 'Api.main'] },
    edges: ['main.go:main -> main.go:serve'],
  });
  const flow = flowFrom(go, [nodeAt(go, 'main.go')], { depth: 2, limit: 9 });
  assert.deepEqual(
    flow.tree.list.map(({ symbol, depth, use }) => [symbol, depth, use]),
    [
      [null, 0, 'entry'],
      ['main', 1, 'entry'],
      ['serve', 2, 'call'],
    ],
  );
});

test('path: shortest by uses with its lines, through implementations of an interface; else by imports', () => {
  const way = (from: string, to: string) => pathBetween(graph, [nodeAt(graph, from)], [nodeAt(graph, to)]);
  const { path } = way('app.ts:render', 'store.ts:Disk.get');
  assert.deepEqual(
    path?.steps.map(({ from, to, use, line }) => [from.symbol, to.symbol, use, line]),
    [
      ['render', 'load', 'call', 22],
      ['load', 'Store.get', 'call', 13],
      ['Store.get', 'Disk.get', 'override', 41],
    ],
  );
  assert.deepEqual(way('app.ts:load', 'app.ts:unused'), { path: null, reverse: true });
  const files = graphOf({
    files: { 'a.ts': ['a'], 'b.ts': [], 'c.ts': ['c'], 'd.ts': [] },
    edges: ['a.ts -> b.ts', 'b.ts -> c.ts reexport'],
  });
  const byImports = pathBetween(files, [nodeAt(files, 'a.ts:a')], [nodeAt(files, 'c.ts:c')]);
  assert.deepEqual(
    [byImports.path?.by, byImports.path?.steps.map(({ use }) => use)],
    ['imports', ['import', 'reexport']],
  );
  assert.deepEqual(pathBetween(files, [nodeAt(files, 'a.ts')], [nodeAt(files, 'd.ts')]), {
    path: null,
    reverse: false,
  });
});

test('path: where no way leads on, the reached uses that may mean something on the way to the goal are told, the nearest first', () => {
  const broken = graphOf({
    files: {
      'a.ts': ['main', 'step', 'far'],
      'b.ts': ['Store', 'method Store.save', 'write', 'disk', 'Box', 'method Box.save'],
    },
    edges: [
      'a.ts:main -> a.ts:step',
      { from: 'a.ts:step', name: 'save', receiver: 'it', tier: 'unresolved', line: 12 },
      { from: 'a.ts:step', name: 'write', tier: 'external', line: 13 },
      { from: 'a.ts:main', name: 'write', receiver: 'x', tier: 'ambiguous', line: 3 },
      { from: 'a.ts:far', name: 'write', tier: 'unresolved', line: 23 },
      'b.ts:Store.save -> b.ts:write',
      'b.ts:write -> b.ts:disk',
    ],
  });
  const [main, disk] = [nodeAt(broken, 'a.ts:main'), nodeAt(broken, 'b.ts:disk')];
  assert.equal(pathBetween(broken, [main], [disk]).path, null);
  const { reached, leading, sites, unused } = gapsBetween(broken, [main], [disk]);
  assert.deepEqual([reached, leading], [2, 3]);
  assert.deepEqual(
    sites.list.map(({ from, line, text, to, why }) => [from.symbol, line, text, to.symbol, why]),
    [
      ['main', 3, 'x.write', 'write', 'ambiguous'],
      ['step', 12, 'it.save', 'Store.save', 'unresolved'],
    ],
  );
  assert.deepEqual(
    unused.list.map(({ symbol }) => symbol),
    ['Store.save'],
  );
  assert.deepEqual(gapsBetween(broken, [disk], [main]).sites, { list: [], leftOut: 0 });
});

test('entries: routes inside of the function of another route are below it, and a group of Go may be called `api`', () => {
  const call = (name: string, literal: string, line: number, span = 0, receiver = 'r') => ({
    ...{ from: 'main.go:routes', name, receiver, literal, line, span },
    tier: 'unresolved' as const,
  });
  const server = graphOf({
    files: { 'main.go': ['routes'], 'other.go': ['more'] },
    edges: [
      call('Route', '/articles', 10, 6),
      call('Get', '/', 11),
      call('Route', '/{id}', 12, 2),
      call('Put', '/title', 13),
      call('Get', '/health', 20),
      call('Route', '/alone', 21),
      call('GET', '/users', 22, 0, 'api'),
      { ...call('Get', '/elsewhere', 13), from: 'other.go:more' },
    ],
  });
  assert.deepEqual(
    findEntries(server, { limit: 9 }).routes.list.map(({ method, route }) => `${method} ${route}`),
    [...['GET /articles', 'PUT /articles/{id}/title', 'GET /health', 'ANY /alone', 'GET /users'], 'GET /elsewhere'],
  );
});

test('entries: commands by decorator, bare routes of Ruby, no scripts where files do not run from their top', () => {
  const mixed = graphOf({
    files: {
      'cli.py': ['add_user', 'load', 'lone', 'app'],
      'web.rb': { symbols: ['show'], language: 'ruby' },
      'lib.rs': ['helper'],
      'use.py': ['run'],
    },
    edges: [
      { from: 'cli.py:add_user', name: 'command', receiver: 'app', kind: 'decorator', tier: 'external' },
      'cli.py:add_user -> cli.py:app',
      'cli.py:load -> cli.py:app',
      'cli.py:lone -> cli.py:app',
      { from: 'use.py:run', name: 'load', receiver: 'shop', tier: 'external' },
      { from: 'web.rb', name: 'get', literal: '/users', tier: 'unresolved' },
      { from: 'use.py:run', name: 'get', literal: '/users', tier: 'unresolved' },
      'lib.rs -> lib.rs:helper call',
    ],
  });
  const { bins, routes, scripts, uncalled } = findEntries(mixed, { limit: 9 });
  assert.deepEqual(
    bins.list.map(({ symbol, label }) => [symbol, label]),
    [['add_user', 'add-user']],
  );
  assert.deepEqual(
    routes.list.map(({ path, method, route }) => [path, method, route]),
    [['web.rb', 'GET', '/users']],
  );
  assert.deepEqual(scripts.list, []);
  assert.deepEqual(
    uncalled.list.map(({ symbol }) => symbol),
    ['lone'],
    'a use that could not be resolved may be one',
  );
});

test('path: a value of a type does not imply a call of its constructor', () => {
  const typed = graphOf({
    files: { 'a.ts': ['f', 'g', 'Cart', 'constructor Cart.constructor', 'log'] },
    edges: ['a.ts:f -> a.ts:Cart type', 'a.ts:g -> a.ts:Cart new', 'a.ts:Cart.constructor -> a.ts:log'],
  });
  const way = (from: string) => pathBetween(typed, [nodeAt(typed, from)], [nodeAt(typed, 'a.ts:log')]).path?.by;
  assert.deepEqual([way('a.ts:f'), way('a.ts:g')], [undefined, 'uses']);
});

test('outline: comments and annotations without effect are left out of declarations', () => {
  const whole = (text: string) => ({
    ...{ kind: 'method' as const, start: 0, end: text.length, signature: { start: 0, end: text.length } },
  });
  const signature = (text: string) => signatureText(Buffer.from(text), whole(text));
  assert.equal(signature('@SuppressWarnings("x") // why\npublic int size() {'), 'public int size()');
  assert.equal(signature('#[inline]\npub fn size(&self) -> u8 {'), 'pub fn size(&self) -> u8');
  assert.equal(signature('def f(a: Annotated[str, Doc("""\nWhat\n""")], b="#no"):'), 'def f(a: str, b="#no")');
  assert.equal(signature('@app.get("/x")\ndef f():'), '@app.get("/x") def f()', 'it says what calls it');
});

test('outline: bounds before a body are no open list of parameters; only Python leaves `self` out', () => {
  const text = 'fn write<W>(self, to: W) -> bool\nwhere\n    W: Write,\n{\n    leak()\n}';
  const signature = { start: 0, end: text.indexOf('\n{') };
  const written = signatureText(Buffer.from(text), { kind: 'method', start: 0, end: text.length, signature });
  assert.equal(written, 'fn write<W>(self, to: W) -> bool where W: Write');
  assert.equal(declarationText(written, 'rust'), written);
  assert.equal(declarationText('def write(self, to)', 'python'), 'write(to)');
  const open = 'function f(a, {\n  b,\n}): void;';
  const first = {
    kind: 'function' as const,
    start: 0,
    end: open.length,
    signature: { start: 0, end: open.indexOf(' {') },
  };
  assert.equal(signatureText(Buffer.from(open), first), 'function f(a, { b, }): void');
});

test('outline: indented by container, declarations on one line, the first words of comments', () => {
  const text = '/**\n * A cart.\n */\nclass Cart<T> {\n  total(\n    a: T,\n  ): number {\n    return 1;\n  }\n}\n';
  const at = (part: string) => text.indexOf(part);
  const symbol = { exported: false, nameStart: 0 };
  const facts: BlobFacts = {
    ...{ lines: 10, chunks: [], generated: false, relations: noRelations(), parseErrors: [] },
    symbols: [
      {
        ...{ ...symbol, name: 'Cart', kind: 'class', container: -1, start: at('class'), end: text.length - 1 },
        ...{
          startLine: 4,
          endLine: 10,
          signature: { start: at('class'), end: at('{') },
          doc: { start: 0, end: at('class') },
        },
      },
      {
        ...{ ...symbol, name: 'total', kind: 'method', container: 0, start: at('total'), end: at('}\n}') },
        ...{ startLine: 5, endLine: 9, signature: { start: at('total'), end: at('{\n    return') }, doc: null },
      },
    ],
  };
  const outline = outlineOf(facts, Buffer.from(text), { signatures: true, docs: true });
  assert.deepEqual(
    outline.map(({ depth, signature, doc = '' }) => [depth, signature, doc]),
    [
      [0, 'class Cart<T>', 'A cart.'],
      [1, 'total(a: T): number', ''],
    ],
  );
  for (const comment of ['# x', '"""x"""', '-- x', '/// x', '/* x */', '<!-- x -->', '#! x'])
    assert.equal(firstLine(comment), 'x', comment);
  assert.equal(firstLine('/**\n */'), '');
});

test('overloads that share a body are one: calls of a declaration lead on from the body', () => {
  const over = graphOf({
    files: { 'a.ts': ['run', 'save', 'save', 'save', 'write'], 'b.go': ['method String', 'method String', 'f'] },
    edges: [
      'a.ts:run -> a.ts:save',
      // As the linker does: uses lead to the first declaration, calls leave the last.
      ...[{ from: 'b.go:f', to: 'b.go:String' }],
    ],
  });
  const save = nodeAt(over, 'a.ts:save');
  assert.deepEqual(overloadsOf(over, save + 1), [save, save + 1, save + 2]);
  assert.deepEqual([bodyOf(over, save), bodyOf(over, save + 2)], [save + 2, save + 2]);
  assert.deepEqual(overloadsOf(over, nodeAt(over, 'b.go:String')).length, 1, 'methods of different types');
  const [, called] = flowFrom(over, [nodeAt(over, 'a.ts:run')], { depth: 2, limit: 9 }).tree.list;
  assert.equal(called.startLine, over.startLine(save + 2));
  assert.deepEqual(
    walkUsers(over, [save + 2], { depth: 2 }).map(({ node }) => over.name(node)),
    ['run'],
  );
});
