import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, edgeLines, graphOf, type Project } from './project.js';

const likely = (project: Project): string[] => calls(project).filter((line) => line.endsWith('(likely)'));

test('Python: a name that one type of the repository has, and no library, is likely meant', () => {
  const found = likely({
    'store.py': 'class Store:\n    def fetch_ledger(self):\n        pass\n\n    def get(self):\n        pass\n',
    'view.py': 'def show(thing):\n    thing.fetch_ledger()\n    thing.get()\n    thing.unknown_name()\n',
  });
  assert.deepEqual(found, ['view.py:show -> store.py:Store.fetch_ledger (likely)']);
});

/** What is called `fetchLedger`, as `function -> to (tier)`, in a file beside the one with the class that has it. */
const ledgers = (store: [path: string, text: string], view: string): string[] => {
  const path = store[0].replace('store', 'view');
  return calls({ [store[0]]: store[1], [path]: view })
    .filter((line) => /fetch_?ledger/i.test(line))
    .map((line) => line.replace(`${path}:`, '').replace(`${store[0]}:`, ''));
};

test('Python and PHP: a type that allows anything is none, and one of a library is', () => {
  const python = ledgers(
    ['store.py', 'class Store:\n    def fetch_ledger(self):\n        pass\n'],
    'import typing\nfrom typing import Any, Optional\n\ndef a(it: Any):\n    it.fetch_ledger()\n\ndef b(its: list[Any]):\n    its[0].fetch_ledger()\n\ndef c(it: "Any | None"):\n    it.fetch_ledger()\n\ndef d(it: object):\n    it.fetch_ledger()\n\nclass View:\n    def __init__(self, thing: Optional[typing.Any]):\n        self.thing: Any = thing\n    def run(self):\n        self.thing.fetch_ledger()\n\ndef made() -> Any:\n    pass\n\ndef e():\n    made().fetch_ledger()\n\ndef typed(it: dict):\n    it.fetch_ledger()\n',
  );
  assert.deepEqual(python, [
    ...['a', 'b', 'c', 'd', 'View.run', 'e'].map((name) => `${name} -> Store.fetch_ledger (likely)`),
    'typed -> ?it.fetch_ledger (external)',
  ]);
  const php = ledgers(
    ['store.php', '<?php class Store { function fetchLedger() {} }'],
    '<?php\nfunction a(mixed $it) { $it->fetchLedger(); }\nfunction b(object $it) { $it->fetchLedger(); }\nfunction c(?object $it) { $it->fetchLedger(); }\nfunction d(object|null $it) { $it->fetchLedger(); }\nclass View { private object $it; function run() { $this->it->fetchLedger(); } function made(): object {} function e() { $this->made()->fetchLedger(); } }\nfunction typed(PDO $it) { $it->fetchLedger(); }\n',
  );
  assert.deepEqual(php, [
    ...['a', 'b', 'c', 'd', 'View.run', 'View.e'].map((name) => `${name} -> Store.fetchLedger (likely)`),
    'typed -> ?it.fetchLedger (external)',
  ]);
});

test('Python: a parameter of any type may still be a fixture, or what the method above has', () => {
  const lines = ledgers(
    [
      'store.py',
      'class Store:\n    def fetch_ledger(self):\n        pass\n\nclass Base:\n    def show(self, it: Store):\n        pass\n',
    ],
    'import pytest\nfrom typing import Any\nfrom store import Base, Store\n\n@pytest.fixture\ndef till():\n    return Store()\n\ndef test_it(till: Any):\n    till.fetch_ledger()\n\nclass View(Base):\n    def show(self, it: Any):\n        it.fetch_ledger()\n',
  );
  assert.deepEqual(lines, ['test_it -> Store.fetch_ledger (receiver)', 'View.show -> Store.fetch_ledger (receiver)']);
});

