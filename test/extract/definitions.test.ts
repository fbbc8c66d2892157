// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of sources.
/** Definitions in forms that the samples of a language do not have: what each text defines, name by name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWithGrammar } from '../../src/extract/syntax-tree.js';
import { withoutMacros } from '../../src/languages/c/macros.js';
import { repairedC } from '../../src/languages/c/repairs.js';
import { withClosedBrackets } from '../../src/languages/roles/masks.js';
import { cpuTimer } from '../support/processes/cpu-time.js';
import { assertSound, factsOf, symbolLines } from './helpers.js';

function defines(language: string, source: string, expected: string): void {
  const facts = factsOf(source, language);
  const lines = symbolLines(facts).map((line) => line.slice(2));
  assert.deepEqual(
    lines,
    expected
      .split(',')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    source,
  );
  assertSound(source, facts);
}

test('javascript, typescript: a class in a function, in a callback or without a name has its fields', () => {
  const source =
    'function make() {\n  class Cart { total = 1; static count = 2; add() { const own = 3; return own; } }\n  return new Cart();\n}\n' +
    "test('a', () => { class Till { size = 1; } });\nexport const Mixed = (Base) => class extends Base { extra = 1; };\n";
  for (const language of ['javascript', 'typescript'])
    assert.deepEqual(
      factsOf(source, language)
        .symbols.filter(({ kind }) => kind === 'field')
        .map(({ name }) => name),
      ['total', 'count', 'size', 'extra'],
      language,
    );
});

test('typescript: types, interfaces and enums in functions and callbacks are definitions', () => {
  const inner = 'type Shape = { a: string };\n interface Inner { b: string }\n enum Mode { A, B }\n';
  const named = (name: string) => `type ${name}Shape, interface ${name}Inner, enum ${name}Mode`;
  for (const language of ['typescript', 'tsx']) {
    defines(language, `function f() {\n ${inner}}`, `function f, ${named('f.')}`);
    defines(language, `it('x', () => {\n ${inner}});`, named(''));
    defines(language, `class K { m() { return () => { ${inner} } } }`, `class K, method K.m, ${named('K.m.')}`);
    defines(
      language,
      `const f = async () => { if (x) { ${inner} } }`,
      `constant f, ${named('f.')}`.replace('constant', 'function'),
    );
  }
});

test('typescript: a type in a callback is none if its name means another type around it', () => {
  const inner = "it('x', () => { type Row = 1; const a: Row = 1; });";
  defines('typescript', `import { Row } from './row';\n${inner}`, '');
  defines('typescript', `interface Row { a: 1 }\n${inner}`, 'interface Row, property Row.a');
  defines('typescript', `${inner}\n${inner}`, 'type Row, type Row');
});

test('rust: types in functions, and aliases of traits', () => {
  defines(
    'rust',
    'fn f() {\n  type Row = (i32, u8);\n  let g = || { type Deep<T> = Vec<T>; };\n}\n',
    'function f, type f.Row, type f.Deep',
  );
  defines('rust', 'pub trait Alias = Clone + Send;\npub struct After;\n', 'trait Alias, struct After');
  defines('rust', "trait Gen<T> = Into<T> + 'static where T: Copy;\nfn after() {}\n", 'trait Gen, function after');
  defines('rust', 'trait Plain { type Out = u8; fn go(); }\n', 'trait Plain, type Plain.Out, method Plain.go');
});

test('c: typedefs, fields and results that are pointers to functions', () => {
  defines(
    'c',
    'typedef void (*fn)(int);\ntypedef int (cmp)(void *);\ntypedef void (*(*sig)(int))(int);\n',
    'type fn, type cmp, type sig',
  );
  defines(
    'c',
    'struct ops { int (*open)(int a); char *(*name)(void); int x[3]; };\n',
    'struct ops, field ops.open, field ops.name, field ops.x',
  );
  defines(
    'c',
    'static int (*hook)(int);\nvoid (*set(void (*f)(int)))(int) { typedef int loc; }\n',
    'variable hook, function set, type set.loc',
  );
  defines(
    'cpp',
    'typedef void (Cart::*mem)(int);\nusing Other = void (*)(int);\nvoid run(mem f) { using Row = int; typedef int Old; }\n',
    'type mem, type Other, function run, type run.Row, type run.Old',
  );
});

test('c++: conversions, fields that are references, and tests by their own names', () => {
  defines(
    'cpp',
    'struct G {\n bool operator==(int) const;\n explicit operator bool() const { return 1; }\n operator std::string() const;\n template <class T> operator T*();\n Cart &cart_;\n};\nG::operator int() const { return 1; }\n',
    'struct G, method G.operator==, method G.operator bool, method G.operator std::string, method G.operator T*, field G.cart_, method G.operator int',
  );
  defines(
    'cpp',
    'class CartTest {};\nTEST_F(CartTest, adds) {}\nTEST_P(\n  CartTest, takes) {}\nTEST(Cart, empty) {}\nTYPED_TEST(Boxes, fits) {}\n',
    'class CartTest, method CartTest.adds, method CartTest.takes, function empty, function fits',
  );
});

test('c: attributes, calls and comments of macros that the grammar does not know cost no definition', () => {
  const attributes = [
    'static int __init run(void)\n{ return 0; }\n',
    'static int __init\nrun(void)\n{ return 0; }\n',
    'unsigned int __always_inline run(void) { return 1; }\n',
    'static __always_inline int run(void) { return 1; }\n',
    'struct page *__must_check run(unsigned long n) { return 0; }\n',
    'int ZEXPORT run(void) { return 1; }\n',
    'BOOL WINAPI run(void) { return 1; }\n',
    'DWORD MYLIB_API MYLIB_CALL run(void) { return 1; }\n',
    'static HRESULT\nWINAPI run(void) { return 1; }\n',
    'int __printf(2, 3) run(struct s *s, const char *f, ...) { return 1; }\n',
    '__printf(1, 2)\nvoid run(const char *f, ...) { }\n',
    'int run(void) __acquires(lock) { return 1; }\n',
    'asmlinkage __visible void __init run(void) { }\n',
  ];
  for (const source of attributes)
    defines('c', `${source}int after(void) { return 1; }\n`, 'function run, function after');
  defines('c', 'typedef int (WINAPI *run)(void);\nint after(void) { return 1; }\n', 'type run, function after');
  defines(
    'c',
    'void f(void) {\n  for (;;) {\n    begin(a)\n    n++;\n    end()\n  }\n  done(1);\n}\nint after(void) { return 1; }\n',
    'function f, function after',
  );
  defines(
    'c',
    '#define D(n) do { \\\n  if (n) { /* one \\\n   two */ \\\n    n = "/*"; \\\n  } \\\n} while(0)\n\n/* A\n * b. */\nint run(char *p) { return 1; }\n',
    'macro D, function run',
  );
});

