/** What is said of one definition, why nothing calls it, and which definitions a query lists, best first. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../../../src/graph/graph.js';
import { describeSymbol, listSymbols, secondLook } from '../../../src/graph/query/describe-symbol.js';
import { verdictOf } from '../../../src/graph/query/entry-patterns.js';
import type { FileState } from '../../../src/graph/tables.js';
import { graphOf, type LiteralGraph, nodeAt } from '../build.js';

test('a symbol is described by who calls it, what it calls, its relatives and the tests that reach it', () => {
  const graph = graphOf({
    files: {
      'src/cart.ts': ['Shape', 'Shape.total', 'Cart', 'Cart.total', 'Cart.add', 'Cart.add.step', 'Low', 'Low.total'],
      'src/shop.ts': ['sell', 'refund'],
      'test/cart.test.ts': ['checks'],
    },
    edges: [
      'src/cart.ts:Cart -> src/cart.ts:Shape extends',
      'src/cart.ts:Low -> src/cart.ts:Cart extends',
      { from: 'src/cart.ts:Cart', name: 'Outside', kind: 'implements' },
      { from: 'src/cart.ts:Cart', name: 'sealed', kind: 'decorator', line: 21 },
      { from: 'src/cart.ts:Cart', name: 'sealed', kind: 'decorator', line: 22 },
      'src/cart.ts:Cart.total -> src/shop.ts:refund',
      { from: 'src/cart.ts:Cart.total', to: 'src/shop.ts:refund', line: 33 },
      { from: 'src/cart.ts:Cart.total', to: 'src/shop.ts:refund', line: 33 },
      'src/cart.ts:Cart.total -> src/cart.ts:Cart.add',
      { from: 'src/cart.ts:Cart.total', name: 'log', tier: 'external', receiver: 'console', line: 34 },
      { from: 'src/cart.ts:Cart.total', name: 'lost', line: 35 },
      { from: 'src/cart.ts:Cart.total', name: 'lost', line: 36 },
      { from: 'src/cart.ts:Cart.total', name: '/cart', kind: 'request', line: 37 },
      { from: 'src/cart.ts:Cart.total', name: 'lines', kind: 'read', line: 38 },
      'src/shop.ts:sell -> src/cart.ts:Cart new',
      'src/shop.ts:sell -> src/cart.ts:Shape.total',
      { from: 'src/shop.ts:sell', to: 'src/cart.ts:Cart.total', kind: 'read', line: 4 },
      { from: 'src/shop.ts:sell', to: 'src/cart.ts:Cart.total', kind: 'value', line: 5 },
      'test/cart.test.ts:checks -> src/shop.ts:sell',
    ],
  });
  const told = (name: string) => describeSymbol(graph, [nodeAt(graph, `src/cart.ts:${name}`)], 10);
  const cart = told('Cart');
  assert.deepEqual(
    [cart.definitions, cart.callers.list].map((list) => list.length),
    [1, 1],
  );
  assert.equal(cart.otherUses, 1, 'the class below');
  assert.deepEqual(cart.decorators, ['sealed']);
  assert.deepEqual(
    cart.parents.map(({ name, use, place }) => `${name} ${use} ${place?.path}`),
    ['Shape extends src/cart.ts', 'Outside implements undefined'],
  );
  assert.deepEqual(
    cart.subtypes.list.map(({ symbol }) => symbol),
    ['Low'],
  );
  assert.deepEqual(
    cart.callees.resolved.list.map(({ symbol, lines, use }) => `${symbol} ${use} ${lines}`),
    ['refund call 32,33'],
    'its own members are no callees',
  );
  assert.deepEqual(
    [cart.callees.external, cart.callees.unresolved].map(({ list }) =>
      list.map(({ text, lines }) => `${text} ${lines}`),
    ),
    [['console.log 34'], ['sealed 21,22', 'lost 35,36']],
  );
  assert.deepEqual(
    cart.tests.list.map(({ path }) => path),
    ['test/cart.test.ts'],
  );
  assert.equal(cart.noCallers, undefined);

  const total = told('Cart.total');
  assert.deepEqual(
    total.callers.list.map(({ line, through }) => `${line} ${through}`),
    ['5 undefined', '2 Shape.total'],
  );
  assert.equal(total.otherUses, 1, 'a read');
  assert.deepEqual(
    [total.overrides.list, total.overriddenBy.list].map((list) => list.map(({ symbol }) => symbol)),
    [['Shape.total'], ['Low.total']],
  );
  assert.deepEqual(
    total.callees.resolved.list.map(({ symbol }) => symbol),
    ['refund', 'Cart.add'],
  );
  assert.deepEqual(
    told('Cart.add.step').containers.map(({ symbol }) => symbol),
    ['Cart', 'Cart.add'],
  );
  assert.deepEqual([told('Low').containers, told('Low').decorators], [[], []]);
  const one = describeSymbol(graph, [nodeAt(graph, 'src/cart.ts:Cart.total')], 1);
  assert.deepEqual(
    [one.callers, one.callees.resolved].map(({ list, leftOut }) => [list.length, leftOut]),
    [
      [1, 1],
      [1, 1],
    ],
  );
});

test('a callee keeps the first eight lines that call it', () => {
  const edges = Array.from({ length: 12 }, (_, i) => ({ from: 'a.ts:run', to: 'a.ts:stop', line: i + 1 }));
  const graph = graphOf({ files: { 'a.ts': ['run', 'stop'] }, edges });
  assert.deepEqual(describeSymbol(graph, [1], 10).callees.resolved.list[0].lines, [1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a function that only calls itself lists itself', () => {
  const graph = graphOf({ files: { 'a.ts': ['run'] }, edges: ['a.ts:run -> a.ts:run'] });
  const { callers, callees } = describeSymbol(graph, [1], 10);
  assert.deepEqual([callers.list.length, callees.resolved.list.length], [1, 1]);
});

/** Verdict about a place of a graph. */
function verdict(files: LiteralGraph['files'], place: string, edges: LiteralGraph['edges'] = [], possible = 0): string {
  const graph = graphOf({ files, edges });
  return verdictOf(graph, nodeAt(graph, place), possible)[0];
}