test('what a list holds that does not say of what is of any type, what the list itself has is of the library', () => {
  const python = ledgers(
    ['store.py', 'class Store:\n    def fetch_ledger(self):\n        pass\n'],
    'def a(its: list):\n    for it in its:\n        it.fetch_ledger()\n\ndef b(its: dict):\n    its["x"].fetch_ledger()\n\ndef typed(its: list):\n    its.fetch_ledger()\n',
  );
  assert.deepEqual(python, [
    'a -> Store.fetch_ledger (likely)',
    'b -> Store.fetch_ledger (likely)',
    'typed -> ?its.fetch_ledger (external)',
  ]);
  const php = ledgers(
    ['store.php', '<?php class Store { function fetchLedger() {} }'],
    '<?php\nfunction a(array $its) { foreach ($its as $it) { $it->fetchLedger(); } }\nfunction b(iterable $its) { foreach ($its as $key => $it) { $it->fetchLedger(); } }\nclass View { private array $its = []; function run() { $this->its["x"]->fetchLedger(); } }\nfunction typed(Traversable $its) { $its->fetchLedger(); }\n',
  );
  assert.deepEqual(php, [
    'a -> Store.fetchLedger (likely)',
    'b -> Store.fetchLedger (likely)',
    'View.run -> Store.fetchLedger (likely)',
    'typed -> ?its.fetchLedger (external)',
  ]);
  const csharp = ledgers(
    ['store.cs', 'class Store { public void FetchLedger() {} }\n'],
    'class View {\n  void A(IList its) { its[0].FetchLedger(); }\n  void B(IList<Store> its) { its[0].FetchLedger(); }\n  void Typed(IList its) { its.FetchLedger(); }\n}\n',
  );
  assert.deepEqual(csharp, [
    'View.A -> ?its[].FetchLedger (unresolved)',
    'View.B -> Store.FetchLedger (receiver)',
    'View.Typed -> ?its.FetchLedger (external)',
  ]);
});

test('PHP: a documented type counts beside one that says nothing, and not beside another', () => {
  const lines = ledgers(
    ['store.php', '<?php class Store { function fetchLedger() {} } class Till { function fetchLedger() {} }'],
    `<?php
class View {
  /** @var Store */ private object $kept;
  /** @param Store[] $its */ function a(array $its) { $its[0]->fetchLedger(); }
  /** @param array<int, Store> $its */ function b(iterable $its) { foreach ($its as $it) { $it->fetchLedger(); } }
  /** @param Store $it */ function c(mixed $it) { $it->fetchLedger(); }
  /** @param Store|null $it */ function d(?object $it) { $it->fetchLedger(); }
  /** @param Store $it */ function e(Till $it) { $it->fetchLedger(); }
  /** @return Store */ function made(): object { }
  function f() { $this->made()->fetchLedger(); }
  function g() { $this->kept->fetchLedger(); }
  /** @param Store[] $all */ function __construct(private array $all) { }
  function h() { $this->all[0]->fetchLedger(); }
  function none(array $its) { $its[0]->fetchLedger(); }
}
`,
  );
  const known = (name: string, type: string) => `View.${name} -> ${type}.fetchLedger (receiver)`;
  assert.deepEqual(lines, [
    ...['a', 'b', 'c', 'd'].map((name) => known(name, 'Store')),
    known('e', 'Till'),
    ...['f', 'g', 'h'].map((name) => known(name, 'Store')),
    'View.none -> ?its[].fetchLedger (unresolved)',
  ]);
});

test('PHP: a documented type says what a stated collection holds, unless it is a class of the repository', () => {
  const types =
    '<?php class Store { function fetchLedger() {} } class Till { function fetchLedger() {} function walk() {} }';
  const shop = `<?php
class View {
  /** @var list<Store> Stores */ private array $listed = [];
  /** @var Collection<int, Store> */ private Collection $kept;
  /** @return \\Generator<Store> */ function each(): \\Generator { }
  /** @return non-empty-list<Store> */ function all(): array { }
  function a() { foreach ($this->listed as $it) { $it->fetchLedger(); } }
  function b() { $this->kept->first()->fetchLedger(); }
  function c() { foreach ($this->each() as $it) { $it->fetchLedger(); } }
  function d() { $this->all()[0]->fetchLedger(); }
}
`;
  assert.deepEqual(ledgers(['store.php', types], shop), [
    ...['a', 'b', 'c', 'd'].map((name) => `View.${name} -> Store.fetchLedger (receiver)`),
  ]);
  const own = ledgers(
    ['store.php', `${types} class Collection { function fetchLedger() {} }`],
    '<?php class View { /** @var Collection<Store> */ private Collection $all; function a() { $this->all->fetchLedger(); } }\n',
  );
  assert.deepEqual(own, ['View.a -> Collection.fetchLedger (receiver)']);
});

