import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeLines, graphOf } from '../../graph/link/project.js';
import { relationLines } from '../relations-support.js';

const SAMPLE = `library shop.web;

import 'package:http/http.dart' as http;
import 'cart.dart' show Cart, Item;
export 'money.dart';
part 'orders.g.dart';

@Marked('x')
class Orders<T extends Entity> extends Base<T> with Named implements Priced {
  final List<Cart> carts = [];
  static const Money zero = Money(0);

  Orders(this.store, {required String name}) : super(name);

  factory Orders.empty() => Orders(Store(), name: '');

  Future<Money> total(String id, [Item? item, void Function(Money)? then]) async {
    final cart = Cart.empty();
    cart
      ..add(item)
      ..close();
    for (final one in carts) {
      one.touch();
    }
    try {
      await http.get(id);
    } on ShopError catch (error) {
      error.show();
    }
    return (cart as Gift).total('\${cart.label()}', this.rounded);
  }
}

extension Loud on Money {
  String shout() => show().toUpperCase();
}
`;

test('Dart: imports and what the file is part of', () => {
  assert.deepEqual(relationLines(SAMPLE, 'dart').imports, [
    '1 declare shop.web',
    '3 import package:http/http.dart *=http',
    '4 import cart.dart Cart,Item',
    '5 reexport money.dart *=',
    '6 include orders.g.dart',
  ]);
});

test('Dart: calls, types, parents and what is handed on', () => {
  assert.deepEqual(relationLines(SAMPLE, 'dart').references, [
    '8 decorator Marked/1 @Orders "x"',
    '9 type Entity @Orders',
    '9 extends Base @Orders',
    '9 implements Named @Orders',
    '9 implements Priced @Orders',
    '10 type Cart @Orders.carts',
    '11 type Money @Orders.zero',
    '11 call Money/1 @Orders.zero',
    '13 call super/1 @Orders.Orders',
    '15 call Orders/2 @Orders.empty',
    '15 call Store/0 @Orders.empty',
    '17 type Money @Orders.total',
    '17 type Item @Orders.total',
    '17 type Money @Orders.total',
    '18 call Cart.empty/0 @Orders.total',
    '20 call cart.add/1 @Orders.total',
    '21 call cart.close/0 @Orders.total',
    '23 call one.touch/0 @Orders.total',
    '26 call http.get/1 @Orders.total',
    '27 type ShopError @Orders.total',
    '28 call error.show/0 @Orders.total',
    '30 type Gift @Orders.total',
    '30 call new Gift().total/2 @Orders.total',
    '30 call cart.label/0 @Orders.total',
    '34 type Money @Loud',
    '35 call show/0 @Loud.shout',
    '35 call show().toUpperCase/0 @Loud.shout',
  ]);
});

test('Dart: what names stand for', () => {
  assert.deepEqual(relationLines(SAMPLE, 'dart').bindings, [
    'Orders: <T>: Entity',
    'Orders: carts: List<Cart>',
    'Orders: zero: Money = Money()',
    'Orders.total: (): Future<Money>',
    'Orders.total: cart = Cart.empty()',
    'Orders.total: one = carts[]',
    'Orders.total: error: ShopError',
    'Loud.shout: (): String',
    'Loud.shout: this: Money',
  ]);
});

test('Dart: initializers see the parameters of their constructor, and write the fields of its class', () => {
  const edges = edgeLines(
    graphOf({
      'cart.dart': `class Cart {
  Cart(String name, this.count) : title = name, size = name.length;
  final String title;
  final int size;
  int count;
  String name() => title;
}
class Basket extends Cart {
  Basket(String name, int count) : super(name, count) {
    total = count;
  }
  Basket.of(String name) : this(name, 2);
  int total = 0;
}
class Gift {
  Gift(String name) : name = name;
  final String name;
}
`,
    }),
  );
  assert.deepEqual(
    edges.filter((line) => / (?:read|write|value) /.test(line)),
    [
      'cart.dart:Cart.Cart read cart.dart:Cart.count (receiver)',
      'cart.dart:Cart.Cart write cart.dart:Cart.title (receiver)',
      'cart.dart:Cart.Cart write cart.dart:Cart.size (receiver)',
      'cart.dart:Cart.name read cart.dart:Cart.title (same-file)',
      'cart.dart:Basket.Basket write cart.dart:Basket.total (same-file)',
      'cart.dart:Basket.of read cart.dart:Basket (same-file)',
      'cart.dart:Gift.Gift write cart.dart:Gift.name (receiver)',
    ],
  );
});
