/** Files that the outcome of a test may depend on: imports, what code names and lists, data beside it, settings; or everything. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestReach } from '../../../src/graph/query/test-reach.js';
import { graphOf, type Project } from '../link/project.js';

const MANIFESTS = { 'package.json': '{"name":"shop"}' };

function reachOf(
  project: Project,
  more: { kinds?: Project; ran?: Record<string, string[]>; unread?: string } = {},
): TestReach {
  const files = new Map(
    Object.entries(project).map(([path, text]) => [path, `${more.kinds?.[path] ?? 'file'} ${text}`]),
  );
  return new TestReach({
    ...{ graph: graphOf(project), files, ran: new Map(Object.entries(more.ran ?? {})) },
    read: async (path) => (path === more.unread ? null : project[path]),
  });
}

/** Paths that a test reaches, without manifests. */
const pathsOf = async (project: Project, path: string, more?: Parameters<typeof reachOf>[1]) =>
  [...(await reachOf({ ...MANIFESTS, ...project }, more).pathsOf(path))]
    .filter((each) => each !== 'package.json')
    .sort();

const unsureOf = async (project: Project, path: string, more?: Parameters<typeof reachOf>[1]) =>
  (await reachOf({ ...MANIFESTS, ...project }, more).of(path))?.unsure;

const SHOP = {
  'src/cart.ts': "import { tax } from './tax';\nexport const total = () => tax();\n",
  'src/tax.ts': 'export const tax = () => 1;\n',
  'src/other.ts': 'export const other = 1;\n',
  'src/cart.test.ts': "import { total } from './cart';\ntest('x', () => total());\n",
};

test('a test reaches what its imports lead to, and not what others import', async () => {
  assert.deepEqual(await pathsOf(SHOP, 'src/cart.test.ts'), ['src/cart.test.ts', 'src/cart.ts', 'src/tax.ts']);
  const ran = { 'src/cart.test.ts': ['src/other.ts', 'src/gone.ts'] };
  assert.ok((await pathsOf(SHOP, 'src/cart.test.ts', { ran })).includes('src/other.ts'), 'it is known to have run');
  assert.equal(await reachOf(SHOP).of('src/none.test.ts'), null);
});

test('the key of a test changes with what it reaches alone, and with the path of it', async () => {
  const keyOf = async (project: Project) => (await reachOf({ ...MANIFESTS, ...project }).of('src/cart.test.ts'))?.key;
  const key = await keyOf(SHOP);
  assert.match(key ?? '', /^[0-9a-f]{32}$/);
  assert.equal(await keyOf({ ...SHOP, 'src/other.ts': 'export const other = 2;\n' }), key);
  assert.equal(await keyOf(Object.fromEntries(Object.entries(SHOP).reverse())), key);
  assert.notEqual(await keyOf({ ...SHOP, 'src/tax.ts': 'export const tax = () => 2;\n' }), key);
  const { 'src/tax.ts': tax, ...rest } = SHOP;
  assert.notEqual(await keyOf({ ...rest, 'src/tax/index.ts': tax }), key);
});

test('settings in the folders above count, pages for people do not', async () => {
  const project = {
    ...SHOP,
    ...{
      'jest.config.js': "module.exports = { setupFiles: ['./test/setup.js'] };\n",
      'test/setup.js': 'global.x = 1;\n',
    },
    ...{ 'src/.env.test': 'A=1\n', 'lib/.env.test': 'A=2\n', 'README.md': '# Shop\n', 'tools.js': 'run();\n' },
  };
  const reached = await pathsOf(project, 'src/cart.test.ts');
  for (const path of ['jest.config.js', 'test/setup.js', 'src/.env.test']) assert.ok(reached.includes(path), path);
  for (const path of ['lib/.env.test', 'README.md', 'tools.js', 'src/other.ts'])
    assert.ok(!reached.includes(path), path);
});

