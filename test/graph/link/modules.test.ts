/** Which definition an import means, in each way in which a file can export it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, type Project } from './project.js';

/** Where the calls of `use.*` lead, `?` for nowhere. */
function ledTo(project: Project): string {
  return calls(project)
    .filter((line) => /^use\.\w+(?::|\s)/.test(line))
    .map((line) => / -> (\S+) \((\S+)\)$/.exec(line) as RegExpExecArray)
    .map(([, to, tier]) => (to.startsWith('?') ? '?' : `${to} ${tier}`))
    .join(', ');
}

test('scripts: named, default, whole and renamed exports, through any number of files', () => {
  const CART =
    'export function total() {}\nexport default function open() {}\nexport class Cart { add() {} }\nfunction own() {}\n';
  const rows: [files: Project, use: string, led: string][] = [
    [{}, "import { total } from './cart';\ntotal();", 'cart.ts:total imported'],
    [{}, "import { total as sum } from './cart';\nsum();", 'cart.ts:total imported'],
    [{}, "import anything from './cart';\nanything();", 'cart.ts:open imported'],
    [{}, "import { default as d } from './cart';\nd();", 'cart.ts:open imported'],
    [{}, "import * as cart from './cart';\ncart.total();", 'cart.ts:total imported'],
    [{}, "import * as cart from './cart';\ncart.default();", 'cart.ts:open imported'],
    [{}, "import { own } from './cart';\nown();", '?'],
    [{}, "import { none } from './cart';\nnone();", '?'],
    [
      { 'mid.ts': "export { total } from './cart';\n" },
      "import { total } from './mid';\ntotal();",
      'cart.ts:total reexported',
    ],
    [
      { 'mid.ts': "export { total as sum } from './cart';\n" },
      "import { sum } from './mid';\nsum();",
      'cart.ts:total reexported',
    ],
    [{ 'mid.ts': "export { total as sum } from './cart';\n" }, "import { total } from './mid';\ntotal();", '?'],
    [{ 'mid.ts': "export { default } from './cart';\n" }, "import d from './mid';\nd();", 'cart.ts:open reexported'],
    [
      { 'mid.ts': "export { default as open } from './cart';\n" },
      "import { open } from './mid';\nopen();",
      'cart.ts:open reexported',
    ],
    [{ 'mid.ts': "export * from './cart';\n" }, "import { total } from './mid';\ntotal();", 'cart.ts:total reexported'],
    [{ 'mid.ts': "export * from './cart';\n" }, "import d from './mid';\nd();", '?'],
    [
      { 'mid.ts': "export * as all from './cart';\n" },
      "import { all } from './mid';\nall.total();",
      'cart.ts:total imported',
    ],
    [
      { 'mid.ts': "import { total } from './cart';\nexport { total };\n" },
      "import { total } from './mid';\ntotal();",
      'cart.ts:total reexported',
    ],
    [{ 'mid.ts': "import { total } from './cart';\n" }, "import { total } from './mid';\ntotal();", '?'],
    [
      { 'mid.ts': "import * as cart from './cart';\nexport default cart;\n" },
      "import d from './mid';\nd.total();",
      'cart.ts:total imported',
    ],
    [
      { 'mid.ts': "export * from './far';\n", 'far.ts': "export * from './cart';\nexport * from './mid';\n" },
      "import { total } from './mid';\ntotal();",
      'cart.ts:total reexported',
    ],
    [
      { 'mid.ts': "export * from './far';\n", 'far.ts': "export * from './mid';\n" },
      "import { total } from './mid';\ntotal();",
      '?',
    ],
    [
      { 'mid.ts': "export * from './cart';\nexport function total() {}\n" },
      "import { total } from './mid';\ntotal();",
      'mid.ts:total imported',
    ],
    [
      { 'mid.ts': 'export const held = { total() {} };\n' },
      "import { held } from './mid';\nheld.total();",
      'mid.ts:held.total receiver',
    ],
    [{ 'mid.ts': 'function own() {}\nexport default own;\n' }, "import d from './mid';\nd();", 'mid.ts:own imported'],
    [
      { 'mid.ts': 'function own() {}\nexport { own as other };\n' },
      "import { other } from './mid';\nother();",
      'mid.ts:own imported',
    ],
  ];
  assert.deepEqual(
    rows.map(([files, use]) => [files, use, ledTo({ 'cart.ts': CART, ...files, 'use.ts': `${use}\n` })]),
    rows,
  );
});