test('PHP: an assertion of a test says of which type a variable is', () => {
  const lines = ledgers(
    ['store.php', '<?php class Store { function fetchLedger() {} } class Till { function fetchLedger() {} }'],
    `<?php
class View {
  function a($it) { $this->assertInstanceOf(Store::class, $it); $it->fetchLedger(); }
  function b($it) { self::assertTrue($it instanceof Store); $it->fetchLedger(); }
  function c($it) { Assert::isInstanceOf($it, Store::class); $it->fetchLedger(); }
  function d($it) { $this->assertNotInstanceOf(Store::class, $it); $it->fetchLedger(); }
  function e($it) { $this->assertFalse($it instanceof Store); $it->fetchLedger(); }
  function f($it) { assert($it instanceof Store || $it instanceof Till); $it->fetchLedger(); }
}
`,
  );
  assert.deepEqual(lines, [
    ...['a', 'b', 'c'].map((name) => `View.${name} -> Store.fetchLedger (receiver)`),
    ...['d', 'e', 'f'].map((name) => `View.${name} -> ?it.fetchLedger (unresolved)`),
  ]);
});

test('where types are stated, what is asked of a value of any type is not known, and of one of a library is no use', () => {
  const kotlin = ledgers(
    ['store.kt', 'class Store { fun fetchLedger() {} }\n'],
    'fun a(it: Any) { it.fetchLedger() }\nfun b(it: Any?) { it?.fetchLedger() }\nfun c(it: dynamic) { it.fetchLedger() }\nfun d(it: Any) { if (it is Store) it.fetchLedger() }\nfun typed(it: Json) { it.fetchLedger() }\n',
  );
  assert.deepEqual(kotlin, [
    'a -> ?it.fetchLedger (unresolved)',
    'b -> ?it.fetchLedger (unresolved)',
    'c -> ?it.fetchLedger (unresolved)',
    'd -> Store.fetchLedger (receiver)',
    'typed -> ?it.fetchLedger (external)',
  ]);
  const scala = ledgers(
    ['store.scala', 'class Store { def fetchLedger(): Unit = {} }\n'],
    'object View {\n  def a(it: Any) = it.fetchLedger()\n  def b(it: AnyRef) = it.asInstanceOf[Store].fetchLedger()\n  def typed(it: Json) = it.fetchLedger()\n}\n',
  );
  assert.deepEqual(scala, [
    'View.a -> ?it.fetchLedger (unresolved)',
    'View.b -> ?it.asInstanceOf[].fetchLedger (unresolved)',
    'View.typed -> ?it.fetchLedger (external)',
  ]);
  const swift = ledgers(
    ['store.swift', 'class Store { func fetchLedger() {} }\n'],
    'func a(it: Any) { it.fetchLedger() }\nfunc b(it: AnyObject?) { it?.fetchLedger() }\nfunc c(it: Any) { (it as! Store).fetchLedger() }\nfunc typed(it: Json) { it.fetchLedger() }\n',
  );
  assert.deepEqual(swift, [
    'a -> ?it.fetchLedger (unresolved)',
    'b -> ?it.fetchLedger (unresolved)',
    'c -> Store.fetchLedger (receiver)',
    'typed -> ?it.fetchLedger (external)',
  ]);
  const csharp = ledgers(
    ['store.cs', 'class Store { public void FetchLedger() {} }\n'],
    'class View {\n  dynamic it;\n  void A(dynamic it) { it.FetchLedger(); }\n  void B() { it.FetchLedger(); }\n  dynamic Made() { return it; }\n  void C() { var made = Made(); made.FetchLedger(); }\n  void D(object it) { ((Store)it).FetchLedger(); }\n  void Typed(Json it) { it.FetchLedger(); }\n}\n',
  );
  assert.deepEqual(csharp, [
    'View.A -> ?it.FetchLedger (unresolved)',
    'View.B -> ?it.FetchLedger (unresolved)',
    'View.C -> ?made.FetchLedger (unresolved)',
    'View.D -> Store.FetchLedger (receiver)',
    'View.Typed -> ?it.FetchLedger (external)',
  ]);
  const dart = ledgers(
    ['store.dart', 'class Store { void fetchLedger() {} }\n'],
    "import 'store.dart';\nvoid a(Object it) { if (it is Store) it.fetchLedger(); }\nvoid b(Object? it) { if (it is! Store) return; it.fetchLedger(); }\nvoid c(dynamic it) { it.fetchLedger(); }\nvoid typed(Json it) { it.fetchLedger(); }\n",
  );
  assert.deepEqual(dart, [
    'a -> ?it.fetchLedger (unresolved)',
    'b -> ?it.fetchLedger (unresolved)',
    'c -> ?it.fetchLedger (unresolved)',
    'typed -> ?it.fetchLedger (external)',
  ]);
  const typescript = ledgers(
    ['store.ts', 'export class Store { fetchLedger() {} }\n'],
    'export function a(it: any) { it.fetchLedger(); }\nexport function b(it: unknown) { it.fetchLedger(); }\nexport function c(its: any[]) { its[0].fetchLedger(); }\nexport function typed(it: Date) { it.fetchLedger(); }\n',
  );
  assert.deepEqual(typescript, [
    'a -> ?it.fetchLedger (unresolved)',
    'b -> ?it.fetchLedger (unresolved)',
    'c -> ?its[].fetchLedger (unresolved)',
    'typed -> ?it.fetchLedger (external)',
  ]);
});

