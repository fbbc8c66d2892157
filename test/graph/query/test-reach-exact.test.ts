/** Exactly the files that a test reaches, over small projects: by names, by folders, by what is loaded along, and by settings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestReach } from '../../../src/graph/query/test-reach.js';
import { graphOf, type Project } from '../link/project.js';

interface More {
  ran?: Record<string, string[]>;
  kinds?: Project;
}

/** Other files that a test reaches, sorted; the reason where it is the whole snapshot. */
async function reached(
  project: Project,
  path: string,
  { ran = {}, kinds = {} }: More = {},
): Promise<string[] | string> {
  const files = new Map(Object.entries(project).map(([name, text]) => [name, `${kinds[name] ?? 'file'} ${text}`]));
  const reach = new TestReach({
    ...{ graph: graphOf(project), files, ran: new Map(Object.entries(ran)) },
    read: async (name) => project[name],
  });
  const told = await reach.of(path);
  if (told === null || told.unsure !== null) return told?.unsure ?? 'no such test';
  const paths = [...(await reach.pathsOf(path))].sort();
  assert.equal(told.files, paths.length);
  return paths.filter((each) => each !== path);
}

const SHOP = {
  'package.json': '{"name":"shop"}',
  'src/cart.ts': 'export const total = () => 1;\n',
  'src/cart.test.ts': "import { total } from './cart';\ntest('x', () => total());\n",
};
/** What its test reaches in any case. */
const ALWAYS = ['package.json', 'src/cart.ts'];

/** What the test of the shop reaches beside that, with more lines in it and more files around it. */
async function more(lines: string, files: Project = {}, how?: More): Promise<string[] | string> {
  const text = `import { total } from './cart';\n${lines}\ntest('x', () => total());\n`;
  const found = await reached({ ...SHOP, 'src/cart.test.ts': text, ...files }, 'src/cart.test.ts', how);
  return typeof found === 'string' ? found : found.filter((path) => !ALWAYS.includes(path));
}

const DATA = {
  'src/far.ts': 'export const far = 1;\n',
  'src/far.test.ts': 'far();\n',
  'data/a.json': '{}',
  'data/deep/b.json': '{}',
  'data/code.ts': 'export {};\n',
  'data/code.test.ts': 'code();\n',
  'docs/a.md': '# A',
  'own/c.txt': 'c',
};
const FOLDER = ['data/a.json', 'data/code.ts', 'data/deep/b.json'];

test('a name in a test that reads files is a file or a folder, from its folder or from one above', async () => {
  const cases: [string, string[]][] = [
    ["'data/a.json'", ['data/a.json']],
    ["'data'", FOLDER],
    ["'data/'", FOLDER],
    ["'../own/c.txt'", ['own/c.txt']],
    ["'./far'", ['src/far.ts']],
    ["'far'", ['src/far.ts']],
    ["'data/code'", FOLDER],
    ["'data/none.json'", []],
    ["'src'", []],
    ["'../data/deep'", ['data/deep/b.json']],
    ["'../../x'", []],
    ["'docs/a.md'", ['docs/a.md']],
    ["'data/' + x", FOLDER],
    ['`own/{x}.txt`', ['own/c.txt']],
  ];
  for (const [name, expected] of cases)
    assert.deepEqual(
      await more(`import { readFileSync } from 'node:fs';\nreadFileSync(${name});`, DATA),
      expected,
      name,
    );
});

test('code that lists or loads what it computes reaches the code of its folder; tests only where it does both', async () => {
  const cases: [string, string[]][] = [
    ["readdirSync('.')", ['src/far.ts']],
    ['require(name)', ['src/far.ts']],
    ['await import(name)', ['src/far.ts']],
    ['readdirSync(__dirname).map((file) => require(file))', ['src/far.test.ts', 'src/far.ts']],
    ['total(name)', []],
  ];
  for (const [line, expected] of cases) assert.deepEqual(await more(line, DATA), expected, line);
});

test('where no file is read, a path is a file, and a plain word is nothing', async () => {
  const cases: [string, string[]][] = [
    ["total('data/a.json')", ['data/a.json']],
    ["total('data')", []],
    ["total('own')", []],
    ["total('./far')", ['src/far.ts']],
  ];
  for (const [line, expected] of cases) assert.deepEqual(await more(line, DATA), expected, line);
});

test('a test that drives a program from outside may run everything', async () => {
  const reason = 'src/cart.test.ts drives a program from outside';
  for (const name of ['puppeteer', '@playwright/test']) assert.equal(await more(`import x from '${name}';`), reason);
  assert.deepEqual(
    await more('', { 'src/cart.ts': "import x from 'puppeteer';\nexport const total = () => x;\n" }),
    [],
  );
});

