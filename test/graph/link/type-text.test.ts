/** How written types are read where languages do not differ, and how type parameters in them are replaced. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bind, PARAMETER, parseType } from '../../../src/graph/link/type-text.js';
import type { BoundType } from '../../../src/graph/link/values.js';
import { calls } from './project.js';

/** A type as text: lists in brackets, unions with `|`, functions with `->`. */
function shown(type: BoundType | null): string {
  if (type === null) return 'none';
  switch (type.is) {
    case 'named':
      return `${type.head === '' ? '?' : type.head}${type.args.length > 0 ? `<${type.args.map(shown).join(', ')}>` : ''}`;
    case 'list':
      return `[${shown(type.element)}]`;
    case 'several':
      return `(${type.parts.map(shown).join(type.together ? ' & ' : ' | ')})`;
    case 'function':
      return `(${type.parameters.map(shown).join(', ')}) -> ${shown(type.result)}`;
    case 'value':
      return `typeof ${type.chain}`;
    case 'tuple':
      return `#(${type.items.map(shown).join(', ')})`;
    case 'object':
      return `{${type.members.map(([name, part]) => `${name}: ${shown(part)}`).join('; ')}${type.index === undefined ? '' : ` [${shown(type.index)}]`}}`;
    case 'mapped':
      return `{${type.key} in ${shown(type.of)}: ${shown(type.value)}}`;
    case 'member':
      return `${shown(type.of)}[${shown(type.index)}]`;
    case 'conditional':
      return `${shown(type.check)}${type.over === undefined ? '' : ` over ${shown(type.over as BoundType)}`} extends ${shown(type.pattern)} ? ${type.parts.map(shown).join(' : ')}`;
    case 'elsewhere':
      return `${shown(type.type)}@${type.file}.${type.scope}`;
    case 'known':
      return `known ${type.value.is}`;
    default:
      return type.text;
  }
}

const READ: readonly (readonly [text: string, type: string])[] = [
  ['Cart', 'Cart'],
  ['  Cart ', 'Cart'],
  ['', 'none'],
  ['shop.Cart', 'shop.Cart'],
  ['shop::Cart', 'shop.Cart'],
  ['\\Shop\\Cart', 'Shop.Cart'],
  ['::shop::Cart', 'shop.Cart'],
  ['Shop#Cart', 'Shop.Cart'],
  ['"Cart"', 'Cart'],
  ["' shop.Cart '", 'shop.Cart'],
  ['\'a\' | "b"', '(a | b)'],
  ['12', 'none'],
  ['a b', 'none'],
  ['Ünï', 'Ünï'],
  ['const Cart &', 'Cart'],
  ['&mut Cart', 'Cart'],
  ["&'a mut dyn Cart", 'Cart'],
  ['@Nullable final Cart', 'Cart'],
  ['struct Cart *', 'Cart'],
  ['...Cart', 'Cart'],
  ['Cart...', 'Cart'],
  ['Cart?', 'Cart'],
  ['Cart!', 'Cart'],
  ['Cart const', 'Cart'],
  ['Cart where T : Item', 'Cart'],
  ['Cart as Item', 'Cart'],
  ['constant', 'constant'],
  ['Cart[]', '[Cart]'],
  ['Cart[][]', '[[Cart]]'],
  ['Cart[5]', '[Cart]'],
  ['[]Cart', '[Cart]'],
  ['[][]Cart', '[[Cart]]'],
  ['[5]Cart', '[Cart]'],
  ['[Cart]', '[Cart]'],
  ['[Cart; 5]', '[Cart]'],
  ['[Key: Cart]', '[Cart]'],
  ['[Key: Cart][]', '[Cart]'],
  ['[shop::Cart]', '[shop.Cart]'],
  ['[Cart, Item]', 'none'],
  ['[Cart', 'none'],
  ['[]', 'none'],
  ['map[string]Cart', '[Cart]'],
  ['map[string][]Cart', '[[Cart]]'],
  ['chan Cart', '[Cart]'],
  ['<-chan Cart', '[Cart]'],
  ['chan<- Cart', '[Cart]'],
  ['channel', 'channel'],
  ['List<Cart>', 'List<Cart>'],
  ['Map<string, Cart[]>', 'Map<string, [Cart]>'],
  ['Map<string, Map<A, B>>', 'Map<string, Map<A, B>>'],
  ['List[Cart]', 'List<Cart>'],
  ['List<12>', 'List<?>'],
  ['List<Cart>[]', '[List<Cart>]'],
  ['List<Cart>[2][]', '[[List<Cart>]]'],
  ['Outer<A>.Inner', 'Outer.Inner'],
  ['Outer<A>::Inner', 'Outer.Inner'],
  ['List<Cart> more', 'none'],
  ['List<Cart', 'List'],
  ['List[Cart', 'none'],
  ["Cart['items']", 'none'],
  ['Iterator<Item = Cart>', 'Iterator<Cart>'],
  ['Iterator<item = Cart>', 'Iterator<?>'],
  ['Cart | null', 'Cart'],
  ['null | undefined', 'none'],
  ['((id: string) => Cart) | null', '(string) -> Cart'],
  ['((id: string) => Cart) | undefined', '(string) -> Cart'],
  ['Cart | Item', '(Cart | Item)'],
  ['| Cart | Item', '(Cart | Item)'],
  ['Cart | 12', 'none'],
  ['Cart & 12', 'Cart'],
  ['Cart & Item', '(Cart | Item)'],
  ['Cart + Send', '(Cart | Send)'],
  ['Cart | { a: B }', 'Cart'],
  ['List<A | B>', 'List<(A | B)>'],
  ['A & B | C', '((A | B) | C)'],
  ['typeof cart.items', 'typeof cart.items'],
  ['typeofCart', 'typeofCart'],
  ['(Cart)', 'Cart'],
  ['(Cart, Item)', '#(Cart, Item)'],
  ['(Cart, 12)', '#(Cart, ?)'],
  ['()', 'none'],
  ['(Cart,)', 'Cart'],
  ['(A)(B)', 'none'],
  ['{ cart: Cart; item: Item[]; none }', '{cart: Cart; item: [Item]}'],
  ['{ a: 12 }', '{}'],
  ['() => Cart', '() -> Cart'],
  ['(id: string, cart?: Cart, ...rest: Item[]) => Cart', '(string, Cart, [Item]) -> Cart'],
  ['(Int, Cart) -> Item', '(Int, Cart) -> Item'],
  ['(12) => 12', '(?) -> ?'],
  ['((id: string) => Cart) | undefined', '(string) -> Cart'],
  ['((id: string) => Cart)?', '(string) -> Cart'],
  ['((id: string) => Cart) | Item', 'none'],
  ['Cart => Item', 'none'],
  ['(a: () => A) => () => B', '(() -> A) -> () -> B'],
];

