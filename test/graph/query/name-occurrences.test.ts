/** Names in the text of files that no use explains. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  callsByValue,
  computedParts,
  foreignNames,
  fragmentsOf,
  hasFragment,
  isItsPath,
  isLostInCode,
  isPasted,
  macroWords,
  type NamePlace,
  pastedParts,
  plainName,
  unexplainedPlaces,
} from '../../../src/graph/query/name-occurrences.js';
import { nodeAt } from '../build.js';
import { graphOf, type Project } from '../link/project.js';

/** Places of names in a file, as `line name`, with what else is known of them. */
function placesIn(project: Project, path: string, ...names: string[]): string[] {
  const graph = graphOf(project);
  return unexplainedPlaces(graph, graph.findFile(path), { text: project[path], names: new Set(names) }).map(
    ({ name, line, isText, isImport, within }) =>
      `${line} ${name}${isText ? ' text' : ''}${isImport ? ' import' : ''}${within.length > 0 ? ` in ${within}` : ''}`,
  );
}

test('a name is explained by its definition, by uses that lead there, and in comments; not in text and in other uses', () => {
  const project = {
    'cart.ts': 'export class Cart {\n  total() { return 1; }\n}\nexport const tax = 1;\n',
    'app.ts': [
      "import { Cart, tax } from './cart';",
      'const cart = new Cart(); // a Cart',
      'cart.total(); other.total();',
      '/* tax */',
      "const key = 'shop.cart.Cart' + `tax`;",
      'thing.tax = Cart$total$;',
      "export { tax } from './cart';",
      '',
    ].join('\n'),
  };
  assert.deepEqual(placesIn(project, 'app.ts', 'Cart', 'tax', 'total'), [
    ...['1 Cart import', '1 tax import', '5 Cart text in shop,cart', '5 tax text', '6 tax'],
    ...['6 Cart', '6 total'],
  ]);
  assert.deepEqual(placesIn(project, 'cart.ts', 'Cart', 'tax', 'total'), []);
});

test('a name counts behind the letter of an escape, and one of several words where it stands as a whole', () => {
  const project = {
    'hook.sh': "install() { :; }\nHOOK=$'trap - DEBUG\\ninstall'\nWORD='\\binstall\\b'\nFOLDER=ninstall\n",
    'sheets.ts': "export interface Sheets {\n  'add-cart': string;\n}\n",
    'app.ts': "open('add-cart');\nopen('re-add-cart');\nopen('add-carts');\nopen(add - cart);\n",
  };
  assert.deepEqual(placesIn(project, 'hook.sh', 'install'), ['2 install text', '3 install text']);
  assert.deepEqual(placesIn(project, 'app.ts', 'add-cart'), ['1 add-cart text']);
  assert.deepEqual(placesIn(project, 'sheets.ts', 'add-cart'), []);
});

test('prose names things and uses none; data may, and a page calls functions', () => {
  const project = {
    'a.ts': 'export function total() {}\n',
    'README.md': 'Call `total`.\n',
    'CHANGELOG.yml': 'fixed: total\n',
    'docs/site.xml': '<p>total</p>\n',
    'shop.yml': 'run: shop.total\nother: x/total\n',
    'page.html': '<a onclick="total()">x</a>\n',
    'phpstan-baseline.neon': 'path: src/total.php\n',
    '.idea/targets.xml': '<state name="total">\n',
    '.idea/runConfigurations/run.xml': '<option value="shop.total">\n',
  };
  const found = Object.keys(project).map((path) => [path, placesIn(project, path, 'total').length]);
  assert.deepEqual(Object.fromEntries(found), {
    ...{ 'a.ts': 0, 'README.md': 0, 'CHANGELOG.yml': 0, 'docs/site.xml': 0, 'shop.yml': 2, 'page.html': 1 },
    ...{ 'phpstan-baseline.neon': 0, '.idea/targets.xml': 0, '.idea/runConfigurations/run.xml': 1 },
  });
  assert.deepEqual(placesIn(project, 'shop.yml', 'total'), ['1 total', '2 total']);
});

test('a path before a name leads to a definition by its type, its file or its folder', () => {
  const graph = graphOf({
    'shop/cart.ts': 'export class Cart { total() {} }\nexport function tax() {}\n',
    'shop/tax.ts': 'export function tax() {}\n',
  });
  const leads = (place: string, ...within: string[]) =>
    isItsPath(graph, nodeAt(graph, place), { within } as never as NamePlace);
  assert.deepEqual([leads('shop/cart.ts:Cart.total', 'Cart'), leads('shop/cart.ts:Cart.total', 'cart')], [true, false]);
  assert.deepEqual([leads('shop/cart.ts:tax', 'shop', 'cart'), leads('shop/cart.ts:tax', 'cart')], [true, true]);
  assert.deepEqual([leads('shop/cart.ts:tax', 'shop'), leads('shop/tax.ts:tax', 'shop')], [false, true]);
  assert.deepEqual([leads('shop/cart.ts:tax', 'a', 'shop'), leads('shop/cart.ts:tax')], [true, false]);
  assert.deepEqual(['#total', 'total?', 'total!', 'total'].map(plainName), Array(4).fill('total'));
});

test('macros paste words into names', () => {
  const words = macroWords(
    'DEFINE_TYPE (Cart, cart)\n  USE_IT(basket)\nplain(other)\n#define CLASS(name) name ## _class\n',
  );
  assert.deepEqual(
    ['Cart', 'cart', 'basket', '##cart##', '##_class'].map((word) => words.has(word)),
    Array(5).fill(true),
  );
  assert.deepEqual(
    ['other', '##basket##'].map((word) => words.has(word)),
    [false, false],
  );
  assert.deepEqual(
    ['cart_init', 'make_cart', 'my_cart_init', 'my_class', 'tax_init', 'cart'].map((name) => isPasted(name, words)),
    [...[true, true, true, true, false, false]],
  );
  assert.deepEqual([...pastedParts('read_##name, name##_init, plain')], ['read_##', '##name', 'name##', '##_init']);
  assert.deepEqual([...pastedParts('read_name')], []);
});

