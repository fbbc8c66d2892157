/** Java, Kotlin, Scala and C#; style sheets and HTML: which files an import means. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cases, type Fixture, open } from './imports-fixture.js';

const JVM: Fixture = {
  files: `core/src/main/java/shop/Cart.java core/src/main/java/shop/Money.java core/src/main/kotlin/shop/util/Util.kt
    core/src/test/java/shop/CartTest.java core/src/test/java/shop/Fixtures.java app/src/main/scala/shop/app/Main.scala
    app/src/main/scala/shop/app/sub/Sub.scala app/src/main/java/shop/Cart.java app/src/main/scala/shop/app/package.scala Root.java`,
  declared: {
    'core/src/main/java/shop/Cart.java': 'shop',
    'core/src/main/java/shop/Money.java': 'shop',
    'core/src/main/kotlin/shop/util/Util.kt': 'shop.util',
    'core/src/test/java/shop/CartTest.java': 'shop',
    'core/src/test/java/shop/Fixtures.java': 'shop',
    'app/src/main/scala/shop/app/Main.scala': 'shop.app',
    'app/src/main/scala/shop/app/sub/Sub.scala': 'shop.app.sub',
    'app/src/main/java/shop/Cart.java': 'shop',
  },
  names: {
    'core/src/main/java/shop/Cart.java': 'Cart',
    'core/src/main/java/shop/Money.java': 'Money Currency',
    'core/src/main/kotlin/shop/util/Util.kt': 'round Rounding',
    'core/src/test/java/shop/CartTest.java': 'CartTest',
    'app/src/main/scala/shop/app/Main.scala': 'Main Config',
    'app/src/main/scala/shop/app/sub/Sub.scala': 'Sub',
    'app/src/main/java/shop/Cart.java': 'Cart',
    'Root.java': 'Root',
  },
};
cases('java, kotlin, scala: classes, functions, wildcards, inner classes', JVM, [
  ['core/src/main/kotlin/shop/util/Util.kt', 'shop: Cart', 'core/src/main/java/shop/Cart.java'],
  ['app/src/main/scala/shop/app/Main.scala', 'shop: Cart', 'app/src/main/java/shop/Cart.java'],
  ['core/src/main/java/shop/Cart.java', 'shop.util: round', 'core/src/main/kotlin/shop/util/Util.kt'],
  ['core/src/main/java/shop/Cart.java', 'shop.util: UtilKt', 'core/src/main/kotlin/shop/util/Util.kt'],
  ['core/src/main/java/shop/Cart.java', 'shop.util: *', 'core/src/main/kotlin/shop/util/Util.kt (package)'],
  ['core/src/main/java/shop/Cart.java', 'shop.Money: Currency', 'core/src/main/java/shop/Money.java'],
  ['core/src/main/java/shop/Cart.java', 'shop.Money.Unit: EURO', 'core/src/main/java/shop/Money.java'],
  ['core/src/main/java/shop/Cart.java', 'shop: Gone', 'unresolved'],
  ['core/src/main/java/shop/Cart.java', 'java.util: List', 'external java.util'],
  ['core/src/main/java/shop/Cart.java', 'java.util.Map: Entry', 'external java.util'],
  ['app/src/main/scala/shop/app/Main.scala', 'sub: Sub', 'app/src/main/scala/shop/app/sub/Sub.scala'],
  ['app/src/main/scala/shop/app/sub/Sub.scala', '_root_.shop.app: Main', 'app/src/main/scala/shop/app/Main.scala'],
  ['app/src/main/scala/shop/app/Main.scala', 'Config: *', 'app/src/main/scala/shop/app/Main.scala'],
  ['app/src/main/scala/shop/app/Main.scala', 'shop.app: sub', 'app/src/main/scala/shop/app/sub/Sub.scala (package)'],
  ['app/src/main/scala/shop/app/Main.scala', '_root_.sub: Sub', 'external sub'],
  ['app/src/main/scala/shop/app/sub/Sub.scala', 'shop.app: Alias', 'app/src/main/scala/shop/app/package.scala'],
  ['core/src/main/java/shop/Cart.java', ': Root', 'Root.java'],
  ['core/src/main/java/shop/Cart.java', ': sys', 'external sys'],
]);
test('java: a package is seen within its module; tests see what they test', () => {
  const { peers } = open(JVM);
  assert.equal(peers('core/src/main/java/shop/Cart.java'), 'core/src/main/java/shop/Money.java');
  assert.equal(
    peers('core/src/test/java/shop/CartTest.java'),
    'core/src/main/java/shop/Cart.java core/src/main/java/shop/Money.java core/src/test/java/shop/Fixtures.java',
  );
});

const CSHARP: Fixture = {
  files: 'Shop/Cart.cs Shop/Item.cs Shop/Money/Tax.cs App/Program.cs Global.cs',
  declared: {
    'Shop/Cart.cs': 'Acme.Shop',
    'Shop/Item.cs': 'Acme.Shop',
    'Shop/Money/Tax.cs': 'Acme.Shop.Money',
    'App/Program.cs': 'Acme.App',
  },
  names: { 'Shop/Cart.cs': 'Cart', 'Shop/Item.cs': 'Item', 'Shop/Money/Tax.cs': 'Tax', 'Global.cs': 'Everywhere' },
};
cases('c#: namespaces, static and aliased types', CSHARP, [
  ['App/Program.cs', 'Acme.Shop: *', 'Shop/Cart.cs Shop/Item.cs (package)'],
  ['App/Program.cs', 'Acme.Shop.Money.Tax: *', 'Shop/Money/Tax.cs'],
  ['App/Program.cs', 'Acme.Shop: Item', 'Shop/Item.cs'],
  ['App/Program.cs', 'global::Acme.Shop: Item', 'Shop/Item.cs'],
  ['App/Program.cs', 'Shop.Money: *', 'Shop/Money/Tax.cs (package)'],
  ['App/Program.cs', 'System.Collections.Generic: *', 'external System.Collections'],
  ['App/Program.cs', 'Acme.Shop: Gone', 'unresolved'],
]);
test('c#: names of the namespaces around a file are in scope', () => {
  assert.equal(open(CSHARP).peers('Shop/Money/Tax.cs'), 'Global.cs Shop/Cart.cs Shop/Item.cs');
  assert.equal(open(CSHARP).peers('Shop/Cart.cs'), 'Global.cs Shop/Item.cs');
});
test('c#: names of the usings of a project, and of Directory.Build.props, are in scope below its directory', () => {
  const text = '<Project><ItemGroup><Using Include="Acme.Shop.Money" /></ItemGroup></Project>';
  const around = (manifest: string) => open({ ...CSHARP, manifests: { [manifest]: text } }).peers('App/Program.cs');
  assert.equal(open(CSHARP).peers('App/Program.cs'), 'Global.cs');
  for (const manifest of ['App/App.csproj', 'App/Directory.Build.props', 'Directory.Build.props'])
    assert.equal(around(manifest), 'Global.cs Shop/Money/Tax.cs', manifest);
  for (const manifest of ['Shop/Shop.csproj', 'Shop/Directory.Build.props'])
    assert.equal(around(manifest), 'Global.cs', manifest);
});

cases(
  'style sheets and pages: partials, load roots, packages, what is served',
  {
    files: `web/src/main.scss web/src/_vars.scss web/src/theme/_index.scss web/src/a.css web/src/b.less web/src/c.less web/styles/mixins.scss
      web/index.html web/src/main.ts web/public/site.css packages/kit/scss/kit.scss packages/kit/index.css docs/page.html docs/page.js`,
    others: 'web/public/icon.png',
    manifests: {
      'web/package.json': { name: 'web' },
      'package.json': { workspaces: ['packages/*', 'web'] },
      'packages/kit/package.json': { name: '@shop/kit', main: 'index.css' },
    },
  },
  [
    ['web/src/main.scss', 'vars', 'web/src/_vars.scss'],
    ['web/src/main.scss', './vars', 'web/src/_vars.scss'],
    ['web/src/main.scss', 'theme', 'web/src/theme/_index.scss'],
    ['web/src/main.scss', 'mixins', 'web/styles/mixins.scss'],
    ['web/src/main.scss', '~@shop/kit/scss/kit', 'packages/kit/scss/kit.scss'],
    ['web/src/main.scss', '@shop/kit', 'packages/kit/index.css'],
    ['web/src/main.scss', 'sass:math', 'external sass:math'],
    ['web/src/main.scss', '~bootstrap/scss/bootstrap', 'external bootstrap'],
    ['web/src/main.scss', 'gone', 'unresolved'],
    ['web/src/a.css', 'b.less', 'web/src/b.less'],
    ['web/src/b.less', 'c', 'web/src/c.less'],
    ['web/src/a.css', 'https://example.com/x.css', 'external https:'],
    ['web/index.html', '/src/main.ts', 'web/src/main.ts'],
    ['web/index.html', '/site.css?v=3', 'web/public/site.css'],
    ['web/index.html', '/icon.png', 'asset web/public/icon.png'],
    ['web/index.html', '//cdn.example.com/x.js', 'external //cdn.example.com/x.js'],
    ['docs/page.html', 'page.js', 'docs/page.js'],
    ['docs/page.html', '../../etc/passwd', 'unresolved'],
  ],
);
