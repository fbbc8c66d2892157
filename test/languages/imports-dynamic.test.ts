/** Python, PHP, Ruby, Dart, Lua, Elixir, shell: which file an import means. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cases, type Fixture, open } from './imports-fixture.js';

cases(
  'python: packages, relative imports, src layouts, submodules as names',
  {
    files: `src/shop/__init__.py src/shop/cart.py src/shop/money/__init__.py src/shop/money/tax.py src/shop/money/rates.pyi src/shop/logging.py
      src/shop/stub.py src/shop/stub.pyi tests/test_cart.py tests/helpers.py tests/conftest.py scripts/run.py scripts/util.py
      space/part/x.py libs/other/code/other/__init__.py libs/other/code/other/deep.py libs/other/tests/test_o.py services/api/app/__init__.py
      services/api/app/models.py services/api/tests/t.py poetry/pysrc/pp/__init__.py build/out.txt`,
    manifests: {
      'pyproject.toml': '[project]\nname = "shop"\n[tool.setuptools.packages.find]\nwhere = ["src"]\n',
      'libs/other/setup.cfg': '[options]\npackage_dir =\n    = code\n',
      'poetry/pyproject.toml': '[tool.poetry]\npackages = [ { include = "pp", from = "pysrc" } ]\n',
    },
    names: { 'src/shop/__init__.py': 'Shop cart', 'src/shop/money/__init__.py': 'Money' },
  },
  [
    ['tests/test_cart.py', 'shop: Shop', 'src/shop/__init__.py'],
    ['tests/test_cart.py', 'shop.cart: Cart', 'src/shop/cart.py'],
    ['tests/test_cart.py', 'shop.cart: *', 'src/shop/cart.py'],
    ['tests/test_cart.py', 'shop: cart, money', 'src/shop/cart.py src/shop/__init__.py src/shop/money/__init__.py'],
    ['tests/test_cart.py', 'shop.money: tax, Money', 'src/shop/money/tax.py src/shop/money/__init__.py'],
    ['tests/test_cart.py', 'shop.money.rates: R', 'src/shop/money/rates.pyi'],
    ['tests/test_cart.py', 'shop.stub: x', 'src/shop/stub.py'],
    ['tests/test_cart.py', 'helpers: h', 'tests/helpers.py'],
    ['src/shop/cart.py', '.: money', 'src/shop/money/__init__.py'],
    ['src/shop/cart.py', '.money.tax: rate', 'src/shop/money/tax.py'],
    ['src/shop/money/tax.py', '..cart: Cart', 'src/shop/cart.py'],
    ['src/shop/money/tax.py', '..: Shop', 'src/shop/__init__.py'],
    ['src/shop/money/tax.py', '.....: x', 'unresolved'],
    ['src/shop/cart.py', '.gone: x', 'unresolved'],
    ['tests/test_cart.py', 'shop.gone: x', 'unresolved'],
    ['src/shop/cart.py', 'logging: getLogger', 'external logging'],
    ['scripts/run.py', 'util: u', 'scripts/util.py'],
    ['scripts/run.py', 'space.part.x: f', 'space/part/x.py'],
    ['scripts/run.py', 'space.part: x', 'space/part/x.py'],
    ['scripts/run.py', 'build: main', 'external build'],
    ['scripts/run.py', 'numpy.linalg: norm', 'external numpy'],
    ['libs/other/tests/test_o.py', 'other.deep: d', 'libs/other/code/other/deep.py'],
    ['services/api/tests/t.py', 'app.models: M', 'services/api/app/models.py'],
    ['scripts/run.py', 'pp: x', 'poetry/pysrc/pp/__init__.py'],
    ['scripts/run.py', 'shop/cart: x', 'external shop/cart'],
  ],
);

cases(
  'python: of several packages of one name the one that lies nearest to the file',
  {
    files: ['a', 'b', 'c'].map((name) => `apps/${name}/src/util/__init__.py apps/${name}/tests/deep/t.py`).join(' '),
    manifests: Object.fromEntries(['a', 'b', 'c'].map((name) => [`apps/${name}/pyproject.toml`, '[project]\n'])),
  },
  ['a', 'b', 'c'].map((name) => [`apps/${name}/tests/deep/t.py`, 'util: x', `apps/${name}/src/util/__init__.py`]),
);

const PHP: Fixture = {
  files: `src/Models/Cart.php src/Models/Item.php src/helpers.php tests/CartTest.php legacy/Old/Thing.php lib/inc.php public/index.php
    packages/pay/src/Gateway.php misc/strange.php`,
  manifests: {
    'composer.json': {
      autoload: {
        'psr-4': { 'App\\': 'src/', 'App\\Pay\\': ['missing/', 'packages/pay/src/'] },
        'psr-0': { 'Old\\': 'legacy/' },
      },
      'autoload-dev': { 'psr-4': { 'Tests\\': 'tests' } },
    },
  },
  declared: {
    'src/Models/Cart.php': 'App\\Models',
    'src/Models/Item.php': 'App\\Models',
    'misc/strange.php': 'Odd\\Name',
  },
  names: { 'misc/strange.php': 'Fish run' },
};
cases('php: autoload rules, declared namespaces, included files', PHP, [
  ['public/index.php', 'App\\Models: Cart', 'src/Models/Cart.php'],
  ['public/index.php', '\\App\\Models: Cart, Item', 'src/Models/Cart.php src/Models/Item.php'],
  ['public/index.php', 'App\\Pay: Gateway', 'packages/pay/src/Gateway.php'],
  ['public/index.php', 'Old: Thing', 'legacy/Old/Thing.php'],
  ['public/index.php', 'Tests: CartTest', 'tests/CartTest.php'],
  ['public/index.php', 'Odd\\Name: Fish', 'misc/strange.php'],
  ['public/index.php', 'App: Models', 'src/Models/Cart.php src/Models/Item.php (package)'],
  ['public/index.php', 'Symfony\\Component\\Yaml: Yaml', 'external Symfony'],
  ['public/index.php', 'App\\Models: Gone', 'unresolved'],
  ['public/index.php', ': DateTime', 'external DateTime'],
  ['public/index.php', '<include> ../lib/inc.php', 'lib/inc.php'],
  ['public/index.php', "<include> __DIR__ . '/../lib/inc.php", 'lib/inc.php'],
  ['public/index.php', '<include> lib/inc.php', 'lib/inc.php'],
  ['public/index.php', '<include> ../../../etc/passwd', 'unresolved'],
]);
test('php: classes of a namespace need no use', () => {
  assert.equal(open(PHP).peers('src/Models/Cart.php'), 'src/Models/Item.php');
});

cases(
  'ruby: relative, on the load path, in gems of the repository',
  {
    files: `lib/shop.rb lib/shop/cart.rb app/models/user.rb spec/spec_helper.rb spec/cart_spec.rb gems/pay/lib/pay.rb gems/pay/lib/pay/util.rb
      gems/tax/lib/pay/util.rb config/boot.rb gems/pay/pay.gemspec`,
  },
  [
    ['lib/shop.rb', '<include> shop/cart', 'lib/shop/cart.rb'],
    ['lib/shop.rb', '<include> ./shop/cart.rb', 'lib/shop/cart.rb'],
    ['spec/cart_spec.rb', '<include-system> spec_helper', 'spec/spec_helper.rb'],
    ['spec/cart_spec.rb', '<include-system> shop/cart', 'lib/shop/cart.rb'],
    ['spec/cart_spec.rb', '<include-system> user', 'app/models/user.rb'],
    ['spec/cart_spec.rb', '<include-system> pay', 'gems/pay/lib/pay.rb'],
    ['gems/pay/lib/pay.rb', '<include-system> pay/util', 'gems/pay/lib/pay/util.rb'],
    ['lib/shop.rb', '<include-system> json', 'external json'],
    ['lib/shop.rb', '<include> ../../x', 'unresolved'],
  ],
);

cases(
  'dart: package URIs, parts, the SDK',
  {
    files: 'app/lib/main.dart app/lib/src/cart.dart pay/lib/pay.dart app/test/t.dart',
    manifests: { 'app/pubspec.yaml': 'name: shop\nversion: 1.0.0\n', 'pay/pubspec.yaml': "name: 'pay' # local\n" },
  },
  [
    ['app/lib/main.dart', 'src/cart.dart', 'app/lib/src/cart.dart'],
    ['app/test/t.dart', 'package:shop/src/cart.dart', 'app/lib/src/cart.dart'],
    ['app/lib/main.dart', 'package:pay/pay.dart', 'pay/lib/pay.dart'],
    ['app/lib/main.dart', 'package:pay/../../app/lib/main.dart', 'app/lib/main.dart'],
    ['app/lib/main.dart', 'package:flutter/material.dart', 'external flutter'],
    ['app/lib/main.dart', 'dart:io', 'external dart:io'],
    ['app/lib/main.dart', 'gone.dart', 'unresolved'],
  ],
);

cases(
  'lua: dotted names below the usual roots',
  {
    files: 'main.lua cart/init.lua cart/item.lua lua/plugin/core.lua plugins/x/lua/x/util.lua plugins/x/lua/x/init.lua',
  },
  [
    ['main.lua', 'cart', 'cart/init.lua'],
    ['main.lua', 'cart.item', 'cart/item.lua'],
    ['main.lua', 'plugin.core', 'lua/plugin/core.lua'],
    ['plugins/x/lua/x/init.lua', 'x.util', 'plugins/x/lua/x/util.lua'],
    ['main.lua', 'cart/item.lua', 'cart/item.lua'],
    ['main.lua', 'socket.http', 'external socket'],
  ],
);

cases(
  'elixir: modules by the file that defines them',
  {
    files: 'lib/shop/cart.ex lib/shop/order.ex test/cart_test.exs',
    names: { 'lib/shop/cart.ex': 'Shop.Cart Shop.Cart.Item', 'lib/shop/order.ex': 'Shop.Order' },
  },
  [
    ['test/cart_test.exs', 'Shop.Cart: Cart', 'lib/shop/cart.ex'],
    ['test/cart_test.exs', 'Shop.Cart.Item', 'lib/shop/cart.ex'],
    ['test/cart_test.exs', 'Ecto.Query', 'external Ecto'],
  ],
);

cases('shell: the part of a path that is known', { files: 'bin/run.sh bin/lib/log.sh lib/util.sh env.sh' }, [
  ['bin/run.sh', '<include> lib/log.sh', 'bin/lib/log.sh'],
  ['bin/run.sh', '<include> ./lib/log.sh', 'bin/lib/log.sh'],
  ['bin/run.sh', '<include> lib/util.sh', 'lib/util.sh'],
  ['bin/run.sh', '<include> $(dirname "$0")/lib/log.sh', 'bin/lib/log.sh'],
  ['bin/run.sh', '<include> "$(cd "$(dirname "\u0024{BASH_SOURCE[0]}")" && pwd)"/lib/log.sh', 'bin/lib/log.sh'],
  ['bin/run.sh', '<include> \u0024{BASH_SOURCE%/*}/lib/log.sh', 'bin/lib/log.sh'],
  ['bin/run.sh', '<include> "$DIR"/../lib/util.sh', 'lib/util.sh'],
  ['bin/run.sh', '<include> $ROOT/env.sh', 'env.sh'],
  ['bin/run.sh', '<include> $ROOT/$NAME.sh', 'unresolved'],
  ['bin/run.sh', '<include> /etc/profile', 'unresolved'],
  ['bin/run.sh', '<include> $', 'unresolved'],
]);
