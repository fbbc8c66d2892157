/** Signs in a declaration, and around it, that somebody outside of the code may use it, or that only its file can name it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  excuseOfAccess,
  excuseOfDeclaration,
  isFileOwn,
  isGiven,
  isUnnamedMember,
  placeExcuse,
} from '../../../src/graph/query/declaration-signs.js';
import { nodeAt } from '../build.js';
import { graphOf } from '../link/project.js';

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
    ['  private fun Cart.total(): Int {', 'total', null],
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

test('a definition is given away by a comment for a linker', () => {
  assert.equal(isGiven(['//export Total', '// It sums.', 'func Total() {'], 2), true);
  assert.equal(isGiven(['//export Total', '', 'func Total() {'], 2), false);
  assert.equal(isGiven(['//go:linkname total runtime.total', 'func total() {'], 1), true);
});

test('a declaration says that only its file can name it; not by a word of its attributes, nor in what others take over', () => {
  const project = {
    'Cart.java':
      'package shop;\npublic class Cart {\n  @Named("private") int open() { return 1; }\n  private int total() { return 1; }\n}\n',
    'Cart.kt': 'class Cart {\n  private val rate by option()\n  internal val sum = 1\n}\n',
    'cart.php': '<?php\ntrait Taxed { private function tax() {} }\nclass Cart { private $lines; protected $open; }\n',
    'cart.ts': 'export class Cart {\n  #total = 1;\n  private sum = 2;\n  open = 3;\n}\n',
    'Cart.cs': 'class Cart { private protected int Open() { return 1; } private int Total() { return 1; } }\n',
  };
  const graph = graphOf(project);
  const own = ([path, name]: readonly [keyof typeof project, string]) =>
    isFileOwn(graph, nodeAt(graph, `${path}:${name}`), project[path].split('\n'));
  assert.deepEqual(
    (
      [
        ...[
          ['Cart.java', 'Cart.open'],
          ['Cart.java', 'Cart.total'],
          ['Cart.kt', 'Cart.rate'],
          ['Cart.kt', 'Cart.sum'],
        ],
        ...[
          ['cart.php', 'Taxed.tax'],
          ['cart.php', 'Cart.lines'],
          ['cart.php', 'Cart.open'],
        ],
        ...[
          ['cart.ts', 'Cart.#total'],
          ['cart.ts', 'Cart.sum'],
          ['cart.ts', 'Cart.open'],
        ],
        ...[
          ['Cart.cs', 'Cart.Open'],
          ['Cart.cs', 'Cart.Total'],
        ],
      ] as [keyof typeof project, string][]
    ).map(own),
    [false, true, true, false, false, true, false, true, true, false, false, true],
  );
});

test('c++: subclasses elsewhere can name what a label makes protected, and what is public in a type that is', () => {
  const project = {
    'cart.h': [
      'class Cart {',
      '  int first_;',
      ' protected:',
      '  struct Row {',
      '    int price;',
      '   private:',
      '    int secret;',
      '  };',
      '  int total_;',
      ' private: // nobody',
      '  int hidden_;',
      ' public:',
      '  int open;',
      '};',
      '',
    ].join('\n'),
    'Cart.java': 'class Cart {\n  protected int total;\n}\n',
  };
  const graph = graphOf(project);
  const isSpared = (place: string) =>
    excuseOfAccess(graph, nodeAt(graph, place), project[place.split(':')[0] as keyof typeof project].split('\n')) !==
    null;
  const all = ['first_', 'Row', 'Row.price', 'Row.secret', 'total_', 'hidden_', 'open'];
  assert.deepEqual(
    all.filter((name) => isSpared(`cart.h:Cart.${name}`)),
    ['Row', 'Row.price', 'total_'],
  );
  assert.equal(isSpared('Cart.java:Cart.total'), false, 'its own word tells');
});
