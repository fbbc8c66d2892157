/** Shapes that applications and libraries write every day, each of which once hid uses from the graph. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphOf } from './project.js';

/** Proven uses of the definitions of other files in `path`, as `line name`. */
function uses(path: string, files: Readonly<Record<string, string>>): string[] {
  const graph = graphOf(files);
  const found: string[] = [];
  for (let i = 0; i < graph.edgeCount; i++) {
    const { from, to, startLine, kind } = graph.edge(i);
    if (to < 0 || graph.path(from) !== path || graph.path(to) === path || kind === 'import') continue;
    if (graph.qualifiedName(to) !== graph.path(to)) found.push(`${startLine} ${graph.qualifiedName(to)}`);
  }
  return found.sort();
}

const CART = `export interface Item { id: string; price: number }
export const rate = 2;
export class Cart { total(): number { return 1; } }
export const spare = new Cart();
`;

const SCRIPTS: readonly [name: string, text: string, ...uses: string[]][] = [
  ['a file that then() gives', "const x = { load: () => import('./cart').then((m) => m.rate) };", '2 rate'],
  ['a file in parentheses', "async function f() { return (await import('./cart')).rate; }", '2 rate'],
  [
    'properties of a constructor',
    'class A { constructor(private c: Cart) {} f() { this.c.total(); } }',
    '2 Cart',
    '2 Cart.total',
  ],
  ['a stand-in of a module', "jest.mock('./other', () => ({ make: () => {\n  return spare; } }));", '3 spare'],
  ['a literal in a list with a type', "function f(): Item[] {\n  return [{ id: '' }];\n}", '2 Item', '3 Item.id'],
  ['a list that is cast', "const all = [{ id: '' }] as Item[];", '2 Item', '2 Item.id'],
  ['a literal that is cast away', "declare function g(item: Item): void;\ng({ id: '' } as any);", '2 Item'],
  ['keys of an object type', 'const all: { id: string; rate: number }[] = [];'],
  ['text of a template', 'const text = `select (rate, x)\n  from (rate)`;'],
  [
    'a name that a callback hides',
    'function f(on: any) {\n  on(({ rate }: any) => rate);\n  return [rate];\n}',
    '4 rate',
  ],
  [
    'an argument behind `this`',
    "function g(this: Cart, item: Item) {}\ng.call(spare, 1); g({ id: '' });",
    '2 Cart',
    '2 Item',
    '3 Item.id',
    '3 spare',
  ],
  ['a type parameter of the name of a type', 'interface Box<Item> { held: Item }'],
  [
    'a literal far behind the start of its function',
    `function f(): Item {\n${'  g(1, 2, 3, 4, 5, 6, 7, 8);\n'.repeat(150)}  return { id: '' };\n}`,
    '2 Item',
    '153 Item.id',
  ],
];

for (const [name, text, ...expected] of SCRIPTS) {
  test(`TypeScript: ${name}`, () => {
    const head = "import { Cart, rate, spare, type Item } from './cart';";
    assert.deepEqual(uses('a.ts', { 'cart.ts': CART, 'a.ts': `${head}\n${text}` }), expected.sort());
  });
}

const SHOP = `class Cart:
    code = 1
    def total(self) -> int: ...

class Rule:
    def check(self, cart: Cart, n: int): ...
    def pick(self) -> Type[Cart]: ...
`;

const PYTHON: readonly [name: string, text: string, ...uses: string[]][] = [
  ['what is returned', 'def f():\n    return Cart.code', '3 Cart', '3 Cart.code'],
  [
    'a parameter that the parent types',
    'class Own(Rule):\n    def check(self, cart, n):\n        cart.total()',
    '2 Rule',
    '4 Cart.total',
  ],
  ['a type that is given', 'def f(rule: Rule):\n    rule.pick()().total()', '2 Rule', '3 Cart.total', '3 Rule.pick'],
  [
    'a field that any method keeps',
    'class A:\n    def open(self, cart: Cart):\n        self.cart = cart\n    def f(self):\n        self.cart.total()',
    '3 Cart',
    '6 Cart.total',
  ],
  [
    'an error that a test expects',
    'def f():\n    with pytest.raises(Cart) as caught:\n        pass\n    assert caught.value.code == 1',
    '3 Cart',
    '5 Cart.code',
  ],
];

for (const [name, text, ...expected] of PYTHON) {
  test(`Python: ${name}`, () => {
    const files = { 'shop.py': SHOP, 'a.py': `from shop import Cart, Rule\n${text}` };
    assert.deepEqual(uses('a.py', files), expected.sort());
  });
}

test('Python: the body of a type sees its members above by name, its methods do not', () => {
  const graph = graphOf({
    'a.py': 'class A:\n    def _f(self): ...\n    add = sub = _f\n    def g(self):\n        use(_f)\n',
  });
  const found = [];
  for (let i = 0; i < graph.edgeCount; i++) {
    const { to, startLine } = graph.edge(i);
    if (to >= 0 && graph.qualifiedName(to) === 'A._f') found.push(startLine);
  }
  assert.deepEqual(found, [3]);
});
