/** Members that can take the place of others: a use of one is a use through it only if a call may run the other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usesAbove } from '../../../src/graph/query/users.js';
import { overriddenBy } from '../../../src/graph/query/uses.js';
import { placeOf } from '../build.js';
import { calls, graphOf, type Project } from '../link/project.js';

/** `member over member` of a project. */
function overrides(project: Project): string[] {
  const graph = graphOf(project);
  const found = new Set<string>();
  for (let node = 0; node < graph.nodeCount; node++) {
    if (graph.isFile(node)) continue;
    for (const over of overriddenBy(graph, node)) found.add(`${placeOf(graph, node)} over ${placeOf(graph, over)}`);
  }
  return [...found].sort();
}

test('java: neither static and private methods nor fields and nested types override', () => {
  assert.deepEqual(
    overrides({
      'A.java':
        'class A {\n  int size;\n  class Part {}\n  static void make() {}\n  private void own() {}\n  void run() {}\n}\n' +
        'class B extends A {\n  int size;\n  class Part {}\n  static void make() {}\n  private void own() {}\n  void run() {}\n}\n' +
        'interface I {\n  void go();\n}\nclass C implements I {\n  public void go() {}\n}\n',
    }),
    ['A.java:B.run over A.java:A.run', 'A.java:C.go over A.java:I.go'],
  );
});

test('c++: only virtual members are overridden, also where they are defined outside of their class', () => {
  assert.deepEqual(
    overrides({
      'a.hpp':
        'class A {\npublic:\n  virtual void run();\n  void plain();\n  int size;\n};\n' +
        'class B : public A {\npublic:\n  void run() override;\n  void plain();\n  int size;\n};\n',
      'a.cpp': '#include "a.hpp"\nvoid A::run() {}\nvoid A::plain() {}\nvoid B::run() {}\nvoid B::plain() {}\n',
    }),
    [
      'a.cpp:B.run over a.cpp:A.run',
      'a.cpp:B.run over a.hpp:A.run',
      'a.hpp:B.run over a.cpp:A.run',
      'a.hpp:B.run over a.hpp:A.run',
    ],
  );
});

test('php: what a service is asked for by its interface runs what implements it', () => {
  const project = {
    'src/Store.php': '<?php\nnamespace App;\ninterface Store { public function save(): void; }\n',
    'src/FileStore.php':
      '<?php\nnamespace App;\nclass FileStore implements Store { public function save(): void {} public function __construct() {} }\n',
    'src/Till.php':
      '<?php\nnamespace App;\nclass Till {\n  private $third;\n  public function __construct(private readonly Store $store, Store $third) { $this->third = $third; }\n' +
      '  public function pay() { $this->store->save(); }\n  public function keep() { $this->third->save(); }\n}\n',
  };
  assert.deepEqual(overrides(project), ['src/FileStore.php:FileStore.save over src/Store.php:Store.save']);
  assert.deepEqual(calls(project), [
    'src/Till.php:Till.pay -> src/Store.php:Store.save (receiver)',
    'src/Till.php:Till.keep -> src/Store.php:Store.save (receiver)',
  ]);
});

test('go: what a type embeds is not overridden, what an interface asks for is implemented', () => {
  assert.deepEqual(
    overrides({
      'go.mod': 'module example.com/p\n',
      'a.go':
        'package p\n\ntype A struct{ n int }\n\nfunc (a A) Run() {}\n\ntype B struct {\n\tA\n\tn int\n}\n\nfunc (b B) Run() {}\n\n' +
        'type Runner interface {\n\tRun()\n}\n',
    }),
    ['a.go:A.Run over a.go:Runner.Run', 'a.go:B.Run over a.go:Runner.Run'],
  );
});

test('go: a method with other results, or another built-in type of its first result or parameter, fits no interface', () => {
  const method = (type: string, signature: string) =>
    `type ${type} struct{}\n\nfunc (${type}) ${signature} { panic(0) }\n\n`;
  assert.deepEqual(
    overrides({
      'go.mod': 'module example.com/p\n',
      'a.go':
        'package p\n\ntype Closer interface {\n\tClose() error // ends it\n}\n\ntype Reader interface{ Read([]byte) (int, error) }\n\n' +
        'type Getter interface {\n\tGet(\n\t\ta, b string,\n\t) ID\n}\n\ntype ID = string\n\n' +
        'type Sender interface{ Send(c <-chan int, n int) }\n\n' +
        method('Loud', 'Close() (err error)') +
        method('Quiet', 'Close()') +
        method('Chatty', 'Close() (int, error)') +
        method('Worded', 'Close() string') +
        method('Bytes', 'Read(buf []uint8) (n int, err error)') +
        method('Text', 'Read(text string) (int, error)') +
        method('ByAlias', 'Get(a, b string) (id string)') +
        method('ByNumber', 'Get(a, b int) ID') +
        method('Sending', 'Send(from <-chan int, n int)'),
    }),
    [
      'a.go:ByAlias.Get over a.go:Getter.Get',
      'a.go:Bytes.Read over a.go:Reader.Read',
      'a.go:Loud.Close over a.go:Closer.Close',
      'a.go:Sending.Send over a.go:Sender.Send',
    ],
  );
});

test('typescript: private and static methods override nothing, properties of an interface are implemented', () => {
  assert.deepEqual(
    overrides({
      'a.ts':
        'export interface Shape {\n  size: number;\n  area(): number;\n}\n' +
        'export class A implements Shape {\n  size = 1;\n  area() { return 1; }\n  static make() {}\n  private own() {}\n}\n' +
        'export class B extends A {\n  area() { return 2; }\n  static make() {}\n  #own() {}\n}\n',
    }),
    [
      'a.ts:A.area over a.ts:Shape.area',
      'a.ts:A.size over a.ts:Shape.size',
      'a.ts:B.area over a.ts:A.area',
      'a.ts:B.area over a.ts:Shape.area',
    ],
  );
});

