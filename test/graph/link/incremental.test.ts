/** Linking after a change gives what linking everything gives: random projects, random edits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LinkMemory } from '../../../src/graph/link/link-memory.js';
import { linkSnapshot, linkSteps } from '../../../src/graph/link/link-snapshot.js';
import type { LinkedSnapshot } from '../../../src/graph/tables.js';
import { encodeLinkFacts } from '../../../src/record/link-facts.js';
import { inputOf, link, type Project } from './project.js';

const NAMES = ['total', 'add', 'load', 'Cart', 'Item', 'Store'];
const MODULES = ['cart', 'item', 'store', 'index', 'lib/cart', 'lib/util'];

const name = fc.constantFrom(...NAMES);
const other = fc.constantFrom(...MODULES);

/** Statements of TypeScript that define, import, hand on and use the same few names in all ways. */
const script = fc.oneof(
  fc.tuple(name, other).map(([n, m]) => `import { ${n} } from '${relative(m)}';`),
  fc
    .tuple(name, other)
    .map(([n, m]) => `import * as ns${n} from '${relative(m)}'; export const v${n} = ns${n}.${n}();`),
  fc.tuple(name, name, other).map(([n, o, m]) => `export { ${n} as ${o} } from '${relative(m)}';`),
  other.map((m) => `export * from '${relative(m)}';`),
  other.map((m) => `import d from '@/${m}'; d.total();`),
  fc.tuple(name, name).map(([n, c]) => `export function ${n}(a: ${c}): ${c} { return a.${n}().${c}(); }`),
  fc
    .tuple(name, name, name)
    .map(
      ([n, p, m]) =>
        `export class ${n} extends ${p} { f = new ${p}(); ${m}(): ${p} { return this.${p}(); } x() { this.f.${m}(); super.${m}(); } }`,
    ),
  fc.tuple(name, name).map(([n, m]) => `export const ${n} = { ${m}() { return ${n}.${m}(); } };`),
  fc.tuple(name, name).map(([n, m]) => `export default function ${n}() { const c = ${m}(); c.${n}(); }`),
  fc.tuple(name, name).map(([n, m]) => `function use${n}(p: ${n}) { p.${m}(); ${m}(p.${n}); }`),
  fc.tuple(name, name).map(([n, t]) => `export type ${n} = ${t};`),
  fc.tuple(name, name).map(([n, t]) => `declare global { type ${n} = ${t}; }`),
);
/** Of Python: what is imported can be imported again. */
const python = fc.oneof(
  fc.tuple(other, name).map(([m, n]) => `from ${dotted(m)} import ${n}`),
  other.map((m) => `from ${dotted(m)} import *`),
  fc.tuple(name, name).map(([n, m]) => `def ${n}(a: ${m}) -> ${m}:\n    return a.${n}().${m}()`),
  fc
    .tuple(name, name, name)
    .map(([n, p, m]) => `class ${n}(${p}):\n    def ${m}(self) -> "${p}":\n        self.${m}()\n        return ${p}()`),
);
/** Of Java: packages, whose files see each other, implicit members, and paths without an import. */
const java = fc
  .tuple(
    fc.constantFrom('a', 'a.b'),
    name,
    name,
    name,
    fc.constantFrom('import a.*;', 'import a.b.*;', 'import a.Cart;', ''),
  )
  .map(
    ([pack, c, p, m, imported]) =>
      `package ${pack};\n${imported}\nclass ${c} extends ${p} { ${p} f; ${c} ${m}(${p} x) { ${m}(f); x.${m}(x).load(f); a.b.${p}.${m}(f); a.${c}.load(); return this; } }`,
  );