test('rust: attributes belong to a definition, whatever comments stand behind and between them', () => {
  const { symbols } = factsOf(
    '#[rstest]\n#[case::one(1)] // the first\n// A note.\nfn adds(#[case] n: u8) {}\n\nstruct Cart; // #[x]\nfn plain() {}\n',
    'rust',
  );
  assert.deepEqual(
    symbols.map(({ name, startLine }) => [name, startLine]),
    [
      ['adds', 1],
      ['Cart', 6],
      ['plain', 7],
    ],
  );
});

test('c++: sections of Qt, `final` behind a condition, and the longest delimiter of a raw string', () => {
  defines(
    'cpp',
    'class W {\npublic Q_SLOTS:\n  void a();\nprivate slots:\n  void b();\nQ_SIGNALS:\n  void c(int v);\n};\nint after() { return 1; }\n',
    'class W, method W.a, method W.b, method W.c, function after',
  );
  defines(
    'cpp',
    'class Done\n#ifdef HAS_FINAL\nfinal\n#endif\n{ public: void go(); };\n',
    'class Done, method Done.go',
  );
  defines(
    'cpp',
    'const char* page = R"ABCDEFGHIJKLMNOP(<b>\n"hi"</b>)ABCDEFGHIJKLMNOP";\nint after() { return 1; }\n',
    'constant page, function after',
  );
});

test('c: what macros with a body define goes by a name among their arguments', () => {
  const after = 'int after(void) { return 1; }\n';
  const heads: [string, string][] = [
    [
      'DEFUN (show,\n       show_cmd,\n       "show {all|one}",\n       "help\\n")\n{\n  int idx = 1;\n  return idx;\n}\n',
      'show',
    ],
    ['TEST(Cart, adds)\n{\n  int count = 1;\n  run(count);\n}\n', 'adds'],
    ['MU_TEST(adds) {\n  int count = 1;\n}\n', 'adds'],
    ['SYSCALL_DEFINE2(open, const char __user *, name, int, flags)\n{\n  int fd;\n  return fd;\n}\n', 'open'],
    [
      'static MAKE_LOOKUP(struct node *, first, struct root **, root, int, key)\n{\n  int found = 1;\n  return found;\n}\n',
      'first',
    ],
    [
      'BEGINcommit\n\tstruct cart *cart;\n\tint count;\nCODESTARTcommit\n\trun(cart, count);\n\tif(count)\n\t\trun(0, 0);\nENDcommit\n',
      'commit',
    ],
  ];
  for (const [source, name] of heads) defines('c', source + after, `function ${name}, function after`);
  defines('c', `BEGINcommit\nint count;\n${after}`, 'variable count, function after');
});

test('c++: tests go by their names, and their variables are local', () => {
  const tests: [string, string][] = [
    ['TEST_CASE("adds items", "[cart]") {', 'adds items'],
    ['SCENARIO("an empty cart") {', 'an empty cart'],
    ['TEST_CASE_METHOD(Fixture, "adds 2", "[cart]")\n{', 'adds 2'],
    ['BOOST_AUTO_TEST_CASE(adds) {', 'adds'],
    ['Q_TEST(adds) {', 'adds'],
    ['TEST(Cart, adds) {', 'adds'],
    ['TYPED_TEST(Cart, adds) {', 'adds'],
    ['DEFINE_TEST(adds, 1, "a;b") {', 'adds'],
  ];
  for (const [head, name] of tests)
    defines(
      'cpp',
      `${head}\n  int count = 1;\n  for (int i = 0; i < 2; i++) { int each = i; }\n}\nint after() { return 1; }\n`,
      `function ${name}, function after`,
    );
  defines(
    'cpp',
    'INSTANTIATE(Carts, Values(Param{"a", [](int n) -> Cart* {\n  Cart cart;\n  return make(cart);\n}}));\nint after() { return 1; }\n',
    'function after',
  );
});

test('c++: mocks are methods, friends and calls of macros are none', () => {
  defines(
    'cpp',
    'class Cart {\n public:\n  MOCK_METHOD(int, add, (int n, Item item), (const, override));\n  MOCK_METHOD((std::map<int, int>), all, ());\n  MOCK_METHOD2(put, int(bool n, double d));\n  MOCK_CONST_METHOD0_T(size, int());\n  void last();\n};\n',
    'class Cart, method Cart.add, method Cart.all, method Cart.put, method Cart.size, method Cart.last',
  );
  defines(
    'cpp',
    'class Cart {\n  friend bool operator==(const Cart&, const Cart&);\n  friend void swap(Cart&, Cart&);\n  friend int size(const Cart& c) { return 1; }\n  int n;\n};\n',
    'class Cart, method Cart.size, field Cart.n',
  );
  defines(
    'cpp',
    'class Cart : public QObject {\n  Q_OBJECT\n  Q_DISABLE_COPY(Cart)\n  Q_PROPERTY(int n READ n\n    NOTIFY changed)\n\npublic:\n  Cart();\nsignals:\n  void changed();\nprivate slots:\n  void renew();\n};\nvoid run() {\n  each(carts) {\n    go();\n  }\n}\n',
    'class Cart, constructor Cart.Cart, method Cart.changed, method Cart.renew, function run',
  );
  defines(
    'cpp',
    'struct Cart {\n  int n;\n  BEGIN_MAP()\n    FIELD(n)\n  END_MAP()\n  ADD_PATH("/cart", Get);\n  PyObject_HEAD\n\n  std::string name;\n};\nstatic BOOL_VAR(shown, false, "Show");\nTAG(Cart, "cart");\nint after() { return 1; }\n',
    'struct Cart, field Cart.n, field Cart.name, function after',
  );
});

test('c++: the first part of a qualified type behind a macro is no variable', () => {
  defines(
    'cpp',
    'LIB_EXPORT std::ostream& operator<<(std::ostream& out, const Cart& cart);\nclass Cart {\n  ADD_BASE // members of all carts\n  std::uint32_t count;\n  LIB_EXPORT static std::vector<float> prices;\n};\nint shop::Cart::least = 1;\n',
    'function operator<<, class Cart, field Cart.prices, variable least',
  );
});

test('c++: operators that convert to a template, and values made of literals', () => {
  defines(
    'cpp',
    'struct Cart {\n  operator Action<int()>() const;\n  operator List<int>() { return {}; }\n};\nPrice Cart::least(100);\nLibExport Cart open(int count);\nint f(Cart * LIB_NULLABLE cart);\n',
    'struct Cart, method Cart.operator Action<int()>, method Cart.operator List<int>, variable least, function open, function f',
  );
});

