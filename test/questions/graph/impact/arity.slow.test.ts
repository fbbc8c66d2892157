/** Calls that do not fit changed parameters, in languages where blocks, labels and defaults make counting delicate. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, mismatchesIn } from '../../../support/in-process/changes.js';
import type { Files } from '../../../support/repositories/repo.js';

/** What is told of the calls when one text of a file is replaced by another. */
async function after(files: Files, path: string, from: string, to: string): Promise<string[]> {
  const text = files[path] as string;
  assert.ok(text.includes(from), from);
  return mismatchesIn(await changed(files, { [path]: text.replace(from, to) }));
}

test('C: calls of a function whose definition takes more now; calls of macros and of what stays are fine', async () => {
  const files = {
    'cart.h': 'int total(int a);\nint fixed(int a);\n',
    'cart.c': '#include "cart.h"\n\nint total(int a) { return a; }\nint fixed(int a) { return a; }\n',
    'main.c': '#include "cart.h"\n\nint main(void) {\n  return total(1) + fixed(2);\n}\n',
  };
  assert.deepEqual(await after(files, 'cart.c', 'total(int a)', 'total(int a, int b)'), ['main.c:4 total too-few']);
  assert.deepEqual(await after(files, 'cart.c', 'total(int a)', 'total(int a, ...)'), []);
});

const RUBY = {
  'cart.rb': `def total(a, b = 2)
  a + b
end

def plain(a)
  a
end
`,
  'app.rb': `require_relative 'cart'

def run(all)
  total(1)
  plain(1)
  plain(*all)
  plain(by: 1, at: 2)
  plain(:by => 1)
end
`,
};

test('Ruby: too few and too many arguments; spread lists and hashes without braces are not counted', async () => {
  assert.deepEqual(await after(RUBY, 'cart.rb', 'total(a, b = 2)', 'total(a, b)'), ['app.rb:4 total too-few']);
  assert.deepEqual(await after(RUBY, 'cart.rb', 'plain(a)', 'plain'), ['app.rb:5 plain too-many']);
  assert.deepEqual(await after(RUBY, 'cart.rb', 'plain(a)', 'plain(a, by: 1)'), []);
});

const KOTLIN = {
  'src/Cart.kt': `package shop

open class Cart {
    open fun add(item: Int, times: Int = 1): Int = item * times
    fun each(first: Int, then: (Int) -> Unit) { then(first) }
}

class Open : Cart() {
    override fun add(item: Int, times: Int): Int = item
}

fun total(cart: Cart, rate: Int = 1): Int = cart.add(rate)
`,
  'src/App.kt': `package shop

fun main() {
    val cart = Cart()
    cart.add(1)
    cart.add(1, times = 2)
    Open().add(3)
    cart.each(1) { it + 1 }
    total(cart)
}
`,
};

test('Kotlin: defaults that are gone and names that are; overriding functions and trailing lambdas are not judged', async () => {
  const rate = await after(KOTLIN, 'src/Cart.kt', 'rate: Int = 1', 'rate: Int');
  assert.deepEqual(rate, ['src/App.kt:9 total too-few']);
  const renamed = await after(
    KOTLIN,
    'src/Cart.kt',
    'times: Int = 1): Int = item * times',
    'count: Int = 1): Int = item * count',
  );
  assert.deepEqual(renamed, ['src/App.kt:6 cart.add keyword']);
  assert.deepEqual(
    await after(
      KOTLIN,
      'src/Cart.kt',
      'override fun add(item: Int, times: Int)',
      'override fun add(item: Int, times: Int, x: Int)',
    ),
    [],
  );
  assert.deepEqual(await after(KOTLIN, 'src/Cart.kt', 'first: Int, then', 'first: Int, second: Int, then'), []);
});

const SWIFT = {
  'Sources/Shop/Cart.swift': `struct Cart {
    func add(_ item: Int, to shelf: Int = 1) -> Int { return item + shelf }
    func each(_ first: Int, then: () -> Void) { then() }
    func over(_ first: Int) { }
}
`,
  'Sources/Shop/App.swift': `func run(cart: Cart) {
    _ = cart.add(1)
    _ = cart.add(1, to: 2)
    cart.each(1) { print(2) }
    cart.over(1)
}
`,
};

test('Swift: defaults and labels that are gone; trailing closures are not judged', async () => {
  const path = 'Sources/Shop/Cart.swift';
  assert.deepEqual(await after(SWIFT, path, 'shelf: Int = 1', 'shelf: Int'), [
    'Sources/Shop/App.swift:2 cart.add too-few',
  ]);
  assert.deepEqual(await after(SWIFT, path, 'to shelf', 'into shelf'), ['Sources/Shop/App.swift:3 cart.add keyword']);
  assert.deepEqual(await after(SWIFT, path, '_ first: Int, then', '_ first: Int, _ second: Int, then'), []);
  assert.deepEqual(await after(SWIFT, path, 'over(_ first: Int)', 'over(_ first: Int, _ then: Handler)'), [
    'Sources/Shop/App.swift:5 cart.over too-few',
  ]);
});

test('a static function that is called through its type is judged; a method that is given its instance is not', async () => {
  const java = {
    'Sets.java': 'package p;\n\npublic class Sets {\n  public static int made() {\n    return 1;\n  }\n}\n',
    'Cart.java': 'package p;\n\nclass Cart {\n  int one() {\n    return Sets.made();\n  }\n}\n',
  };
  assert.deepEqual(await after(java, 'Sets.java', 'made()', 'made(int size)'), ['Cart.java:5 Sets.made too-few']);
  const python = {
    'sets.py': 'class Sets:\n    def made(self, a):\n        return a\n',
    'cart.py': 'from sets import Sets\n\n\ndef one(sets):\n    return Sets.made(sets, 1)\n',
  };
  assert.deepEqual(await after(python, 'sets.py', 'self, a', 'self, a, b'), []);
});
