/** Exported symbols of a change, and uses of accessors, which are reads and writes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerReferences } from '../../../../src/questions/graph/references/answer.js';
import type { GraphReferencesResponse } from '../../../../src/questions/graph/references/question.js';
import { Session } from '../../../../src/session/session.js';
import { askerOf } from '../../../support/in-process/asker.js';
import { changed, danglingIn } from '../../../support/in-process/changes.js';
import { createRepo } from '../../../support/repositories/repo.js';

const CART =
  'export class Cart {\n  private sum = 0;\n  get total(): number {\n    return this.sum;\n  }\n  set total(sum: number) {\n    this.sum = sum;\n  }\n  plain(): number {\n    return 1;\n  }\n}\n';
const USE =
  "import { Cart } from './cart';\nexport function run(): unknown {\n  const a = new Cart();\n  const b = new Cart();\n  a.total = b.total;\n  return [a.total, a.plain];\n}\n";

test('reads and writes of a getter and its setter, two on one line too', async () => {
  const repo = createRepo();
  repo.commit({ 'cart.ts': CART, 'use.ts': USE });
  const session = await Session.open({ directory: repo.dir });
  try {
    const ask = async (name: string) => {
      const values = { name, limit: 20 } as never;
      const answer = await answerReferences(askerOf(session, { directory: repo.dir }), values);
      return (answer as GraphReferencesResponse).uses.list.map(({ line, kind, text }) => `${line} ${kind} ${text}`);
    };
    const accesses = (await ask('Cart.total')).filter((use) => use.includes('total'));
    assert.deepEqual(accesses.sort(), ['5 read b.total', '5 write a.total', '6 read a.total']);
    assert.ok((await ask('Cart.plain')).includes('6 value a.plain'));
  } finally {
    await session.close();
  }
});

type Files = Readonly<Record<string, string>>;

async function apiOf(before: Files, after: Files): Promise<string[]> {
  const { changes } = await changed(before, after);
  return changes.api.list.map(
    ({ change, signature, was }) => `${change} ${signature}${was === undefined ? '' : `, was ${was}`}`,
  );
}

test('members of a type that is not exported are no exported symbols, and an alias of a type is the same type', async () => {
  const go = (any: string, more: string) =>
    `package log\n\ntype quiet struct{}\n\ntype Loud struct{}\n\nfunc (q *quiet) Print(v ...${any}) {}\n\nfunc (l *Loud) Print(v ...${any}) {}\n${more}`;
  const more = '\nfunc (q *quiet) Flush(n int) {}\n\nfunc (l *Loud) Flush(n int) {}\n';
  assert.deepEqual(await apiOf({ 'log.go': go('interface{}', '') }, { 'log.go': go('any', more) }), [
    'added func (l *Loud) Flush(n int)',
  ]);
});

test('Rust: `pub(crate)` is not exported to other packages; a symbol that becomes public is', async () => {
  const rust = (inner: string, size: string) =>
    `pub struct Cart;\n\nimpl Cart {\n    ${inner} fn total(&self) -> ${size} {\n        0\n    }\n}\n\npub(crate) fn sum(a: ${size}) -> ${size} {\n    a\n}\n`;
  assert.deepEqual(
    await apiOf({ 'src/lib.rs': rust('pub(crate)', 'u32') }, { 'src/lib.rs': rust('pub(crate)', 'u64') }),
    [],
  );
  assert.deepEqual(await apiOf({ 'src/lib.rs': rust('pub(crate)', 'u32') }, { 'src/lib.rs': rust('pub', 'u32') }), [
    'changed pub fn total(&self) -> u32, was pub(crate) fn total(&self) -> u32',
  ]);
});

test('an attribute for tools changes no declaration; one that says what there is does', async () => {
  const fields = Array.from({ length: 12 }, (_, i) => `            number_${i} = self.numbers[${i}],\n`).join('');
  // What stands before a function, or before its parameter.
  const rust: [before: string, inside: string][] = [
    ['#[inline]\n    ', ''],
    ['#[cfg_attr(\n        feature = "tracing",\n        tracing::instrument(skip_all)\n    )]\n    ', ''],
    [`#[tracing::instrument(\n        fields(\n${fields}        )\n    )]\n    #[must_use = "a ] b"]\n    `, ''],
    ['', '#[allow(unused)] '],
  ];
  const kotlin = ['@Suppress("a")\n  ', '@Suppress("a", "b") ', '@JvmStatic '];
  const java = ['@SuppressWarnings("a") ', '@Override\n  ', '@Nullable '];
  const version = (isAfter: boolean) => {
    const given = (text: string) => (isAfter ? text : '');
    const functions = rust.map(
      ([before, inside], i) =>
        `    /// Adds.\n    ${given(before)}pub fn total_${i}(&self, ${given(inside)}rate: u32) -> u32 {\n        0\n    }\n`,
    );
    return {
      'src/lib.rs': `pub struct Cart;\n\nimpl Cart {\n${functions.join('')}}\n`,
      'cart.kt': `class Cart {\n${kotlin.map((text, i) => `  ${given(text)}fun total${i}(): Int = 1\n`).join('')}}\n`,
      'Cart.java': `public class Cart {\n${java.map((text, i) => `  public ${given(text)}int total${i}() { return 1; }\n`).join('')}}\n`,
      'cart.dart': `class Cart {\n  ${given('@override\n  ')}int total() => 1;\n}\n`,
    };
  };
  assert.deepEqual(await apiOf(version(false), version(true)), [
    'changed public @Nullable int total2(), was public int total2()',
    'changed @JvmStatic fun total2(): Int, was fun total2(): Int',
  ]);
});

test('what a constructor gives to its fields is no part of its declaration', async () => {
  const cart = (parameters: string, fields: string) => ({
    'cart.cpp': `#include "cart.h"\n\nCart::Cart(${parameters}) : Base(sum), ${fields} {\n}\n`,
    'cart.h': 'class Cart : public Base {\npublic:\n  Cart(int sum);\n  int a;\n  int b;\n};\n',
  });
  assert.deepEqual(await apiOf(cart('int sum', 'a(0)'), cart('int sum', 'a(0), b(1)')), []);
  assert.equal((await apiOf(cart('int sum', 'a(0)'), cart('long sum', 'a(0)'))).length, 1);
});

test('a class that moves to another file, and is written with its module around it, is neither gone nor new', async () => {
  const { changes } = await changed(
    {
      'lib/shop.rb':
        'class Shop::Error < StandardError; end\n\nmodule Shop\n  # Was not paid.\n  class NotPaid < Error\n    attr_reader :cart\n  end\n\n  class Late < Error; end\nend\n',
    },
    {
      'lib/shop.rb': "require 'shop/error'\n\nmodule Shop\nend\n",
      'lib/shop/error.rb':
        'module Shop\n  # The parent of all.\n  class Error < StandardError; end\n\n  # Was not paid.\n  class NotPaid < Error\n    # The whole cart, for whoever rescues this, with each of the items that were put in it.\n    attr_reader :cart\n  end\n\n  class Late < Error; end\nend\n',
    },
  );
  assert.deepEqual(changes.removed.list, []);
  assert.deepEqual([...new Set(changes.api.list.map(({ change }) => change))], ['moved']);
});

test('targets of build files are no exported symbols, and data of tests is neither schema nor configuration', async () => {
  const before = {
    Makefile: 'build:\n\tgo build\n',
    'build.gradle': 'task exportVersion() {\n  doLast { }\n}\n',
    'testdata/001_orders.sql': 'create table orders (id int);\n',
    'db/001_orders.sql': 'create table orders (id int);\n',
  };
  const { changes } = await changed(before, {
    Makefile: `${before.Makefile}\ntest: build\n\tgo test\n`,
    'build.gradle': `${before['build.gradle']}\ntask later() {\n  doLast { }\n}\n`,
    'testdata/001_orders.sql': 'create table orders (id bigint);\n',
    'db/001_orders.sql': 'create table orders (id bigint);\n',
  });
  assert.deepEqual(
    changes.api.list.filter(({ path }) => !path.endsWith('.sql')),
    [],
  );
  assert.deepEqual(
    changes.further.list.map(({ name }) => name),
    ['Makefile', 'build.gradle', 'db/001_orders.sql'],
  );
});

test('a local that takes the former name of a field is meant where it stands', async () => {
  const parser = (field: string, local: string) =>
    `class Parser {\n  int ${field};\n  int[] list;\n\n  int Next() {\n    return ${field};\n  }\n\n  bool IsLast(int start) {\n    var ${local} = list;\n    foreach (var one in ${local}) { if (one == start) return ${local}.Length > 1; }\n    return ${field} == start;\n  }\n}\n`;
  const answer = await changed(
    { 'Parser.cs': parser('border', 'current') },
    { 'Parser.cs': parser('borderType', 'border') },
  );
  assert.deepEqual(danglingIn(answer), []);
});

test('a method that all values have is not named by calls on a value, once a class has no version of its own', async () => {
  const post = (own: string) => `class Post\n  def title\n    'a'\n  end\n${own}end\n`;
  const spec = "describe Post do\n  it 'is shown' do\n    expect(own_post.inspect).to eq('a')\n  end\nend\n";
  const { changes } = await changed(
    { 'post.rb': post("\n  def inspect\n    '#<Post>'\n  end\n"), 'spec/post_spec.rb': spec },
    { 'post.rb': post('') },
  );
  assert.deepEqual(
    changes.removed.list.map(({ symbol, uses }) => [symbol, uses.list.length]),
    [['Post.inspect', 0]],
  );
});

test('a member that a type has from a parent now is not gone; one that no parent has is', async () => {
  const cart = (parent: string, own: string) => `public class Cart extends ${parent} {\n${own}}\n`;
  const size = '    public int size() {\n        return 1;\n    }\n\n';
  const empty = '    public boolean isEmpty() {\n        return false;\n    }\n';
  const { changes } = await changed(
    { 'Cart.java': cart('Base', size + empty), 'Base.java': 'public class Base {\n}\n' },
    { 'Cart.java': cart('Held', ''), 'Held.java': `abstract class Held extends Base {\n${size}}\n` },
  );
  const lines = changes.api.list.map(({ change, symbol, path }) => `${change} ${symbol} ${path}`);
  assert.deepEqual(lines, ['removed Cart.isEmpty Cart.java', 'changed Cart Cart.java', 'moved Held.size Held.java']);
});

test('of overloads those alone are listed that differ, and a long declaration shows where it does', async () => {
  const fields = Array.from({ length: 12 }, (_, i) => `@Named("field${i}") String field${i}`).join(', ');
  const cart = (more: string, other: string) =>
    `public class Cart {\n    public void fill(${fields}${more}) {\n    }\n\n    public void fill(int a) {\n    }\n${other}}\n`;
  const lines = await apiOf(
    { 'Cart.java': cart('', '') },
    { 'Cart.java': cart(', boolean all', '\n    public void fill(long a) {\n    }\n') },
  );
  assert.equal(lines.length, 2);
  assert.match(
    lines[0],
    /^changed public void fill\(.{20,80}… .*String field11, boolean all\), was .*String field11\)$/,
  );
  assert.equal(lines[1], 'added public void fill(long a)');
});

test('a file that moved as it was is one change, and its users now are those that it had', async () => {
  const use = (path: string) => `import { total } from '${path}';\nexport const run = () => total();\n`;
  const { changes } = await changed(
    { 'in/cart.ts': 'export function total() {\n  return 1;\n}\n', 'app.ts': use('./in/cart') },
    { 'in/cart.ts': null, 'cart.ts': 'export function total() {\n  return 1;\n}\n', 'app.ts': use('./cart') },
  );
  const [moved] = changes.symbols.list;
  assert.deepEqual([moved.change, moved.path, moved.symbol, moved.was], ['moved', 'cart.ts', null, 'in/cart.ts']);
  assert.ok(changes.users.before > 0);
  assert.equal(changes.users.after, changes.users.before);
});

test('a file that a tool wrote is one change: nobody reads its symbols', async () => {
  const bundle = (names: string) => [...names].map((name) => `function ${name}(){return ${'x'.repeat(700)}}`).join('');
  const { changes } = await changed({ 'app.js': bundle('abcd') }, { 'app.js': bundle('aefg') });
  assert.deepEqual(
    changes.symbols.list.map(({ change, path, symbol }) => [change, path, symbol]),
    [['changed', 'app.js', null]],
  );
  assert.deepEqual(changes.removed.list, []);
});

test('a path helper whose route is gone dangles by its own name; one of another route does not', async () => {
  const routes = (gone: string) => `Rails.application.routes.draw do\n  resources :rates, only: :index\n${gone}end\n`;
  const rates = 'class RatesController\n  def index; end\nend\n';
  const carts = 'class CartsController\n  def index; end\nend\n';
  const view = '<%= rates_path %>\n<%= home_path %>\n<%= carts_path %>\n';
  const answer = await changed(
    {
      'config/routes.rb': routes('  resources :carts, only: :index\n'),
      'app/controllers/rates_controller.rb': rates,
      'app/controllers/carts_controller.rb': carts,
      'app/views/rates/index.html.erb': view,
    },
    { 'config/routes.rb': routes(''), 'app/controllers/carts_controller.rb': null },
  );
  assert.deepEqual(danglingIn(answer), ['app/views/rates/index.html.erb:3 carts likely removed']);
});

test('a private method is not meant by calls in other files, nor a name that many unknown values have', async () => {
  const form = (own: string) => `class Form\n  def call\n    1\n  end\n${own}end\n`;
  const page = 'class Page\n  def show(it)\n    it.file_kind\n  end\nend\n';
  const ruby = async (own: string) =>
    danglingIn(await changed({ 'form.rb': form(own), 'page.rb': page }, { 'form.rb': form('') }));
  const method = '\n  def file_kind\n    2\n  end\n';
  assert.deepEqual(await ruby(`\n  private\n${method}`), []);
  assert.deepEqual(await ruby(method), ['page.rb:3 it.file_kind likely removed']);
  const dialog = (own: string) => `export class Dialog {\n  stay(): void {}\n${own}}\n`;
  const typed = async (calls: string) =>
    danglingIn(
      await changed(
        {
          'dialog.ts': dialog('  openFully(): void {}\n'),
          'page.ts': `export function leave(a: any, b: any) {\n${calls}}\n`,
        },
        { 'dialog.ts': dialog('') },
      ),
    );
  assert.deepEqual(await typed('  a.openFully();\n'), ['page.ts:2 a.openFully possible removed']);
  assert.deepEqual(await typed('  a.openFully();\n  b.openFully();\n  a.b.openFully();\n  b.a.openFully();\n'), []);
});

test('a class that is an interface now is declared otherwise, and neither gone nor new', async () => {
  const java = (kind: string) => `package shop;\n\npublic ${kind} Resolver {\n}\n`;
  assert.deepEqual(await apiOf({ 'Resolver.java': java('class') }, { 'Resolver.java': java('interface') }), [
    'changed public interface Resolver, was public class Resolver',
  ]);
});

test('a test whose uses may have been missed makes the risk of a change no doubt', async () => {
  const spec = (sum: number) =>
    `#[test]\nfn adds() {\n    assert_eq!(helper(), ${sum});\n}\n\nfn helper() -> i32 {\n    3\n}\n`;
  const { risk } = await changed({ 'tests/cart.rs': spec(1) }, { 'tests/cart.rs': spec(3) });
  assert.doesNotMatch(risk.reasons.join(), /test, which may call it/);
});

test('Rust: a lifetime that the compiler fills in is no other declaration, and a named one is', async () => {
  const rust = (part: string, whole: string) =>
    `pub struct Part<'a>(&'a str);\n\npub fn first(text: &str) -> ${part} {\n    Part(text)\n}\n\npub fn all(text: Vec<${whole}>) -> usize {\n    text.len()\n}\n`;
  assert.deepEqual(
    await apiOf({ 'src/lib.rs': rust('Part', 'Part') }, { 'src/lib.rs': rust("Part<'_>", "Part<'static>") }),
    ["changed pub fn all(text: Vec<Part<'static>>) -> usize, was pub fn all(text: Vec<Part>) -> usize"],
  );
});

test('schemas and configuration are known by the names of their files', async () => {
  const files = (text: string) => ({ 'config-schema.json': text, 'shop.schema.json': text, 'schemata.json': text });
  const { changes } = await changed(files('{"a": 1}\n'), files('{"a": 2}\n'));
  assert.deepEqual(
    changes.further.list.map(({ kind, name }) => `${kind} ${name}`),
    ['schema config-schema.json', 'schema shop.schema.json'],
  );
});

test('C++: members outside of their class stay what they are when another namespace gets a class of that name', async () => {
  const header = (more: string) =>
    `#pragma once\n${more}class Task {\npublic:\n  bool has(int a) const;\n  int id();\n};\n`;
  const code = 'bool Task::has(int a) const { return a == 1; }\n\nint Task::id() { return 1; }\n';
  const main = '#include "Task.h"\nint main() {\n  Task task;\n  return task.id();\n}\n';
  const { changes } = await changed(
    { 'Task.h': header(''), 'Task.cpp': `#include "Task.h"\n\n${code}`, 'main.cpp': main },
    {
      'tc/Task.h': '#pragma once\nnamespace tc {\nclass Task {\npublic:\n  int id();\n};\n}\n',
      'Task.h': header('#include "tc/Task.h"\n'),
      'Task.cpp': `#include "Task.h"\n\nstatic int zero = 0;\n\n${code}`,
    },
  );
  assert.deepEqual(
    changes.api.list.map(({ change, path }) => `${change} ${path}`),
    ['added tc/Task.h'],
  );
  assert.deepEqual(changes.dangling.list, []);
});

test('C++: a member that is gone is named with its class, and a call on another object does not mean it', async () => {
  const header = (own: string) => `#pragma once\nclass Cart {\npublic:\n${own}  int size();\n};\n`;
  const code = (own: string) => `#include "Cart.h"\n${own}int Cart::size() { return 1; }\n`;
  const { changes } = await changed(
    {
      'Cart.h': header('  void clear();\n'),
      'Cart.cpp': code('void Cart::clear() {}\n'),
      'main.cpp': '#include <vector>\nint main() {\n  std::vector<int> all;\n  all.clear();\n  return 0;\n}\n',
    },
    { 'Cart.h': header(''), 'Cart.cpp': code('') },
  );
  const gone = changes.removed.list.map(({ path, symbol, uses }) => `${path} ${symbol} ${uses.list.length}`);
  assert.deepEqual(gone.sort(), ['Cart.cpp Cart.clear 0', 'Cart.h Cart.clear 0']);
});

test('Python: a stub that goes into its code takes no class with it', async () => {
  const code = 'class Branch:\n    def name(self):\n        return "a"\n';
  const stub = 'class Branch:\n    def name(self) -> str: ...\n';
  assert.deepEqual(
    await apiOf({ 'shop/branch.py': code, 'shop/branch.pyi': stub }, {
      'shop/branch.py': code.replace('(self)', '(self) -> str'),
      'shop/branch.pyi': null,
    } as never),
    ['changed def name(self) -> str, was def name(self)'],
  );
});
