/** `rename`: which places the patch changes, which it leaves to people, and what speaks against it. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { namePlaces } from '../../../src/extract/name-places.js';
import { loadRules } from '../../../src/languages/registry.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { answerRename, renameText } from '../../../src/questions/rename/answer.js';
import { type RenameDocument, type RenameValues, renameSchema } from '../../../src/questions/rename/question.js';
import { Session } from '../../../src/session/session.js';
import { check } from '../../support/check.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';

const FILES = {
  'ts/cart.ts': `/** Sums, see total. */
export function total(items: number[]): number {
  return items.length;
}
export class Cart {
  items: number[] = [];
  sum(): number {
    return total(this.items);
  }
}
export const helpers = { total };
`,
  'ts/index.ts': `export { total, Cart } from './cart';\n`,
  'ts/use.ts': `import { total, Cart as Basket } from './index';
import * as all from './cart';
function local(total: number) {
  return total + 1;
}
console.log(total([1]), all.total([3]), 'total', new Basket().sum());
export const report = { total };
export const unknown = (x: any) => x.total;
export type Sum = Basket['sum'];
export interface Summed {
  sum(): number;
}
`,
  'java/shop/Priced.java': 'package shop;\npublic interface Priced {\n  int price();\n}\n',
  'java/shop/Item.java': `package shop;
public class Item implements Priced {
  private int n;
  public Item(int n) { this.n = n; }
  @Override public int price() { return n; }
  static Item of(int n) { return new Item(n); }
}
`,
  'java/shop/Size.java': `package shop;
enum Size {
  SMALL { @Override int weight() { return 1; } },
  LARGE { @Override int weight() { return 2; } };
  abstract int weight();
}
`,
  'java/till/Till.java': `package till;
import shop.Item;
class Till extends java.util.Timer {
  int run(shop.Priced p) { return new Item(1).price() + p.price(); }
  @Override public void cancel() {}
}
`,
  'py/store.py': `def fetch(key):
    return key


class Store:
    def __init__(self):
        self.key = 1

    def load(self):
        return fetch(1)
`,
  'py/use.py': `from py.store import fetch, Store
from py import store


def show(fetch):
    return fetch


print(fetch(1), store.fetch(2), Store().load())
`,
  'go/cart/cart.go': `package cart

type Box struct{ n int }

func (b *Box) Weigh() int { return b.n }

func Heavy(b *Box) bool { return b.Weigh() > 9 }
`,
  'go/cmd/main.go': `package main

import "example.org/shop/go/cart"

func run(b *cart.Box) int { return b.Weigh() }
`,
  'go.mod': 'module example.org/shop\n\ngo 1.21\n',
  'README.md': 'Call `total`.\n',
  'rust/src/lib.rs': `pub struct Crate {
    pub weight: i32,
}
impl Crate {
    pub fn new(weight: i32) -> Self {
        Crate { weight }
    }
    pub fn heavy(&self) -> bool {
        self.weight > 9
    }
}
pub fn take(Crate { weight, .. }: Crate) -> i32 {
    weight
}
impl std::ops::Deref for Crate {
    type Target = i32;
    fn deref(&self) -> &i32 {
        &self.weight
    }
}
`,
  'rust/src/main.rs': 'mod scale;\nuse self::scale::{scale, Unit};\nfn main() {\n    scale(Unit);\n}\n',
  'rust/src/scale.rs': 'pub struct Unit;\npub fn scale(unit: Unit) {}\n',
  'ex/shop.ex': `defmodule Shop do
  defdelegate price(cart), to: Shop.Prices
  defdelegate reduced(cart),
    to: Shop.Prices,
    as: :discount
end
`,
  'ex/prices.ex': `defmodule Shop.Prices do
  def price(cart), do: cart
  def discount(cart), do: cart
end
`,
  'cpp/jar.h': 'class Jar {\n public:\n  Jar(int n);\n  ~Jar();\n  int lid() const;\n};\n',
  'cpp/jar.cpp': '#include "jar.h"\nJar::Jar(int n) {}\nJar::~Jar() {}\nint Jar::lid() const { return 1; }\n',
  'rb/shelf.rb': `class Shelf
  attr_reader :books
  def empty?
    books.none?
  end
  def empty
    empty? ? nil : 1
  end
