/** Features of newer versions of languages, by language, in small texts of our own. */
export const FEATURES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dart: {
    '3.0 records': '(int, {String name}) cart() => (1, name: "a");\n',
    '3.0 patterns, guards':
      'String total(Object o) => switch (o) { (int a, _) when a > 1 => "x", [var b, ...] => "y", {"k": final c} => "z", Cart(:var d) => "w", _ => "" };\n',
    '3.0 sealed, base, interface, final, mixin class':
      'sealed class A {}\nbase class B {}\ninterface class C {}\nfinal class D {}\nmixin class E {}\n',
    '3.0 if-case': 'void f(Object o) {\n  if (o case [int a, int b]) print(a);\n}\n',
    '3.3 extension types': 'extension type Id(int value) implements int {\n  int get twice => value * 2;\n}\n',
    '3.6 digit separators': 'const limit = 1_000_000;\n',
    '3.7 wildcard variables': 'void f(int _, int _) {\n  var _ = 1;\n}\n',
    '3.8 null-aware elements': 'List<int> f(int? a) => [?a, 1];\n',
    '3.10 dot shorthands': 'enum Colour { red, green }\nColour c = .red;\nvoid f() { g(.green); }\n',
  },
  kotlin: {
    '1.5 value class': '@JvmInline\nvalue class Id(val value: Int)\n',
    '1.9 data object': 'data object Empty\n',
    '1.9 open-ended range': 'fun f() { for (i in 0..<10) print(i) }\n',
    '1.4 fun interface': 'fun interface Rolls { fun roll(by: Int) }\n',
    '1.7 definitely non-nullable types': 'fun <T> f(a: T, b: T & Any): T & Any = b\n',
    '2.2 guards in when': 'fun f(a: Any) = when (a) {\n  is String if a.isEmpty() -> 1\n  else -> 2\n}\n',
    '2.2 multi-dollar interpolation': 'val schema = $$"""{"$id": "$$name"}"""\n',
    '2.2 context parameters': 'context(log: Logger, db: Db)\nfun cart(): Int = 1\n',
    '2.2 nested type aliases': 'class A {\n  typealias Name = String\n}\n',
    'context receivers': 'context(Logger)\nfun cart(): Int = 1\n',
    'annotation with use-site all': 'class A(@all:Size val a: Int)\n',
  },
  csharp: {
    '9 records, init, with':
      'public record Point(int X, int Y) { public int Z { get; init; } }\nclass A { Point F(Point p) => p with { X = 1 }; }\n',
    '10 file-scoped namespace, record struct': 'namespace Shop;\npublic readonly record struct Id(int Value);\n',
    '11 raw strings, required, list patterns':
      'class A {\n  public required string Name { get; init; }\n  string S = """\n    a "b"\n    """;\n  bool F(int[] a) => a is [1, .., 3];\n}\n',
    '11 generic attributes, file types, static abstract':
      '[Mark<int>]\nfile class A {}\ninterface I<T> where T : I<T> { static abstract T operator +(T a, T b); }\n',
    '12 primary constructors, collection expressions, alias any type':
      'using P = (int X, int Y);\nclass A(int size) { int[] F() => [1, 2, ..B]; }\n',
    '13 params collections, partial properties, ref struct':
      'partial class A { public partial int Size { get; set; }\n  void F(params ReadOnlySpan<int> a) {}\n  void G<T>(T a) where T : allows ref struct {} }\n',
    '13 escape \\e, lock object, field index': 'class A { string S = "\\e[0m"; }\n',
    '14 extension members':
      'static class E {\n  extension(string text) {\n    public bool IsBig => text.Length > 9;\n    public int Twice() => 2;\n  }\n}\n',
    '14 field keyword': 'class A { public int Size { get => field; set => field = value; } }\n',
    '14 null-conditional assignment': 'class A { void F(B? b) { b?.Size = 1; } }\n',
    '14 partial constructors and events':
      'partial class A { public partial A(int a); public partial event Action Done; }\n',
    '14 unbound nameof, lambda modifiers':
      'class A { string S = nameof(List<>); Parse<int> P = (text, out result) => int.TryParse(text, out result); }\n',
    '14 compound assignment operators': 'class A { public void operator +=(int by) {} }\n',
  },
  python: {
    '3.8 walrus, positional only': 'def f(a, /, b):\n    if (n := a) > 1:\n        return n\n',
    '3.10 match':
      'def f(a):\n    match a:\n        case {"k": [x, *rest], **other} if x > 1:\n            return 1\n        case Cart(size=1) | None:\n            return 2\n',
    '3.11 except*': 'try:\n    f()\nexcept* ValueError as e:\n    pass\n',
    '3.12 type parameters, type statement':
      'type Pair[T] = tuple[T, T]\ndef first[T: int, *Ts, **P](a: T) -> T:\n    return a\nclass Box[T]:\n    pass\n',
    '3.12 nested quotes in f-strings': 'a = f"{cart["name"]} {"\\n".join(b)}"\n',
    '3.13 defaults of type parameters': 'class Box[T = int]:\n    pass\n',
    '3.14 template strings': 'def f(name):\n    return t"hello {name!r:>10}"\n',
    '3.15 lazy imports': 'lazy import json\nlazy from shop import cart\n',
    '3.14 except without parentheses': 'try:\n    f()\nexcept ValueError, TypeError:\n    pass\n',
  },
  java: {
    '16 records, 17 sealed':
      'public sealed interface Shape permits Circle {}\nrecord Circle(int r) implements Shape { Circle { if (r < 0) throw new Error(); } }\n',
    '15 text blocks, 14 switch expressions':
      'class A { String s = """\n  a "b"\n  """;\n int f(int a) { return switch (a) { case 1, 2 -> 3; default -> { yield 4; } }; } }\n',
    '21 record patterns, guards':
      'class A { int f(Object o) { return switch (o) { case Circle(int r) when r > 1 -> r; case null, default -> 0; }; } }\n',
    '22 unnamed variables':
      'class A { void f() { try { g(); } catch (Error _) {} for (var _ : list) {} h((_, _) -> 1); } }\n',
    '22 unnamed patterns': 'class A { boolean f(Object o) { return o instanceof Circle(_); } }\n',
    '25 module imports': 'import module java.base;\nclass A {}\n',
    '25 compact source files': 'void main() {\n  IO.println("a");\n}\n',
    '25 flexible constructor bodies': 'class A extends B { A(int a) { if (a < 0) throw new Error(); super(a); } }\n',
    '23 Markdown documentation': '/// A **cart**.\nclass A {}\n',
    'preview: primitive patterns':
      'class A { int f(Object o) { return switch (o) { case int i when i > 1 -> i; default -> 0; }; } }\n',
  },
  cpp: {
    '20 concepts, requires':
      'template <typename T>\nconcept Sized = requires(T a) { { a.size() } -> std::convertible_to<int>; };\ntemplate <Sized T> requires (sizeof(T) > 1)\nvoid f(T a) {}\nauto g(Sized auto a) { return a; }\n',
    '20 modules': 'export module shop;\nimport std;\nexport int total() { return 1; }\n',
    '20 coroutines, spaceship, designated':
      'task f() { co_await g(); co_return; }\nstruct A { int x; auto operator<=>(const A&) const = default; };\nA a{.x = 1};\n',
    '20 lambda templates, consteval, constinit':
      'consteval int f() { return 1; }\nconstinit int g = 1;\nauto h = []<typename T>(T a) { return a; };\n',
    '23 deducing this':
      'struct A { template <typename Self> auto&& get(this Self&& self) { return self.x; } int x; };\n',
    '23 if consteval': 'constexpr int f() { if consteval { return 1; } else { return 2; } }\n',
    '23 multidimensional subscript, static operator()':
      'struct A { int operator[](int a, int b) const { return 1; } static int operator()(int a) { return a; } };\n',
    '23 size_t literals, #elifdef, #warning': 'auto n = 1uz;\n#ifdef A\n#elifdef B\n#warning "b"\n#endif\nint a;\n',
    '23 attributes on lambdas, assume':
      'void f(int a) { [[assume(a > 1)]]; auto g = [] [[nodiscard]] { return 1; }; }\n',
    '23 auto(x)': 'auto f(int a) { return auto(a); }\n',
    '26 pack indexing': 'template <typename... T> using First = T...[0];\nint a;\n',
    '26 reason of deletion': 'void f() = delete("use g");\n',
    '26 contracts': 'int f(int a) pre(a > 0) post(r: r > a) { return a + 1; }\n',
  },
  rust: {
    '2021 let-else, GATs':
      "trait A { type Out<'a> where Self: 'a; }\nfn f(a: Option<i32>) { let Some(b) = a else { return; }; }\n",
    '2024 async closures': 'fn f() { let g = async |a: i32| a + 1; }\n',
    '2024 let chains': 'fn f(a: Option<i32>) { if let Some(b) = a && b > 1 { g(); } }\n',
    '2024 unsafe extern, unsafe attributes':
      'unsafe extern "C" { pub safe fn sqrt(x: f64) -> f64; }\n#[unsafe(no_mangle)]\npub fn f() {}\n',
    '2024 precise capturing': "fn f<'a, T>(a: &'a T) -> impl Sized + use<'a, T> { a }\n",
    '1.79 inline const, associated type bounds': 'fn f(a: impl Iterator<Item: Clone>) { let b = const { 1 + 1 }; }\n',
    '1.82 raw pointers': 'fn f(a: i32) { let p = &raw const a; }\n',
    '1.77 C strings': 'fn f() { let s = c"a"; }\n',
    '1.75 return-position impl in traits, async fn in traits':
      'trait A { async fn f(&self) -> i32; fn g(&self) -> impl Iterator<Item = i32>; }\n',
    'unstable: gen blocks': 'fn f() { let g = gen { yield 1; }; }\n',
  },
  go: {
    '1.18 type parameters':
      'package a\n\ntype Number interface{ ~int | ~float64 }\n\nfunc Sum[T Number](a []T) T { var s T; return s }\n',
    '1.22 range over integers': 'package a\n\nfunc f() { for i := range 10 { g(i) } }\n',
    '1.23 range over functions': 'package a\n\nfunc f() { for range seq { g() } }\n',
    '1.24 generic type aliases': 'package a\n\ntype Set[T comparable] = map[T]struct{}\n',
    '1.26 new of an expression': 'package a\n\nvar p = new(f(1))\n\nfunc g() {}\n',
    '1.26 self-referential constraints': 'package a\n\ntype Adder[A Adder[A]] interface{ Add(A) A }\n',
  },
  javascript: {
    'Flow: types of objects, opaque types':
      '/* @flow */\nopaque type Id: string = string;\nexport type Cart = {| +size: number, -name?: ?string, [key: string]: mixed |};\n',
    'Flow: components and hooks':
      '// @flow\ncomponent Cart(name: string, ...props: Props) renders Item { return null; }\nhook useCart(a: number): number { return a; }\n',
    'Flow: enums': '// @flow\nenum Colour { Red, Green }\n',
    'Flow: declare': '// @flow\ndeclare export function f(a: number): void;\ndeclare module.exports: { f: number };\n',
    'Flow: conditional and mapped types, guards':
      '// @flow\ntype A<T> = T extends string ? 1 : 2;\ntype B = { [K in keyof C]: number };\nfunction f(a: mixed): a is string { return true; }\n',
    'Flow: match': '// @flow\nconst a = match (b) { 1 => "x", {type: "a", const c} => c, _ => "" };\nfunction f() {}\n',
    '2025 regular expression modifiers, import attributes':
      'import a from "a.json" with { type: "json" };\nconst b = /(?i:a)/;\n',
    '2026 using': 'function f() { using a = open(); }\nasync function g() { await using b = open(); }\n',
    'decorators, accessors':
      'class A { @mark accessor size = 1; static { f(); } #x = 1; has(o) { return #x in o; } }\n',
  },
  typescript: {
    '5.0 const type parameters, decorators':
      'function f<const T>(a: T): T { return a; }\n@mark class A { @mark accessor size = 1; }\n',
    '4.9 satisfies': 'const a = { b: 1 } satisfies Cart;\n',
    '4.7 variance': 'interface Box<in out T> { value: T }\n',
    '5.2 using': 'function f() { using a = open(); }\n',
    '5.9 deferred imports': 'import defer * as a from "a";\nconst b = 1;\n',
    '4.7 extends on infer': 'type A<T> = T extends [infer H extends string, ...infer R] ? H : never;\n',
  },
  php: {
    '8.1 enums, readonly, never':
      '<?php\nenum Colour: string { case Red = "r"; public static function f(): never { exit; } }\nclass A { public function __construct(public readonly int $x) {} }\n',
    '8.2 readonly classes, DNF types': '<?php\nreadonly class A { public function f((B&C)|null $a): true {} }\n',
    '8.3 typed constants': '<?php\nclass A { const string NAME = "a"; }\n',
    '8.4 property hooks':
      '<?php\nclass A { public string $name { get => $this->n; set(string $v) { $this->n = $v; } } }\n',
    '8.4 asymmetric visibility': '<?php\nclass A { public private(set) int $size = 1; }\n',
    '8.4 new without parentheses': '<?php\nfunction f() { return new A()->g(); }\n',
    '8.5 pipe operator': '<?php\nfunction f($a) { return $a |> trim(...) |> strlen(...); }\n',
  },
  swift: {
    '5.9 macros, if expressions':
      '@freestanding(expression) macro line() -> Int = #externalMacro(module: "A", type: "B")\nfunc f(a: Bool) -> Int { let b = if a { 1 } else { 2 }; return b }\n',
    '5.9 parameter packs': 'func f<each T>(_ a: repeat each T) -> (repeat each T) { return (repeat each a) }\n',
    '5.9 noncopyable, consuming': 'struct A: ~Copyable { consuming func f() {} }\nfunc g(_ a: borrowing A) {}\n',
    '6.0 typed throws': 'func f() throws(CartError) -> Int { 1 }\n',
    '6.2 isolation': 'nonisolated(nonsending) func f() async {}\n@concurrent func g() async {}\n',
    '6.0 access on imports': 'internal import A\nstruct B {}\n',
  },
  ruby: {
    '3.0 endless methods, 3.1 shorthand': 'def total = 1\ndef f(a:) = g(a:)\n',
    '3.0 pattern matching':
      'def f(a)\n  case a\n  in {name: String => n, **rest} if n then 1\n  in [Integer, *] | nil then 2\n  end\nend\n',
    '3.4 it': 'def f(a) = a.map { it * 2 }\n',
    '3.2 anonymous arguments': 'def f(*, **, &) = g(*, **, &)\n',
  },
  scala: {
    '3 enums, givens, extensions':
      'enum Colour:\n  case Red, Green\ngiven ord: Ord[Int] with\n  def less(a: Int) = true\nextension (a: Int)\n  def twice = a * 2\n',
    '3 match types, unions, opaque':
      'opaque type Id = Int\ntype El[T] = T match\n  case String => Char\ndef f(a: Int | String): Unit = ()\n',
    '3.7 named tuples': 'type Cart = (name: String, size: Int)\nval c: Cart = (name = "a", size = 1)\n',
    '3.6 context bounds with names': 'def f[T: Ord as o](a: T): T = a\n',
  },
};