test('Java and Go: an object of any type is asked for what it is not only behind a check, which tells', () => {
  const java = ledgers(
    ['store.java', 'class Store { void fetchLedger() {} }\n'],
    'class View {\n  void a(Object it) { ((Store) it).fetchLedger(); }\n  void b(Object it) { if (it instanceof Store store) store.fetchLedger(); }\n}\n',
  );
  assert.deepEqual(java, ['View.a -> Store.fetchLedger (receiver)', 'View.b -> Store.fetchLedger (receiver)']);
  const go = ledgers(
    ['store.go', 'package shop\n\ntype Store struct{}\n\nfunc (s *Store) FetchLedger() {}\n'],
    'package shop\n\nfunc a(it any) { it.(*Store).FetchLedger() }\n\nfunc b(it interface{}) {\n\tswitch it := it.(type) {\n\tcase *Store:\n\t\tit.FetchLedger()\n\t}\n}\n\nfunc c(it any) { it.(interface{ FetchLedger() }).FetchLedger() }\n',
  );
  assert.deepEqual(go, [
    'a -> Store.FetchLedger (receiver)',
    'b -> Store.FetchLedger (receiver)',
    'c -> ??.FetchLedger (unresolved)',
  ]);
});

test('Python: overrides of one method are one, and the topmost is meant', () => {
  const found = likely({
    'rules.py':
      'class Rule:\n    def match_cart(self):\n        pass\n\nclass Half(Rule):\n    def match_cart(self):\n        pass\n\nclass Free(Half):\n    def match_cart(self):\n        pass\n',
    'view.py': 'def show(rules):\n    rules[0].match_cart()\n',
  });
  assert.deepEqual(found, ['view.py:show -> rules.py:Rule.match_cart (likely)']);
});

test('Python: of several types with a member, the one after which the receiver is called is likely meant', () => {
  const found = likely({
    'cart.py':
      'class Cart:\n    def apply_tax(self):\n        pass\n\nclass Basket:\n    def apply_tax(self):\n        pass\n',
    'view.py':
      'class View:\n    def __init__(self, cart):\n        self._cart = cart\n    def run(self, thing):\n        self._cart.apply_tax()\n        thing.apply_tax()\n',
  });
  assert.deepEqual(found, ['view.py:View.run -> cart.py:Cart.apply_tax (likely)']);
});

