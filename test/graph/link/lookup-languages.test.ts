/** Kinds of uses that compilers knew and the graph did not: elements, bounds, paths, channels, inherited constructors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../../../src/graph/graph.js';
import { edgeLines, graphOf, memberUses } from './project.js';

const CARGO = { 'Cargo.toml': '[package]\nname = "p"\n' };
const WORD = 'pub struct Word { pub n: u8 }\nimpl Word { pub fn go(&self) {} }\n';

/** Lines of the file that use `Word.go`. */
function linesOfGo(code: string): number[] {
  const graph = graphOf({ ...CARGO, 'src/lib.rs': `${WORD}${code}` });
  return memberUses(graph, 'src/lib.rs')
    .filter((use) => use.endsWith(' Word.go'))
    .map((use) => Number(use.split(' ')[0]) - 2)
    .sort((a, b) => a - b);
}

test('rust: what an iterator or an index of the repository gives has the type that its `impl` states', () => {
  const types =
    'pub struct Words { all: Vec<Word> }\n' +
    'impl Index<usize> for Words {\n    type Output = Word;\n    fn index(&self, i: usize) -> &Self::Output { &self.all[i] }\n}\n' +
    'impl Iterator for Words {\n    type Item = Word;\n    fn next(&mut self) -> Option<Self::Item> { None }\n}\n' +
    'pub struct Bag;\nimpl Bag {\n    pub fn iter(&self) -> Words { panic!() }\n}\n';
  assert.deepEqual(
    linesOfGo(
      `${types}pub fn a(mut ws: Words, bag: Bag) {\n    ws[0].go();\n    for w in ws { w.go(); }\n    while let Some(w) = ws.next() {\n        w.go();\n    }\n    for b in bag {\n        b.go();\n    }\n}\n`,
    ),
    [15, 16, 18, 21],
  );
});

test('rust: bounds say what an iterator gives, also behind `where`; a bound with `=` states no default', () => {
  assert.deepEqual(
    linesOfGo(
      'pub fn a<I>(words: I)\nwhere\n    I: IntoIterator<Item = Word>,\n{\n    for word in words {\n        word.go();\n    }\n}\n' +
        "pub fn b<'a>(words: impl Iterator<Item = Word> + 'a) {\n    for word in words {\n        word.go();\n    }\n}\n" +
        'pub fn c() -> (u8, Word) { panic!() }\npub fn d() {\n    let (n, word) = c();\n    n.go();\n    word.go();\n}\n',
    ),
    [6, 11, 18],
  );
});

test('rust: names in the pattern of a variant have the types of what it holds', () => {
  assert.deepEqual(
    linesOfGo(
      'pub enum Kind { One(Word), Two(u8, Box<Word>), None }\nimpl Kind {\n    pub fn a(&self) {\n        match self {\n            Kind::One(ref w) => w.go(),\n' +
        '            Self::Two(n, w) => w.go(),\n            Kind::None => {}\n        }\n        if let Kind::One(x) = self {\n            x.go();\n        }\n    }\n}\n' +
        'pub fn b((n, w): (u8, Word)) {\n    w.go();\n}\n',
    ),
    [5, 6, 10, 15],
  );
});

test('rust: a method of the type itself comes before one of a trait, in whichever order they stand', () => {
  const graph = graphOf({
    ...CARGO,
    'src/lib.rs':
      'pub trait Index { fn index(&self); }\npub struct A;\npub struct B;\nimpl Index for A { fn index(&self) {} }\nimpl A { pub fn index(&self) {} }\n' +
      'impl B { pub fn index(&self) {} }\nimpl Index for B { fn index(&self) {} }\npub fn a(x: A, y: B) {\n    x.index();\n    y.index();\n}\n',
  });
  const found: [line: number, target: number][] = [];
  for (let i = 0; i < graph.edgeCount; i++) {
    const { kind, startLine, to } = graph.edge(i);
    if (kind === 'call') found.push([startLine, graph.startLine(to)]);
  }
  assert.deepEqual(found, [
    [9, 5],
    [10, 6],
  ]);
});

test('rust: a variant that an import gives is read in a pattern', () => {
  const graph = graphOf({
    ...CARGO,
    'src/lib.rs':
      'pub enum Kind { One(u8), Two }\npub fn a(k: Kind, o: Option<u8>) {\n    use self::Kind::*;\n    match k {\n        One(ref n) => {}\n        Two => {}\n    }\n    if let Some(n) = o {}\n}\n',
  });
  const found = edgeLines(graph).filter((line) => / read /.test(line));
  assert.deepEqual(found, [
    'src/lib.rs:a read src/lib.rs:Kind.One (imported)',
    'src/lib.rs:a read src/lib.rs:Kind.Two (imported)',
  ]);
});

test('rust: a path is none to a variable of its first name, and an enumeration is not called', () => {
  const graph = graphOf({
    ...CARGO,
    'src/ast.rs':
      'pub struct Ast;\nimpl Ast { pub fn go(&self) {} }\npub struct Flags { pub n: u8 }\nimpl Flags { pub fn make() -> Self { panic!() } }\npub fn visit(a: &Ast) {}\n',
    'src/lib.rs':
      'mod ast;\nuse crate::ast::Ast;\npub enum Err { Bad }\npub trait Input { type Item; }\n' +
      'pub fn a(ast: &Ast) -> ast::Flags {\n    ast.go();\n    ast::visit(ast);\n    ast::Flags::make();\n    ast::Flags { n: 1 }\n}\n' +
      'pub fn b<I: Input>(i: I) -> Result<<I as Input>::Item, u8> { Err(1) }\n',
  });
  const found = edgeLines(graph).filter((line) => /lib\.rs:[ab] /.test(line) && !line.includes('?'));
  assert.deepEqual(
    found.map((line) => line.replaceAll('src/lib.rs:', '')),
    [
      'a type src/ast.rs:Ast (imported)',
      'a type src/ast.rs:Flags (imported)',
      'a call src/ast.rs:Ast.go (receiver)',
      'a call src/ast.rs:visit (imported)',
      'a read src/ast.rs:Flags (imported)',
      'a call src/ast.rs:Flags.make (receiver)',
      'a new src/ast.rs:Flags (imported)',
      'a write src/ast.rs:Flags.n (receiver)',
      'b type Input (same-file)',
      'b type Input (same-file)',
      'b type Input.Item (receiver)',
    ],
  );
});

