import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, graphOf } from '../../graph/link/project.js';

/** More files than parts of one type are listed. */
const FILES = 260;

test('a module that many files open has the constants and methods of all of them', () => {
  const files = Array.from({ length: FILES }, (_, i): [string, string] => [
    `lib/part_${String(i).padStart(3, '0')}.rb`,
    `module Shop\n  class Item${i}\n    def self.build\n    end\n  end\n\n  def self.make_${i}\n  end\nend\n`,
  ]);
  const found = calls({
    ...Object.fromEntries(files),
    'app.rb': 'class App\n  def run\n    Shop::Item0.build\n    Shop::Item259.build\n    Shop.make_230\n  end\nend\n',
  });
  assert.deepEqual(found, [
    'app.rb:App.run -> lib/part_000.rb:Shop.Item0.build (receiver)',
    'app.rb:App.run -> lib/part_259.rb:Shop.Item259.build (receiver)',
    'app.rb:App.run -> lib/part_230.rb:Shop.make_230 (receiver)',
  ]);
});

test('the class of an object is a receiver: `self.class.build`', () => {
  const found = calls({
    'item.rb': 'class Item\n  def self.build_all\n  end\n\n  def copy\n    self.class.build_all\n  end\nend\n',
    'basket.rb': 'class Basket\n  def self.build_all\n  end\nend\n',
  });
  assert.deepEqual(found, [
    'item.rb:Item.copy -> ?this.class (unresolved)',
    'item.rb:Item.copy -> item.rb:Item.build_all (receiver)',
  ]);
});

test('a job that is to run later is asked for it, and runs its own method', () => {
  const found = calls({
    'tax_job.rb': 'class TaxJob\n  def perform(order)\n  end\nend\n',
    'order.rb': 'class Order\n  def pay\n    TaxJob.perform_later(self)\n  end\nend\n',
  });
  assert.deepEqual(found, [
    'order.rb:Order.pay -> ?TaxJob.perform_later (unresolved)',
    'order.rb:Order.pay -> tax_job.rb:TaxJob.perform (receiver)',
  ]);
});

test('a class or module that is defined by its whole name is no use of itself', () => {
  const graph = graphOf({
    'cart.rb': 'module Cart\nend\n',
    'cart/line.rb': 'class Cart::Line\n  LIMIT = Cart::Line::Kind\nend\n\nmodule Cart::Line::Kind\nend\n',
  });
  const uses = (name: string) =>
    graph.nodesNamed(name).flatMap((node) => [...graph.incoming(node)].map((edge) => graph.edge(edge).startLine));
  assert.deepEqual([uses('Cart::Line'), uses('Cart::Line::Kind')], [[2, 5], [2]]);
});

test('a module of a class that another file defines by its whole name is mixed in by its short name', () => {
  const found = calls({
    'cart.rb': 'class Cart\n  include Syncable, Provided\n  def go\n    fetch\n  end\nend\n',
    'cart/provided.rb': 'module Cart::Provided\n  def fetch; end\nend\n',
    'item/provided.rb': 'module Item::Provided\n  def fetch; end\nend\n',
    'syncable.rb': 'module Syncable\nend\n',
  });
  assert.deepEqual(found, ['cart.rb:Cart.go -> cart/provided.rb:Cart.Provided.fetch (inherited)']);
});
