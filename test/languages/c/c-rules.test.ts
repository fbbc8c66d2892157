/** Texts in which one word more or less decides whether it is a macro. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutMacros } from '../../../src/languages/c/macros.js';
import { relationLines } from '../relations-support.js';

const SAMPLE = `#include <stdio.h>
#include "shop/cart.h"

#define TWICE(x) add((x), (x))

typedef struct node node_t;

struct node {
  struct node *next;
  item_t items[4];
  int (*visit)(node_t *self);
};

static node_t *head;

node_t *push(const item_t *item, int count) {
  node_t *node = calloc(1, sizeof(node_t)), *last;
  node->visit = on_visit;
  each(&node->items[0], on_visit);
  ((struct node *)last)->visit(node);
  return TWICE(node);
}

static int on_visit(node_t *self) {
  return self->next->visit(head);
}
`;

test('C: imports and what the file is part of', () => {
  assert.deepEqual(relationLines(SAMPLE, 'c').imports, ['1 include-system stdio.h', '2 include shop/cart.h']);
});

test('C: calls, types, parents and what is handed on', () => {
  assert.deepEqual(relationLines(SAMPLE, 'c').references, [
    '4 call add @TWICE',
    '6 type node @node_t',
    '9 type node @node.next',
    '10 type item_t @node.items',
    '11 type node_t @node.visit',
    '14 type node_t @head',
    '16 type node_t @push',
    '16 type item_t @push',
    '17 type node_t @push',
    '17 call calloc/2 @push',
    '17 value node_t @push',
    '18 value on_visit @push',
    '19 call each/2 @push',
    '19 value on_visit @push',
    '20 type node @push',
    '20 call new node().visit/1 @push',
    '20 value node @push',
    '21 call TWICE/1 @push',
    '21 value node @push',
    '24 type node_t @on_visit',
    '25 call self.next.visit/1 @on_visit',
    '25 value head @on_visit',
  ]);
});

test('C: what names stand for', () => {
  assert.deepEqual(relationLines(SAMPLE, 'c').bindings, [
    '-: node_t: node',
    'node: next: node',
    'node: items: item_t[]',
    'node: visit',
    '-: head: node_t',
    'push: (): node_t',
    'push: node: node_t = calloc()',
    'on_visit: self: node_t',
  ]);
});

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
