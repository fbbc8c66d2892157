/** Go, Rust, C and C++, Swift, Haskell: which files an import means. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cases, type Fixture, open } from './imports-fixture.js';

const GO: Fixture = {
  files: `main.go cart/cart.go cart/money.go cart/cart_test.go cart/export_test.go cart/outer_test.go tools/gen/gen.go tools/lib/lib.go
    vendor/github.com/pkg/errors/errors.go shared/log/log.go cart/doc.md`,
  manifests: {
    'go.mod': 'module example.com/shop/v2\n\nrequire x v1.0.0\nreplace example.com/shared => ./shared\n',
    'tools/go.mod': 'module "example.com/tools" // nested\n',
    'go.work': 'use (\n\t.\n\t./tools\n)\n',
  },
  declared: {
    'main.go': 'main',
    'cart/cart.go': 'cart',
    'cart/money.go': 'cart',
    'cart/cart_test.go': 'cart',
    'cart/export_test.go': 'cart',
    'cart/outer_test.go': 'cart_test',
  },
};
cases('go: module paths, nested modules, replacements, vendor', GO, [
  ['main.go', 'example.com/shop/v2/cart', 'cart/cart.go cart/money.go (package)'],
  ['tools/gen/gen.go', 'example.com/tools/lib', 'tools/lib/lib.go (package)'],
  ['main.go', 'example.com/shared/log', 'shared/log/log.go (package)'],
  ['main.go', 'github.com/pkg/errors', 'vendor/github.com/pkg/errors/errors.go (package)'],
  ['main.go', './cart', 'cart/cart.go cart/money.go (package)'],
  ['main.go', 'example.com/shop/v2/gone', 'unresolved'],
  ['main.go', 'example.com/shop', 'external example.com/shop'],
  ['main.go', 'github.com/gin-gonic/gin/binding', 'external github.com/gin-gonic/gin'],
  ['main.go', 'net/http', 'external net'],
  ['main.go', 'example.com/shop/v2/../../x', 'unresolved'],
]);
cases(
  'go: an inner module has a vendor directory of its own, which no other module sees',
  {
    files: 'main.go tools/gen/gen.go tools/vendor/github.com/pkg/errors/errors.go',
    manifests: { 'go.mod': 'module example.com/shop\n', 'tools/go.mod': 'module example.com/tools\n' },
  },
  [
    ['tools/gen/gen.go', 'github.com/pkg/errors', 'tools/vendor/github.com/pkg/errors/errors.go (package)'],
    ['main.go', 'github.com/pkg/errors', 'external github.com/pkg/errors'],
  ],
);
test('go: files of a package see each other, tests are seen by tests only', () => {
  const { peers } = open(GO);
  assert.equal(peers('cart/cart.go'), 'cart/money.go');
  assert.equal(peers('cart/cart_test.go'), 'cart/cart.go cart/export_test.go cart/money.go');
  assert.equal(peers('cart/outer_test.go'), '');
});

cases(
  'rust: modules, crates of the workspace, paths',
  {
    files: `core/src/lib.rs core/src/cart.rs core/src/cart/item.rs core/src/cart/price/mod.rs core/src/cart/price/tax.rs core/src/util.rs
      core/src/main.rs core/src/bin/tool.rs core/src/bin/tool/args.rs core/src/bin/big/main.rs core/src/bin/big/part.rs core/tests/all.rs
      core/tests/common/mod.rs core/build.rs core/src/odd/place.rs core/src/args.rs core/src/both.rs shop-api/lib/api.rs shop-api/lib/routes.rs
      loose/lib.rs loose/a.rs`,
    manifests: {
      'Cargo.toml':
        '[workspace]\nmembers = ["core", "shop-*"]\n[workspace.dependencies]\nbase = { path = "core", package = "shop-core" }\n',
      'core/Cargo.toml': '[package]\nname = "shop-core" # with a dash\n',
      'shop-api/Cargo.toml':
        '[package]\nname = "shop-api"\n[lib]\npath = "lib/api.rs"\n[dependencies]\nshop-core = { path = "../core" }\nrenamed = { path = "../core", package = "shop-core" }\nserde = "1"\nbase.workspace = true\n',
    },
    declared: { 'core/src/main.rs': 'args both', 'core/src/lib.rs': 'both' },
    names: { 'core/src/cart.rs': 'inline' },
    enclosing: { 'core/src/util.rs': ['tests'], 'core/src/cart/price/tax.rs': [] },
  },
  [
    ['core/src/lib.rs', '<module> cart', 'core/src/cart.rs'],
    ['core/src/cart.rs', '<module> item', 'core/src/cart/item.rs'],
    ['core/src/cart.rs', '<module> price', 'core/src/cart/price/mod.rs'],
    ['core/src/cart/price/mod.rs', '<module> tax', 'core/src/cart/price/tax.rs'],
    ['core/src/lib.rs', '<module> odd/place.rs', 'core/src/odd/place.rs'],
    ['core/src/lib.rs', '<module> gone', 'unresolved'],
    ['core/tests/all.rs', '<module> common', 'core/tests/common/mod.rs'],
    ['core/src/bin/tool.rs', '<module> args', 'unresolved'],
    ['core/src/bin/big/main.rs', '<module> part', 'core/src/bin/big/part.rs'],
    ['core/src/cart/item.rs', 'crate::cart::price::tax: Rate', 'core/src/cart/price/tax.rs'],
    ['core/src/cart/item.rs', 'crate: util, cart, Error', 'core/src/util.rs core/src/cart.rs core/src/lib.rs'],
    ['core/src/cart/item.rs', 'super: Cart', 'core/src/cart.rs'],
    ['core/src/cart/price/tax.rs', 'super::super: Cart', 'core/src/cart.rs'],
    ['core/src/cart/price/mod.rs', 'super::item: Item', 'core/src/cart/item.rs'],
    ['core/src/cart.rs', 'self::item: Item', 'core/src/cart/item.rs'],
    ['core/src/cart.rs', 'item: Item', 'core/src/cart/item.rs'],
    ['core/src/cart.rs', 'super::util: *', 'core/src/util.rs'],
    ['core/src/util.rs', 'super: *', 'core/src/util.rs'],
    ['core/src/util.rs', 'super::super::cart: Cart', 'core/src/cart.rs'],
    ['core/src/lib.rs', 'super: x', 'unresolved'],
    ['core/src/cart.rs', 'crate::cart::Kind: A', 'core/src/cart.rs'],
    ['shop-api/lib/routes.rs', 'crate: Api', 'shop-api/lib/api.rs'],
    ['shop-api/lib/api.rs', 'shop_core::cart: Cart', 'core/src/cart.rs'],
    ['shop-api/lib/api.rs', 'renamed::util: x', 'core/src/util.rs'],
    ['shop-api/lib/api.rs', 'base::util: x', 'core/src/util.rs'],
    ['core/tests/all.rs', 'shop_core::cart::item: Item', 'core/src/cart/item.rs'],
    ['core/src/main.rs', 'shop_core: run', 'core/src/lib.rs'],
    ['core/src/args.rs', 'crate: Args', 'core/src/main.rs'],
    ['core/src/both.rs', 'crate: Both', 'core/src/lib.rs'],
    ['core/src/cart.rs', 'Kind: *', 'core/src/cart.rs'],
    ['core/src/cart.rs', 'inline: x', 'core/src/cart.rs'],
    ['core/src/cart.rs', 'alias: x', 'unresolved'],
    ['shop-api/lib/api.rs', 'serde: Serialize', 'external serde'],
    ['shop-api/lib/api.rs', 'std::collections: HashMap', 'external std'],
    ['loose/a.rs', 'crate: x', 'loose/lib.rs'],
  ],
);

cases(
  'c and c++: beside the file, then wherever include directories lead',
  {
    files: `src/main.c src/cart.h src/net/http.c src/net/cart.h include/shop/api.h include/shop/config.h third/a/util.h third/b/util.h
      third/a/x.c src/string.h lib/special.hpp lib/more.hpp
      src/main.cpp README.md`,
    others: 'include/shop/logo.h',
    names: { 'lib/special.hpp': 'shop Cart', 'lib/more.hpp': 'shop Item', 'src/cart.h': 'Cart' },
  },
  [
    ['src/main.c', '<include> cart.h', 'src/cart.h'],
    ['src/net/http.c', '<include> cart.h', 'src/net/cart.h'],
    ['src/net/http.c', '<include> ../cart.h', 'src/cart.h'],
    ['src/main.c', '<include> shop/api.h', 'include/shop/api.h'],
    ['src/main.c', '<include-system> shop/api.h', 'include/shop/api.h'],
    ['src/main.c', '<include> util.h', 'unresolved'],
    ['third/a/x.c', '<include-system> util.h', 'third/a/util.h'],
    ['src/main.c', '<include-system> string.h', 'external string.h'],
    ['src/main.c', '<include> string.h', 'src/string.h'],
    ['src/main.c', '<include-system> openssl/ssl.h', 'external openssl'],
    ['src/main.c', '<include> gone.h', 'unresolved'],
    ['src/main.c', '<include> ../../../etc/passwd', 'unresolved'],
    ['src/main.c', '<include> shop/logo.h', 'asset include/shop/logo.h'],
    ['src/main.cpp', 'std::chrono: seconds', 'external std'],
    ['src/main.cpp', 'shop: Cart', 'lib/special.hpp (package)'],
    ['src/main.cpp', 'shop: *', 'lib/more.hpp lib/special.hpp (package)'],
    ['src/main.cpp', 'other: Cart', 'unresolved'],
  ],
);

const SWIFT: Fixture = {
  files:
    'Sources/Cart/Cart.swift Sources/Cart/Sub/Item.swift Sources/App/main.swift Tests/CartTests/T.swift odd/place/Money.swift App.swift View.swift',
  manifests: {
    'Package.swift':
      'let package = Package(name: "Shop", targets: [\n.target(name: "Cart", dependencies: []),\n.target(name: "Money", path: "odd/place"), .testTarget(name: "CartTests")])',
  },
};
cases('swift: modules of Package.swift and of Sources', SWIFT, [
  ['Sources/App/main.swift', 'Cart: *', 'Sources/Cart/Cart.swift Sources/Cart/Sub/Item.swift (package)'],
  ['Sources/App/main.swift', 'Money: *', 'odd/place/Money.swift (package)'],
  ['Sources/App/main.swift', 'Foundation: *', 'external Foundation'],
]);
test('swift: files of a module see each other', () => {
  const { peers } = open(SWIFT);
  assert.equal(peers('Sources/Cart/Cart.swift'), 'Sources/Cart/Sub/Item.swift');
  assert.equal(peers('App.swift'), 'View.swift');
  assert.equal(peers('odd/place/Money.swift'), '');
});

cases(
  'haskell: by the declared module, else by the place',
  {
    files: 'src/Shop/Cart.hs src/Shop/Plain.hs app/Main.hs other/Odd.hs',
    declared: { 'src/Shop/Cart.hs': 'Shop.Cart', 'other/Odd.hs': 'Shop.Money', 'app/Main.hs': 'Main' },
  },
  [
    ['app/Main.hs', 'Shop.Cart: total', 'src/Shop/Cart.hs'],
    ['app/Main.hs', 'Shop.Money', 'other/Odd.hs'],
    ['app/Main.hs', 'Shop.Plain', 'src/Shop/Plain.hs'],
    ['app/Main.hs', 'Data.Map', 'external Data.Map'],
  ],
);
