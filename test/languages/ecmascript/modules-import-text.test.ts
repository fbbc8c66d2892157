/** How imports of scripts are written anew when a symbol or a file moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCRIPT_IMPORTS } from '../../../src/languages/ecmascript/modules.js';

test('a specifier leads from one folder to another file, and ends as others of the file do', () => {
  const like = (specifier: string, to: string) => ({ from: 'src/a.ts', specifier, to });
  const rows: [from: string, to: string, like: ReturnType<typeof like> | null, specifier: string | null][] = [
    ['src/a.ts', 'src/b.ts', null, './b'],
    ['src/a.ts', 'src/x/b.tsx', null, './x/b'],
    ['src/x/a.ts', 'src/b.ts', null, '../b'],
    ['src/x/y/a.ts', 'lib/b.ts', null, '../../../lib/b'],
    ['a.ts', 'b.d.ts', null, './b'],
    ['src/a.ts', 'src/x/index.ts', null, './x'],
    ['src/a.ts', 'src/index.ts', null, '.'],
    ['src/x.ts', 'src/x.ts', null, './x'],
    ['src/a.ts', 'src/b.ts', like('./c.js', 'src/c.ts'), './b.js'],
    ['src/a.ts', 'src/b.mts', like('./c.js', 'src/c.ts'), './b.mjs'],
    ['src/a.ts', 'src/b.ts', like('./c.ts', 'src/c.ts'), './b.ts'],
    ['src/a.ts', 'src/b.ts', like('./c', 'src/c.ts'), './b'],
    ['src/a.ts', 'src/b.vue', like('./c', 'src/c.ts'), './b.vue'],
    ['src/a.ts', 'src/shop/b.ts', like('@/shop/c', 'src/shop/c.ts'), '@/shop/b'],
    ['src/a.ts', 'src/other/b.ts', like('@/shop/c', 'src/shop/c.ts'), '@/other/b'],
    ['src/a.ts', 'lib/b.ts', like('@/shop/c', 'src/shop/c.ts'), null],
    ['src/a.ts', 'src/b.ts', like('shop', 'packages/shop/index.ts'), null],
    ['src/a.ts', 'src/shop/b.ts', like('@/shop/c.js', 'src/shop/c.ts'), '@/shop/b.js'],
  ];
  assert.deepEqual(
    rows.map(([from, to, own]) => [from, to, own, SCRIPT_IMPORTS.specifier(from, to, own)]),
    rows,
  );
});

test('a specifier of a file that moves leads to the same file', () => {
  const rows: [specifier: string, from: string, to: string, moved: string | null][] = [
    ['./b', 'src/a.ts', 'lib/a.ts', '../src/b'],
    ['../b.js', 'src/x/a.ts', 'src/a.ts', './b.js'],
    ['./x//b', 'src/a.ts', 'src/x/a.ts', './b'],
    ['../../b', 'src/a.ts', 'lib/a.ts', null],
    ['shop', 'src/a.ts', 'lib/a.ts', 'shop'],
    ['.', 'src/a.ts', 'a.ts', './src'],
  ];
  assert.deepEqual(
    rows.map(([specifier, from, to]) => [specifier, from, to, SCRIPT_IMPORTS.relocated(specifier, from, to)]),
    rows,
  );
});

test('statements keep their form, their quotes and their semicolons', () => {
  const span = (statement: string) => {
    const found = SCRIPT_IMPORTS.span(statement);
    return found === null ? null : statement.slice(...found);
  };
  assert.deepEqual(
    [
      `import { a } from './b';`,
      'import "./b"',
      `import { 'x' as a } from "./b";`,
      'import a',
      "import a from './b'; // c",
    ].map(span),
    ['./b', './b', './b', null, './b'],
  );
  const { entry, whole, plain } = SCRIPT_IMPORTS;
  assert.deepEqual(
    [
      entry(`import { a, b } from './x';`, 'a', './y'),
      entry('import type { a, b } from "./x"', 'type a as c', './y'),
      entry('import type, { a } from "./x"', 'a', './y'),
      entry(`export { a } from './x';`, 'a', './y'),
      entry(`export type { a } from './x'`, 'a', './y'),
    ],
    [
      `import { a } from './y';`,
      'import type { type a as c } from "./y"',
      'import { a } from "./y"',
      `export { a } from './y';`,
      `export type { a } from './y'`,
    ],
  );
  const name = (of: string, alias: string) => ({ name: of, alias });
  assert.deepEqual(
    [
      whole(`import a from './x';`, name('default', 'a'), './y'),
      whole('import * as a from "./x"', name('*', 'a'), './y'),
      whole('import type a from "./x"', name('default', 'a'), './y'),
      whole('import { default as a } from "./x"', name('default', 'a'), './y'),
      whole('import { a } from "./x"', name('a', 'a'), './y'),
      whole('export * from "./x"', name('*', ''), './y'),
    ],
    [`import a from './y';`, 'import * as a from "./y"', 'import type a from "./y"', null, null, null],
  );
  assert.deepEqual(
    [
      plain('', 'a', './y'),
      plain('import x from "x"\n', 'a', './y'),
      plain("const b = 1;\nexport { x } from 'x';\n", 'a', './y'),
      plain('import "x";\nimport {\n  b,\n} from "./b";\n', 'a', './y'),
    ],
    [`import { a } from './y';`, 'import { a } from "./y"', `import { a } from './y';`, 'import { a } from "./y";'],
  );
});
