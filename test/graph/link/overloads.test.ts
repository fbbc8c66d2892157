/** Arguments and types tell overloads apart, and which member overrides which. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answerImpact } from '../../../src/questions/graph/impact/answer.js';
import type { ImpactValues } from '../../../src/questions/graph/impact/question.js';
import { Session } from '../../../src/session/session.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

async function open(t: TestContext, files: Record<string, string>): Promise<{ repo: TestRepo; session: Session }> {
  const repo = createRepo();
  repo.commit(files);
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  return { repo, session };
}

/** `SYMBOL` of the direct users of a target, and how many definitions it has. */
async function usersOf(session: Session, target: string): Promise<[number, string[]]> {
  const found = await answerImpact(askerOf(session), { target, depth: 1, minConfidence: 0 } as ImpactValues);
  assert.ok('hops' in found);
  const users = found.hops.flatMap(({ affected }) => affected.map(({ symbol, path }) => symbol ?? path));
  return [found.definitions.length, users.sort()];
}

/** Symbols that use the definition at each of these lines. */
async function usersByLine(session: Session, file: string, lines: readonly number[]): Promise<string[][]> {
  const found: string[][] = [];
  for (const line of lines) found.push((await usersOf(session, `${file}:${line}`))[1]);
  return found;
}

test('java, c#, kotlin: the number of arguments tells which overload a call means; by name all are asked for', async (t) => {
  const { session } = await open(t, {
    'T.java':
      'public class T {\n  void put(String a) {}\n  void put(String a, int b) {}\n  void put(int... all) {}\n' +
      '  public void one(String a) { put(a); }\n  public void two(String a) { put(a, 1); }\n  public void many() { put(1, 2, 3); }\n}\n',
    'U.cs':
      'public class U {\n  void Put(string a) {}\n  void Put(string a, int b) {}\n  void Put(params int[] all) {}\n' +
      '  public void One(string a) { Put(a); }\n  public void Two(string a) { Put(a, 1); }\n  public void Many() { Put(1, 2, 3); }\n}\n',
    'V.kt':
      'class V {\n  fun put(a: String) {}\n  fun put(a: String, b: Int) {}\n  fun put(vararg all: Int) {}\n' +
      '  fun one(a: String) { put(a) }\n  fun two(a: String) { put(a, 1) }\n  fun many() { put(1, 2, 3) }\n}\n',
  });
  assert.deepEqual(await usersByLine(session, 'T.java', [2, 3, 4]), [['T.one'], ['T.two'], ['T.many']]);
  assert.deepEqual(await usersByLine(session, 'U.cs', [2, 3, 4]), [['U.One'], ['U.Two'], ['U.Many']]);
  assert.deepEqual(await usersByLine(session, 'V.kt', [2, 3, 4]), [['V.one'], ['V.two'], ['V.many']]);
  assert.deepEqual(await usersOf(session, 'T.put'), [3, ['T.many', 'T.one', 'T.two']]);
});

test('java, c#: arguments tell which constructor makes an object, one that does not tell it is a use of each', async (t) => {
  const { session } = await open(t, {
    'T.java':
      'class Cart {\n  Cart(int a) {}\n  Cart(int a, String b) {}\n  Cart(String a) {}\n}\n' +
      'class Main {\n  void one() { new Cart(1); }\n  void two() { new Cart(1, ""); }\n  void text() { new Cart("x"); }\n' +
      '  void any() { new Cart(Lib.it()); }\n}\n',
    'U.cs':
      'class Till {\n  public Till() {}\n  public Till(int a) {}\n}\nclass Own : Till {}\n' +
      'class Shop {\n  void None() { new Till(); }\n  void One() { new Till(1); }\n  void Below() { new Own(); }\n}\n',
  });
  assert.deepEqual(await usersByLine(session, 'T.java', [2, 3, 4]), [
    ['Main.any', 'Main.one'],
    ['Main.two'],
    ['Main.any', 'Main.text'],
  ]);
  assert.deepEqual((await usersOf(session, 'Cart.Cart'))[1], ['Main.any', 'Main.one', 'Main.text', 'Main.two']);
  assert.deepEqual(await usersByLine(session, 'U.cs', [2, 3]), [['Shop.Below', 'Shop.None'], ['Shop.One']]);
});

