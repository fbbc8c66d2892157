import assert from 'node:assert/strict';
import { test } from 'node:test';
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
    '11 type node_t @node',
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
