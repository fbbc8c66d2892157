/** Uses that run without being written as calls: methods that symbols name, what aliases and delegates run, names in tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeLines, graphOf, type Project } from './project.js';

/** Edges of the project from or to what the pattern matches, without parents, imports and reads. */
function uses(project: Project, pattern: RegExp): string[] {
  return edgeLines(graphOf(project)).filter(
    (line) => pattern.test(line) && !/ (?:extends|implements|read) /.test(line),
  );
}

const ORDER = `class Order < ApplicationRecord
  include Totals
  before_validation :fill_in, if: :open?
  after_transition do: :finalize
  rescue_from Shop::Error, with: :sorry
  validates :total, presence: true
  only_for :nobody, only: :total
  private :fill_in

  def fill_in; end
  def finalize; end
  def total
    hash[:finalize]
    translate(:finalize)
  end
end
`;
const TOTALS = 'module Totals\n  def open?; end\n  def sorry; end\nend\n';

test('Ruby: symbols in the body of a class name callbacks, those of mixins too, and no others do', () => {
  assert.deepEqual(uses({ 'order.rb': ORDER, 'totals.rb': TOTALS }, / -> | value /), [
    'order.rb:Order value order.rb:Order.fill_in (same-file)',
    'order.rb:Order value totals.rb:Totals.open? (inherited)',
    'order.rb:Order value order.rb:Order.finalize (same-file)',
    'order.rb:Order value totals.rb:Totals.sorry (inherited)',
    'order.rb:Order value order.rb:Order.total (receiver)',
  ]);
});

test('Ruby: hooks that a module gives to a class likely name methods of the class after which the module is called', () => {
  const machine = `class StateMachines
  module Order
    module ClassMethods
      def define_machine
        after_transition to: :finalize, do: :finalize
        before_transition do: :reserve_stock
        validate :finalize
      end
      def self.included(base)
        base.before_save :settle
        base.only_for :settle
      end
    end
  end
end
`;
  const models = `class Order < ApplicationRecord
  def finalize; end
  def reserve_stock; end
  def settle; end
end
class Adjustment < ApplicationRecord
  def finalize; end
  def settle; end
end
`;
  assert.deepEqual(uses({ 'machine.rb': machine, 'models.rb': models }, /read|value/), [
    'machine.rb:StateMachines.Order.ClassMethods.define_machine value models.rb:Order.finalize (likely)',
    'machine.rb:StateMachines.Order.ClassMethods.define_machine value models.rb:Order.reserve_stock (likely)',
    'machine.rb:StateMachines.Order.ClassMethods.included value models.rb:Order.settle (likely)',
  ]);
});

test('Ruby: send, method and jobs run the method that they name', () => {
  const source = `class Cart
  def total
    send(:sum, 1)
    lines.map(&method(:price))
    other = Till.new
    other.public_send(:ring)
    TaxJob.perform_later(self)
    Mail::Worker.set(wait: 1).perform_async(1)
  end
  def sum(x); end
  def price(x); end
end
class Till
  def ring; end
end
class TaxJob
  def perform(cart); end
end
module Mail
  class Worker
    def perform(id); end
  end
end
`;
  assert.deepEqual(uses({ 'cart.rb': source }, /^cart.rb:Cart.total .* cart/), [
    'cart.rb:Cart.total call cart.rb:Cart.sum (same-file)',
    'cart.rb:Cart.total value cart.rb:Cart.price (same-file)',
    'cart.rb:Cart.total new cart.rb:Till (same-file)',
    'cart.rb:Cart.total call cart.rb:Till.ring (receiver)',
    'cart.rb:Cart.total call cart.rb:TaxJob.perform (receiver)',
    'cart.rb:Cart.total call cart.rb:Mail.Worker.perform (receiver)',
  ]);
});

test('Ruby: aliases and delegates are methods that run another one', () => {
  const source = `class Cart
  attr_reader :customer
  delegate :city, :street, to: :customer
  delegate :name, to: :customer, prefix: true
  def_delegators :@lines, :size
  alias_method :sum, :total
  alias amount total
  def initialize
    @customer = Customer.new
    @lines = Lines.new
  end
  def total; end
  def show
    sum
    city
  end
end
class Customer
  def city; end
  def street; end
  def name; end
end
class Lines
  def size; end
end
`;
  assert.deepEqual(uses({ 'cart.rb': source }, /^cart.rb:Cart.(?:city|street|size|sum|amount|show) .* cart/), [
    'cart.rb:Cart.city call cart.rb:Customer.city (receiver)',
    'cart.rb:Cart.street call cart.rb:Customer.street (receiver)',
    'cart.rb:Cart.size call cart.rb:Lines.size (receiver)',
    'cart.rb:Cart.sum call cart.rb:Cart.total (same-file)',
    'cart.rb:Cart.amount call cart.rb:Cart.total (same-file)',
    'cart.rb:Cart.show call cart.rb:Cart.sum (same-file)',
    'cart.rb:Cart.show call cart.rb:Cart.city (same-file)',
  ]);
});