test('java: types of arguments tell overloads apart: literals, names of the file, classes above, members of other files', async (t) => {
  const { session } = await open(t, {
    'shop/Kind.java':
      'package shop;\npublic enum Kind { OPEN; public static byte[] bytes(String s) { return null; } }\n',
    'shop/Base.java': 'package shop;\npublic class Base { }\nclass Sub extends Base { }\n',
    'shop/T.java':
      'package shop;\npublic class T {\n  void put(String a) {}\n  void put(int a) {}\n  void put(byte[] a) {}\n  void put(Base a) {}\n  void put(Kind a) {}\n' +
      '  void put(Object a) {}\n  void text(int n) { put("a" + n); }\n  void number() { int n = 1; put(n); }\n  void bytes() { put(Kind.bytes("a")); }\n' +
      '  void above() { put(new Sub()); }\n  void constant() { put(Kind.OPEN); }\n  void other(StringBuilder b) { put(b); }\n}\n',
  });
  assert.deepEqual(await usersByLine(session, 'shop/T.java', [3, 4, 5, 6, 7, 8]), [
    ['T.text'],
    ['T.number'],
    ['T.bytes'],
    ['T.above'],
    ['T.constant'],
    ['T.other'],
  ]);
});

test('java: what the text does not tell is a use of each overload that it may mean', async (t) => {
  const { session } = await open(t, {
    'T.java':
      'public class T {\n  void put(String a) {}\n  void put(Integer a) {}\n  void put(String a, int b) {}\n' +
      '  void use(java.util.List<T> all) { put(all.get(0).found()); }\n}\n',
  });
  assert.deepEqual(await usersByLine(session, 'T.java', [2, 3, 4]), [['T.use'], ['T.use'], []]);
});

test('java: types of the library tell overloads apart: which is above which, what a number becomes, what anything may be', async (t) => {
  const { session } = await open(t, {
    'T.java':
      'import java.util.*;\nclass T extends Number {\n  void put(int n) {}\n  void put(Object o) {}\n  void put(Collection<?> c) {}\n  void put(Map<?, ?> m) {}\n' +
      '  T(Map<?, ?> m) {}\n  T(Object o) {}\n  T(T t, CharSequence s) {}\n' +
      '  void boxed() { put(Integer.valueOf(1)); }\n  void plain() { put(1); }\n  void list() { put(new ArrayList<String>()); put(Arrays.asList(1)); }\n' +
      '  void map(TreeMap<String, T> m) { put(m); }\n  void date(Date d, Object o) { put(d); put(o); }\n  void own() { put(this); }\n' +
      '  T big(java.math.BigInteger n) { return new T(n); }\n  T copy() { return new T(this, "x"); }\n  T none(HashMap<String, T> m) { return new T(m); }\n}\n',
  });
  assert.deepEqual(await usersByLine(session, 'T.java', [3, 4, 5, 6, 7, 8, 9]), [
    ['T.plain'],
    ['T.boxed', 'T.date', 'T.own'],
    ['T.list'],
    ['T.map'],
    ['T.none'],
    ['T.big'],
    ['T.copy'],
  ]);
});

test('java: a call that no overload of the class takes means one of its parent', async (t) => {
  const { session } = await open(t, {
    'T.java':
      'class A {\n  void put(int a) {}\n}\nclass B extends A {\n  void put(int a, int b) {}\n  void use() { put(1); put(1, 2); }\n}\n',
  });
  assert.deepEqual(await usersByLine(session, 'T.java', [2, 5]), [['B.use'], ['B.use']]);
  const { session: other } = await open(t, {
    'T.java':
      'class A {\n  void put(int a) {}\n}\nclass B extends A {\n  void put(int a, int b) {}\n  void use() { put(1); }\n}\n',
  });
  assert.deepEqual(await usersByLine(other, 'T.java', [2, 5]), [['B.use'], []]);
});

