/** Code that runs although no code calls it by name, and members that are reached through their type. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../../../src/graph/graph.js';
import {
  commandName,
  isFoundByRunner,
  isInitializer,
  isMain,
  isRuntimeHook,
  reachedThroughType,
  registrar,
  runUnseen,
} from '../../../src/graph/query/entry-patterns.js';
import { hasTopLevelCode, isProgramPath, isToolFile } from '../../../src/graph/query/node-place.js';
import { nodeAt } from '../build.js';
import { graphOf, type Project } from '../link/project.js';

/** For each place whether the check holds. */
const holds = (graph: Graph, check: (graph: Graph, node: number) => boolean, ...places: string[]) =>
  places.filter((place) => check(graph, nodeAt(graph, place)));

test('programs start at the main function of their language, inside of types only where it has none outside', () => {
  const graph = graphOf({
    'main.go': 'package main\nfunc main() {}\nfunc other() {}\ntype T struct{}\nfunc (t T) main() {}\n',
    'Main.java': 'class Main { public static void main(String[] args) {} }\n',
    'main.rs': 'fn main() {}\nmod inner { pub fn main() {} }\n',
    'main.py': 'def main():\n    pass\n',
  });
  assert.deepEqual(
    holds(graph, isMain, 'main.go:main', 'main.go:other', 'main.go:T.main', 'Main.java:Main.main', 'main.rs:main'),
    ['main.go:main', 'Main.java:Main.main', 'main.rs:main'],
  );
  assert.deepEqual([hasTopLevelCode('python', 'a.py'), hasTopLevelCode('java', 'A.java')], [true, false]);
});

test('decorators of command lines name commands, after the function where they say nothing', () => {
  const of = (name: string, receiver: string, literal = '') => commandName({ name, receiver, literal }, 'add_user');
  assert.deepEqual(
    [of('command', 'app'), of('command', 'app', 'add'), of('group', 'cli')],
    ['add-user', 'add', 'add-user'],
  );
  assert.deepEqual([of('command', ''), of('route', 'app')], [null, null]);
});

test('folders of programs, and files that tools load by their names', () => {
  for (const path of ['bin/run', 'src/bin/run.rb', 'sbin/a', 'scripts/a.py'])
    assert.ok(isProgramPath('python', path), path);
  for (const path of ['binary/run', 'bin/deep/run.py', 'run.py']) assert.ok(!isProgramPath('python', path), path);
  for (const path of ['.eslintrc', '.github/x.js', 'a/.config/x.py']) assert.ok(isToolFile('javascript', path), path);
  for (const path of ['src/a.js', 'a.rc', 'github/x.js']) assert.ok(!isToolFile('javascript', path), path);
});

test('the language itself calls hooks, operators and initialisers; a runner finds tests by name', () => {
  const graph = graphOf({
    'cart.py':
      'class Cart:\n    def __len__(self):\n        return 1\n    def length(self):\n        return 1\n\ndef __len__():\n    pass\n',
    'cart.cpp': 'struct Cart {\n  bool operator==(const Cart& other) const { return true; }\n};\n',
    'init.go': 'package a\nfunc init() {}\ntype T struct{}\nfunc (t T) init() {}\n',
    'cart_test.go': 'package a\nimport "testing"\nfunc TestCart(t *testing.T) {}\nfunc helper() {}\n',
    'other.go': 'package a\nfunc TestCart2() {}\n',
  });
  assert.deepEqual(holds(graph, isRuntimeHook, 'cart.py:Cart.__len__', 'cart.py:Cart.length', 'cart.py:__len__'), [
    'cart.py:Cart.__len__',
  ]);
  assert.equal(holds(graph, isRuntimeHook, 'cart.cpp:Cart.operator==').length, 1);
  assert.deepEqual(holds(graph, isInitializer, 'init.go:init', 'init.go:T.init'), ['init.go:init']);
  assert.deepEqual(
    holds(graph, isFoundByRunner, 'cart_test.go:TestCart', 'cart_test.go:helper', 'other.go:TestCart2'),
    ['cart_test.go:TestCart'],
  );
});

const reasonOf = (project: Project, place: string) => {
  const graph = graphOf(project);
  return reachedThroughType(graph, nodeAt(graph, place))?.reason ?? null;
};

