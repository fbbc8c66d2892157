import assert from 'node:assert/strict';
import { test } from 'node:test';
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