test('written types are read as far as members can be looked up in them', () => {
  assert.deepEqual(
    READ.map(([text]) => [text, shown(parseType(text))]),
    READ,
  );
});

test('types are nested eight levels deep at most', () => {
  const nested = (depth: number) => `${'A<'.repeat(depth)}B${'>'.repeat(depth)}`;
  assert.equal(shown(parseType(nested(8))), nested(8));
  assert.equal(shown(parseType(nested(9))), `${'A<'.repeat(9)}?${'>'.repeat(9)}`);
});

test('each reader of types remembers its own answers', () => {
  let asked = 0;
  const read = () => {
    asked++;
    return null;
  };
  assert.deepEqual([parseType('Own', read), parseType('Own', read), asked], [null, null, 1]);
  assert.equal(shown(parseType('Own')), 'Own');
  assert.equal(parseType('Own', read), null);
});

test('type parameters are replaced everywhere in a type, and other names are left', () => {
  const bound = (text: string, names?: readonly string[], ...args: string[]) =>
    shown(
      bind(parseType(text) as BoundType, {
        file: 3,
        scope: 7,
        list: args.map((arg) => parseType(arg) as BoundType),
        names,
      }),
    );
  const rows: [given: string, wanted: string][] = [
    [bound('T', undefined, 'Cart'), 'Cart@3.7'],
    [bound('TItem', undefined, 'Cart'), 'Cart@3.7'],
    [bound('Total', undefined, 'Cart'), 'Total'],
    [bound('T', undefined, 'Cart', 'Item'), 'T'],
    [bound('B', ['A', 'B'], 'Cart', 'Item'), 'Item@3.7'],
    [bound('item', ['item'], 'Cart'), 'Cart@3.7'],
    [bound('C', ['A', 'B'], 'Cart', 'Item'), 'C'],
    [bound('B', ['A', 'B'], 'Cart'), 'B'],
    [bound('Box<A>', ['A'], 'Cart'), 'Box<Cart@3.7>'],
    [bound('A<B>', ['A', 'B'], 'Cart', 'Item'), 'A<Item@3.7>'],
    [bound('A[]', ['A'], 'Cart'), '[Cart@3.7]'],
    [bound('A | Item', ['A'], 'Cart'), '(Cart@3.7 | Item)'],
    [bound('(A, B)', ['A', 'B'], 'Cart', 'Item'), '#(Cart@3.7, Item@3.7)'],
    [bound('(a: A) => B', ['A', 'B'], 'Cart', 'Item'), '(Cart@3.7) -> Item@3.7'],
    [bound('{ a: A; b: C }', ['A'], 'Cart'), '{a: Cart@3.7; b: C}'],
    [bound('typeof a', ['a'], 'Cart'), 'typeof a'],
  ];
  assert.deepEqual(
    rows.map(([given]) => given),
    rows.map(([, wanted]) => wanted),
  );
  const value = { is: 'instance', file: 1, symbol: 2 } as const;
  const known = { file: 3, scope: 7, list: [{ is: 'known' as const, value }], names: ['A'] };
  assert.equal(shown(bind(parseType('A') as BoundType, known)), 'known instance');
  assert.deepEqual(
    ['T', 'K', 'TKey', 'Ty', 'TK', 'To', 'AB', 't'].filter((name) => PARAMETER.test(name)),
    ['T', 'K', 'TKey', 'TK'],
  );
});

