import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationLines } from '../relations-support.js';

const SAMPLE = `#include "shop/cart.hpp"

using shop::Item;
using namespace shop::pricing;
namespace old = shop::legacy;

template <typename T>
class Store : public Base<T>, private shop::Named {
 public:
  explicit Store(int size) : Base<T>(size), size_(size) {}
  Cart& open(const Item& item);

 private:
  std::vector<Cart> carts_;
  shop::Cart first_{"a"};
};

Cart& Store::open(const Item& item) {
  Cart cart(item);
  auto* gift = new Gift{item};
  auto lazy = std::make_unique<old::Cart>(1);
  for (const auto& one : carts_) one.touch();
  this->check(cart)->total();
  lazy->archive();
  static_cast<Gift*>(gift)->wrap();
  return Money{1}.round(pricing::twice(item.cost()));
}
`;

test('C++: imports and what the file is part of', () => {
  assert.deepEqual(relationLines(SAMPLE, 'cpp').imports, [
    '1 include shop/cart.hpp',
    '3 import shop Item',
    '4 import shop::pricing *=',
    '5 import shop::legacy *=old',
  ]);
});

test('C++: calls, types, parents and what is handed on', () => {
  assert.deepEqual(relationLines(SAMPLE, 'cpp').references, [
    '8 extends Base @Store',
    '8 extends shop.Named @Store',
    '10 new Base/1 @Store.Store',
    '11 type Cart @Store.open',
    '11 type Item @Store.open',
    '14 type std.vector @Store.carts_',
    '14 type Cart @Store.carts_',
    '15 new shop.Cart/1 @Store.first_',
    '18 type Cart @Store.open',
    '18 type Item @Store.open',
    '19 new Cart/1 @Store.open',
    '19 type item @Store.open',
    '20 new Gift @Store.open',
    '21 call std.make_unique/1 @Store.open',
    '21 type old.Cart @Store.open',
    '22 call one.touch/0 @Store.open',
    '23 call this.check/1 @Store.open',
    '23 call this.check().total/0 @Store.open',
    '24 call lazy.archive/0 @Store.open',
    '25 type Gift @Store.open',
    '25 call new Gift().wrap/0 @Store.open',
    '26 new Money @Store.open',
    '26 call new Money().round/1 @Store.open',
    '26 call pricing.twice/1 @Store.open',
    '26 call item.cost/0 @Store.open',
  ]);
});

test('C++: what names stand for', () => {
  assert.deepEqual(relationLines(SAMPLE, 'cpp').bindings, [
    'Store.open: (): Cart',
    'Store: carts_: std::vector<Cart>',
    'Store: first_: shop::Cart',
    'Store.open: (): Cart',
    'Store.open: this: Store',
    'Store.open: item: Item',
    'Store.open: lazy = new old.Cart()',
    'Store.open: one = carts_[]',
  ]);
});
