import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls } from '../../graph/link/project.js';
import { relationLines } from '../relations-lines.js';

const SOURCE = `defmodule Shop.Cart do
  use GenServer
  alias Shop.{Item, Store}
  alias Shop.Pricing, as: Prices
  @behaviour Shop.Rule

  @spec add(t, Item.t()) :: t
  def add(%__MODULE__{} = cart, price) when price > 0 do
    item = %Item{price: price}
    cart |> Store.put(item) |> log |> Prices.total(&round/1)
  end

  defp log(cart), do: Shop.Log.write(cart, level: :info)

  def each(run, %Item{} = item) do
    run.(item)
    case Store.get(item) do
      nil -> add(item, 1)
      other -> other
    end
  end
end
`;

test('elixir: aliases, pipes, structs and heads that call nothing', () => {
  const { imports, references, bindings } = relationLines(SOURCE, 'elixir');
  assert.deepEqual(imports, [
    'import GenServer []',
    'import Shop.Item [Shop.Item Item]',
    'import Shop.Store [Shop.Store Store]',
    'import Shop.Pricing [Shop.Pricing Prices]',
  ]);
  assert.deepEqual(references, [
    'Shop.Cart: implements Shop.Rule',
    'Shop.Cart.add: type Shop.Cart',
    'Shop.Cart.add: new Item',
    'Shop.Cart.add: call Store.put/2',
    'Shop.Cart.add: call log/1',
    'Shop.Cart.add: call Prices.total/2',
    'Shop.Cart.log: call Shop.Log.write',
    'Shop.Cart.each: type Item',
    'Shop.Cart.each: call Store.get/1',
    'Shop.Cart.each: call add/2',
  ]);
  assert.deepEqual(bindings, []);
});

test('elixir: an alias can begin with the one before it, but not with one of another module', () => {
  const { imports } = relationLines(
    'defmodule Shop.Till do\n  alias Shop.Cart\n  alias Cart.{Item, Line}\n  import Item\nend\n' +
      'defmodule Shop.Desk do\n  alias Item.Price\nend\n',
    'elixir',
  );
  assert.deepEqual(imports, [
    'import Shop.Cart [Shop.Cart Cart]',
    'import Shop.Cart.Item [Shop.Cart.Item Item]',
    'import Shop.Cart.Line [Shop.Cart.Line Line]',
    'import Shop.Cart.Item [*]',
    'import Item.Price [Item.Price Price]',
  ]);
  const far = `defmodule Shop.Till do\n  alias Shop.Cart\n${'  # A long module.\n'.repeat(400)}  alias Cart, as: C\nend\n`;
  assert.deepEqual(relationLines(far, 'elixir').imports, [
    'import Shop.Cart [Shop.Cart Cart]',
    'import Shop.Cart [Shop.Cart C]',
  ]);
});

test('elixir: a module within another one has its whole name elsewhere, and its own name there means none', () => {
  const project = {
    'lib/old.ex': 'defmodule Shop.Old do\n  defmodule Line do\n    def sum(a), do: a\n  end\nend\n',
    'lib/till.ex': 'defmodule Shop.Till do\n  alias Line, as: L\n  def go(a), do: L.sum(a)\nend\n',
    'lib/desk.ex': 'defmodule Shop.Desk do\n  alias Shop.Old.Line\n  def go(a), do: Line.sum(a)\nend\n',
  };
  assert.deepEqual(
    calls(project).filter((line) => line.includes('sum')),
    [
      'lib/desk.ex:Shop.Desk.go -> lib/old.ex:Shop.Old.Line.sum (receiver)',
      'lib/till.ex:Shop.Till.go -> ?L.sum (external)',
    ],
  );
});

test('elixir: a module that is handed on is a use of it; names in directives, types and definitions are none', () => {
  const { references } = relationLines(
    'defmodule Shop.App do\n  alias Shop.{Cart, Till}\n  use Shop.Web, log: Shop.Log\n  @spec all() :: [Cart.t()]\n' +
      '  def all do\n    children = [Till, {Shop.Cart, []}, %Cart{}, Cart.new()]\n    start(children, Shop.Rule)\n  end\nend\n',
    'elixir',
  );
  assert.deepEqual(references, [
    'Shop.App: type Shop.Log',
    'Shop.App.all: type Till',
    'Shop.App.all: type Shop.Cart',
    'Shop.App.all: new Cart',
    'Shop.App.all: call Cart.new/0',
    'Shop.App.all: call start/2',
    'Shop.App.all: type Shop.Rule',
  ]);
});

test('elixir: a parameter that is matched with a structure is of its type, on either side, and of the module where it is its own', () => {
  const typed = (head: string) =>
    relationLines(`defmodule Shop.Cart do\n  def add(${head}) do\n    cart.total(1)\n  end\nend\n`, 'elixir').bindings;
  for (const [head, type] of [
    ['%__MODULE__{} = cart', 'Self'],
    ['cart = %__MODULE__{open: true}', 'Self'],
    ['%Shop.Item{} = cart', 'Shop.Item'],
    ['cart = %Item{}', 'Item'],
  ])
    assert.ok(typed(head).includes(`Shop.Cart.add: cart: ${type}`), `${head}: ${typed(head)}`);
});