test('c++: types of methods with qualifiers as arguments of templates, and declarations as those of macros', () => {
  defines(
    'cpp',
    'template <class R, class T>\nstruct traits<R (T::*)(int) const & noexcept, false> : base<R (T::*)(int) const &> {\n  typedef R (T::*call)(int) const &;\n};\nint run() {\n  EXPECT_FAILURE(Client client("a"));\n  return 1;\n}\nint after() { return 1; }\n',
    'struct traits, type traits.call, function run, function after',
  );
});

test('c: loops of macros, types as arguments, and conditions in the middle of a statement', () => {
  const after = 'int after(void) { return 1; }\n';
  const found = (source: string, names: string) => defines('c', source + after, `${names}, function after`);
  found(
    'int run(void) {\n  for (EACH_CART(list, node, cart))\n    if (cart) {\n      use(cart);\n    }\n  return 1;\n}\n',
    'function run',
  );
  found(
    'int run(void) {\n  ARRAY(cart_t *, carts, 2);\n  OVERRIDE(int, Cart, run, );\n  return 1;\n}\n',
    'function run',
  );
  found(
    'int run(int a) {\n  if (a) {\n    a++;\n  }\n#ifdef A\n  else if (a > 1) {\n    a--;\n  }\n#endif\n  else {\n    a = 2;\n  }\n  return a;\n}\n',
    'function run',
  );
  found('int most =\n#ifdef A\n  MOST;\n#else\n  2;\n#endif\n', 'variable most');
  found('#if 0\nint run(int a) { if (a) {\n#else\nint run(void) {\n#endif\n  return 1; }\n', 'function run');
  found('const char *names[] = {\n#if A\n#if B\n  "a",\n#endif\n#endif\n  0\n};\n', 'constant names');
  found(
    'enum state {\n  OPEN,\n\n  /* The last one. */\n  CLOSED\n\n};\nFLAG(int, a, 1);\n',
    'enum state, enum-member state.OPEN, enum-member state.CLOSED',
  );
  found('static void __LIB_FORMAT(1, 0)\nrun(const char *f, ...) { }\n', 'function run');
  found(
    'typedef struct { int v; } _PACKED cart_t;\nALIGNED_BEGIN static int sizes[2] ALIGNED_END = { 1, 2 };\n',
    'type cart_t, field cart_t.v, variable sizes',
  );
  found(
    'THREAD_LOCAL Cart cart;\nstatic void __percpu *carts;\nEXPORTED void (*on_add)(void *, const char *s);\n',
    'variable cart, variable carts, variable on_add',
  );
  defines(
    'c',
    `tree_gen(static UNUSED, tree_, tree_t, node_t, link,\n    compare);\nstatic DICTIONARY(names, table);\n${after}`,
    'function after',
  );
});

test('c: mistakes of the grammar are looked for in linear time', () => {
  const texts = [
    'static int __init run(void)\n{\n'.repeat(20_000),
    `#define A \\\n${'/* '.repeat(20_000)}`,
    `#define A \\\n"${'\\"'.repeat(60_000)} \\\n`,
    'R"ABCDEFGHIJKLMNOP('.repeat(5_000),
    ' '.repeat(100_000),
    ` begin(a)${' '.repeat(100_000)}x`,
    'int (__A '.repeat(20_000),
    'int '.repeat(40_000),
    `int${' '.repeat(100_000)}x`,
    'BEGINcommit\n'.repeat(20_000),
    'BEGINcommit\nENDcommit\n'.repeat(20_000),
    'for (EACH(a'.repeat(20_000),
    'Q_PROPERTY((\n'.repeat(3_000),
    '__asm { a'.repeat(20_000),
    'class A { MOCK_METHOD(int, a\n'.repeat(10_000),
    'TEST_CASE("a", \n'.repeat(3_000),
    'MU_TEST(a, \n'.repeat(3_000),
    `f(a,${' '.repeat(100_000)}x`,
    '#if 0\n'.repeat(20_000),
  ];
  for (const text of texts) {
    const from = process.cpuUsage();
    repairedC(withoutMacros(`${text}\n}}`, true));
    const { user } = process.cpuUsage(from);
    assert.ok(user < 1_500_000, `${user} microseconds for ${text.slice(0, 20)}`);
  }
});

test('dart: modifiers of classes, extension types, records, patterns and enumerations with members', () => {
  for (const modifier of ['sealed', 'final', 'base', 'interface', 'abstract interface', 'mixin', 'abstract base mixin'])
    defines('dart', `${modifier} class A {\n  void go() {}\n}\nclass B {}\n`, 'class A, method A.go, class B');
  defines('dart', 'base mixin W on A { void go() {} }\nclass B {}\n', 'trait W, method W.go, class B');
  defines(
    'dart',
    'extension type const Id<T>._(int raw) implements int {\n  Id.zero() : raw = 0;\n  int twice() => raw;\n}\nclass B {}\n',
    'class Id, field Id.raw, constructor Id.zero, method Id.twice, class B',
  );
  defines(
    'dart',
    '(int, {String n}) pair() => x;\nclass A {\n  (int, int)? get both => null;\n  Future<(int, int)> load() async => x;\n}\nsealed class B {}\n',
    'function pair, class A, method A.both, method A.load, class B',
  );
  defines(
    'dart',
    'int f() {\n  final (a, b) = g();\n  for (final (i, x) in xs) {}\n  var Pair(:left) = p;\n  return a;\n}\nvoid after() {}\n',
    'function f, function after',
  );
  defines(
    'dart',
    "enum Kind with M implements I {\n  /// One.\n  one.of(1, <int>[2]),\n  @Deprecated('x')\n  two<int>(f: (a) => a),\n  ;\n  const Kind(this.x);\n  final int x;\n  bool get isOne => this == one;\n  static Kind of(int x) => one;\n}\nvoid after() {}\n",
    'enum Kind, enum-member Kind.one, enum-member Kind.two, constructor Kind.Kind, field Kind.x, method Kind.isOne, method Kind.of, function after',
  );
  defines(
    'dart',
    'library;\n@internal\ntypedef F = void Function()? Function(int a);\ntypedef R<T> = (int, {T n});\ntypedef int Old(int a);\nextension E on (int,)? { void a() {} }\n',
    'type F, type R, type Old, impl E, method E.a',
  );
  defines(
    'dart',
    "class $A { abstract int x; }\nvoid f() {\n  if (x case Foo(:final y)? when y > 1) {}\n  var s = switch (v) { Foo() => 'a', (:var l, :var r) => g(l, retry: r, (x) => x), _ => '' };\n}\nvoid g() {}\n",
    'class $A, field $A.x, function f, function g',
  );
});

