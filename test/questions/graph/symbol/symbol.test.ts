/** Callers, callees, relatives and tests of a symbol; what is said where it has no callers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeSymbol, secondLook } from '../../../../src/graph/query/describe-symbol.js';
import { referencesOf } from '../../../../src/questions/graph/references/answer.js';
import { graphOf, type LiteralGraph, nodeAt } from '../../../graph/build.js';

const shop: LiteralGraph = {
  files: {
    'price.ts': ['interface Priced', 'method Priced.total', 'round'],
    'cart.ts': ['Base', 'Base.total', 'Cart', 'constructor Cart.constructor', 'Cart.total', 'local method Cart.sum'],
    'app.ts': ['main', 'show'],
    'test/cart.test.ts': ['checks'],
    'test/deep.test.ts': ['checksMain'],
  },
  edges: [
    'cart.ts:Cart -> cart.ts:Base extends',
    'cart.ts:Cart -> price.ts:Priced implements',
    'cart.ts -> price.ts type-import',
    'app.ts -> cart.ts',
    { from: 'app.ts:main', to: 'cart.ts:Cart.total', line: 5, receiver: 'cart' },
    { from: 'app.ts:main', to: 'cart.ts:Cart', kind: 'new', line: 4 },
    { from: 'app.ts:show', to: 'price.ts:Priced.total', line: 14, tier: 'receiver' },
    { from: 'app.ts:show', to: 'price.ts:Priced', kind: 'type', line: 13 },
    { from: 'cart.ts:Cart.total', to: 'cart.ts:Cart.sum', receiver: 'this' },
    { from: 'cart.ts:Cart.total', to: 'price.ts:round' },
    { from: 'cart.ts:Cart.total', name: 'max', receiver: 'Math', tier: 'external', line: 43 },
    { from: 'cart.ts:Cart.total', name: 'apply', receiver: '?', tier: 'unresolved', line: 44 },
    'test/cart.test.ts:checks -> cart.ts:Cart.total',
    'test/deep.test.ts:checksMain -> app.ts:main',
  ],
};
const graph = graphOf(shop);
const describe = (place: string) => describeSymbol(graph, [nodeAt(graph, place)], 30);
const names = (places: readonly { path: string; symbol: string | null }[]) =>
  places.map(({ path, symbol }) => `${path}:${symbol}`);

test('callers include those of the interface member and of the parent that may run it', () => {
  const { callers, noCallers } = describe('cart.ts:Cart.total');
  assert.deepEqual(
    callers.list.map(({ symbol, line, text, through = '' }) => [symbol, line, text, through]),
    [
      ['main', 5, 'cart.total', ''],
      ['show', 14, 'total', 'Priced.total'],
      ['checks', 2, 'total', ''],
    ],
    'tests last',
  );
  assert.equal(noCallers, undefined);
  assert.deepEqual(names(describe('cart.ts:Cart.constructor').callers.list), ['app.ts:main'], 'new Cart() runs it');
});

test('a module that only its members are used of says so; uses inside of it, and one by its own name, say nothing', () => {
  const of = (edges: string[]) => {
    const files = {
      'shop.ex': ['module Shop', 'function Shop.open', 'function Shop.close'],
      'app.ex': ['run', 'halt'],
    };
    const used = graphOf({ files, edges });
    return describeSymbol(used, [nodeAt(used, 'shop.ex:Shop')], 30).memberUses;
  };
  const inside = 'shop.ex:Shop.open -> shop.ex:Shop.close';
  const outside = ['app.ex:run -> shop.ex:Shop.open', 'app.ex:halt -> shop.ex:Shop.close'];
  assert.equal(of([inside, ...outside]), 2);
  assert.equal(of([inside]), undefined);
  assert.equal(of([...outside, 'app.ex:run -> shop.ex:Shop type']), undefined);
});

test('callees: resolved, outside, and those that could not be resolved', () => {
  const { callees } = describe('cart.ts:Cart.total');
  assert.deepEqual(names(callees.resolved.list), ['cart.ts:Cart.sum', 'price.ts:round']);
  assert.deepEqual(
    [callees.external.list, callees.unresolved.list].map((list) => list.map(({ text, lines }) => [text, lines])),
    [[['Math.max', [43]]], [['apply', [44]]]],
  );
});

test('relatives in both directions, and tests with their distance', () => {
  const total = describe('cart.ts:Cart.total');
  assert.deepEqual(names(total.overrides.list), ['cart.ts:Base.total', 'price.ts:Priced.total']);
  assert.deepEqual(names(describe('price.ts:Priced.total').overriddenBy.list), ['cart.ts:Cart.total']);
  assert.deepEqual(names(describe('cart.ts:Base').subtypes.list), ['cart.ts:Cart']);
  assert.deepEqual(
    describe('cart.ts:Cart').parents.map(({ name, use }) => [name, use]),
    [
      ['Base', 'extends'],
      ['Priced', 'implements'],
    ],
  );
  assert.deepEqual(
    total.tests.list.map(({ path, hops }) => [path, hops]),
    [
      ['test/cart.test.ts', 1],
      ['test/deep.test.ts', 2],
    ],
  );
  assert.deepEqual(
    total.containers.map(({ symbol }) => symbol),
    ['Cart'],
  );
});

test('"no callers" says whether that is certain', () => {
  const verdictOf = (literal: LiteralGraph, place: string) => {
    const other = graphOf(literal);
    return describeSymbol(other, [nodeAt(other, place)], 30).noCallers?.verdict;
  };
  const one = (symbol: string, edges: LiteralGraph['edges'] = [], file = {}) =>
    verdictOf({ files: { 'a.ts': { symbols: [`${symbol}`], ...file }, 'b.ts': ['other'] }, edges }, 'a.ts:f');
  assert.equal(one('local f'), 'certain');
  assert.equal(one('f'), 'exported');
  assert.equal(one('local f', [{ from: 'b.ts:other', name: 'f', receiver: 'x' }]), 'unresolved-uses');
  assert.equal(one('local f', [{ from: 'b.ts:other', name: 'f', tier: 'ambiguous' }]), 'unresolved-uses');
  assert.equal(
    one('local f', [{ from: 'b.ts:other', name: 'f', tier: 'external' }]),
    'certain',
    "a package's f is another",
  );
  assert.equal(one('local f', [], { state: 'none' }), 'no-call-facts');
  assert.equal(one('local f', [], { state: 'degraded' }), 'degraded');
  assert.equal(one('f', [{ from: 'a.ts:f', name: 'Route', kind: 'decorator', tier: 'external' }]), 'framework');
  assert.equal(verdictOf({ files: { 'm.go': ['local main'] } }, 'm.go:main'), 'entry-point');
  const page = { files: { 'p.ts': ['Page', 'Page.render'] } };
  const extended = { from: 'p.ts:Page', name: 'Component', kind: 'extends' as const, tier: 'external' as const };
  assert.equal(verdictOf({ ...page, edges: [extended] }, 'p.ts:Page.render'), 'framework');
});

test('code called by the language, a test runner or a decorator is not reported as dead', () => {
  const verdictOf = (path: string, symbols: string[], place: string, edges: LiteralGraph['edges'] = []) => {
    const other = graphOf({ files: { [path]: symbols, 'x.ts': ['x'] }, edges });
    return describeSymbol(other, [nodeAt(other, `${path}:${place}`)], 30).noCallers?.verdict;
  };
  assert.equal(verdictOf('m.go', ['local init'], 'init'), 'entry-point');
  assert.equal(verdictOf('m_test.go', ['TestTotal'], 'TestTotal'), 'entry-point');
  assert.equal(verdictOf('tests/test_cart.py', ['test_total'], 'test_total'), 'entry-point');
  assert.equal(verdictOf('a.py', ['Cart', 'method Cart.__call__'], 'Cart.__call__'), 'framework');
  assert.equal(verdictOf('a.py', ['local __call__'], '__call__'), 'certain', 'no member, no hook');
  assert.equal(verdictOf('A.java', ['Cart', 'local method Cart.readObject'], 'Cart.readObject'), 'framework');
  const decorated = { from: 'a.py:f', to: 'a.py:app', kind: 'decorator' as const };
  assert.equal(verdictOf('a.py', ['local f', 'app'], 'f', [decorated]), 'framework', 'a decorator of this repository');
  const inert = { from: 'A.java:Cart.f', name: 'Override', kind: 'decorator' as const, tier: 'external' as const };
  assert.equal(verdictOf('A.java', ['Cart', 'local method Cart.f'], 'Cart.f', [inert]), 'certain');
  assert.equal(verdictOf('a.ts', ['constant TABLE', 'local method TABLE.get'], 'TABLE.get'), 'indirect');
  assert.equal(verdictOf('a.ts', ['local Box', 'local method Box.get'], 'Box.get'), 'indirect', 'its objects travel');
  assert.equal(verdictOf('a.ts', ['Box', 'local method Box.get'], 'Box.get'), 'certain', 'private');
  const overloaded = ['Cart', 'local method Cart.f', 'local method Cart.f', 'local method Cart.g'];
  const other = graphOf({ files: { 'A.java': overloaded }, edges: ['A.java:Cart.g -> A.java:Cart.f'] });
  const second = nodeAt(other, 'A.java:Cart.f') + 1;
  assert.equal(
    describeSymbol(other, [second], 30).noCallers?.verdict,
    'unresolved-uses',
    'calls may mean this overload',
  );
});

test('the text of the file is searched for uses that the facts miss', () => {
  const answer = { verdict: 'certain' as const, reason: '', possible: { list: [], leftOut: 0 } };
  const look = (text: string, name: string, line: number) => {
    const lines = text.split('\n');
    const ranges = [{ startLine: line, endLine: line }];
    return secondLook(answer, { text, name, header: lines[line - 1], ranges });
  };
  assert.equal(look('fn f() {}\n', 'f', 1).verdict, 'certain');
  assert.equal(look('fn f() { f() }\n// f is old\nfn fg() {}\n', 'f', 1).verdict, 'certain', 'remarks, other names');
  const named = look('fn f() {}\ncriterion_group!(benches, f);\n', 'f', 1);
  assert.deepEqual([named.verdict, /line 2 /.test(named.reason)], ['unresolved-uses', true]);
  assert.equal(look('#[tokio::test]\n// slow\nasync fn f() {}\n', 'f', 3).verdict, 'framework');
  const long = '#[test]\n#[should_panic(\n    expected = "x"\n)]\nfn f() {}\n';
  assert.equal(look(long, 'f', 5).verdict, 'framework');
  assert.equal(look('#[test]\nfn g() {}\nfn f() {}\n', 'f', 3).verdict, 'certain', 'the attribute of another');
  assert.equal(look('#[inline]\nfn f(a: [u8; 4]) {}\n', 'f', 2).verdict, 'certain');
  assert.equal(look('  get size(): number {\n', 'size', 1).verdict, 'indirect');
  assert.equal(look('  request.onabort = () => {}\n', 'onabort', 1).verdict, 'indirect');
  assert.equal(look('const f = () => 1\n', 'f', 1).verdict, 'certain');
});

test('Go: a type with all methods of an interface implements it, including embedded methods', () => {
  const go = graphOf({
    files: {
      'render.go': ['interface Render', 'constructor Render.Render', 'method Render.Type', 'run'],
      'json.go': ['struct JSON', 'method JSON.Render', 'method JSON.Type', 'struct Half', 'method Half.Render'],
      'xml.go': ['struct XML', 'method XML.Render'],
      'like.ts': ['Like', 'method Like.Render', 'method Like.Type'],
    },
    edges: ['render.go:run -> render.go:Render.Render', 'xml.go:XML -> json.go:JSON extends'],
  });
  const of = (place: string) => describeSymbol(go, [nodeAt(go, place)], 30);
  assert.deepEqual(names(of('render.go:Render').subtypes.list), ['json.go:JSON', 'xml.go:XML']);
  assert.deepEqual(
    of('json.go:JSON.Render').callers.list.map(({ symbol, through }) => [symbol, through]),
    [['run', 'Render.Render']],
  );
  assert.deepEqual(names(of('render.go:Render.Render').overriddenBy.list), [
    'json.go:JSON.Render',
    'xml.go:XML.Render',
  ]);
  assert.deepEqual(of('json.go:Half.Render').overrides.list, [], 'it lacks Type');
});

test('Rust: an impl block implements only the trait that it names', () => {
  const rust = graphOf({
    files: { 'a.rs': ['trait Poll', 'method Poll.poll', 'impl Task', 'local method Task.poll', 'struct Task'] },
    edges: [
      { from: 'a.rs:Task', to: 'a.rs:Poll', kind: 'implements', line: 21 },
      { from: 'a.rs:Task', name: 'Drop', kind: 'implements', tier: 'external', line: 45 },
    ],
  });
  const poll = describeSymbol(rust, [nodeAt(rust, 'a.rs:Task.poll')], 30);
  assert.deepEqual(names(poll.overrides.list), ['a.rs:Poll.poll']);
  assert.match(poll.noCallers?.reason ?? '', /overrides Poll\.poll/);
  assert.deepEqual(names(describeSymbol(rust, [nodeAt(rust, 'a.rs:Poll')], 30).subtypes.list), ['a.rs:Task']);
});

test('a use of the same name in another language is no possible caller', () => {
  const two = graphOf({
    files: { 'a.ts': ['local f'], 'b.py': ['g'], 'c.js': ['h'] },
    edges: [{ from: 'b.py:g', name: 'f' }],
  });
  assert.equal(describeSymbol(two, [nodeAt(two, 'a.ts:f')], 30).noCallers?.verdict, 'certain');
});

test('references: imports behind re-exports, the nearest of several, without types where it is called', () => {
  const barrel = graphOf({
    files: { 'src/link.ts': ['link'], 'src/index.ts': [], 'all.ts': [], 'app.ts': ['run'], 'other.ts': ['idle'] },
    edges: [
      { from: 'src/index.ts', to: 'src/link.ts', kind: 'reexport', literal: 'link' },
      { from: 'all.ts', to: 'src/index.ts', kind: 'reexport', literal: '*' },
      { from: 'app.ts', to: 'src/index.ts', kind: 'type-import', line: 1 },
      { from: 'app.ts', to: 'src/index.ts', kind: 'import', line: 2 },
      { from: 'app.ts', to: 'all.ts', kind: 'import', line: 3 },
      { from: 'other.ts', to: 'src/index.ts', kind: 'import', line: 4 },
      { from: 'app.ts:run', to: 'src/link.ts:link', tier: 'reexported', line: 5 },
    ],
  });
  const { uses } = referencesOf(barrel, [nodeAt(barrel, 'src/link.ts:link')], 30);
  assert.deepEqual(
    uses.list.map(({ path, line, kind }) => [path, line, kind]),
    [
      ['app.ts', 2, 'import'],
      ['app.ts', 5, 'call'],
      ['src/index.ts', 2, 'reexport'],
    ],
  );
});

test('references: every kind, the imports that bring it, and possible ones apart', () => {
  const other = graphOf({
    ...shop,
    edges: [...(shop.edges ?? []), { from: 'app.ts:show', name: 'Cart', kind: 'type', line: 17 }],
  });
  const { uses, counts, possible, files } = referencesOf(other, [nodeAt(other, 'cart.ts:Cart')], 30);
  assert.deepEqual(counts, { new: 1, import: 1 });
  assert.deepEqual([files, uses.leftOut], [1, 0]);
  assert.deepEqual(
    possible.list.map(({ line }) => line),
    [17],
  );
  const cutTo = referencesOf(graph, [nodeAt(graph, 'cart.ts:Cart.total')], 1);
  assert.deepEqual([cutTo.uses.list.length, cutTo.uses.leftOut], [1, 3]);
});
