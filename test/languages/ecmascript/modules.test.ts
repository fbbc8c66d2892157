/** What files of JavaScript export, put on prototypes and mix in, and uses that lead there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeLines, graphOf, uses } from '../../graph/link/project.js';

test('JavaScript: a wrapped function that is exported is the function, and a table gives what its key holds', () => {
  const project = {
    'a.js': 'module.exports = wrap(one);\nfunction one() {}\nfunction wrap(f) {\n  return f;\n}\n',
    'b.js': "const one = require('./a');\nfunction main() {\n  one();\n}\n",
    'c.mjs':
      "export default trace({ name: 'x' })(present);\nfunction present() {}\nfunction trace(o) {\n  return (f) => f;\n}\n",
    'd.mjs': "import present from './c.mjs';\nexport function go() {\n  present();\n}\n",
    'e.js':
      'const table = { heading: first, list: second };\nfunction first(x) {}\nfunction second(x) {}\nfunction run() {\n  table.heading(1);\n}\nclass View {\n  heading(n) {}\n}\n',
  };
  assert.deepEqual(uses(project, /^\S+:(?:main|go|run) |:table /), [
    'b.js:main call a.js:one (imported)',
    'd.mjs:go call c.mjs:present (imported)',
    'e.js:table write ?heading (unresolved)',
    'e.js:table value e.js:first (same-file)',
    'e.js:table write ?list (unresolved)',
    'e.js:table value e.js:second (same-file)',
    'e.js:run call e.js:first (likely)',
  ]);
});

test('JavaScript: entries of exports that load a file lead to what it exports as a whole, also through a wrapper', () => {
  const found = uses(
    {
      'add.js': 'async function add (src) {}\nmodule.exports = add\n',
      'tax.js': 'exports.rate = function () {}\n',
      'index.js':
        "const u = require('universalify').fromPromise\nmodule.exports = {\n  options: { add: require('./tax') },\n  add: u(require('./add')),\n  plain: require('./add'),\n  tax: require('./tax')\n}\nconst own = { lost: require('./add') }\n",
      'app.js':
        "const shop = require('.')\nconst { add } = require('.')\nfunction run () {\n  add(1)\n  shop.plain(1)\n  shop.tax.rate()\n  shop.lost()\n}\n",
    },
    /^app.js:run call/,
  );
  assert.deepEqual(found, [
    'app.js:run call add.js:add (reexported)',
    'app.js:run call add.js:add (reexported)',
    'app.js:run call tax.js:rate (imported)',
    'app.js:run call ?lost (unresolved)',
  ]);
});

test('JavaScript: exports in a chain, of several objects, and of what other files have, lead to what they mean', () => {
  const found = uses(
    {
      'cart.js': 'function Cart () {}\nCart.prototype.total = function () {}\nmodule.exports = Cart\n',
      'tax.js': 'exports.rate = function () {}\n',
      'till.js': 'exports.ring = function () {}\n',
      'index.js':
        "var Cart = require('./cart')\n  , till = require('./till')\n\nexports.Cart =\nexports.Basket = Cart\nObject.assign(module.exports, require('./tax'), till)\nObject.assign(exports, till)\n",
      'whole.js': "const till = require('./till')\nmodule.exports = { ...till, ...require('./tax') }\n",
      'app.js':
        "var shop = require('.')\nvar whole = require('./whole')\nfunction run () {\n  var cart = new shop.Basket()\n  cart.total()\n  new shop.Cart().total()\n  shop.rate()\n  shop.ring()\n  whole.ring()\n  whole.rate()\n}\n",
    },
    /^app.js:run (?:call|new)/,
  );
  assert.deepEqual(found, [
    'app.js:run new cart.js:Cart (reexported)',
    'app.js:run call cart.js:Cart.total (receiver)',
    'app.js:run new cart.js:Cart (reexported)',
    'app.js:run call cart.js:Cart.total (receiver)',
    'app.js:run call tax.js:rate (reexported)',
    'app.js:run call till.js:ring (imported)',
    'app.js:run call till.js:ring (imported)',
    'app.js:run call tax.js:rate (reexported)',
  ]);
});

test('JavaScript: an object that a file exports has accessors, this, and results of a function without a name', () => {
  const found = uses(
    {
      'cart.js': `module.exports = {
  /** Isn't a method. */
  get lines () { return this.rows() },
  async load () { this.rows() },
  rows () {}
}
`,
      'make.js': "const cart = require('./cart')\nmodule.exports = (size) => {\n  return Object.create(cart)\n}\n",
      'app.js':
        "const make = require('./make')\nfunction run () {\n  const cart = make(1)\n  cart.load()\n  return cart.lines\n}\n",
    },
    / (?:call|value) /,
  );
  assert.deepEqual(found, [
    'app.js:run call make.js (imported)',
    'app.js:run call cart.js:load (imported)',
    'app.js:run value cart.js:lines (imported)',
    'cart.js:lines call cart.js:rows (imported)',
    'cart.js:load call cart.js:rows (imported)',
    'make.js value cart.js (imported)',
  ]);
});

test('JavaScript: mixins, prototypes and members that a local is given', () => {
  const found = uses(
    {
      'totals.js': 'const totals = { sumUp () {} }\nmodule.exports = totals\n',
      'cart.js':
        "const totals = require('./totals')\nclass Cart {}\nObject.assign(Cart.prototype, totals)\nclass Basket {}\nObject.setPrototypeOf(Basket.prototype, Cart.prototype)\nmodule.exports = { Cart, Basket }\n",
      'app.js':
        "const { Cart, Basket } = require('./cart')\nconst totals = require('./totals')\nfunction run (req) {\n  new Cart().sumUp()\n  new Basket().sumUp()\n  req.sum = totals.sumUp\n  req.sum()\n  const bound = totals.sumUp.bind(req)\n  bound()\n}\n",
    },
    /^app.js:run call/,
  );
  assert.deepEqual(found, [
    'app.js:run call totals.js:totals.sumUp (inherited)',
    'app.js:run call totals.js:totals.sumUp (inherited)',
    'app.js:run call totals.js:totals.sumUp (receiver)',
    'app.js:run call ?bind (unresolved)',
    'app.js:run call totals.js:totals.sumUp (receiver)',
  ]);
});

test('JavaScript: a function that takes over the members of an object has them', () => {
  const found = uses(
    {
      'make.js':
        "const merge = require('utils-merge')\nconst proto = {}\n/** @return {function} */\nfunction make () {\n  function app () {}\n  merge(app, proto)\n  return app\n}\nproto.use = function () {}\nmodule.exports = make\n",
      'app.js': "const make = require('./make')\nfunction run () {\n  const app = make()\n  app.use()\n}\n",
    },
    /^app.js:run call/,
  );
  assert.deepEqual(found, ['app.js:run call make.js:make (imported)', 'app.js:run call make.js:proto.use (inherited)']);
});

test('JavaScript: a value is likely the object of the file that it is called after; delegates run its members', () => {
  const found = uses(
    {
      'lib/response.js': 'module.exports = {\n  get (name) {},\n  set (name) {}\n}\n',
      'lib/context.js':
        "const delegate = require('delegates')\nconst proto = module.exports = {\n  throw () {}\n}\ndelegate(proto, 'response')\n  .method('set')\n  .access('get')\n",
      'app.js':
        "const context = require('./lib/context')\nfunction run (given, other) {\n  given.response.get('a')\n  const res = given().response\n  res.set('b')\n  context.set('c')\n  other.get('d')\n}\n",
    },
    /likely/,
  );
  assert.deepEqual(found, [
    'app.js:run call lib/response.js:get (likely)',
    'app.js:run call lib/response.js:set (likely)',
    'app.js:run call lib/response.js:set (likely)',
    'lib/context.js value lib/response.js:set (likely)',
    'lib/context.js value lib/response.js:get (likely)',
  ]);
});

test('JavaScript: what other code puts on instances of a class is likely meant by its own methods', () => {
  const found = uses(
    {
      'run.js':
        'module.exports = function (strategy, other) {\n  strategy.fail = function (why) {}\n  other.fail = function (why) {}\n  other.pass = function (why) {}\n}\n',
      'own.js':
        'class TokenStrategy extends Strategy {\n  run () { this.pass() }\n}\nclass Strategy {\n  run () { this.fail(1) }\n}\nfunction far (it) { it.fail(1) }\n',
    },
    /likely/,
  );
  assert.deepEqual(found, [
    'own.js:TokenStrategy.run call run.js:pass (likely)',
    'own.js:Strategy.run call run.js:fail (likely)',
  ]);
});

test('JavaScript: the whole export of a whole export, what is put on it, and members that are assigned to a prototype', () => {
  const project = {
    'index.js':
      "const Cart = require('./lib/cart');\nconst Till = require('./lib/till');\nCart.Till = Till;\nCart.make = function make() {};\nmodule.exports = Cart;\n",
    'lib/cart.js':
      "const { add } = require('./add');\nclass Cart { close() {} }\nCart.prototype.add = add;\nCart.prototype.drop = drop;\nfunction drop() {}\nmodule.exports = Cart;\n",
    'lib/add.js': 'function add() {}\nmodule.exports = { add };\n',
    'lib/till.js':
      "const Emitter = require('events');\nclass Till extends Emitter { open() {} close() {} }\nmodule.exports = Till;\n",
    'use.js':
      "const Cart = require('./');\nconst till = new Cart.Till();\ntill.on('error', fail).open();\nconst cart = new Cart();\ncart.close();\ncart.add();\ncart.drop();\nCart.make();\n",
  };
  assert.deepEqual(
    uses(project, /^use\.js.* (?:call|new) /).filter((line) => !line.includes('?')),
    [
      'use.js call lib/till.js:Till.open (receiver)',
      'use.js call lib/cart.js:Cart.close (receiver)',
      'use.js call lib/add.js:add (receiver)',
      'use.js call lib/cart.js:drop (receiver)',
      'use.js call index.js:make (receiver)',
      'use.js:till new lib/till.js:Till (receiver)',
      'use.js:cart new lib/cart.js:Cart (imported)',
    ],
  );
});

test('JavaScript: a function that a callback far from an import defines is none for the case that the import fails', () => {
  const far = '\n'.repeat(30);
  const project = {
    'send.js': 'function send() {}\nmodule.exports = send;\n',
    'test.js': `const send = require('./send');\n${far}it('sends', () => {\n  this.send = function () {};\n});\nit('works', () => { send(); });\n`,
  };
  assert.deepEqual(uses(project, / call \w+\.js/), ['test.js call send.js:send (imported)']);
});

test('JavaScript: calls of a constant that holds a function, of functions put on values of one name, and of exports by the name of the whole', () => {
  const project = {
    'tools.js': 'exports.open = open;\nfunction open() {}\n',
    'slow.js':
      'module.exports = slow;\nmodule.exports.total = total;\nfunction slow(req, res) {\n  res.end = function end() {};\n}\nfunction total() {}\nslow.total();\n',
    'use.js':
      "const tools = require('./tools');\nconst open = tools.open;\nopen();\nmodule.exports = (req, res) => {\n  res.end();\n  socket.end();\n};\n",
  };
  assert.deepEqual(
    uses(project, /^(?:use|slow)\.js.* call /).filter((line) => !line.includes('require')),
    [
      'slow.js call slow.js:total (receiver)',
      'use.js call tools.js:open (receiver)',
      'use.js call slow.js:slow.end (likely)',
      'use.js call ?end (external)',
    ],
  );
});

test('JavaScript: functions of an object that is a prototype, or is put on one, are methods', () => {
  const source = `function Cart() { this.till = new Till(); }