/** Of C: what headers declare is known wherever they are included. */
const c = fc.oneof(
  fc.constantFrom('#include "cart.h"', '#include "item.h"', '#include "lib/cart.h"'),
  name.map((n) => `int ${n}(int a);`),
  fc.tuple(name, name).map(([n, m]) => `int ${n}(int a) { return ${m}(a); }`),
);
/** Of Go: methods of a type stand anywhere in its package. */
const go = fc.oneof(
  fc.tuple(name, name).map(([n, m]) => `func (c *${n}) ${m}(o *${n}) *${n} { return o.${m}(c) }`),
  name.map((n) => `type ${n} struct { f *${n} }`),
  fc.tuple(name, name).map(([n, m]) => `func New${n}() *${n} { return New${m}() }`),
);
const rust = fc.oneof(
  fc.constantFrom('mod cart;', 'mod item;', 'use crate::cart::*;', 'use super::item::Item;'),
  fc
    .tuple(name, name)
    .map(([n, m]) => `struct ${n}; impl ${n} { fn ${m}(&self) -> Self { crate::cart::${m}(); self.${m}() } }`),
  fc.tuple(name, name).map(([n, m]) => `pub fn ${n}(c: ${m}) { c.${n}(); super::${m}(); }`),
);
/** Of Ruby: any file opens a module or class again, and gives it members, parents and mixins. */
const constant = fc.constantFrom('Cart', 'Item', 'Store');
const ruby = fc.oneof(
  fc
    .tuple(constant, constant, constant, name)
    .map(
      ([a, b, c, m]) => `module ${a}\n  class ${b} < ${c}\n    def ${m.toLowerCase()}; total; x.add; end\n  end\nend`,
    ),
  fc
    .tuple(constant, constant, constant)
    .map(([a, b, c]) => `class ${a}::${b}\n  include ${c}\n  def add; load; end\nend`),
  fc
    .tuple(constant, constant)
    .map(([a, b]) => `module ${a}\n  extend ${b}\n  def self.load; ${b}::Item.new.total; end\nend`),
  fc
    .tuple(constant, name)
    .map(
      ([a, m]) =>
        `class ${a}\n  %w[to ad].each { |k| define_method("#{k}d") { load! } }\n  aasm { event :${m.toLowerCase()} }\n  def x; total; load!; add!; todd; end\nend`,
    ),
  fc
    .tuple(constant, name)
    .map(
      ([a, m]) =>
        `module ${a}\n  included do\n    delegate :${m.toLowerCase()}, to: :item, prefix: true\n  end\n  class_methods do\n    def load; item_total; end\n  end\nend`,
    ),
);

const lines = (statement: fc.Arbitrary<string>, head = '') =>
  fc.array(statement, { maxLength: 5 }).map((all) => head + all.join('\n'));
const file = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(
      other.map((m) => `src/${m}.ts`),
      lines(script),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      other.map((m) => `py/${m.replace('index', '__init__')}.py`),
      lines(python),
    ),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('j/A.java', 'j/B.java', 'k/C.java'), java) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('c/cart.h', 'c/item.h', 'c/cart.c', 'c/lib/cart.h', 'c/main.c'), lines(c)),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('g/a.go', 'g/b.go', 'g/c/c.go'), lines(go, 'package g\n')) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('r/src/lib.rs', 'r/src/cart.rs', 'r/src/item.rs'), lines(rust)) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('rb/a.rb', 'rb/cart.rb', 'rb/cart/item.rb'), lines(ruby)) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constant('tsconfig.json'),
      fc.constantFrom(
        '{}',
        '{"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/*"]}}}',
        '{"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/lib/*"]}}}',
      ),
    ),
  },
);

type Edit = { kind: 'write'; file: [string, string] } | { kind: 'delete' | 'pad' | 'rename'; at: number };
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: file.map((written) => ({ kind: 'write' as const, file: written })) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('delete' as const, 'pad' as const, 'rename' as const), at: fc.nat() }),
  },
);

function relative(module: string): string {
  return `./${module}`;
}

function dotted(module: string): string {
  return `.${module === 'index' ? '' : module.replace('/', '.')}`;
}

function apply(project: Project, change: Edit): Project {
  const next = { ...project };
  if (change.kind === 'write') {
    next[change.file[0]] = change.file[1];
    return next;
  }
  const paths = Object.keys(project);
  if (paths.length === 0) return next;
  const path = paths[change.at % paths.length];
  const text = project[path];
  delete next[path];
  // Comments would need each language's own mark; blank lines move everything as well.
  if (change.kind === 'pad') next[path] = path.endsWith('.json') ? text : `\n\n${text}`;
  if (change.kind === 'rename') next[path.replace(/(\w+)\.(\w+)$/, '$1x.$2')] = text;
  return next;
}

