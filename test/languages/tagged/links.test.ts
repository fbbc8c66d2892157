/** Languages that data alone describes: what their files say of each other is linked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveTarget } from '../../../src/graph/query/target.js';
import { edgeLines, graphOf, nodeText } from '../../graph/link/project.js';

/** Edges that lead to a definition or a file, without those within a file. */
function links(files: Record<string, string>): string[] {
  const edges = edgeLines(graphOf(files));
  return edges.filter((line) => !line.endsWith('(same-file)') && !/ \?\S+ \(/.test(line));
}

test('terraform: operands of operators and conditions are uses', () => {
  const expression = `count = var.a == "x" && !var.b ? length(var.c) : "\${var.d}-\${local.e}"\n`;
  const text = `resource "aws_x" "web" {\n  ${expression}}\nlocals {\n  e = var.d\n}\n${['a', 'b', 'c', 'd'].map((name) => `variable "${name}" {}\n`).join('')}`;
  const used = edgeLines(graphOf({ 'main.tf': text })).flatMap(
    (line) => /aws_x.web read main.tf:(\S+)/.exec(line)?.[1] ?? [],
  );
  assert.deepEqual(used, ['var.a', 'var.b', 'var.c', 'var.d', 'local.e']);
});

test('terraform: addresses lead to variables, resources and data of the folder; modules to theirs', () => {
  const files = {
    'infra/main.tf':
      'module "network" {\n  source = "./modules/network"\n  region = var.region\n}\nresource "aws_instance" "web" {\n  subnet = module.network.subnet\n  ami = data.aws_ami.base.id\n}\ndata "aws_ami" "base" {}\n',
    'infra/variables.tf': 'variable "region" {}\n',
    'infra/outputs.tf': 'output "ip" {\n  value = aws_instance.web.ip\n}\n',
    'infra/modules/network/main.tf': 'variable "region" {}\noutput "subnet" {\n  value = var.region\n}\n',
  };
  assert.deepEqual(links(files), [
    'infra/main.tf import infra/modules/network/main.tf (path)',
    // The variable of the module gets that of this folder.
    'infra/main.tf:module.network write infra/modules/network/main.tf:var.region (imported)',
    'infra/main.tf:module.network read infra/variables.tf:var.region (package)',
    'infra/main.tf:aws_instance.web read infra/modules/network/main.tf:output.subnet (imported)',
    'infra/outputs.tf:output.ip read infra/main.tf:aws_instance.web (package)',
  ]);
  const within = edgeLines(graphOf(files)).filter((line) => line.endsWith('(same-file)'));
  assert.deepEqual(within, [
    'infra/main.tf:aws_instance.web read infra/main.tf:module.network (same-file)',
    'infra/main.tf:aws_instance.web read infra/main.tf:data.aws_ami.base (same-file)',
    'infra/modules/network/main.tf:output.subnet read infra/modules/network/main.tf:var.region (same-file)',
  ]);
});

/** Files of one language, and the links between them. */
const PROJECTS: Record<string, { files: Record<string, string>; expected: string[] }> = {
  protobuf: {
    files: {
      'proto/shop/money.proto': 'package shop;\nmessage Money { int64 units = 1; }\n',
      'proto/shop/cart.proto':
        'package shop;\nimport "shop/money.proto";\nmessage Cart { shop.Money total = 1; }\nservice Carts { rpc Get(Cart) returns (Money); }\n',
    },
    expected: [
      'proto/shop/cart.proto include proto/shop/money.proto (path)',
      'proto/shop/cart.proto:Cart.total type proto/shop/money.proto:Money (imported)',
      'proto/shop/cart.proto:Carts.Get type proto/shop/money.proto:Money (imported)',
    ],
  },
  perl: {
    files: {
      'lib/Shop/Item.pm': 'package Shop::Item;\nsub price { 1 }\n1;\n',
      'app.pl': 'use Shop::Item;\nsub run { price(1) }\n',
    },
    expected: ['app.pl include lib/Shop/Item.pm (path)', 'app.pl:run call lib/Shop/Item.pm:Shop.Item.price (imported)'],
  },
  make: {
    files: { 'mk/rules.mk': 'CC = gcc\nbuild:\n\techo\n', Makefile: 'include mk/rules.mk\nall: build\n\t$(CC)\n' },
    expected: [
      'Makefile include mk/rules.mk (path)',
      'Makefile:all call mk/rules.mk:build (imported)',
      'Makefile:all read mk/rules.mk:CC (imported)',
    ],
  },
  elm: {
    files: {
      'src/Shop/Item.elm': 'module Shop.Item exposing (..)\nprice x = x\n',
      'src/Main.elm': 'module Main exposing (..)\nimport Shop.Item exposing (price)\nmain = price 1\n',
    },
    expected: [
      'src/Main.elm include src/Shop/Item.elm (path)',
      'src/Main.elm:main call src/Shop/Item.elm:price (imported)',
    ],
  },
  clojure: {
    files: {
      'src/shop/item.clj': '(ns shop.item)\n(defn price [x] x)\n',
      'src/shop/cart.clj': '(ns shop.cart (:require [shop.item :as item]))\n(defn total [x] (item/price x))\n',
    },
    expected: [
      'src/shop/cart.clj include src/shop/item.clj (path)',
      'src/shop/cart.clj:total call src/shop/item.clj:price (imported)',
    ],
  },
  erlang: {
    files: {
      'include/cart.hrl': '-define(LIMIT, 10).\n',
      'src/cart.erl': '-module(cart).\n-include("cart.hrl").\ntotal(X) -> X + ?LIMIT.\n',
    },
    expected: [
      'src/cart.erl include include/cart.hrl (path)',
      'src/cart.erl:total value include/cart.hrl:LIMIT (imported)',
    ],
  },
  solidity: {
    files: {
      'c/Base.sol': 'contract Base { function f() public {} }\n',
      'c/Cart.sol': 'import "./Base.sol";\ncontract Cart is Base { function g() public { f(); } }\n',
    },
    expected: [
      'c/Cart.sol include c/Base.sol (path)',
      'c/Cart.sol:Cart extends c/Base.sol:Base (imported)',
      'c/Cart.sol:Cart.g call c/Base.sol:Base.f (inherited)',
    ],
  },
  cmake: {
    files: {
      'cmake/helpers.cmake': 'function(add_it x)\nendfunction()\n',
      'CMakeLists.txt': 'include(cmake/helpers.cmake)\nadd_it(a)\n',
    },
    expected: [
      'CMakeLists.txt include cmake/helpers.cmake (path)',
      'CMakeLists.txt call cmake/helpers.cmake:add_it (imported)',
    ],
  },
  powershell: {
    files: {
      'lib.ps1': 'function Get-Total { 1 }\n',
      'app.ps1': '. $PSScriptRoot/lib.ps1\nfunction Run { Get-Total 1 }\n',
    },
    expected: ['app.ps1 include lib.ps1 (path)', 'app.ps1:Run call lib.ps1:Get-Total (imported)'],
  },
  julia: {
    files: { 'item.jl': 'price(x) = x\n', 'main.jl': 'include("item.jl")\ntotal(x) = price(x)\n' },
    expected: ['main.jl include item.jl (path)', 'main.jl:total call item.jl:price (imported)'],
  },
  fortran: {
    files: {
      'item.f90': 'module item\ncontains\nsubroutine price()\nend subroutine\nend module\n',
      'main.f90': 'program main\nuse item\ncall price()\nend program\n',
    },
    expected: ['main.f90 include item.f90 (path)', 'main.f90:main call item.f90:item.price (imported)'],
  },
  graphql: {
    files: { 'a.graphql': 'type Cart { id: ID }\n', 'b.graphql': 'type Query { cart: Cart }\n' },
    expected: ['b.graphql:Query.cart type a.graphql:Cart (package)'],
  },
  groovy: {
    files: {
      'a.groovy': 'class Item { def price() { 1 } }\n',
      'b.groovy': 'class Cart { def total() { new Item().price() } }\n',
    },
    expected: [
      'b.groovy:Cart.total new a.groovy:Item (package)',
      'b.groovy:Cart.total call a.groovy:Item.price (receiver)',
    ],
  },
  verilog: {
    files: { 'top.v': 'module top;\n  adder u();\nendmodule\n', 'adder.v': 'module adder;\nendmodule\n' },
    expected: ['top.v:top new adder.v:adder (package)'],
  },
  nix: {
    files: { 'default.nix': '{\n  a = import ./pkg.nix;\n}\n', 'pkg.nix': '{ b = 1; }\n' },
    expected: ['default.nix import pkg.nix (path)'],
  },
};

for (const [name, { files, expected }] of Object.entries(PROJECTS))
  test(`${name}: imports lead to files, and uses to what those define`, () => {
    assert.deepEqual(links(files), expected);
  });

test('a name with dots or colons of its own is found whole, by its end, and with a member', () => {
  const graph = graphOf({
    'main.tf': 'resource "aws_instance" "web" {}\nresource "aws_vpc" "main" {}\n',
    'Item.pm': 'package Shop::Item;\nsub price { 1 }\n1;\n',
  });
  const place = (text: string): string => {
    const result = resolveTarget(graph, text);
    return 'candidates' in result ? '?' : result.nodes.map((node) => nodeText(graph, node)).join();
  };
  assert.equal(place('aws_instance.web'), 'main.tf:aws_instance.web');
  assert.equal(place('web'), 'main.tf:aws_instance.web');
  assert.equal(place('main.tf:aws_vpc.main'), 'main.tf:aws_vpc.main');
  assert.equal(place('Shop::Item'), 'Item.pm:Shop.Item');
  assert.equal(place('Item'), 'Item.pm:Shop.Item');
  assert.equal(place('Shop::Item::price'), 'Item.pm:Shop.Item.price');
});

test('values of Julia, R, Perl, PowerShell, Groovy and Nix: uses in code and interpolations, none of locals, comments and text', () => {
  const files = {
    'a.jl':
      'const RATE = 2\nfunction f(x)\n  x * RATE # RATE\nend\nfunction g(RATE)\n  RATE\nend\nprintln("$(RATE) RATE", x.RATE)\n',
    'a.r':
      'rate <- 2\nf <- function(x) {\n  x * rate # rate\n}\ng <- function(rate) rate\nh <- function() {\n  rate <- 3\n  rate\n}\nprint("rate", x$rate)\n',
    'a.pl':
      'use constant RATE => 2;\nour $total = 1;\nsub f { return RATE * $total; } # $total\nsub g { my ($total) = @_; return $total; }\nprint "$total\\n";\n',
    'a.ps1':
      '$Rate = 2\nfunction Get-One { $rate * 2 } # $rate\nfunction Get-Two($Rate) { $Rate }\nfunction Set-It { $script:Rate = 3 }\nWrite-Host "$Rate" \'$Rate\'\n',
    'a.groovy': `class Cart {\n  static final int MAX = 3;\n  def f(x) { x * MAX } // MAX\n  def g(MAX) { MAX }\n  def h() { "\${MAX} MAX" }\n}\n`,
    'a.nix': `let rate = 2; in\nrec {\n  make = x: x * rate; # rate\n  other = rate: rate + 1;\n  text = "\${toString rate} rate";\n}\n`,
  };
  assert.deepEqual(
    edgeLines(graphOf(files)).filter((line) => / (?:read|write) /.test(line)),
    [
      'a.groovy:Cart.f read a.groovy:Cart.MAX (same-file)',
      'a.groovy:Cart.h read a.groovy:Cart.MAX (same-file)',
      'a.jl read a.jl:RATE (same-file)',
      'a.jl:f read a.jl:RATE (same-file)',
      'a.nix:make read a.nix:rate (same-file)',
      'a.nix:text read a.nix:rate (same-file)',
      'a.pl read a.pl:total (same-file)',
      'a.pl:f read a.pl:RATE (same-file)',
      'a.pl:f read a.pl:total (same-file)',
      'a.ps1 read a.ps1:Rate (same-file)',
      'a.ps1:Get-One read a.ps1:Rate (same-file)',
      'a.ps1:Set-It write a.ps1:Rate (same-file)',
      'a.r:f read a.r:rate (same-file)',
    ],
  );
});
