/** Variants of one symbol are asked for together: files for other systems, conditional definitions, overloads. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answerImpact } from '../../../src/questions/graph/impact/answer.js';
import type { ImpactValues } from '../../../src/questions/graph/impact/question.js';
import { answerUnused } from '../../../src/questions/graph/unused/answer.js';
import { Session } from '../../../src/session/session.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

async function open(t: TestContext, files: Record<string, string>): Promise<{ repo: TestRepo; session: Session }> {
  const repo = createRepo();
  repo.commit(files);
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  return { repo, session };
}

/** `SYMBOL` of the direct users of a target, and how many definitions it has. */
async function usersOf(session: Session, target: string): Promise<[number, string[]]> {
  const found = await answerImpact(askerOf(session), { target, depth: 1, minConfidence: 0 } as ImpactValues);
  assert.ok('hops' in found);
  const users = found.hops.flatMap(({ affected }) => affected.map(({ symbol, path }) => symbol ?? path));
  return [found.definitions.length, users.sort()];
}

async function unusedIn(session: Session): Promise<(string | null)[]> {
  const found = await answerUnused(askerOf(session), {});
  assert.ok('unused' in found);
  return found.unused.list.map(({ symbol }) => symbol);
}

test('go: a function of several files for several systems is one, whichever line is asked; none of them is unused', async (t) => {
  const { session } = await open(t, {
    'go.mod': 'module example.com/p\n',
    'lock.go': 'package p\n\nfunc Open() int { return flock() }\n\nfunc init() {}\n',
    'lock_unix.go': '//go:build unix\n\npackage p\n\nfunc flock() int { return 1 }\n\nfunc init() {}\n',
    'lock_windows.go': 'package p\n\nfunc flock() int { return 2 }\n\nfunc lonely() int { return 3 }\n',
  });
  for (const target of ['flock', 'lock_unix.go:5', 'lock_windows.go:3'])
    assert.deepEqual(await usersOf(session, target), [2, ['Open']], target);
  assert.deepEqual(await unusedIn(session), ['lonely']);
});

test('rust, c: definitions that a condition chooses between are one', async (t) => {
  const { session } = await open(t, {
    'src/lib.rs':
      '#[cfg(unix)]\nfn lock() -> i32 { 1 }\n\n#[cfg(windows)]\nfn lock() -> i32 { 2 }\n\npub fn open() -> i32 { lock() }\n',
    'Cargo.toml': '[package]\nname = "p"\n',
    'port.c':
      '#ifdef _WIN32\nstatic int flush(void) { return 1; }\n#else\nstatic int flush(void) { return 2; }\n#endif\nint save(void) { return flush(); }\n',
    'log.c':
      '#if DEBUG\n#define LOG(x) print(x)\n#define LEVEL 1\n#else\n#define LOG(x)\n#define LEVEL 0\n#endif\nint add(void) { LOG(1); return LEVEL; }\n',
  });
  for (const line of [2, 3, 5, 6]) assert.deepEqual(await usersOf(session, `log.c:${line}`), [2, ['add']], `${line}`);
  for (const line of [2, 5]) assert.deepEqual(await usersOf(session, `src/lib.rs:${line}`), [2, ['open']]);
  for (const line of [2, 4]) assert.deepEqual(await usersOf(session, `port.c:${line}`), [2, ['save']]);
  assert.deepEqual(await unusedIn(session), []);
});

test('c#: a namespace without braces is part of names, so that classes of one name in two of them are two', async (t) => {
  const { session } = await open(t, {
    'Shop.cs':
      'namespace Shop.Web;\nclass Cart { public int Total() => 1; }\nclass Till { int Run(Cart c) => c.Total(); }\n',
    'Old.cs':
      'namespace Old\n{\n  class Cart { public int Total() => 2; }\n  class Till { int Go(Cart c) => c.Total(); }\n}\n',
    'More.cs': 'namespace Shop.Web\n{\n  class Part { int Ask(Cart c) => c.Total(); }\n}\n',
  });
  assert.deepEqual(await usersOf(session, 'Shop.Web.Cart.Total'), [1, ['Shop.Web.Part.Ask', 'Shop.Web.Till.Run']]);
  assert.deepEqual(await usersOf(session, 'Old.Cart.Total'), [1, ['Old.Till.Go']]);
});

test('members of two types that are defined outside of them, and extensions of two types, are no variants', async (t) => {
  const { session } = await open(t, {
    'shop.hpp': 'class A {\npublic:\n  int run();\n};\nclass B {\npublic:\n  int run();\n};\n',
    'shop.cpp':
      '#include "shop.hpp"\nint A::run() { return 1; }\nint B::run() { return 2; }\nint use(A &a) { return a.run(); }\n',
    'x.kt': 'class C\nclass D\nfun C.run() = 1\nfun D.run() = 2\nfun use(c: C) = c.run()\n',
  });
  for (const [line, users] of [
    [2, ['use']],
    [3, []],
  ] as const)
    assert.deepEqual(await usersOf(session, `shop.cpp:${line}`), [2, users], `shop.cpp:${line}`);
  for (const [line, users] of [
    [3, ['use']],
    [4, []],
  ] as const)
    assert.deepEqual(await usersOf(session, `x.kt:${line}`), [1, users], `x.kt:${line}`);
});