test('Python: the one type that has all that is asked of a value is likely meant', () => {
  const found = likely({
    'cart.py':
      'class Cart:\n    def apply_tax(self):\n        pass\n    def drop_items(self):\n        pass\n\nclass Basket:\n    def apply_tax(self):\n        pass\n',
    'view.py':
      'def one(it):\n    it.apply_tax()\n    it.drop_items()\n\ndef two(it):\n    it.apply_tax()\n\nclass View:\n    def a(self):\n        self.it.apply_tax()\n    def b(self):\n        self.it.drop_items()\n',
  });
  assert.deepEqual(found, [
    'view.py:one -> cart.py:Cart.apply_tax (likely)',
    'view.py:one -> cart.py:Cart.drop_items (likely)',
    'view.py:View.a -> cart.py:Cart.apply_tax (likely)',
    'view.py:View.b -> cart.py:Cart.drop_items (likely)',
  ]);
});

test('doubles of tests compete with nothing outside of tests, and attributes of that name with all', () => {
  const found = likely({
    'store.py': 'class Store:\n    def fetch_ledger(self):\n        pass\n\n    def close_till(self):\n        pass\n',
    'other.py': 'class Other:\n    def __init__(self, call):\n        self.close_till = call\n',
    'tests/test_store.py':
      'class FakeStore:\n    def fetch_ledger(self):\n        pass\n\ndef test_it(thing):\n    thing.fetch_ledger()\n',
    'view.py': 'def show(thing):\n    thing.fetch_ledger()\n\ndef end(it):\n    it.close_till()\n',
  });
  assert.deepEqual(found, ['view.py:show -> store.py:Store.fetch_ledger (likely)']);
});

test('JavaScript, Ruby and PHP: names tell, too; TypeScript has types', () => {
  const found = likely({
    'store.js': 'export class Store {\n  fetchLedger() {}\n}\n',
    'view.js': 'export function show(thing) {\n  thing.fetchLedger();\n}\n',
    'typed.ts': 'export function show(thing: any) {\n  thing.fetchLedger();\n}\n',
    'store.rb': 'class Store\n  def fetch_ledger\n  end\nend\n',
    'view.rb': 'class View\n  def show(thing)\n    thing.fetch_ledger\n  end\nend\n',
    'store.php': '<?php class Store { function fetchLedger() {} function push() {} }',
    'view.php': '<?php function show($thing) { $thing->fetchLedger(); $thing->push(); }',
  });
  assert.deepEqual(found, [
    'view.js:show -> store.js:Store.fetchLedger (likely)',
    'view.php:show -> store.php:Store.fetchLedger (likely)',
    'view.rb:View.show -> store.rb:Store.fetch_ledger (likely)',
  ]);
});

test('a value that is called after a kind of types likely runs the function of each type of that kind that can be asked so', () => {
  const found = likely({
    'tokens.py':
      'class BlockToken:\n    pass\n\nclass Heading(BlockToken):\n    def read(self):\n        pass\n\n    def rank(self):\n        pass\n\nclass Quote(BlockToken):\n    def read(self):\n        pass\n\n    def rank(self):\n        pass\n\nclass Rule(BlockToken):\n    def read(self):\n        pass\n',
    'other.py': 'class Reader:\n    def read(self):\n        pass\n\n    def rank(self):\n        pass\n',
    'view.py':
      'def show(token_type, thing, lines):\n    token_type.read(lines)\n    token_type.rank()\n    token_type.__class__()\n    thing.read()\n\ndef all(tokens):\n    for block_token in tokens:\n        block_token.read()\n',
  });
  assert.deepEqual(found, [
    'view.py:show -> tokens.py:Heading.read (likely)',
    'view.py:show -> tokens.py:Quote.read (likely)',
    'view.py:show -> tokens.py:Heading.rank (likely)',
    'view.py:show -> tokens.py:Quote.rank (likely)',
    'view.py:all -> tokens.py:Heading.read (likely)',
    'view.py:all -> tokens.py:Quote.read (likely)',
    'view.py:all -> tokens.py:Rule.read (likely)',
  ]);
});

test('of names that libraries have, a type is known by three that are no names of collections', () => {
  const found = likely({
    'element.rb':
      'class Element\n  attr_reader :value, :children, :attr, :size\n  def options; end\nend\nclass Other\n  attr_reader :value, :children\nend\n',
    'view.rb':
      'def show(it)\n  it.value\n  it.children\n  it.options\n  it.attr\nend\n\ndef less(one)\n  one.children\n  one.size\nend\n\ndef more(it)\n  it.children\nend\n',
  });
  // A name stands for one kind of value in all of a file.
  assert.deepEqual(found, [
    ...['value', 'children', 'options', 'attr'].map((name) => `view.rb:show -> element.rb:Element.${name} (likely)`),
    'view.rb:more -> element.rb:Element.children (likely)',
  ]);
});

