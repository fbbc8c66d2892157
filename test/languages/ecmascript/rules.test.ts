import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../extract/helpers.js';
import { cpuTimer } from '../../support/processes/cpu-time.js';
import { relationLines } from '../relations-support.js';

test('every way to import is a fact with its names', () => {
  const source = `import d, { a as b, type T } from './named';
import * as ns from "./all";
import type { Only } from './types';
import './effect';
import old = require('./old');
import { x } from './attributes' with { type: 'json' };
import data from './data.json' with { type: 'json' };
import { from } from "./it's";
function lazily() {
  return import('./lazy');
}
async function take() {
  const { k: l } = await import('./parts');
  l();
}
new Worker(new URL('./worker.js', import.meta.url));
vi.mock('./mocked', () => ({}));
`;
  assert.deepEqual(relationLines(source, 'typescript').imports, [
    '1 import ./named default=d,a=b,T',
    '2 import ./all *=ns',
    '3 type ./types Only',
    '4 import ./effect',
    '5 require ./old *=old',
    '6 import ./attributes x',
    '7 import ./data.json default=data',
    "8 import ./it's from",
    '10 dynamic ./lazy',
    '13 dynamic ./parts k=l',
    '16 dynamic ./worker.js',
    '17 dynamic ./mocked',
  ]);
});

test('exports: names that are no symbols of their own, and re-exports', () => {
  const source = `import { a } from './a';
const local = a();
export { local as renamed, a };
export { b as c } from './b';
export type { T } from './t';
export * from './all';
export * as ns from './ns';
export const plain = 1;
export default new Cart(local);
`;
  const { imports, exports, bindings } = relationLines(source, 'typescript');
  assert.deepEqual(imports.slice(1), [
    '4 reexport ./b b=c',
    '5 type-reexport ./t T',
    '6 reexport ./all *=',
    '7 reexport ./ns *=ns',
  ]);
  assert.deepEqual(exports, ['renamed = local', 'a = a', 'default = default']);
  assert.ok(bindings.includes('-: default = new Cart()'));
  assert.deepEqual(relationLines('function f() {}\nexport default f;\n', 'typescript').exports, ['default = f']);
  assert.deepEqual(relationLines('class A {}\nexport = A;\n', 'typescript').exports, ['= = A']);
});

test('CommonJS: require in all places, module.exports and exports', () => {
  const source = `var express = require('express'), json = require('body-parser').json;
const { a, b: c } = require("./ab");
const debug = require('debug')('app');
exports = module.exports = create;
exports.a = a;
exports.query = require('./query');
module.exports.list = { a };
if (c) { const lazy = require('./lazy'); lazy(); }
function create() {}
`;
  const { imports, exports } = relationLines(source, 'javascript');
  assert.deepEqual(imports, [
    '1 require express *=express',
    '1 require body-parser json',
    '2 require ./ab a,b=c',
    '3 require debug *=import#121',
    '6 reexport ./query *=query',
    '8 require ./lazy *=lazy',
  ]);
  assert.deepEqual(exports, ['= = create', 'a = a', 'list =']);
  const object = "const { a } = require('./a');\nmodule.exports = { a, b: own, c() {}, d: 1 };\nfunction own() {}\n";
  const names = relationLines(object, 'javascript').exports;
  assert.deepEqual(names.slice(0, 3), ['= =', 'a = a', 'b = own']);
});

const CART = `import { Base, Rolls, open, handler } from './base';
@Entity('cart')
export class Cart<T> extends Base<T> implements Rolls {
  @Column() private readonly items: Item[] = [];
  driver = new Driver();
  constructor(private readonly connection: Connection, limit = 3) {
    super(connection, limit);
  }
  async total(qb: Builder): Promise<Money> {
    // a comment (handler)
    const rows = await this.connection.manager!.find<Row>("x", { a: [1, 2] }, ...rest);
    for (const row of rows) row.add(handler, this.total, (n) => n.go());
    const { left, right: { deep } } = this.connection;
    left.x(); deep.y();
    return (await qb.where('a, b').then?.(open))
      // .hidden()
      .sum(rows[0].price());
  }
  static of() { return new Cart(open); }
  get first() { return this.items; }
}
`;

