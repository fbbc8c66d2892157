/** How imports of modules are written anew when a symbol or a file moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODULE_IMPORTS } from '../../../src/languages/python/declarations.js';

test('a module is named as others of the file are: relative, or from the folder that the others begin in', () => {
  const like = (specifier: string, to: string) => ({ from: 'shop/a.py', specifier, to });
  const rows: [from: string, to: string, like: ReturnType<typeof like> | null, specifier: string | null][] = [
    ['shop/a.py', 'shop/b.py', null, null],
    ['shop/a.py', 'shop/b.py', like('.c', 'shop/c.py'), '.b'],
    ['shop/x/a.py', 'shop/b.py', like('.c', 'shop/x/c.py'), '..b'],
    ['shop/a.py', 'shop/x/__init__.py', like('.c', 'shop/c.py'), '.x'],
    ['shop/a.py', 'other/b.py', like('.c', 'shop/c.py'), null],
    ['shop/a.py', 'shop/b.pyi', like('shop.c', 'shop/c.py'), 'shop.b'],
    ['shop/a.py', 'src/other/x/b.py', like('shop.c', 'src/shop/c.py'), 'other.x.b'],
    ['shop/a.py', 'lib/b.py', like('shop.c', 'src/shop/c.py'), null],
    ['shop/a.py', 'shop/b-c.py', like('shop.c', 'shop/c.py'), null],
    ['shop/a.py', 'shop/b.py', like('shop.d', 'shop/c.py'), null],
  ];
  assert.deepEqual(
    rows.map(([from, to, own]) => [from, to, own, MODULE_IMPORTS.specifier(from, to, own)]),
    rows,
  );
});

test('a specifier of a file that moves leads to the same module', () => {
  const rows: [specifier: string, from: string, to: string, moved: string | null][] = [
    ['shop.b', 'shop/a.py', 'other/a.py', 'shop.b'],
    ['.b', 'shop/a.py', 'shop/x/a.py', '..b'],
    ['..b', 'shop/x/a.py', 'shop/a.py', '.b'],
    ['.', 'shop/a.py', 'shop/x/a.py', '..'],
    ['.b', 'shop/a.py', 'other/a.py', null],
    ['...b', 'shop/a.py', 'shop/x/a.py', null],
  ];
  assert.deepEqual(
    rows.map(([specifier, from, to]) => [specifier, from, to, MODULE_IMPORTS.relocated(specifier, from, to)]),
    rows,
  );
});

test('statements keep their form', () => {
  const { span, entry, whole } = MODULE_IMPORTS;
  const shown = (statement: string) => {
    const found = span(statement);
    return found === null ? null : statement.slice(...found);
  };
  assert.deepEqual(
    ['from shop.b import c', 'from  .b import (c, d)', 'from from_x import c', 'import shop.b', 'from . import b'].map(
      shown,
    ),
    ['shop.b', '.b', 'from_x', null, '.'],
  );
  assert.equal(entry('from x import a, b', 'a as c', '.y'), 'from .y import a as c');
  const name = (of: string, alias: string) => ({ name: of, alias });
  assert.deepEqual(
    [
      whole('import shop.b', name('*', 'shop.b'), 'shop.b'),
      whole('import shop.b as c', name('*', 'c'), 'shop.d'),
      whole('from shop import b', name('*', 'b'), 'shop.d'),
      whole('import shop.b', name('b', 'b'), 'shop.d'),
    ].map((each) => each),
    ['import shop.b', 'import shop.d as c', null, null],
  );
});