test('go: what a case receives, a variable with the name of its type, the last value of a case', () => {
  const graph = graphOf({
    'go.mod': 'module example.com/p\n',
    'a.go':
      'package p\n\ntype ping struct{ n int }\n\nfunc (p ping) Go() {}\n\nconst (\n\thit = 1\n\tmiss = 2\n)\n\n' +
      'func A(ch chan ping, x int) {\n\tselect {\n\tcase v := <-ch:\n\t\tv.Go()\n\tcase w, ok := <-ch:\n\t\tw.Go()\n\t\tprint(ok)\n\t}\n' +
      '\tping := ping{n: 1}\n\tping.Go()\n\tswitch x {\n\tcase hit, miss:\n\t}\n}\n',
  });
  const found = edgeLines(graph).filter((line) => line.startsWith('a.go:A ') && !line.includes('?'));
  assert.deepEqual(
    found.map((line) => line.slice(7)),
    [
      'type a.go:ping (same-file)',
      'call a.go:ping.Go (receiver)',
      'call a.go:ping.Go (receiver)',
      'new a.go:ping (same-file)',
      'write a.go:ping.n (receiver)',
      'call a.go:ping.Go (receiver)',
      'read a.go:hit (same-file)',
      'read a.go:miss (same-file)',
    ],
  );
});

test('go, csharp: a type of the same name in another package or namespace has no part in a type', () => {
  const cs = (space: string, own: string): string =>
    `namespace ${space};\npublic class Store {\n  public void ${own}() {}\n  public void Run() { this.Open(); this.Shut(); }\n}\n`;
  const graph = graphOf({
    'go.mod': 'module example.com/p\n',
    'a/store.go': 'package a\n\ntype Store struct{ open int }\n',
    'a/run.go': 'package a\n\nfunc (s *Store) Run() { s.Load(); s.shut = s.open }\n\nfunc (s *Store) Load() {}\n',
    'b/store.go': 'package b\n\ntype Store struct{ shut int }\n\nfunc (s *Store) Load() {}\n',
    'A.cs': cs('A', 'Open'),
    'B.cs': cs('B', 'Shut'),
  });
  const found = edgeLines(graph).filter((line) => /Run (?:call|read|write) (?!.*\(package\))/.test(line));
  assert.deepEqual(found, [
    'A.cs:A.Store.Run call A.cs:A.Store.Open (receiver)',
    'A.cs:A.Store.Run call ?Shut (unresolved)',
    'B.cs:B.Store.Run call ?Open (unresolved)',
    'B.cs:B.Store.Run call B.cs:B.Store.Shut (receiver)',
    'a/run.go:Store.Run call a/run.go:Store.Load (receiver)',
    'a/run.go:Store.Run write ?shut (unresolved)',
    'a/run.go:Store.Run read a/store.go:Store.open (receiver)',
  ]);
});

test('go: keys of the elements of a long table are fields', () => {
  const rows = Array.from({ length: 300 }, (_, i) => `\t\t{do: run, name: "case ${i}"},`).join('\n');
  const graph = graphOf({
    'go.mod': 'module example.com/p\n',
    'a.go': `package p\n\ntype T struct {\n\tdo   func()\n\tname string\n}\n\nfunc run() {}\n\nfunc Cases() []T {\n\tcases := []T{\n${rows}\n\t}\n\treturn cases\n}\n`,
  });
  assert.equal(memberUses(graph, 'a.go').filter((use) => use.endsWith(' T.do')).length, 300);
});

test('java, typescript: making a class without a constructor uses the one that it inherits', () => {
  const graph = graphOf({
    'A.java':
      'class Base { Base(int n) {} }\nclass Middle extends Base {}\nclass Own extends Middle { Own() { super(1); } }\n' +
      'class T {\n  Object a() { return new Middle(1); }\n  Object b() { return new Own(); }\n}\n',
    'a.ts':
      'class Base { constructor(n: number) {} }\nclass S extends Base {}\nclass Round extends Round {}\nexport function a() { new Round(); return new S(1); }\n',
  });
  const found = edgeLines(graph).filter((line) => / (?:new|call) /.test(line));
  assert.deepEqual(found, [
    'A.java:Own.Own call A.java:Base.Base (inherited)',
    'A.java:T.a new A.java:Middle (same-file)',
    'A.java:T.a new A.java:Base.Base (inherited)',
    'A.java:T.b new A.java:Own (same-file)',
    'a.ts:a new a.ts:Round (same-file)',
    'a.ts:a new a.ts:S (same-file)',
    'a.ts:a new a.ts:Base.constructor (inherited)',
  ]);
});

test('rust: a method of a trait in scope is meant on any value, unless a type in scope or the library has one of that name', () => {
  const graph = graphOf({
    ...CARGO,
    'src/lib.rs': 'pub mod able;\npub mod near;\npub mod far;\n',
    'src/able.rs':
      'pub trait Able { fn enable(&self); fn push(&self); fn steer(&self); }\npub struct Wheel;\nimpl Wheel { pub fn steer(&self) {} }\n' +
      'impl Able for u8 { fn enable(&self) {} fn push(&self) {} fn steer(&self) {} }\n',
    'src/near.rs':
      'use crate::able::{Able, Wheel};\npub fn a(x: &[u8], w: Wheel) {\n    x.first().unwrap().enable();\n    other().enable();\n    x.push();\n    other().steer();\n    w.steer();\n}\n',
    'src/far/unseen.rs': 'pub fn b() {\n    other().enable();\n}\n',
    'src/far.rs': 'use crate::able::Able;\npub fn a() {\n    other().steer();\n}\npub mod unseen;\n',
  });
  assert.deepEqual(memberUses(graph, 'src/near.rs'), ['3 Able.enable', '4 Able.enable', '7 Wheel.steer']);
  assert.deepEqual(memberUses(graph, 'src/far.rs'), ['3 Able.steer']);
  assert.deepEqual(memberUses(graph, 'src/far/unseen.rs'), []);
});

