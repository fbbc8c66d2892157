/** Parts of a function in which a name means something else: exact bindings and access paths, from places and conditions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noRawRelations, type RawPathNarrowing } from '../../../src/extract/relations/fact-sink.js';
import { heldAgain, narrowedBindings, narrowUses, type Placed } from '../../../src/extract/relations/narrowings.js';
import type { Enclosing } from '../../../src/extract/relations/scopes.js';

/** Ten characters make a line. */
const lineOf = (at: number): number => Math.floor(at / 10) + 1;
const placed = (at: number, name: string, type = 'Cart', isLocal = true, scope = 0): Placed => ({
  ...{ at, isLocal },
  binding: { scope, name, type, value: '', line: lineOf(at) },
});
const told = (found: readonly Placed[]): string[] =>
  found.map(
    ({ at, isLocal, binding }) =>
      `${at} ${binding.name}:${binding.type} line ${binding.line}${isLocal ? '' : ' field'}`,
  );

/** Everything up to 100 is in function 0, and the rest in function 1. */
function around(): { of: Enclosing; rewound: () => number } {
  let count = 0;
  const of = { rewind: () => count++, function: (at: number) => (at < 100 ? 0 : 1) } as unknown as Enclosing;
  return { of, rewound: () => count };
}
const narrowing = (start: number, end: number, name = 'x', type = 'Basket') => ({ start, end, name, type, value: '' });
const narrowed = (narrowings: ReturnType<typeof narrowing>[], found: Placed[]) =>
  told(narrowedBindings(narrowings, found, around().of, lineOf));

test('a narrowed local has the other type from the condition on, and its own on the line behind the block', () => {
  assert.deepEqual(narrowed([narrowing(10, 29)], [placed(0, 'x')]), ['10 x:Basket line 2', '29 x:Cart line 4']);
  assert.deepEqual(
    narrowed([narrowing(10, 28)], [placed(0, 'x')]),
    ['10 x:Basket line 2'],
    'the text goes on in that line',
  );
  assert.deepEqual(narrowed([], [placed(0, 'x')]), []);
  const { of, rewound } = around();
  narrowedBindings([narrowing(10, 29)], [placed(0, 'x')], of, lineOf);
  assert.equal(rewound(), 1);
});

test('a name that is bound in the block keeps that binding behind it; one bound at its end or later does not count', () => {
  const ends = (at: number) => narrowed([narrowing(10, 39)], [placed(0, 'x'), placed(at, 'x', 'New')]);
  assert.deepEqual(ends(20), ['10 x:Basket line 2']);
  assert.deepEqual(ends(11), ['10 x:Basket line 2']);
  assert.deepEqual(ends(39), ['10 x:Basket line 2', '39 x:Cart line 5']);
  assert.deepEqual(
    ends(5),
    ['10 x:Basket line 2', '39 x:New line 5'],
    'the last one before the condition applies again',
  );
});

test('only a local of the same function that was bound before is narrowed', () => {
  const block = [narrowing(10, 29)];
  assert.deepEqual(narrowed(block, [placed(0, 'y')]), []);
  assert.deepEqual(narrowed(block, [placed(0, 'x', 'Cart', false)]), []);
  assert.deepEqual(narrowed(block, [placed(12, 'x')]), []);
  assert.deepEqual(narrowed(block, [placed(0, 'x', 'Cart', true, 1)]), []);
  assert.deepEqual(narrowed([narrowing(110, 129)], [placed(0, 'x'), placed(100, 'x', 'Other', true, 1)]), [
    ...['110 x:Basket line 12', '129 x:Other line 14'],
  ]);
});

test('several conditions are told in the order of the text', () => {
  assert.deepEqual(narrowed([narrowing(40, 59, 'x', 'B'), narrowing(10, 29, 'x', 'A')], [placed(0, 'x')]), [
    ...['10 x:A line 2', '29 x:Cart line 4', '40 x:B line 5', '59 x:Cart line 7'],
  ]);
});

interface Stated {
  uses: [at: number, path: string][];
  conditions: [start: number, end: number, path: string, mark: string][];
  bound?: [at: number, name: string, place?: string][];
}

