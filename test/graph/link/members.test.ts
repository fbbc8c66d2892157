import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, edgeLines, graphOf, memberUses, type Project } from './project.js';

const edges = (project: Project, part: string) => edgeLines(graphOf(project)).filter((line) => line.includes(part));

test('C++: fields without a receiver in methods that stand outside of their class, and in initializers', () => {
  const found = edges(
    {
      'merger.h': `namespace db {
class Merger {
 public:
  Merger(int n) : size_(n), item{n} {}
  ~Merger();
 private:
  void Advance();
  int size_;
  Item item;
};
}
`,
      'merger.cc': `#include "merger.h"
namespace db {
Merger::~Merger() { size_ = 0; }
void Merger::Advance() { if (size_ > 0) size_--; }
void other(int size) { int size_two = size; }
}
`,
    },
    'Merger.size_',
  );
  assert.deepEqual(found, [
    'merger.cc:db.Merger.~Merger write merger.h:db.Merger.size_ (package)',
    'merger.cc:db.Merger.Advance read merger.h:db.Merger.size_ (package)',
    'merger.cc:db.Merger.Advance write merger.h:db.Merger.size_ (package)',
    'merger.h:db.Merger.Merger write merger.h:db.Merger.size_ (receiver)',
  ]);
});

test('C++: an initializer is no call, and that of a parent is one of its constructor', () => {
  const found = edges(
    {
      'a.cc': 'struct Base { Base(int n); };\nstruct Cart : Base { Cart(int n) : Base(n), total(n) {} int total; };\n',
    },
    'Cart.Cart ',
  );
  assert.deepEqual(found, [
    'a.cc:Cart.Cart new a.cc:Base (same-file)',
    'a.cc:Cart.Cart write a.cc:Cart.total (receiver)',
  ]);
});

test('a name in a template is no key of the literal around it', () => {
  const found = edges(
    {
      'a.ts': `export interface Cart { name: string; label: string }
export function label(name: string): Cart {
  return {
    name,
    label: \`\${name}, \${name}\`,
  };
}
`,
    },
    'Cart.name',
  );
  assert.deepEqual(found, ['a.ts:label write a.ts:Cart.name (receiver)']);
});

test('a member whose name is a constant in brackets has the type that it is declared with', () => {
  const project = {
    'a.ts': `const STATE_KEY = Symbol();
interface State { base: string }
export class Draft {
  [STATE_KEY]: State;
  constructor() { this[STATE_KEY] = { base: 'a' }; }
  size() { return this[STATE_KEY].base; }
}
const LAST_AT = 1;
export const last = (list: State[], named: Record<string, State>) => list[LAST_AT].base + named[LAST_AT].base;
`,
  };
  assert.deepEqual(edges(project, 'State.base'), [
    'a.ts:Draft.constructor write a.ts:State.base (receiver)',
    'a.ts:Draft.size read a.ts:State.base (receiver)',
    'a.ts:last read a.ts:State.base (receiver)',
    'a.ts:last read a.ts:State.base (receiver)',
  ]);
});

test('members that a repository adds to the window', () => {
  const project = {
    'app.ts': `export class App { open() {} }
declare global { interface Window { shop: { app: InstanceType<typeof App> }; ready: boolean } }
`,
    'a.test.ts': `const { shop } = window;
shop.app.open();
window.shop.app.open();
window.ready = true;
window.addEventListener('load', () => {});
`,
  };
  assert.deepEqual(
    edges(project, 'a.test.ts').filter((line) => !line.includes('import')),
    [
      'a.test.ts read app.ts:Window.shop (receiver)',
      'a.test.ts call app.ts:App.open (receiver)',
      'a.test.ts read app.ts:Window.shop (receiver)',
      'a.test.ts call app.ts:App.open (receiver)',
      'a.test.ts write app.ts:Window.ready (receiver)',
      'a.test.ts call ?addEventListener (external)',
    ],
  );
});

test('what a file of declarations gives counts in its package, and where a configuration names it', () => {
  const made = 'export const made = new Reply();\n';
  const project = {
    'package.json': '{}',
    'tsconfig.json': '{}',
    'root.ts': made,
    'web/package.json': '{}',
    'web/types.d.ts': `/* Made by a tool.
Copyright (c) of somebody
*/
declare class Reply { status: number }
interface State { kind:
"open"
| "closed" }
`,
    'web/a.ts': made,
    'api/package.json': '{}',
    'api/tsconfig.json': '{}',
    'api/a.ts': made,
    'app/package.json': '{}',
    'app/tsconfig.json': '{ "include": ["src/**/*", "../web/*.d.ts"] }',
    'app/src/a.ts': made,
  };
  assert.deepEqual(edges(project, ' new '), [
    'api/a.ts:made new ?Reply (external)',
    'app/src/a.ts:made new web/types.d.ts:Reply (package)',
    'root.ts:made new web/types.d.ts:Reply (package)',
    'web/a.ts:made new web/types.d.ts:Reply (package)',
  ]);
});

test('Ruby: methods of ClassMethods in an included module are those of the class', () => {
  const found = edges(
    {
      'sorted.rb': `module Sorted
  def self.included(base)
    base.extend(ClassMethods)
  end

  module ClassMethods
    def sorted_by(name); end
  end
end
`,
      'cart.rb': 'require_relative "sorted"\nclass Cart\n  include Sorted\n  sorted_by :code\nend\n',
    },
    'sorted_by',
  );
  assert.deepEqual(found, ['cart.rb:Cart call sorted.rb:Sorted.ClassMethods.sorted_by (inherited)']);
});