Cart.prototype = {
  add(x) { this.check(); },
  check: function () { this.till.ring(); } };
function Till() {}
Object.assign(Till.prototype, {
  ring() { this.bell(); },
  bell() {} });
new Cart().add(1);
`;
  const graph = edgeLines(graphOf({ 'cart.js': source })).filter((line) => / call /.test(line));
  assert.deepEqual(graph, [
    'cart.js call cart.js:Cart.add (receiver)',
    'cart.js:Cart.add call cart.js:Cart.check (receiver)',
    'cart.js:Cart.check call cart.js:Till.ring (receiver)',
    'cart.js:Till.ring call cart.js:Till.bell (receiver)',
  ]);
});

test('JavaScript: a function that makes objects has the fields that it and its methods give this, which are no locals', () => {
  const store = `const Exec = require('./exec');
function Store() {
  const till = null;
  this.exec = new Exec();
}
Store.prototype.run = function () { this.exec.push(1); this.till.push(2); };
module.exports = Store;
`;
  const exec = (name: string) => `class ${name} { push() {} }\nmodule.exports = ${name};\n`;
  const other = 'class Other { push() {} }\n';
  const project = { 'exec.js': exec('Exec'), 'other.js': other, 'store.js': store };
  const pushed = (lines: readonly string[]) => lines.filter((line) => /Store.run call /.test(line));
  assert.deepEqual(pushed(edgeLines(graphOf(project))), [
    'store.js:Store.run call exec.js:Exec.push (receiver)',
    'store.js:Store.run call ?push (unresolved)',
  ]);
});

test('JavaScript: a function taken from a table by a computed key is likely one of all, and so is a method by a listed name', () => {
  const source = `function open() {}