test('Ruby: a class that is named with its module is in it, whichever way either is written', () => {
  const project = {
    'app/controllers/admin/orders_controller.rb':
      'class Admin::OrdersController < Admin::Base\n  def show\n    guard\n  end\n  def self.open; end\nend\n',
    'app/controllers/admin/base.rb': 'module Admin\n  class Base\n    def guard; end\n  end\nend\n',
    'app/more.rb': 'module Admin\n  class OrdersController\n    def more\n      show\n    end\n  end\nend\n',
    'lib/run.rb':
      'module Admin\n  def self.run\n    OrdersController.open\n  end\nend\nAdmin::OrdersController.new.more\n',
  };
  assert.deepEqual(uses(project, / (?:call|new) /), [
    'app/controllers/admin/orders_controller.rb:Admin::OrdersController.show call app/controllers/admin/base.rb:Admin.Base.guard (inherited)',
    'app/more.rb:Admin.OrdersController.more call app/controllers/admin/orders_controller.rb:Admin::OrdersController.show (package)',
    'lib/run.rb new app/controllers/admin/orders_controller.rb:Admin::OrdersController (unique)',
    'lib/run.rb call app/more.rb:Admin.OrdersController.more (receiver)',
    'lib/run.rb:Admin.run call app/controllers/admin/orders_controller.rb:Admin::OrdersController.open (receiver)',
  ]);
});

test('Ruby: of mixed-in modules the last counts first, and a parent class behind all of them', () => {
  const project = {
    'a.rb': `module Early
  def self.included(base); base.extend(ClassMethods); end
  module ClassMethods
    def field(name); end
  end
  def store; end
end
module Late
  def store; end
end
class Base
  def self.field(name); end
  def store; end
end
class Cart < Base
  include Early
  include Late
  field 1
  def run
    store
  end
end
`,
  };
  assert.deepEqual(uses(project, / call a\.rb:.*(?:field|store)/), [
    'a.rb:Cart call a.rb:Early.ClassMethods.field (inherited)',
    'a.rb:Cart.run call a.rb:Late.store (inherited)',
  ]);
});

test('Ruby: tests know the values that let and describe name', () => {
  const project = {
    'lib/cart.rb': 'class Cart\n  def add(x); end\n  def total; end\n  def self.open; end\nend\n',
    'spec/cart_spec.rb': `RSpec.describe Cart, type: :model do
  let(:basket) { Cart.new }
  subject(:other) { described_class.open }
  it 'adds' do
    basket.add(1)
    described_class.new.total
  end
end
describe Cart do
  it 'has a subject' do
    subject.total
  end
end
`,
  };
  assert.deepEqual(uses(project, / lib\/cart.rb:Cart\./), [
    'spec/cart_spec.rb call lib/cart.rb:Cart.open (receiver)',
    'spec/cart_spec.rb call lib/cart.rb:Cart.add (receiver)',
    'spec/cart_spec.rb call lib/cart.rb:Cart.total (receiver)',
    'spec/cart_spec.rb call lib/cart.rb:Cart.total (receiver)',
  ]);
});

test('pytest: a parameter named like a fixture uses it, of the same file or the nearest conftest', () => {
  const project = {
    'shop.py': 'class Cart:\n    def total(self):\n        pass\n\ndef client():\n    pass\n',
    'tests/conftest.py':
      'import pytest\nfrom shop import Cart\n\n@pytest.fixture\ndef cart():\n    return Cart()\n\n@pytest.fixture\ndef basket(cart):\n    yield Cart()\n',
    'tests/deep/conftest.py':
      'import pytest\n\n@pytest.fixture(scope="module")\ndef cart(basket):\n    return basket\n',
    'tests/test_shop.py':
      'import pytest\n\n@pytest.fixture\ndef own():\n    return 1\n\ndef test_all(cart, own, client, tmp_path, basket):\n    cart.total()\n    basket.total()\n',
    'tests/deep/test_more.py': 'def test_more(cart):\n    cart.total()\n',
    'other/test_none.py': 'def test_none(cart):\n    cart.total()\n',
  };
  assert.deepEqual(uses(project, /^(?!.*\bimport\b).*(?:test_|conftest.*value tests)/), [
    'other/test_none.py:test_none call shop.py:Cart.total (likely)',
    'tests/conftest.py:basket value tests/conftest.py:cart (same-file)',
    'tests/deep/conftest.py:cart value tests/conftest.py:basket (package)',
    'tests/deep/test_more.py:test_more value tests/deep/conftest.py:cart (package)',
    'tests/deep/test_more.py:test_more call shop.py:Cart.total (receiver)',
    'tests/test_shop.py:own decorator ?fixture (external)',
    'tests/test_shop.py:test_all value tests/conftest.py:cart (package)',
    'tests/test_shop.py:test_all value tests/test_shop.py:own (same-file)',
    'tests/test_shop.py:test_all value tests/conftest.py:basket (package)',
    'tests/test_shop.py:test_all call shop.py:Cart.total (receiver)',
    'tests/test_shop.py:test_all call shop.py:Cart.total (receiver)',
  ]);
});