/** Receivers of uses after conditions have marked them. */
function marked({ uses, conditions, bound = [] }: Stated): string[] {
  const raw = noRawRelations();
  raw.references = uses.map(([at, receiver]) => ({ at, receiver })) as unknown as typeof raw.references;
  raw.bindings = bound.map(([at, name, place = 'local']) => ({
    at,
    name,
    place,
    value: '',
  })) as unknown as typeof raw.bindings;
  raw.pathNarrowings = conditions.map(([start, end, path, mark]): RawPathNarrowing => ({ start, end, path, mark }));
  narrowUses(raw);
  return raw.references.map(({ receiver }) => receiver);
}
const OPEN: Stated['conditions'][number] = [10, 20, 'cart', '(kind=open)'];

test('an access path is marked from the start of a condition to its end', () => {
  const uses = [9, 10, 15, 19, 20].map((at): [number, string] => [at, 'cart.items']);
  assert.deepEqual(marked({ uses, conditions: [OPEN] }), [
    ...['cart.items', 'cart(kind=open).items', 'cart(kind=open).items', 'cart(kind=open).items', 'cart.items'],
  ]);
  const paths = ['cart', 'cart[0]', 'cart.a.b', 'carts', 'cart()', 'bag.cart'];
  assert.deepEqual(marked({ uses: paths.map((path) => [12, path]), conditions: [OPEN] }), [
    ...['cart(kind=open)', 'cart(kind=open)[0]', 'cart(kind=open).a.b', 'carts', 'cart()', 'bag.cart'],
  ]);
  assert.deepEqual(marked({ uses: [[12, 'cart']], conditions: [] }), ['cart']);
});

test('the first value of a variable is marked as well as a receiver', () => {
  const raw = noRawRelations();
  raw.bindings = [{ at: 12, name: 'y', place: 'local', value: 'cart.items' }] as unknown as typeof raw.bindings;
  raw.pathNarrowings = [{ start: 10, end: 20, path: 'cart', mark: '(kind=open)' }];
  narrowUses(raw);
  assert.equal(raw.bindings[0].value, 'cart(kind=open).items');
});

test('conditions on a value and on what it holds mark both, and the same mark counts once', () => {
  const inner: Stated['conditions'][number] = [11, 18, 'cart.meta', '(ok!)'];
  const uses: Stated['uses'] = [
    [12, 'cart.meta.id'],
    [12, 'cart.other'],
    [18, 'cart.meta.id'],
  ];
  assert.deepEqual(marked({ uses, conditions: [OPEN, inner] }), [
    ...['cart(kind=open).meta(ok!).id', 'cart(kind=open).other', 'cart(kind=open).meta.id'],
  ]);
  assert.deepEqual(marked({ uses: [[12, 'cart']], conditions: [OPEN, [11, 19, 'cart', '(kind=open)']] }), [
    'cart(kind=open)',
  ]);
  assert.deepEqual(marked({ uses: [[12, 'cart']], conditions: [OPEN, [11, 19, 'cart', '(paid=yes)']] }), [
    'cart(kind=open)(paid=yes)',
  ]);
});

test('values of one property that conditions exclude become one list, before other marks', () => {
  const not = (value: string, start = 10): Stated['conditions'][number] => [start, 20, 'x', `(kind!=${value})`];
  const one = (...conditions: Stated['conditions']) => marked({ uses: [[15, 'x']], conditions })[0];
  assert.equal(one(not('a'), not('b', 11)), 'x(kind!=a|b)');
  assert.equal(one(not('a|b'), not('b|c', 11)), 'x(kind!=a|b|c)');
  assert.equal(one([10, 20, 'x', '(paid=yes)'], not('a', 11)), 'x(kind!=a)(paid=yes)');
  assert.equal(one(not('*'), not('a', 11)), 'x(kind!=a)(kind!=*)');
  assert.equal(one(not('a'.repeat(110)), not('b', 11)), `x(kind!=${'a'.repeat(110)})`, 'no list is longer');
  assert.equal(one(not('a'.repeat(111))), 'x');
});

