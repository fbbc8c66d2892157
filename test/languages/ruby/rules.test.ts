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
    'Cart.build: error',
  ]);
});