test('methods of one name of two types in other files are no variants, nor are functions in other folders', async (t) => {
  const { session } = await open(t, {
    'go.mod': 'module example.com/p\n',
    'types.go': 'package p\n\ntype A struct{}\ntype B struct{}\ntype C struct{}\n',
    'a.go': 'package p\n\nfunc (A) Name() string { return "a" }\n\nfunc UseA(a A) string { return a.Name() }\n',
    'b.go':
      'package p\n\nfunc (B) Name() string { return "b" }\n\nfunc help() {}\n\nfunc (C) Name() string { return "c" }\n',
    'q/c.go': 'package q\n\nfunc help() {}\n\nfunc Use() { help() }\n',
  });
  assert.deepEqual(await usersOf(session, 'b.go:3'), [1, []]);
  assert.deepEqual(await usersOf(session, 'b.go:5'), [1, []]);
  assert.deepEqual(await usersOf(session, 'q/c.go:3'), [1, ['Use']]);
});

test('c++: a member that its class declares and another file defines is one symbol, by its name and by both lines', async (t) => {
  const { session } = await open(t, {
    'src/met.hpp':
      '#pragma once\nnamespace shop {\nclass Metrics {\npublic:\n  Metrics();\n  ~Metrics();\n  void write(int a);\n  void write(const char *s);\n};\n}\n',
    'src/met.cpp':
      '#include "met.hpp"\nnamespace shop {\nMetrics::Metrics() {}\nMetrics::~Metrics() {}\nvoid Metrics::write(int a) {}\nvoid Metrics::write(const char *s) {}\n}\n',
    'src/app.cpp':
      '#include "met.hpp"\nvoid run(shop::Metrics &m) { m.write("x"); }\nvoid add(shop::Metrics &m) { m.write(1); }\n',
  });
  for (const target of ['Metrics.write', 'Metrics::write'])
    assert.deepEqual(await usersOf(session, target), [4, ['add', 'run']], target);
  for (const target of ['met.hpp:8', 'met.cpp:6'])
    assert.deepEqual(await usersOf(session, target), [2, ['run']], target);
  for (const target of ['met.hpp:7', 'met.cpp:5'])
    assert.deepEqual(await usersOf(session, target), [2, ['add']], target);
  const { session: tests } = await open(t, {
    'cart.hpp': 'class CartTest {\npublic:\n  int size();\n};\n',
    'check.cpp': '#include "cart.hpp"\nTEST_F(CartTest, adds) { size(); }\n',
  });
  assert.deepEqual(await usersOf(tests, 'CartTest.size'), [1, ['adds']]);
});

test('go: methods in other files than their type have its name, and variants of one are one', async (t) => {
  const { session } = await open(t, {
    'go.mod': 'module example.com/p\n',
    'cart.go': 'package p\n\ntype Cart struct{ n int }\n\ntype Bag struct{}\n',
    'sum.go': 'package p\n\nfunc (c *Cart) Sum() int { return c.n }\n\nfunc (b Bag) Sum() int { return 2 }\n',
    'open_unix.go': 'package p\n\nfunc (c *Cart) open() int { return 1 }\n',
    'open_windows.go': 'package p\n\nfunc (c *Cart) open() int { return 2 }\n',
    'use.go': 'package p\n\nfunc Use(c *Cart) int { return c.Sum() + c.open() }\n',
  });
  for (const target of ['Cart.Sum', 'sum.go:3']) assert.deepEqual(await usersOf(session, target), [1, ['Use']], target);
  assert.deepEqual(await usersOf(session, 'Bag.Sum'), [1, []]);
  for (const target of ['Cart.open', 'open_unix.go:3', 'open_windows.go:3'])
    assert.deepEqual(await usersOf(session, target), [2, ['Use']], target);
});

test('c: a function that a header declares and other files define is one symbol, but not what is static or of a test', async (t) => {
  const { session } = await open(t, {
    'src/port.h': '#ifndef PORT_H\n#define PORT_H\nint port_open(int fd);\nint port_close(int fd);\n#endif\n',
    'src/port_unix.c': '#include "port.h"\nint port_open(int fd) { return fd; }\n',
    'src/port_win.c': '#include "port.h"\nint port_open(int fd) { return -fd; }\n',
    'src/other.c':
      '#include "port.h"\nstatic int port_close(int fd) { return fd; }\nint shut(void) { return port_close(1); }\n',
    'src/main.c': '#include "port.h"\nint run(void) { return port_open(1); }\n',
    'tests/test_port.c': '#include "../src/port.h"\nint port_open(int fd) { return 0; }\n',
  });
  for (const target of ['port.h:3', 'port_unix.c:2', 'port_win.c:2'])
    assert.deepEqual(await usersOf(session, target), [3, ['run']], target);
  assert.deepEqual(await usersOf(session, 'port.h:4'), [1, []]);
});