test('members, mapped types, indexes and conditions are bound in each part; a union decides part by part', () => {
  const name = (head: string): BoundType => ({ is: 'named', head, args: [] }) as BoundType;
  const args = { file: 1, scope: 2, list: [name('Cart'), name('Item')], names: ['A', 'B'] };
  const bound = (type: unknown) => shown(bind(type as BoundType, args));
  assert.equal(bound({ is: 'member', of: name('A'), index: name('B') }), 'Cart@1.2[Item@1.2]');
  assert.equal(bound({ is: 'mapped', of: name('A'), key: 'K', value: name('B') }), '{K in Cart@1.2: Item@1.2}');
  assert.equal(bound({ is: 'object', members: [], index: name('B') }), '{ [Item@1.2]}');
  const condition = { is: 'conditional', pattern: name('B'), inferred: [], parts: [name('A'), name('B')] };
  assert.equal(bound({ ...condition, check: name('C') }), 'C extends Item@1.2 ? Cart@1.2 : Item@1.2');
  assert.equal(bound({ ...condition, check: name('A') }), 'A over Cart@1.2 extends Item@1.2 ? A : Item@1.2');
  assert.equal(
    bound({ ...condition, check: name('A'), over: name('B') }),
    'Cart@1.2 over Item@1.2 extends Item@1.2 ? Cart@1.2 : Item@1.2',
  );
});

const CART =
  'export class Cart { go() {} }\nexport class Item { go() {} }\nexport class Box<T> { held!: T; }\nexport type Maker<T> = (a: string) => T;\n';

/** Types whose `go` the code calls; `?` for a call that leads nowhere. */
function typesOfGo(code: string): string {
  return calls({ 'cart.ts': CART, 'a.ts': `import { Cart, Item, Box, Maker } from './cart';\n${code}\n` })
    .map((line) => /(\?)?\w+\.go /.exec(line))
    .flatMap((match) => (match === null ? [] : [match[1] ?? match[0].replace('.go ', '')]))
    .join();
}

test('a type parameter is the part of the wanted type that stands in its place', () => {
  const rows: [result: string, wanted: string, given: string][] = [
    ['T', 'Cart', 'Cart'],
    ['T[]', 'Cart[]', 'Cart'],
    ['Array<T>', 'Cart[]', 'Cart'],
    ['Box<T>', 'Box<Cart>', 'Cart'],
    ['Promise<T>', 'Promise<Cart>', 'Cart'],
    ['Map<string, T>', 'Map<string, Cart>', 'Cart'],
    ['Maker<T>', 'Maker<Cart>', 'Cart'],
    ['{ of: T }', '{ of: Cart }', 'Cart'],
    ['[Item, T]', '[Item, Cart]', 'Cart'],
    ['[T, Item]', '[Item, Cart]', 'Item'],
    ['T | undefined', 'Cart', 'Cart'],
    ['Box<T>', 'Cart', '?'],
    ['string', 'Cart', '?'],
  ];
  const code = (result: string, wanted: string) =>
    `function f<T>(use: (one: T) => void): ${result} { return null as never; }\nexport const x: ${wanted} = f((one) => { one.go(); });`;
  assert.deepEqual(
    rows.map(([result, wanted]) => [result, wanted, typesOfGo(code(result, wanted))]),
    rows,
  );
});

test('a condition gives a name to the part of a type that stands in its place, for each part of a union', () => {
  const rows: [pattern: string, type: string, given: string][] = [
    ['infer C', 'Cart', 'Cart'],
    ['(infer C)[]', 'Cart[]', 'Cart'],
    ['Array<infer C>', 'Cart[]', 'Cart'],
    ['Box<infer C>', 'Box<Cart>', 'Cart'],
    ['Promise<infer C>', 'Promise<Cart>', 'Cart'],
    ['Map<string, infer C>', 'Map<string, Cart>', 'Cart'],
    ['() => infer C', '() => Cart', 'Cart'],
    ['(a: infer C) => void', '(a: Cart) => void', 'Cart'],
    ['Maker<infer C>', 'Maker<Cart>', 'Cart'],
    ['{ of: infer C }', '{ of: Cart }', 'Cart'],
    ['[Item, infer C]', '[Item, Cart]', 'Cart'],
    ['[infer C, Cart]', '[Item, Cart]', 'Item'],
    ['Box<infer C>', 'Cart', 'Item'],
    ['Box<infer C>', 'Box<Cart> | Box<Item>', 'Cart,Item'],
  ];
  const code = (pattern: string, type: string) =>
    `type Of<T> = T extends ${pattern} ? C : Item;\nexport function run(x: Of<${type}>) { x.go(); }`;
  assert.deepEqual(
    rows.map(([pattern, type]) => [pattern, type, typesOfGo(code(pattern, type))]),
    rows,
  );
});