test('rust: items that stand in a macro', () => {
  defines(
    'rust',
    'pin_project! {\n  #[project = P]\n  pub struct Body<B> { body: B }\n}\ncfg_x! {\n  mod outer;\n  pub(crate) mod inner { fn x() {} }\n  pin_project! { pub enum Deep { A { #[pin] a: u8 } } }\n}\nlazy_static! {\n  static ref CART: Cart = new();\n}\nthread_local! { static TOTAL: u8 = 1; }\n',
    'struct Body, field Body.body, module inner, function inner.x, enum Deep, enum-member Deep.A, variable CART, variable TOTAL',
  );
  defines(
    'rust',
    'bitflags! {\n  pub struct F: u32 { const A = 1; }\n}\nquote! { fn no() {} }\nmacro_rules! m { () => { fn no() {} } }\nfn f() {\n  check! { fn no() {} }\n}\n',
    'macro m, function f',
  );
  defines(
    'rust',
    'impl A {\n  const_fn! {\n    /// Doc.\n    pub const fn null() -> Self { x() }\n  }\n}\n',
    'impl A, method A.null',
  );
  defines(
    'rust',
    'cfg_x! {\n  macro_rules! shown {\n    ($a: ident) => { struct $a; impl $a { fn no() {} } };\n  }\n}\nfn after() { shown!(A); }\n',
    'macro shown, function after',
  );
  defines('rust', 'odd! {\n  fn f() {} ?= 1\n}\nfn after() {}\n', 'function after');
});

test('c: every name of a declaration, members of types in functions, and comments in macros', () => {
  defines(
    'c',
    'struct B { int a, *b, c[3]; unsigned d:1, e:2; };\nstatic int x = 1, *y;\ntypedef struct s { int q; } s_t, *s_p;\nint f(void), g(int);\n',
    'struct B, field B.a, field B.b, field B.c, field B.d, field B.e, variable x, variable y, type s_t, type s_p, struct s_t.s, field s_t.s.q, function f, function g',
  );
  defines(
    'cpp',
    'struct S { int a, b; S *c, *d; void f(), g(); };\n',
    'struct S, field S.a, field S.b, field S.c, field S.d, method S.f, method S.g',
  );
  defines(
    'cpp',
    'void k() { struct T { int u, v; }; int w, x; }\n',
    'function k, struct k.T, field k.T.u, field k.T.v',
  );
  defines(
    'c',
    'static void noreturn_ stop ( const char *s );\n#define wrap(s) (/* one */1)\n#define A 1 /* a */\nstatic CONST double tens[] = { 1 };\nstatic RB_HEAD(tree, cart) carts;\nstatic void\nrun(__unused struct c *c, UNUSED int n)\n{\n}\n',
    'function stop, macro wrap, macro A, variable tens, variable carts, function run',
  );
  defines(
    'cpp',
    '#if !__has_include(<a/b.h>) || 1\n#define A\n#endif\nextern "C" __declspec(dllimport) int __stdcall D();\nnamespace N { int x; }\n',
    'macro A, function D, namespace N, variable N.x',
  );
});

test('c: macros behind the name of a type, before a template, behind parameters, and calls between definitions', () => {
  defines(
    'cpp',
    'FLAG_OF(int, size, 8, "log2(number)");\nFLAG_OF(int, limit, 256 << 10,\n  "default (x)");\nDEFINE_THING(const char *, x)\n\nclass Cart LIB_FINAL : public Base {\n public:\n  int a;\n};\nLIB_EXPORT template <class T>\ninline unsigned f(T t) { return 1; }\n#if __has_include ("x.h")\n#endif\nTEST(Cart, adds) {\n}\n',
    'class Cart, field Cart.a, function f, function adds',
  );
  defines(
    'cpp',
    "void f() {\n  CHECK_TEXT(UTF8<>, unsigned char, ARRAY('[', 0xC0u));\n  struct T { int a; };\n}\nint g() { return 1; }\n",
    'function f, struct f.T, field f.T.a, function g',
  );
  defines(
    'c',
    'static char *(values[]) = {"a", 0};\n  UINT32_T\nrandom_value(void)\n{\n}\nchar *\nname_of(\n  cart *c UNUSED,\n  int n)\n{\n}\nconst char A[] = "x\\\r\ny\\\r\nz";\nint after;\n',
    'variable values, function random_value, function name_of, constant A, variable after',
  );
});

test('c: attributes between result and name, conventions, and conditions that cut a block', () => {
  defines(
    'c',
    'static void printflike(3, 4)\nadd(char *s, const char *fmt, ...)\n{\n}\nstatic char * printflike(1, 2)\nmake(const char *fmt, ...)\n{\n}\nint after(void) { return 0; }\n',
    'function add, function make, function after',
  );
  defines(
    'c',
    'const word_t FAR * ZEXPORT table(void) {\n  return 0;\n}\nLIB_DEFN lib_ctx * LIB_CALL\nlib_create(lib_ctx *from)\n{\n}\n',
    'function table, function lib_create',
  );
  for (const [first, second] of [
    ['int __cdecl main(int n)', 'int main(int n)'],
    ['int main(int n) {', 'int main(long n) {'],
  ])
    defines(
      'c',
      `#ifdef A\n${first}\n#else\n${second}\n#endif\n${first.endsWith('{') ? '' : '{'}\n#if B\n  if (n) {\n#elif C\n  if (!n) {\n#endif\n    run();\n  }\n}\nint after(void) { return 0; }\n`,
      'function main, function after',
    );
  defines(
    'c',
    'int f(void) {\n#if A\n  return 1;\n#else\n  return 2;\n#endif\n}\n#if A\nint g(void) { return 1; }\n#else\nint h(void) { return 2; }\n#endif\nint 0;\n',
    'function f, function g, function h',
  );
  defines(
    'cpp',
    'class A {\n public:\n  A(int a)\n      :\n#if !defined(N)\n        a_(a),\n#endif\n        b_(a) {\n  }\n  template <typename U>\n  void go(std::enable_if_t<X, U>* = nullptr) { run<true>(); }\n  inline friend std::ostream& operator<<(std::ostream& os, A const& a) { return os; }\n};\n',
    'class A, constructor A.A, method A.go, method A.operator<<',
  );
});

test('swift: conditions in lists, the empty value, and loops over what is awaited', () => {
  defines(
    'swift',
    'class A {\n  func f() {\n    foo(\n      a: 1,\n      #if os(iOS)\n      b: 2\n      #else\n      b: 3\n      #endif\n    )\n  }\n  func g() {}\n}\n',
    'class A, method A.f, method A.g',
  );
  defines(
    'swift',
    'func f() -> R {\n  switch x {\n  case .a: ()\n  default:\n    ()\n  }\n  call(())\n  return ()\n}\nfunc g() {}\n',
    'function f, function g',
  );
  defines(
    'swift',
    'func f() async throws {\n  for await x in try await self.s.load(id: A()) {\n    send(x)\n  }\n  for try await y in try await load() { send(y) }\n}\nfunc g() {}\n',
    'function f, function g',
  );
});

