/** Members of values whose types are computed from other types. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphOf, memberUses } from './project.js';

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
  return memberUses(graphOf({ 'types.ts': TYPES, 'a.ts': `import type * as t from './types';\n${text}` }), 'a.ts');
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
  [
    'a literal that another property tells to be one part of a union',
    `interface Open { kind: 'open'; note: string }
interface Paid { kind: 'paid'; sum: number }
interface Sent { kind: 'sent'; note: string }
function f(all: (Open | Paid | Sent)[]) {
  all.push({ kind: 'sent', note: '' });
}`,
    '6 Open.kind',
    '6 Paid.kind',
    '6 Sent.kind',
    '6 Sent.note',
  ],
  [
    'a union behind a comparison',
    `enum Kind { Open, Paid }
interface Open { kind: Kind.Open; note: string }
interface Paid { kind: Kind.Paid; note: t.Item }
function f(x: Open | Paid) {
  if (x.kind === Kind.Open) {
    x.note;
  } else if (x.kind === Kind.Paid) {
    x.note.title;
  }
}
function g(y: Open | Paid) {
  if (y.kind !== Kind.Paid) return;
  y.note.title;
}`,
    '13 Kind.Paid',
    '13 Open.kind',
    '13 Paid.kind',
    '14 Item.title',
    '14 Paid.note',
    '3 Kind.Open',
    '4 Kind.Paid',
    '6 Kind.Open',
    '6 Open.kind',
    '6 Paid.kind',
    '7 Open.note',
    '8 Kind.Paid',
    '8 Paid.kind',
    '9 Item.title',
    '9 Paid.note',
  ],
  [
    'a union in the clauses of a switch',
    `type Open = { kind: 'open'; note: t.Item };
type Paid = { kind: 'paid' | 'late'; note: t.Price };
function f(x: Open | Paid) {
  switch (x.kind) {
    case 'open':
      x.note.title;
      break;
    case 'paid':
    case 'late':
      x.note.amount;
  }
}`,
    '11 Paid.note',
    '11 Price.amount',
    '5 Open.kind',
    '5 Paid.kind',
    '7 Item.title',
    '7 Open.note',
  ],
  [
    'a value that was asked for its type',
    `class Box { held = 1 }
function isItem(x: unknown): x is t.Item { return true; }
function f(x: unknown, y: unknown) {
  if (!(x instanceof Box)) throw new Error();
  x.held;
  if (isItem(y)) {
    y.title;
  }
}`,
    '6 Box.held',
    '8 Item.title',
  ],
  [
    'what is handed to a generic function, by what its result is given to',
    `interface Maker<T> { make(): T }
declare function maker<T, U = T[]>(run: (one: T, all: U) => void): Maker<T>;
const items: Maker<t.Item> = maker((one, all) => { one.title; all[0].price; });`,
    '4 Item.price',
    '4 Item.title',
  ],
  [
    'functions that an alias of an object type is',
    `type Open = {
  /** Opens. */
  <T extends string>(options: { item: t.Item }, path: T): t.Price;
  more: number;
};
function f(open: Open) { open({ item: null! }, '').amount; }`,
    '7 Price.amount',
  ],
  [
    'functions that are added',
    'function f(x: ((item: t.Item) => void)[]) { x.push((item) => item.title); }',
    '2 Item.title',
  ],
  [
    'members of a record',
    "type Field = 'first' | 'last';\nfunction f(x: Record<Field, t.Price> & t.Cart) { x.last.amount; x.first.title; }",
    '3 Cart.first',
    '3 Item.title',
    '3 Price.amount',
  ],
  [
    'what stands for the rest of the arguments',
    `declare function join(...all: t.Item[]): void;
declare function typed<T extends t.Item[]>(...all: T): void;
join({ title: '' });
typed({ title: '' });`,
    '4 Item.title',
  ],
  [
    'parameters that another function has',
    `type Like<F extends (...all: any) => any> = (...all: Parameters<F>) => void;
type Open = (item: t.Item, price: t.Price) => void;
const f: Like<Open> = (item, price) => { item.title; price.amount; };`,
    '4 Item.title',
    '4 Price.amount',
  ],
  [
    'types of the package type-fest',
    `function f(x: Merge<t.Item, { more: t.Price }>, y: Except<t.Item, 'price'>) { x.title; x.more.amount;\n y.title; }`,
    '2 Item.title',
    '2 Price.amount',
    '3 Item.title',
  ],
  [
    'any member of a type, told by a readonly literal',
    `class Shop { readonly kind = 'shop'; place = ''; }\nclass Stall { readonly kind = 'stall'; day = ''; }
interface Kinds { shop: Shop; stall: Stall }\ntype Any = Kinds[keyof Kinds];
function f(any: Any) { if (any.kind === 'stall') any.day; }`,
    '6 Shop.kind',
    '6 Stall.day',
    '6 Stall.kind',
  ],
  [
    'results of calls with a type argument',
    `function load<T>(id: string): Promise<T> { return null as any; }
async function f() { const one = await load<Local>('a'); one.held;\n(await load<Local[]>('a'))[0].held; }
interface Local { held: string }`,
    '3 Local.held',
    '4 Local.held',
  ],
  [
    'parameters of functions in a mapped type with keys of its own',
    `interface Kinds { item: t.Item; price: t.Price }\ntype Kind = keyof Kinds;
type Visitor<T> = { [K in Kind]: (one: Kinds[K], ...rest: T[]) => void };
function visit(visitor: Partial<Visitor<string>>) {}
visit({ item(one) { one.title; }, price: (one) => { one.amount; } });`,
    '6 Item.title',
    '6 Price.amount',
  ],
  [
    'methods under keys in quotes and of an enumeration',
    `enum Sort { Up = 'up' }
const sorts: Record<string, (a: t.Item, b: t.Item) => boolean> = {
  'by-title'(a, b) { return a.title < b.title; },
  [Sort.Up](a, b) { return a.price < b.price; },
};`,
    '4 Item.title',
    '4 Item.title',
    '5 Item.price',
    '5 Item.price',
    '5 Sort.Up',
  ],
  [
    'a namespace that adds to an enumeration',
    `enum Sort { Up, Down }\nnamespace Sort { export const Both = 3; export function text(sort: Sort) { return ''; } }
Sort.text(Sort.Both);`,
    '4 Sort.Both',
    '4 Sort.text',
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

test('a member that a record in a union gives is no open use of another type', () => {
  const text = `interface Stall { day: string }\nfunction f(x: Record<string, Item> | Price) { x.day; }
interface Item { title: string }\ninterface Price { amount: number }`;
  const graph = graphOf({ 'a.ts': text });
  const names = Array.from({ length: graph.edgeCount }, (_, i) => graph.edge(i).name);
  assert.ok(names.includes('Price'));
  assert.ok(!names.includes('day'));
});