function shut() {}
function other() {}
const handlers = { open, close: shut, wait() {} };
const rows = { a: 1 };
function handle(type) { return handlers[type](1); }
function later(type) { const handler = handlers[type]; return handler; }
function row(id) { return rows[id]; }
const METHODS = { a: 'parseA', b: 'parseB' };
class Parser {
  run(kind) { return this[METHODS[kind]](kind); }
  each() { for (const name of ['parseA', 'none']) this[name](); }
  any(name) { this[name](); }
  parseA() {}
  parseB() {}
}
`;
  assert.deepEqual(uses({ 'parse.js': source }, /\(likely\)/), [
    'parse.js:handle call parse.js:handlers.wait (likely)',
    'parse.js:handle call parse.js:open (likely)',
    'parse.js:handle call parse.js:shut (likely)',
    'parse.js:later value parse.js:handlers.wait (likely)',
    'parse.js:later value parse.js:open (likely)',
    'parse.js:later value parse.js:shut (likely)',
    'parse.js:Parser.run call parse.js:Parser.parseA (likely)',
    'parse.js:Parser.run call parse.js:Parser.parseB (likely)',
    'parse.js:Parser.each call parse.js:Parser.parseA (likely)',
  ]);
});

test('JavaScript: an object that is the whole export has the functions that it names, and a declaration file runs nothing', () => {
  const shop = `function open() {}
function shut() {}
const shop = { open, close: shut };
module.exports = shop;
`;
  const types = 'export interface Shop { open(): void; close(): void; sellAll(): void }\n';
  const main =
    "const shop = require('./lib/shop');\nfunction go(anything) { shop.open(); shop.close(); anything.sellAll(); }\nfunction sellAll() {}\n";
  assert.deepEqual(uses({ 'lib/shop.js': shop, 'types/shop.d.ts': types, 'main.js': main }, /main.js:go call/), [
    'main.js:go call lib/shop.js:open (receiver)',
    'main.js:go call lib/shop.js:shut (receiver)',
    'main.js:go call ?sellAll (unresolved)',
  ]);
});