test('a new value of the name ends a condition, but no field of that name does', () => {
  const uses: Stated['uses'] = [
    [12, 'cart'],
    [14, 'cart'],
    [15, 'cart'],
  ];
  const after = ['cart(kind=open)', 'cart', 'cart'];
  assert.deepEqual(marked({ uses, conditions: [OPEN], bound: [[14, 'cart']] }), after);
  assert.deepEqual(
    marked({
      uses,
      conditions: [OPEN],
      bound: [
        [18, 'cart'],
        [14, 'cart'],
        [3, 'cart'],
      ],
    }),
    after,
  );
  const all = ['cart(kind=open)', 'cart(kind=open)', 'cart(kind=open)'];
  assert.deepEqual(marked({ uses, conditions: [OPEN], bound: [[14, 'cart', 'field']] }), all);
  assert.deepEqual(
    marked({
      uses,
      conditions: [OPEN],
      bound: [
        [14, 'other'],
        [9, 'cart'],
      ],
    }),
    all,
  );
});

test('twelve conditions around a use count, and a path that grows too long stays as it is', () => {
  const many = Array.from({ length: 14 }, (_, i): Stated['conditions'][number] => [10 + i, 90, 'x', `(k${i}=v)`]);
  const [path] = marked({ uses: [[50, 'x']], conditions: many });
  assert.equal(
    path,
    `x${many
      .slice(0, 12)
      .map(([, , , mark]) => mark)
      .join('')}`,
  );
  assert.deepEqual(
    marked({ uses: [[15, 'cart.items']], conditions: [[10, 20, 'cart', `(kind=${'v'.repeat(1000)})`]] }),
    ['cart.items'],
  );
});

const closure = (start: number, end: number, scope = 0) => ({ start, end, scope });
const again = (bindings: Placed[], closures: ReturnType<typeof closure>[]) =>
  told(heldAgain(bindings, closures, lineOf));

test('behind a closure its names mean again what they meant before it, from the next line on', () => {
  assert.deepEqual(again([placed(0, 'r'), placed(12, 'r', 'Row')], [closure(11, 25)]), ['25 r:Cart line 4']);
  assert.deepEqual(again([placed(0, 'r'), placed(12, 'other', 'Row')], [closure(11, 25)]), []);
  assert.deepEqual(again([placed(12, 'r', 'Row')], [closure(11, 25)]), [], 'it meant nothing before');
  assert.deepEqual(
    again([placed(0, 'r'), placed(25, 'r', 'Row')], [closure(11, 25)]),
    [],
    'it is bound behind the closure',
  );
  assert.deepEqual(
    again([placed(0, 'r'), placed(12, 'r', 'Row', false)], [closure(11, 25)]),
    [],
    'a field is no name of a closure',
  );
  assert.deepEqual(again([placed(0, 'r', 'Cart', true, 1), placed(12, 'r', 'Row')], [closure(11, 25)]), []);
  assert.deepEqual(again([placed(0, 'r'), placed(12, 'r', 'Row')], []), []);
});

test('a closure that starts on a line with other code binds its names from the next line on, unless it ends there', () => {
  const long = [placed(0, 'r'), placed(12, 'r', 'Row'), placed(22, 'r', 'Own')];
  heldAgain(long, [closure(11, 35)], lineOf);
  assert.deepEqual(told(long), ['0 r:Cart line 1', '12 r:Row line 3', '22 r:Own line 3']);
  const short = [placed(0, 'r'), placed(12, 'r', 'Row')];
  assert.deepEqual(again(short, [closure(11, 19)]), ['19 r:Cart line 3']);
  assert.deepEqual(told(short), ['0 r:Cart line 1', '12 r:Row line 2']);
});

test('what a closure before bound is unknown in a later one, and a closure inside of another gives back the outer name', () => {
  const one = [placed(0, 'r'), placed(12, 'r', 'Row'), placed(42, 'r', 'Line')];
  assert.deepEqual(again(one, [closure(11, 25), closure(41, 55)]), ['25 r:Cart line 4', '55 r:Cart line 7']);
  const nested = [placed(0, 'r'), placed(12, 'r', 'Outer'), placed(22, 'r', 'Inner')];
  assert.deepEqual(again(nested, [closure(11, 55), closure(21, 35)]).sort(), ['35 r:Outer line 5', '55 r:Cart line 7']);
  const apart = [placed(12, 'r', 'Row'), placed(42, 'r', 'Line')];
  assert.deepEqual(again(apart, [closure(11, 25), closure(41, 55)]), []);
});