test('calls, types, inheritance and decorators, with the symbol they stand in', () => {
  assert.deepEqual(relationLines(CART, 'typescript').references, [
    '2 decorator Entity/1 @Cart "cart"',
    '3 extends Base @Cart',
    '3 implements Rolls @Cart',
    '4 decorator Column/0 @Cart.items',
    '4 type Item @Cart.items',
    '5 new Driver/0 @Cart.driver',
    '6 type Connection @Cart.connection',
    '7 call super.constructor/2 @Cart.constructor',
    '9 type Builder @Cart.total',
    '9 type Money @Cart.total',
    '11 call this.connection.manager.find @Cart.total',
    '11 type Row @Cart.total',
    '12 call row.add/3 @Cart.total',
    '12 value handler @Cart.total',
    '12 value this.total @Cart.total',
    '12 call n.go/0 @Cart.total',
    '14 call left.x/0 @Cart.total',
    '14 call deep.y/0 @Cart.total',
    '15 call qb.where/1 @Cart.total',
    '15 call qb.where().then/1 @Cart.total',
    '15 value open @Cart.total',
    '17 call qb.where().then().sum/1 @Cart.total',
    '17 call rows[].price/0 @Cart.total',
    '19 new Cart/1 @Cart.of',
    '19 value open @Cart.of',
  ]);
});

test('bindings: parameters, properties, locals, loops, results, and names that only hide others', () => {
  assert.deepEqual(relationLines(CART, 'typescript').bindings, [
    'Cart: <T>',
    'Cart: ^: Base<T>',
    'Cart: items: Item[]',
    'Cart: driver = new Driver()',
    'Cart.constructor: (0): Connection',
    'Cart: connection: Connection',
    'Cart.total: (0): Builder',
    'Cart.total: (): Promise<Money>',
    'Cart.total: qb: Builder',
    'Cart.total: rows = this.connection.manager.find(<Row>)',
    'Cart.total: row = rows[]',
    'Cart.total: n = row.add(2)(0)',
    'Cart.total: left = this.connection.left',
    'Cart.total: deep = this.connection.right.deep',
    'Cart.of: () = new Cart()',
    'Cart: first = this.items',
    'Cart.first: () = this.items',
  ]);
});

test('parameters of callbacks are elements of what they are called for', () => {
  const source = `await Promise.all(carts.map(async (cart) => cart.total()));
carts.filter(one => one.open()).sort((a, b) => a.compare(b) + b.size());
carts.reduce<number>((sum, next) => sum + next.total(), 0);
load().then(function ({ left, right: { deep } }) { left.go(); deep.go(); });
Object.values(carts).forEach((value) => value.go());
shop.on('sale', (event) => event.go());
`;
  assert.deepEqual(relationLines(source, 'typescript').bindings, [
    '-: cart = carts[]',
    '-: one = carts[]',
    '-: a = carts.filter()[]',
    '-: b = carts.filter()[]',
    '-: next = carts[]',
    '-: left = load().left',
    '-: deep = load().right.deep',
    '-: value',
    '-: event = shop.on(1)(0)',
  ]);
});