test('rust: a field has the bound that the `impl` gives to its type, also for references and numbered fields', () => {
  assert.deepEqual(
    linesOfGo(
      'pub trait Rule { fn word(&self) -> Word; }\npub struct Own;\nimpl Own { fn word(&self) {} }\npub struct Held<P, Q> { base: P, next: Q }\npub struct Pair<T>(pub T, Word);\n' +
        'impl<P, Q> Held<P, Q>\nwhere\n    P: Rule,\n    Q::Item: Rule,\n{\n    fn a(&self) {\n        self.base.word().go();\n        self.next.word().go();\n    }\n}\n' +
        "impl<'a, T: Rule> Iterator for &'a mut Pair<T> {\n    fn next(&mut self) {\n        self.0.word().go();\n        self.1.go();\n    }\n}\n",
    ),
    [12, 18, 19],
  );
});

test('rust: names in an `impl` hide none around it, and paths lead into modules of a file', () => {
  const graph = graphOf({
    ...CARGO,
    'src/lib.rs':
      "pub trait Near { type Iter; fn near(&self) -> Self::Iter; }\npub struct Iter<'a> { at: &'a u8 }\npub struct Cart;\n" +
      "impl<'a> Near for &'a Cart {\n    type Iter = Iter<'a>;\n    fn near(&self) -> Iter<'a> { panic!() }\n}\n" +
      'pub mod inner {\n    pub fn scope() {}\n    pub struct Made;\n    impl Made { pub fn open() {} }\n}\n' +
      "pub fn b<'scope>(x: &'scope u8) {\n    self::inner::scope();\n    self::inner::Made::open();\n}\n",
  });
  const lines = edgeLines(graph).filter((line) => /Cart\.|:b call/.test(line));
  assert.deepEqual(lines, [
    'src/lib.rs:Cart.Iter type src/lib.rs:Iter (same-file)',
    'src/lib.rs:Cart.near type src/lib.rs:Iter (same-file)',
    'src/lib.rs:b call src/lib.rs:inner.scope (receiver)',
    'src/lib.rs:b call src/lib.rs:inner.Made.open (receiver)',
  ]);
});

test('rust: what a module of the file imports is found through it, by name and by glob', () => {
  const graph = graphOf({
    ...CARGO,
    'src/lib.rs':
      'mod deep;\npub mod parts {\n    pub use crate::deep::{Cart, Rule};\n}\npub use crate::parts::*;\n' +
      'pub fn a(cart: Cart) -> u8 { 0 }\npub fn b<R: parts::Rule>(rule: R) -> u8 { 0 }\n',
    'src/deep.rs': 'pub struct Cart;\npub trait Rule {}\n',
  });
  assert.deepEqual(
    edgeLines(graph).filter((line) => /:[ab] type/.test(line)),
    ['src/lib.rs:a type src/deep.rs:Cart (reexported)', 'src/lib.rs:b type src/deep.rs:Rule (reexported)'],
  );
});

test('rust: a field is meant behind a dot where a method has its name, and a bound of a type is no parameter', () => {
  const graph = graphOf({
    ...CARGO,
    'src/lib.rs':
      'pub struct Cart { size: u8 }\nimpl Cart {\n    pub fn size(&self) -> u8 { take(self.size) }\n}\nfn take(x: u8) -> u8 { x }\n' +
      'impl<T> Near<T> for Cart\nwhere\n    Cart: Near<u8>,\n{}\npub trait Near<T> {}\n',
  });
  const lines = edgeLines(graph).filter((line) => /Cart\.size (?!call)|type .*:Cart /.test(line));
  const type = 'src/lib.rs:Cart type src/lib.rs:Cart (same-file)';
  assert.deepEqual(lines, [type, 'src/lib.rs:Cart.size read src/lib.rs:Cart.size (receiver)', type, type]);
});

test('go: a type that is declared as another one has its fields', () => {
  const graph = graphOf({
    'go.mod': 'module example.com/p\n',
    'a.go':
      'package p\n\ntype Opts struct {\n\tName string\n}\n\ntype GaugeOpts Opts\ntype Size int\n\n' +
      'func Open(o GaugeOpts) string {\n\treturn o.Name\n}\n\nfunc Made() string {\n\treturn Open(GaugeOpts{\n\t\tName: "a",\n\t})\n}\n',
  });
  assert.deepEqual(
    memberUses(graph, 'a.go').filter((use) => use.endsWith(' Opts.Name')),
    ['11 Opts.Name', '16 Opts.Name'],
  );
});

test('go: later results of a call, keys of maps and lists, and functions that newer versions of the language have', () => {
  const graph = graphOf({
    'go.mod': 'module example.com/p\n',
    'a.go':
      'package p\n\ntype Cart struct{ n int }\n\nfunc (c *Cart) Go() {}\n\ntype Shop interface {\n\tOpen() (n int, cart *Cart, err error)\n}\n\n' +
      'const (\n\tred = 1\n\tblue = 2\n)\n\nfunc both() (string, []Cart) { return "", nil }\n\n' +
      'func A(s Shop) {\n\t_, c, err := s.Open()\n\tc.Go()\n\terr.Error()\n\tname, all := both()\n\tall[0].Go()\n\tprint(name)\n}\n\n' +
      'var byKind = map[int]func() Cart{red: nil}\nvar names = [...]string{blue: "b"}\n\nfunc B() { max(1, 2) }\n\n' +
      'type Carts []*Cart\n\nvar many = Carts{{n: 1}, &Cart{n: 2}}\n',
    'old.go': 'package p\n\nfunc max(a, b int) int { return a }\n',
  });
  const found = edgeLines(graph).filter(
    (line) => /^a\.go:(?:A|B|byKind|names|many) /.test(line) && !line.includes('?'),
  );
  assert.deepEqual(found.map((line) => line.slice(5)).sort(), [
    'A call a.go:Cart.Go (receiver)',
    'A call a.go:Cart.Go (receiver)',
    'A call a.go:Shop.Open (receiver)',
    'A call a.go:both (same-file)',
    'A type a.go:Shop (same-file)',
    'B call old.go:max (package)',
    'byKind read a.go:red (same-file)',
    'byKind type a.go:Cart (same-file)',
    'many new a.go:Cart (same-file)',
    'many new a.go:Carts (same-file)',
    'many write a.go:Cart.n (receiver)',
    'many write a.go:Cart.n (receiver)',
    'names read a.go:blue (same-file)',
  ]);
});