end
`,
  'rb/ask.rb': 'def tidy(all)\n  all.delete_if { |each| each.spare_part? :now }\nend\n',
  'rb/part.rb': 'class Part\n  def spare_part?(at)\n    at\n  end\nend\n',
  'php/Desk.php':
    '<?php\nnamespace Shop;\nclass Desk {\n  private int $legs = 4;\n  function legs() { return $this->legs; }\n}\n',
  'php/use.php':
    '<?php\nuse Shop\\Desk;\nfunction sit(Desk $d) { $legs = 1; return $d->legs() + (new Desk())->legs(); }\n',
  'java/shop/Twice.java': `package shop;
class Twice {
  int half;
  int half() { return half * 2; }
  int both() { return half() + half; }
}
`,
  'twin/a.go': 'package twin\n\ntype Bin struct {\n\tMost int\n}\n',
  'go/cart/errors.go': `package cart

type Failure struct{}

func (f *Failure) Error() string { return "failed" }
func (f *Failure) Scan(src interface{}) error { return nil }
func (f *Failure) Write(line string) {}
`,
  'go/cart/rate.go': `package cart

type rate int

func rated(all []rate, first func() rate) rate {
	rate := first()
	if len(all) > 0 {
		return all[0]
	}
	return rate
}
`,
  'ts/hidden.ts': `export interface Timed { start(): void }