test('names that get their value later, and parts of what has a type', () => {
  const source = `let server;
let typed: Server;
beforeEach(async () => {
  server = await createServer({ port: 1 });
  typed = other();
});
test('x', () => { server.close(); typed.close(); });
function take({ total, items: [first] }: Cart, { money }: { money: Money; rest?: Rest }) {
  total.go(); first.go(); money.go();
}
const [post] = await posts.find();
post.go();
`;
  const { bindings } = relationLines(source, 'typescript');
  assert.deepEqual(
    bindings.map((line) => line.replace(/#\d+/g, '#')),
    [
      '-: server = createServer()',
      '-: typed: Server',
      '-: server = createServer()',
      'take: (0): Cart',
      'take: (1): { money: Money; rest?: Rest }',
      'take: #: Cart',
      'take: total = #.total',
      'take: first = #.items[]',
      'take: money: Money',
      '-: post = posts.find()[]',
    ],
  );
});

test('names bound in a callback mean nothing outside of it, though no symbol tells', () => {
  const source = `import { other } from './other';
test('a', () => { const { run } = tools(); run('x'); const y = run(); y.go(); });
test('b', () => { const run = async () => 1; run(); });
test('c', (other) => { other.go(); use(other); });
run();
other.go();
test('d', () => { const clone: Clone = make(); clone.go(); });
function clone() {}
clone();
`;
  const { references, bindings } = relationLines(source, 'typescript');
  const calls = references
    .filter((line) => /\b(?:run|go|clone)\//.test(line))
    .map((line) => line.replace(/#\d+/g, '#'));
  assert.deepEqual(calls, [
    '2 call tools().run/1 @-',
    '2 call tools().run/0 @-',
    '2 call y.go/0 @-',
    '3 call run/0 @-',
    '4 call other#.go/0 @-',
    '5 call ?.run/0 @-',
    '6 call other.go/0 @-',
    '7 call clone#.go/0 @-',
    '9 call clone/0 @-',
  ]);
  assert.deepEqual(
    references.filter((line) => line.includes(' value ')),
    [],
    'a parameter that is handed on is not what has its name elsewhere',
  );
  const named = bindings.map((line) => line.replace(/#\d+/g, '#'));
  assert.deepEqual(named, [
    '-: run# = tools().run',
    '-: y = run#()',
    '-: other# = test(1)(0)',
    '-: clone#: Clone = make()',
  ]);
});

test('shapes of calls that a text search would get wrong', () => {
  const lines = (source: string) => relationLines(source, 'typescript').references;
  assert.deepEqual(lines('f("(").g(",", [1, 2], { a: 1, b });'), ['1 call f/1 @-', '1 call f().g/3 @-']);
  assert.deepEqual(lines('a!.b!.c(1,);'), ['1 call a.b.c/1 @-']);
  assert.deepEqual(lines('(x as Foo).bar();'), ['1 type Foo @-', '1 call new Foo().bar/0 @-']);
  assert.deepEqual(lines('new a.Foo<T>(1).go();'), ['1 new a.Foo/1 @-', '1 type T @-', '1 call new a.Foo().go/0 @-']);
  assert.deepEqual(lines(`tag\`x\${f(1)}\`;`), ['1 call tag @-', '1 call f/1 @-']);
  assert.deepEqual(lines("'text'.trim(); [1].map(f); /a(b/.test(q);"), [
    '1 call ?.trim/0 @-',
    '1 call ?.map/1 @-',
    '1 call ?.test/1 @-',
  ]);
  assert.deepEqual(lines('console.log(JSON.stringify(1)); new Map();'), [], 'what no repository can define');
  assert.deepEqual(lines('function g<T>(x: T): Array<T> { return x; }'), [], 'type parameters');
});

test('components are made, handlers are handed on, routes have their paths', () => {
  const source = `import { Foo, save } from './foo';
const App = ({ title }: Props) => <Foo.Bar onClick={save}><Foo /><div>don't (save)</div></Foo.Bar>;
router.get('/cart/:id', save, async (req) => save(req));
`;
  const { references } = relationLines(source, 'tsx');
  assert.deepEqual(
    references.filter((line) => !line.includes(' type ')),
    [
      '2 new Foo.Bar @App',
      '2 value save @App',
      '2 new Foo @App',
      '3 call router.get/3 @- "/cart/:id"',
      '3 value GET /cart/:id @-',
      '3 value save @GET /cart/:id',
      '3 call save/1 @GET /cart/:id',
    ],
  );
});

test('JavaScript: types in comments, inheritance by prototypes', () => {
  const source = `/**
 * @param {Foo} x the x
 * @param {Bar=} [y]
 * @returns {Promise<Baz>}
 */
function add(x, y) { x.run(); y.go(); }
util.inherits(Cart, lib.Base);
function Cart() {}
`;
  const { bindings, references } = relationLines(source, 'javascript');
  assert.deepEqual(bindings, ['add: (): Promise<Baz>', 'add: x: Foo', 'add: y: Bar']);
  assert.ok(references.includes('7 extends lib.Base @Cart'));
});

test('overloads are one symbol, which everything in them belongs to', () => {
  const source = `export function make(a: A): B;
export function make(a: C): D;
export function make(a: any) { return build(a); }
after();
`;
  assert.deepEqual(relationLines(source, 'typescript').references, [
    '1 type A @make',
    '1 type B @make',
    '2 type C @make',
    '2 type D @make',
    '3 call build/1 @make',
    '4 call after/0 @-',
  ]);
});

test('a file that is broken keeps what its tree recovered', () => {
  const source = "import { a } from './a';\nfunction f( { ;; a(1);\nclass X { m() { a(2) }\n@@@ ) }";
  const { imports, references } = relationLines(source, 'typescript');
  assert.deepEqual(imports, ['1 import ./a a']);
  assert.ok(references.some((line) => line.includes('call a/1')));
});

test('mentions: properties, constants, classes as values, keys of what is given away, parts of patterns', () => {
  const source = `import { State, limits } from './state';
export class Cart {
  size = 0;
  grow(by: Step) { this.size += by.width; return limits.most; }
}
interface Step { width: number }
const cart = make(Cart, { width: 1, nested: { deep: 2 } });
const { size, other: renamed } = cart;
if (cart.state === State.open) list.push({ State, width: 3 } as Step);
export const step: Step = { width: 4 };
`;
  assert.deepEqual(relationLines(source, 'typescript').mentions, [
    '4 write this.size @Cart.grow',
    '4 read by.width @Cart.grow',
    '4 read limits @Cart.grow',
    '7 write make(1).width @cart',
    '7 write make(1).nested @cart',
    '7 write make(1).nested.deep @cart',
    '8 read cart.size @-',
    '8 read cart.other @-',
    '9 read cart @-',
    '9 read cart.state @-',
    '9 read State @-',
    '9 write new Step().State @-',
    '9 write new Step().width @-',
    '10 write step.width @step',
  ]);
});

test('comments in lists of imports and exports hide no names', () => {
  const source = `import {
  // the first's
  a, /* } */ b,
} from './x'; // from './y'
export {
  /** What it's * for */
  c,
  // not } d
  d as e,
} from 'https://x.example/z';
export { f, // g
  h };
`;
  const { imports, exports } = relationLines(source, 'typescript');
  assert.deepEqual(imports, ['1 import ./x a,b', '5 reexport https://x.example/z c,d=e']);
  assert.deepEqual(exports, ['f = f', 'h = h']);
});

test('the type argument of a call stays, a readonly literal is a type, and names in types of functions are no uses', () => {
  const source = `type Hook = (init: Options, ...rest: Item[]) => void;
const init = 1;
class Cart {
  readonly kind = 'cart';
  title = 'a';
  async all() {
    const items = await this.http.get<Item[]>('x');
    const one = load<Item>(items);
    const less = a < Item && b > (one);
    return items[0].price + one.price + less.price;
  }
}
`;
  const { bindings, references, mentions } = relationLines(source, 'typescript');
  assert.deepEqual(
    bindings.filter((line) => /kind|title|items|one|less/.test(line)),
    [
      "Cart: kind: 'cart'",
      'Cart.all: items = this.http.get(<Item[]>)',
      'Cart.all: one = load(<Item>)',
      'Cart.all: less',
    ],
  );
  assert.ok(![...references, ...mentions].some((line) => /@Hook/.test(line) && /init|rest/.test(line)));
});

test('a long type loses its type arguments whole, arrows in them included', () => {
  const long = Array.from({ length: 12 }, (_, i) => `name${i}: (cart: Cart${i}) => Order${i}`).join(', ');
  const source = `function open(carts: Map<string, (${long}) => Cart> | Basket<() => Gift>) { return carts.x; }`;
  const types = relationLines(source, 'typescript').bindings.filter((line) => line.includes('carts'));
  assert.match(types.join(), /Map \| Basket(?![\w<])/);
  assert.doesNotMatch(types.join(), /Gift|Order/);
});

test('lines of slashes before a key, a callback and a constructor are read in linear time', () => {
  const banner = '/'.repeat(200);
  const usedMs = cpuTimer();
  for (const source of [
    `const settings = {\n  ${banner}\n  // a note\n  inner: first(some),\n  ${banner} two ${banner}\n  allow: true,\n};`,
    `function start(port) {\n  ${banner}\n  app.use(async (req, res) => { next(); });\n}`,
    `class Cart {\n  ${banner}\n  // Section\n  constructor(private readonly a: A) { super((x) => x); }\n}`,
  ])
    relationLines(source, 'typescript');
  assert.ok(usedMs() < 5_000);
});

test('CommonJS: a loaded file that is exported is no symbol, also where a getter loads it; a named function is one', () => {
  const source = `module.exports = function parse () {}
exports.json = require('./json');
exports.debug = require('debug')('x');
Object.defineProperty(exports, 'lazy', { enumerable: true, get: () => require('./lazy') });
Object.defineProperty(module.exports, 'old', { get: function () { return require('./old').old } });
Object.defineProperty(exports, 'made', { get () { return require('./made') } });
Object.defineProperty(other, 'x', { get: () => require('./x') });
`;
  const { imports } = relationLines(source, 'javascript');
  assert.deepEqual(
    imports.filter((line) => line.includes('reexport')),
    ['2 reexport ./json *=json', '4 reexport ./lazy *=lazy', '5 reexport ./old old', '6 reexport ./made *=made'],
  );
  assert.deepEqual(
    factsOf(source, 'javascript').symbols.map(({ name }) => name),
    ['parse', 'debug', 'get'],
  );
});
