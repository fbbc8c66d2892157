/** Unused code in repositories: text that uses names unseen, what becomes unused, and since when. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readValues } from '../../../../src/params/read.js';
import { answerUnused } from '../../../../src/questions/graph/unused/answer.js';
import {
  type GraphUnusedResponse,
  question,
  type UnusedValues,
} from '../../../../src/questions/graph/unused/question.js';
import { Session } from '../../../../src/session/session.js';
import { askerOf } from '../../../support/in-process/asker.js';
import { createRepo, type TestRepo } from '../../../support/repositories/repo.js';

async function ask(t: TestContext, repo: TestRepo, values: UnusedValues = {}): Promise<GraphUnusedResponse> {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const document = await answerUnused(askerOf(session), values);
  assert.ok('unused' in document);
  return document;
}

const namesIn = ({ unused }: GraphUnusedResponse): (string | null)[] => unused.list.map(({ symbol }) => symbol);

test('a name in a string, a template or another language lowers the certainty; one in a comment or in prose does not', async (t) => {
  const repo = createRepo();
  repo.commit(
    {
      'a.ts': [
        'function quoted(): void {}',
        'function templated(): void {}',
        'function commented(): void {}',
        'function written(): void {}',
        'function gone(): void { alone(); }',
        'function alone(): void { registry["gone"](); }',
        'const registry: Record<string, () => void> = {};',
        'registry["quoted"]();',
        '// commented() ran here once',
      ].join('\n'),
      'page.html': '<p onclick="templated()">x</p>\n',
      'README.md': 'Call `written` first.\n',
    },
    'first',
  );
  const certain = await ask(t, repo);
  assert.deepEqual(namesIn(certain), ['commented', 'written', 'gone', 'alone'], 'dead code uses nothing');
  const all = await ask(t, repo, { minCertainty: 'possible' });
  const quoted = all.unused.list.find(({ symbol }) => symbol === 'quoted');
  assert.deepEqual([quoted?.certainty, quoted?.verdict], ['possible', 'mentioned']);
  assert.equal(quoted?.reason, 'its name stands in a.ts:8, in quotes');
});

test('words of a declaration count: attributes of tests, overriding, protected members', async (t) => {
  const repo = createRepo();
  repo.commit(
    {
      'lib.rs':
        'fn helper() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn checks() { super::helper(); beside(); }\n    fn beside() {}\n}\n\n#[inline]\nfn plain() {}\n\nimpl std::ops::Neg for [u8] {\n    fn neg(self) {}\n}\n',
      'cart.ts':
        'export class Cart {\n  protected hook(): void {}\n  private gone(): void {}\n  private override run(): void {}\n}\n',
    },
    'first',
  );
  const certain = await ask(t, repo);
  assert.deepEqual(namesIn(certain), ['Cart.gone', 'plain', 'helper'], 'what only tests use is listed last');
  assert.equal(certain.unused.list.find(({ symbol }) => symbol === 'helper')?.usedBy, 'tests');
  const exported = await ask(t, repo, { minCertainty: 'exported' });
  assert.deepEqual(namesIn(exported), ['Cart.gone', 'plain', 'helper', 'Cart.hook']);
});

const CHAIN = {
  'shop.ts': 'import { total } from "./total";\nexport function shop(): number { return total(); }\n',
  'total.ts': 'import { tax } from "./tax";\nexport function total(): number { return tax(); }\n',
  'tax.ts': 'export function tax(): number { return 1; }\n',
  'main.ts': 'import { shop } from "./shop";\nshop();\n',
};

test('declarations of what is defined elsewhere, and methods of protocols, are no certain finds', async (t) => {
  const repo = createRepo();
  repo.commit(
    {
      'env.ts':
        'export {};\ndeclare global {\n  interface Window {\n    a: number;\n  }\n}\ndeclare function outer(): void;\ninterface Gone {\n  a: number;\n}\n',
      'show.py':
        'class _Thing:\n    def _repr_html_(self):\n        return ""\n\n    def _gone(self):\n        return ""\n\n_Thing()\n',
    },
    'first',
  );
  assert.deepEqual(namesIn(await ask(t, repo)), ['Gone', '_Thing._gone']);
});

test('if a symbol or a file goes, what only it reaches goes with it; two meanings are asked for', async (t) => {
  const repo = createRepo();
  repo.commit({ ...CHAIN, 'other.ts': 'export class Shop { shop(): void {} }\n' }, 'first');
  const { unused, if: deleted } = await ask(t, repo, { if: 'shop.ts:shop' });
  assert.deepEqual(
    unused.list.map(({ symbol, usedBy }) => [symbol, usedBy]),
    [
      ['tax', 'unused'],
      ['total', 'nothing'],
    ],
  );
  assert.deepEqual(
    deleted?.definitions.map(({ path }) => path),
    ['shop.ts'],
  );
  assert.deepEqual(namesIn(await ask(t, repo, { if: 'total.ts' })), ['tax']);
});

test('since: the commit that took the last use away, or the one that brought what was never used', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'function gone(): void {}\ngone();\nfunction never(): void {}\n' }, 'bring both');
  repo.commit({ 'a.ts': 'function gone(): void {}\nfunction never(): void {}\n' }, 'take the use away');
  repo.commit({ 'b.ts': 'export const x = 1;\n' }, 'something else');
  const { unused } = await ask(t, repo, { since: true });
  assert.deepEqual(
    unused.list.map(({ symbol, since }) => [symbol, since?.event, since?.subject, since?.path]),
    [
      ['gone', 'last-use-removed', 'take the use away', 'a.ts'],
      ['never', 'never-used', 'bring both', 'a.ts'],
    ],
  );
});

test('definitions in tests are counted, and listed when asked for', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.test.ts': 'function helper(): void {}\n', 'a.ts': 'function gone(): void {}\n' }, 'first');
  const usual = await ask(t, repo);
  assert.deepEqual([namesIn(usual), usual.inTests, usual.lines], [['gone'], 1, 1]);
  assert.deepEqual(namesIn(await ask(t, repo, { tests: true })), ['helper', 'gone']);
  assert.deepEqual(namesIn(await ask(t, repo, { tests: true, path: ['*.test.ts'] })), ['helper']);
});

test('components of records and derived types, members of unnamed implementations, and text in files without an index count', async (t) => {
  const repo = createRepo();
  repo.commit(
    {
      'a.rs': [
        '#[derive(Debug, Clone)]\nstruct Plain { gone: u8 }\n#[derive(Debug, Hash)]\nstruct Hashed { part: u8 }',
        'impl<T> Held for T {\n    const ALIGN: usize = 1;\n    type Init = T;\n}\nconst LOST: u8 = 1;',
        'fn main() { let _: (Option<Plain>, Option<Hashed>) = (None, None); }',
      ].join('\n'),
      'Row.java':
        'class Row {\n  static void main(String[] a) { new Pair(1); }\n  record Pair(int first) { int twice() { return 2; } }\n}\n',
      'draw.h':
        'class Pen {\n private:\n  void draw(int width = 1, Style style = {}); // all\n  int gone() { return 1; }\n};\n',
      'main.cpp': '#include "draw.h"\nint main() { Pen pen; return 0; }\n',
      'page.html': '<script>\nfunction shown() {}\nfunction lost() {}\n</script>\n',
      'Secret.kt': `val key = "${['-----BEGIN', 'RSA PRIVATE KEY-----'].join(' ')}"\nval code = """\n  shown()\n"""\n`,
    },
    'first',
  );
  const certain = await ask(t, repo);
  assert.deepEqual(namesIn(certain), ['Row.Pair.twice', 'Plain.gone', 'LOST', 'Pen.gone', 'lost']);
});

test('explain: what speaks for a verdict, and what would refute it; a used symbol is said to be used', async (t) => {
  const repo = createRepo();
  repo.commit(
    {
      'a.ts': 'function gone(): void {}\nexport function open(): void {}\nfunction used(): void {}\nused();\n',
      'b.ts': 'export function tried(): void {}\n',
      'b.test.ts': "import { tried } from './b';\ntried();\n",
      'c.ts': 'export class Cart {\n  total(): number {\n    return 1;\n  }\n}\n',
      'd.ts':
        'import { Cart } from "./c";\nnew Cart();\nexport function run(x: any) {\n  x.total();\n  x.total();\n}\n',
    },
    'first',
  );
  const explain = async (symbol: string) => (await ask(t, repo, { explain: symbol })).explained?.[0];
  const gone = await explain('gone');
  assert.equal(gone?.certainty, 'certain');
  assert.deepEqual(gone.because, [
    '0 known uses, of which 0 in tests',
    '0 uses of its name could not be resolved and may mean it',
    '0 lines elsewhere have its name without a known use',
    'it is not exported, and nothing here uses it',
  ]);
  assert.deepEqual((await explain('open'))?.refutedBy, ['code of another repository that uses it']);
  const used = await explain('used');
  assert.equal(used?.certainty, null);
  assert.equal(used.because[0], '1 known use, of which 0 in tests: a.ts:4');
  const tried = (await explain('tried'))?.because;
  assert.equal(tried?.[0], '1 known use, of which 1 in tests: b.test.ts:2');
  assert.equal(tried[3], 'no code that runs is known to reach it, only tests do');
  const total = await explain('Cart.total');
  const counted = total?.because.filter((line) => line.includes('could not be resolved'));
  assert.deepEqual(counted, ['2 uses of the name total could not be resolved and may mean it']);
  assert.deepEqual(total?.refutedBy, ['one of the unresolved uses of its name, if it means this one']);
  await assert.rejects(ask(t, repo, { explain: 'a.ts' }), /is a file/);
});

test('a macro may make names, and a build chooses between twins: neither is certainly unused', async (t) => {
  const repo = createRepo();
  repo.commit(
    {
      'cart.c':
        'DEFINE_TYPE (Cart, shop_cart,\n             OBJECT)\nstatic void shop_cart_init (void) {}\nstatic void shop_gone (void) {}\nint main (void) { return 0; }\n',
      'kinds.h': 'typedef struct Kinds {\n  /* not a static one */\n  int lonely;\n} Kinds;\n',
      'table.c':
        'static int API(walk)(int);\nstatic int none = 0;\nstatic int API(walk)(int a)\n{\n  return none;\n}\n',
      'serve.c':
        '#define READ(name) read_##name()\nstatic int read_port(void) { return 1; }\nstatic int write_port(void) { return 1; }\n',
      'object.h': '#define CLASS(type) (&(type ## _class))\n#define OF(type) CLASS(type)\n',
      'panel.c':
        '#include "object.h"\nstatic const int Panel_class = 1;\nstatic const int Panel_lost = 1;\nconst int *panel(void) { return OF(Panel); }\n',
      'pack.c':
        'static int compr_zip_open(void) { return 1; }\nstatic int compr_rar_open(void) { return 1; }\nCOMPRESS_OPS(zip, 1)\n',
      'lock.rs': [
        'struct Trace;',
        '#[cfg(debug_assertions)]\nimpl Trace {\n    fn enter() {}\n}',
        '#[cfg(not(debug_assertions))]\nimpl Trace {\n    fn enter() {}\n    fn gone() {}\n}',
        'fn main() { Trace::enter(); }',
      ].join('\n'),
      'sys/unix.rs': 'fn open() {}\nfn run() { open(); }\npub fn start() { run(); }\n',
      'sys/windows.rs': 'fn open() {}\nfn lost() {}\n',
    },
    'first',
  );
  const certain = await ask(t, repo);
  const names = ['shop_gone', 'Trace.gone', 'compr_rar_open', 'Panel_lost', 'write_port', 'lost'];
  assert.deepEqual(namesIn(certain), names);
});