test('linking with a previous snapshot gives the same graph as linking without', () => {
  fc.assert(
    fc.property(
      fc.array(file, { maxLength: 12 }),
      fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
      (files, commits) => {
        let project: Project = Object.fromEntries(files);
        let previous: LinkedSnapshot = link(project);
        for (const edits of commits) {
          project = edits.reduce(apply, project);
          const [again, anew] = [link(project, previous), link(project)];
          assert.deepEqual(again.tables, anew.tables);
          // What is remembered decides what is linked again next time.
          assert.deepEqual(again.memory, anew.memory);
          previous = again;
        }
      },
    ),
    { numRuns: Number(process.env.SOCRATICODE_TEST_RUNS ?? 150) },
  );
});

test('a change of a common name has no file linked again that asks a type of another file for that name', () => {
  const project = {
    'cart.ts': 'export class Cart { id = 1; name = ""; }',
    'store.ts': 'export class Store { id = 1; open() { return this; } }',
    'use.ts': `import { Cart } from './cart'; export function use(cart: Cart) { return cart.id + cart.total; }`,
  };
  const first = link(project);
  const { strings, lookupBase, lookupName } = first.memory as LinkMemory;
  const use = first.tables.files.findIndex(({ path }) => path === 'use.ts');
  const everywhere = [...lookupName.subarray(lookupBase[use], lookupBase[use + 1])].map((name) => strings[name]);
  assert.deepEqual(everywhere, []);
});

test('imports, parameters and packages of one file have no other file linked again that looks for definitions of their names', () => {
  const use = {
    'a/Use.java':
      'package a; class Use { void f() { new Order().sum(); java.util.List.of(); org.shop.Cart.total(); } }',
    'b/Other.java': 'package b; class Other { void g() {} }',
  };
  const linked = (project: Project) => {
    const first = link(use);
    return [...linkSteps(inputOf({ ...use, ...project }, first), first)].length;
  };
  const other = 'package b; import c.Order; import java.util.List; class Other { void g(Order Cart) {} }';
  assert.equal(linked({ 'b/Other.java': other }), 1);
  assert.equal(linked({ 'b/New.java': 'package org.util.other; class New {}' }), 1);
  assert.equal(linked({ 'b/New.java': 'package org.other.util; class New {}' }), 1);
  assert.equal(linked({ 'b/Order.java': 'package b; class Order {}' }), 2);
  assert.equal(linked({ 'b/New.java': 'package org.shop; class New {}' }), 2);
});

test('a path without an import is followed anew when a definition, a file or a package that it names comes', () => {
  const use = { 'u/U.java': 'package u; class U { void f() { a.b.Cart.total(); } }' };
  const cart = 'class Cart { static void total() {} }';
  const others: [before: Project, after: Project][] = [
    [{ 'x/Shop.java': 'package a.b; class Shop {}' }, { 'x/Shop.java': `package a.b; class Shop {} ${cart}` }],
    [
      { 'x/Shop.java': 'package a.b; class Shop {}' },
      { 'x/Shop.java': 'package a.b; class Shop {}', 'x/Cart.java': `package a.b; ${cart}` },
    ],
    [{ 'x/Shop.java': `package a.c; ${cart}` }, { 'x/Shop.java': `package a.b; ${cart}` }],
    [{ 'x/Shop.java': `package c.b; ${cart}` }, { 'x/Shop.java': `package a.b; ${cart}` }],
  ];
  for (const [before, after] of others) {
    const linked = link({ ...use, ...after }, link({ ...use, ...before }));
    assert.deepEqual(linked.tables, link({ ...use, ...after }).tables);
    assert.ok(
      linked.tables.edgeTo.some((node) => node >= 0 && linked.tables.strings[linked.tables.nodeName[node]] === 'total'),
    );
    assert.deepEqual(link({ ...use, ...before }, linked).tables, link({ ...use, ...before }).tables);
  }
});