/** `use of the overridden member` of a member: those that may run it, and `?` before those of which nothing tells. */
function above(project: Project, place: string): string[] {
  const graph = graphOf(project);
  const node =
    Array.from({ length: graph.nodeCount }, (_, i) => i).find((each) => placeOf(graph, each) === place) ?? -1;
  const { mayRun, open } = usesAbove(graph, node);
  const text = (edge: number) => `${placeOf(graph, graph.source(edge))} ${graph.edge(edge).receiver}`;
  return [...mayRun.map(({ edge }) => text(edge)), ...open.map((edge) => `? ${text(edge)}`)].sort();
}

test('python: a use on one subtype runs no override of another one, unless a type inherits from both', () => {
  const kinds =
    'class Base:\n    def update(self): pass\n    def both(self):\n        self.update()\n\n' +
    'class Plain(Base):\n    def use(self):\n        self.update()\n        super().update()\n\n' +
    'class Grown(Base):\n    def update(self): pass\n';
  const used = 'from kinds import Plain\n\ndef run():\n    Plain.update()\n    Plain().update()\n';
  assert.deepEqual(above({ 'kinds.py': kinds, 'used.py': used }, 'kinds.py:Grown.update'), ['kinds.py:Base.both this']);
  const mixed = `${kinds}\nclass Mixed(Plain, Grown):\n    pass\n`;
  assert.deepEqual(above({ 'kinds.py': mixed, 'used.py': used }, 'kinds.py:Grown.update'), [
    'kinds.py:Base.both this',
    'kinds.py:Plain.use super',
    'kinds.py:Plain.use this',
    'used.py:run Plain',
    'used.py:run Plain()',
  ]);
});

test('php: a call of the parent runs no override beside its class, though other classes have the name of that class', () => {
  const project = {
    'src/Base.php': '<?php\nnamespace Shop;\nclass Base {\n  public function add() {}\n}\n',
    'src/Wiki.php':
      '<?php\nnamespace Shop;\nclass Wiki extends Base {\n  public function add() { parent::add(); }\n  public function fill() { $this->put(); }\n}\n',
    'src/Goals.php':
      '<?php\nnamespace Shop;\nclass Goals extends Base {\n  public function add() { parent::add(); }\n}\n',
    'src/Pages/Wiki.php': '<?php\nnamespace Shop\\Pages;\nclass Wiki {\n}\n',
  };
  assert.deepEqual(above(project, 'src/Goals.php:Goals.add'), []);
  assert.deepEqual(above(project, 'src/Wiki.php:Wiki.add'), []);
});

test('c#: a part of a class overrides what the bases of another part have', () => {
  const project = {
    'Repo/IRepo.cs': 'namespace Shop;\ninterface IRepo { int Count(); }\ninterface IOpenRepo : IRepo { }\n',
    'Repo/Repo.cs': 'namespace Shop;\npartial class Repo { public int Count() => 1; }\n',
    'Repo/Repo.open.cs': 'namespace Shop;\npartial class Repo : IOpenRepo { public void Open() { } }\n',
    'Far/Repo.cs': 'namespace Shop.Far;\nclass Repo { public int Count() => 2; }\n',
    'Shop.cs': 'namespace Shop;\nclass Till { private readonly IRepo repo; int Go() => this.repo.Count(); }\n',
  };
  assert.deepEqual(above(project, 'Repo/Repo.cs:Shop.Repo.Count'), ['Shop.cs:Shop.Till.Go this.repo']);
  assert.deepEqual(above(project, 'Far/Repo.cs:Shop.Far.Repo.Count'), []);
});

test('java: what a class inherits and calls on itself runs the override of a class below it, and none beside it', () => {
  const project = {
    'Base.java': 'class Base {\n  void go() {}\n}\n',
    'Left.java': 'class Left extends Base {\n  void start() { go(); this.go(); super.go(); }\n}\n',
    'Below.java': 'class Below extends Left {\n  void go() {}\n}\n',
    'Right.java': 'class Right extends Base {\n  void go() {}\n}\n',
  };
  assert.deepEqual(above(project, 'Below.java:Below.go'), ['Left.java:Left.start ', 'Left.java:Left.start this']);
  assert.deepEqual(above(project, 'Right.java:Right.go'), []);
});

test('rust: a call on a value of unknown type runs one of the implementations, and nobody knows which', () => {
  const project = {
    'src/lib.rs':
      'pub trait Emit {\n    fn emit(&self);\n    fn twice(&self) { self.emit(); }\n}\n' +
      'impl Emit for u8 {\n    fn emit(&self) {}\n}\npub struct Name { labels: u8 }\nimpl Emit for Name {\n    fn emit(&self) {\n' +
      '        self.labels.emit();\n    }\n}\npub fn some(given: &dyn Emit) { given.emit(); }\n' +
      'pub fn other() { outside::make().emit(); }\n',
  };
  assert.deepEqual(above(project, 'src/lib.rs:Name.emit'), [
    '? src/lib.rs:other outside.make()',
    'src/lib.rs:Emit.twice this',
    'src/lib.rs:some given',
  ]);
  assert.ok(calls(project).includes('src/lib.rs:Name.emit -> src/lib.rs:u8.emit (receiver)'));
});