test('swift: members keep their type around conditions, and of every branch', () => {
  for (const [head, kind] of [
    ['class Cart', 'class'],
    ['struct Cart', 'struct'],
    ['extension Cart', 'impl'],
    ['enum Cart', 'enum'],
  ])
    defines(
      'swift',
      `${head} {\n#if DEBUG\n  // For tests.\n  func one() {}\n  #elseif os(iOS)\n  @objc func two() {\n    #if A && !B\n    go()\n    #endif\n  }\n#else // others\n  func three() {}\n#endif\n\n  func four() {}\n}\nfunc after() {}\n`,
      `${kind} Cart, method Cart.one, method Cart.two, method Cart.three, method Cart.four, function after`,
    );
  defines(
    'swift',
    'enum Mode {\n  #if A\n  case slow\n  #endif\n  case fast\n}\nprotocol Named {\n  #if A\n  func name()\n  #endif\n  var id: Int { get }\n}\nfunc after() {}\n',
    'enum Mode, enum-member Mode.slow, enum-member Mode.fast, interface Named, method Named.name, property Named.id, function after',
  );
  defines(
    'swift',
    'extension Keys {\n#if A\n  static let suite: D = T.on\n    ? (D(a: name) ?? .one)\n    : .two\n#else\n  static let suite: D = .two\n#endif\n  static let a = Key<Bool>("a")\n}\n',
    'impl Keys, constant Keys.suite, constant Keys.suite, constant Keys.a',
  );
  defines(
    'swift',
    'class View {\n  var body: some View {\n    Text("a")\n    #if os(iOS)\n      .padding()\n    #else\n      .bold()\n    #endif\n  }\n  #if A\n  @objc\n  #endif\n  func go() {\n    switch x {\n    #if A\n    case .a: run()\n    #endif\n    default: run()\n    }\n  }\n  init() {}\n}\n',
    'class View, property View.body, method View.go, constructor View.init',
  );
});

test('scala: types in functions, and words that are keywords elsewhere', () => {
  defines(
    'scala',
    'def f = {\n  type Row = Int\n  new A { type Out = Row; def go = 1 }\n}\n',
    'function f, type f.Row, type f.Out, function f.go',
  );
  defines(
    'scala',
    'case class C(\n  name: String,\n  extension: Option[String] = None,\n) extends R { self =>\n  def f = extension.get\n}\nobject D { def g = 1 }\n',
    'class C, method C.f, object D, method D.g',
  );
});

test('typescript: call signatures below a comment', () => {
  defines(
    'typescript',
    'interface Over {\n  (a: 1): Result\n\n  /** Two. */\n  <T extends Other<any>>(a: T): Result\n  // Three.\n  <U>(b: U): Result\n}\ntype After = 1;\n',
    'interface Over, type After',
  );
});

test('kotlin: a constructor below a comment', () => {
  defines(
    'kotlin',
    'expect class A\n/**\n * Shares a buffer.\n */\ninternal constructor(\n  a: B,\n) : C {\n  constructor(c: C)\n  fun f()\n}\nfun g() = 1\n',
    'class A, constructor A.constructor, method A.f, function g',
  );
});

test('kotlin: annotations, constructors on lines of their own, contexts, delegates, and keywords as names', () => {
  for (const kind of ['interface', 'abstract class', 'object', 'internal class'])
    defines(
      'kotlin',
      `package a\n\n@Module\n@InstallIn(Single::class, "x(")\n${kind} One {\n  @A @B fun f() = 1\n}\n\n@Scoped\nclass Two\n`.replace(
        'abstract',
        'open',
      ),
      `${kind.split(' ').at(-1)} One, method One.f, class Two`,
    );
  for (const lead of ['@Suppress("a")\n', '', '@Inject\ninternal '])
    defines(
      'kotlin',
      `class Plain<T>\n${lead}constructor(\n  val layout: String,\n) {\n  fun setup() {}\n}\nfun after() {}\n`,
      'class Plain, property Plain.layout, method Plain.setup, function after',
    );
  defines(
    'kotlin',
    '@JvmInline value class Id(val raw: String)\ncontext(log: Logger) fun one(x: Int) = 1\nclass T {\n  context(a: A, b: B)\n  private fun two() {}\n}\nfun after() {}\n',
    'class Id, property Id.raw, function one, class T, method T.two, function after',
  );
  defines(
    'kotlin',
    'internal fun interface Back<T> {\n  operator fun invoke(t: T)\n}\nclass Outer {\n  fun interface Inner { fun go() }\n  fun other() {}\n}\n',
    'interface Back, method Back.invoke, class Outer, interface Outer.Inner, method Outer.Inner.go, method Outer.other',
  );
  defines(
    'kotlin',
    'class W : I {\n  private val cb =\n    object : Cb<Int> by noOp() {\n      override fun a() {}\n    }\n  fun b() {}\n}\nfun after() {}\n',
    'class W, property W.cb, function W.cb.a, method W.b, function after',
  );
  defines(
    'kotlin',
    'class M<R> {\n  override fun <R : Any> suspend(req: Req<R>): R {\n    val ctx = Ref(req)\n    return cast(ctx)\n  }\n  fun next() = 1\n}\n',
    'class M, method M.suspend, method M.next',
  );
  defines(
    'kotlin',
    'class A {\n  val t = $$"""a $fun ${x} "b" """\n  val u = $$"c $class"\n  fun go() = 1\n}\nfun after() {}\n',
    'class A, property A.t, property A.u, method A.go, function after',
  );
});

test('c#: types that end in a semicolon, and conversions', () => {
  for (const type of ['class', 'interface', 'struct'])
    for (const head of type === 'interface'
      ? ['', '<T> : IBase<T>']
      : ['', '(int id, string s = "a{b}")', '<T>(T id) : Base<T>($"{id};")'])
      defines(
        'csharp',
        `public ${type} One${head};\n${type} Two\n{\n  void Go() {}\n}\n`,
        `${type} One, ${type} Two, method Two.Go`,
      );
  defines(
    'csharp',
    'class A {\n  public static implicit operator int(A a) => 1;\n  public static explicit operator List<int>(A a) { return null; }\n  void Go() {}\n}\n',
    'class A, method A.operator int, method A.operator List<int>, method A.Go',
  );
});

test('swift: awaited calls in conditions, and macros with an underscore', () => {
  for (const head of [
    'if let x = try? await f()',
    'while let x = try await f()',
    'if await a.f(1), b',
    'switch try await f()',
    '} else if try await f()',
  ])
    defines(
      'swift',
      `class S {\n  func a() async {\n    ${head.startsWith('}') ? 'if c {\n    ' : ''}${head} {${head.startsWith('switch') ? ' default: break' : ' go()'} }\n  }\n  func b() {}\n}\nfunc after() {}\n`,
      'class S, method S.a, method S.b, function after',
    );
  defines(
    'swift',
    'func one(\n  at: Location = #_sourceLocation\n) {\n  go()\n}\nfunc after() {}\n',
    'function one, function after',
  );
});

