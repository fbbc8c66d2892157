/** Methods of Ruby that names run: callbacks, hooks, send, aliases, delegates and jobs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uses } from '../../graph/link/project.js';

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
