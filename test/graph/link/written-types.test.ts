/** Members of values whose types are computed from other types. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphOf } from './project.js';

const TYPES = `
export interface Item { title: string; price: Price }
export interface Price { amount: number }
export interface Box<T> { held: T }
export interface Cart { items: Item[]; first: Item }
export type Boxed<T> = { [K in keyof T]: Box<T[K]> };
export type Loose<T> = T extends any ? Partial<T> : never;
export type Held<B> = B extends Box<infer T> ? T : never;
export type Either = Item | Price;
export type Nested = Either | Cart;
export type Visit = (item: Item, price: Price) => { done: boolean };
`;

/** Uses of members in the text, from its second line on, as `line Type.member`. */
function uses(text: string): string[] {
  const graph = graphOf({ 'types.ts': TYPES, 'a.ts': `import type * as t from './types';\n${text}` });
  const found: string[] = [];
  for (let i = 0; i < graph.edgeCount; i++) {
    const { to, startLine, from } = graph.edge(i);
    const name = to < 0 ? '' : graph.qualifiedName(to);
    if (graph.path(from) === 'a.ts' && /^[A-Z]\w*\.\w/.test(name)) found.push(`${startLine} ${name}`);
  }
  return found.sort();
}

const CASES: readonly [name: string, text: string, ...uses: string[]][] = [
  ['indexed types', "function f(x: t.Cart['items'][number]) { x.title; }", '2 Item.title'],
  [
    'mapped types',
    'function f(x: t.Boxed<t.Cart>) { x.first.held.title; }',
    '2 Box.held',
    '2 Cart.first',
    '2 Item.title',
  ],
  ['conditional types', 'function f(x: t.Loose<t.Item>) { x.price.amount; }', '2 Item.price', '2 Price.amount'],
  ['inferred types', 'function f(x: t.Held<t.Box<t.Item>>) { x.title; }', '2 Item.title'],
  [
    'unions in unions',
    'function f(x: t.Nested) { x.title; x.amount; x.first; }',
    '2 Cart.first',
    '2 Item.title',
    '2 Price.amount',
  ],
  ['object types', 'function f(x: { all: t.Item[] }) { x.all[0].title; }', '2 Item.title'],
  [
    'computed types',
    'function g(): t.Item { return null!; }\nfunction f(x: ReturnType<typeof g>) { x.title; }',
    '3 Item.title',
  ],
  [
    'parameters of all overloads',
    `function on(run: (item: t.Item) => void): void;
function on(run: (price: t.Price) => void): void;
function on(run: any) {}
on((x) => x.title);
on((x) => x.amount);`,
    '5 Item.title',
    '6 Price.amount',
  ],
  [
    'parameters of overloads that stand apart',
    `declare function on(run: (item: t.Item) => void): void;
declare const other: number;
declare function on(run: (price: t.Price) => void): void;
on((x) => x.title);
on((x) => x.amount);`,
    '5 Item.title',
    '6 Price.amount',
  ],
  [
    'what an interface with a call signature gives',
    "interface Open { (path: string): t.Item }\nfunction f(open: Open) { open('').title; }",
    '3 Item.title',
  ],
  [
    'what a function expression that is returned takes and gives',
    `function make() { return function (item: t.Item): t.Price { return null!; }; }
make()({ title: '' }).amount;`,
    '3 Item.title',
    '3 Price.amount',
  ],
  [
    'methods of a literal, which are keys',
    'interface Hooks { open(): void }\ndeclare function use(hooks: Hooks): void;\nuse({ open() {} });',
    '4 Hooks.open',
  ],
  [
    'parents with arguments',
    `interface List<T> { head: T }
interface Items<U> extends List<U> {}
function f(x: Items<t.Item>) { x.head.title; }`,
    '4 Item.title',
    '4 List.head',
  ],
  [
    'parents that an alias stands for',
    `type Without<T, K extends keyof T> = Omit<T, K>;
interface More extends Without<t.Item, 'price'> {}
function f(x: More) { x.title; }`,
    '4 Item.title',
  ],
  [
    'unions of intersections, of which every part has the member',
    `type Named = t.Item & { name: string };
type Tagged = { tag: string } & t.Item;
function f(x: Named | Tagged) { x.title; }`,
    '4 Item.title',
  ],
  [
    'object types inside of an alias',
    `type Extra<T> = t.Price & { note: T };
function f(x: Extra<t.Item>) { x.note.title; x.amount; }`,
    '3 Extra.note',
    '3 Item.title',
    '3 Price.amount',
  ],
  [
    'parameters of methods of a literal with a type',
    `interface Hooks { on(item: t.Item, more: { price: t.Price }): void }
const hooks: Hooks = { async on(x, { price }) { x.title; price.amount; } };`,
    '3 Hooks.on',
    '3 Item.title',
    '3 Price.amount',
  ],
  ['elements that are added', 'function f(x: t.Item[]) { x.push({ title: "" }); }', '2 Item.title'],
];
for (const [name, text, ...expected] of CASES)
  test(`members are found in ${name}`, () => {
    assert.deepEqual(uses(text), expected);
  });

test('each part of a large union is computed by itself', () => {
  const names = 'ABCDEFGHIJ'.split('');
  const types = names.map((name) => `interface ${name} { kind: '${name}'; note: string }`).join(' ');
  const text = `${types}
type Flat<T> = { [K in keyof T]: T[K] };
type Raw<T> = T extends any ? Flat<Omit<T, 'note'> & Partial<Pick<T, 'note'>> & { input: unknown }> : never;
function f(x: Raw<${names.join(' | ')}>) { x.kind; }`;
  assert.deepEqual(
    uses(text),
    names.map((name) => `5 ${name}.kind`),
  );
});