test('code that starts programs without naming them reaches what is below its folder; a test that does, everything', async () => {
  const files = {
    'src/cart.ts': "import { spawn } from 'child_process';\nexport const total = () => spawn(x);\n",
    'src/low/y.ts': 'y();\n',
    'src/low/y.test.ts': 'y();\n',
    'lib/z.ts': 'z();\n',
  };
  assert.deepEqual(await more('', files), ['src/low/y.ts']);
  const named = { ...files, 'src/cart.ts': files['src/cart.ts'].replace('(x)', "('lib/z.ts')") };
  assert.deepEqual(await more('', named), ['lib/z.ts']);
  const alone = { 'src/cart.test.ts': "import { spawn } from 'child_process';\nspawn(program);\n" };
  const reason = 'src/cart.test.ts starts programs that it does not name';
  assert.equal(await more('', alone), reason);
});

test('an import of types or of a package may be missing, one of a file may not, but for the number of a version', async () => {
  assert.deepEqual(await more("import type { X } from './gone';"), []);
  assert.deepEqual(await more("import x from 'left-pad';"), []);
  assert.deepEqual(await more("import { version } from './version';"), []);
  assert.equal(
    await more("import { x } from './gone';"),
    'src/cart.test.ts imports ./gone, which is no file of the snapshot',
  );
});

test('code that cannot be read makes everything count, unless tests read it as data', async () => {
  const broken = 'export const total = (( => {{{;\nfunction (\n';
  const files = { 'src/cart.test.ts': "import './cart';\nimport '../test/fixtures/bad';\n" };
  assert.deepEqual(await more('', { ...files, 'test/fixtures/bad.ts': `import './gone';\n${broken}` }), [
    'test/fixtures/bad.ts',
  ]);
  assert.equal(await more('', {}, { kinds: { 'src/cart.ts': 'symlink' } }), 'src/cart.ts is a link');
});

test('settings of a runner lead to the code that they name, but to no other test', async () => {
  const tools = { 'tools/first.js': 'x();\n', 'tools/second.js': 'y();\n', 'tools/third.js': 'z();\n' };
  const listed = "module.exports = { require: ['./tools/first.js', 'tools/second.js'] };\n";
  assert.deepEqual(await more('', { ...tools, '.mocharc.js': listed }), [
    ...['.mocharc.js', 'tools/first.js', 'tools/second.js'],
  ]);
  const manifest = {
    scripts: { test: 'mocha -r ./tools/first.js' },
    jest: { setupFiles: ['<rootDir>/tools/second.js', './src/far.test.js'] },
  };
  const told = JSON.stringify({ ...manifest, other: './tools/third.js' });
  assert.deepEqual(await more('', { ...tools, 'package.json': told, 'src/far.test.js': 'far();\n' }), [
    'tools/first.js',
    'tools/second.js',
  ]);
});

test('settings that only look at code lead nowhere; data of the part of a test and of the top counts, pages do not', async () => {
  const files = {
    'eslint.config.js': "module.exports = './tools/first.js';\n",
    'gulpfile.js': "import './tools/first.js';\n",
    'tools/first.js': 'x();\n',
    'src/app.txt': 'a',
    'src/deep/in.txt': 'b',
    'src/deep/README.md': 'c',
    'lib/x.txt': 'd',
    'top.txt': 'e',
    'CHANGELOG.md': 'f',
  };
  assert.deepEqual(await more('', files), [
    ...['eslint.config.js', 'gulpfile.js', 'src/app.txt', 'src/deep/in.txt', 'top.txt'],
  ]);
});

test('in a repository of packages, data and settings of other packages do not count', async () => {
  const project = {
    'package.json': '{}',
    'packages/.env': 'A',
    'packages/a/.env': 'B',
    'packages/a/package.json': '{}',
    'packages/a/src/x.ts': 'export const x = 1;\n',
    'packages/a/src/x.test.ts': "import { x } from './x';\nx();\n",
    'packages/a/src/low/d.txt': 'd',
    'packages/a/other/e.txt': 'e',
    'packages/b/f.txt': 'f',
    'packages/b/.env': 'C',
  };
  assert.deepEqual(await reached(project, 'packages/a/src/x.test.ts'), [
    ...['package.json', 'packages/.env', 'packages/a/.env', 'packages/a/package.json'],
    ...['packages/a/src/low/d.txt', 'packages/a/src/x.ts'],
  ]);
});