test('why nothing calls a definition, the surest reason first', () => {
  const local = { symbols: ['local run', 'local other'] };
  const state = (of: FileState) => ({ 'a.ts': { ...local, state: of } });
  const call = { from: 'a.ts:other', to: 'a.ts:other', kind: 'call' as const };
  const rows: [wanted: string, ...Parameters<typeof verdict>][] = [
    ['certain', { 'a.ts': local }, 'a.ts:run'],
    ['no-call-facts', state('none'), 'a.ts:run'],
    ['degraded', state('degraded'), 'a.ts:run'],
    ['degraded', state('unreadable'), 'a.ts:run'],
    ['unresolved-uses', { 'a.ts': local }, 'a.ts:run', [], 1],
    ['exported', { 'a.ts': ['run'] }, 'a.ts:run'],
    ['unresolved-uses', { 'a.ts': ['run'] }, 'a.ts:run', [], 2],
    ['entry-point', { 'a.go': ['local main'] }, 'a.go:main', [], 1],
    ['certain', { 'a.go': ['local Cart', 'local Cart.main'] }, 'a.go:Cart.main'],
    ['entry-point', { 'a.go': ['local init'] }, 'a.go:init'],
    ['framework', { 'a.py': ['run'] }, 'a.py:run', [{ from: 'a.py:run', name: 'route', kind: 'decorator' }], 1],
    ['exported', { 'a.py': ['run'] }, 'a.py:run', [{ from: 'a.py:run', name: 'cache', kind: 'decorator' }]],
    ['framework', { 'a.py': ['Cart', 'Cart.__len__'] }, 'a.py:Cart.__len__'],
    ['certain', { 'a.ts': local }, 'a.ts:run', [call]],
    [
      'framework',
      { 'a.java': ['local A', 'local A.run'] },
      'a.java:A.run',
      [{ from: 'a.java:A', name: 'X', kind: 'extends' }],
    ],
    [
      'framework',
      { 'a.java': ['A', 'local A.run', 'B', 'local B.run'] },
      'a.java:B.run',
      ['a.java:B -> a.java:A extends'],
    ],
    [
      'framework',
      { 'a.java': ['local Cart', 'local method Cart.run'] },
      'a.java:Cart.run',
      [{ from: 'a.java:Cart.run', name: 'run', receiver: 'super' }],
    ],
    [
      'certain',
      { 'a.java': ['local Cart', 'local method Cart.run'] },
      'a.java:Cart.run',
      [{ from: 'a.java:Cart.run', name: 'stop', receiver: 'super' }],
    ],
    [
      'indirect',
      { 'a.ex': { symbols: ['module Cart', 'local constant Cart.prefix'], language: 'elixir' } },
      'a.ex:Cart.prefix',
    ],
    [
      'certain',
      { 'a.ex': { symbols: ['module Cart', 'local function Cart.run'], language: 'elixir' } },
      'a.ex:Cart.run',
    ],
    ['indirect', { 'a.rs': ['local macro run'] }, 'a.rs:run'],
    ['indirect', { 'a.ts': ['local method run'] }, 'a.ts:run'],
    ['certain', { 'a.go': ['local method run'] }, 'a.go:run'],
    ['indirect', { 'a.ts': ['local Cart', 'local Cart.run'] }, 'a.ts:Cart.run'],
    ['certain', { 'a.ts': ['local Cart', 'local Cart.#run'] }, 'a.ts:Cart.#run'],
    ['certain', { 'a.ts': ['local Cart', 'local Cart._run'] }, 'a.ts:Cart._run'],
    ['indirect', { 'a.ts': ['local Cart', 'local Cart._run_'] }, 'a.ts:Cart._run_'],
    ['certain', { 'a.ts': ['Cart', 'local Cart.run'] }, 'a.ts:Cart.run'],
    ['certain', { 'a.ts': ['local Cart', 'local constructor Cart.constructor'] }, 'a.ts:Cart.constructor'],
    ['indirect', { 'a.go': ['local function make', 'local method make.run'] }, 'a.go:make.run'],
    ['certain', { 'a.go': ['local function make', 'local function make.run'] }, 'a.go:make.run'],
  ];
  const got = rows.map(([, ...row]) => `${verdict(...row)} ${row[1]}`);
  assert.deepEqual(
    got,
    rows.map(([wanted, , place]) => `${wanted} ${place}`),
  );
});