test('swift: labels tell overloads apart', async (t) => {
  const { session } = await open(t, {
    'T.swift':
      'class T {\n  func put(key: String) {}\n  func put(item: Int) {}\n  func one() { put(key: "a") }\n  func two() { put(item: 1) }\n}\n',
  });
  assert.deepEqual(await usersByLine(session, 'T.swift', [2, 3]), [['T.one'], ['T.two']]);
});

test('a private member and one with another number of parameters override nothing, in a graph from records', async (t) => {
  const { session } = await open(t, {
    'T.java':
      'class A {\n  void put(int a) {}\n  void own() {}\n  void use() { put(1); own(); }\n}\n' +
      'class B extends A {\n  void put(int a) {}\n  void put(int a, int b) {}\n  private void own() {}\n}\n',
    'go.mod': 'module example.com/p\n',
    'a.go':
      'package p\n\ntype Putter interface {\n\tPut(a int)\n}\n\nfunc use(p Putter) { p.Put(1) }\n\ntype A struct{}\n\nfunc (A) Put(a int) {}\n\n' +
      'type B struct{}\n\nfunc (B) Put(a, b int) {}\n',
  });
  assert.deepEqual(await usersByLine(session, 'T.java', [7, 8, 9]), [['A.use'], [], []]);
  assert.deepEqual(await usersByLine(session, 'a.go', [11, 15]), [['use'], []]);
});

test('a member overrides one with the same types of parameters: type parameters are any, names of an alias too', async (t) => {
  const { session } = await open(t, {
    'Coder.java':
      'interface Coder<T> { Object code(Object it); void each(T it); void plain(shop.Cart it); void many(byte[] all, int at); }\n',
    'Text.java':
      'class Text implements Coder<String> {\n' +
      '  public String code(String it) { return it; }\n' +
      '  public Object code(Object it) { return it; }\n' +
      '  public void each(String it) {}\n' +
      '  public void plain(final @Own Cart it) {}\n' +
      '  public void many(byte[] all, long at) {}\n' +
      '}\n',
    'Main.java':
      'class Main { static void run(Coder<String> c, Object o, byte[] b) { c.code(o); c.each(""); c.plain(null); c.many(b, 1); } }\n',
    'shape.kt':
      'typealias Ids = List<String>\ninterface Shape { fun draw(on: Page); fun fill(by: Ids); fun <E> put(it: E) }\n' +
      'class Box : Shape {\n  fun draw(on: Screen) {}\n  override fun fill(by: List<String>) {}\n  override fun <A> put(it: A) {}\n}\n' +
      'fun show(shape: Shape) { shape.draw(p); shape.fill(ids); shape.put(1) }\n',
    'Shape.cs':
      'interface IShape { void Draw(string on); void Fill(Page by); }\n' +
      'class Box : IShape {\n  public void Draw(String on) {}\n  public void Fill(Screen by) {}\n}\n' +
      'class Program { static void Run(IShape shape) { shape.Draw(""); shape.Fill(null); } }\n',
  });
  for (const [place, users] of [
    ['Text.java:2', []],
    ['Text.java:3', ['Main.run']],
    ['Text.java:4', ['Main.run']],
    ['Text.java:5', ['Main.run']],
    ['Text.java:6', []],
    ['shape.kt:4', []],
    ['shape.kt:5', ['show']],
    ['shape.kt:6', ['show']],
    ['Shape.cs:3', ['Program.Run']],
    ['Shape.cs:4', []],
  ] as const)
    assert.deepEqual((await usersOf(session, place))[1], users, place);
});

test('a call of one overload is known, so that its line is no doubt about any of them', async (t) => {
  const { session } = await open(t, {
    'T.java':
      'public class T {\n  void put(String a) {}\n  void put(String a, int b) {}\n  public void go() { put("a"); }\n  T(int a) {}\n  T() {}\n  T twin() { return new T(1); }\n}\n',
  });
  for (const target of ['T.put', 'T.java:5', 'T.java:6']) {
    const found = await answerImpact(askerOf(session), { target, depth: 1, minConfidence: 0 } as ImpactValues);
    assert.ok('risk' in found);
    assert.deepEqual(found.risk.named ?? [], [], target);
  }
});

