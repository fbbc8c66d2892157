/** What is said of every definition of small projects that nothing calls: the verdict, and whether anything may use it without its name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../../../src/graph/graph.js';
import {
  isExtended,
  MAY_MEAN_IT,
  outsideParent,
  reachedThroughType,
  readUnseen,
  runUnseen,
  usedUnseen,
  verdictOf,
} from '../../../src/graph/query/entry-patterns.js';
import { graphOf as literalGraph, nodeAt } from '../build.js';
import { graphOf, type Project } from '../link/project.js';

/**
 * One row for each definition: its place, the verdict, `run` if code may run it without naming it, `read` if something may use it though
 * nothing does here, and `held` if what uses it is known to go no further.
 */
function rowsOf(project: Project): string[] {
  const graph = graphOf(project);
  return Object.keys(project).flatMap((path) => {
    const file = graph.findFile(path);
    const nodes = Array.from(graph.tables.nodeKind.keys()).filter(
      (node) => !graph.isFile(node) && graph.fileOf(node) === file,
    );
    return nodes.map((node) => {
      const marks = [
        ...(runUnseen(graph, node) === null ? [] : ['run']),
        ...(readUnseen(graph, node, false) === null ? [] : ['read']),
        ...(readUnseen(graph, node, true) === null ? [] : ['held']),
      ];
      return [`${path}:${graph.qualifiedName(node)}`, verdictOf(graph, node, 0)[0], ...marks].join(' ');
    });
  });
}

const PLAIN: Project = {
  'a.ts': `function lonely() {}
export function shown() {}
const kept = library.make();
const plain = 3;
const box = { open() { return 1; } };
class Cart { total() {} _own() {} #deep() {} __magic__() {} field = 1; constructor() {} }
export class Till { private sum() {} }
function outer() { const o = { run() {} }; function inner() {} }
class Page extends View { render() {} super_() {} draw() { super.draw(); } }
class Kid extends Cart { total() {} }
`,
  'view.py': `from library import View

@app.route("/a")
def one():
    pass

class Page(View):
    def get(self):
        pass

class Cart:
    def __len__(self):
        return 1
    def _own(self):
        pass
    def stop(self):
        super().stop()

def test_x():
    pass

def main():
    pass

def dup():
    pass

def dup():
    pass

dup()
`,
  'tests/test_a.py': `def test_y():
    pass

def helper():
    pass
`,
  'main.go': 'package main\n\nfunc main() {}\n\nfunc init() {}\n\nfunc lonely() {}\n\nvar _ = 1\n\nfunc Shown() {}\n',
  'lib.rs': `const LIMIT: u32 = 3;
macro_rules! told { () => {} }
fn _kept() {}
fn lonely() {}
impl Display for Cart { fn fmt(&self) {} }
struct Cart { a: u32 }
#[test]
fn checks() {}
`,
  'a.h': 'static int helper(void) { return 1; }\nint shown(void);\n',
  'cart.sql': 'create table cart (id int);\n',
  'style.css': '.a { color: red }\n',
  'README.md': '# Cart\n',
  'Cart.kt':
    'class Bag(val isOpen: () -> Boolean)\nprivate fun Bag.isOpen() = true\nfun use(b: Bag) = b.isOpen()\nprivate fun far() = 1\n',
  Makefile: 'build:\n\techo\n',
};

test('verdicts of definitions without callers, language by language', () => {
  assert.deepEqual(rowsOf(PLAIN), [
    'a.ts:lonely certain',
    'a.ts:shown exported read',
    'a.ts:kept certain',
    'a.ts:plain certain',
    'a.ts:box certain',
    'a.ts:box.open indirect',
    'a.ts:Cart certain',
    'a.ts:Cart.total indirect run read',
    'a.ts:Cart._own certain',
    'a.ts:Cart.#deep certain',
    'a.ts:Cart.__magic__ indirect',
    'a.ts:Cart.field indirect',
    'a.ts:Cart.constructor certain',
    'a.ts:Till exported read',
    'a.ts:Till.sum certain',
    'a.ts:outer certain',
    'a.ts:outer.run indirect',
    'a.ts:outer.inner certain',
    'a.ts:Page certain',
    'a.ts:Page.render framework run',
    'a.ts:Page.super_ framework run',
    'a.ts:Page.draw framework run',
    'a.ts:Kid certain',
    'a.ts:Kid.total framework run read',
    'view.py:one framework run read',
    'view.py:Page exported read',
    'view.py:Page.get framework run read',
    'view.py:Cart exported read',
    'view.py:Cart.__len__ framework run read',
    'view.py:Cart._own certain',
    'view.py:Cart.stop framework read',
    'view.py:test_x exported read',
    'view.py:main entry-point read',
    'view.py:dup exported read',
    'view.py:dup unresolved-uses read',
    'tests/test_a.py:test_y entry-point',
    'tests/test_a.py:helper exported',
    'main.go:main entry-point',
    'main.go:init entry-point',
    'main.go:lonely certain',
    'main.go:Shown exported',
    'lib.rs:LIMIT certain',
    'lib.rs:told indirect',
    'lib.rs:_kept indirect',
    'lib.rs:lonely certain',
    'lib.rs:Cart exported read',
    'lib.rs:Cart.fmt framework run',
    'lib.rs:Cart certain',
    'lib.rs:Cart.a framework',
    'lib.rs:checks framework run',
    'a.h:helper exported',
    'a.h:shown exported',
    'style.css:.a exported',
    'Cart.kt:Bag exported',
    'Cart.kt:Bag.isOpen exported read',
    'Cart.kt:isOpen unresolved-uses read',
    'Cart.kt:use exported',
    'Cart.kt:far certain',
    'Makefile:build exported read held',
  ]);
});