test('scripts: what is put on `module.exports`, as a whole or by names', () => {
  const USE = "const cart = require('./cart');\n";
  const rows: [exporting: string, use: string, led: string][] = [
    ['function total() {}\nmodule.exports = { total };', `${USE}cart.total();`, 'cart.js:total imported'],
    ['function total() {}\nmodule.exports = { sum: total };', `${USE}cart.sum();`, 'cart.js:total imported'],
    ['function total() {}\nmodule.exports = { sum: total };', `${USE}cart.total();`, '?'],
    ['exports.total = function () {};', `${USE}cart.total();`, 'cart.js:total imported'],
    ['module.exports.total = () => {};', `${USE}cart.total();`, 'cart.js:total imported'],
    ['module.exports = function open() {};', `${USE}cart();`, 'cart.js:open imported'],
    ['class Cart { add() {} }\nmodule.exports = Cart;', `${USE}new cart();`, 'cart.js:Cart imported'],
    [
      'function total() {}\nmodule.exports = { total };',
      "const { total: t } = require('./cart');\nt();",
      'cart.js:total imported',
    ],
    ['function total() {}', `${USE}cart.total();`, '?'],
  ];
  assert.deepEqual(
    rows.map(([exporting, use]) => [exporting, use, ledTo({ 'cart.js': `${exporting}\n`, 'use.js': `${use}\n` })]),
    rows,
  );
});

test('other languages: modules, packages, tables and re-exports', () => {
  const rows: [what: string, project: Project, led: string][] = [
    [
      'a module',
      { 'cart.py': 'def total(): pass\n', 'use.py': 'import cart\ncart.total()\n' },
      'cart.py:total imported',
    ],
    [
      'its name',
      { 'cart.py': 'def total(): pass\n', 'use.py': 'from cart import total as t\nt()\n' },
      'cart.py:total imported',
    ],
    [
      'all names',
      { 'cart.py': 'def total(): pass\n', 'use.py': 'from cart import *\ntotal()\n' },
      'cart.py:total imported',
    ],
    [
      'a package that passes on',
      {
        'shop/__init__.py': 'from .cart import total\n',
        'shop/cart.py': 'def total(): pass\n',
        'use.py': 'from shop import total\ntotal()\n',
      },
      'shop/cart.py:total reexported',
    ],
    [
      'a module of a package',
      {
        'shop/__init__.py': '',
        'shop/cart.py': 'def total(): pass\n',
        'use.py': 'from shop import cart\ncart.total()\n',
      },
      'shop/cart.py:total imported',
    ],
    [
      'a table',
      {
        'cart.lua': 'local M = {}\nfunction M.total() end\nreturn M\n',
        'use.lua': 'local c = require("cart")\nc.total()\n',
      },
      'cart.lua:M.total receiver',
    ],
    [
      'a table with the name of a value from elsewhere in a table inside of it',
      {
        'cart.lua': 'local function own() end\nreturn {\n  inner = {\n    total = gone,\n  },\n  total = own,\n}\n',
        'use.lua': 'local c = require("cart")\nc.total()\n',
      },
      'cart.lua:own imported',
    ],
  ];
  assert.deepEqual(
    rows.map(([what, project]) => [what, ledTo(project)]),
    rows.map(([what, , led]) => [what, led]),
  );
});
