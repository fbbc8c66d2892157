/** C and C++ through macros, enumerations, fixtures and forward declarations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutMacros } from '../../../src/languages/c/macros.js';
import { edgeLines, graphOf, type Project } from './project.js';

const edges = (project: Project, part: string) => edgeLines(graphOf(project)).filter((line) => line.includes(part));

test('C++: macros that stand for what another file says are not parsed', () => {
  const before = [
    ...['class SHOP_API Cart : public Base {', 'class SHOP_API Item;', 'SHOP_API Cart* open(int count);'],
    ...['template <class T> SHOP_FN SHOP_COLD T Cart::add(T x) {', 'SHOP_FN Cart::Cart(int n) {', '}', 'SHOP_BEGIN'],
    ...['int add() const LOCKED(mu_);', 'Cart cart_ GUARDED_BY(mu_);', 'SHOP_PUBLIC(Cart *) open(int n) {'],
  ];
  const after = [
    ...['class          Cart : public Base {', 'class          Item;', 'inline   Cart* open(int count);'],
    ...['template <class T> inline            T Cart::add(T x) {', 'inline  Cart::Cart(int n) {', '}', '          '],
    ...['int add() const            ;', 'Cart cart_                ;', 'inline      Cart *  open(int n) {'],
  ];
  assert.equal(withoutMacros(`${before.join('\n')}\nint x;`), `${after.join('\n')}\nint x;`);
});

test('C++: calls, names and values that only look like such macros stay', () => {
  const text = [
    ...['if (ok) ASSERT_TRUE(x);', 'while (f(x)) CHECK(y);', 'int MAX(int a, int b) {', 'return MAX(a, b);'],
    ...['static Cart MAKE(x);', 'FILE* open(int n);', 'struct FILE file;', 'unsigned long LONG(x);', 'else ASSERT(x);'],
    ...['int list[] = {', 'FIRST', '};', 'for (;;) LOOP(x) { }', 'TEST(Cart, Add) {', 'DWORD open(int n);'],
  ].join('\n');
  assert.equal(withoutMacros(text), text);
});

test('C++: a class behind a macro has its members, and its name in front of a method is a use of it', () => {
  const found = edges(
    {
      'cart.h':
        'namespace shop {\nclass SHOP_API Cart {\n public:\n  SHOP_FN int total() const SHOP_NOEXCEPT;\n};\n}\n',
      'cart.cc': '#include "cart.h"\nusing namespace shop;\nint use(Cart* cart) { return cart->total(); }\n',
    },
    'cart.cc:use',
  );
  assert.deepEqual(found, [
    'cart.cc:use type cart.h:shop.Cart (imported)',
    'cart.cc:use call cart.h:shop.Cart.total (receiver)',
  ]);
});

const LEXER = 'class Lexer {\n public:\n  enum Token { ERROR, IDENT };\n  Token read();\n};\n';

test('C++: members of an enumeration are members of the class around it', () => {
  const found = edges(
    {
      'lexer.h': LEXER,
      'lexer.cc': '#include "lexer.h"\nLexer::Token Lexer::read() { return IDENT; }\n',
      'main.cc': '#include "lexer.h"\nbool bad(Lexer* lexer) { return lexer->read() == Lexer::ERROR; }\n',
    },
    'Lexer.Token.',
  );
  assert.deepEqual(
    found.map((line) => line.split(' (')[0]),
    ['lexer.cc:read read lexer.h:Lexer.Token.IDENT', 'main.cc:bad read lexer.h:Lexer.Token.ERROR'],
  );
});

test('C++: a name that is a local in one function is a use in another', () => {
  const found = edges(
    {
      'state.h': 'struct State {\n  int count;\n  void add();\n};\n',
      'state.cc':
        '#include "state.h"\nvoid State::add() { use(count); }\nint other() { int count = 1; return count; }\n',
    },
    'State.count',
  );
  assert.deepEqual(found, ['state.cc:add read state.h:State.count (package)']);
});

test('C++: a test of a fixture uses the members of the class', () => {
  const found = edges(
    {
      'a_test.cc':
        'struct CartTest : testing::Test {\n  void Reopen();\n  int size_;\n};\nTEST_F(CartTest, Opens) { Reopen(); size_ = 1; }\n',
    },
    'TEST_F ',
  );
  assert.deepEqual(
    found.filter((line) => /Reopen|size_/.test(line)).map((line) => line.split(' (')[0]),
    ['a_test.cc:TEST_F call a_test.cc:CartTest.Reopen', 'a_test.cc:TEST_F write a_test.cc:CartTest.size_'],
  );
});

test('C++: a type that is only declared is the one of that name, unless there are several', () => {
  const project = {
    'cart.h': 'struct Cart { int total(); };\n',
    'use.h': 'struct Cart;\nint use(Cart* cart);\n',
  };
  assert.deepEqual(edges(project, 'use.h:use type'), ['use.h:use type cart.h:Cart (unique)']);
  const twice = { ...project, 'other.h': 'struct Cart { int x; };\n' };
  assert.deepEqual(edges(twice, 'use.h:use type'), ['use.h:use type ?Cart (unresolved)']);
});