test('a use of a name that one type here has and no library is likely on what a call of a library gives, in Ruby possible', () => {
  const found = calls({
    'base.rb':
      'class Base\n  def self.flag_of(key)\n  end\n  def self.select(key)\n  end\n  def twice_here; end\nend\nclass Other\n  def twice_here; end\nend\n',
    'spec.rb':
      'Cheese.flag_of(:a)\nMaker.made.flag_of(:b)\nCheese.select(:a)\nCheese.twice_here\nCheese.unknown_name\n',
    'store.py': 'class Store:\n    def fetch_ledger(self):\n        pass\n',
    'view.py':
      'import shop\nfrom shop import Till, opened\n\ndef given():\n    shop.opened().fetch_ledger()\n    it = opened()\n    it.fetch_ledger()\n\ndef outside():\n    Till().fetch_ledger()\n    shop.fetch_ledger()\n',
    'src/lib.rs':
      'pub struct Poll;\nimpl Poll { pub fn wake_all(&self) {} pub fn wake(&self) {} }\npub fn run() { missing.wake_all(); missing.wake(); }\n',
  });
  assert.deepEqual(
    found.filter((line) => /\((?:unresolved|likely)\)$/.test(line)),
    [
      'spec.rb -> ?Cheese.flag_of (unresolved)',
      'spec.rb -> ?Maker.made().flag_of (unresolved)',
      'src/lib.rs:run -> ?missing.wake_all (unresolved)',
      'view.py:given -> store.py:Store.fetch_ledger (likely)',
      'view.py:given -> store.py:Store.fetch_ledger (likely)',
    ],
  );
});

test('Ruby: a group of tests uses the class that it describes', () => {
  const lines = edgeLines(
    graphOf({
      'cart.rb': 'class Cart\n  def total; end\nend\nmodule Shop\n  class Till; end\nend\n',
      'bare_spec.rb': 'RSpec.describe Cart do\n  it { subject.total }\nend\n',
      'plain_spec.rb': 'describe Cart, type: :model do\nend\n',
      'round_spec.rb': 'RSpec.describe(Cart) do\nend\n',
      'inner_spec.rb': 'RSpec.describe Shop::Till do\nend\n',
    }),
  );
  const read = (path: string, name: string): boolean =>
    lines.some((line) => line.startsWith(`${path} read cart.rb:${name} `));
  for (const path of ['bare_spec.rb', 'plain_spec.rb', 'round_spec.rb']) assert.ok(read(path, 'Cart'), path);
  assert.ok(read('inner_spec.rb', 'Shop.Till'));
  assert.ok(lines.includes('bare_spec.rb call cart.rb:Cart.total (receiver)'), lines.join('\n'));
});

test('Rails: what delegates, variables of instances, constants and calls without a receiver do not show', () => {
  const project = {
    'app/models/cart.rb': `class Cart
  attr_reader :ledger_lines
  def grand_total; end
  def self.open_all; end
  def shut_down(other)
    door.shut_down(1)
    other.shut_down(2)
    nil
  end
end
`,
    'app/models/view.rb': `class View
  delegate :shop_name, to: :shop
  def total_price
    item.total_price
  end
  def show(it)
    it.shop_name
    it.total_price
    it.grand_total
    puts @ledger_lines
    grand_total
    Outer.grand_total
    Till.open_all
  end
end
`,
    'app/models/till.rb': 'class Till\nend\n',
  };
  assert.deepEqual(likely(project), [
    'app/models/cart.rb:Cart.shut_down -> app/models/cart.rb:Cart.shut_down (likely)',
    'app/models/view.rb:View.show -> app/models/cart.rb:Cart.grand_total (likely)',
  ]);
});