test('what files share about a type is found anew for each of them when its parents, parts or includes change', () => {
  const users = (name: string, text: string): Project => ({ [`one${name}`]: text, [`two${name}`]: text });
  const changes: [kept: Project, before: Project, after: Project][] = [
    [
      {
        ...users('.ts', `import { Cart } from './cart'; export function use(cart: Cart) { return cart.total(); }`),
        'base.ts': 'export class Base { total() { return 1; } }',
        'other.ts': 'export class Base { total() { return 2; } }',
      },
      { 'cart.ts': `import { Base } from './base'; export class Cart extends Base {}` },
      { 'cart.ts': `import { Base } from './other'; export class Cart extends Base {}` },
    ],
    [
      {
        ...users('.rb', 'class Use\n  def use(cart)\n    Shop::Cart.new.total\n  end\nend\n'),
        'cart.rb': 'module Shop\n  class Cart\n  end\nend\n',
      },
      { 'more.rb': 'class Shop::Cart\n  def total = 1\nend\n' },
      { 'more.rb': 'class Store::Cart\n  def total = 1\nend\n' },
    ],
    [
      { ...users('.c', '#include "cart.h"\nint use(void) { return total(1); }\n'), 'total.h': 'int total(int a);\n' },
      { 'cart.h': '#include "total.h"\n' },
      { 'cart.h': 'int other(int a);\n' },
    ],
  ];
  for (const [kept, before, after] of changes) {
    const [first, second] = [link({ ...kept, ...before }), link({ ...kept, ...after })];
    assert.notDeepEqual([...first.tables.edgeTo], [...second.tables.edgeTo]);
    assert.deepEqual(link({ ...kept, ...after }, first).tables, second.tables);
    assert.deepEqual(link({ ...kept, ...before }, second).tables, first.tables);
  }
});

test('files that import a name are linked anew when its file exports another of its definitions under that name', () => {
  const project = (local: string): Project => ({
    'cart.ts': `export function one() {}\nexport function two() {}\nexport { ${local} as total };\n`,
    'use.ts': `import { total } from './cart'; export function use() { total(); }`,
  });
  const [one, two] = [link(project('one')), link(project('two'))];
  assert.notDeepEqual([...one.tables.edgeTo], [...two.tables.edgeTo]);
  assert.deepEqual(link(project('two'), one).tables, two.tables);
  assert.deepEqual(link(project('one'), two).tables, one.tables);
});

test('files that a framework gives names are linked anew when the repository uses it no more, or has another schema', () => {
  const project: Project = {
    'lib/cart.rb': 'class Cart\n  def save!\n  end\nend\n',
    'lib/use.rb': 'class Use\n  def use(thing)\n    thing.save!\n  end\nend\n',
  };
  const application = { ...project, 'config/application.rb': 'require "rails"\n' };
  const [plain, rails] = [link(project), link(application)];
  assert.notDeepEqual([...rails.tables.edgeTo], [...plain.tables.edgeTo]);
  assert.deepEqual(link(application, plain).tables, rails.tables);
  assert.deepEqual(link(project, rails).tables, plain.tables);
  const schema = (column: string): Project => ({
    ...application,
    'lib/cart.rb': 'class Cart\n  def fresh_total\n  end\nend\n',
    'lib/use.rb': 'class Use\n  def use(row)\n    row.fresh_total\n  end\nend\n',
    'db/schema.rb': `create_table "carts" do |t|\n  t.integer "${column}"\nend\n`,
  });
  const [other, same] = [link(schema('other')), link(schema('fresh_total'))];
  assert.deepEqual(link(schema('fresh_total'), other).tables, same.tables);
  assert.deepEqual(link(schema('other'), same).tables, other.tables);
  const edges = (snapshot: LinkedSnapshot) => snapshot.tables.edgeTo.filter((node) => node >= 0).length;
  assert.notEqual(edges(other), edges(same));
});

test('facts give the same graph as bytes, of which references are read again, and as objects', () => {
  const project = {
    'cart.ts':
      'export class Cart extends Base { total() { return this.load(); } load() { return this; } }\nclass Base {}',
    'shop.ts': "import { Cart } from './cart';\nexport const open = (cart: Cart) => cart.load().total();",
    'view.py': 'class View:\n    def show(self):\n        return self.draw()\n\n    def draw(self):\n        pass\n',
  };
  assert.deepEqual(linkSnapshot(inputOf(project, null, encodeLinkFacts), null), link(project));
});
