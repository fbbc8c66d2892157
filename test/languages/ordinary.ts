/** A piece of ordinary code of each language that is parsed. `#N` stands for a number, so that files of any length can be made of it. */
import type { LanguageId } from '../../src/languages/registry.js';

export interface Ordinary {
  /** Repeated with other numbers; ends with a line end. */
  piece: string;
  /** Head of a function, or what comes nearest to it, which its line leaves unfinished. */
  head: string;
  /** Stands once before and behind the pieces. */
  before?: string;
  after?: string;
}

const SCRIPT = `// Adds what is in a cart.
export function total#N(items, rate = 1.2) {
  const open = items.filter((item) => item.count > 0 && !item.sold);
  if (open.length === 0) return { sum: 0, text: 'empty' };
  return { sum: open.reduce((sum, { price, count }) => sum + price * count, 0) * rate, text: \`\${open.length} items\` };
}
`;
const TYPED = `/** A cart. */
export class Cart#N extends Base implements Shown {
  private readonly items: Map<string, number> = new Map();
  add(name: string, count = 1): this {
    this.items.set(name, (this.items.get(name) ?? 0) + count);
    return this;
  }
}
export type Row#N = { name: string; count: number } | null;
`;
const C = `/* Adds what is in a cart. */
static int total_#N(struct cart *cart, int rate)
{
    int sum = 0;
    for (int i = 0; i < cart->count; i++) {
        if (cart->items[i].sold) continue;
        sum += cart->items[i].price * rate;
    }
    return sum > LIMIT ? LIMIT : sum;
}
`;
const STYLE = `.cart-#N > li:hover, #total { color: red; margin: 0 4px; background: url("cart.png"); }
@media (max-width: 600px) { .cart-#N { display: none; } }
`;
const PAGE = `<section id="cart#N" class="open"><h2>Cart</h2><p>Two <b>items</b>, <a href="/cart">more</a></p></section>
`;