test('C: members of a structure that has a name of its own within its typedef', () => {
  const found = edges(
    {
      'cart.h': `typedef struct cart {
  struct cart *next;
  int total;
} cart;
typedef struct basket_s { int size; } basket;
`,
      'cart.c': `#include "cart.h"
int sum(cart *first, basket *all) { return first->total + first->next->total + all->size; }
`,
    },
    'sum read',
  );
  assert.deepEqual(found, [
    'cart.c:sum read cart.h:cart.cart.total (receiver)',
    'cart.c:sum read cart.h:cart.cart.next (receiver)',
    'cart.c:sum read cart.h:cart.cart.total (receiver)',
    'cart.c:sum read cart.h:basket.basket_s.size (receiver)',
  ]);
});

test('names that the namespace of a whole export lists can be imported', () => {
  const project = {
    'reply.d.ts': 'export interface Reply { status: number }\nexport interface Other { status: number }\n',
    'shop.d.ts': `import { Reply, Other } from './reply.js'
declare namespace shop {
  export type {
    Reply, // './reply'
    Other as Second
  }
  export function open(): Reply
}
declare function shop(): void
export = shop
`,
    'use.ts':
      "import shop, { Reply, Second } from './shop.js'\nexport const read = (reply: Reply, second: Second) => reply.status\n",
  };
  assert.deepEqual(edges(project, 'use.ts:read '), [
    'use.ts:read type reply.d.ts:Reply (reexported)',
    'use.ts:read type reply.d.ts:Other (reexported)',
    'use.ts:read read reply.d.ts:Reply.status (receiver)',
  ]);
});

test('a container from outside gives an instance of the class which it is asked for', () => {
  const project = {
    'seeds.ts': 'export class Seeds { run() {} url() {} }',
    'other.ts': 'export class Seeds { run() {} }',
    'main.ts': `import { NestFactory } from '@nestjs/core';
import { inject } from '@angular/core';
import axios from 'axios';
import { Seeds } from './seeds';
class Page {
  private readonly seeds = inject(Seeds);
  open() {
    this.seeds.run();
  }
}
async function start(container) {
  const app = await NestFactory.create(Page);
  await app.get(Seeds).run();
  const kept = app.get(Seeds);
  kept.url();
  container.resolve<Seeds>(Seeds).run();
}
async function fetched() {
  (await axios.get<Seeds>('/seeds')).run();
  axios.wrap(Seeds).run();
}`,
  };
  assert.deepEqual(
    calls(project).filter((line) => /seeds\.ts:Seeds\.|other\.ts/.test(line)),
    [
      'main.ts:Page.open -> seeds.ts:Seeds.run (receiver)',
      'main.ts:start -> seeds.ts:Seeds.run (receiver)',
      'main.ts:start -> seeds.ts:Seeds.url (receiver)',
      'main.ts:start -> seeds.ts:Seeds.run (receiver)',
    ],
  );
});

test('php: a trait gives the method that an interface of the class declares', () => {
  const graph = graphOf({
    'a.php':
      '<?php\ninterface Formats { public function format(); }\ntrait Formatting { public function format() {} }\n' +
      'class Base implements Formats {\n    use Formatting;\n    public function a() { $this->format(); }\n}\n' +
      'class Own extends Base {\n    public function b() { $this->format(); }\n}\n',
  });
  assert.deepEqual(
    memberUses(graph, 'a.php').filter((use) => use.endsWith('.format')),
    ['6 Formatting.format', '9 Formatting.format'],
  );
});

test('php: a type is named from the namespace of the file, unless it begins with a backslash or an import', () => {
  const gate = (namespace: string) =>
    `<?php\nnamespace ${namespace};\nclass Gate {\n  public function allows() {}\n}\n`;
  const user = (written: string, imports = '') =>
    `<?php\nnamespace Shop\\User;\n${imports}\nclass User {\n  protected static ${written} $gate;\n` +
    `  public function can(${written} $other) {\n    static::$gate->allows();\n    $other->allows();\n` +
    `    (new ${written}())->allows();\n  }\n}\n`;
  const own = { 'own/Gate.php': gate('Shop\\User\\Access') };
  const top = { 'top/Gate.php': gate('Access') };
  const uses = (text: string, files: Project) =>
    calls({ ...files, 'src/User.php': text }).filter((call) => call.includes('allows'));
  const three = (file: string) => Array(3).fill(`src/User.php:User.can -> ${file}:Gate.allows (receiver)`);
  assert.deepEqual(uses(user('Access\\Gate'), own), three('own/Gate.php'));
  assert.deepEqual(uses(user('namespace\\Access\\Gate'), { ...own, ...top }), three('own/Gate.php'));
  assert.deepEqual(uses(user('\\Access\\Gate'), { ...own, ...top }), three('top/Gate.php'));
  assert.deepEqual(uses(user('Access\\Gate', 'use Access;'), { ...own, ...top }), three('top/Gate.php'));
});

test('TypeScript: an interface and a class of one name are one type, whichever stands first', () => {
  const face = 'export interface Shop {\n  on(event: string): this;\n}\n';
  const type = 'export class Shop extends Base {\n  opens(): boolean {\n    return true;\n  }\n}\n';
  const use =
    "import type { Shop } from './shop';\nexport function run(shop: Shop) {\n  shop.opens();\n  shop.on('x');\n}\n";
  for (const text of [face + type, type + face])
    assert.deepEqual(calls({ 'shop.ts': text, 'use.ts': use }), [
      'use.ts:run -> shop.ts:Shop.opens (receiver)',
      'use.ts:run -> shop.ts:Shop.on (receiver)',
    ]);
});