test('java: a class far above comes before an interface, and a future has no member of what it will hold', () => {
  const graph = graphOf({
    'A.java':
      'interface Listens { void on(int a); }\n' +
      'abstract class Base implements Listens { public void on(int a) {} }\n' +
      'abstract class Middle extends Base {}\n' +
      'class Last extends Middle implements Listens {}\n' +
      'class Result { void complete(int a) {} }\n' +
      'class Main {\n' +
      '  void a(Last last) { last.on(1); }\n' +
      '  void b(java.util.concurrent.CompletableFuture<Result> f) {\n    f.complete(null);\n    f.join().complete(2);\n' +
      '    f.thenAccept(r -> r.complete(3));\n  }\n}\n',
  });
  const uses = memberUses(graph, 'A.java');
  assert.deepEqual(
    uses.filter((use) => /\.(?:on|complete)$/.test(use)),
    ['10 Result.complete', '11 Result.complete', '7 Base.on'],
  );
});

test('java: a lambda gets what the only method of its interface gets, with the type arguments of the parameter', () => {
  const graph = graphOf({
    'A.java':
      'class Event { void show() {} }\n' +
      'interface Listener<T> { void accept(T event); }\n' +
      'interface PlainHandler { void handle(Event e); }\n' +
      'interface Source { void each(Listener<? super Event> l); }\n' +
      'class Policy { void plain(int a, PlainHandler h) {} static <R> void many(java.util.List<Event> all) {} }\n' +
      'class Main {\n  void a(Policy p, Source s) {\n' +
      '    s.each(e -> e.show());\n    p.plain(1, e -> e.show());\n    Listener<Event> own = e -> e.show();\n' +
      '    Policy.many(e -> e.show());\n  }\n}\n',
  });
  assert.deepEqual(
    memberUses(graph, 'A.java').filter((use) => use.endsWith('.show')),
    ['10 Event.show', '8 Event.show', '9 Event.show'],
  );
});

test('rust: a function can have the name of the module beside it that has it', () => {
  const graph = graphOf({
    ...CARGO,
    'src/lib.rs': 'mod parts;\npub fn a(f: u8) { parts::join(f) }\n',
    'src/parts/mod.rs': 'mod join;\npub use self::join::*;\n',
    'src/parts/join.rs': 'pub fn join(f: u8) {}\n',
  });
  const found = edgeLines(graph).filter((line) => /lib\.rs:a call/.test(line) && !line.includes('?'));
  assert.deepEqual(
    found.map((line) => line.replaceAll('src/', '')),
    ['lib.rs:a call parts/join.rs:join (reexported)'],
  );
});

