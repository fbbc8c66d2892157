import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationLines } from '../relations-support.js';

const SAMPLE = `package com.shop;

import static com.shop.Prices.round;
import com.shop.model.Cart;
import com.shop.pricing.*;

@RestController
public class Orders<T extends Entity> extends Base<T> implements Named, Audit.Log {
    private final Map<String, Cart> carts = new HashMap<>();
    private int x = 1, y;

    record Line(Item item, int count) implements Priced {}
    enum Size { SMALL, LARGE }

    @GetMapping("/orders")
    public List<Money> totals(final String id, int... counts) {
        var open = Cart.builder().name(id).build();
        for (Cart cart : carts.values()) {
            open.<Money>merge(cart);
        }
        for (var line : lines) {
            line.item();
        }
        if (open instanceof GiftCart gift) {
            gift.wrap(this::label, Cart::new);
        }
        ((Cart) open).close();
        super.totals(id);
        return carts.stream().map(cart -> round(cart.total())).toList();
    }
}
`;

test('Java: imports and what the file is part of', () => {
  assert.deepEqual(relationLines(SAMPLE, 'java').imports, [
    '1 declare com.shop',
    '3 import com.shop.Prices round',
    '4 import com.shop.model Cart',
    '5 import com.shop.pricing *=',
  ]);
});

test('Java: calls, types, parents and what is handed on', () => {
  assert.deepEqual(relationLines(SAMPLE, 'java').references, [
    '7 decorator RestController @Orders',
    '8 type Entity @Orders',
    '8 extends Base @Orders',
    '8 implements Named @Orders',
    '8 type Audit @Orders',
    '8 implements Audit.Log @Orders',
    '9 type Map @Orders.carts',
    '9 type Cart @Orders.carts',
    '9 new HashMap/0 @Orders.carts',
    '12 type Item @Orders.Line.item',
    '12 implements Priced @Orders.Line',
    '15 decorator GetMapping/1 @Orders.totals "/orders"',
    '16 type List @Orders.totals',
    '16 type Money @Orders.totals',
    '17 call Cart.builder/0 @Orders.totals',
    '17 call Cart.builder().name/1 @Orders.totals',
    '17 call Cart.builder().name().build/0 @Orders.totals',
    '18 type Cart @Orders.totals',
    '18 call carts.values/0 @Orders.totals',
    '19 type Money @Orders.totals',
    '19 call open.merge/1 @Orders.totals',
    '22 call line.item/0 @Orders.totals',
    '24 type GiftCart @Orders.totals',
    '25 call gift.wrap/2 @Orders.totals',
    '25 new Cart @Orders.totals',
    '27 type Cart @Orders.totals',
    '27 call new Cart().close/0 @Orders.totals',
    '28 call super.totals/1 @Orders.totals',
    '29 call carts.stream/0 @Orders.totals',
    '29 call carts.stream().map/1 @Orders.totals',
    '29 call round/1 @Orders.totals',
    '29 call cart.total/0 @Orders.totals',
    '29 call carts.stream().map().toList/0 @Orders.totals',
  ]);
});

test('Java: what names stand for', () => {
  assert.deepEqual(relationLines(SAMPLE, 'java').bindings, [
    'Orders: <T>: Entity',
    'Orders: ^: Base<T>',
    'Orders: carts: Map<String, Cart> = new HashMap()',
    'Orders: x: int',
    'Orders: y: int',
    'Orders.Line: item: Item',
    'Orders.Line: count: int',
    'Orders.Size: SMALL = this',
    'Orders.Size: LARGE = this',
    'Orders.totals: (): List<Money>',
    'Orders.totals: open = Cart.builder().name().build()',
    'Orders.totals: cart: Cart',
    'Orders.totals: line = lines[]',
    'Orders.totals: gift: GiftCart',
    'Orders.totals: cart = carts.stream().map{}',
    'Orders.totals: cart: Cart',
  ]);
});

test('Java: what a function gets that is given for an interface, unless its type is a letter or the interface is of the library', () => {
  const rows: [type: string, value: string][] = [
    ['Listener<Event>', 'Listener(:Event)'],
    ['Listener<? super Event>', 'Listener(:Event)'],
    ['com.shop.Listener<Event>', 'Listener(:Event)'],
    ['Listener<Id>', 'Listener(:Id)'],
    ['Listener<E>', ''],
    ['Listener<? super E>', ''],
    ['DoneListener', 'DoneListener'],
    ['Shop', ''],
    ['List<Event>', ''],
  ];
  const given = (type: string) =>
    relationLines(`class Shop<E> {\n  void each(${type} done) {}\n}\n`, 'java').bindings.flatMap(
      (line) => /^Shop\.each: \{\} = (.*)\{\}$/.exec(line)?.[1] ?? [],
    );
  assert.deepEqual(
    rows.map(([type]) => [type, given(type).join()]),
    rows,
  );
});
