import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationLines } from '../relations-support.js';

const SAMPLE = `import Foundation
import struct Shop.Money

@MainActor
final class Orders<T: Entity>: Base<T>, Named {
    private var carts: [Cart] = [], current: Cart?
    lazy var store = Store(name: "a")

    override init(name: String) {
        super.init(name: name)
    }

    func total(_ id: String, with item: inout Item, then: @escaping (Money) -> Void) async throws -> Money? {
        guard let cart = find(id), let gift = cart as? Gift else { return nil }
        for one in carts where one.isOpen() { one.touch() }
        if let current = current { gift.wrap(current) }
        carts.forEach { $0.close() }
        carts.map { cart in cart.total() }
        let money = try await self.store.price(item)?.rounded()
        return Money(cents: 1).plus(money)
    }
}

extension Orders: Priced {
    static func make() -> Orders { Orders(name: "a") }
}
`;

test('Swift: imports and what the file is part of', () => {
  assert.deepEqual(relationLines(SAMPLE, 'swift').imports, ['1 import Foundation *=', '2 import Shop Money']);
});

test('Swift: calls, types, parents and what is handed on', () => {
  assert.deepEqual(relationLines(SAMPLE, 'swift').references, [
    '4 decorator MainActor @Orders',
    '5 type Entity @Orders',
    '5 extends Base @Orders',
    '5 implements Named @Orders',
    '6 type Cart @Orders.carts',
    '6 type Cart @Orders.carts',
    '7 call Store/1 @Orders.store',
    '10 call super.init/1 @Orders.init',
    '13 type Item @Orders.total',
    '13 type Money @Orders.total',
    '13 type Money @Orders.total',
    '14 call find/1 @Orders.total',
    '14 type Gift @Orders.total',
    '15 call one.isOpen/0 @Orders.total',
    '15 call one.touch/0 @Orders.total',
    '16 call gift.wrap/1 @Orders.total',
    '17 call carts.forEach/1 @Orders.total',
    '17 call $0.close/0 @Orders.total',
    '18 call carts.map/1 @Orders.total',
    '18 call cart.total/0 @Orders.total',
    '19 call this.store.price/1 @Orders.total',
    '19 call this.store.price().rounded/0 @Orders.total',
    '20 call Money/1 @Orders.total',
    '20 call Money().plus/1 @Orders.total',
    '24 type Orders @Orders',
    '24 implements Priced @Orders',
    '25 type Orders @Orders.make',
    '25 call Orders/1 @Orders.make',
  ]);
});

test('Swift: what names stand for', () => {
  assert.deepEqual(relationLines(SAMPLE, 'swift').bindings, [
    'Orders: <T>: Entity',
    'Orders: carts: [Cart]',
    'Orders: current: Cart?',
    'Orders: store = Store()',
    'Orders.total: {}: Money',
    'Orders.total: (): Money?',
    'Orders.total: cart = find()',
    'Orders.total: gift = new Gift()',
    'Orders.total: one = carts[]',
    'Orders.total: $0 = carts.forEach{}',
    'Orders.total: cart = carts.map{}',
    'Orders.make: (): Orders',
  ]);
});