test('Python: a method that getattr takes by a name out of a table is likely each that the table lists', () => {
  const till = `TABLE = {"a": "open_it", "b": "close_it"}

class Till:
    KINDS = ["open_it"]
    def open_it(self): pass
    def close_it(self): pass
    def other(self): pass
    def run(self, kind):
        getattr(self, TABLE[kind])()
    def got(self, kind):
        return getattr(self, TABLE.get(kind, "other"))
    def own(self, at):
        getattr(self, self.KINDS[at])()
    def none(self, kind):
        getattr(self, unknown[kind])()
`;
  assert.deepEqual(
    edgeLines(graphOf({ 'till.py': till })).filter((line) => line.includes('(likely)')),
    [
      'till.py:Till.run call till.py:Till.open_it (likely)',
      'till.py:Till.run call till.py:Till.close_it (likely)',
      'till.py:Till.got call till.py:Till.open_it (likely)',
      'till.py:Till.got call till.py:Till.close_it (likely)',
      'till.py:Till.own call till.py:Till.open_it (likely)',
    ],
  );
});

test('Python: tables, partial, tasks, getattr and fields of models use what they name', () => {
  const project = {
    'shop.py': `from functools import partial
from celery import shared_task

def add(x):
    pass

def drop(x):
    pass

@shared_task
def mail(x):
    pass

PAIR = (add, drop)
SET = {add, drop}
TABLE = {"add": add}
later = partial(drop, 1)

class User:
    def greet(self):
        pass

class Order(Model):
    user = models.ForeignKey("shop.User", on_delete=models.CASCADE)
    payer = relationship(User)

    def send(self):
        mail.delay(1)
        getattr(self, "sum")()
        self.user.greet()
        self.payer.greet()

    def sum(self):
        pass
`,
  };
  assert.deepEqual(uses(project, /(?:value|call) shop\.py:/), [
    'shop.py:PAIR value shop.py:add (same-file)',
    'shop.py:PAIR value shop.py:drop (same-file)',
    'shop.py:SET value shop.py:add (same-file)',
    'shop.py:SET value shop.py:drop (same-file)',
    'shop.py:TABLE value shop.py:add (same-file)',
    'shop.py:later value shop.py:drop (same-file)',
    'shop.py:Order.payer value shop.py:User (same-file)',
    'shop.py:Order.send call shop.py:mail (same-file)',
    'shop.py:Order.send value shop.py:Order.sum (receiver)',
    'shop.py:Order.send call shop.py:User.greet (receiver)',
    'shop.py:Order.send call shop.py:User.greet (receiver)',
  ]);
});

test('Python: an attribute is likely what the parameter is called that it was given', () => {
  const project = {
    'ledger.py':
      'class Ledger:\n    def close_book(self):\n        pass\n\nclass Other:\n    def close_book(self):\n        pass\n',
    'view.py':
      'class View:\n    def __init__(self, ledger):\n        self.db = ledger\n    def run(self):\n        self.db.close_book()\n',
  };
  assert.deepEqual(uses(project, /View.run/), ['view.py:View.run call ledger.py:Ledger.close_book (likely)']);
});

test('PHP: behind an imported name that is a class and a namespace, a path leads into the namespace', () => {
  const project = {
    'lib/Stmt.php': '<?php namespace A; class Stmt { const MAX = 1; function go() {} static function all() {} }',
    'lib/Stmt/Use_.php': '<?php namespace A\\Stmt; class Use_ { function run() {} static function make() {} }',
    'use.php': `<?php namespace B;
use A\\Stmt;
function one(Stmt\\Use_ $u) { $u->run(); new Stmt\\Use_(); Stmt\\Use_::make(); return Stmt\\Use_::class; }
function two(Stmt $s) { $s->go(); Stmt::all(); return Stmt::MAX; }
`,
  };
  const lines = edgeLines(graphOf(project)).filter((line) => /:(?:one|two) /.test(line) && !line.includes('?class'));
  assert.deepEqual(lines.sort(), [
    'use.php:one call lib/Stmt/Use_.php:Use_.make (receiver)',
    'use.php:one call lib/Stmt/Use_.php:Use_.run (receiver)',
    'use.php:one new lib/Stmt/Use_.php:Use_ (imported)',
    'use.php:one read lib/Stmt/Use_.php:Use_ (imported)',
    'use.php:one type lib/Stmt/Use_.php:Use_ (imported)',
    'use.php:two call lib/Stmt.php:Stmt.all (receiver)',
    'use.php:two call lib/Stmt.php:Stmt.go (receiver)',
    'use.php:two read lib/Stmt.php:Stmt (imported)',
    'use.php:two read lib/Stmt.php:Stmt.MAX (receiver)',
    'use.php:two type lib/Stmt.php:Stmt (imported)',
  ]);
});

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