export const ORDINARY: Partial<Record<LanguageId, Ordinary>> = {
  typescript: { piece: TYPED, head: 'export function total#N(items: Item[], rate' },
  tsx: {
    piece: `${TYPED}export const Row#N = ({ name }: Props) => <li className="row">{name} <b>{sum(name)}</b></li>;\n`,
    head: 'export function total#N(items: Item[], rate',
  },
  javascript: { piece: SCRIPT, head: 'function total#N(items, rate' },
  python: {
    piece: `class Cart#N(Base):
    """A cart."""

    def total(self, rate=1.2):
        items = [item.price * rate for item in self.items if not item.sold]
        if not items:
            return {"sum": 0, "text": 'empty'}
        return {"sum": sum(items), "text": f"{len(items)} items"}


`,
    head: 'def total#N(items, rate',
  },
  java: {
    piece: `/** A cart. */
class Cart#N extends Base implements Shown {
    private final List<Item> items = new ArrayList<>();
    public int total(int rate) throws ShopException {
        if (items.isEmpty()) throw new ShopException("empty");
        return items.stream().filter(item -> !item.sold).mapToInt(item -> item.price * rate).sum();
    }
}
`,
    head: 'public int total#N(int rate',
  },
  kotlin: {
    piece: `/** A cart. */
class Cart#N(private val items: List<Item>) : Base() {
    fun total(rate: Int = 2): Int {
        if (items.isEmpty()) return 0
        return items.filter { !it.sold }.sumOf { it.price * rate }
    }
}
`,
    head: 'fun total#N(rate: Int',
  },
  scala: {
    piece: `/** A cart. */
class Cart#N(items: List[Item]) extends Base {
  def total(rate: Int): Int = {
    val open = items.filter(item => !item.sold)
    if (open.isEmpty) 0 else open.map(_.price * rate).sum
  }
}
`,
    head: 'def total#N(rate: Int',
  },
  c: { piece: C, head: 'static int total_#N(struct cart *cart, int rate' },
  cpp: {
    piece: `/// A cart.
class Cart#N : public Base {
 public:
  explicit Cart#N(std::string name) : name_(std::move(name)) {}
  int total(int rate) const {
    int sum = 0;
    for (const auto& item : items_) sum += item.price * rate;
    return sum;
  }
 private:
  std::vector<Item> items_;
};
`,
    head: 'int Cart#N::total(int rate',
  },
  csharp: {
    piece: `/// <summary>A cart.</summary>
public class Cart#N : Base, IShown
{
    private readonly List<Item> items = new();
    public int Total(int rate)
    {
        if (items.Count == 0) throw new ShopException("empty");
        return items.Where(item => !item.Sold).Sum(item => item.Price * rate);
    }
}
`,
    head: 'public int Total#N(int rate',
  },
  go: {
    piece: `// Total#N adds what is in a cart.
func (c *Cart) Total#N(rate int) (int, error) {
	sum := 0
	for _, item := range c.items {
		if item.Sold {
			continue
		}
		sum += item.Price * rate
	}
	return sum, nil
}
`,
    head: 'func (c *Cart) Total#N(rate int',
    before: 'package shop\n',
  },
  rust: {
    piece: `/// Adds what is in a cart.
pub fn total_#N(items: &[Item], rate: u32) -> Result<u32, Error> {
    let open: Vec<_> = items.iter().filter(|item| !item.sold).collect();
    if open.is_empty() {
        return Err(Error::Empty("none"));
    }
    Ok(open.iter().map(|item| item.price * rate).sum())
}
`,
    head: 'pub fn total_#N(items: &[Item], rate',
  },
  ruby: {
    piece: `# A cart.
class Cart#N < Base
  attr_reader :items
  def total(rate = 2)
    return 0 if items.empty?
    items.reject { |item| item.sold? }.sum { |item| item.price * rate }
  end
end
`,
    head: 'def total#N(items, rate',
  },
  php: {
    piece: `/** A cart. */
final class Cart#N extends Base
{
    private array $items = [];
    public function total(int $rate = 2): int
    {
        if ($this->items === []) return 0;
        return array_sum(array_map(fn (Item $item) => $item->price * $rate, $this->items));
    }
}
`,
    head: 'function total#N($items, $rate',
    before: '<?php\n',
  },
  swift: {
    piece: `/// A cart.
public class Cart#N: Base {
    private var items: [Item] = []
    public func total(rate: Int) -> Int {
        guard !items.isEmpty else { return 0 }
        return items.filter { !$0.sold }.map { $0.price * rate }.reduce(0, +)
    }
}
`,
    head: 'public func total#N(rate: Int',
  },
  bash: {
    piece: `# Adds what is in a cart.
total_#N() {
  local sum=0 item
  for item in "\${items[@]}"; do
    if [[ -n "$item" && "$item" != sold* ]]; then
      sum=$((sum + $(price "$item")))
    fi
  done
  echo "total: $sum"
}
`,
    head: 'total_#N() {',
  },
  lua: {
    piece: `-- Adds what is in a cart.
function Cart.total#N(items, rate)
  local sum = 0
  for _, item in ipairs(items) do
    if not item.sold then sum = sum + item.price * rate end
  end
  return sum, "done"
end
`,
    head: 'function Cart.total#N(items, rate',
  },
  elixir: {
    piece: `defmodule Shop.Cart#N do
  @moduledoc "A cart."
  def total(items, rate \\\\ 2) do
    items
    |> Enum.reject(fn item -> item.sold end)
    |> Enum.map(&(&1.price * rate))
    |> Enum.sum()
  end
end
`,
    head: 'def total#N(items, rate',
  },
  dart: {
    piece: `/// A cart.
class Cart#N extends Base {
  final List<Item> items = [];
  int total({int rate = 2}) {
    if (items.isEmpty) return 0;
    return items.where((item) => !item.sold).fold(0, (sum, item) => sum + item.price * rate);
  }
}
`,
    head: 'int total#N(List<Item> items, int rate',
  },
  haskell: {
    piece: `-- | Adds what is in a cart.
total#N :: [Item] -> Int -> Int
total#N items rate
  | null open = 0
  | otherwise = sum (map ((* rate) . price) open)
  where
    open = filter (not . sold) items

`,
    head: 'total#N :: [Item] -> (Int',
    before: 'module Shop.Cart where\n\n',
  },
  html: {
    piece: PAGE,
    head: '<div class="cart#N',
    before: '<!doctype html>\n<html><body>\n',
    after: '</body></html>\n',
  },
  css: { piece: STYLE, head: '.cart-#N' },
  scss: {
    piece: `@mixin cart-#N($size) { width: $size; &:hover { color: red; } }\n${STYLE}`,
    head: '@mixin cart-#N($size',
  },
  less: { piece: `.cart-#N(@size) { width: @size; &:hover { color: red; } }\n${STYLE}`, head: '.cart-#N(@size' },
  sql: {
    piece: `-- Carts.
create table cart_#N (id integer primary key, name varchar(20) not null, price numeric(10, 2) default 0);
create view open_#N as select c.id, c.name from cart_#N c where c.price > 10 and c.name like 'a%' order by c.id;
`,
    head: 'create table cart_#N (id integer',
  },
  json: {
    piece: `{ "cart#N": { "items": [1, 2.5, "three", null], "open": true, "owner": { "name": "Ada" } } },\n`,
    head: '{ "cart#N',
    before: '[\n',
    after: 'null]\n',
  },
  yaml: {
    piece: `cart#N:\n  items:\n    - name: book\n      price: 12.5\n    - name: "pen"\n  open: true\n`,
    head: 'cart#N: [a,',
  },
  toml: {
    piece: `[cart#N]\nname = "books"\nprices = [1, 2.5]\nowner = { name = "Ada", open = true }\n\n`,
    head: '[cart#N',
  },
  ini: {
    piece: `[cart#N]\nname = books\nprices = 1, 2\n\n`,
    head: '[cart#N',
  },
  markdown: {
    piece: `## Cart #N\n\nA cart holds *items*, see [the shop](shop.md) and \`total()\`.\n\n- one\n- two\n\n\`\`\`js\ntotal(1);\n\`\`\`\n\n`,
    head: '## Cart [#N',
  },
  vue: {
    piece: `<p>{{ total#N(items) }} <cart-list :items="items" @open="total#N(1)" /></p>\n`,
    head: '<p>{{ total#N(items',
    before: '<template>\n',
    after: `</template>\n<script setup>\nfunction total1(items) { return items.length; }\n</script>\n`,
  },
  svelte: {
    piece: `<p on:click={() => total#N(1)}>{total#N(items)} <CartList {items} /></p>\n`,
    head: '<p>{total#N(items',
    before: '<script>\n  export let items;\n  function total1(items) { return items.length; }\n</script>\n',
  },
  astro: {
    piece: `<CartList items={items}>{total#N(items)}</CartList>\n`,
    head: '<p>{total#N(items',
    before: `---\nimport CartList from './CartList.astro';\nconst items = [1];\n---\n`,
  },
  erb: {
    piece: `<% @items#N.each do |item| %>\n  <p class="cart"><%= link_to item.name, cart_path(item) %></p>\n<% end %>\n<%= render 'total', count: @items#N.size %>\n`,
    head: '<p><%= total#N(items',
  },
  haml: {
    piece: `- @items#N.each do |item|\n  %p.cart= link_to item.name, cart_path(item)\n= render 'total', count: @items#N.size\n`,
    head: '%p= total#N(items',
  },
  blade: {
    piece: `@foreach ($items#N as $item)\n  <p>{{ $item->name() }}</p>\n  @include('shop.total', ['count' => 1])\n@endforeach\n`,
    head: '<p>{{ total#N($items',
  },
  twig: {
    piece: `{% for item in items#N %}\n  <p>{{ item.name|title }}</p>\n  {% include 'shop/total.html.twig' %}\n{% endfor %}\n`,
    head: '<p>{{ total#N(items',
  },
  templ: {
    piece: `{{/* Labels. */}}\n{{- define "shop.labels#N" -}}\nname: {{ include "shop.name" . | quote }}\n{{- if .Values.cart.open }}\nopen: "{{ .Values.cart.open }}"\n{{- end }}\n{{- end }}\n`,
    head: '{{- define "shop.name#N"',
  },
  dockerfile: {
    piece: `FROM node:20 AS build#N\nARG VERSION=1\nWORKDIR /app\nCOPY --from=build1 /app/cart.js ./cart.js\nRUN npm ci && npm run "build"\n`,
    head: 'FROM node:20 AS build#N [',
  },
  makefile: {
    piece: `# Builds.\ncart#N: item.o price.o\n\t$(CC) -o $@ $^ $(FLAGS)\nFLAGS#N := -O2 $(patsubst %.c,%.o,a.c)\n`,
    head: 'cart#N: $(item',
  },
  perl: {
    piece: `# Adds what is in a cart.
sub total#N {
    my ($self, $rate) = @_;
    my @open = grep { !$_->{sold} } @{ $self->{items} };
    return 0 if $self->{name} =~ /^none[{]/;
    return sum(map { $_->{price} * $rate } @open);
}
`,
    head: 'sub total#N {',
  },
  r: {
    piece: `# Adds what is in a cart.\ntotal#N <- function(items, rate = 2) {\n  open <- items[!items$sold, ]\n  if (nrow(open) == 0) return(0)\n  sum(open$price * rate)\n}\n`,
    head: 'total#N <- function(items, rate',
  },
  julia: {
    piece: `"Adds what is in a cart."\nfunction total#N(items::Vector{Item}, rate = 2)\n    open = filter(item -> !item.sold, items)\n    isempty(open) && return 0\n    return sum(item.price * rate for item in open)\nend\n`,
    head: 'function total#N(items::Vector{Item}, rate',
  },
  clojure: {
    piece: `;; Adds what is in a cart.\n(defn total#N\n  "The sum."\n  [items rate]\n  (->> items (remove :sold) (map #(* rate (:price %))) (reduce + 0)))\n`,
    head: '(defn total#N [items rate',
  },
  erlang: {
    piece: `%% Adds what is in a cart.\n-spec total#N(list(), integer()) -> integer().\ntotal#N([], _Rate) -> 0;\ntotal#N([Item | Rest], Rate) ->\n    price(Item) * Rate + total#N(Rest, Rate).\n`,
    head: 'total#N([Item | Rest], Rate',
  },
  ocaml: {
    piece: `(* Adds what is in a cart. *)\nlet total#N items rate =\n  let opened = List.filter (fun item -> not item.sold) items in\n  List.fold_left (fun sum item -> sum + (item.price * rate)) 0 opened\n`,
    head: 'let total#N items (rate',
  },
  zig: {
    piece: `/// Adds what is in a cart.\npub fn total#N(items: []const Item, rate: u32) u32 {\n    var sum: u32 = 0;\n    for (items) |item| {\n        if (!item.sold) sum += item.price * rate;\n    }\n    return sum;\n}\n`,
    head: 'pub fn total#N(items: []const Item, rate',
  },
  groovy: {
    piece: `/** A cart. */\nclass Cart#N extends Base {\n    def items = []\n    int total(int rate) {\n        return items.findAll { !it.sold }.collect { it.price * rate }.sum()\n    }\n}\n`,
    head: 'int total#N(int rate',
  },
  objectivec: {
    piece: `/// A cart.\n@implementation Cart#N\n- (int)total:(int)rate {\n    int sum = 0;\n    for (Item *item in self.items) {\n        sum += [item price] * rate;\n    }\n    return sum;\n}\n@end\n`,
    head: '- (int)total#N:(int',
  },
  fortran: {
    piece: `! Adds what is in a cart.\ninteger function total#N(items, rate) result(total)\n  integer, intent(in) :: items(:), rate\n  total = sum(items) * rate\nend function total#N\n`,
    head: 'integer function total#N(items, rate',
  },
  verilog: {
    piece: `// A counter.\nmodule counter_#N (input clk, input [7:0] by, output reg [7:0] sum);\n  always @(posedge clk) begin\n    if (by > 8'd3) sum <= sum + by;\n    else sum <= 8'b0;\n  end\nendmodule\n`,
    head: 'module counter_#N (input clk',
  },
  powershell: {
    piece: `# Adds what is in a cart.\nfunction Get-Total#N {\n    param([object[]] $Items, [int] $Rate = 2)\n    $open = $Items | Where-Object { -not $_.Sold }\n    if ($open.Count -eq 0) { return 0 }\n    return ($open | Measure-Object -Property Price -Sum).Sum * $Rate\n}\n`,
    head: 'function Get-Total#N {',
  },
  solidity: {
    piece: `/// A cart.\ncontract Cart#N is Base {\n    uint256[] private items;\n    function total(uint256 rate) public view returns (uint256 sum) {\n        require(items.length > 0, "empty");\n        for (uint256 i = 0; i < items.length; i++) sum += items[i] * rate;\n    }\n}\n`,
    head: 'function total#N(uint256 rate',
    before: 'pragma solidity ^0.8.0;\n',
  },
  elm: {
    piece: `{-| Adds what is in a cart. -}\ntotal#N : List Item -> Int -> Int\ntotal#N items rate =\n    items\n        |> List.filter (\\item -> not item.sold)\n        |> List.foldl (\\item sum -> sum + item.price * rate) 0\n\n\n`,
    head: 'total#N : List (Item',
    before: 'module Cart exposing (..)\n\n\n',
  },
  protobuf: {
    piece: `// A cart.\nmessage Cart#N {\n  string name = 1;\n  repeated Item items = 2;\n  oneof owner { string user = 3; int64 shop = 4; }\n}\nservice Carts#N { rpc Get (Cart#N) returns (stream Cart#N); }\n`,
    head: 'message Cart#N {',
    before: 'syntax = "proto3";\n',
  },
  graphql: {
    piece: `"A cart."\ntype Cart#N implements Node @key(fields: "id") {\n  id: ID!\n  items(first: Int = 10): [Item!]!\n}\nextend type Query { cart#N(id: ID!): Cart#N }\n`,
    head: 'type Cart#N {',
  },
  terraform: {
    piece: `# A bucket.\nresource "aws_s3_bucket" "cart#N" {\n  bucket = "\${var.prefix}-cart"\n  tags   = { Name = var.name, Open = true }\n  count  = length(var.items) > 0 ? 1 : 0\n}\n`,
    head: 'resource "aws_s3_bucket" "cart#N" {',
  },
  nix: {
    piece: `  # A cart.\n  cart#N = { items, rate ? 2 }: let open = builtins.filter (item: !item.sold) items; in { sum = map (item: item.price * rate) open; };\n`,
    head: 'cart#N = { items, rate',
    before: '{ pkgs }:\n{\n',
    after: '}\n',
  },
  cmake: {
    piece: `# A library.\nadd_library(cart#N STATIC cart.c item.c)\ntarget_link_libraries(cart#N PRIVATE "\${LIBS}" m)\nif(WIN32 AND NOT MINGW)\n  set(CART#N_FLAGS "/W4")\nendif()\n`,
    head: 'add_library(cart#N STATIC',
  },
  xml: {
    piece: `<bean id="cart#N" class="shop.Cart"><!-- Items. --><property name="size" value="1"/><list>one &amp; two</list></bean>\n`,
    head: '<bean id="cart#N',
    before: '<?xml version="1.0"?>\n<beans>\n',
    after: '</beans>\n',
  },
  rst: {
    piece: `Cart #N\n=======\n\nA *cart*, see :ref:\`shop\`.\n\n.. code-block:: js\n\n   total(1)\n\n`,
    head: '.. code-block:: #N',
  },
  asciidoc: { piece: `== Cart #N\n\nA *cart*, see <<shop>>.\n\n----\ntotal(1)\n----\n\n`, head: '== Cart #N' },
  notebook: {
    piece: ` { "cell_type": "code", "source": ["def total#N(items):\\n", "    return sum(items)\\n"], "outputs": [] },\n`,
    head: ' { "cell_type": "code", "source": ["def total#N(items',
    before: '{"metadata": {"language_info": {"name": "python"}}, "cells": [\n',
    after: ' { "cell_type": "markdown", "source": ["end"] } ] }\n',
  },
  tex: {
    piece: `\\section{Cart #N}\n\\label{cart:#N}\nA \\emph{cart} holds $a_i + b^2$ items, see \\ref{cart:#N} and \\cite{knuth}.\n\\begin{itemize}\n  \\item one\n\\end{itemize}\n`,
    head: '\\section{Cart #N',
  },
};