test('a decorator may register a function, unless it describes it alone', () => {
  const graph = graphOf({
    'a.py':
      '@app.route("/a")\ndef one():\n    pass\n\n@lru_cache()\ndef two():\n    pass\n\n@tool\n@wraps\ndef three():\n    pass\n\n@wraps\n@cli.command\ndef four():\n    pass\n',
  });
  assert.deepEqual(
    ['one', 'two', 'three', 'four'].map((name) => registrar(graph, nodeAt(graph, `a.py:${name}`))),
    ['app.route', null, 'tool', 'cli.command'],
  );
  assert.match(runUnseen(graph, nodeAt(graph, 'a.py:one')) ?? '', /decorated with app\.route/);
  assert.equal(runUnseen(graph, nodeAt(graph, 'a.py:two')), null);
});

test('a type from outside may call members of those that inherit from it', () => {
  const graph = graphOf({
    'a.py':
      'from library import View\n\nclass Page(View):\n    def get(self):\n        return 1\n\nclass Own(Page):\n    def post(self):\n        return 1\n\nclass Plain:\n    def put(self):\n        return 1\n',
  });
  assert.match(runUnseen(graph, nodeAt(graph, 'a.py:Page.get')) ?? '', /^Page inherits from View, which is outside/);
  assert.equal(runUnseen(graph, nodeAt(graph, 'a.py:Plain.put')), null);
  assert.match(
    runUnseen(graph, nodeAt(graph, 'a.py:Own.post')) ?? '',
    /^Own inherits from View/,
    'through a parent that is here',
  );
});

test('a function may be meant where its namesake in a file beside it is used, as a build chooses one, but not in another folder', () => {
  const open = 'package shop\nfunc open() int { return 1 }\n';
  const reason = (folder: string) =>
    reasonOf(
      {
        'shop/open_linux.go': open,
        [`${folder}/open_windows.go`]: `${open}func Use() int { return open() }\n`,
      },
      'shop/open_linux.go:open',
    );
  assert.match(reason('shop') ?? '', /^another definition of this name is used/);
  assert.equal(reason('store'), null);
});

test('a member is reached by what overrides it or what it overrides, an accessor with its value, a field with its data', () => {
  const project = {
    'Cart.java':
      'class Base {\n  int total() { return 1; }\n  int alone() { return 1; }\n}\nclass Cart extends Base {\n  int total() { return 2; }\n}\n',
    'Data.java': 'class Data {\n  private int count;\n  int getCount() { return 1; }\n  int sum() { return 1; }\n}\n',
    'Plain.java': 'class Plain {\n  private int count;\n  int getCount() { return 1; }\n}\n',
    'Kind.java': 'enum Kind { SMALL, LARGE }\n',
    'Row.java':
      '@Entity\nclass Row {\n  static final int MOST = 3;\n  private int count;\n  int sum() { return 1; }\n}\n',
  };
  assert.equal(reasonOf(project, 'Cart.java:Base.total'), 'Cart.total overrides it');
  assert.equal(reasonOf(project, 'Cart.java:Cart.total'), 'it overrides Base.total, which may be used');
  assert.equal(reasonOf(project, 'Cart.java:Base.alone'), null);
  assert.equal(reasonOf(project, 'Data.java:Data.getCount'), 'it is an accessor of count, which a serialiser may call');
  assert.equal(reasonOf(project, 'Data.java:Data.sum'), null);
  assert.equal(reasonOf(project, 'Data.java:Data.count'), null, 'its type does more than hold data');
  assert.equal(reasonOf(project, 'Plain.java:Plain.count'), 'Plain holds data, which code may read as a whole');
  assert.equal(reasonOf(project, 'Row.java:Row.count'), 'Row is decorated with Entity, which may read it');
  assert.equal(reasonOf(project, 'Row.java:Row.MOST'), null, 'a constant is no part of the data');
  assert.equal(reasonOf(project, 'Kind.java:Kind.SMALL'), 'values of Kind may be made from a text or a number');
  const type = 'package a\ntype Cart struct {\n\tTotal int\n\tcount int\n}\n';
  assert.match(reasonOf({ 'cart.go': type }, 'cart.go:Cart.Total') ?? '', /^nothing here uses Cart either$/);
  const go = { 'cart.go': `${type}func Open() Cart { return Cart{} }\n` };
  assert.equal(reasonOf(go, 'cart.go:Cart.Total'), 'reflection reads fields with a capital letter');
  assert.equal(reasonOf(go, 'cart.go:Cart.count'), null);
});