test('C++: number and types of arguments tell which overload a call means, in a header and in a source', async (t) => {
  const { session } = await open(t, {
    'cart.h':
      '#pragma once\n#include <string>\nnamespace shop {\nclass Item {};\nclass Gift : public Item {};\nclass Cart {\n public:\n' +
      '  Cart(int size);\n  Cart(const std::string& name, bool open = false);\n' +
      '  void put(int count);\n  void put(const char* name);\n  void put(const std::string& name, int count = 1);\n  void put(const Item& item);\n' +
      '  int total() { return 1; }\n  int total(double rate);\n};\nvoid show(const Cart& cart);\nvoid show(unsigned long long code);\n}\n',
    'cart.cc':
      '#include "cart.h"\nnamespace shop {\nCart::Cart(const std::string& name, bool open) {}\nCart::Cart(int size) {}\n' +
      'void Cart::put(const Item& item) {}\nvoid Cart::put(const std::string& name, int count) {}\nvoid Cart::put(const char* name) {}\nvoid Cart::put(int count) {}\n' +
      'int Cart::total(double rate) { return 2; }\nvoid show(unsigned long long code) {}\nvoid show(const Cart& cart) {}\n}\n',
    'main.cc':
      '#include "cart.h"\nusing namespace shop;\nvoid number(Cart& cart) { cart.put(1); }\nvoid literal(Cart* cart) { cart->put("a"); }\n' +
      'void text(Cart& cart, const std::string& name) { cart.put(name); }\nvoid both(Cart& cart) { cart.put("a", 2); }\n' +
      'void object(Cart& cart) { Gift gift; cart.put(gift); }\nint none(Cart& cart) { return cart.total(); }\nint one(Cart& cart) { return cart.total(.5); }\n' +
      'void shown(Cart& cart) { show(cart); }\nvoid coded(unsigned long long code) { show(code); }\n' +
      'void sized() { Cart cart(3); }\nvoid named() { Cart cart("a", true); }\nvoid unknown(Cart& cart) { cart.put(make()); }\n',
  });
  const byPlace = {
    'cart.h': { 10: ['number'], 11: ['literal'], 12: ['both', 'text'], 13: ['object'], 14: ['none'], 15: ['one'] },
    'cart.cc': { 8: ['number'], 7: ['literal'], 6: ['both', 'text'], 5: ['object'], 9: ['one'] },
  };
  for (const [file, lines] of Object.entries(byPlace))
    for (const [line, users] of Object.entries(lines)) {
      const [, found] = await usersOf(session, `${file}:${line}`);
      const isOpen = file === 'cart.h' ? Number(line) <= 13 : Number(line) <= 8;
      assert.deepEqual(found, isOpen ? [...users, 'unknown'] : users, `${file}:${line}`);
    }
  assert.deepEqual((await usersOf(session, 'cart.cc:10'))[1], ['coded']);
  assert.deepEqual((await usersOf(session, 'cart.cc:11'))[1], ['shown']);
  assert.deepEqual(await usersOf(session, 'Cart.put'), [8, ['both', 'literal', 'number', 'object', 'text', 'unknown']]);
});

test('swift: a method overrides one with the same labels alone', async (t) => {
  const { session } = await open(t, {
    'p.swift':
      'protocol Rule {\n  func apply(to cart: Int) -> Int\n  func apply(on day: Int) -> Int\n}\n' +
      'class Half: Rule {\n  func apply(to cart: Int) -> Int { return 1 }\n  func apply(on day: Int) -> Int { return 2 }\n}\n' +
      'func run(rule: Rule) -> Int { return rule.apply(to: 1) }\n',
  });
  assert.deepEqual(await usersByLine(session, 'p.swift', [6, 7]), [['run'], []]);
});
