/** What manifests of each ecosystem publish and depend on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf } from '../../../src/languages/registry.js';
import { Project } from '../../../src/languages/roles/project.js';

interface Written {
  /** Text of manifests, and the package that other files declare, by path. */
  [path: string]: string;
}

const MANIFEST = /(?:\.json|\.toml|\.xml|\.cfg|\.gradle|go\.mod|setup\.py|\.txt)$/;

async function published(language: string, written: Written) {
  const paths = Object.keys(written).sort();
  const files = paths
    .filter((path) => !MANIFEST.test(path) || path.endsWith('setup.py'))
    .map((path) => ({ path, language }));
  const project = new Project({
    files,
    others: new Set(),
    manifests: new Map(paths.filter((path) => MANIFEST.test(path)).map((path) => [path, written[path]])),
    declared: (file) => (written[files[file].path] === '' ? [] : [written[files[file].path]]),
    topLevelNames: () => [],
  });
  const rules = await languageOf(language)?.packages?.load();
  return (rules?.published(project) ?? []).map(({ name, modules }) => [
    name,
    ...modules.map(({ specifier, files: of }) => `${specifier} = ${of.map((file) => project.path(file)).join(' ')}`),
  ]);
}

async function dependencies(language: string, manifest: string, content: string) {
  const rules = await languageOf(language)?.packages?.load();
  return rules?.dependencies(manifest, content).map(({ name, version }) => `${name} ${version}`.trim());
}

test('packages name their modules as imports write them', async () => {
  assert.deepEqual(
    await published('typescript', {
      'package.json':
        '{"name": "@shop/cart", "exports": {".": "./dist/index.js", "./tax": "./src/tax.ts", "./*": "./x/*"}}',
      'src/index.ts': '',
      'src/tax.ts': '',
    }),
    [['@shop/cart', '@shop/cart = src/index.ts', '@shop/cart/tax = src/tax.ts']],
  );
  assert.deepEqual(
    await published('go', {
      'go.mod': 'module github.com/shop/cart\n',
      'cart.go': 'cart',
      'cart_test.go': 'cart',
      'tax/tax.go': 'tax',
      'internal/x.go': 'x',
      'cmd/run/main.go': 'main',
    }),
    [['github.com/shop/cart', 'github.com/shop/cart = cart.go', 'github.com/shop/cart/tax = tax/tax.go']],
  );
  assert.deepEqual(
    await published('python', {
      'pyproject.toml': '[project]\nname = "shop-kit"\n',
      'src/shop/__init__.py': '',
      'src/shop/tax.py': '',
      'tests/test_shop.py': '',
      'tasks.py': '',
    }),
    [['shop-kit', 'shop = src/shop/__init__.py', 'shop.tax = src/shop/tax.py']],
  );
  assert.deepEqual(
    await published('rust', { 'Cargo.toml': '[package]\nname = "shop-kit"\n', 'src/lib.rs': '', 'src/tax/mod.rs': '' }),
    [['shop-kit', 'shop_kit = src/lib.rs', 'shop_kit::tax = src/tax/mod.rs']],
  );
  assert.deepEqual(
    await published('java', {
      'lib/pom.xml': '<project><parent><groupId>org.shop</groupId></parent><artifactId>cart</artifactId></project>',
      'lib/src/main/java/org/shop/Cart.java': 'org.shop',
      'lib/src/test/java/org/shop/CartTest.java': 'org.shop',
    }),
    [['org.shop:cart', 'org.shop = lib/src/main/java/org/shop/Cart.java']],
  );
  assert.deepEqual(
    await published('php', {
      'composer.json': '{"name": "shop/cart", "autoload": {"psr-4": {"Shop\\\\": "src/"}}}',
      'src/Tax/Rate.php': 'Shop\\Tax',
      'tests/RateTest.php': 'Shop\\Tests',
    }),
    [['shop/cart', 'Shop\\Tax = src/Tax/Rate.php']],
  );
});

test('manifests that cannot be read publish nothing and depend on nothing', async () => {
  for (const [language, manifest] of [
    ['typescript', 'package.json'],
    ['python', 'pyproject.toml'],
    ['rust', 'Cargo.toml'],
    ['php', 'composer.json'],
  ]) {
    assert.deepEqual(await published(language, { [manifest]: '{[[' }), []);
    assert.deepEqual(await dependencies(language, manifest, '{[['), []);
  }
});

test('dependencies are listed with the version that a manifest writes', async () => {
  assert.deepEqual(
    await dependencies('typescript', 'package.json', '{"dependencies": {"a": "^1"}, "peerDependencies": {"b": "*"}}'),
    ['a ^1', 'b *'],
  );
  assert.deepEqual(
    await dependencies(
      'go',
      'go.mod',
      'module x\nrequire github.com/a/b v1.2.0\nrequire (\n\tgolang.org/x/c v0.1.0 // indirect\n)\n',
    ),
    ['github.com/a/b v1.2.0', 'golang.org/x/c v0.1.0'],
  );
  assert.deepEqual(
    await dependencies('python', 'pyproject.toml', '[project]\ndependencies = ["click>=8.1", "rich[x]"]\n'),
    ['click >=8.1', 'rich'],
  );
  assert.deepEqual(await dependencies('python', 'requirements.txt', '# x\n-r other\nflask==2.0  # y\n'), [
    'flask ==2.0',
  ]);
  assert.deepEqual(
    await dependencies('rust', 'Cargo.toml', '[dependencies]\na = "1"\nb = { package = "c", version = "2" }\n'),
    ['a 1', 'c 2'],
  );
  assert.deepEqual(
    await dependencies(
      'java',
      'pom.xml',
      '<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency>',
    ),
    ['g:a 1'],
  );
});