test('java: generated sources beside the others are of the same module', () => {
  const graph = graphOf({
    'shop/src/main/java/shop/Till.java': 'package shop;\nclass Till { Pair both; }\n',
    'shop/src-gen/main/java/shop/Pair.java': 'package shop;\npublic class Pair {}\n',
    'shop/src-gen/test/java/shop/PairTest.java': 'package shop;\nclass PairTest { Pair made; Till till; }\n',
  });
  const found = edgeLines(graph).filter((line) => line.includes(' type '));
  assert.deepEqual(
    found.map((line) => line.replaceAll(/\S*\//g, '')),
    [
      'PairTest.java:PairTest.made type Pair.java:Pair (package)',
      'PairTest.java:PairTest.till type Till.java:Till (package)',
      'Till.java:Till.both type Pair.java:Pair (package)',
    ],
  );
});

test('rust: a comment above an arm, a bound of a type and a parameter called like a module hide no name', () => {
  const found = edgeLines(
    graphOf({
      'Cargo.toml': '[package]\nname = "shop"\n',
      'src/lib.rs':
        'mod format;\nmod deep;\nmod digit {\n    pub const HALF: u8 = 1;\n    pub fn split(n: u8) -> u8 {\n        n\n    }\n}\n' +
        'pub struct Cart;\npub fn tree(n: Option<u8>) -> u8 {\n    fn inner(n: u8) -> u8 {\n        match n {\n            1 => 1,\n            // than something in this inner one\n            2 => inner(1),\n            _ => 3,\n        }\n    }\n    inner(1)\n}\n' +
        'pub fn both<F, T>(format: F, n: T) -> Result<Cart, T> where Cart: From<T>, F: Fn(T) -> T {\n    format::make(format);\n    Ok(Cart::from(n))\n}\n',
      'src/format.rs': 'pub fn make<F>(f: F) {}\n',
      'src/deep.rs':
        'use crate::digit::{self, HALF};\npub fn half() -> u8 {\n    digit::split(HALF) + digit::HALF\n}\n',
    }),
  );
  for (const line of [
    'src/lib.rs:tree.inner call src/lib.rs:tree.inner (same-file)',
    'src/lib.rs:tree call src/lib.rs:tree.inner (same-file)',
    'src/lib.rs:both call src/format.rs:make (imported)',
    'src/deep.rs:half call src/lib.rs:digit.split (receiver)',
    'src/deep.rs:half read src/lib.rs:digit.HALF (receiver)',
  ])
    assert.ok(found.includes(line), `${line}\n${found.join('\n')}`);
  assert.equal(found.filter((line) => line === 'src/lib.rs:both type src/lib.rs:Cart (same-file)').length, 2);
});

test('go: a package whose folder has marks in its name is called as the file uses it', () => {
  const found = edgeLines(
    graphOf({
      'go.mod': 'module example.com/go-till/v2\n',
      'till.go': 'package till\n\nfunc Open() int { return 1 }\n',
      'free-gift/gift.go': 'package freegift\n\nfunc Give() int { return 1 }\n',
      'cmd/main.go':
        'package main\n\nimport (\n\t"example.com/go-till/v2"\n\t"example.com/go-till/v2/free-gift"\n)\n\nfunc run() int { return till.Open() + freegift.Give() }\n',
    }),
  ).filter((line) => line.startsWith('cmd/main.go:run'));
  assert.deepEqual(
    found.map((line) => line.split(' (')[0]),
    ['cmd/main.go:run call till.go:Open', 'cmd/main.go:run call free-gift/gift.go:Give'],
  );
});

const usesOf = (graph: Graph, path: string, name: string): string[] =>
  memberUses(graph, path).filter((use) => use.endsWith(` ${name}`));

test('java, go, rust: a call at the end of a long chain is known', () => {
  const many = (mark: string) => Array.from({ length: 60 }, (_, i) => `.withSomething(${i})${mark}`).join('');
  const graph = graphOf({
    'app/Cart.java': `package app;\nclass Cart {\n  Cart withSomething(int n) { return this; }\n  void close() {}\n  void run() {\n    new Cart()${many('')}.close();\n  }\n}\n`,
    'go.mod': 'module example.com/p\n',
    'a.go': `package p\n\ntype Cart struct{}\n\nfunc (c *Cart) withSomething(n int) *Cart { return c }\n\nfunc (c *Cart) shut() {}\n\nfunc Run(c *Cart) {\n\tc${many('')}.shut()\n}\n`,
    ...CARGO,
    'src/lib.rs': `pub struct Cart;\nimpl Cart {\n    fn withSomething(self, n: u8) -> Option<Self> { None }\n    fn end(self) {}\n}\npub fn run(c: Cart) {\n    c${many('.unwrap()')}.end();\n}\n`,
  });
  assert.equal(usesOf(graph, 'app/Cart.java', 'Cart.withSomething').length, 60);
  assert.deepEqual(usesOf(graph, 'app/Cart.java', 'Cart.close'), ['6 Cart.close']);
  assert.deepEqual(usesOf(graph, 'a.go', 'Cart.shut'), ['10 Cart.shut']);
  assert.deepEqual(usesOf(graph, 'src/lib.rs', 'Cart.end'), ['7 Cart.end']);
});

test('go: what files for several systems keep in one variable is used by each of its types', () => {
  const kind = (name: string, tag: string) => ({
    [`${name}/it.go`]: `package ${name}\n\ntype Encoder struct{}\n\nfunc (e Encoder) Add() {}\n${name === 'text' ? '\nfunc (e Encoder) Line() {}\n' : ''}`,
    [`with_${name}.go`]: `//go:build ${tag}\n\npackage p\n\nimport "example.com/p/${name}"\n\nvar enc = ${name}.Encoder{}\n`,
  });
  const graph = graphOf({
    'go.mod': 'module example.com/p\n',
    ...kind('binary', 'small'),
    ...kind('text', '!small'),
    'a.go': 'package p\n\nfunc A() {\n\tenc.Add()\n\tenc.Line()\n}\n',
    // A variable of another package is none of its types, whatever its name.
    'far/it.go':
      'package far\n\ntype Encoder struct{}\n\nfunc (e Encoder) Add() {}\n\nfunc (e Encoder) Line() {}\n\nvar enc = Encoder{}\n',
  });
  const found = edgeLines(graph).filter((line) => line.startsWith('a.go:A call '));
  assert.deepEqual(found.sort(), [
    'a.go:A call binary/it.go:Encoder.Add (receiver)',
    'a.go:A call text/it.go:Encoder.Add (receiver)',
    'a.go:A call text/it.go:Encoder.Line (receiver)',
  ]);
});

test('go: a route that ends a chain calls the function of the repository; keys of maps with texts for keys; a parameter called this', () => {
  const graph = graphOf({
    'go.mod': 'module example.com/p\n',
    'a.go':
      'package p\n\nimport "net/http"\n\nconst HeaderKind = "X-Kind"\n\ntype Route struct{ n int }\n\nfunc (r *Route) Path(s string) *Route { return r }\n\n' +
      'func (r *Route) Handler(h int) *Route { return r }\n\nfunc A(r *Route) {\n\tr.Path("/a").Handler(1)\n\t_ = map[string]*Route{\n\t\t"A": {\n\t\t\tn: 1,\n\t\t},\n\t}\n' +
      '\t_ = http.Header{\n\t\tHeaderKind: {"a"},\n\t}\n\tless(r, r)\n}\n\nfunc less(this, other *Route) bool { return this == other }\n',
  });
  assert.deepEqual(usesOf(graph, 'a.go', 'Route.Handler'), ['14 Route.Handler']);
  assert.deepEqual(usesOf(graph, 'a.go', 'Route.n'), ['17 Route.n']);
  const found = edgeLines(graph).filter((line) => / a.go:(?:HeaderKind|less) /.test(line));
  assert.deepEqual(found, ['a.go:A read a.go:HeaderKind (same-file)', 'a.go:A call a.go:less (same-file)']);
});

test('rust: modules inside of a file see what it imports, and name their own traits', () => {
  const graph = graphOf({
    ...CARGO,
    'src/word.rs': WORD,
    'src/lib.rs':
      'mod word;\nuse word::Word;\npub struct Bag;\nmod one {\n    use super::{Bag, Word};\n    pub trait Sealed { fn run(&self) {} }\n    impl Sealed for Word {}\n' +
      '    pub fn a(w: Word, b: Bag) { w.go(); }\n}\nmod two {\n    use super::Word;\n    pub trait Sealed { fn stop(&self) {} }\n    impl Sealed for Word {}\n}\n',
  });
  const found = edgeLines(graph).filter((line) => line.includes(' implements ') || line.includes('Word.go'));
  assert.deepEqual(found, [
    'src/lib.rs:one.Word implements src/lib.rs:one.Sealed (same-file)',
    'src/lib.rs:one.a call src/word.rs:Word.go (receiver)',
    'src/lib.rs:two.Word implements src/lib.rs:two.Sealed (same-file)',
  ]);
});

test('rust: variants that a function opens come before types of the file', () => {
  const graph = graphOf({
    ...CARGO,
    'src/lib.rs':
      'pub struct Values(pub u8);\npub enum Cursor { Head, Values(u8) }\npub fn a(c: Cursor) -> Cursor {\n    use self::Cursor::*;\n    match c {\n        Head => Values(1),\n' +
      '        Values(n) => Head,\n    }\n}\npub fn b() -> Values { Values(2) }\n',
  });
  const found = edgeLines(graph).filter((line) => line.includes('Values'));
  assert.deepEqual(found.sort(), [
    'src/lib.rs:a call src/lib.rs:Cursor.Values (imported)',
    'src/lib.rs:a read src/lib.rs:Cursor.Values (imported)',
    'src/lib.rs:b new src/lib.rs:Values (same-file)',
    'src/lib.rs:b type src/lib.rs:Values (same-file)',
  ]);
});

test('rust: a closure gets what the function says that it gives; a block that is unsafe has a value; `this` is a name', () => {
  assert.deepEqual(
    linesOfGo(
      'pub struct Bag { word: Word, all: Vec<Word> }\nimpl Bag {\n    fn change<F>(self, f: F) where F: FnOnce(Word) -> Word {}\n    fn map(self, f: impl Fn(&Word)) {}\n' +
        '    fn with(f: impl Fn(&mut Word)) {}\n    fn go(&self) {}\n    pub fn a(self, raw: *const Bag) {\n        self.change(move |mut w| { w.go(); w });\n        self.map(|w| w.go());\n' +
        '        Bag::with(|w| w.go());\n        let x = unsafe { &(*raw).all[0] };\n        x.go();\n    }\n}\nfn first(this: Word, n: u8) { this.go(); second(this, n) }\n' +
        'fn second(this: Word, n: u8) { first(this, n) }\npub fn b(words: Option<Word>) {\n    words.map(|w| w.go());\n}\n',
    ),
    [8, 9, 10, 12, 15, 18],
  );
});

test('rust: a module that files for several systems have is each of them', () => {
  const graph = graphOf({
    ...CARGO,
    'src/lib.rs':
      '#[cfg(windows)]\n#[path = "windows.rs"]\nmod inner;\n#[cfg(unix)]\n#[path = "unix.rs"]\nmod inner;\npub fn a() {\n    inner::now();\n    inner::fork();\n}\n',
    'src/windows.rs': 'pub fn now() {}\n',
    'src/unix.rs': 'pub fn now() {}\npub fn fork() {}\n',
  });
  const found = edgeLines(graph).filter((line) => line.startsWith('src/lib.rs:a call '));
  assert.deepEqual(found.sort(), [
    'src/lib.rs:a call src/unix.rs:fork (imported)',
    'src/lib.rs:a call src/unix.rs:now (imported)',
    'src/lib.rs:a call src/windows.rs:now (imported)',
  ]);
});

test('java: the object around and its parents, by the name of the class', () => {
  const graph = graphOf({
    'app/A.java': 'package app;\nclass A<T> {\n  void check() {}\n}\ninterface Rule {\n  default void apply() {}\n}\n',
    'app/B.java':
      'package app;\nclass B<T> extends A<T> implements Rule {\n  void check() {}\n  public void apply() {}\n  class In {\n    void run() {\n      B.this.check();\n' +
      '      B.super.check();\n    }\n  }\n  void all() {\n    Rule.super.apply();\n  }\n}\nclass C extends A<C> {\n  class In {\n    void run() {\n      C.this.check();\n    }\n  }\n}\n',
  });
  const found = memberUses(graph, 'app/B.java').filter((use) => /check|apply/.test(use));
  assert.deepEqual(found.sort(), ['12 Rule.apply', '18 A.check', '7 B.check', '8 A.check']);
});

test('java: a call means a method, although a local has its name', () => {
  const graph = graphOf({
    'app/A.java':
      'package app;\nimport java.util.List;\nclass A {\n  A entry(String s) { return this; }\n  int size(int n) { return n; }\n  void run(List<A> all) {\n    A entry = entry("a");\n' +
      '    all.add(entry("b"));\n    entry.size(1);\n    int size = entry("c").size(2) + size(3);\n  }\n}\n',
  });
  const found = memberUses(graph, 'app/A.java');
  assert.deepEqual(found.sort(), ['10 A.entry', '10 A.size', '10 A.size', '7 A.entry', '8 A.entry', '9 A.size']);
});

test('rust: a path names a module although a local from outside has its name', () => {
  const graph = graphOf({
    ...CARGO,
    'src/encoder.rs': 'pub fn write_chunk(n: u8) {}\n',
    'src/lib.rs':
      'mod encoder;\nuse flate2::Encoder;\npub fn a(n: u8) {\n    let mut encoder = Encoder::new(n);\n    encoder.finish();\n    encoder::write_chunk(n);\n}\n',
  });
  const found = edgeLines(graph).filter((line) => line.startsWith('src/lib.rs:a call ') && !line.includes('?'));
  assert.deepEqual(found, ['src/lib.rs:a call src/encoder.rs:write_chunk (imported)']);
});

test('rust: globs lead into modules inside of a file, and past what a module imports for itself', () => {
  const graph = graphOf({
    ...CARGO,
    'src/read.rs': 'use std::ops::Range;\npub fn all(r: Range<u8>) {}\n',
    'src/range.rs': 'pub struct Range { pub begin: u8 }\n',
    'src/lib.rs':
      'mod read;\nmod range;\nmod user;\nmod failed {\n    pub enum Failure { Bad }\n}\npub use self::failed::*;\npub use self::read::*;\npub use self::range::*;\n',
    'src/user.rs': 'use crate::{Failure, Range};\npub fn a(r: Range) -> Failure {\n    Failure::Bad\n}\n',
  });
  const found = edgeLines(graph).filter((line) => line.startsWith('src/user.rs:a '));
  assert.deepEqual(found, [
    'src/user.rs:a type src/range.rs:Range (reexported)',
    'src/user.rs:a type src/lib.rs:failed.Failure (reexported)',
    'src/user.rs:a read src/lib.rs:failed.Failure (reexported)',
    'src/user.rs:a read src/lib.rs:failed.Failure.Bad (receiver)',
  ]);
});

test('go: types without names: structures of tables, functions in variables and parameters; a variable that hides what it is made by', () => {
  const graph = graphOf({
    'go.mod': 'module example.com/p\n',
    'a.go':
      'package p\n\ntype Cart struct{ n int }\n\nfunc (c *Cart) Go() {}\n\nfunc open() (*Cart, error) { return nil, nil }\n\nfunc A() {\n\ttests := []struct {\n\t\tname string\n\t\tin   *Cart // the cart\n' +
      '\t\tall  []*Cart `json:"all"`\n\t}{\n\t\t{name: "a"},\n\t}\n\tfor _, tt := range tests {\n\t\ttt.in.Go()\n\t\tfor _, c := range tt.all {\n\t\t\tc.Go()\n\t\t}\n\t}\n' +
      '\tfor _, tc := range []struct{ in *Cart }{{nil}} {\n\t\ttc.in.Go()\n\t}\n\tbuild := func(n int) *Cart { return nil }\n\tbuild(1).Go()\n\tother := build(2)\n\tother.Go()\n\topen, err := open()\n\topen.Go()\n\tprint(err)\n}\n\n' +
      'func B(f func(c *Cart) (*Cart, error)) {\n\tc, _ := f(nil)\n\tc.Go()\n}\n',
  });
  const lines = usesOf(graph, 'a.go', 'Cart.Go').map((use) => Number(use.split(' ')[0]));
  assert.deepEqual(
    lines.sort((a, b) => a - b),
    [18, 20, 24, 27, 29, 31, 37],
  );
  assert.ok(edgeLines(graph).includes('a.go:A call a.go:open (same-file)'));
});

test('rust: a module that imports another one of its own name is meant itself', () => {
  const graph = graphOf({
    ...CARGO,
    'src/lib.rs': 'pub mod pe;\npub mod read;\n',
    'src/pe.rs': 'pub const MAGIC: u8 = 1;\n',
    'src/read/mod.rs': 'pub mod pe;\nmod any;\n',
    'src/read/pe.rs': 'use crate::pe;\npub struct File(u8);\npub fn a() -> u8 { pe::MAGIC }\n',
    'src/read/any.rs': 'use crate::read::pe;\npub fn b() -> pe::File { panic!() }\n',
  });
  const found = edgeLines(graph).filter((line) => /:[ab] /.test(line));
  assert.deepEqual(found, [
    'src/read/any.rs:b type src/read/pe.rs:File (imported)',
    'src/read/pe.rs:a read src/pe.rs:MAGIC (imported)',
  ]);
});

test('rust: names in the pattern of a pair have the types of its parts, also in an option and in a closure', () => {
  assert.deepEqual(
    linesOfGo(
      'pub struct Bag { pair: Option<(Word, u8)> }\nimpl Bag {\n    pub fn a(&mut self) {\n        if let Some((ref mut w, ref n)) = self.pair {\n            w.go();\n        }\n' +
        '        self.pair.as_ref().map_or(true, |&(ref w, _)| w.go());\n    }\n}\n',
    ),
    [5, 7],
  );
});

test('java: the second parameter of a lambda is that of the function of the interface', () => {
  const graph = graphOf({
    'app/A.java':
      'package app;\nclass Answer {\n  void header(String s) {}\n}\nclass Ask {}\ninterface Filter {\n  void handle(Ask ask, Answer answer);\n}\nclass App {\n  static void before(String path, Filter filter) {}\n  static void before(Filter filter) {}\n  void run() {\n' +
      '    before("/a", (q, a) -> a.header("x"));\n    Filter f = (q, a) -> a.header("y");\n    before("/b", (ask, answer) -> {\n      answer.header("z");\n    });\n  }\n}\n',
  });
  assert.deepEqual(usesOf(graph, 'app/A.java', 'Answer.header'), [
    '13 Answer.header',
    '14 Answer.header',
    '16 Answer.header',
  ]);
});

test('a value of a type parameter has the members of each of its bounds, however a language joins them', () => {
  const java =
    'interface Sized { int size(); }\ninterface Named { String title(); }\nclass Box<T extends Sized & Named> {\n  T value;\n' +
    '  int a() { return value.size(); }\n  String b() { return value.title(); }\n' +
    '  <U extends Object & Sized & Named> void c(U u) {\n    u.size();\n    u.title();\n  }\n}\n';
  const kotlin =
    'interface Sized { fun size(): Int }\ninterface Named { fun title(): String }\nclass Box<T>(val value: T) where T : Sized, T : Named {\n' +
    '  fun a() = value.size()\n  fun b() = value.title()\n}\n' +
    'fun <U> c(u: U): Int where U : Sized, U : Named {\n  u.title()\n  return u.size()\n}\n';
  const scala =
    'trait Sized { def size(): Int }\ntrait Named { def title(): String }\nclass Box[T <: Sized with Named](val value: T) {\n' +
    '  def a() = value.size()\n  def b() = value.title()\n}\n' +
    'def c(u: Sized with Named) = {\n  u.size()\n  u.title()\n}\ndef d[U : Named](u: U) = {\n  u.title()\n}\n';
  const csharp =
    'interface Sized { int size(); }\ninterface Named { string title(); }\nclass Box<T> where T : class, Sized, Named, new() {\n  T value;\n' +
    '  int a() { return value.size(); }\n  string b() { return value.title(); }\n' +
    '  void c<U, V>(U u, V v) where U : struct, Sized where V : Named {\n    u.size();\n    v.title();\n  }\n}\n';
  const swift =
    'protocol Sized { func size() -> Int }\nprotocol Named { func title() -> String }\nstruct Box<T: Sized & Named> {\n  let value: T\n' +
    '  func a() { value.size() }\n  func b() { value.title() }\n}\n' +
    'func c<U: Sized, V>(u: U, v: V) where U: Named, V: Named {\n  u.size()\n  u.title()\n  v.title()\n}\n';
  const rust =
    'pub trait Sized2 { fn size(&self) -> i32; }\npub trait Named { fn title(&self); }\npub fn c<U: Sized2>(u: U) where U: Named {\n' +
    '    u.size();\n    u.title();\n}\n';
  const files = { 'Box.java': java, 'box.kt': kotlin, 'box.scala': scala, 'Box.cs': csharp, 'box.swift': swift };
  const found = Object.entries({ ...files, 'src/lib.rs': rust }).map(([path, text]) => {
    const uses = memberUses(graphOf({ [path]: text, ...(path.endsWith('.rs') && CARGO) }), path);
    const members = uses.filter((use) => /\.(?:size|title)$/.test(use)).sort();
    return `${path}: ${members.map((use) => use.replace(/ \w+\./, ' ')).join(', ')}`;
  });
  assert.deepEqual(found, [
    'Box.java: 5 size, 6 title, 8 size, 9 title',
    'box.kt: 4 size, 5 title, 8 title, 9 size',
    'box.scala: 4 size, 5 title, 8 size, 9 title',
    'Box.cs: 5 size, 6 title, 8 size, 9 title',
    'box.swift: 10 title, 11 title, 5 size, 6 title, 9 size',
    'src/lib.rs: 4 size, 5 title',
  ]);
});

test('what a generic type gives is of the argument, not of the bound, however many parameters have none', () => {
  const files = {
    'Box.java':
      'interface Sized { int size(); }\nclass Cart implements Sized { public int size() { return 1; } }\n' +
      'class Box<K, T extends Sized> { T first() { return null; } }\n' +
      'class Use {\n  int a(Box<String, Cart> box) { return box.first().size(); }\n}\n',
    'box.kt':
      'interface Sized { fun size(): Int }\nclass Cart : Sized { override fun size() = 1 }\n' +
      'class Box<K, T>(val value: T) where T : Sized { fun first(): T = value }\n' +
      '\nfun a(box: Box<String, Cart>) = box.first().size()\n',
    'box.scala':
      'trait Sized { def size(): Int }\nclass Cart extends Sized { def size(): Int = 1 }\n' +
      'class Box[K, T <: Sized](val value: T) { def first(): T = value }\n' +
      '\ndef a(box: Box[String, Cart]) = box.first().size()\n',
    'Box.cs':
      'interface Sized { int size(); }\nclass Cart : Sized { public int size() { return 1; } }\n' +
      'class Box<K, T> where T : class, Sized { public T first() { return null; } }\n' +
      'class Use {\n  int a(Box<string, Cart> box) { return box.first().size(); }\n}\n',
    'box.swift':
      'protocol Sized { func size() -> Int }\nclass Cart: Sized { func size() -> Int { 1 } }\n' +
      'class Box<K, T> where T: Sized { func first() -> T { fatalError() } }\n' +
      '\nfunc a(box: Box<String, Cart>) -> Int { box.first().size() }\n',
    'box.dart':
      'abstract class Sized { int size(); }\nclass Cart implements Sized { int size() => 1; }\n' +
      'class Box<K, T extends Sized> { T first() => throw 1; }\n' +
      '\nint a(Box<String, Cart> box) => box.first().size();\n',
  };
  const found = Object.entries(files).map(([path, text]) => {
    const uses = memberUses(graphOf({ [path]: text }), path).filter((use) => use.endsWith('.size'));
    return `${path}: ${uses.join(', ')}`;
  });
  assert.deepEqual(
    found,
    Object.keys(files).map((path) => `${path}: 5 Cart.size`),
  );
});

test('python: a tuple gives its items by place, any of them to a loop, and one type where its length is open', () => {
  const classes = ['Cart', 'Bill'].map((name) => `class ${name}:\n    def go(self):\n        pass\n`).join('');
  const made = 'def pair() -> tuple[Cart, Bill]: ...\ndef many() -> Tuple[Cart, ...]: ...\n';
  const body = [
    'def a():',
    '    cart, bill = pair()',
    '    cart.go()',
    '    bill.go()',
    '    for one in pair():',
    '        one.go()',
    '    for each in many():',
    '        each.go()',
  ];
  const uses = memberUses(graphOf({ 'a.py': `${classes}${made}${body.join('\n')}\n` }), 'a.py');
  assert.deepEqual(uses.filter((use) => use.endsWith('.go')).sort(), [
    '11 Cart.go',
    '12 Bill.go',
    '14 Bill.go',
    '14 Cart.go',
    '16 Cart.go',
  ]);
});

test('java: a static import of all names brings the members of the type, and neither the type nor its neighbours', () => {
  const graph = graphOf({
    'shop/Cart.java':
      'package shop;\npublic class Cart {\n  public Cart() {}\n  public static int max() { return 3; }\n  public static class Row {}\n}\nclass Tax {}\n',
    'app/Cart.java': 'package app;\npublic class Cart {\n  public Cart() {}\n}\n',
    'app/Tax.java': 'package app;\npublic class Tax {\n  public Tax() {}\n}\n',
    'app/Main.java':
      'package app;\nimport static shop.Cart.*;\npublic class Main {\n  int run() {\n    new Cart();\n    new Tax();\n    new Row();\n    return max();\n  }\n}\n',
  });
  const found = edgeLines(graph).filter((line) => /Main\.run (?:new|call) /.test(line));
  assert.deepEqual(found, [
    'app/Main.java:Main.run new app/Cart.java:Cart (package)',
    'app/Main.java:Main.run new app/Tax.java:Tax (package)',
    'app/Main.java:Main.run new shop/Cart.java:Cart.Row (imported)',
    'app/Main.java:Main.run call shop/Cart.java:Cart.max (imported)',
  ]);
});