const RELATED: Project = {
  'maker.ts': `import { Store } from './store';
const kept = registry.make(1);
const mine = new Store();
const own = new Plain();
class Plain {}
const called = unknown();
`,
  'store.ts': `import { Base } from 'library';
export class Store extends Base {}
`,
  'formats.ts': `import * as tar from './tar';
import * as zip from './zip';
export const formats = { tar, zip };
`,
  'tar.ts': 'export function open() {}\n',
  'zip.ts': 'export function open() {}\n',
  'other.ts': 'export function loose() {}\n',
  'Op.java': 'enum Op { ADD { int run() { return 1; } int own() { return 2; } }; int run() { return 0; } }\n',
  'shop.proto': 'service Shop { rpc Pay (Req) returns (Req); }\nmessage Req { int32 id = 1; }\n',
  'Ext.cs':
    'static class Ext { static int Half(this Cart cart) { return 1; } static int Plain(Cart c) { return 1; } }\nclass Cart {}\nclass Use { int Run(Cart c) { return c.Half(); } }\n',
  'holder.ts':
    'function used() {}\nfunction read() {}\nconst table = { used };\nconst seen = { read };\nconsole.log(seen);\nclass Box { handler = held; }\nfunction held() {}\n',
  'mix.rb':
    'module Taxed\n  def tax; end\nend\nclass Base\n  def tax; end\nend\nclass Cart < Base\n  include Taxed\nend\n',
  'rel.rb':
    'module A\n  class Cart < Item\n    def total; end\n  end\nend\nmodule B\n  class Item\n    def total; end\n  end\nend\nmodule C\n  class Item\n  end\nend\n',
  'mod.rs':
    '#[cfg(unix)]\nmod a { pub fn open() {} }\n#[cfg(windows)]\nmod b { pub fn open() {} }\nfn main() { a::open(); }\n',
  'x/Cart.ts': 'class Cart { total() {} }\n',
  'y/Cart.ts': 'class Cart { total() {} }\nnew Cart().total();\n',
  'y/near.ts': 'function near(x) { return x.total(); }\nnear(1);\n',
};

test('verdicts of what a maker, a module, a parent, a mixin or a namesake may use', () => {
  assert.deepEqual(rowsOf(RELATED), [
    'maker.ts:kept certain',
    'maker.ts:mine indirect',
    'maker.ts:own certain',
    'maker.ts:Plain certain',
    'maker.ts:called certain',
    'store.ts:Store exported',
    'formats.ts:formats exported read',
    'tar.ts:open exported run',
    'zip.ts:open exported run',
    'other.ts:loose exported read',
    'Op.java:Op certain',
    'Op.java:Op.ADD certain read',
    'Op.java:Op.ADD.run indirect run',
    'Op.java:Op.ADD.own indirect',
    'Op.java:Op.run certain',
    'shop.proto:Shop exported read held',
    'shop.proto:Shop.Pay exported read held',
    'shop.proto:Req exported read held',
    'shop.proto:Req.id exported read held',
    'Ext.cs:Ext certain',
    'Ext.cs:Ext.Half certain read',
    'Ext.cs:Ext.Plain certain read',
    'Ext.cs:Cart certain',
    'Ext.cs:Use certain',
    'Ext.cs:Use.Run certain read',
    'holder.ts:used certain held',
    'holder.ts:read certain',
    'holder.ts:table certain',
    'holder.ts:seen certain',
    'holder.ts:Box certain',
    'holder.ts:Box.handler indirect read',
    'holder.ts:held certain held',
    'mix.rb:Taxed exported',
    'mix.rb:Taxed.tax exported run read',
    'mix.rb:Base exported',
    'mix.rb:Base.tax exported run read',
    'mix.rb:Cart exported',
    'rel.rb:A exported',
    'rel.rb:A.Cart exported',
    'rel.rb:A.Cart.total framework run read',
    'rel.rb:B exported',
    'rel.rb:B.Item exported',
    'rel.rb:B.Item.total exported run read',
    'rel.rb:C exported',
    'rel.rb:C.Item exported',
    'mod.rs:a certain',
    'mod.rs:a.open certain',
    'mod.rs:b certain',
    'mod.rs:b.open certain read',
    'mod.rs:main entry-point',
    'x/Cart.ts:Cart certain',
    'x/Cart.ts:Cart.total indirect read',
    'y/Cart.ts:Cart certain',
    'y/Cart.ts:Cart.total indirect',
    'y/near.ts:near certain',
  ]);
});

