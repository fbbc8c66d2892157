/** Names that mean something else in a part of a function: narrowed by a check up to the end of its block, or bound anew. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphOf, memberUses } from '../../graph/link/project.js';

const PYTHON = 'class Cart:\n    def total(self): ...\n\nclass Basket:\n    def total(self): ...\n\n';

/** Lines of a text behind two classes with `total`, each with the class that its call means. */
const usesIn = (text: string): string[] =>
  memberUses(graphOf({ 'a.py': PYTHON + text }), 'a.py')
    .map((use) => use.split(' '))
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([line, name]) => `${Number(line) - 6} ${name.replace('.total', '')}`);

test('a check of a type holds in its block, and behind it the name is what it was', () => {
  const text = [
    'def f(x: Cart):',
    '    x.total()',
    '    if isinstance(x, Basket):',
    '        x.total()',
    '        x.total()',
    '    x.total()',
    '',
    'def g(x: Cart):',
    '    x.total()',
    '',
  ];
  assert.deepEqual(usesIn(text.join('\n')), ['2 Cart', '4 Basket', '5 Basket', '6 Cart', '9 Cart']);
});

test('a new value in the block ends the check, also behind the block', () => {
  const text = [
    'def f(x: Cart):',
    '    if isinstance(x, Basket):',
    '        x.total()',
    '        x = Cart()',
    '        x.total()',
    '    x.total()',
    '',
  ];
  assert.deepEqual(usesIn(text.join('\n')), ['3 Basket', '5 Cart', '6 Cart']);
});

test('one check in another counts inside of it', () => {
  const text = [
    'def f(x):',
    '    if isinstance(x, Cart):',
    '        x.total()',
    '        if isinstance(x, Basket):',
    '            x.total()',
    '',
  ];
  assert.deepEqual(usesIn(text.join('\n')), ['3 Cart', '5 Basket']);
});

test('a function inside of the block has names of its own', () => {
  const text = [
    'def f(x: Cart, y: Cart):',
    '    if isinstance(x, Basket):',
    '        def inner(x: Cart):',
    '            x.total()',
    '        y.total()',
    '        x.total()',
    '',
  ];
  assert.deepEqual(usesIn(text.join('\n')), ['4 Cart', '5 Cart', '6 Basket']);
});
