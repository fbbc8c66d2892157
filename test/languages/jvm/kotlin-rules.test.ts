import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationLines } from '../relations-support.js';

const SAMPLE = `package com.shop

import com.shop.model.*
import com.shop.util.log as trace

class Orders<T : Entity>(private val store: Store, name: String = label()) : Base<T>(name), Named {
    private val carts = mutableListOf<Cart>()
    val current: Cart? by lazy { Cart.empty() }

    @Marked("x")
    suspend fun total(id: String, vararg counts: Int, then: (Money) -> Unit): Money {
        val (a, b) = pair()
        for (cart in carts) cart.touch()
        carts.map { it.total() }.forEach { money -> money.show() }
        current?.let { it.close() }
        get("/total") { respond(::trace) }
        val shop = (store as Shop).open()
        return super.total(id)
    }

    companion object {
        fun create() = Orders<Cart>(Store())
    }
}

fun List<Money>.sum(step: Int): Money = this.first().plus(step)
`;

test('Kotlin: imports and what the file is part of', () => {
  assert.deepEqual(relationLines(SAMPLE, 'kotlin').imports, [
    '1 declare com.shop',
    '3 import com.shop.model *=',
    '4 import com.shop.util log=trace',
  ]);
});

test('Kotlin: calls, types, parents and what is handed on', () => {
  assert.deepEqual(relationLines(SAMPLE, 'kotlin').references, [
    '6 type Entity @Orders',
    '6 type Store @Orders.store',
    '6 call label/0 @Orders',
    '6 extends Base @Orders',
    '6 implements Named @Orders',
    '7 call mutableListOf/0 @Orders.carts',
    '7 type Cart @Orders.carts',
    '8 type Cart @Orders.current',
    '8 call lazy/1 @Orders.current',
    '8 call Cart.empty/0 @Orders.current',
    '10 decorator Marked/1 @Orders.total "x"',
    '11 type Money @Orders.total',
    '11 type Money @Orders.total',
    '12 call pair/0 @Orders.total',
    '13 call cart.touch/0 @Orders.total',
    '14 call carts.map/1 @Orders.total',
    '14 call it.total/0 @Orders.total',
    '14 call carts.map().forEach/1 @Orders.total',
    '14 call money.show/0 @Orders.total',
    '15 call current.let/1 @Orders.total',
    '15 call it.close/0 @Orders.total',
    '16 call get/2 @Orders.total "/total"',
    '16 value GET /total @Orders.total',
    '16 call get{=}.respond/1 @Orders.total.GET /total',
    '17 type Shop @Orders.total',
    '17 call new Shop().open/0 @Orders.total',
    '18 call super.total/1 @Orders.total',
    '22 call Orders/1 @Orders.Companion.create',
    '22 type Cart @Orders.Companion.create',
    '22 call Store/0 @Orders.Companion.create',
    '26 type List @sum',
    '26 type Money @sum',
    '26 type Money @sum',
    '26 call this.first/0 @sum',
    '26 call this.first().plus/1 @sum',
  ]);
});

test('Kotlin: what names stand for', () => {
  assert.deepEqual(relationLines(SAMPLE, 'kotlin').bindings, [
    'Orders: <T>: Entity',
    'Orders: store: Store',
    'Orders: name: String = label()',
    'Orders: carts: List<Cart> = mutableListOf()',
    'Orders: current: Cart? = Cart.empty()',
    'Orders.current: it = lazy{}',
    'Orders.total: (): Money',
    'Orders.total: {}: Money',
    'Orders.total: cart = carts[]',
    'Orders.total: it = carts.map{}',
    'Orders.total: money = carts.map().forEach{}',
    'Orders.total: it = current.let{}',
    'Orders.total.GET /total: it = get{}',
    'Orders.Companion.create: () = Orders()',
    'sum: (): Money',
    'sum: this: List<Money>',
  ]);
});

test('Kotlin: an interface extends its parents, other types extend the one that they construct and implement the rest', () => {
  const rows: [source: string, parents: string[]][] = [
    ['interface Open : Named', ['extends Named']],
    ['sealed interface Open : Named, Priced', ['extends Named', 'extends Priced']],
    ['fun interface Open : Named', ['extends Named']],
    ['class Shop : Named', ['implements Named']],
    ['class Shop : Base(), Named', ['extends Base', 'implements Named']],
    ['object Shop : Named', ['implements Named']],
    ['enum class Shop : Named { A }', ['implements Named']],
  ];
  const parents = (source: string) =>
    relationLines(`${source}\n`, 'kotlin').references.flatMap(
      (line) => /^1 ((?:extends|implements) \w+)/.exec(line)?.[1] ?? [],
    );
  assert.deepEqual(
    rows.map(([source]) => [source, parents(source)]),
    rows,
  );
});
