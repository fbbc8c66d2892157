/** What a member means: by the type of its value, by what conditions show of it, or by the name of the value alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeNameOf } from '../../../src/graph/link/lookup.js';
import { calls } from './project.js';

/** Types whose `go` the code calls, with the tier if it is no sure one; `?` for a call that leads nowhere. */
function typesOfGo(path: string, code: string, types = TYPES): string {
  const ending = path.slice(path.indexOf('.'));
  return calls({ [`cart${ending}`]: types, [path]: `${code}\n` })
    .filter((line) => line.startsWith(path.split('.')[0]))
    .map((line) => /(\?)?([\w$]+)?\.?go \((\w+)\)$/.exec(line))
    .flatMap((match) =>
      match === null ? [] : [match[1] ?? `${match[2]}${match[3] === 'receiver' ? '' : ` ${match[3]}`}`],
    )
    .join();
}

const TYPES =
  "export class Cart { kind: 'cart' = 'cart'; open?: true; go() {} }\nexport class Item { kind: 'item' = 'item'; go() {} }\n" +
  'export class Till extends Cart { go() {} }\nexport class Plain {}\n' +
  'export function isCart(x: unknown): x is Cart { return true; }\n';

test('a union has the members of each of its parts, and a condition leaves some of them out', () => {
  const body = (code: string) =>
    `import { Cart, Item, Till, Plain, isCart } from './cart';\nexport function run(x: Cart | Item, y: Cart | undefined, z: unknown) {\n${code}\n}`;
  const rows: [code: string, types: string][] = [
    ['y.go();', 'Cart'],
    ['y?.go();', 'Cart'],
    ['z.go();', '?'],
    ['if (x instanceof Item) { x.go(); }', 'Item'],
    ['if (x instanceof Till) { x.go(); }', 'Till'],
    ['if (isCart(x)) { x.go(); }', 'Cart'],
    ['if (isCart(z)) { z.go(); }', 'Cart'],
    ["if (x.kind === 'item') { x.go(); }", 'Item'],
    ["if (x.kind === 'cart') { x.go(); }", 'Cart'],
    ["if (x.kind !== 'cart') { x.go(); }", 'Item'],
    ["if ('open' in x) { x.go(); }", 'Cart'],
    ["switch (x.kind) { case 'item': x.go(); }", 'Item'],
    ['const c = x as Till; c.go();', 'Till'],
    ['const p: Pick<Cart, "go"> = y; p.go();', 'Cart'],
    ['const p: Omit<Cart, "kind"> = y; p.go();', 'Cart'],
    ['const p: Omit<Cart, "go"> = y; p.go();', '?'],
    ['const p: Record<string, Item> = {}; p.any.go();', 'Item'],
    ['const p: { held: Item } = z; p.held.go();', 'Item'],
    ['const p: [Cart, Item] = z; p[1].go();', 'Cart,Item'],
  ];
  assert.deepEqual(
    rows.map(([code]) => [code, typesOfGo('a.ts', body(code))]),
    rows,
  );
});

test('the name of a value tells the type that it is called after', () => {
  const rows: [receiver: string, name: string][] = [
    ['cart', 'Cart'],
    ['line_item', 'LineItem'],
    ['lineItem', 'LineItem'],
    ['order.line_item', 'LineItem'],
    ['line_items[]', 'LineItem'],
    ['entries[]', 'Entry'],
    ['classes[]', 'Classe'],
    ['address[]', 'Address'],
    ['carts', 'Carts'],
    ['cart()', 'Cart'],
    ['this.cart', 'Cart'],
    ['this', ''],
    ['Cart', ''],
    ['', ''],
    ['cart(1)', ''],
  ];
  assert.deepEqual(
    rows.map(([receiver]) => [receiver, typeNameOf(receiver)]),
    rows,
  );
});

test('where types show nothing, a value is of the one type of its name', () => {
  const types = 'class Cart:\n    def go(self): pass\nclass BaseNode:\n    def go(self): pass\n';
  const rows: [code: string, types: string][] = [
    ['def run(cart):\n    cart.go()', 'Cart likely'],
    ['def run(node):\n    node.go()', 'BaseNode likely'],
    ['def run(old_cart):\n    old_cart.go()', 'Cart likely'],
    ['def run(thing):\n    thing.go()', '?'],
  ];
  assert.deepEqual(
    rows.map(([code]) => [code, typesOfGo('a.py', code, types)]),
    rows,
  );
});