test('of functions with one name in one place, the use of one may mean the others', () => {
  const graph = (kind: 'call' | 'read', ...symbols: string[]) => {
    const made = graphOf({ files: { 'a.ts': symbols }, edges: [{ from: 'a.ts:other', to: 'a.ts:run', kind }] });
    return verdictOf(made, 2, 0)[0];
  };
  assert.equal(graph('call', 'local run', 'local run', 'local other'), 'unresolved-uses');
  assert.equal(graph('read', 'local run', 'local run', 'local other'), 'certain');
  assert.equal(graph('call', 'local run', 'local constant run', 'local other'), 'certain');
});

test('where types are stated, a value that is called may be a function of its name that extends the type', () => {
  const of = (extension: string, kind: 'call' | 'read') => {
    const [far, cart] = [`far.${extension}`, `cart.${extension}`];
    return verdict(
      { [far]: ['local function isOpen'], [cart]: ['Cart', 'property Cart.isOpen', 'use'] },
      `${far}:isOpen`,
      [{ from: `${cart}:use`, to: `${cart}:Cart.isOpen`, kind }],
    );
  };
  assert.deepEqual(
    [of('java', 'call'), of('java', 'read'), of('py', 'call')],
    ['unresolved-uses', 'certain', 'certain'],
  );
});