test('Ruby: blocks of classes without a name, and of define_method, have a self of their own', () => {
  const found = uses(
    {
      'cart.rb': `class Cart
  def self.field(name); end
  def total; end
  def open?; total; end
end
class Basket < Cart
  FIELDS.each do |name|
    define_method("#{name}_total") { super() }
  end
  define_method(:total) { super() }
  def self.make
    define_method(:open?) { super() }
    define_method("#{x}_open") { super() }
  end
end
`,
      'cart_test.rb': `made = Class.new(Cart) do
  field :tax
  def rest
    total
  end
end
made.new.total
`,
    },
    / call .*cart.rb/,
  );
  assert.deepEqual(found, [
    'cart.rb:Cart.open? call cart.rb:Cart.total (same-file)',
    'cart.rb:Basket.total call cart.rb:Cart.total (inherited)',
    'cart.rb:Basket.make call cart.rb:Cart.open? (inherited)',
    'cart_test.rb call cart.rb:Cart.field (receiver)',
    'cart_test.rb call cart.rb:Cart.total (receiver)',
    'cart_test.rb:rest call cart.rb:Cart.total (receiver)',
  ]);
});

test('Ruby: a path that begins at the top passes by a module of the same name inside', () => {
  const found = uses(
    {
      'shop.rb': 'module Shop\n  module Till\n    def self.ring; end\n  end\nend\n',
      'inner.rb':
        'module Shop\n  module Parser\n    class Shop\n      def run\n        ::Shop::Till.ring\n      end\n    end\n  end\nend\n',
    },
    / call /,
  );
  assert.deepEqual(found, ['inner.rb:Shop.Parser.Shop.run call shop.rb:Shop.Till.ring (receiver)']);
});

test('Python: paths in strings are uses of what they name, where a function or a setting takes them', () => {
  const project = {
    'setup.py':
      'from setuptools import setup\nsetup(entry_points={"console_scripts": ["shop = shop.cli:main [extra]"]})\n',
    'shop/__init__.py': '',
    'shop/cli.py': 'def main(): pass\ndef sweep(): pass\ndef other(): pass\n',
    'shop/urls.py':
      'from django.urls import include, path\nurlpatterns = [path("carts/", include("shop.cart_urls"))]\n',
    'shop/cart_urls.py': 'urlpatterns = []\n',
    'shop/settings.py':
      'MIDDLEWARE = ["shop.base.Timing"]\nWSGI_APPLICATION = "shop.cli.other"\nBEAT = {"clean": {"task": "shop.cli.sweep"}}\nTEXT = "shop.cli.main"\n',
    'shop/base.py': 'class Timing:\n    def stop(self): pass\n',
    'tests/test_cli.py':
      'from unittest import mock\n\ndef test_main():\n    with mock.patch("shop.base.Timing.stop"):\n        mock.patch("os.path.join")\n',
  };
  assert.deepEqual(uses(project, / (?:value|dynamic-import) /), [
    'setup.py dynamic-import shop/cli.py (path)',
    'setup.py value shop/cli.py:main (imported)',
    'shop/settings.py dynamic-import shop/base.py (path)',
    'shop/settings.py dynamic-import shop/cli.py (path)',
    'shop/settings.py dynamic-import shop/cli.py (path)',
    'shop/settings.py:MIDDLEWARE value shop/base.py:Timing (imported)',
    'shop/settings.py:WSGI_APPLICATION value shop/cli.py:other (imported)',
    'shop/settings.py:BEAT value shop/cli.py:sweep (imported)',
    'shop/urls.py dynamic-import shop/cart_urls.py (path)',
    'tests/test_cli.py dynamic-import shop/base.py (path)',
    'tests/test_cli.py dynamic-import ?os.path (external)',
    'tests/test_cli.py:test_main value shop/base.py:Timing.stop (receiver)',
    'tests/test_cli.py:test_main value ?join (external)',
  ]);
});

