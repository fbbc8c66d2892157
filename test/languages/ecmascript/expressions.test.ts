/** Types that the place of a literal or of a function tells, where that place is a call with type arguments, or in another call. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphOf, memberUses } from '../../graph/link/project.js';

const SHOP = `
export interface Item { title: string; price: number }
export type Maker<T, U = T> = (get: () => T) => U;
export type Shop<S> = { (): S; <U>(choose: (state: S) => U): U } & { stop(): void };
type Open = {
  <T>(make: Maker<T>): Shop<T>;
  <T>(): (make: Maker<T>) => Shop<T>;
};
export const open = ((make: unknown) => make) as Open;
export interface Options<S> { label: string; seen?: (state: S) => void }
type Keep = <
  T,
  ManyFurtherParameters extends readonly string[] = [],
  OthersThatMakeItLong extends Record<string, readonly string[]> = {},
  U = T,
>(
  make: Maker<T, U>,
  options: Options<U>,
  ...others: [Both<ManyFurtherParameters, OthersThatMakeItLong>, Both<OthersThatMakeItLong, ManyFurtherParameters>]
) => Maker<T, U> & Both<OthersThatMakeItLong, ManyFurtherParameters>;
export const keep = ((make: unknown) => make) as unknown as Keep;
export interface Action { label: string; limit: number; run(): boolean }
export interface Cart { all: Item[] }
export function add(item: Item, ...others: Item[]): void {}
export function wrap<T>(value: T): T { return value; }
`;

/** Uses of members in the text, from its second line on, as `line Type.member`. */
function uses(text: string): string[] {
  const names = 'open, keep, add, wrap, type Item, type Action, type Cart';
  return memberUses(graphOf({ 'shop.ts': SHOP, 'a.ts': `import { ${names} } from './shop';\n${text}` }), 'a.ts');
}

const CASES: readonly [name: string, text: string, ...uses: string[]][] = [
  ['the type argument of the call', 'open<Item>((get) => ({ title: get().title }));', '2 Item.title', '2 Item.title'],
  [
    'what a value with several signatures gives',
    'const use = open<Item>((get) => get());\nuse().title;',
    '3 Item.title',
  ],
  ['a signature with type arguments', 'const use = open<Item>((get) => get());\nuse((s) => s.price);', '3 Item.price'],
  [
    'a call in a call',
    "open<Item>(keep((get) => ({ title: '' }), { label: 'a', seen: (s) => s.price }));",
    '2 Item.price',
    '2 Item.title',
    '2 Options.label',
    '2 Options.seen',
  ],
  ['the cast of a literal around it', 'f({ all: [{ title: 1 }] } as Cart);', '2 Cart.all', '2 Item.title'],
  ['the second signature', "open<Item>()(() => ({ title: '' }));", '2 Item.title'],
  ['a long function type', "keep(() => 1, { label: 'a' });", '2 Options.label'],
  ['a branch', "add(Math.random() > 1 ? { title: 'a', price: 1 } : { limit: 'b' });", '2 Item.price', '2 Item.title'],
  [
    'a branch of a branch',
    "const item: Item = a ? { title: 'a' } : b === c ? { price: 1 } : { limit: f(1) };",
    '2 Item.price',
    '2 Item.title',
  ],
  ['a result', 'function f(): Item {\n  return wrap({ title: 1 });\n}', '3 Item.title'],
  ['a result in brackets', 'function f(): Item {\n  return ({ title: 1 });\n}', '3 Item.title'],
  [
    'the method of a literal',
    'function f(): Action {\n  return { limit: 1, run() { return this.limit > 2 && this.label === null; } };\n}',
    '3 Action.label',
    '3 Action.limit',
    '3 Action.limit',
  ],
];

test('words of the language for types are no uses of functions of such names', () => {
  const graph = graphOf({
    'make.ts': 'export function number() {}\nexport function type() {}\n',
    'a.ts': "import { number, type } from './make';\nexport type Sum = (a: string) => number;\nnumber();\ntype();\n",
  });
  const uses: string[] = [];
  for (let i = 0; i < graph.edgeCount; i++) {
    const { to, startLine, name } = graph.edge(i);
    if (to >= 0 && !graph.isFile(to)) uses.push(`${startLine} ${name}`);
  }
  assert.deepEqual(uses, ['3 number', '4 type']);
});

for (const [name, text, ...expected] of CASES)
  test(`members are known by ${name}`, () => assert.deepEqual(uses(text), expected));

test('Java: super in a class without a name is the class that it extends, wherever the class is made', () => {
  const graph = graphOf({
    'app/A.java':
      'package app;\nclass Base {\n  int total() { return 1; }\n}\nclass Code extends Base {\n  int get() { return 2; }\n}\nclass App extends Base {\n  void add(Code code) {}\n  void run() {\n' +
      '    add(new Code() {\n      int get() { return super.get() + super.total(); }\n    });\n  }\n  int total() { return super.total(); }\n}\n',
  });
  assert.deepEqual(
    memberUses(graph, 'app/A.java').filter((use) => /get|total/.test(use)),
    ['12 Base.total', '12 Code.get', '15 Base.total'],
  );
});
