/** Answers that are remembered while other answers are being found, which may be parts of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls } from './project.js';

test('a value that many others are made of is evaluated once, not once for each way that leads to it', () => {
  const values = Array.from(
    { length: 6 },
    (_, i) => `declare const v${i + 1}: ${'typeof v'.concat(`${i} | `).repeat(4)}null;`,
  );
  const project = {
    'a.ts': `class Cart { total() {} }\nconst v0 = new Cart();\n${values.join('\n')}\nexport function use() { v6.total(); }`,
  };
  assert.ok(calls(project).includes('a.ts:use -> a.ts:Cart.total (receiver)'), calls(project).join('\n'));
});

test('a value that was found within itself is not remembered for others', () => {
  const project = {
    'a.ts': `class Cart { pay() {} }
class Item { count() {} }
export function use() {
  let a: typeof b | Cart;
  let b: typeof a | Item;
  a.count();
  b.pay();
}`,
  };
  assert.deepEqual(calls(project), ['a.ts:use -> a.ts:Item.count (receiver)', 'a.ts:use -> a.ts:Cart.pay (receiver)']);
});

test('a member is found whether or not it was asked for while the parents of its type were being found', () => {
  // The parent of `Item` is looked for in `Cart`, and that of `Cart` in `Item`.
  const project = {
    'Cart.java': `class Cart extends Item.Base {
  static class Priced { void price() {} }
  class Line extends Priced { void show() { price(); total(); } }
  void use() { total(); }
}`,
    'Item.java': `class Item extends Cart.Priced {
  static class Base { void total() {} }
  void use() { price(); }
}`,
  };
  assert.deepEqual(calls(project), [
    'Cart.java:Cart.Line.show -> Cart.java:Cart.Priced.price (inherited)',
    'Cart.java:Cart.Line.show -> Item.java:Item.Base.total (inherited)',
    'Cart.java:Cart.use -> Item.java:Item.Base.total (inherited)',
    'Item.java:Item.use -> Cart.java:Cart.Priced.price (inherited)',
  ]);
});

test('a class of many uses is asked for the members of its parents in the order of its parents, each time', () => {
  const bodies = Array.from({ length: 3 }, (_, i) => `  void use${i}() { total(); first(); limit(); }`);
  const project = {
    'Cart.java': `class Cart extends Basket implements Rule {\n${bodies.join('\n')}\n}`,
    'Basket.java': 'class Basket extends Box implements Bound { void first() {} }',
    'Box.java': 'class Box { void total() {} }',
    'Rule.java': 'interface Rule { void total(); void limit(); }',
    'Bound.java': 'interface Bound { void limit(); }',
  };
  assert.deepEqual(
    calls(project),
    [0, 1, 2].flatMap((i) => [
      `Cart.java:Cart.use${i} -> Box.java:Box.total (inherited)`,
      `Cart.java:Cart.use${i} -> Basket.java:Basket.first (inherited)`,
      `Cart.java:Cart.use${i} -> Rule.java:Rule.limit (inherited)`,
    ]),
  );
});

test('a name that several functions use means in each what its own scope says', () => {
  const project = {
    'Cart.java': `import shop.Rule;
class Cart extends Basket {
  Rule all;
  void use() { total(); Rule rule; rule.check(); }
  void hide(Rule rule) { total(); rule.check(); }
  class Line { void total() {} void use() { total(); Rule own; own.check(); } }
  class Other { class Rule { void check() {} } void use() { total(); Rule own; own.check(); } }
}`,
    'Basket.java': 'class Basket { void total() {} }',
    'shop/Rule.java': 'package shop;\npublic class Rule { public void check() {} }',
  };
  assert.deepEqual(calls(project), [
    'Cart.java:Cart.use -> Basket.java:Basket.total (inherited)',
    'Cart.java:Cart.use -> shop/Rule.java:Rule.check (receiver)',
    'Cart.java:Cart.hide -> Basket.java:Basket.total (inherited)',
    'Cart.java:Cart.hide -> shop/Rule.java:Rule.check (receiver)',
    'Cart.java:Cart.Line.use -> Cart.java:Cart.Line.total (same-file)',
    'Cart.java:Cart.Line.use -> shop/Rule.java:Rule.check (receiver)',
    'Cart.java:Cart.Other.use -> Basket.java:Basket.total (inherited)',
    'Cart.java:Cart.Other.use -> Cart.java:Cart.Other.Rule.check (receiver)',
  ]);
});