test('names that code puts together have their parts in quotes', () => {
  assert.deepEqual(fragmentsOf('load_from_json'), ['_from_json', 'load_from_']);
  assert.deepEqual(fragmentsOf('_a_b'), []);
  assert.deepEqual(fragmentsOf('addButtonPicker'), ['addButton']);
  for (const [text, fragment, has] of [
    ['getattr(self, "_load_" + kind)', '_load_', true],
    ['f"_load_{kind}"', '_load_', true],
    ['"a_load_{kind}"', '_load_', false],
    ['"%s_json"', '_json', true],
    ['x_json', '_json', false],
    ['first _load_ "_load_"', '_load_', true],
    ["run = 'addButton' + kind;", 'addButton', true],
    ["'addButton'", 'addButton', false],
    ["'reAddButton' + kind", 'addButton', false],
  ] as const)
    assert.equal(hasFragment(text, fragment), has, text);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a file.
  assert.deepEqual(computedParts('"read_#{kind}", `${kind}Reader`, "load_" + x, y + "_json"'), [
    ['read_', ''],
    ['', 'Reader'],
    ['load_', ''],
    ['', '_json'],
  ]);
  // A beginning that is too short to tell, before a value and the end.
  assert.deepEqual(computedParts('$this->{"_{$type}Parts"}'), [['', 'Parts']]);
  assert.deepEqual(computedParts('quickCheckAll'), [['prop_', '']]);
  assert.deepEqual(computedParts('plain "text"'), []);
});

test('members are called by values where a file sends, asks for or indexes with a name that a variable holds', () => {
  for (const text of [
    'send(rule)',
    'method(rule).call(text)',
    'cart.public_send(@name, 1)',
    'getattr(self, name)()',
    'this[step.kind](cart)',
    '$this->$name($cart)',
    '$this->{$name}()',
    'call_user_func([$this, $name])',
  ])
    assert.equal(callsByValue(text), true, text);
  for (const text of ['send(:total)', "getattr(self, 'total')", 'this[0](cart)', '$this->total()', 'this[name] = 1'])
    assert.equal(callsByValue(text), false, text);
});

test('a bridge to another language declares functions without their bodies', () => {
  assert.deepEqual([...foreignNames('extern "Rust" {\n fn total(x: u8) -> u8;\n fn own() {}\n}')], ['total']);
  assert.deepEqual([...foreignNames('fn total(x: u8) -> u8;')], []);
});

test('a bare name is asked of nothing and is no key; the text that documents a definition is prose', () => {
  const project = {
    'cart.py': [
      'class Cart:',
      '    def total(self):',
      '        return 1',
      '',
      'def sale(total, cart, other):',
      '    """Halves the total."""',
      '    other(total=1)',
      '    query = """total"""',
      '    return total',
      '',
    ].join('\n'),
    'sale.php':
      '<?php\nfunction sale($total) {\n  give($total);\n  return Shop::$total;\n}\nforeach ($total as $one) {\n  use A { total as sum; }\n}\n',
    'App.java': 'class App {\n  int sale(int total) {\n    return total;\n  }\n}\n',
    'Other.java': 'import static shop.Cart.total;\nclass Other {\n  int sale(int total) { return 1; }\n}\n',
  };
  const graph = graphOf(project);
  const told = (path: keyof typeof project) =>
    unexplainedPlaces(graph, graph.findFile(path), { text: project[path], names: new Set(['total']) })
      .filter(({ isImport }) => !isImport)
      .map(({ line, isBare, isProse }) => `${line}${isBare ? ' bare' : ''}${isProse ? ' prose' : ''}`);
  assert.deepEqual(told('cart.py'), ['5 bare', '6 prose', '7', '8', '9 bare']);
  assert.deepEqual(told('sale.php'), ['2 bare', '3 bare', '4', '6 bare', '7']);
  assert.deepEqual(told('App.java'), ['2 bare', '3 bare']);
  assert.deepEqual(told('Other.java'), ['3']);
});

test('no string in code names a function whose name the program does not keep', () => {
  const graph = graphOf({
    'cart.go':
      'package cart\n\ntype Cart struct{}\n\nfunc total() {}\n\nfunc Total() {}\n\nfunc (c *Cart) sum() {}\n\nvar rate = 1\n',
    'other.go': 'package cart\n',
    'cart.cpp': 'static int total() { return 1; }\nint sum() { return 1; }\nclass Cart {\n  void renew() {}\n};\n',
    'cart.rs': 'fn total() {}\n',
    'jobs.yml': 'run: total\n',
  });
  const lostIn = (place: string) => {
    const isLost = isLostInCode(graph, nodeAt(graph, place));
    return graph.tables.files.filter((_, file) => isLost(file)).map(({ path }) => path);
  };
  assert.deepEqual(lostIn('cart.go:total'), ['cart.go', 'other.go'], 'a file of configuration may name anything');
  assert.deepEqual(lostIn('cart.go:Cart.sum'), ['cart.go', 'other.go']);
  assert.deepEqual(lostIn('cart.cpp:total'), ['cart.cpp']);
  for (const place of ['cart.go:Total', 'cart.go:rate', 'cart.cpp:sum', 'cart.cpp:Cart.renew', 'cart.rs:total'])
    assert.deepEqual(lostIn(place), [], place);
});