test('Rails: names that it gives classes show nothing, and neither does one attribute of a name', () => {
  const project = {
    'app/models/cart.rb': 'class Cart < ActiveRecord::Base\n  belongs_to :till\nend\n',
    'db/schema.rb':
      'ActiveRecord::Schema.define do\n  create_table "carts" do |t|\n    t.string "shelf_mark"\n    t.index ["ring_up"]\n  end\nend\n',
    'app/services/store.rb':
      'class Store\n  def shelf_mark; end\n  attr_reader :ledger_lines, :cart_lines\n  def save!; end\n  def ring_up; end\n  def close_till; end\nend\n',
    'app/services/other.rb': `class Other
  def run(it, one, two, three, store, big_store, cart)
    it.save!
    one.ledger_lines
    two.ring_up
    three.shelf_mark
    cart.close_till
    store.save!
    big_store.ledger_lines
  end
end
`,
  };
  assert.deepEqual(
    edgeLines(graphOf(project)).filter((line) => /other\.rb.* call [^?]/.test(line)),
    [
      'app/services/other.rb:Other.run call app/services/store.rb:Store.ring_up (likely)',
      'app/services/other.rb:Other.run call app/services/store.rb:Store.save! (unique)',
      'app/services/other.rb:Other.run call app/services/store.rb:Store.ledger_lines (likely)',
    ],
  );
});

test('Rails: a record that others of its kind could be is none of them, and one called like its class is', () => {
  const project = {
    'app/models/cart.rb': 'class Cart < ApplicationRecord\n  def fee_sum; end\nend\n',
    'app/models/order.rb': 'class Order < ApplicationRecord\n  def fee_sum; end\nend\n',
    'app/models/old_order.rb': 'class OldOrder < ApplicationRecord\n  def fee_sum; end\nend\n',
    'app/models/application_record.rb': 'class ApplicationRecord < ActiveRecord::Base\nend\n',
    'app/policies/policy.rb': 'class Policy\n  def show?\n    record.fee_sum\n    x.order.fee_sum\n  end\nend\n',
  };
  const found = edgeLines(graphOf(project)).filter((line) => /Policy.show\? call .*fee_sum/.test(line));
  assert.deepEqual(found, [
    'app/policies/policy.rb:Policy.show? call ?fee_sum (unresolved)',
    'app/policies/policy.rb:Policy.show? call app/models/order.rb:Order.fee_sum (unique)',
  ]);
});

test('Ruby and Python: a method that a class lacks is likely that of each class below it, and of no other', () => {
  const ruby = {
    'item.rb': 'class Item\n  def total\n    unit_price\n  end\n  def name_of\n    first\n  end\nend\n',
    'book.rb': 'class Book < Item\n  def unit_price; end\n  def first; end\nend\n',
    'game.rb': 'class Game < Item\n  def unit_price; end\nend\n',
    'till.rb': 'class Till\n  def unit_price; end\n  def sum\n    item = Item.new\n    item.unit_price\n  end\nend\n',
  };
  assert.deepEqual(likely(ruby), [
    'item.rb:Item.total -> book.rb:Book.unit_price (likely)',
    'item.rb:Item.total -> game.rb:Game.unit_price (likely)',
    'till.rb:Till.sum -> book.rb:Book.unit_price (likely)',
    'till.rb:Till.sum -> game.rb:Game.unit_price (likely)',
  ]);
  const python = {
    'item.py':
      'class Item:\n    def total(self):\n        return self.unit_price()\n\nclass Book(Item):\n    def unit_price(self):\n        pass\n\nclass Game(Item):\n    def unit_price(self):\n        pass\n\nclass Till:\n    def unit_price(self):\n        pass\n',
  };
  assert.deepEqual(likely(python), [
    'item.py:Item.total -> item.py:Book.unit_price (likely)',
    'item.py:Item.total -> item.py:Game.unit_price (likely)',
  ]);
});

