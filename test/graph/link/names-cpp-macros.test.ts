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

test('C++: `emit` in front of a call of a signal is a word of Qt; a type or a function of that name stays', () => {
  const found = edges(
    {
      'cart.h':
        'class Cart : public QObject {\n public:\n  void add(int n);\n  Cart* other;\n signals:\n  void added(int n);\n  void filled();\n};\n',
      'cart.cc': [
        '#include "cart.h"',
        'void Cart::add(int n) {',
        '  emit added(n);',
        '  if (n > 9) emit filled();',
        '  auto later = [this] { Q_EMIT filled(); };',
        '  emit other->added(n);',
        '}',
      ].join('\n'),
    },
    'cart.cc:Cart.add call',
  );
  const calls = (name: string) => found.filter((line) => line.includes(`cart.h:Cart.${name} `)).length;
  assert.deepEqual([calls('added'), calls('filled')], [2, 2], found.join('\n'));
  const others = 'void run() {\n  emit(1);\n  emit one;\n  emit two{1};\n}\n';
  assert.equal(withoutMacros(others), others);
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
    ['lexer.cc:Lexer.read read lexer.h:Lexer.Token.IDENT', 'main.cc:bad read lexer.h:Lexer.Token.ERROR'],
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
  assert.deepEqual(found, ['state.cc:State.add read state.h:State.count (package)']);
});

test('C++: a test of a fixture uses the members of the class', () => {
  const found = edges(
    {
      'a_test.cc':
        'struct CartTest : testing::Test {\n  void Reopen();\n  int size_;\n};\nTEST_F(CartTest, Opens) { Reopen(); size_ = 1; }\n',
    },
    'Opens ',
  );
  assert.deepEqual(
    found.filter((line) => /Reopen|size_/.test(line)).map((line) => line.split(' (')[0]),
    [
      'a_test.cc:CartTest.Opens call a_test.cc:CartTest.Reopen',
      'a_test.cc:CartTest.Opens write a_test.cc:CartTest.size_',
    ],
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

test('C++: an import of a module is no variable that hides the namespace of its name', () => {
  const found = edges(
    {
      'include/shop.hpp': 'namespace shop {\nclass Cart {\n public:\n  int total();\n};\n}\n',
      'test.cpp':
        '#ifdef WITH_MODULE\nimport shop;\n#else\n#include <shop.hpp>\n#endif\nint main() {\n  shop::Cart cart(1);\n  return cart.total();\n}\n',
      'shop.cppm':
        'module;\nexport module shop:all;\nimport <vector>;\nexport namespace shop {\nint open() { return 1; }\n}\n',
      'use.cpp': 'namespace shop {\nint use() { return open(); }\n}\n',
    },
    ':main',
  );
  assert.deepEqual(found, [
    'test.cpp:main read include/shop.hpp:shop (imported)',
    'test.cpp:main new include/shop.hpp:shop.Cart (receiver)',
    'test.cpp:main call include/shop.hpp:shop.Cart.total (receiver)',
  ]);
});

test('C: members of a structure that a header only names', () => {
  const project = {
    'cart.h': 'typedef struct cart cart;\ntypedef struct { cart *first; } block;\n',
    'cart.c':
      '#include "cart.h"\nstruct cart {\n  int op;\n  cart *next;\n};\nint op(block *b) { return b->first->next->op; }\n',
    'other.c': '#include "cart.h"\nint other(cart *c) { return c->op; }\n',
  };
  assert.deepEqual(
    edges(project, ' read ').filter((line) => / read cart\.c/.test(line)),
    [
      'cart.c:op read cart.c:cart.next (receiver)',
      'cart.c:op read cart.c:cart.op (receiver)',
      'other.c:other read cart.c:cart.op (receiver)',
    ],
  );
});

test('C++: of types of one name in a namespace, one in the source of another file is not meant', () => {
  const found = edges(
    {
      'a_test.cc': 'namespace shop {\nstruct Rule {};\n}\n',
      'rule.h': 'namespace shop {\nclass Rule {};\n}\n',
      'use.cc': '#include "rule.h"\nnamespace shop {\nvoid use(const Rule* rule) {}\n}\n',
      'z_test.cc': 'namespace shop {\nstruct Rule {};\nvoid test(Rule* rule) {}\n}\n',
    },
    ' type ',
  );
  assert.deepEqual(found, [
    'use.cc:shop.use type rule.h:shop.Rule (package)',
    'z_test.cc:shop.test type z_test.cc:shop.Rule (same-file)',
  ]);
});

test('C++: of overloads in a header and in a source, a use leads to the one that takes its arguments', () => {
  const header = (more: string) =>
    `class Cart {\n public:\n  int add(int n);\n${more}  int put(int n);\n  int put(int n, int m);\n};\n`;
  const found = (more: string) =>
    edges(
      {
        'cart.h': header(more),
        'cart.cc':
          '#include "cart.h"\nint Cart::add(int n) { return n; }\nint Cart::put(int n) { return n; }\nint Cart::put(int n, int m) { return n; }\n',
        'use.cc': '#include "cart.h"\nint use(Cart* cart) { return cart->add(1) + cart->put(1); }\n',
      },
      'use.cc:use call',
    );
  assert.deepEqual(found(''), [
    'use.cc:use call cart.cc:Cart.add (receiver)',
    'use.cc:use call cart.cc:Cart.put (receiver)',
  ]);
  assert.deepEqual(found('  int add() {\n    return add(1);\n  }\n'), [
    'use.cc:use call cart.cc:Cart.add (receiver)',
    'use.cc:use call cart.cc:Cart.put (receiver)',
  ]);
});

test('C and C++: a loop that a macro begins, and a macro between functions that defines one, are uses of the macro', () => {
  const text = `#include "carts.h"
DEFINE_CART(rates, struct line, 256)
DEFINE_CART(sums, const char *, 8);
int add(void)
{
  int i;
  each_cart(cart, i)
    stop(cart);
  if (i)
    each_cart(cart, i)
      stop(cart);
  finish(i);
  return i;
}
`;
  const header =
    '#define each_cart(cart, i) \\\n  for (i = 0; (cart = carts[i]); i++)\n#define DEFINE_CART(name, type, size) \\\nstatic int name(type **all) { return size; }\n';
  for (const suffix of ['c', 'cpp']) {
    const found = edges({ 'carts.h': header, [`a.${suffix}`]: text }, ` call carts.h:`);
    assert.deepEqual(found, [
      `a.${suffix} call carts.h:DEFINE_CART (imported)`,
      `a.${suffix} call carts.h:DEFINE_CART (imported)`,
      `a.${suffix}:add call carts.h:each_cart (imported)`,
      `a.${suffix}:add call carts.h:each_cart (imported)`,
    ]);
  }
});
