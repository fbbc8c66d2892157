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
