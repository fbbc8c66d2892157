/** Names in the text of files that no use explains, and signs in a declaration that somebody outside of the code may use it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  callsByValue,
  computedParts,
  excuseOfDeclaration,
  foreignNames,
  fragmentsOf,
  hasFragment,
  isGiven,
  isItsPath,
  isPasted,
  isUnnamedMember,
  macroWords,
  type NamePlace,
  pastedParts,
  placeExcuse,
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

/** The verdict on the definition of `name` by its declaration; null where nothing spares it. */
const verdictOf = (text: string, name: string, more: object = {}) =>
  excuseOfDeclaration(text.split('\n'), name, { isTopLevel: false, container: '', isValue: false, ...more })?.verdict ??
  null;

test('words of a declaration tell who may use it', () => {
  for (const [text, name, verdict, more] of [
    ['  override fun total() {', 'total', 'framework'],
    ['  virtual void total() {', 'total', 'framework'],
    ['  bool operator ==(Cart other) {', '==', 'framework'],
    ['  protected void total() {', 'total', 'exported'],
    ['  void total() { protected(); }', 'total', null],
    ['  void total() {', 'total', 'exported', { container: 'partial class Cart' }],
    ['  void total() {', 'total', null, { container: 'internal partial class Cart' }],
    ['exports.total = function () {', 'total', 'indirect'],
    ['exports.total = function run() {', 'run', 'exported'],
    ['declare function total(): void', 'total', 'framework'],
    ['  void total();', 'total', 'framework'],
    ['  void total(int width = 1, Style style = {});', 'total', 'framework'],
    ['  return total(1);', 'total', 'framework'],
    ['fn total(&self) {', 'total', 'framework', { isTopLevel: true }],
    ['fn total(self_: u8) {', 'total', null, { isTopLevel: true }],
    ['    const TOTAL: u8 = 1 + {1};', 'TOTAL', 'framework', { isTopLevel: true }],
    ['  public int Total { get; set; }', 'Total', 'indirect', { isValue: true }],
    ['  public static int Total { get; }', 'Total', null, { isValue: true }],
    ['  public int Total() {', 'Total', null],
    ['const cart = register("cart") {}', 'cart', 'indirect', { isValue: true, isTopLevel: true }],
    ['const cart = compute("cart") {}', 'cart', null, { isValue: true, isTopLevel: true }],
    ['static int __attribute__((used)) total(void) {', 'total', 'framework'],
    ['  int total {', 'total', 'indirect', { isValue: true, container: 'record Cart' }],
    ['  int total {', 'total', null, { container: 'record Cart' }],
    ['  x: u8 {', 'x', 'indirect', { isValue: true, container: '#[derive(Hash)] struct Cart' }],
    ['  x: u8 {', 'x', null, { isValue: true, container: '#[derive(Debug, Clone)] struct Cart' }],
    ['  implicit val total = {', 'total', 'framework'],
    ['  memoize def total\n    1\n  end', 'total', 'framework'],
    ['  private def total\n    1\n  end', 'total', null],
    ['cart.total = function () {', 'total', 'indirect'],
    ['function total() {', 'total', null],
  ] as const)
    assert.equal(verdictOf(text, name, more), verdict, text);
});

test('an attribute in front of a name may hand it on, one in its body is about something else', () => {
  assert.equal(verdictOf('#[test]\nfn total() {', 'total'), 'entry-point');
  assert.equal(verdictOf('#[tokio::test]\nfn total() {', 'total'), 'entry-point');
  assert.equal(verdictOf('#[inline]\n#[route(GET)]\nfn total() {', 'total'), 'framework');
  assert.equal(verdictOf('#[inline]\n#[must_use]\nfn total() {', 'total'), null);
  assert.equal(verdictOf('fn total() {\n  #[route(GET)]\n  fn inner() {}\n}', 'total'), null);
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

test('a member of an object without a name is known by the line above that is indented less', () => {
  const lines = [
    'val it = new Generator[Path] {',
    '',
    '    val more = 1',
    '  def next() = 1',
    '}',
    'class Cart {',
    '  def total() = 1',
  ];
  assert.deepEqual(
    [isUnnamedMember(lines, 3), isUnnamedMember(lines, 6), isUnnamedMember(lines, 0)],
    [true, false, false],
  );
  assert.equal(isUnnamedMember(['object : Runnable {', '  fun run() {}'], 1), true);
});

test('a value counts by its place where its file handles memory, or where a list is numbered', () => {
  const excuse = (text: string, first: number, isField: boolean) =>
    placeExcuse(text, text.split('\n'), first, isField) !== null;
  const numbered = 'const (\n\tA = iota\n\tB\n)\nvar C = 1\nconst (\n\tD = 1\n)\n';
  assert.deepEqual(
    [1, 2, 4, 6].map((line) => excuse(numbered, line, false)),
    [true, true, false, false],
  );
  assert.equal(excuse(numbered, 2, true), false);
  assert.deepEqual([excuse('unsafe.Sizeof(x)', 0, true), excuse('unsafe.Sizeof(x)', 0, false)], [true, false]);
});

test('a definition is given away by a comment for a linker, or a bridge to another language', () => {
  assert.equal(isGiven(['//export Total', '// It sums.', 'func Total() {'], 2), true);
  assert.equal(isGiven(['//export Total', '', 'func Total() {'], 2), false);
  assert.equal(isGiven(['//go:linkname total runtime.total', 'func total() {'], 1), true);
  assert.deepEqual([...foreignNames('extern "Rust" {\n fn total(x: u8) -> u8;\n fn own() {}\n}')], ['total']);
  assert.deepEqual([...foreignNames('fn total(x: u8) -> u8;')], []);
});