test('python: an alias of a type with parameters goes by its name', () => {
  defines(
    'python',
    'type Plain = int\ntype Pair[T] = tuple[T, T]\ntype Call[*Ts, **P] = X\n',
    'type Plain, type Pair, type Call',
  );
});

test('markdown: underlined headings of both levels begin sections, other lines under text none', () => {
  defines(
    'markdown',
    'Top\n===\n\nText\n\nSub part\n--------\n\n### Deep\n\nHi\n--\n\nSecond\n=\n',
    'section Top, section Top.Sub part, section Top.Sub part.Deep, section Top.Hi, section Second',
  );
  const none = '---\ntitle: a\n---\n\n- item\n---\n\n```\nNo\n--\n```\n\ntext\n\n---\n\n| a |\n|---|\n';
  defines('markdown', none, '');
});

const SQL_AFTER = '\nCREATE TABLE after (a int);\n';

test('sql: what statements of each dialect create is found, and what stands behind it', () => {
  const statements = {
    'function dbo.get':
      'CREATE PROCEDURE dbo.get @Id INT = NULL AS\nBEGIN\n SET NOCOUNT ON;\n SELECT TOP 1 * FROM [a];\nEND\nGO',
    'function [dbo].[f]': 'ALTER FUNCTION [dbo].[f](@a INT) RETURNS INT AS BEGIN RETURN @a END\nGO',
    'function tr': 'CREATE OR ALTER TRIGGER tr ON t AFTER INSERT AS\nSELECT 1;\nSELECT 2;\nGO',
    'table [dbo].[Line Items]': 'CREATE TABLE [dbo].[Line Items](\n [Id] [int] IDENTITY(1,1)\n) ON [PRIMARY]',
    'function pay':
      'CREATE OR REPLACE PROCEDURE pay (a IN NUMBER) IS\n b NUMBER;\nBEGIN\n IF a THEN NULL; END IF;\nEND pay;\n/',
    'module pk, function one, function two':
      'CREATE PACKAGE BODY pk IS\n PROCEDURE one IS BEGIN NULL; END one;\n FUNCTION two RETURN INT IS BEGIN RETURN 1; END;\nEND pk;\n/',
    'function add':
      'DELIMITER //\nCREATE DEFINER=`a`@`b` FUNCTION add(a INT) RETURNS INT\nBEGIN\n RETURN a;\nEND//\nDELIMITER ;',
    'function stamp': 'CREATE TRIGGER stamp BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1;',
    'function total':
      'CREATE FUNCTION total() RETURNS int AS $a$ BEGIN; CREATE TABLE inner_one (a int); END $a$ LANGUAGE plpgsql;',
    'function atomic': 'CREATE FUNCTION atomic() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; SELECT 2; END;',
    'key ix': 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS ix ON t (a);',
    'type mood': "CREATE TYPE mood AS ENUM ('a', 'b');",
    'type positive': 'CREATE DOMAIN positive AS int CHECK (VALUE > 0);',
    'table v': 'CREATE MATERIALIZED VIEW IF NOT EXISTS v AS SELECT 1;',
    'table "a"."b c"': 'CREATE TABLE IF NOT EXISTS "a"."b c" (d int);',
    'table short': 'CREATE TABLE short (a int)',
  };
  for (const [expected, statement] of Object.entries(statements))
    defines('sql', statement + SQL_AFTER, `${expected}, table after`);
});

test('sql: comments, texts, dumped rows and changes define nothing', () => {
  const nothing = [
    '-- create table a (b int);',
    "/* create table a (b int); */ SELECT 'create table a (b int);', E'it\\'s; create table a (b int)';",
    "EXEC ('CREATE PROCEDURE a AS RETURN 0;')\nGO",
    'ALTER TABLE a ADD b int;\nALTER FUNCTION a(int) OWNER TO b;',
    "COPY a FROM stdin;\n1\tit's\n\\.",
    'CREATE INDEX ON a (b);',
    'CREATE TABLE #a (b int)',
    "SELECT 'C:\\';",
  ];
  for (const text of nothing) defines('sql', text + SQL_AFTER, 'table after');
});

test('languages described by data: what their grammars or forms do not know is no hole in a file', () => {
  // Strings of Fortran go on behind `&`, and the `!` in them begins no comment.
  defines(
    'fortran',
    'module m\ncontains\nsubroutine a()\ncall log("one of &\n   & two!: (")\nend subroutine\nsubroutine b()\nend subroutine\nend module\n',
    'module m, function m.a, function m.b',
  );
  // Interfaces of OCaml are parsed as the signature of a module, at their own places.
  defines(
    'ocaml',
    '(** Sums. *)\nval total : int list -> int\nval add :\n  int ->\n  int\ntype t = A | B\nmodule M : sig val x : int end\n',
    'function total, function add, type t, enum-member t.A, enum-member t.B, module M, function M.x',
  );
  assert.equal(factsOf('val total : int\nval x : int\n', 'ocaml').symbols[1].start, 'val total : int\n'.length);
  // Directives of Verilog between two halves of a statement, and a statement that is a macro.
  defines(
    'verilog',
    'module a(input x\n`ifdef WIDE\n, input y\n`endif\n);\n`assert(x)\nendmodule\nmodule b;\nendmodule\n',
    'module a, field a.x, field a.y, module b',
  );
  // Prose of R Markdown is no code, even where it looks like some.
  defines('r', 'It is `x <- 1`, or\ny <- 2\n\n```{r setup}\nadd <- function(a) a\n```\nz <- 3\n', 'function add');
  const many = `<a>${'<b id="x"/>'.repeat(3_000)}</a>`;
  assert.equal(factsOf(many, 'xml').symbols.length, 2_000);
  // Macros of Apple's headers.
  defines(
    'objectivec',
    'NS_ASSUME_NONNULL_BEGIN\ntypedef NS_OPTIONS(NSUInteger, Mode) { ModeA = 1 << 0, ModeB };\nFOUNDATION_EXPORT NSString * const kName;\n@interface Cart : NSObject\n- (instancetype)init NS_UNAVAILABLE;\n- (void)open:(int)x API_AVAILABLE(ios(13), macos(10.15));\n@end\nNS_ASSUME_NONNULL_END\n',
    'enum Mode, enum-member Mode.ModeA, enum-member Mode.ModeB, variable kName, class Cart, method Cart.init, method Cart.open',
  );
});