test('reasons name what may use a definition', () => {
  const graph = graphOf(RELATED);
  const named = (reason: (graph: Graph, node: number) => string | null | undefined, place: string) =>
    reason(graph, nodeAt(graph, place)) ?? '';
  const verdict = (of: Graph, node: number) => verdictOf(of, node, 0)[1];
  const rows: [string, RegExp][] = [
    [named(verdict, 'maker.ts:mine'), /^Store makes it/],
    [named(runUnseen, 'tar.ts:open'), /^formats\.ts hands its module on/],
    [named(runUnseen, 'Op.java:Op.ADD.run'), /^it overrides Op\.run,/],
    [named(runUnseen, 'mix.rb:Base.tax'), /^Cart has Taxed\.tax as well/],
    [named(runUnseen, 'mix.rb:Taxed.tax'), /^Cart has Base\.tax as well/],
    [named(runUnseen, 'rel.rb:A.Cart.total'), /^it may override B\.Item\.total/],
    [named((of, node) => readUnseen(of, node, true), 'holder.ts:used'), /the value of table,/],
    [named((of, node) => readUnseen(of, node, true), 'holder.ts:held'), /the value of Box\.handler,/],
    [named(usedUnseen, 'x/Cart.ts:Cart.total'), /Cart may be used/],
    [named(usedUnseen, 'Op.java:Op.ADD'), /values of Op/],
  ];
  for (const [text, expected] of rows) assert.match(text, expected);
  assert.equal(usedUnseen(graph, nodeAt(graph, 'mod.rs:a')), null);
  assert.equal(reachedThroughType(graph, nodeAt(graph, 'Ext.cs:Ext.Half'))?.verdict, 'framework');
  assert.equal(reachedThroughType(graph, nodeAt(graph, 'mod.rs:b.open'))?.verdict, 'unresolved-uses');
  assert.equal(reachedThroughType(graph, nodeAt(graph, 'mod.rs:a.open')), null);
  assert.equal(outsideParent(graph, nodeAt(graph, 'mix.rb:Cart')), null);
});

test('a type is extended where members of it that start with `this` are called on values of another type', () => {
  const graph = graphOf(RELATED);
  const text = RELATED['Ext.cs'];
  const is = (place: string, own = text) => isExtended(graph, nodeAt(graph, place), own);
  assert.deepEqual(
    [is('Ext.cs:Ext'), is('Ext.cs:Cart'), is('Ext.cs:Ext.Half'), is('Ext.cs:Ext', 'class Ext {}')],
    [true, false, false, false],
  );
  assert.equal(is('x/Cart.ts:Cart'), false);
});

test('uses that may mean a definition are counted, and a file that was not read leaves everything open', () => {
  const files = {
    'a.ts': { symbols: ['local f'] },
    'b.ts': { symbols: ['local f'], state: 'degraded' as const },
    'c.ts': { symbols: ['local f'], state: 'none' as const },
    'd.ts': { symbols: ['local f'] },
  };
  const graph = literalGraph({ files });
  Object.assign(graph.tables.files[3], { isIncomplete: true });
  const told = (path: string, possible: number) => verdictOf(graph, nodeAt(graph, `${path}:f`), possible);
  assert.deepEqual(
    ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((path) => told(path, 0)[0]),
    [...['certain', 'degraded', 'no-call-facts', 'degraded']],
  );
  assert.deepEqual(told('a.ts', 1), ['unresolved-uses', `one use of the name f ${MAY_MEAN_IT}`]);
  assert.deepEqual(told('a.ts', 2), ['unresolved-uses', `2 uses of the name f ${MAY_MEAN_IT}`]);
  assert.equal(told('d.ts', 1)[0], 'unresolved-uses');
});

test('code that a tool made of a definition in another language may be what is used', () => {
  const graph = literalGraph({
    files: {
      'cart.py': ['class Cart', 'run'],
      'cart_pb.ts': ['class Cart', 'class run', 'loose'],
      'plain.ts': ['class Cart'],
      'a.ts': ['use'],
    },
    edges: ['a.ts -> cart_pb.ts', 'a.ts -> cart.py'],
  });
  Object.assign(graph.tables.files[graph.findFile('cart_pb.ts')], { isGenerated: true });
  const reason = (place: string, isUsed: boolean) => readUnseen(graph, nodeAt(graph, place), isUsed);
  assert.match(reason('cart.py:Cart', true) ?? '', /^cart_pb\.ts has code that a tool made of it/);
  assert.equal(reason('cart.py:run', true), null, 'a function is no type');
  assert.equal(reason('plain.ts:Cart', true), null, 'the same language');
  assert.match(reason('cart_pb.ts:loose', false) ?? '', /^a tool wrote its file/);
  assert.equal(reason('cart_pb.ts:loose', true), null);
  assert.match(reason('plain.ts', false) ?? '', /^nothing here imports its file/);
  assert.deepEqual([reason('plain.ts', true), reason('cart.py', false)], [null, null]);
});