test('Ruby: errors have the class that is rescued or asserted, unless it is one of Ruby', () => {
  const project = {
    'shop.rb':
      'class Closed < StandardError\n  def hours; end\nend\nclass Empty < StandardError\n  def hours; end\nend\n',
    'run.rb': `class Run
  def one
    work
  rescue Closed => error
    error.hours
  end
  def both
    work
  rescue Closed, Empty => error
    error.hours
  end
  def any
    work
  rescue StandardError => error
    error.hours
  end
  def test
    error = assert_raises(Closed) { work }
    error.hours
  end
end
`,
  };
  const found = edgeLines(graphOf(project)).filter((line) => / call .*hours/.test(line));
  assert.deepEqual(found, [
    'run.rb:Run.one call shop.rb:Closed.hours (receiver)',
    'run.rb:Run.both call shop.rb:Closed.hours (receiver)',
    'run.rb:Run.both call shop.rb:Empty.hours (receiver)',
    'run.rb:Run.any call ?hours (unresolved)',
    'run.rb:Run.test call shop.rb:Closed.hours (receiver)',
  ]);
});

test('Ruby: a value goes through a block, a class without a body, and the blocks of tests', () => {
  const project = {
    'cart.rb':
      'class Cart\n  def total; end\n  def self.open; new; end\nend\nOpenCart = Class.new(Cart)\nclass Till\n  def total; end\nend\n',
    'cart_spec.rb': `describe 'cart' do
  before do
    @cart = Cart.new
  end
  it 'sums' do
    expect(@cart.total).to eq 1
    Cart.new { 1 }.total
    Cart.new do |cart|
      1
    end.total
    OpenCart.new.total
  end
end
`,
  };
  assert.deepEqual(
    edgeLines(graphOf(project)).filter((line) => / call .*total/.test(line)),
    [
      'cart_spec.rb call cart.rb:Cart.total (receiver)',
      'cart_spec.rb call cart.rb:Cart.total (receiver)',
      'cart_spec.rb call cart.rb:Cart.total (receiver)',
      'cart_spec.rb call cart.rb:Cart.total (inherited)',
    ],
  );
});

test('Ruby: a class inherits from the part of a reopened class that has most methods', () => {
  const project = {
    'a_patch.rb': 'class Till\n  def close; end\nend\n',
    'base.rb': 'class Till\n  def ring; end\n  def open; shut; end\nend\n',
    'quick.rb':
      'class Till\n  class Quick < Till\n    def ring; end\n    def shut; end\n  end\n  class Slow < Till\n    def shut; end\n  end\nend\n',
  };
  assert.deepEqual(
    edgeLines(graphOf(project)).filter((line) => line.includes(' extends ')),
    ['quick.rb:Till.Quick extends base.rb:Till (same-file)', 'quick.rb:Till.Slow extends base.rb:Till (same-file)'],
  );
  assert.deepEqual(likely(project), [
    'base.rb:Till.open -> quick.rb:Till.Quick.shut (likely)',
    'base.rb:Till.open -> quick.rb:Till.Slow.shut (likely)',
  ]);
});

test('Rails: builders, the local of a part of a view, and records ask for nothing that a class happens to have', () => {
  const project = {
    'app/models/order.rb': 'class Order < ApplicationRecord\nend\n',
    'app/presenters/shelf.rb': 'class Shelf\n  def ledger_lines; end\n  def till_mark; end\nend\n',
    'app/views/orders/show.json.jbuilder': 'json.ledger_lines shelf.ledger_lines\n',
    'app/views/orders/_till_mark.html.erb': '<%= till_mark.size %>\n',
    'app/views/orders/_other.html.erb': '<%= till_mark.size %>\n',
    'app/jobs/run.rb': 'class Run\n  def call\n    Order.first.till_mark\n    it.till_mark\n  end\nend\n',
  };
  assert.deepEqual(
    edgeLines(graphOf(project))
      .filter((line) => line.includes(' call ') && /Shelf\.|\?(?:ledger_lines|till_mark)/.test(line))
      .map((line) => line.replace('app/presenters/shelf.rb:', '')),
    [
      'app/jobs/run.rb:Run.call call ?till_mark (unresolved)',
      'app/jobs/run.rb:Run.call call Shelf.till_mark (likely)',
      'app/views/orders/_other.html.erb call Shelf.till_mark (likely)',
      'app/views/orders/_till_mark.html.erb call ?till_mark (unresolved)',
      'app/views/orders/show.json.jbuilder call ?ledger_lines (unresolved)',
      'app/views/orders/show.json.jbuilder call Shelf.ledger_lines (unique)',
    ],
  );
});
