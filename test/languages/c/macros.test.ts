/** Texts in which one word more or less decides whether it is a macro. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutMacros } from '../../../src/languages/c/macros.js';

/** Each line beside other code, so that none is between whole statements by chance. */
function cleaned(line: string): string {
  return withoutMacros(`${line}\nint x;`).split('\nint x;')[0];
}

test('C++: a macro behind a function goes after each word that may stand there, and after parameters that are functions', () => {
  assert.equal(cleaned('int add() override SHOP_API;'), 'int add() override         ;');
  assert.equal(cleaned('int add() const final SHOP_API;'), 'int add() const final         ;');
  assert.equal(cleaned('int add(int (*f)(int), int n) SHOP_API;'), 'int add(int (*f)(int), int n)         ;');
  assert.equal(cleaned('Cart(int n) SHOP_API : n_(n) {}'), 'Cart(int n)          : n_(n) {}');
});

test('C++: a macro that two rules see, as behind a function and behind a field, is blanked once', () => {
  const text = 'int add() const override LOCKED(mu_);\nint y;';
  assert.equal(withoutMacros(text), 'int add() const override            ;\nint y;');
});

test('C++: macros that are alone on their lines, one below the other and with any end of line', () => {
  assert.equal(
    withoutMacros('#include "a.h"\nSHOP_BEGIN\nSHOP_INNER\nint x;'),
    '#include "a.h"\n          \n          \nint x;',
  );
  assert.equal(withoutMacros('int y;\r\nSHOP_BEGIN\r\nint x;'), 'int y;\r\n          \r\nint x;');
});

test('C++: a destructor behind a macro, and names too short for one around a result or in front of a function', () => {
  assert.equal(cleaned('SHOP_API Cart::~Cart() {'), 'inline   Cart::~Cart() {');
  assert.equal(cleaned('MYAPI_ Cart open(int n);'), 'inline Cart open(int n);');
  assert.equal(cleaned('HANDLE open(int n);'), 'HANDLE open(int n);');
  assert.equal(cleaned('LIST_(Cart) open(int n) {'), 'LIST_(Cart) open(int n) {');
  assert.equal(cleaned('PUBLIC(Cart) open(int n) {'), 'inline Cart  open(int n) {');
});
