/** Which definitions make up one type, and in which order the types above it are asked for a member: exact calls of small projects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, type Project } from './project.js';

/** Title, files, and the calls between them. */
const CASES: readonly [title: string, project: Project, expected: readonly string[]][] = [
  [
    'Ruby: a class is opened by its path from any file, and one of its name elsewhere is another',
    {
      'a.rb': 'module Shop\n  class Cart\n    def total; add; end\n  end\nend\n',
      'b.rb': 'class Shop::Cart\n  def add; end\nend\n',
      'c.rb': 'module Web\n  class Cart\n    def add; end\n  end\nend\n',
      'd.rb': 'module Shop\n  module Deep\n    class Shop::Cart\n      def far; add; end\n    end\n  end\nend\n',
      'e.rb': 'class Cart\n  def own; add; end\nend\n',
    },
    [
      'a.rb:Shop.Cart.total -> b.rb:Shop.Cart.add (package)',
      'd.rb:Shop.Deep.Shop.Cart.far -> ?add (unresolved)',
      'e.rb:Cart.own -> ?add (unresolved)',
    ],
  ],
  [
    'Ruby: modules that are mixed in come before the parent, the last one first',
    {
      'a.rb':
        'module First\n  def run; end\nend\nmodule Second\n  def run; end\nend\nclass Base\n  def run; end\n  def base; end\nend\nclass Cart < Base\n  include First\n  include Second\n  def go; run; base; end\nend\nclass Plain < Base\n  def go; run; end\nend\n',
    },
    [
      'a.rb:Cart.go -> a.rb:Second.run (inherited)',
      'a.rb:Cart.go -> a.rb:Base.base (inherited)',
      'a.rb:Plain.go -> a.rb:Base.run (inherited)',
    ],
  ],
  [
    'Ruby: methods of `ClassMethods` in a module are those of the class that includes it',
    {
      'a.rb':
        'module Taxed\n  module ClassMethods\n    def rate; end\n  end\n  def tax; end\nend\nclass Cart\n  include Taxed\n  def go; tax; end\n  def self.all; rate; end\nend\n',
      'b.rb': 'def use\n  Cart.rate\n  Cart.new.tax\nend\n',
    },
    [
      'a.rb:Cart.go -> a.rb:Taxed.tax (inherited)',
      'a.rb:Cart.all -> a.rb:Taxed.ClassMethods.rate (inherited)',
      'b.rb:use -> a.rb:Taxed.ClassMethods.rate (inherited)',
      'b.rb:use -> a.rb:Cart (unique)',
      'b.rb:use -> a.rb:Taxed.tax (inherited)',
    ],
  ],
  [
    'Ruby: a module inside of the class that includes it comes before one outside',
    {
      'a.rb':
        'module Provided\n  def run; end\nend\nclass Cart\n  module Provided\n    def run; end\n  end\n  include Provided\n  def go; run; end\nend\n',
    },
    ['a.rb:Cart.go -> a.rb:Cart.Provided.run (inherited)'],
  ],
  [
    'Rust: all blocks of a type are one type, in any file, and a trait gives what the type lacks',
    {
      'src/lib.rs':
        'mod more;\npub struct Cart { n: u32 }\nimpl Cart {\n    pub fn total(&self) -> u32 { self.add() + self.far() }\n}\nimpl Cart {\n    fn add(&self) -> u32 { 1 }\n}\npub trait Named { fn name(&self) -> u32 { self.id() }\n    fn id(&self) -> u32; }\nimpl Named for Cart { fn id(&self) -> u32 { 2 } }\npub fn use_it(c: &Cart) { c.name(); c.id(); c.far(); }\n',
      'src/more.rs': 'use crate::Cart;\nimpl Cart {\n    pub fn far(&self) -> u32 { 3 }\n}\n',
      'Cargo.toml': '[package]\nname = "p"\n',
    },
    [
      'src/lib.rs:Cart.total -> src/lib.rs:Cart.add (receiver)',
      'src/lib.rs:Cart.total -> src/more.rs:Cart.far (receiver)',
      'src/lib.rs:Named.name -> src/lib.rs:Named.id (receiver)',
      'src/lib.rs:use_it -> src/lib.rs:Named.name (inherited)',
      'src/lib.rs:use_it -> src/lib.rs:Cart.id (receiver)',
      'src/lib.rs:use_it -> src/more.rs:Cart.far (receiver)',
    ],
  ],
  [
    'C#: parts of a partial class of one namespace are one',
    {
      'A.cs': 'namespace Shop;\npartial class Cart { int Total() => Add(); }\n',
      'B.cs': 'namespace Shop;\npartial class Cart { int Add() => 1; }\n',
      'C.cs': 'namespace Web;\nclass Cart { int Add() => 2; int Own() => Add(); }\n',
    },
    ['A.cs:Shop.Cart.Total -> B.cs:Shop.Cart.Add (package)', 'C.cs:Web.Cart.Own -> C.cs:Web.Cart.Add (same-file)'],
  ],
  [
    'TypeScript: an interface and a namespace add to the class or function of their name',
    {
      'a.ts':
        'export class Cart { total() { return this.more(); } }\nexport interface Cart { more(): number }\nexport namespace Cart { export function make() {} }\nfunction open() {}\nnamespace open { export function later() {} }\nCart.make();\nopen.later();\nexport function use(c: Cart) { c.more(); c.total(); }\n',
    },
    [
      'a.ts -> a.ts:Cart.make (receiver)',
      'a.ts -> a.ts:open.later (receiver)',
      'a.ts:Cart.total -> a.ts:Cart.more (receiver)',
      'a.ts:use -> a.ts:Cart.more (receiver)',
      'a.ts:use -> a.ts:Cart.total (receiver)',
    ],
  ],
  [
    'TypeScript: the code of a parent comes before what an interface declares, and all parents of an interface count',
    {
      'a.ts':
        'interface Shape { area(): number; name(): string }\nclass Base { area() { return 1; } }\nclass Cart extends Base implements Shape { name() { return this.area() + ""; } }\ninterface Wide extends Shape, Deep { }\ninterface Deep { depth(): number }\nexport function use(c: Cart, w: Wide) { c.area(); c.name(); w.area(); w.depth(); }\n',
    },
    [
      'a.ts:Cart.name -> a.ts:Base.area (inherited)',
      'a.ts:use -> a.ts:Base.area (inherited)',
      'a.ts:use -> a.ts:Cart.name (receiver)',
      'a.ts:use -> a.ts:Shape.area (inherited)',
      'a.ts:use -> a.ts:Deep.depth (inherited)',
    ],
  ],
  [
    'TypeScript: arguments of a parent are known in the type, and a part of a type has its members',
    {
      'a.ts':
        'class Item { pay() {} }\nclass List<T> { first(): T { return null as any; } }\nclass Items extends List<Item> {}\nclass Own<U> extends List<U> {}\nexport function use(i: Items, o: Own<Item>) { i.first().pay(); o.first().pay(); }\ninterface Part extends Omit<Item, "x"> { more(): void }\nexport function part(p: Part) { p.pay(); p.more(); }\n',
    },
    [
      'a.ts:use -> a.ts:List.first (inherited)',
      'a.ts:use -> a.ts:Item.pay (receiver)',
      'a.ts:use -> a.ts:List.first (inherited)',
      'a.ts:use -> a.ts:Item.pay (receiver)',
      'a.ts:part -> a.ts:Item.pay (inherited)',
      'a.ts:part -> a.ts:Part.more (receiver)',
    ],
  ],
  [
    'Python: the first parent comes before the second, and a class that inherits from itself ends nowhere',
    {
      'a.py':
        'class A:\n    def run(self): pass\n    def only(self): pass\n\nclass B:\n    def run(self): pass\n    def second(self): pass\n\nclass C(A, B):\n    def go(self):\n        self.run()\n        self.second()\n        self.only()\n\nclass D(C):\n    def go(self):\n        super().go()\n        self.run()\n\nclass E(E):\n    def go(self):\n        self.run()\n',
    },
    [
      'a.py:C.go -> a.py:A.run (inherited)',
      'a.py:C.go -> a.py:B.second (inherited)',
      'a.py:C.go -> a.py:A.only (inherited)',
      'a.py:D.go -> a.py:C.go (inherited)',
      'a.py:D.go -> a.py:A.run (inherited)',
      'a.py:E.go -> ?this.run (unresolved)',
    ],
  ],
  [
    'Swift: an extension in another file is a part of the type that it names',
    {
      'a.swift': 'struct Cart { func total() -> Int { return add() } }\n',
      'b.swift':
        'extension Cart { func add() -> Int { return 1 } }\nextension Other { func add() -> Int { return 2 } }\n',
    },
    ['a.swift:Cart.total -> b.swift:Cart.add (package)'],
  ],
  [
    'Go: members of an embedded struct are inherited where the outer one has none of that name',
    {
      'go.mod': 'module m\n',
      'a.go':
        'package m\n\ntype Base struct{}\n\nfunc (b *Base) Run() {}\nfunc (b *Base) Own() {}\n\ntype Cart struct{ Base }\n\nfunc (c *Cart) Own() {}\nfunc (c *Cart) Go() {\n\tc.Run()\n\tc.Own()\n\tc.Base.Own()\n}\n',
    },
    [
      'a.go:Cart.Go -> a.go:Base.Run (inherited)',
      'a.go:Cart.Go -> a.go:Cart.Own (receiver)',
      'a.go:Cart.Go -> a.go:Base.Own (receiver)',
    ],
  ],
  [
    'PHP: members of a trait come before those of the parent class, own ones first',
    {
      'a.php':
        '<?php\ntrait Taxed { function tax() {} function run() {} function own() {} }\nclass Base { function run() {} function base() {} }\nclass Cart extends Base {\n  use Taxed;\n  function own() {}\n  function go() { $this->tax(); $this->run(); $this->base(); $this->own(); parent::run(); }\n}\nfunction use_it(Cart $c) { $c->run(); }\n',
    },
    [
      'a.php:Cart.go -> a.php:Taxed.tax (inherited)',
      'a.php:Cart.go -> a.php:Taxed.run (inherited)',
      'a.php:Cart.go -> a.php:Base.base (inherited)',
      'a.php:Cart.go -> a.php:Cart.own (receiver)',
      'a.php:Cart.go -> a.php:Base.run (inherited)',
      'a.php:use_it -> a.php:Taxed.run (inherited)',
    ],
  ],
  [
    'Java: an interface above the parent gives its default methods, the parent its own',
    {
      'A.java':
        'interface Shape { default int area() { return 1; } int name(); }\nabstract class Base implements Shape { public int name() { return 1; } }\nclass Cart extends Base { int go() { return area() + name() + super.name(); } }\n',
    },
    [
      'A.java:Cart.go -> A.java:Shape.area (inherited)',
      'A.java:Cart.go -> A.java:Base.name (inherited)',
      'A.java:Cart.go -> A.java:Base.name (inherited)',
    ],
  ],
  [
    'JavaScript: what is assigned to a prototype is a member of the constructor',
    {
      'a.js':
        'const proto = { run() {}, stop() {} };\nfunction Cart() {}\nCart.prototype.total = function () { this.add(); };\nCart.prototype.add = function () {};\nnew Cart().total();\nclass Bag extends proto.Base {}\n',
    },
    [
      'a.js -> a.js:Cart (same-file)',
      'a.js -> a.js:Cart.total (receiver)',
      'a.js:Cart.total -> a.js:Cart.add (receiver)',
    ],
  ],
  [
    'Dart: the last mixin comes before the others, and all before the parent class',
    {
      'a.dart':
        'mixin Taxed { void run() {} void tax() {} }\nmixin Timed { void run() {} void time() {} }\nclass Base { void run() {} void base() {} }\nclass Cart extends Base with Taxed, Timed { void go() { run(); tax(); time(); base(); super.run(); } }\n',
    },
    [
      'a.dart:Cart.go -> a.dart:Timed.run (inherited)',
      'a.dart:Cart.go -> a.dart:Taxed.tax (inherited)',
      'a.dart:Cart.go -> a.dart:Timed.time (inherited)',
      'a.dart:Cart.go -> a.dart:Base.base (inherited)',
      'a.dart:Cart.go -> a.dart:Timed.run (inherited)',
    ],
  ],
  [
    'Dart: a constructor runs that of the class that is extended, not one of a mixin',
    {
      'a.dart':
        'mixin Timed { void time() {} }\nclass Base { Base(); Base.named(); }\nclass Cart extends Base with Timed { Cart() : super(); Cart.two() : super.named(); }\n',
    },
    ['a.dart:Cart.Cart -> a.dart:Base.Base (inherited)', 'a.dart:Cart.two -> a.dart:Base.named (inherited)'],
  ],
  [
    'Ruby: a module in more files than are listed as its parts is asked for its members by their names',
    {
      'p0.rb': 'module Shop\n  def self.run0; end\nend\n',
      'p1.rb': 'module Shop\n  def self.run1; end\nend\n',
      'p2.rb': 'module Shop\n  def self.run2; end\nend\n',
      'p3.rb': 'module Shop\n  def self.run3; end\nend\n',
      'p4.rb': 'module Shop\n  def self.run4; end\nend\n',
      'p5.rb': 'module Shop\n  def self.run5; end\nend\n',
      'p6.rb': 'module Shop\n  def self.run6; end\nend\n',
      'p7.rb': 'module Shop\n  def self.run7; end\nend\n',
      'p8.rb': 'module Shop\n  def self.run8; end\nend\n',
      'p9.rb': 'module Shop\n  def self.run9; end\nend\n',
      'other.rb': 'module Web\n  def self.run9; end\nend\n',
      'use.rb': 'def use\n  Shop.run0\n  Shop.run9\n  Shop.run10\nend\n',
    },
    [
      'use.rb:use -> p0.rb:Shop.run0 (receiver)',
      'use.rb:use -> p9.rb:Shop.run9 (receiver)',
      'use.rb:use -> ?Shop.run10 (unresolved)',
    ],
  ],
  [
    'Ruby: a type of a library that is opened here by its whole path is the parent that is named so',
    {
      'a.rb': 'class Minitest::Test\n  def check; end\nend\n',
      'b.rb': 'class CartTest < Minitest::Test\n  def test_total; check; end\nend\n',
      'c.rb': 'class Test\n  def check; end\nend\n',
    },
    ['b.rb:CartTest.test_total -> a.rb:Minitest.Test.check (inherited)'],
  ],
  [
    'Ruby: of two modules with `ClassMethods` the last one is asked first, for the class alone, and both before the parent',
    {
      'a.rb':
        'module One\n  module ClassMethods\n    def rate; end\n    def one; end\n  end\nend\nmodule Two\n  module ClassMethods\n    def rate; end\n    def two; end\n  end\nend\nclass Base\n  def self.rate; end\n  def self.base; end\nend\nclass Cart < Base\n  include One\n  include Two\n  def self.all; rate; one; two; base; end\nend\nCart.rate\nCart.one\n',
    },
    [
      'a.rb -> a.rb:Two.ClassMethods.rate (inherited)',
      'a.rb -> a.rb:One.ClassMethods.one (inherited)',
      'a.rb:Cart.all -> a.rb:Two.ClassMethods.rate (inherited)',
      'a.rb:Cart.all -> a.rb:One.ClassMethods.one (inherited)',
      'a.rb:Cart.all -> a.rb:Two.ClassMethods.two (inherited)',
      'a.rb:Cart.all -> a.rb:Base.base (inherited)',
    ],
  ],
  [
    'TypeScript: an interface adds to no enumeration, and a namespace in another file to no class',
    {
      'a.ts':
        'export class Cart {}\nenum Size { Small }\nnamespace Size { export function parse() {} }\nSize.parse();\nexport function use(c: Cart) { c.more(); }\n',
      'b.ts': 'namespace Cart { export function more() {} }\n',
    },
    ['a.ts -> a.ts:Size.parse (receiver)', 'a.ts:use -> ?c.more (unresolved)'],
  ],
];

for (const [title, project, expected] of CASES) test(title, () => assert.deepEqual(calls(project), expected));
