/** What is read out of a task: sentences, issues, traces of several languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTask } from '../../../src/questions/pack/answer.js';

const places = (text: string) => readTask(text).places.map(({ path, line }) => `${path}:${line}`);

test('places of traces: JavaScript, Python, Go, Rust, Java, C#, PHP; nothing twice', () => {
  assert.deepEqual(places('at total (/home/ci/app/src/cart.ts:12:5)\n  at file:///home/ci/app/src/main.js:3:1'), [
    '/home/ci/app/src/cart.ts:12',
    '/home/ci/app/src/main.js:3',
  ]);
  assert.deepEqual(places('  File "/app/shop/cart.py", line 7, in total\n  File "/app/shop/cart.py", line 7'), [
    '/app/shop/cart.py:7',
  ]);
  assert.deepEqual(places('panic: x\n\n/go/src/shop/cart.go:33 +0x1d'), ['/go/src/shop/cart.go:33']);
  assert.deepEqual(places("thread 'main' panicked at src/cart.rs:10:5:"), ['src/cart.rs:10']);
  assert.deepEqual(places('at shop.Cart.total(Cart.java:21)'), ['Cart.java:21']);
  assert.deepEqual(places('in C:\\shop\\Cart.cs:line 40'), ['/shop/Cart.cs:40']);
  assert.deepEqual(places('src/cart.ts(12,5): error TS2304'), ['src/cart.ts:12']);
  assert.deepEqual(places('Fatal error in ../shop/Cart.php on line 9'), ['shop/Cart.php:9']);
  assert.deepEqual(places('at 10:30 the version 1.2:3 came'), []);
});

test('where a trace names callers first, the failure is its last place', () => {
  const frames = '  File "a.py", line 2, in run\n  File "b.py", line 3, in total';
  const task = readTask(`see main.py:1\nTraceback (most recent call last):\n${frames}`);
  assert.deepEqual(places(`see main.py:1\nTraceback (most recent call last):\n${frames}`), [
    'b.py:3',
    'a.py:2',
    'main.py:1',
  ]);
  assert.ok(!task.names.includes('total'));
});

test('names keep what qualifies them; frames of a trace are no words to search for', () => {
  const task = readTask('Cart.total() returns NaN\n    at round (node:internal/x:1:2)\nfix parse_price, too');
  assert.deepEqual(task.names.includes('Cart.total') && task.names.includes('parse_price'), true);
  assert.doesNotMatch(task.query, /internal/);
});

test('a long task is searched by its beginning and the names in it', () => {
  const { query } = readTask(`${'The sum is wrong. '.repeat(60)} See computeDiscount.`);
  assert.ok(query.length < 900);
  assert.match(query, /computeDiscount/);
});

test('failed tests of pytest, unittest, go, cargo, Jest, Vitest, node:test, JUnit, .NET and PHPUnit', () => {
  const failed = (...lines: string[]) =>
    readTask(lines.join('\n')).failed.map(({ path, names }) => `${path ?? ''}: ${names.join('/')}`);
  assert.deepEqual(failed('FAILED tests/test_cart.py::TestCart::test_sum[a-1] - assert 1 == 2'), [
    'tests/test_cart.py: TestCart/test_sum',
  ]);
  assert.deepEqual(failed('tests/test_cart.py::test_sum FAILED   [ 50%]'), ['tests/test_cart.py: test_sum']);
  assert.deepEqual(failed('FAIL: test_sum (test_cart.TestCart)'), [': test_sum']);
  assert.deepEqual(failed('    --- FAIL: TestSum/empty (0.00s)', '--- PASS: TestTotal (0.00s)'), [': TestSum']);
  const cargo = ["thread 'cart::tests::sums' (12) panicked at src/cart.rs:10:5:", 'test cart::tests::sums ... FAILED'];
  assert.deepEqual(failed(...cargo, "thread 'main' panicked at src/main.rs:1:1:"), [': cart/tests/sums']);
  assert.deepEqual(failed('FAIL src/cart.test.ts (5.1 s)', '  ● Cart › adds prices'), [
    'src/cart.test.ts: Cart/adds prices',
  ]);
  assert.deepEqual(failed(' FAIL  src/cart.test.ts > Cart > adds prices'), ['src/cart.test.ts: Cart/adds prices']);
  assert.deepEqual(failed('not ok 3 - adds prices', '✖ adds tax (0.51ms)'), [': adds prices', ': adds tax']);
  assert.deepEqual(failed('CartTest > sum() FAILED', '[ERROR]   CartTest.sum:21 expected: <1>'), [': CartTest/sum']);
  assert.deepEqual(failed('  Failed Shop.CartTests.Sum [12 ms]'), [': Shop/CartTests/Sum']);
  assert.deepEqual(failed('1) Shop\\CartTest::testSum'), [': Shop/CartTest/testSum']);
  assert.deepEqual(failed('The test FAILED', 'ok 1 - adds', 'FAIL', 'a - b FAILED'), []);
});

test('words of a report are no names of the code', () => {
  const { names } = readTask(
    '--- FAIL: TestSum (0.00s)\n    cart_test.go:3: Error: not equal\n    Test: parse_price, addTax',
  );
  assert.deepEqual(names, ['TestSum', 'parse_price', 'addTax']);
});