test('c: a header that others include through one header for all declares what they define', async (t) => {
  const { session } = await open(t, {
    'src/all.h': '#include "config.h"\n#include "pool.h"\n',
    'src/config.h': '#include "all.h"\n',
    'src/pool.h': 'void pool_clean(void *data);\nvoid pool_drop(void *data);\nextern int pool_size;\n',
    'src/pool.c':
      '#include "all.h"\nvoid pool_clean(void *data) { }\nvoid pool_use(void) { pool_clean(0); }\nint pool_size = 4;\n',
    'src/hook.c':
      '#include "all.h"\nvoid hook(struct task *t) { t->handler = pool_clean; }\nint room(void) { return pool_size; }\n',
    'src/alone.c': 'void pool_drop(void *data) { }\nvoid let_go(void) { pool_drop(0); }\n',
  });
  for (const target of ['pool.h:1', 'pool.c:2', 'pool_clean'])
    assert.deepEqual(await usersOf(session, target), [2, ['hook', 'pool_use']], target);
  for (const target of ['pool.h:3', 'pool.c:4', 'pool_size'])
    assert.deepEqual(await usersOf(session, target), [2, ['room']], target);
  assert.deepEqual(await usersOf(session, 'alone.c:1'), [1, ['let_go']]);
});

test('python, ruby: definitions of one name in one file are one, whichever ran', async (t) => {
  const { session } = await open(t, {
    'compat.py':
      'import sys\n\nif sys.version_info < (3,):\n    def as_text(x):\n        return x\nelse:\n    def as_text(x):\n        return str(x)\n',
    'app.py': 'from compat import as_text\n\ndef run():\n    as_text(1)\n',
    'page.rb': 'class Page\n  def self.render\n    new.render\n  end\n\n  def render\n  end\nend\n',
    'site.rb': 'class Site\n  def show\n    Page.render\n  end\nend\n',
    'menu.rb':
      'class Menu\n  class << self\n    attr_reader :colour\n  end\n  attr_writer :colour\n  attr_reader :colour\n  def draw\n    colour\n  end\nend\n',
  });
  assert.deepEqual(await usersOf(session, 'compat.py:4'), [2, ['run']]);
  assert.deepEqual(await usersOf(session, 'compat.py:7'), [2, ['run']]);
  const [, users] = await usersOf(session, 'page.rb:6');
  assert.ok(users.includes('Site.show'));
  // A reader and a writer are one attribute.
  for (const line of [3, 5, 6]) assert.deepEqual((await usersOf(session, `menu.rb:${line}`))[1], ['Menu.draw']);
});

test('ruby: a class that several files open is one, however they write its name; another one of that name is not', async (t) => {
  const { session } = await open(t, {
    'lib/cart.rb': 'module Shop\n  class Cart\n    def total; 1; end\n  end\nend\n',
    'lib/more.rb': 'class Shop::Cart\n  def count; 2; end\nend\n',
    'lib/other.rb': 'module Web\n  class Cart\n  end\nend\n',
    'lib/till.rb': 'class Till\n  def open; Shop::Cart.new; end\n  def shut; Web::Cart.new; end\nend\n',
  });
  for (const target of ['Shop::Cart', 'lib/cart.rb:2', 'lib/more.rb:1'])
    assert.deepEqual(await usersOf(session, target), [2, ['Till.open']], target);
  assert.deepEqual(await usersOf(session, 'lib/other.rb:2'), [1, ['Till.shut']]);
});

test('kotlin: what source sets for several systems define is one', async (t) => {
  const { session } = await open(t, {
    'src/commonMain/kotlin/shop/Point.kt': 'package shop\n\ninternal expect fun width(of: Int): Int\n',
    'src/jvmMain/kotlin/shop/Point.jvm.kt': 'package shop\n\ninternal actual fun width(of: Int): Int = 1\n',
    'src/jsMain/kotlin/shop/Point.js.kt':
      'package shop\n\ninternal actual fun width(of: Int): Int = 2\n\ninternal fun lonely(): Int = 3\n',
    'src/commonMain/kotlin/shop/Main.kt': 'package shop\n\nfun main() { println(width(1)) }\n',
  });
  for (const target of ['src/jsMain/kotlin/shop/Point.js.kt:3', 'src/commonMain/kotlin/shop/Point.kt:3'])
    assert.deepEqual(await usersOf(session, target), [3, ['main']], target);
  assert.deepEqual(await unusedIn(session), ['lonely']);
});

test('a line that has a whole type means the type, not what stands in it', async (t) => {
  const { session } = await open(t, {
    'go.mod': 'module example.com/p\n',
    'p.go': 'package p\n\ntype pair struct{ n int }\n\nfunc Make() int { return pair{n: 1}.n }\n',
    'p.ts': 'export enum Size { Small, Large }\nexport function size(): Size {\n  return Size.Small;\n}\n',
  });
  assert.deepEqual(
    [await usersOf(session, 'p.go:3'), await usersOf(session, 'p.ts:1')],
    [
      [1, ['Make']],
      [1, ['size']],
    ],
  );
});
