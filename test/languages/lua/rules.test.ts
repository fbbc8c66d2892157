import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationLines } from '../relations-lines.js';

const SOURCE = `local Item = require("shop.item")
local log = require "shop.util".log

local Cart = setmetatable({}, { __index = Item })

function Cart.new(key)
  local self = setmetatable({}, Cart)
  self.first = Item.new(key)
  return self
end

function Cart:total(log)
  for _, item in ipairs(self.items) do
    item:cost(string.format("%d", 1))
  end
  return self.first:copy()
end

return Cart
`;

test('lua: modules, methods and tables that are types', () => {
  const { imports, references, bindings } = relationLines(SOURCE, 'lua');
  assert.deepEqual(imports, ['require shop.item [* Item]', 'require shop.util [log]']);
  assert.deepEqual(references, [
    'Cart: extends Item',
    'Cart.new: call Item.new/1',
    'Cart.total: call item.cost/1',
    'Cart.total: call this.first.copy/0',
  ]);
  assert.deepEqual(bindings, [
    ': Cart = setmetatable()',
    'Cart.new: () = this',
    'Cart: first = Item.new()',
    'Cart.total: () = this.first.copy()',
    'Cart.total: item = this.items[]',
  ]);
});
