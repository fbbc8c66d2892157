import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationLines } from '../relations-support.js';

const SAMPLE = `package com.shop
package web

import com.shop.model.{Cart, Item => Thing, _}
import com.shop.util.Log

case class Orders[T <: Entity](store: Store, name: String = label()) extends Base[T](name) with Named {
  private var carts: List[Cart] = Nil

  def total(id: String)(implicit log: Log): Money = {
    val cart = find(id)
    for (item <- cart.items; money = item.cost()) money.show()
    carts.map(one => one.total()).foreach { money => money.show() }
    store match {
      case shop: Shop => shop.open(new Thing)
      case Market(owner) => owner.close()
    }
    Log.line(super.total(id))
    round(Cart("a").total())
  }
}

object Orders { def create = new Orders[Cart](Store()) }
`;

test('Scala: imports and what the file is part of', () => {
  assert.deepEqual(relationLines(SAMPLE, 'scala').imports, [
    '1 declare com.shop',
    '2 declare com.shop.web',
    '4 import com.shop.model Cart,Item=Thing,*=',
    '5 import com.shop.util Log',
  ]);
});

test('Scala: calls, types, parents and what is handed on', () => {
  assert.deepEqual(relationLines(SAMPLE, 'scala').references, [
    '7 type Entity @Orders',
    '7 type Store @Orders',
    '7 call label/0 @Orders',
    '7 extends Base @Orders',
    '7 implements Named @Orders',
    '8 type Cart @Orders.carts',
    '10 type Log @Orders.total',
    '10 type Money @Orders.total',
    '11 call find/1 @Orders.total',
    '12 call item.cost/0 @Orders.total',
    '12 call money.show/0 @Orders.total',
    '13 call carts.map/1 @Orders.total',
    '13 call one.total/0 @Orders.total',
    '13 call carts.map().foreach/1 @Orders.total',
    '13 call money.show/0 @Orders.total',
    '15 type Shop @Orders.total',
    '15 call shop.open/1 @Orders.total',
    '15 new Thing/0 @Orders.total',
    '16 type Market @Orders.total',
    '16 call owner.close/0 @Orders.total',
    '18 call Log.line/1 @Orders.total',
    '18 call super.total/1 @Orders.total',
    '19 call round/1 @Orders.total',
    '19 call Cart/1 @Orders.total',
    '19 call Cart().total/0 @Orders.total',
    '23 new Orders/1 @Orders.create',
    '23 type Cart @Orders.create',
    '23 call Store/0 @Orders.create',
  ]);
});

test('Scala: what names stand for', () => {
  assert.deepEqual(relationLines(SAMPLE, 'scala').bindings, [
    'Orders: <T>: Entity',
    'Orders: store: Store',
    'Orders: name: String = label()',
    'Orders: carts: List[Cart] = Nil',
    'Orders.total: (): Money',
    'Orders.total: cart = find()',
    'Orders.total: item = cart.items[]',
    'Orders.total: money = item.cost()',
    'Orders.total: one = carts[]',
    'Orders.total: money = carts.map()[]',
    'Orders.total: money = item.cost()',
    'Orders.total: shop: Shop',
    'Orders.total: owner',
    'Orders.create: () = new Orders()',
  ]);
});