test('the reason counts the uses that may mean it', () => {
  const graph = graphOf({ files: { 'a.ts': ['local run'] } });
  assert.deepEqual(
    [1, 2].map((possible) => verdictOf(graph, 1, possible)[1]),
    [
      'one use of the name run could not be resolved and may mean it',
      '2 uses of the name run could not be resolved and may mean it',
    ],
  );
});

test('the text of the file corrects a verdict: attributes, accessors, assignments, and lines with the name', () => {
  const look = (verdictBefore: string, text: string, start: number, end = start): string => {
    const lines = text.split('\n');
    const answer = { verdict: verdictBefore, reason: 'none', possible: { list: [], leftOut: 0 } } as never;
    const { verdict: found, reason } = secondLook(answer, {
      ...{ text, name: 'run$', header: lines.slice(start - 1, end).join('\n') },
      ranges: [{ startLine: start, endLine: end }],
    });
    return found === verdictBefore ? 'same' : `${found}: ${reason}`;
  };
  const names = (lines: string) => `unresolved-uses: its name stands in ${lines} of its file, too`;
  const attribute = (name: string) => `framework: it has the attribute ${name}, which may call it`;
  const READ = 'indirect: it is read as a property, which is no call';
  const PUT = 'indirect: it is put into an object: who has that can call it';
  const rows: [wanted: string, before: string, text: string, start: number, end?: number][] = [
    ['same', 'certain', 'run$()', 1],
    [names('line 2'), 'certain', 'run$()\nrun$', 1],
    [names('lines 1, 4'), 'certain', 'x(run$)\nrun$() {\n}\nrun$', 2, 3],
    [names('lines 2, 3, 4'), 'certain', 'run$()\nrun$\nrun$\nrun$', 1],
    [names('lines 2, 3, 4 and others'), 'certain', 'run$()\nrun$\nrun$\nrun$\nrun$', 1],
    ['same', 'certain', 'run$()\nrun$y xrun$ $run$ run', 1],
    ['same', 'certain', 'run$()\n// run$\n  # run$\n * run$\n-- run$\n; run$\n% run$\n/* run$ */', 1],
    [names('lines 2, 3'), 'certain', 'run$()\n#[run$]\n#!run$', 1],
    ['same', 'exported', 'run$()\nrun$', 1],
    ['same', 'indirect', 'run$()\nrun$', 1],
    ['same', 'framework', '#[route]\nfn run$()', 2],
    [attribute('route'), 'certain', '#[route]\nfn run$()', 2],
    [attribute('route'), 'exported', '#[route]\nfn run$()', 2],
    [attribute('route'), 'indirect', '#[inline]\n#[route("/")]\nfn run$()', 3],
    [attribute('HttpGet'), 'certain', '  [HttpGet]\n  void run$()', 2],
    [attribute('no_mangle'), 'certain', '#[unsafe(no_mangle)]\nfn run$()', 2],
    [attribute('Fact'), 'certain', '[Fact] void run$()', 1],
    ['same', 'certain', '#[inline]\n#[cfg(test)]\nfn run$()', 3],
    [attribute('inlined'), 'certain', '#[inlined]\nfn run$()', 2],
    [attribute('route'), 'certain', '#[route]\n// why\nfn run$()', 3],
    ['same', 'certain', '#[route]\nfn a() {}\nfn run$()', 3],
    ['same', 'certain', '#[route]\nlet a = 1;\nfn run$()', 3],
    ['same', 'certain', '#[route]\n\nfn run$()', 3],
    [attribute('route'), 'certain', `#[route]\n${'a,\n'.repeat(11)}fn run$()`, 13],
    ['same', 'certain', `#[route]\n${'a,\n'.repeat(12)}fn run$()`, 14],
    ['same', 'certain', 'fn run$(a: [u8])', 1],
    [READ, 'certain', 'get run$() {}', 1],
    [READ, 'exported', 'static set  run$ (a) {}', 1],
    ['same', 'certain', 'forget run$() {}', 1],
    ['same', 'certain', 'get run$s() {}', 1],
    [PUT, 'certain', 'a.b.run$ = () => {}', 1],
    ['same', 'exported', 'a.b.run$ = () => {}', 1],
    ['same', 'certain', 'a.run$ == b', 1],
    ['same', 'certain', 'const run$ = a', 1],
  ];
  assert.deepEqual(
    rows.map(([, ...row]) => look(...row)),
    rows.map(([wanted]) => wanted),
  );
});