test('templates in a folder of documents, functions that an attribute names, members of objects and opened types are no certain finds', async (t) => {
  const repo = createRepo();
  repo.commit(
    {
      'src/documentation/Item.vue':
        '<template>\n  <p :id="shown">x</p>\n</template>\n<script setup lang="ts">\nconst shown = 1;\nconst gone = 2;\n</script>\n',
      'lib.rs':
        'mod as_hex {\n    fn deserialize() {}\n    fn gone() {}\n}\n#[serde(with = "as_hex")]\nstruct Row;\nfn main() { let _ = Row; }\n',
      'config.ts': "import { make } from 'library';\nmake({\n  nameOf(file) {\n    return file;\n  },\n});\n",
      'tokens.rb':
        'module Liquid\n  class Tokenizer\n    private\n\n    def next_token\n      1\n    end\n  end\nend\n',
    },
    'first',
  );
  const certain = await ask(t, repo);
  assert.deepEqual(namesIn(certain), ['as_hex.gone', 'gone']);
});

test('a member of an object without a name, and what a bridge declares for another language, are no certain finds', async (t) => {
  const repo = createRepo();
  repo.commit({
    'Walk.scala':
      'object Walk {\n  def apply(): Generator[Int] = new Generator[Int] {\n    def generate(f: Int => Unit) = f(1)\n  }\n  private def lost(): Int = 1\n}\n',
    'bridge.rs':
      'mod bridged {\n    extern "Rust" {\n        fn joined(path: &str) -> String;\n    }\n}\nfn joined(path: &str) -> String { path.to_string() }\nfn gone(path: &str) -> String { path.to_string() }\nfn main() {}\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['Walk.lost', 'gone']);
});

test('a type whose name a used value beside it has is no certain find', async (t) => {
  const repo = createRepo();
  repo.commit({
    'shop/Cache.cs':
      'namespace Shop\n{\n    internal class Cache\n    {\n        internal int Size() { return 1; }\n    }\n}\n',
    'shop/Lost.cs': 'namespace Shop\n{\n    internal class Lost\n    {\n    }\n}\n',
    'shop/Shelf.cs':
      'namespace Shop\n{\n    public class Shelf\n    {\n        private static readonly Cache Cache = new();\n        public int Size() { return Cache.Size(); }\n    }\n}\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['Shop.Lost']);
});

test('a type whose members are called on other types by a name that has uses is no certain find', async (t) => {
  const repo = createRepo();
  const holder = (type: string, parameter: string) =>
    `namespace Shop\n{\n    internal static class ${type}\n    {\n        internal static int Half(${parameter})\n        {\n            return 1;\n        }\n    }\n}\n`;
  repo.commit({
    'shop/Halves.cs': holder('Halves', 'this Basket basket'),
    'shop/Lost.cs': holder('Lost', 'Basket basket'),
    'shop/Cart.cs':
      'namespace Shop\n{\n    public class Cart\n    {\n        public int Half() { return 1; }\n    }\n    public class Shelf\n    {\n        public int Use(Cart cart) { return cart.Half(); }\n    }\n}\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['Shop.Lost']);
});

test('a type of C# that the compiler looks for is no certain find', async (t) => {
  const repo = createRepo();
  repo.commit({
    'Polyfills.cs': 'namespace System.Runtime.CompilerServices;\n\nstatic class IsExternalInit { }\n',
    'Lost.cs': 'namespace Systems.Shop;\n\nstatic class Lost { }\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['Systems.Shop.Lost']);
});

test('swift: what a protocol of the standard library asks for is no certain find', async (t) => {
  const repo = createRepo();
  repo.commit({
    'Id.swift':
      'private struct Id: Hashable {\n  var place: Int\n\n  func hash(into hasher: inout Hasher) {\n    hasher.combine(place)\n  }\n\n  func lost(into hasher: inout Hasher) {\n  }\n}\n\nstruct View {\n  var at = Id(place: 1)\n}\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['Id.lost']);
});

test('functions that are found by the beginning of their names are no certain finds', async (t) => {
  const repo = createRepo();
  const many = Array.from({ length: 12 }, (_, i) => `const step_${'abcdefghijkl'[i]} = () => ${i};\n`);
  repo.commit({
    'Shop.hs': 'module Shop (runTests) where\n\nprop_adds = 1\n\nlost_one = 2\n\nrunTests = $quickCheckAll\n',
    'steps.ts': `${many.join('')}const lone_one = () => 1;\nexport const run = 1;\n`,
  });
  const names = namesIn(await ask(t, repo));
  assert.deepEqual(names, ['lost_one', 'lone_one']);
});

test('a named function that is the module, and a global of a page, are no certain finds', async (t) => {
  const repo = createRepo();
  repo.commit({
    'cacher.js':
      'module.exports = function CacherMiddleware(broker) {\n  return lost => broker;\n};\n\nfunction gone() {}\n',
    'index.js':
      "const all = { Cacher: require('./cacher'), more: require(process.env.MORE) };\nmodule.exports = all;\n",
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['gone']);
});

test('scripts of a page share their names, also with scripts from elsewhere; attributes stand above comments, or under a condition', async (t) => {
  const repo = createRepo();
  repo.commit({
    'size.js': 'function size(bytes) {\n  return bytes;\n}\nfunction gone() {}\n',
    'table.js':
      'options = {\n  draw: function (row) {},\n  make(cell, row) {\n    $(cell).html(size(row));\n  },\n};\n',
    'chart.js': 'var chart = { click: function () { pick(this.x); } };\n',
    'page.html':
      '<script src="chart.js"></script><script src="size.js"></script>\n<script>\nfunction pick(x) {}\nfunction lost() {}\n</script>\n',
    // Scripts that are not here can call what these have.
    'app.html': '<script src="main.dart.js"></script>\n<script>\nfunction removeSplash() {}\n</script>\n',
    'late.html': '<script>\nfunction ready() {}\ndocument.body.append(document.createElement("script"));\n</script>\n',
    'splash.js': 'function endSplash() {}\n',
    'ad.astro':
      '---\ninterface Props {\n  slot: number;\n}\ninterface Left {\n  a: number;\n}\nconst { slot } = Astro.props;\n---\n<b>{slot}</b>\n',
    'Cargo.toml': '[package]\nname = "p"\n',
    'src/lib.rs': [
      '#[derive(Serialize)]\n/// A token.\nstruct Token { kind: String }\n#[get("/")]\n/// A page.\nfn page() {}',
      '#[cfg_attr(all(unix, feature = "a"), global_allocator)]\nstatic GLOBAL: Heap = Heap;',
      '#[cfg_attr(unix, inline)]\nfn plain() {}\npub fn all() -> Token { Token { kind: String::new() } }\n',
    ].join('\n'),
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['Left', 'lost', 'gone', 'plain']);
});

test('the former name of a grade is refused with the new one', () => {
  const fields = [
    { name: 'minCertainty', key: 'minCertainty', label: '--min-certainty', param: question.params.minCertainty },
  ];
  assert.throws(
    () => readValues({ minCertainty: 'likely' }, { fields, hint: '' }),
    /--min-certainty takes one of certain, exported \(once called likely\), possible, not "likely"/,
  );
});

test('a path in text that ends with its name is a use, and so is a name in a template of what a library was given', async (t) => {
  const repo = createRepo();
  repo.commit({
    'shop/middleware.py': 'class Header:\n    pass\n\n\nclass Footer:\n    pass\n',
    'shop/tags.py':
      'from lib import register\n\n\n@register.filter\ndef price(value):\n    return value\n\n\n@register.filter\ndef tax(value):\n    return value\n',
    'settings.py': 'MIDDLEWARE = ["shop.middleware.Header", "other.place.Footer"]\n',
    'templates/cart.html': '<p>{{ total|price }}</p>\n',
  });
  const certaintyOf = async (explain: string) => (await ask(t, repo, { explain })).explained?.[0].certainty ?? null;
  assert.equal(await certaintyOf('Header'), null);
  assert.equal(await certaintyOf('Footer'), 'exported', 'the path leads elsewhere, and no code uses the list');
  assert.equal(await certaintyOf('price'), null);
  assert.equal(await certaintyOf('tax'), 'possible');
});

test('a call of a member runs those that override it in types that are used; ruby: tables of methods are uses', async (t) => {
  const repo = createRepo();
  repo.commit({
    'shop.ts': [
      'abstract class Row { abstract divider(): string; abstract foot(): string; }',
      'class Made extends Row { divider() { return "-"; } foot() { return "."; } }',
      'class Gone extends Row { divider() { return "="; } foot() { return "."; } }',
      'const show = (row: Row) => row.divider();',
      'console.log(show(new Made()));',
    ].join('\n'),
    'unpack.rb':
      "class Unpack\n  KINDS = { 'zip' => :unzip, tar: :untar, 'x' => :other }\n\n  def run(kind) = send(KINDS[kind])\n\n  private\n\n  def unzip = 1\n\n  def untar = 2\n\n  def lost = 3\nend\n\nUnpack.new.run('zip')\n",
  });
  const { unused } = await ask(t, repo, { minCertainty: 'possible' });
  const names = unused.list.map(({ symbol }) => symbol);
  assert.ok(!names.includes('Made.divider'), 'an overriding member of a used type');
  assert.ok(names.includes('Gone'));
  assert.deepEqual(
    names.filter((name) => name?.startsWith('Unpack')),
    ['Unpack.lost'],
  );
});

test('a definition that is an argument of a call, or that a compiler applies, may be used; one after a modifier is not', async (t) => {
  const repo = createRepo();
  repo.commit({
    'loader.rb':
      'module Shop\n  class Loader\n    internal def kept?(path)\n      path\n    end\n\n    private def gone?(path)\n      path\n    end\n  end\nend\nShop::Loader.new\n',
    'Money.scala':
      'object Money {\n  private implicit def toCents(a: Int): Long = a * 100L\n  private def toEuros(a: Int): Int = a\n}\n',
    'jobs.py': 'class _Jobs:\n    async def _gone(self):\n        return 1\n\n\n_Jobs()\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['Money.toEuros', '_Jobs._gone', 'Shop.Loader.gone?']);
});

test('a private member whose name is made of parts while the program runs is not certain to be unused', async (t) => {
  const repo = createRepo();
  repo.commit({
    'read.rb':
      'class Read\n  def call(kind) = send(:"read_#{kind}")\n\n  def name(kind) = send("#{kind}_name")\n\n  private\n\n  def read_zip = 1\n\n  def tar_name = 2\n\n  def lost_one = 3\nend\n\nRead.new.call("zip")\n',
    'load.py':
      'class Load:\n    def go(self, kind):\n        getattr(self, "_load_{}".format(kind))()\n        getattr(self, "_save_%s" % kind)()\n\n' +
      '    def _load_json(self):\n        pass\n\n    def _save_json(self):\n        pass\n\n    def _lost(self):\n        pass\n\nLoad().go("json")\n',
    'show.ts':
      'class Show {\n  run(kind: string) { return this[`show$' +
      '{kind}` as "showAll"]; }\n  add(kind: string) { return this["add" + kind]; }\n  private showAll() {}\n  private addAll() {}\n  private lostAll() {}\n}\nconsole.log(new Show().run("All"), new Show().add("All"));\n',
  });
  const names = namesIn(await ask(t, repo));
  assert.ok(names.includes('Read.lost_one') && names.includes('Load._lost'));
  const computed = [
    'Load._load_json',
    'Load._save_json',
    'Read.read_zip',
    'Read.tar_name',
    'Show.showAll',
    'Show.addAll',
  ];
  assert.deepEqual(
    names.filter((name) => computed.includes(name ?? '')),
    [],
  );
});

test('ruby: what a library makes of a name below a line that says private is not private; what an attribute makes is', async (t) => {
  const repo = createRepo();
  repo.commit({
    'order.rb':
      'class Order\n  private\n\n  aasm do\n    state :sleeping\n    event :pay do\n    end\n  end\n  delegate :shop_name, to: :shop\n' +
      '  def_delegators :@lines, :size_of_it\n  attr_reader :lost_note\n\n  def lost_helper = 1\nend\nOrder.new.start\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['Order.lost_note', 'Order.lost_helper']);
});

test('c++: a virtual member is kept by its type; rust: a name that says that nothing uses it is no certain find', async (t) => {
  const repo = createRepo();
  repo.commit({
    'shop.cpp':
      'class Shop {\n public:\n  int open() { return 1; }\n\n private:\n  virtual int keep() { return 2; }\n  int lost() { return 3; }\n};\nint main() { return Shop().open(); }\n',
    'main.rs': 'const _CHECKED: usize = 1;\nconst LOST: usize = 2;\nfn main() {}\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)).sort(), ['LOST', 'Shop.lost']);
});

test('a value whose place counts, in a numbered list or in memory, is no certain find', async (t) => {
  const repo = createRepo();
  const main = 'package main\n\nimport "unsafe"\n\n';
  repo.commit({
    'kinds.go':
      'package main\n\nconst (\n\tkindNone = iota\n\tkindRaw\n\tkindFull\n)\n\nconst (\n\tlost = 3\n)\n\ntype cart struct {\n\tleft  int\n\tlostField int\n}\n\n' +
      'func (c *cart) full() int { return c.left + kindFull }\n',
    'main.go':
      `${main}type info struct {\n\tsize int\n\tcursorPlace int\n}\n\n` +
      'func main() {\n\tvar i info\n\t_ = unsafe.Pointer(&i)\n\tprintln(i.size, (&cart{}).full())\n}\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)).sort(), ['cart.lostField', 'lost']);
});

test('c: a comment with the word static in a long body does not hide the type that is named behind it', async (t) => {
  const repo = createRepo();
  const long = `  /* ${'a long word '.repeat(80)}*/\n`;
  const body = `${long}  int kept;\n  /* holds static data of\n   * the shop */\n  int other;\n`;
  repo.commit({
    'cart.h': `typedef struct Cart {\n${body}} Cart;\n`,
    'cart.c':
      '#include "cart.h"\nstatic int lost(void) { return 1; }\nint main(void) { Cart cart; return cart.other; }\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['lost']);
});

test('an object that is made at the top of a script may work without being named', async (t) => {
  const repo = createRepo();
  repo.commit({ 'page.js': "const shopMap = new ShopMap({ target: 'shop' });\nconst lostRate = 4;\n" });
  assert.deepEqual(namesIn(await ask(t, repo)), ['lostRate']);
});

test('what attributes, directives and designers find, and values whose making acts, are no certain finds', async (t) => {
  const repo = createRepo();
  repo.commit({
    'keep.c':
      '__attribute__((constructor)) static void set_up(void) {}\nstatic void __attribute__((used)) kept(void) {}\n' +
      '__attribute__((noinline)) static int lost_c(void) { return 1; }\nint main(void) { return 0; }\n',
    'cart.cpp':
      'struct Maker { Maker(const char*) {} };\nstatic Maker cart_maker{"cart"};\nstatic int lost_count = 3;\nint go() { return 1; }\n',
    'main.go':
      'package main\n\nimport _ "unsafe"\n\n//go:linkname hooked other.hooked\nfunc hooked() int { return 1 }\n\n// Does nothing.\nfunc lostGo() {}\n\n' +
      'var registered = registerAll("x")\n\nfunc registerAll(s string) bool { return true }\n\nfunc main() {}\n',
    'Box.cs':
      'class Box {\n  private bool ShouldSerializeSize() { return true; }\n  private void ResetSize() { }\n  private void LostCs() { }\n' +
      '  static void Main() { System.Console.WriteLine(new Box()); }\n}\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)).sort(), ['Box.LostCs', 'lostGo', 'lost_c', 'lost_count']);
});

test('c++: a file that is too large for the index may use a member, or a value of an enumeration', async (t) => {
  const repo = createRepo();
  repo.commit({
    'plot.h':
      'class Plot {\n public:\n  int draw();\n\n private:\n  enum Anchor { topLeft, topRight };\n  enum LostKind { lostLeft, lostRight };\n' +
      '  int colorBuffer;  // holds colours\n  int lostBuffer;  // holds nothing\n};\n',
    'plot.cpp': `#include "plot.h"\n${'// A long line that fills the file.\n'.repeat(40_000)}int Plot::draw() { return colorBuffer + topLeft; }\n`,
    'main.cpp': '#include "plot.h"\nint main() { Plot plot; return plot.draw(); }\n',
  });
  const names = namesIn(await ask(t, repo)).sort();
  assert.deepEqual(names, ['Plot.LostKind', 'Plot.lostBuffer']);
});

test('a definition of the same name explains the line of its name, and no text below it', async (t) => {
  const repo = createRepo();
  repo.commit({
    'Page.swift':
      'class Page {\n  func reloadImage() {\n    let source = 1\n    view.evaluate("reloadImage(1)")\n  }\n}\nPage().reloadImage()\n',
    'page.js': 'function reloadImage(source) {\n  return source;\n}\nfunction lostImage() {\n  return 1;\n}\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['lostImage']);
});

test('names that another file makes of parts are no certain finds', async (t) => {
  const repo = createRepo();
  repo.commit({
    'wizard.py':
      'class Wizard:\n    def all(self):\n        return self.attrs("_is_", "_wizard_first")\n\n    def one(self, kind, phase):\n' +
      '        return getattr(self, f"_command_{kind}_{phase}")\n',
    'parts.py':
      'class Part:\n    def _is_printer_wizard_first(self):\n        return True\n\n    def _command_pause_queuing(self):\n        return 1\n\n' +
      '    def _lost_printer_wizard(self):\n        return 2\n\nPart()\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['Part._lost_printer_wizard']);
});

test('c#: several unused subtypes, parts of visible types and handlers are no certain finds', async (t) => {
  const repo = createRepo();
  const handler = (name: string) => `internal class ${name} : IHandler { public int Kind() { return 1; } }\n`;
  repo.commit({
    'Handlers.cs': `internal interface IHandler { int Kind(); }\n${['One', 'Two', 'Three'].map((name) => handler(`${name}Handler`)).join('')}`,
    'Shapes.cs': 'internal class Shape { public int Kind() { return 1; } }\ninternal class LostShape : Shape { }\n',
    'Visible.cs': 'public abstract partial class Instruction { }\n',
    'Part.cs': 'partial class Instruction {\n  public bool MatchPart() { return true; }\n}\n',
    'Program.cs':
      'class Program {\n  static void Main() { Run<Program>(); new Shape().Kind(); }\n  static void Run<T>() { }\n  private int OnExecute() { return List(); }\n' +
      '  int List() { return 1; }\n  private int LostCs() { return 2; }\n}\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)).sort(), ['LostShape', 'Program.LostCs']);
});

test('scripts that a site is served with share their names, and files that only their text tells may be read by other tools', async (t) => {
  const repo = createRepo();
  repo.commit({
    'app/static/js/helpers.js': 'function setOnModel(model, key) {\n  return model[key];\n}\n',
    'lib/tool.js': "import { a } from './a.js';\nfunction lostHelper() {\n  return a;\n}\n",
    'lib/a.js': 'export const a = 1;\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['lostHelper']);
});

test('ruby: methods that begin alike, or end with the name of a type, may be found by name', async (t) => {
  const repo = createRepo();
  const compare = ['Symbol', 'Hash'].map((type) => `  def cmp_${type}(a)\n    a\n  end\n\n`).join('');
  const find = ['one', 'two', 'three', 'four'].map((kind) => `  def seek_${kind}\n    1\n  end\n\n`).join('');
  repo.commit({
    'compare.rb': `class Compare\n  private\n\n${compare}${find}  def lost_one\n    1\n  end\nend\nCompare.new.start\n`,
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['Compare.lost_one']);
});

test('what code of which nothing is claimed uses may run: of traits, of tools, under names in quotes', async (t) => {
  const repo = createRepo();
  repo.commit({
    'Rules.scala':
      'package shop\nprivate[shop] object Signs {\n  def quote = 1\n  def comma = 2\n  def lostSign = 3\n}\nprivate[shop] trait Rules {\n  def word = Signs.comma\n  def `quoted-word` = Signs.quote\n}\nobject Main extends App with Rules {\n  println(`quoted-word`)\n}\n',
    'made.ts':
      "// Code generated by a tool. DO NOT EDIT.\nimport { ofTool } from './shop.js';\nfunction madeCall() {\n  ofTool();\n}\nexport {};\n",
    'shop.ts': 'export function ofTool() {}\nfunction lostHelper() {}\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)).sort(), ['Signs.lostSign', 'lostHelper']);
});

test('code that a tool wrote is not judged, whatever its name, and says so in a file as well as in memory', async (t) => {
  const repo = createRepo();
  const text = "import { a } from './a.js';\nfunction lostHelper() {\n  return a;\n}\n";
  repo.commit({
    'ui/built/index-BMShE0dZ.js': `// Code generated by a bundler. DO NOT EDIT.\n${text}`,
    'ui/source/page.js': text.replace('lost', 'own'),
    'ui/source/a.js': 'export const a = 1;\n',
    'ui/built/a.js': 'export const a = 1;\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['ownHelper']);
  assert.deepEqual(namesIn(await ask(t, repo)), ['ownHelper']);
});

test('ruby: a class of a library that is opened again may be called by the library; one of the repository is not', async (t) => {
  const repo = createRepo();
  repo.commit({
    'patch.rb':
      'module Net\n  class HTTP\n    private\n\n    def conn_address\n      1\n    end\n  end\nend\nclass String\n  private\n\n  def to_word\n    1\n  end\nend\n',
    'network.rb':
      'module Network\n  class Client\n    private\n\n    def lost_address\n      1\n    end\n  end\nend\nNetwork::Client.new.start\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)), ['Network.Client.lost_address']);
});

test('operators are called by their signs, and what they use is used', async (t) => {
  const repo = createRepo();
  repo.commit({
    'Sum.cs':
      'class Sum {\n  public static Sum operator +(Sum a, Sum b) { return new Pair(); }\n  static void Main() { var sum = new Sum() + new Sum(); foreach (var one in new Parts()) { } }\n' +
      '  class Pair : Sum { }\n  private int LostCs() { return 1; }\n}\n' +
      'ref struct Parts {\n  public Parts GetEnumerator() { return this; }\n  internal bool MoveNext() { return false; }\n}\n',
    'Set.kt':
      'internal class Numbers {\n  operator fun plusAssign(key: Long) { add(key) }\n  fun add(key: Long) { println(key) }\n  private fun lostKey() { println(1) }\n}\n' +
      'fun main() { val all = Numbers(); all += 3L }\n',
  });
  assert.deepEqual(namesIn(await ask(t, repo)).sort(), ['Numbers.lostKey', 'Sum.LostCs']);
});
