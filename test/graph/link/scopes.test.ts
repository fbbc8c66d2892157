/** Which of several definitions of one name a use means, in languages whose callbacks have scopes of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, link } from './project.js';

test("a declaration in a callback hides the file's declarations and imports, in that callback only", () => {
  const project = {
    'run.ts': 'export function run() {} export function other() {}',
    'a.ts': `import { run, other } from './run';
test('one', () => {
  const { run } = made();
  run();
});
${'\n'.repeat(80)}
test('two', () => {
  run();
  other();
});
export function use() {
  run();
}
test('three', (other) => {
  other();
});`,
  };
  assert.deepEqual(
    calls(project).filter((line) => line.includes('-> run.ts')),
    ['a.ts -> run.ts:run (imported)', 'a.ts -> run.ts:other (imported)', 'a.ts:use -> run.ts:run (imported)'],
  );
});

test('among functions of one name in several callbacks, the last one before the use is meant', () => {
  const project = {
    'a.ts': `test('one', () => {
  const el = () => first();
  el();
});
test('two', () => {
  const el = () => second();
  el();
});
function first() {}
function second() {}`,
  };
  const { tables } = link(project);
  const targets = [...tables.edgeTo].filter((_, i) => tables.strings[tables.edgeName[i]] === 'el');
  assert.deepEqual(
    targets.map((node) => tables.nodeStartLine[node]),
    [2, 6],
  );
});

test('a callback of a constant can call its own functions, and a call that would be recursive means the outer function', () => {
  const project = {
    'a.ts': `import { wrap } from 'wrap';
export function trim(x: unknown) {}
export const handler = wrap((inst) => {
  const check = () => 1;
  inst.run = () => check();
  inst.trim = () => trim(inst);
});
export const table = { check() {}, run() { check(); } };`,
  };
  assert.deepEqual(
    calls(project).filter((line) => !line.includes('wrap')),
    [
      'a.ts:handler.run -> a.ts:handler.check (same-file)',
      'a.ts:handler.trim -> a.ts:trim (same-file)',
      'a.ts:table.run -> ?check (external)',
    ],
  );
});

test('for a constant and an interface of one name, a value means the constant and a type the interface', () => {
  const project = {
    'core.ts': `export interface Maker { init(): void }
export interface Cart { total(): void }
export const Cart: Maker = make();`,
    'use.ts': `import { Cart } from './core';
import * as core from './core';
export function use(cart: Cart, other: core.Cart) {
  Cart.init();
  core.Cart.init();
  cart.total();
  other.total();
  cart.init();
}`,
  };
  assert.deepEqual(
    calls(project).filter((line) => line.startsWith('use.ts')),
    [
      'use.ts:use -> core.ts:Maker.init (receiver)',
      'use.ts:use -> core.ts:Maker.init (receiver)',
      'use.ts:use -> core.ts:Cart.total (receiver)',
      'use.ts:use -> core.ts:Cart.total (receiver)',
      'use.ts:use -> ?cart.init (unresolved)',
    ],
  );
});

test('results of function parameters, and fields declared again without a type, are resolved', () => {
  const project = {
    'a.ts': `export class Item { cost(): number { return 1; } }
export class Base { item: Item; }
export class Cart extends Base {
  item = somewhere.item;
  run(create: (id: string) => Item, later: ((id: string) => Promise<Item>) | undefined) {
    create('a').cost();
    later('b').cost();
    this.item.cost();
  }
}`,
  };
  assert.deepEqual(
    calls(project).filter((line) => line.includes('cost')),
    Array(3).fill('a.ts:Cart.run -> a.ts:Item.cost (receiver)'),
  );
});

test('linking an unchanged snapshot returns the previous one', () => {
  const project = { 'a.ts': 'export function f() { f(); }', 'README.md': '# a' };
  const before = link(project);
  assert.equal(link(project, before), before);
  assert.notEqual(link({ ...project, 'logo.bin': '' }, before), before);
});

test('the result of an overload without a result type is taken from another overload', () => {
  const project = {
    'a/Item.java': 'package a; public class Item { int cost() { return 1; } }',
    'a/Cart.java': `package a;
class Cart {
  <T> T make(Class<T> type) { return null; }
  Item make() { return null; }
  int run() { return make().cost(); }
}`,
  };
  assert.ok(calls(project).includes('a/Cart.java:Cart.run -> a/Item.java:Item.cost (receiver)'));
});

test('exported instances, results after parameters on several lines, and methods named catch are resolved', () => {
  const project = {
    'store.ts': `export class Item { cost(): number { return 1; } catch(handler: unknown): this { return this; } }
export interface Store {
  find<K extends string>(
    key: K,
    otherwise?: Item,
  ): Promise<Item>;
}
export const item = new Item();
export const store: Store = open();`,
    'use.ts': `import { item, store } from './store';
import * as shop from './store';
test('one', async () => {
  item.cost();
  shop.item.catch(item).cost();
  (await store.find('a')).cost();
  const found = new Map<string, shop.Item>();
  found.get('a').cost();
});`,
  };
  assert.deepEqual(
    calls(project).filter((line) => line.includes('-> store.ts') && line.includes('cost')),
    Array(4).fill('use.ts -> store.ts:Item.cost (receiver)'),
  );
});

test('a function that is assigned to a property sees the functions around it, though a type contains it', () => {
  const project = {
    'a.ts': `export interface Inner { parse(): void }
export interface Type { inner: Inner }
export const Type: any = make('Type', (inst: Type) => {
  const helper = () => 1;
  inst.inner.run = () => {
    return helper();
  };
});
`,
  };
  assert.ok(calls(project).includes('a.ts:Type.inner.run -> a.ts:Type.helper (same-file)'));
});

const CRATE = '[package]\nname = "cli"\n';

test('Rust: a name from the module around a module is one of the file, though the file is called so', () => {
  const project = {
    'Cargo.toml': CRATE,
    'src/lib.rs': 'mod escape;',
    'src/escape.rs': `pub fn escape(text: &str) -> String { text.to_string() }
mod tests {
    use super::escape;
    fn one() { assert_eq!("a", escape("a")); }
}
`,
    'src/other.rs': 'mod tests {\n    fn escape() {}\n}\n',
  };
  assert.ok(calls(project).includes('src/escape.rs:tests.one -> src/escape.rs:escape (same-file)'));
});

test('Rust: a file that only the program declares is a module of the program, beside a library', () => {
  const project = {
    'Cargo.toml': CRATE,
    'src/lib.rs': 'mod shared;\nmod tests { fn own() {} }\n',
    'src/shared.rs': 'use super::*;\nfn run() { own(); }\n',
    'src/main.rs': '#[cfg(test)]\nmod tests;\nfn parse() {}\nfn main() { parse(); }\n',
    'src/tests.rs': 'use super::*;\nfn parses() { parse(); crate::parse(); }\n',
  };
  assert.deepEqual(
    calls(project).filter((call) => call.startsWith('src/tests.rs')),
    ['src/tests.rs:parses -> src/main.rs:parse (imported)', 'src/tests.rs:parses -> src/main.rs:parse (imported)'],
  );
});

test('Rust: an import leads through another crate that the root gives on under a name of its own', () => {
  const project = {
    'Cargo.toml': '[workspace]\nmembers = ["proto", "net"]\n',
    'proto/Cargo.toml': '[package]\nname = "shop-proto"\n',
    'proto/src/lib.rs': 'pub mod rr;\n',
    'proto/src/rr.rs': 'pub fn parse() {}\n',
    'net/Cargo.toml': '[package]\nname = "shop-net"\n[dependencies]\nshop-proto = { path = "../proto" }\n',
    'net/src/lib.rs': 'pub use shop_proto as proto;\nmod other;\nmod a;\nmod b;\nmod c;\nmod d;\n',
    'net/src/other.rs': 'pub fn parse() {}\n',
    'net/src/a.rs': 'use crate::proto::rr::parse;\nfn one() { parse(); }\n',
    'net/src/b.rs': 'use crate::proto::rr::*;\nfn all() { parse(); }\n',
    'net/src/c.rs': 'use crate::proto::rr;\nfn module() { rr::parse(); }\n',
    'net/src/d.rs': 'use crate::proto::none::parse;\nfn nowhere() { parse(); }\n',
  };
  const found = calls(project).filter((call) => /^net\/src\/[abcd]\.rs/.test(call));
  assert.deepEqual(found, [
    'net/src/a.rs:one -> proto/src/rr.rs:parse (reexported)',
    'net/src/b.rs:all -> proto/src/rr.rs:parse (reexported)',
    'net/src/c.rs:module -> proto/src/rr.rs:parse (imported)',
    'net/src/d.rs:nowhere -> ?parse (unresolved)',
  ]);
});

test('Rust: a local that a macro is given has the type of its value', () => {
  const project = {
    'Cargo.toml': CRATE,
    'src/lib.rs': `struct Message; struct Begin;
impl Message { fn begin(&self) -> Begin { Begin } }
impl Begin { fn begin(&self) {} }
fn decode(text: &str) -> Vec<Message> { vec![] }
case!(basic, |text: String| {
    let messages = decode(&text);
    assert_eq!(messages[0].begin(), 1);
});
case!(typed, |text: String| {
    let mut first: Begin = make();
    first.begin();
});
`,
  };
  const found = calls(project);
  assert.ok(found.includes('src/lib.rs -> src/lib.rs:Message.begin (receiver)'));
  assert.ok(found.includes('src/lib.rs -> src/lib.rs:Begin.begin (receiver)'));
});

test('Rust: the item of a loop in a macro has the type of the elements', () => {
  const project = {
    'src/lib.rs': `pub struct Event {}
impl Event {
    pub fn is_read(&self) -> bool { true }
}
pub struct Events { all: Vec<Event> }
impl Events {
    pub fn open() -> Events { Events { all: Vec::new() } }
}
macro_rules! wait {
    ($poll:ident) => {{
        let mut events = Events::open();
        $poll.poll(&mut events);
        for event in &events.all {
            assert!(event.is_read());
        }
    }};
}
pub fn run(poll: Poll) {
    wait!(poll);
}
`,
  };
  assert.deepEqual(
    calls(project).filter((line) => line.includes('is_read')),
    ['src/lib.rs:wait -> src/lib.rs:Event.is_read (receiver)'],
  );
});

test('Kotlin: an extension that is a member of a class is meant in that class alone', () => {
  const project = {
    'Rule.kt': `package shop

import lib.Node

class Rule {
    fun visit(node: Node) {
        if (node.isEmpty2()) node.let { it.isEmpty2() }
    }

    private fun Node.isEmpty2(): Boolean = true
}

class Other {
    fun visit(node: Node) = node.isEmpty2()
}
`,
  };
  assert.deepEqual(
    calls(project).filter((line) => line.includes('isEmpty2')),
    [
      'Rule.kt:Rule.visit -> Rule.kt:Rule.isEmpty2 (same-file)',
      'Rule.kt:Rule.visit -> Rule.kt:Rule.isEmpty2 (same-file)',
      'Rule.kt:Other.visit -> ?node.isEmpty2 (external)',
    ],
  );
});