test('yaml: keys are found between the marks of Helm, Ansible and Salt', () => {
  const chart = `{{- if .Values.enabled }}
kind: {{ if .secret -}} Secret {{- else -}} ConfigMap {{- end }}
metadata:
  name: {{ template "cart.name" . }}
  labels:
    {{- include "cart.labels" . | nindent 4 }}
{{/* a
note */}}
spec:
  image: "{{ .repository }}:{{ .tag | default "latest" }}"
  ports:
{{- range $i, $port := .ports }}
    - {{ $port }}
{{- end }}
{{- end }}
`;
  defines('yaml', chart, 'key kind, key metadata, key spec');
  defines(
    'yaml',
    '{% if a %}\nb: {{ c | d("e") }}\n{% else %}\n{{ f }}: 1\n{% endif %}\ng: {# h #} 2\n',
    'key b, key {{ f }}, key g',
  );
  defines('yaml', 'a: {b: {c: 1}}\nd: "{{ e }}"\n', 'key a, key d');
  defines('yaml', 'a:\n  - {{ toYaml $e | nindent 4 | trim }}\n    b: 1\nd: 2\n', 'key a, key d');
});

test('html: elements and scripts are found between the marks of Jinja, Handlebars and ERB', () => {
  const page = `<a {% if x < 3 %}class="a"{% endif %} href={{ url }}>{{ "<b>" }}</a><div id="cart"><% each do |x| %>
<h2>{{ title }}</h2></div>
<script>
const cart = {{ cart | json }};
function load() { {% if x %} return 1; {% endif %} }
function after() {}
</script>`;
  defines('html', page, 'section cart, section cart.{{ title }}, constant cart, function load, function after');
});

test('declarations behind brackets that nothing closes, or behind one too many, are found', () => {
  const open =
    'class A {\n  one() {\n    if (x) {\n      call(a, {\n  }\n  static two() { return 3; }\n}\nfunction after() {}\n';
  defines('javascript', open, 'class A, method A.one, method A.two, function after');
  defines('typescript', open, 'class A, method A.one, method A.two, function after');
  defines(
    'javascript',
    'function a() {}\nfunction b() {\n}\n}\n)\nclass C { d() {} }\n',
    'function a, function b, class C, method C.d',
  );
  const python =
    'def a():\n    return f(1, [2\n\nclass B:\n    def c(self):\n        return (1\n    def d(self):\n        pass\n';
  defines('python', python, 'function a, class B, method B.c, method B.d');
  const java =
    'class A {\n    void one() {\n        if (x) {\n    }\n    public int two() { return 1; }\n}\nclass B {}\n';
  defines('java', java, 'class A, method A.one, method A.two, class B');
  defines(
    'go',
    'package a\n\nfunc one() {\n\tif x {\n}\n\nfunc two() int {\n\treturn 1\n}\n',
    'function one, function two',
  );
});

test('brackets in texts and comments, and those of a whole file, stay as they are', () => {
  const lexical = { joins: ['.'], quotes: '"\'`', lineComments: ['//'], blockComment: ['/*', '*/'] } as const;
  const whole = [
    'class A {\n  b() {\n    return "{(" + `}`; // [\n  }\n  /* { */\n  c() {}\n}\nfunction d(\n  e,\n) {}\n',
    'namespace a {\nclass B {\n};\nvoid c() {\n}\n}\n',
    'it("a", () => {\n  function b() {}\n});\nfunction c() {}\n',
  ];
  for (const text of whole) assert.equal(withClosedBrackets(text, lexical), text);
});

test('a text of broken lines costs no more than three parses', () => {
  const broken = 'function f( { [ } class {\n'.repeat(2_000);
  const once = cpuTimer();
  parseWithGrammar('JavaScript', broken);
  const one = once();
  const all = cpuTimer();
  factsOf(broken, 'javascript');
  assert.ok(all() < 3 * one + 3_000);
});

test('python: each name of a chain of assignments is a definition of its own', () => {
  defines(
    'python',
    'a = b = 1\nclass Cart:\n    size = limit = 0\n    def add(self):\n        c = d = 2\n\nx = y = _z = CAP = None\n',
    'variable a, variable b, class Cart, field Cart.size, field Cart.limit, method Cart.add, variable x, variable y, variable _z, constant CAP',
  );
});

test('sql: members of a package, also behind one with routines of its own', () => {
  const head =
    'CREATE OR REPLACE PACKAGE cart AS\n  TYPE t_item IS RECORD (a NUMBER);\n  SUBTYPE t_id IS NUMBER;\n  PROCEDURE add_item(p IN NUMBER);\n  FUNCTION total RETURN NUMBER;\nEND cart;\n/\n';
  defines('sql', head, 'module cart, type t_item, type t_id, function add_item, function total');
  const body =
    'CREATE PACKAGE BODY cart AS\n  PROCEDURE add_item(p IN NUMBER) IS\n    v NUMBER;\n    PROCEDURE early;\n    PROCEDURE inner_one IS BEGIN NULL; END;\n    FUNCTION inner_two RETURN NUMBER IS\n    BEGIN\n      IF v > 1 THEN RETURN 2; END IF;\n      RETURN 1;\n    END inner_two;\n  BEGIN\n    inner_one;\n  END add_item;\n  FUNCTION total RETURN NUMBER IS BEGIN RETURN 1; END;\nEND cart;\n/\ncreate table after_it (a int);\n';
  defines('sql', body, 'module cart, function add_item, function total, table after_it');
  const { symbols } = factsOf(body, 'sql');
  assert.deepEqual([symbols[1].startLine, symbols[1].endLine], [2, 13], 'a routine ends behind its own block');
});

test('perl: a file of Prolog with its ending is text', () => {
  for (const text of [
    '% Facts\n:- module(cart, [total/1]).\ntotal(X) :- X = 1.\n',
    '/* Carts */\ntotal(1).\n',
    'total(a, B) --> item(B).\n',
    'item(a).\nitem(b).\n',
  ])
    assert.deepEqual(symbolLines(factsOf(text, 'perl')), [], text);
  defines('perl', '%rates = (a => 1);\nsub total { 1 }\n', 'function total');
  defines('perl', 'open(my $f, "x");\nprint("a") . "b";\nsub total { 1 }\n', 'function total');
});

test('astro: the frontmatter and scripts are code, and markup uses what they have', () => {
  const page =
    '---\nimport Layout from "./Layout.astro";\ninterface Props { title: string }\nfunction total(n: number) { return n; }\n---\n<Layout><p>{total(2)}</p>\n  <script is:inline>\n    function boot() {}\n  </script>\n</Layout>\n';
  defines('astro', page, 'interface Props, property Props.title, function total, function boot');
  const { references, imports } = factsOf(page, 'astro').relations;
  assert.deepEqual(
    references.map(({ kind, name, startLine }) => `${startLine} ${kind} ${name}`),
    ['6 new Layout', '6 call total'],
  );
  assert.equal(imports[0].specifier, './Layout.astro');
  defines('astro', '<p>---</p>\n---\nfunction no() {}\n---\n', '');
});