test('files and folders that code names are reached where it reads files, a plain word elsewhere is none', async () => {
  const data = { 'src/data/a.json': '{}', 'src/data/b.json': '[]', 'fixtures/c.txt': 'c', 'src/other/d.txt': 'd' };
  const reader = (body: string) => ({
    ...SHOP,
    ...data,
    'src/read.ts': `import { readFileSync } from 'node:fs';\nexport const read = () => ${body};\n`,
    'src/read.test.ts': "import { read } from './read';\ntest('x', () => read());\n",
  });
  const reached = (body: string) => pathsOf(reader(body), 'src/read.test.ts');
  assert.ok((await reached("readFileSync('fixtures/c.txt')")).includes('fixtures/c.txt'));
  const folder = await reached("readFileSync('data')");
  assert.ok(folder.includes('src/data/a.json') && folder.includes('src/data/b.json'));
  assert.ok(!folder.includes('fixtures/c.txt'));
});

test('where nobody can tell, it is the whole snapshot, with the reason', async () => {
  const project = (text: string) => ({ ...SHOP, 'src/cart.test.ts': text });
  assert.equal(
    await unsureOf(project("import { total } from './gone';\ntest('x', () => total());\n"), 'src/cart.test.ts'),
    'src/cart.test.ts imports ./gone, which is no file of the snapshot',
  );
  assert.equal(
    await unsureOf(project("import { total } from './version';\nimport './cart';\n"), 'src/cart.test.ts'),
    null,
  );
  assert.equal(
    await unsureOf(project("test('x', () => fetch('http://localhost'));\n"), 'src/cart.test.ts'),
    'nothing shows what src/cart.test.ts tests',
  );
  assert.equal(
    await unsureOf(SHOP, 'src/cart.test.ts', { kinds: { 'src/tax.ts': 'symlink' } }),
    'src/tax.ts is a link',
  );
  assert.equal(
    await unsureOf(SHOP, 'src/cart.test.ts', { unread: 'src/tax.ts' }),
    'src/tax.ts is too large to be read',
  );
  assert.equal(await unsureOf(SHOP, 'package.json'), 'nothing is known of what files in its language load');
  const whole = await reachOf(SHOP, { unread: 'src/tax.ts' }).of('src/cart.test.ts');
  assert.equal(whole?.files, 4);
  assert.equal((await pathsOf(SHOP, 'src/cart.test.ts', { unread: 'src/tax.ts' })).length, 4);
});

test('snapshots of another test are not reached, its own are', async () => {
  const project = {
    ...SHOP,
    ...{ 'src/__snapshots__/cart.test.ts.snap': 'a', 'src/__snapshots__/tax.test.ts.snap': 'b' },
    'src/cart.test.ts': "import { total } from './cart';\nreadFileSync('__snapshots__');\n",
  };
  const reached = await pathsOf(project, 'src/cart.test.ts');
  assert.ok(reached.includes('src/__snapshots__/cart.test.ts.snap'));
  assert.ok(!reached.includes('src/__snapshots__/tax.test.ts.snap'));
});

test('a test of Go reaches its package and the data beside it', async () => {
  const project = {
    ...{ 'go.mod': 'module example.com/shop\n', 'cart/cart.go': 'package cart\nfunc Total() int { return 1 }\n' },
    ...{ 'cart/more.go': 'package cart\nfunc More() {}\n', 'cart/testdata/a.txt': 'a', 'tax/tax.go': 'package tax\n' },
    'cart/cart_test.go': 'package cart\nimport "testing"\nfunc TestTotal(t *testing.T) { Total() }\n',
  };
  const reached = await pathsOf(project, 'cart/cart_test.go');
  for (const path of ['cart/cart.go', 'cart/more.go', 'cart/testdata/a.txt']) assert.ok(reached.includes(path), path);
  assert.ok(!reached.includes('tax/tax.go'));
});

test('a module of Python is reached by its dotted name, with the packages around it', async () => {
  const project = {
    ...{
      'pyproject.toml': '[project]\nname = "shop"\n',
      'shop/__init__.py': '',
      'shop/cart.py': 'def total():\n    return 1\n',
    },
    ...{ 'shop/other.py': 'X = 1\n', 'conftest.py': 'import pytest\n', 'tests/conftest.py': 'import pytest\n' },
    'tests/test_cart.py': 'from shop.cart import total\n\ndef test_total():\n    assert total() == 1\n',
  };
  const reached = await pathsOf(project, 'tests/test_cart.py');
  for (const path of ['shop/cart.py', 'conftest.py', 'tests/conftest.py']) assert.ok(reached.includes(path), path);
  assert.ok(!reached.includes('shop/other.py'));
});