test('what a test is known to have run leads on like an import; a file that is gone leads nowhere', async () => {
  const files = { 'bin/run.ts': "import '../lib/a';\n", 'lib/a.ts': 'a();\n' };
  assert.deepEqual(await more('', files, { ran: { 'src/cart.test.ts': ['bin/run.ts', 'none.ts'] } }), [
    'bin/run.ts',
    'lib/a.ts',
  ]);
  assert.deepEqual(await more('', files, { ran: { 'src/other.test.ts': ['bin/run.ts'] } }), []);
});

test('data in a folder of code in another language is all of that folder', async () => {
  const native = {
    'native/a.c': 'int f(void);\n',
    'native/b.c': 'int g;\n',
    'native/low/c.h': 'int h;\n',
    'lib/d.c': 'int d;\n',
  };
  assert.deepEqual(await more("readFileSync('native/a.c');", native), ['native/a.c', 'native/b.c', 'native/low/c.h']);
});

const PYTHON = {
  'pyproject.toml': '[project]\nname = "shop"\n',
  'conftest.py': 'import pytest\n',
  'shop/__init__.py': '',
  'shop/cart.py': 'def total():\n    return 1\n',
  'shop/tax.py': 'X = 1\n',
  'src/deep/mod.py': 'Y = 1\n',
  'tests/conftest.py': 'import pytest\n',
  'tests/helper.py': 'Z = 1\n',
  'tests/sub/test_a.py': 'x = 1\n',
};
const PYTHON_ALWAYS = ['conftest.py', 'pyproject.toml', 'shop/__init__.py', 'shop/cart.py', 'tests/conftest.py'];

test('Python: modules by dotted names, from the top, from `src` and from the folder of the test', async () => {
  const cases: [string, string[] | string][] = [
    ['', []],
    ['from shop import cart, tax', ['shop/tax.py']],
    ['import deep.mod', ['src/deep/mod.py']],
    ['from . import helper', ['tests/helper.py']],
    ['from .helper import Z', ['tests/helper.py']],
    ['from ..shop import tax', ['shop/tax.py']],
    ['name = "shop.tax.X"', ['shop/tax.py']],
    ['name = "shop.tax"', ['shop/tax.py']],
    ['text = open("shop/tax.py")', ['shop/tax.py']],
    ['import tax', []],
    ['import os', []],
    ['from gone import x', []],
    ['from shop._version import version', []],
    ['import importlib\nimportlib.import_module(x)', ['tests/helper.py']],
    ['import shop.gone', 'tests/test_cart.py imports shop.gone, which is no file of the snapshot'],
    ['import shop.gone.far', 'tests/test_cart.py imports shop.gone.far, which is no file of the snapshot'],
    ['from .gone import x', 'tests/test_cart.py imports .gone, which is no file of the snapshot'],
  ];
  for (const [line, expected] of cases) {
    const text = `import shop.cart\n${line}\n\ndef test_x():\n    pass\n`;
    const found = await reached({ ...PYTHON, 'tests/test_cart.py': text }, 'tests/test_cart.py');
    const others = typeof found === 'string' ? found : found.filter((path) => !PYTHON_ALWAYS.includes(path));
    assert.deepEqual(others, expected, line);
    if (typeof found !== 'string')
      for (const path of PYTHON_ALWAYS) assert.ok(found.includes(path), `${line}: ${path}`);
  }
});

test('Go: a package is all of its folder, with what is below `testdata`, and so is one that it imports', async () => {
  const project = (text: string) => ({
    'go.mod': 'module example.com/shop\n',
    'cart/cart.go': 'package cart\nfunc Total() int { return 1 }\n',
    'cart/more.go': 'package cart\nfunc More() {}\n',
    'cart/testdata/a.txt': 'a',
    'cart/testdata/b.go': 'package b\n',
    'cart/low/x.go': 'package low\n',
    'tax/tax.go': 'package tax\nfunc Tax() int { return 1 }\n',
    'tax/more.go': 'package tax\n',
    'cart/cart_test.go': text,
  });
  const own = ['cart/cart.go', 'cart/more.go', 'cart/testdata/a.txt', 'cart/testdata/b.go'];
  const plain = 'package cart\nimport "testing"\nfunc TestTotal(t *testing.T) { Total() }\n';
  assert.deepEqual(await reached(project(plain), 'cart/cart_test.go'), [...own, 'go.mod']);
  const taxed = plain.replace('"testing"', '("testing"; "example.com/shop/tax")').replace('Total() }', 'tax.Tax() }');
  assert.deepEqual(await reached(project(taxed), 'cart/cart_test.go'), [...own, 'go.mod', 'tax/more.go', 'tax/tax.go']);
});