export class Clock implements Timed {
  #start = 0;
  start() { this.#start = 1; }
  from(other: any) { return this.#start + other.start + other['start']; }
}
export const begin = (clock: Clock) => clock.start();
`,
  'ts/maker.ts': `type Maker = Readonly<{ made(n: number): number; spare(): void }>;
export const Rate: Maker = Object.freeze<Maker>({
  made(n) { return n; },
  spare() {},
  extra() {},
});
export const rate = Rate.made(1);
export function fromDist() {}
`,
  'ts/built.ts': `import { fromDist } from '../dist/maker';\nfromDist();\n`,
  'ts/bag.ts': `import { Base } from 'elsewhere';
export class Bag<T extends () => void> implements Map<string, T> {
  keys() { return [].values(); }
  own() { return 1; }
}
export class Lost extends Error { own = 'x'; override name = 'Lost'; }
export class Begun extends Base { begin() {} }
`,
  'ts/small-bag.ts': `import { Bag } from './bag';
export class SmallBag extends Bag<() => void> { forEach() {} mine() {} }
`,
  'java/till/Rows.java': `package till;
class Rows implements java.util.Iterator<String>, Runnable {
  public boolean hasNext() { return false; }
  public void run() {}
  public void hasMore() {}
}
`,
  'cs/Row.cs': `using System;
class Row : IComparable<Row> {
  public int CompareTo(Row other) { return 0; }
  public int Compared(Row other) { return 0; }
}
`,
  'py/trivia.py': `class Trivia:
    indent: str
    comment: str
`,
  'cs/Shelf.cs': 'class Shelf {\n  public int this[int at] { get { return at; } }\n}\n',
  'ts/state.ts': 'export const state = { rate: 1 };\n',
  'ts/rates.ts': `import { state } from './state';
export function set(rate: number) { state.rate = rate; }
export function own(all: { rate: number }[]) {
  for (const state of all) { state.rate = 2; }
  try { set(1); } catch (state: any) { state.rate = 3; }
}
`,
  'ts/either.ts': `export class Crate {
  fill(): number { return 1; }
}
export class Sack {
  fill(): number { return 2; }
}
export const sure = (it: Crate) => it.fill();
export const either = (it: Crate | Sack) => it.fill();
export const other = (it: Sack) => it.fill();
export function one(it: Crate) { return it.fill(); } export function two(it: Sack) { return it.fill(); }
export function three(it: Crate) { return it.fill(); } export function four(it: any) { return it.fill(); }
export function five(a: Crate, b: Sack) { return a.fill() + b.fill(); }
`,
  'ts/handed.ts': 'export interface Handed {\n  n: number;\n}\n',
  'ts/all-handed.ts': `export * from './handed';\n`,
  'ts/surface.ts': `export { Handed } from './all-handed';\n`,
  'ts/other-state.ts': `import { state as shared } from './state';
const state = { rate: 2 };
state.rate = shared.rate;
`,
  'twin/_a.go': 'package twin\n\ntype Bin struct {\n\tMost int\n}\n',
  'twin/b.go': 'package twin\n\nfunc most(b Bin) int { return b.Most }\n',
  'py/listed.py': "__all__ = ['pick', 'other']\n\n\ndef pick():\n    return 1\n",
  'ts/dead.ts': `export const kept = 1;

/** Nobody calls it. */
export function dead(): number {
  return dead();
}

export const last = 2;
`,
};

const repo = createRepo();
repo.commit(FILES);
repo.git('checkout', '-q', '-b', 'other');
repo.commit({ 'ts/more.ts': `import { total } from './cart';\ntotal([]);\n` });
repo.git('checkout', '-q', 'main');

const session = await Session.open({ directory: repo.dir });
after(() => session.close());

async function plan(name: string, to?: string, values: Partial<RenameValues> = {}): Promise<RenameDocument> {
  const given = { name, to, noBranches: true, ...values } as RenameValues;
  return check(renameSchema, (await answerRename(askerOf(session), given)) as RenameDocument);
}

const textOf = (document: RenameDocument): string =>
  renameText(document, { pen: plainPen(COMMAND_WORDS), values: {} as RenameValues, isCommand: true });

/** Applies the patch of a plan as git does, and returns the files after it, which are restored. */
async function applied(document: RenameDocument, ...paths: string[]): Promise<string[]> {
  repo.write({ 'plan.patch': textOf(document) });
  repo.git('apply', 'plan.patch');
  const texts = paths.map((path) => readFileSync(join(repo.dir, path), 'utf8'));
  repo.git('add', '-A');
  repo.git('reset', '-q', '--hard');
  return texts;
}

const places = (list: readonly { path: string; line: number }[]) => list.map(({ path, line }) => `${path}:${line}`);

test('a function is renamed where it is imported, handed on, and written as a key and its value', async () => {
  const found = await plan('ts/cart.ts:total', 'count');
  const [cart, index, use] = await applied(found, 'ts/cart.ts', 'ts/index.ts', 'ts/use.ts');
  assert.equal(
    cart,
    FILES['ts/cart.ts'].replace(/(?<!see )total(?! })/g, 'count').replace('{ total }', '{ total: count }'),
  );
  assert.equal(index, `export { count, Cart } from './cart';\n`);
  assert.match(use, /import \{ count, Cart as Basket \}[\s\S]*local\(total: number\)[\s\S]*return total \+ 1/);
  assert.match(use, /count\(\[1\]\), all\.count\(\[3\]\), 'total'/);
  assert.match(use, /report = \{ total: count \}/);
  assert.deepEqual(places(found.decide.list), ['ts/use.ts:8']);
  const kinds = found.mentions.list.map(({ path, is }) => [path, is]);
  assert.deepEqual(kinds, [
    ['ts/cart.ts', 'comment'],
    ['ts/use.ts', 'string'],
    ['README.md', 'document'],
  ]);
});

test('an imported value whose member is assigned is renamed, and neither a local nor a value of the file by its name', async () => {
  const found = await plan('ts/state.ts:state', 'settings');
  const [rates, other] = await applied(found, 'ts/rates.ts', 'ts/other-state.ts');
  assert.equal(
    rates,
    FILES['ts/rates.ts'].replace('{ state }', '{ settings }').replace('state.rate = rate', 'settings.rate = rate'),
  );
  assert.equal(other, FILES['ts/other-state.ts'].replace('state as', 'settings as'));
});

test('a place that may mean the symbol and another one is left to decide, however sure the one meaning is', async () => {
  const found = await plan('ts/either.ts:Crate.fill', 'load');
  const lines = FILES['ts/either.ts'].split('\n');
  for (const line of [2, 7]) lines[line - 1] = lines[line - 1].replace('fill', 'load');
  lines[11] = lines[11].replace('a.fill', 'a.load');
  assert.deepEqual(await applied(found, 'ts/either.ts'), [lines.join('\n')]);
  assert.deepEqual(
    found.decide.list.map(({ line, column, is, why }) => [line, column, is, why]),
    [
      [8, 48],
      [10, 44],
      [10, 96],
      [11, 46],
      [11, 98],
    ].map((at) => [...at, 'open', 'it may mean others of that name, too']),
  );
});

test('a name that is exported again from a file with `export *` is changed or left to decide', async () => {
  const { files, decide } = await plan('ts/handed.ts:Handed', 'Passed');
  assert.deepEqual(
    files.list.map(({ path }) => path),
    ['ts/handed.ts'],
  );
  assert.deepEqual(places(decide.list), ['ts/surface.ts:1']);
});

test('an imported name that has an alias changes in its import alone', async () => {
  const [index, use] = await applied(await plan('ts/cart.ts:Cart', 'Trolley'), 'ts/index.ts', 'ts/use.ts');
  assert.equal(index, `export { total, Trolley } from './cart';\n`);
  assert.equal(use, FILES['ts/use.ts'].replace('Cart as', 'Trolley as'));
});

test('a member in quotes between brackets, and one of a shape that values may fit, are left to decide', async () => {
  const { decide } = await plan('Cart.sum', 'add');
  assert.deepEqual(places(decide.list), ['ts/use.ts:9', 'ts/use.ts:11']);
});

test('a constructor that the language names keeps its name', async () => {
  await assert.rejects(plan('py/store.py:Store.__init__', 'start'), /__init__/);
});

test('a class of Java is renamed with its constructors and its file', async () => {
  const found = await plan('shop/Item.java:Item', 'Article');
  const [item, till] = await applied(found, 'java/shop/Article.java', 'java/till/Till.java');
  assert.equal(item, FILES['java/shop/Item.java'].replaceAll('Item', 'Article'));
  assert.equal(till, FILES['java/till/Till.java'].replaceAll('Item', 'Article'));
});

test('members that override each other are renamed together, and what a library may call is refused', async () => {
  const found = await plan('Item.price', 'cost');
  const [priced, item, till] = await applied(
    found,
    'java/shop/Priced.java',
    'java/shop/Item.java',
    'java/till/Till.java',
  );
  for (const text of [priced, item, till]) assert.doesNotMatch(text, /price/);
  assert.deepEqual(found.conflicts, []);
  const { conflicts } = await plan('Till.cancel', 'stop');
  assert.deepEqual(
    conflicts.map(({ is, blocks }) => [is, blocks]),
    [['outside', true]],
  );
});

test('a member that constants of an enumeration override is renamed in them, or they are left to decide', async () => {
  const { edits, decide } = await plan('Size.weight', 'mass');
  assert.equal(edits + decide.list.length, 3);
});

test('a name in Python changes behind its module, and not where a parameter has it', async () => {
  const [use] = await applied(await plan('py/store.py:fetch', 'read'), 'py/use.py');
  assert.match(use, /import read, Store[\s\S]*show\(fetch\):\n {4}return fetch[\s\S]*read\(1\), store\.read\(2\)/);
});

test('a name in Go that begins with a small letter is refused where other packages use it', async () => {
  const [cart, main] = await applied(await plan('Box.Weigh', 'Mass'), 'go/cart/cart.go', 'go/cmd/main.go');
  assert.doesNotMatch(cart + main, /Weigh/);
  const { conflicts } = await plan('Box.Weigh', 'mass');
  assert.deepEqual(
    conflicts.map(({ is, path }) => [is, path]),
    [['visibility', 'go/cmd/main.go']],
  );
});

test('a type is renamed in the head of a function whose body has a local of its name', async () => {
  const [text] = await applied(await plan('go/cart/rate.go:rate', 'share'), 'go/cart/rate.go');
  assert.match(
    text,
    /type share int[\s\S]*all \[\]share, first func\(\) share\) share \{\n\trate := first\(\)[\s\S]*return rate\n/,
  );
});

test('a method of Go that fits an interface of the library keeps its name until somebody decides, and a namesake does not', async () => {
  for (const [name, count] of [
    ['Failure.Error', 1],
    ['Failure.Scan', 1],
    ['Failure.Write', 0],
  ] as const) {
    const { conflicts } = await plan(name, 'Renamed');
    assert.equal(conflicts.filter(({ is, blocks }) => is === 'outside' && blocks).length, count, name);
  }
});

test('a member that the type of its value or an interface demands is neither renamed nor deleted alone', async () => {
  const blocking = ({ conflicts }: RenameDocument) => conflicts.filter(({ blocks }) => blocks).map(({ why }) => why);
  assert.deepEqual(blocking(await plan('Rate.made', 'built')), ['it implements Maker.made']);
  assert.deepEqual(blocking(await plan('Rate.spare', undefined, { delete: true })), ['it implements Maker.spare']);
  assert.deepEqual(blocking(await plan('Rate.extra', undefined, { delete: true })), []);
  assert.ok(blocking(await plan('Clock.start', undefined, { delete: true })).includes('it implements Timed.start'));
});

test('a name that a file which is built from it may hand on is not deleted', async () => {
  const { conflicts } = await plan('fromDist', undefined, { delete: true });
  assert.deepEqual(
    conflicts.filter(({ blocks }) => blocks).map(({ path, line }) => `${path}:${line}`),
    ['ts/built.ts:1'],
  );
});

test('a private name of a class and a member without its mark are told apart', async () => {
  const hidden = await plan('ts/hidden.ts:3', 'since');
  const [text] = await applied(hidden, 'ts/hidden.ts');
  assert.equal(text, FILES['ts/hidden.ts'].replaceAll('#start', '#since'));
  assert.deepEqual(hidden.decide.list, []);
  const [open] = await applied(await plan('Clock.start', 'wind'), 'ts/hidden.ts');
  assert.match(open, /#start = 0;\n {2}wind\(\) \{ this\.#start = 1; \}[\s\S]*this\.#start \+[\s\S]*clock\.wind\(\)/);
});

test('a member that a type of the library demands keeps its name, and others of its type do not', async () => {
  for (const [name, blocks] of [
    ['Bag.keys', [true]],
    ['Bag.own', []],
    ['SmallBag.forEach', [true]],
    ['SmallBag.mine', []],
    ['Lost.name', [true]],
    ['Lost.own', []],
    ['Begun.begin', [false]],
    ['Rows.hasNext', [true]],
    ['Rows.run', [true]],
    ['Rows.hasMore', []],
    ['Row.CompareTo', [true]],
    ['Row.Compared', []],
    ['Trivia.indent', []],
  ] as const) {
    const { conflicts } = await plan(name, 'Renamed');
    const found = conflicts.filter(({ is }) => is === 'outside').map((each) => each.blocks);
    assert.deepEqual(found, blocks, name);
  }
});

test('what a language calls by one of its words has no name to change', async () => {
  await assert.rejects(plan('cs/Shelf.cs:2', 'Place'), /this is a property, which has no name/);
});

test('a field of Rust gets its new name as a key, and the local beside it stays', async () => {
  const [lib] = await applied(await plan('Crate.weight', 'mass'), 'rust/src/lib.rs');
  assert.match(lib, /pub mass: i32[\s\S]*new\(weight: i32\)[\s\S]*Crate \{ mass: weight \}[\s\S]*self\.mass > 9/);
  assert.match(lib, /Crate \{ mass: weight, \.\. \}/);
});

test('a module of Rust keeps its name, whatever function of that name its file declares', async () => {
  const [main] = await applied(await plan('rust/src/scale.rs:scale', 'weigh'), 'rust/src/main.rs');
  assert.equal(main, 'mod scale;\nuse self::scale::{weigh, Unit};\nfn main() {\n    weigh(Unit);\n}\n');
});

test('a delegate of Elixir that says no other name keeps both names together', async () => {
  const found = async (name: string) =>
    (await plan(name, 'renamed')).conflicts.map(({ path, line, blocks, why }) => [path, line, blocks, why]);
  const kept = [['ex/shop.ex', 2, true, 'it delegates by its name: add as: :price']];
  assert.deepEqual(await found('Shop.price'), kept);
  assert.deepEqual(await found('Shop.Prices.price'), kept);
  assert.deepEqual(await found('Shop.reduced'), []);
});

test('a member of a trait from outside of the repository is refused', async () => {
  for (const name of ['Crate.Target', 'Crate.deref']) {
    const { conflicts } = await plan(name, 'Other');
    assert.deepEqual(
      conflicts.map(({ is, blocks }) => [is, blocks]),
      [['outside', true]],
    );
  }
  assert.deepEqual((await plan('Crate.heavy', 'weighty')).conflicts, []);
});

test('a class of C++ is renamed with constructors and destructors in its class and outside of it', async () => {
  const [header, source] = await applied(await plan('cpp/jar.h:Jar', 'Pot'), 'cpp/jar.h', 'cpp/jar.cpp');
  assert.doesNotMatch(header + source.replace('"jar.h"', ''), /Jar/);
});

test('a question mark of Ruby is part of the name, and a declared attribute is refused for its variable', async () => {
  const [shelf] = await applied(await plan('rb/shelf.rb:Shelf.empty?', 'bare?'), 'rb/shelf.rb');
  assert.equal(shelf, FILES['rb/shelf.rb'].replaceAll('empty?', 'bare?'));
  const [other] = await applied(await plan('rb/shelf.rb:6', 'bare'), 'rb/shelf.rb');
  assert.equal(other, FILES['rb/shelf.rb'].replace('def empty\n', 'def bare\n'));
  const { conflicts } = await plan('Shelf.books', 'volumes');
  assert.deepEqual(
    conflicts.map(({ is, blocks }) => [is, blocks]),
    [['outside', true]],
  );
});

test('a name of Ruby with a mark is looked for in files without a proven use, too', async () => {
  const found = await plan('Part.spare_part?', 'extra?');
  assert.deepEqual(places(found.decide.list), ['rb/ask.rb:2']);
});

test('a class of PHP takes its file along, and its property no local variable', async () => {
  const [desk, use] = await applied(await plan('php/Desk.php:Desk', 'Table'), 'php/Table.php', 'php/use.php');
  assert.doesNotMatch(desk + use, /Desk/);
  const [own] = await applied(await plan('php/Desk.php:4', 'feet'), 'php/Desk.php');
  assert.match(own, /int \$feet = 4;\n {2}function legs\(\) \{ return \$this->feet; \}/);
});

test('a field and a method of Java with one name are told apart, or left to decide', async () => {
  const { files, decide } = await plan('java/shop/Twice.java:3', 'part');
  const patch = files.list[0].patch;
  assert.doesNotMatch(patch, /^\+.*part\(\)/m);
  for (const line of decide.list) assert.match(line.why, /function and a value/);
});

test('a name that two files of a package declare is left to decide where the build may choose either', async () => {
  const { files, decide } = await plan('twin/a.go:Bin.Most', 'Limit');
  const changed = files.list.map(({ path }) => path);
  assert.ok(
    changed.includes('twin/b.go') ? changed.includes('twin/_a.go') : places(decide.list).includes('twin/b.go:3'),
  );
});

test('a list of what a module exports changes with the name', async () => {
  const [listed] = await applied(await plan('py/listed.py:pick', 'choose'), 'py/listed.py');
  assert.equal(listed, FILES['py/listed.py'].replaceAll('pick', 'choose'));
});

test('a symbol that nothing uses is deleted with its comment; a used one is refused', async () => {
  const [dead] = await applied(await plan('ts/dead.ts:dead', undefined, { delete: true }), 'ts/dead.ts');
  assert.equal(dead, 'export const kept = 1;\n\nexport const last = 2;\n');
  const { conflicts, decide } = await plan('ts/cart.ts:total', undefined, { delete: true });
  assert.deepEqual([...new Set(conflicts.map(({ is }) => is))], ['used']);
  assert.deepEqual(places(decide.list), ['ts/index.ts:1', 'ts/use.ts:1', 'ts/use.ts:8']);
});

test('a name that is taken, or that means something else where the symbol is used, is a conflict', async () => {
  const taken = await plan('ts/cart.ts:total', 'helpers');
  assert.deepEqual(
    taken.conflicts.map(({ is }) => is),
    ['taken'],
  );
  const shadowed = await plan('ts/cart.ts:total', 'report');
  assert.deepEqual(
    shadowed.conflicts.map(({ is, path }) => [is, path]),
    [['shadowed', 'ts/use.ts']],
  );
});

test('a branch that adds a use of the old name is told', async () => {
  const found = await plan('ts/cart.ts:total', 'count', { noBranches: false });
  assert.deepEqual(
    found.conflicts.map(({ is, path, blocks }) => [is, path, blocks]),
    [['branch', 'ts/more.ts', false]],
  );
  assert.match(textOf(found), /^1 conflict\n {2}- ts\/more\.ts/m);
});

test('a branch that changes a line of the patch is told, also where the patch changes a thousand lines', {
  timeout: 20_000,
}, async () => {
  const uses = Array.from({ length: 1_000 }, (_, i) => `export const at${i} = () => {\n  return total([${i}]);\n};\n`);
  const head = 'export function total(items: number[]): number {\n  return items.length;\n}\n';
  const long = createRepo();
  long.commit({ 'a.ts': head + uses.join('') });
  long.git('checkout', '-q', '-b', 'beside');
  long.commit({ 'a.ts': head.replace('.length', '.length + 1') + uses.join('') });
  long.git('checkout', '-q', '-b', 'same', 'main');
  long.commit({ 'a.ts': head + uses.join('').replace('total([700])', 'total([7])') });
  long.git('checkout', '-q', 'main');
  const own = await Session.open({ directory: long.dir });
  after(() => own.close());
  const found = await answerRename(askerOf(own), { name: 'a.ts:total', to: 'count' } as RenameValues);
  const { conflicts, edits } = found as RenameDocument;
  assert.equal(edits, 1_001);
  assert.deepEqual(
    conflicts.map(({ is, why }) => [is, why]),
    [['branch', 'same changes 1 part of what the patch changes']],
  );
});

test('files are written if they are clean, and read again', async () => {
  const found = await plan('ts/cart.ts:total', 'count', { write: true });
  assert.equal(found.written, true);
  assert.match(readFileSync(join(repo.dir, 'ts/use.ts'), 'utf8'), /count\(\[1\]\)/);
  await assert.rejects(plan('ts/cart.ts:count', 'total', { write: true }), /has uncommitted changes/);
  repo.git('checkout', '-q', '.');
});

test('a file that moves with its class is written at its new path alone', async () => {
  const found = await plan('shop/Item.java:Item', 'Article', { write: true });
  assert.equal(found.written, true);
  assert.equal(existsSync(join(repo.dir, 'java/shop/Item.java')), false);
  assert.match(readFileSync(join(repo.dir, 'java/shop/Article.java'), 'utf8'), /class Article/);
  repo.git('clean', '-fdq');
  repo.git('checkout', '-q', '.');
});

test('a file that git ignores is not overwritten by one that moves with its class', async () => {
  const path = join(repo.dir, 'java/shop/Article.java');
  writeFileSync(join(repo.dir, '.git/info/exclude'), 'Article.java\n');
  writeFileSync(path, 'by hand\n');
  await assert.rejects(plan('shop/Item.java:Item', 'Article', { write: true }), /Article\.java exists already/);
  assert.equal(readFileSync(path, 'utf8'), 'by hand\n');
  assert.equal(repo.git('status', '--porcelain'), '');
  rmSync(path);
});

test('functions of Go that show the use of a symbol by their names are listed, those of others are not', async () => {
  const shown = createRepo();
  const head = 'package till\n\n';
  shown.commit(
    {
      'till/till.go': `${head}type Till struct{}\n\nfunc (t Till) Open() {}\n\nfunc Tilled() {}\n`,
      'till/till_test.go': `${head}func ExampleTill_Open_twice() {}\n\nfunc ExampleTill() {}\n\nfunc ExampleTilled() {}\n`,
      'other/a_test.go': 'package other\n\nfunc ExampleTill() {}\n',
    },
    'examples',
  );
  const own = await Session.open({ directory: shown.dir });
  after(() => own.close());
  const listed = async (name: string, to: string) => {
    const found = (await answerRename(askerOf(own), { name, to, noBranches: true } as RenameValues)) as RenameDocument;
    return found.decide.list.map(({ path, line }) => `${path}:${line}`).sort();
  };
  assert.deepEqual(await listed('Till', 'Drawer'), ['till/till_test.go:3', 'till/till_test.go:5']);
  assert.deepEqual(await listed('Till.Open', 'Start'), ['till/till_test.go:3']);
  assert.deepEqual(await listed('Tilled', 'Sown'), ['till/till_test.go:7']);
});

test('a line of Python that is made to take long is looked through once', async () => {
  await loadRules('python');
  const text = `def f():\n    total = 1\n    global${' '.repeat(200_000)}!\n    return total\n`;
  const from = performance.now();
  assert.equal(namePlaces(Buffer.from(text), 'python', ['total']).places.length, 2);
  assert.ok(performance.now() - from < 5_000);
});

test('a plan with a conflict that blocks is not written', async () => {
  assert.match(textOf(await plan('Till.cancel', 'stop')), /^1 conflict; "!" keeps it from being written\n {2}! /m);
  await assert.rejects(plan('Till.cancel', 'stop', { write: true }), /nothing is written: .*overrides a member/);
  assert.equal(repo.git('status', '--porcelain'), '');
});
