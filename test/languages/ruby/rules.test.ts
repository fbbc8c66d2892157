import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationLines } from '../relations-lines.js';

const SOURCE = `require "json"
require_relative "base"

class Cart < Shop::Base
  include Logs
  get "/x" do
    total
  end

  def initialize(store: Store.new)
    super()
    @store = store
    @rule = Rule.new(5)
  end

  def total
    sum = @rule.apply items
    items.each { |item| item.cost }
    log sum
    self
  end

  def self.build(*args)
    new(*args).total
  rescue Shop::Error => error
    warn error.message
  end
end
`;

test('ruby: calls without brackets, locals, mixins and what methods give', () => {
  const { imports, references, bindings } = relationLines(SOURCE, 'ruby');
  assert.deepEqual(imports, ['include-system json []', 'include base []']);
  assert.deepEqual(references, [
    'Cart: extends Shop.Base',
    'Cart: implements Logs',
    'Cart: call get/1 "/x"',
    'Cart: value GET /x',
    'Cart.GET /x: call total/0',
    'Cart.initialize: new Store/0',
    'Cart.initialize: call super.initialize/0',
    'Cart.initialize: new Rule/1',
    'Cart.total: call this.rule.apply/1',
    'Cart.total: call items/0',
    'Cart.total: call items/0',
    'Cart.total: call items.each/0',
    'Cart.total: call item.cost/0',
    'Cart.total: call log/1',
    'Cart.build: new Cart',
    'Cart.build: call new Cart().total/0',
    'Cart.build: type Shop.Error',
    'Cart.build: call error.message/0',
  ]);
  assert.deepEqual(bindings, [
    'Cart: rule = new Rule()',
    'Cart.total: () = this',
    'Cart.total: item = items[]',
    'Cart.build: () = warn()',
    'Cart.build: error = new Shop.Error()',
  ]);
});

test('ruby: a scope with a query is a method, and a scope of routes is none', () => {
  const owners = (line: string): string[] => relationLines(`${line}\n`, 'ruby').references;
  assert.deepEqual(owners('scope :cheap, -> { below(1) }'), ['cheap: call scope/2', 'cheap: call below/1']);
  assert.deepEqual(owners('scope :cheap, where(price: low)'), [
    'cheap: call scope/2',
    'cheap: call where/1',
    'cheap: call low/0',
  ]);
  for (const scope of ['scope :admin do', 'scope :admin, constraints: Admin.new do', 'scope "/a", :as => "b" do'])
    assert.deepEqual(
      owners(`${scope}\n  run\nend`).filter((line) => line.endsWith('run/0')),
      [': call run/0'],
      scope,
    );
});
