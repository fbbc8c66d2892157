/** Names of Ruby in their modules: classes written with their module, mixins, and blocks with a self of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphOf, uses } from '../../graph/link/project.js';

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
    'app/controllers/admin/orders_controller.rb:Admin.OrdersController.show call app/controllers/admin/base.rb:Admin.Base.guard (inherited)',
    'app/more.rb:Admin.OrdersController.more call app/controllers/admin/orders_controller.rb:Admin.OrdersController.show (package)',
    'lib/run.rb new app/controllers/admin/orders_controller.rb:Admin.OrdersController (unique)',
    'lib/run.rb call app/more.rb:Admin.OrdersController.more (receiver)',
    'lib/run.rb:Admin.run call app/controllers/admin/orders_controller.rb:Admin.OrdersController.open (receiver)',
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

test('Ruby: a class of a library that is opened here is the parent of that name', () => {
  const project = {
    'test_helper.rb': 'class Minitest::Test\n  def self.test(name, &body); end\n  def using_it; end\nend\n',
    'cart_test.rb':
      "require_relative 'test_helper'\nclass CartTest < Minitest::Test\n  test 'a' do\n    using_it\n  end\nend\n",
  };
  assert.deepEqual(uses(project, / call /), [
    'cart_test.rb:CartTest call test_helper.rb:Minitest.Test.test (inherited)',
    'cart_test.rb:CartTest call test_helper.rb:Minitest.Test.using_it (inherited)',
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
  assert.deepEqual(uses(project, /-> |call .*helper/), ['a_test.rb call test_helper.rb:Minitest.Test.test (likely)']);
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