test('notebooks: code of cells is that of their kernel, at its places in the file', () => {
  const cell = (kind: string, ...lines: string[]) => ({ cell_type: kind, source: lines, outputs: [] });
  const cells = [
    cell('markdown', '# Carts\n'),
    cell('code', '%load_ext x\n', '!pip install y\n', 'from shop import Tax\n'),
    cell('code', 'def total(n):\n', '    """The "sum"\\n"""\n', '    return Tax(n, "\t")'),
    cell('code', '%%bash\n', 'def not_python(): pass\n'),
    { cell_type: 'code', source: 'class Cart:\n    def add(self): total(1)\n', outputs: [] },
  ];
  const text = JSON.stringify({ cells, metadata: { kernelspec: { language: 'python' } } }, null, 1);
  const { symbols, relations } = factsOf(text, 'notebook');
  defines('notebook', text, 'section Carts, function total, class Cart, method Cart.add');
  const lines = text.split('\n');
  const lineOf = (part: string) => lines.findIndex((line) => line.includes(part)) + 1;
  const [, total, cart] = symbols;
  assert.deepEqual([total.startLine, total.endLine], [lineOf('def total'), lineOf('return Tax')]);
  assert.equal(cart.startLine, lineOf('class Cart'));
  for (const { name, nameStart } of symbols.slice(1)) assert.ok(text.startsWith(name, nameStart), name);
  assert.deepEqual(
    relations.references.map(({ kind, name, startLine }) => `${startLine} ${kind} ${name}`),
    [`${lineOf('return Tax')} call Tax`, `${lineOf('class Cart')} call total`],
  );
  const other = text.replace('"python"', '"brainfuck"');
  assert.deepEqual(symbolLines(factsOf(other, 'notebook')), ['+ section Carts']);
});

test('bash: functions around lines that the grammar cannot read, also functions in functions', () => {
  const broken = '  rest="${line#*\\"cart\\":[}"\n  list="${(f)${rest%%]*}:t}"\n';
  defines(
    'bash',
    `add() {\n${broken}}\n\nfunction remove() {\n  inner() {\n    log x\n  }\n${broken}}\n\nclear ()\n{\n  log y\n}\n`,
    'function add, function remove, function remove.inner, function clear',
  );
  defines('bash', 'function one() { view "$@" | view - }\ntwo() { log z; }\n', 'function one, function two');
  const { parseErrors } = factsOf('add() {\n  log x\n  done ) fi\n}\n', 'bash');
  assert.notDeepEqual(parseErrors, [], 'lines that were left out are told');
});

test('haskell: both branches of a condition, and the code of literate files', () => {
  const branches = '#if MIN_VERSION_base(4,9,0)\nimport A (Year)\n#else\ntype Year = Int\n#endif\ntype Month = Int\n';
  defines('haskell', `{-# LANGUAGE CPP #-}\nmodule Cart where\n${branches}`, 'type Year, type Month');
  const warned = '#else\n#warning one \\\n   main two\nmain :: IO ()\nmain = pure ()\n#endif\n';
  defines(
    'haskell',
    `module Cart where\n#ifdef X\nmain :: IO ()\nmain = run\n${warned}`,
    'function main, function main',
  );
  const inExpression = 'list = [\n#ifdef X\n  1\n#else\n  2\n#endif\n  ]\nafter = 1\n';
  defines('haskell', `module Cart where\n${inExpression}`, 'function list, function after');
  const code = 'total :: Int\ntotal = 1\n';
  const prose = '# Carts\n\ndata is what a cart holds\n\n';
  defines('haskell', `${prose}\`\`\`haskell\n${code}\`\`\`\n\n\`\`\`\nother :: Int\n\`\`\`\n`, 'function total');
  defines('haskell', `A cart.\n\n> module Cart where\n> total = 1\n\nEnd.\n`, 'function total');
  defines('haskell', `A cart: \\emph{it}.\n\\begin{code}\n${code}\\end{code}\nmore = words\n`, 'function total');
});

test('c: macros between values, behind comments in strings, and before types; prototypes of old compilers', () => {
  const values =
    'static int sizes[] = {\n#define SMALL 1\n  SMALL,\n/*\n#define NONE 0\n*/\n#define LARGE 2\n  LARGE };\n';
  defines('c', `${values}int after;\n`, 'variable sizes, macro SMALL, macro LARGE, variable after');
  const globs = '#define PATHS "/proc/* /sys/*"\n#define NEXT 1\nint carts; /* end */\n';
  defines('c', globs, 'macro PATHS, macro NEXT, variable carts');
  defines('c', 'static THREAD_LOCAL struct { int a; } cart;\nint f(void) { return 1; }\n', 'variable cart, function f');
  defines(
    'c',
    'static THREAD_LOCAL cart_t *cart;\nLOCAL struct row row = { 0 };\nlocal once_t made = 1;\nint INTERNAL level = 2;\n',
    'variable cart, variable row, variable made, variable level',
  );
  defines('c', 'extern int EXPORT add OF((int n, char c));\nint sum __P ((int));\n', 'function add, function sum');
  defines('c', 'typedef int (*run) OF((int n));\ntypedef double _Complex number;\n', 'type run, type number');
  defines('c', 'static void TARGET("sse4.1") blit(int n)\n{\n  n++;\n}\n', 'function blit');
  const bodiless =
    'API int first(EV_ struct cart *c) NOTHROW pure\nint main(void) { return 0; }\nint last(void) { return 1; }\n';
  defines('c', bodiless, 'function first, function main, function last');
  const cut = 'void f(int n) {\n  if (n) { g(); }\n#ifdef X\n  else if (n > 1) { h(); }\n#endif\n}\n';
  assert.ok(!symbolLines(factsOf(cut, 'c')).some((line) => line.endsWith(' if')), 'a statement is no function');
});

test('cpp: a test behind a condition, and types without a name', () => {
  defines('cpp', '#if defined(ZSTD)\nTEST_F(CartTest, adds) {\n  Cart cart(3);\n}\n#endif\n', 'function adds');
  defines('cpp', 'static struct { int a; } cart;\nint after;\n', 'variable cart, variable after');
});

test('csharp: a parameter called async; elixir: fields of a structure in no brackets', () => {
  defines(
    'csharp',
    'class Cart {\n  Task Add(bool async, int n) => Store(async: true, n);\n  async Task Sum() { if (async) await x; }\n}\n',
    'class Cart, method Cart.Add, method Cart.Sum',
  );
  defines(
    'elixir',
    'defmodule Cart do\n  defstruct empty?: true, items: []\nend\n',
    'module Cart, struct Cart.__struct__',
  );
});