test('a query lists names that are equal first, then other cases, beginnings, parts, and first letters of words', () => {
  const files = {
    'a.ts': ['getUserName', 'GetUserName', 'getUserNames', 'forgetUserName', 'gather', 'local getuser', 'undo'],
    'b.ts': ['Shop', 'Shop.getUserName', 'key getUserKey'],
    'test/a.test.ts': ['getUserName'],
  };
  const edges = Array.from({ length: 2 }, (_, i) => ({ from: 'a.ts:undo', to: 'b.ts:Shop.getUserName', line: 70 + i }));
  const graph = graphOf({ files, edges });
  const listed = (query: string, more: Partial<Parameters<typeof listSymbols>[1]> = {}, of: Graph = graph) => {
    const { total, symbols } = listSymbols(of, { limit: 10, query, ...more });
    return [total, symbols.leftOut, ...symbols.list.map(({ path, symbol, uses }) => `${path}:${symbol} ${uses}`)].join(
      ' ',
    );
  };
  const [own, shop, inTest] = ['a.ts:getUserName 0', 'b.ts:Shop.getUserName 2', 'test/a.test.ts:getUserName 0'];
  const rest = 'a.ts:GetUserName 0 a.ts:getUserNames 0 a.ts:forgetUserName 0';
  assert.equal(listed('getUserName'), `6 0 ${shop} ${own} ${inTest} ${rest}`);
  assert.equal(listed('getUserName', { limit: 2 }), `6 4 ${shop} ${own}`);
  assert.equal(listed('gun'), `5 0 ${shop} ${own} a.ts:GetUserName 0 a.ts:getUserNames 0 ${inTest}`);
  assert.equal(listed('geUsNa'), `5 0 ${shop} ${own} a.ts:GetUserName 0 a.ts:getUserNames 0 ${inTest}`);
  assert.equal(listed('un'), '1 0 a.ts:undo 0', 'the first word begins it');
  assert.equal(listed('gnu'), '0 0');
  assert.equal(listed('Shop.get'), `1 0 ${shop}`);
  assert.equal(listed('shop::getUserName'), `1 0 ${shop}`);
  assert.equal(listed('hop->getUserName'), `1 0 ${shop}`);
  assert.equal(listed('Sho#getUserName'), `1 0 ${shop}`);
  assert.equal(listed('Shop2.getUserName'), '0 0');
  assert.equal(listed('getUserK'), '0 0', 'keys only if they are asked for');
  assert.equal(listed('getUserK', { kinds: new Set(['key']) }), '1 0 b.ts:getUserKey 0');
  assert.equal(listed('getUserK', { accepts: (path) => path === 'b.ts' }), '1 0 b.ts:getUserKey 0');
  assert.equal(listed('getuser', { kinds: new Set(['function']), limit: 1 }), '6 5 a.ts:getuser 0');
  assert.equal(
    listed('', { accepts: (path) => path === 'b.ts', limit: 2 }),
    '3 1 b.ts:Shop 0 b.ts:Shop.getUserName 2',
    'without a query in the order of lines',
  );
  const equal = graphOf({ files: { 'a.ts': ['local run'], 'b.ts': ['run'], 'c.ts': ['local run'] } });
  assert.equal(listed('run', {}, equal), '3 0 b.ts:run 0 a.ts:run 0 c.ts:run 0');
});