test('Python: a name that is put together likely means all members with that part, of the type, its parents and its children', () => {
  const project = {
    'walk.py':
      'class Visitor:\n    def visit(self, node):\n        method = "visit_" + node.kind\n        return getattr(self, method, self.other)(node)\n    def other(self, node): pass\n\nclass Cart:\n    def visit_shop(self): pass\n    def run(self, name):\n        getattr(self, f"{name}_done")()\n    def sum_done(self): pass\n',
    'print.py':
      'from walk import Visitor\n\nclass Printer(Visitor):\n    def visit_add(self, node): pass\n    def visit_name(self, node): pass\n',
    'free.py':
      'def visit_none(): pass\n\ndef call(printer: "Printer", name):\n    getattr(printer, "visit_%s" % name)()\n',
  };
  assert.deepEqual(uses(project, /_(?!none)\w+ \(/), [
    'walk.py:Visitor.visit call print.py:Printer.visit_add (likely)',
    'walk.py:Visitor.visit call print.py:Printer.visit_name (likely)',
    'walk.py:Cart.run call walk.py:Cart.sum_done (likely)',
  ]);
});

test('Python: tasks that run later, functions with some arguments given, and fixtures named by strings', () => {
  const project = {
    'tasks.py':
      'from functools import partial\n\n@app.task\ndef receipt(cart): pass\n\ndef add(a, b): return a\n\ndef run(cart):\n    receipt.delay(cart)\n    receipt.apply_async(args=[cart])\n    more = partial(add, 1)\n    more(2)\n    self.add.apply(1)\n',
    'test_tasks.py':
      'import pytest\n\n@pytest.fixture\ndef shop(): return 1\n\n@pytest.mark.usefixtures("shop", "other")\ndef test_run(request):\n    request.getfixturevalue("shop")\n',
  };
  assert.deepEqual(uses(project, / (?:call|value) \w+\.py/), [
    'tasks.py:run call tasks.py:receipt (same-file)',
    'tasks.py:run call tasks.py:receipt (same-file)',
    'tasks.py:run value tasks.py:add (same-file)',
    'tasks.py:run call tasks.py:add (receiver)',
    'test_tasks.py:test_run value test_tasks.py:shop (same-file)',
    'test_tasks.py:test_run value test_tasks.py:shop (same-file)',
  ]);
});

test('Python: relationships of models hold one object or many, and a module can be called like an index of other languages', () => {
  const project = {
    'models.py':
      'class Cart(Base):\n    items = relationship("Item")\n    owner: Mapped["Owner"] = relationship()\n    def total(self):\n        for item in self.items:\n            item.price()\n        self.owner.name()\n\nclass Item(Base):\n    cart = relationship("Cart")\n    def price(self):\n        self.cart.total()\n\nclass Owner(Base):\n    def name(self): pass\n\nclass Shop(Base):\n    def name(self): pass\n    def price(self): pass\n    def total(self): pass\n',
    'tools/inner/lib.py': 'def sum_up(): pass\n',
    'use.py': 'from tools.inner import lib\n\ndef f():\n    lib.sum_up()\n',
  };
  assert.deepEqual(uses(project, / call /), [
    'models.py:Cart.items call ?relationship (external)',
    'models.py:Cart.owner call ?relationship (external)',
    'models.py:Cart.total call models.py:Item.price (receiver)',
    'models.py:Cart.total call models.py:Owner.name (receiver)',
    'models.py:Item.cart call ?relationship (external)',
    'models.py:Item.price call models.py:Cart.total (receiver)',
    'use.py:f call tools/inner/lib.py:sum_up (imported)',
  ]);
});

test('Python: a copy is of the type of what it copies, and a value that a library gives is judged by names', () => {
  const project = {
    'shop.py':
      'import copy, lib\n\nclass Cart:\n    def apply_tax(self): pass\n    def get(self): pass\n\ndef run(cart: Cart):\n    other = copy.deepcopy(cart)\n    other.get()\n    item = lib.stack().pop()\n    item.apply_tax()\n    item.get()\n',
  };
  assert.deepEqual(uses(project, / call .*(?:tax|get)/), [
    'shop.py:run call shop.py:Cart.get (receiver)',
    'shop.py:run call shop.py:Cart.apply_tax (likely)',
    'shop.py:run call ?get (external)',
  ]);
});

test('Ruby: mixins from outside of a class, and methods by a part of their name', () => {
  const source = `class Cart
  def total; end
  def close_all; end
  def close_one; end
  def run(name)
    send("close_#{name}")
  end
end
module Taxed
  def total
    super
  end
end
module Logged
  def note; end
end
module Finders
  def newest; end
end
Cart.prepend(Taxed)
Cart.send(:include, Logged)
Cart.extend Finders
Cart.new.note
Cart.newest
`;
  assert.deepEqual(uses({ 'cart.rb': source }, / call cart\.rb/), [
    'cart.rb call cart.rb:Logged.note (inherited)',
    'cart.rb call cart.rb:Finders.newest (inherited)',
    'cart.rb:Cart.run call cart.rb:Cart.close_all (likely)',
    'cart.rb:Cart.run call cart.rb:Cart.close_one (likely)',
    'cart.rb:Taxed.total call cart.rb:Cart.total (inherited)',
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

test('PHP: facades, containers, callables, and methods by a part of their name', () => {
  const source = `<?php
class Till { public function ring() {} public static function heard() {} }
class Facades extends Facade { protected static function getFacadeAccessor() { return Till::class; } }
class Cart {
  public function run($name) {
    Facades::ring();
    app(Till::class)->ring();
    $this->app->make(Till::class)->ring();
    $call = [Till::class, 'heard'];
    $own = [$this, 'handle'];
    call_user_func([$this, 'get' . $name . 'Part']);
    $this->{'load' . $name}();
    $method = "fill{$name}";
    $this->$method();
  }
  public function handle() {}
  public function getOnePart() {}
  public function loadOne() {}
  public function fillOne() {}
}
`;
  assert.deepEqual(uses({ 'cart.php': source }, / (?:call|value) cart\.php:\w+\./), [
    'cart.php:Cart.run call cart.php:Till.ring (inherited)',
    'cart.php:Cart.run call cart.php:Till.ring (receiver)',
    'cart.php:Cart.run call cart.php:Till.ring (receiver)',
    'cart.php:Cart.run value cart.php:Till.heard (receiver)',
    'cart.php:Cart.run value cart.php:Cart.handle (receiver)',
    'cart.php:Cart.run call cart.php:Cart.getOnePart (likely)',
    'cart.php:Cart.run call cart.php:Cart.loadOne (likely)',
    'cart.php:Cart.run call cart.php:Cart.fillOne (likely)',
  ]);
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
  check: function () { this.till.ring(); },
};
function Till() {}
Object.assign(Till.prototype, {
  ring() { this.bell(); },
  bell() {},
});
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

test('Ruby: a file that defines neither the module nor the class mixes one into the other', () => {
  const project = {
    'totals.rb': 'module Shop\n  module Totals\n    def grand_total; end\n  end\nend\n',
    'loud.rb': 'module Loud\n  def shout; end\nend\n',
    'open.rb': 'module Open\n  def open_all; end\nend\n',
    'cart.rb': 'class Cart\n  def a\n    grand_total\n    shout\n  end\nend\n',
    'setup.rb':
      'Cart.include Shop::Totals\nCart.send(:prepend, Loud)\n::Cart.extend(Open)\ncart.include Loud\nCart.includes(:x)\n',
    'till.rb': 'Cart.open_all\n',
  };
  assert.deepEqual(uses(project, /-> |call .*(?:rb)/), [
    'cart.rb:Cart.a call totals.rb:Shop.Totals.grand_total (inherited)',
    'cart.rb:Cart.a call loud.rb:Loud.shout (inherited)',
    'till.rb call open.rb:Open.open_all (inherited)',
  ]);
});

test('Ruby: a mixin can stand in the type that names it', () => {
  const project = {
    'shop.rb': 'module Shop\n  module Base\n    def open_till; end\n  end\n  extend Base\nend\n',
    'base.rb': 'module Base\n  def open_till; end\nend\n',
    'main.rb': 'Shop.open_till\n',
  };
  assert.deepEqual(uses(project, /main\.rb/), ['main.rb call shop.rb:Shop.Base.open_till (inherited)']);
});

test('Rails: associations and classes give records of their class', () => {
  const project = {
    'cart.rb': `class Cart < ApplicationRecord
  belongs_to :till
  belongs_to :item, polymorphic: true
  has_one :owner, class_name: 'Staff::Person'
  has_many :lines
  def close
    till.total_sum
    self.owner.total_sum
    lines.each { |line| line.total_sum }
    item.total_sum
  end
end
`,
    'till.rb': 'class Till\n  def total_sum; end\nend\n',
    'line.rb': 'class Line\n  def total_sum; end\nend\n',
    'person.rb': 'module Staff\n  class Person\n    def total_sum; end\n  end\nend\n',
    'job.rb': `class Job
  def run(x)
    found = Till.where(a: 1).order(:b).first
    found.total_sum
    Cart.find(x).till.total_sum
    Line.create!(a: 1).total_sum
  end
end
`,
  };
  assert.deepEqual(uses(project, / (?:call|type) .*rb/), [
    'cart.rb:Cart type till.rb:Till (unique)',
    'cart.rb:Cart type person.rb:Staff.Person (receiver)',
    'cart.rb:Cart type line.rb:Line (unique)',
    'cart.rb:Cart.close call till.rb:Till.total_sum (receiver)',
    'cart.rb:Cart.close call person.rb:Staff.Person.total_sum (receiver)',
    'cart.rb:Cart.close call line.rb:Line.total_sum (receiver)',
    'job.rb:Job.run call till.rb:Till.total_sum (receiver)',
    'job.rb:Job.run call till.rb:Till.total_sum (receiver)',
    'job.rb:Job.run call line.rb:Line.total_sum (receiver)',
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

test('Python: what a function of FastAPI depends on is its result, and tables, descriptors and typed queries are followed', () => {
  const source = `HANDLERS = {"open": open_cart, "shut": shut_cart}

def open_cart(): ...

def shut_cart(): ...

def handle(kind):
    HANDLERS[kind]()

class Store:
    def save(self): ...
    def total(self): ...

class Other:
    def save(self): ...
    def total(self): ...

def get_store():
    return Store()

def read(store=Depends(get_store), again=Depends(Store)):
    store.save()
    again.total()

class Price:
    def __get__(self, item, owner): ...
    def __set__(self, item, value): ...

class Item:
    price = Price()

def raise_price(item: Item):
    item.price = item.price

class Late(QuerySet):
    def late(self): ...

class Order(Model):
    overdue = Late.as_manager()
    def total(self): ...

def orders(session):
    Order.objects.filter(open=True).first().total()
    session.query(Order).filter(Order.open).one().total()
    session.get(Order, 1).total()
    Order.overdue.late()
    for order in Order.objects.exclude(open=True):
        order.total()
`;
  const project = { 'shop.py': source };
  assert.deepEqual(uses(project, /shop.py:(?:handle|read|raise_price|orders) call shop/), [
    'shop.py:handle call shop.py:open_cart (likely)',
    'shop.py:handle call shop.py:shut_cart (likely)',
    'shop.py:read call shop.py:Store.save (receiver)',
    'shop.py:read call shop.py:Store.total (receiver)',
    'shop.py:raise_price call shop.py:Price.__set__ (receiver)',
    'shop.py:raise_price call shop.py:Price.__get__ (receiver)',
    ...Array.from({ length: 3 }, () => 'shop.py:orders call shop.py:Order.total (receiver)'),
    'shop.py:orders call shop.py:Late.late (receiver)',
    'shop.py:orders call shop.py:Order.total (receiver)',
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

test('Ruby: a class of a library that is opened here is the parent of that name', () => {
  const project = {
    'test_helper.rb': 'class Minitest::Test\n  def self.test(name, &body); end\n  def using_it; end\nend\n',
    'cart_test.rb':
      "require_relative 'test_helper'\nclass CartTest < Minitest::Test\n  test 'a' do\n    using_it\n  end\nend\n",
  };
  assert.deepEqual(uses(project, / call /), [
    'cart_test.rb:CartTest call test_helper.rb:Minitest::Test.test (inherited)',
    'cart_test.rb:CartTest call test_helper.rb:Minitest::Test.using_it (inherited)',
  ]);
});

test('Ruby: names of values tell types also by their last word and by short forms, which is likely', () => {
  const project = {
    'types.rb': `class Document
  def attr(x); end
  def lines; end
end
class AbstractNode
  def style; end
end
class User
  def name; end
end
`,
    'main.rb': `def run(doc, node, current_user, cord)
  doc.attr(1)
  node.style
  current_user.name
  cord.lines
end
`,
  };
  assert.deepEqual(uses(project, /main.*(?:types)/), [
    'main.rb:run call types.rb:Document.attr (likely)',
    'main.rb:run call types.rb:AbstractNode.style (likely)',
    'main.rb:run call types.rb:User.name (likely)',
  ]);
});

test('Ruby: a name of libraries without a receiver means what the file loads, in a block that runs elsewhere', () => {
  const helper = 'class Minitest::Test\n  class << self\n    def test(name, &body); end\n  end\nend\n';
  const project = {
    'test_helper.rb': helper,
    'a_test.rb': "require_relative 'test_helper'\ncontext 'a' do\n  test 'b' do\n  end\nend\n",
    'b_test.rb': "context 'a' do\n  test 'b' do\n  end\nend\n",
  };
  assert.deepEqual(uses(project, /-> |call .*helper/), ['a_test.rb call test_helper.rb:Minitest::Test.test (likely)']);
});

test('Ruby: a value that is called like a type without the member is of no other type', () => {
  const project = {
    'types.rb': `class Order < ApplicationRecord
end
class Summary
  def invoices; end
end
class Basket
end
class GiftBasket < Basket
  def wrap_all; end
end
`,
    'main.rb': `def run(order, x, basket)
  order.invoices
  Order.invoices
  x.invoices
  basket.wrap_all
end
`,
  };
  assert.deepEqual(uses(project, /main.*types/), [
    'main.rb:run call types.rb:Summary.invoices (likely)',
    'main.rb:run call types.rb:GiftBasket.wrap_all (likely)',
  ]);
});

test('Ruby: a loop over a list that defines methods, in one class, has each of them', () => {
  const source = `class Cart
  RATES = { low: 1, high: [2, 3] }.freeze
  %w[net gross].each do |kind|
    define_method("#{kind}_total") { tax }
  end
  [:open, 'shut'].each { |state| define_method(:"#{state}?") { 1 } }
  RATES.each { |rate, _| scope rate, -> { where(rate: rate) } }
  RATES.keys.each { |rate| define_method("#{rate}=") { 1 } }
  OTHER.each { |one| define_method("#{one}_other") { 1 } }
  define_method(name) { 1 }
  [name, :x].each { |one| define_method("is_#{one}_#{name}") { 1 } }
  def tax; end
  def run
    net_total
    gross_total
    open?
    name
  end
end
Cart.new.shut?
Cart.low
`;
  assert.deepEqual(uses({ 'cart.rb': source }, /call cart/), [
    'cart.rb call cart.rb:Cart.shut? (receiver)',
    'cart.rb call cart.rb:Cart.low (receiver)',
    'cart.rb:Cart.gross_total call cart.rb:Cart.tax (same-file)',
    'cart.rb:Cart.run call cart.rb:Cart.net_total (same-file)',
    'cart.rb:Cart.run call cart.rb:Cart.gross_total (same-file)',
    'cart.rb:Cart.run call cart.rb:Cart.open? (same-file)',
  ]);
});

test('Ruby: events and states of machines are methods, at their line, and none of other calls of these names', () => {
  const source = `class Order
  aasm do
    state :unpaid, initial: true
    state :paid, :closed
    event :pay, after: :tell do
      transitions from: :unpaid, to: :paid, guard: :known?
    end
    event :close do
    end
  end
  state_machine :shipping do
    event :ship, :send_off do
      transition all => :shipped
    end
    state :shipped do
      def sent_at; end
    end
  end
  state_machine :alarm, namespace: 'alarm' do
    event :ring do
    end
  end
  event :sing
  def close!; end
  def tell; end
  def known?; end
end
class Letter
  workflow do
    state :draft do
      event :submit, transitions_to: :sent
    end
  end
end
def run(order, letter)
  order.pay!
  order.may_pay?
  order.closed?
  order.close!
  order.send_off!
  order.can_ship?
  order.ring
  order.sing
  order.sent_at
  letter.submit!
  letter.draft?
end
`;
  const graph = graphOf({ 'order.rb': source });
  const lines = source.split('\n');
  const targets: string[] = [];
  for (let i = 0; i < graph.edgeCount; i++) {
    const { kind, from, to } = graph.edge(i);
    if (graph.qualifiedName(from) !== 'run' || kind !== 'call') continue;
    targets.push(to < 0 ? '' : `${graph.name(to)}: ${lines[graph.startLine(to) - 1].trim()}`);
  }
  assert.deepEqual(targets, [
    'pay!: event :pay, after: :tell do',
    'may_pay?: event :pay, after: :tell do',
    'closed?: state :paid, :closed',
    'close!: def close!; end',
    'send_off!: event :ship, :send_off do',
    'can_ship?: event :ship, :send_off do',
    '',
    '',
    'sent_at: def sent_at; end',
    'submit!: event :submit, transitions_to: :sent',
    'draft?: state :draft do',
  ]);
});

test('Ruby: what a concern defines for the types that include it is theirs, delegates with a prefix as well', () => {
  const project = {
    'totals.rb': `module Totals
  extend ActiveSupport::Concern
  included do
    attr_reader :code
    delegate :city, :street, to: :till, prefix: true
    delegate :name, to: :till, prefix: :owner
    delegate :zip, to: :till, prefix: false
    delegate :area, to: :till, prefix: PREFIX
    def inside; check; end
  end
  class_methods do
    def newest
      oldest
    end
    def oldest; end
  end
  def check; end
end
class Till
  def city; end
  def name; end
  def zip; end
end
`,
    'cart.rb': `class Cart
  include Totals
  newest
  def run
    inside
    code
    till_city
    owner_name
    zip
    area
    city
  end
end
Cart.oldest
`,
  };
  assert.deepEqual(uses(project, / call totals.rb:Totals/), [
    'cart.rb call totals.rb:Totals.oldest (inherited)',
    'cart.rb:Cart call totals.rb:Totals.newest (inherited)',
    'cart.rb:Cart.run call totals.rb:Totals.inside (inherited)',
    'cart.rb:Cart.run call totals.rb:Totals.code (inherited)',
    'cart.rb:Cart.run call totals.rb:Totals.till_city (inherited)',
    'cart.rb:Cart.run call totals.rb:Totals.owner_name (inherited)',
    'cart.rb:Cart.run call totals.rb:Totals.zip (inherited)',
    'totals.rb:Totals.inside call totals.rb:Totals.check (same-file)',
    'totals.rb:Totals.newest call totals.rb:Totals.oldest (same-file)',
  ]);
});

test('Ruby: what a concern associates and assigns has its type there, and in the types that include it', () => {
  const project = {
    'totals.rb': `class Outer
  module Totals
    extend ActiveSupport::Concern
    included do
      belongs_to :till
    end
    def inner
      till.city
      @book ||= Book.new
    end
  end
  def book
    @book.city
  end
end
module Conf
  @book = Book.new
  def self.run
    @book.city
  end
end
class Till
  def city; end
end
class Book
  def city; end
end
`,
    'cart.rb':
      'class Cart\n  include Outer::Totals\n  def run\n    till.city\n    @book.city\n    @other.city\n  end\nend\n',
  };
  assert.deepEqual(uses(project, / call .*city/), [
    'cart.rb:Cart.run call totals.rb:Till.city (receiver)',
    'cart.rb:Cart.run call totals.rb:Book.city (receiver)',
    'cart.rb:Cart.run call ?city (unresolved)',
    'totals.rb:Outer.Totals.inner call totals.rb:Till.city (receiver)',
    'totals.rb:Outer.book call totals.rb:Book.city (unique)',
    'totals.rb:Conf.run call totals.rb:Book.city (receiver)',
  ]);
});
