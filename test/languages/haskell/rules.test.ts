import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationLines } from '../relations-support.js';

const SAMPLE = `module Shop.Orders (total, module Shop.Money) where

import qualified Data.Map as Map
import Shop.Cart (Cart (..), add)
import Shop.Money
import Shop.Prices as Prices hiding (check)

data Order = Order { orderCart :: Cart, orderCount :: Int }

instance Priced Order where
  price order = total (orderCart order)

total :: Cart -> Money
total (Cart items) = Prices.rounded $ foldr (plus . cost) zero items

run :: Map.Map String Order -> IO ()
run orders = do
  cart <- open orders
  let check = total cart
  report check
  setup
  mapM_ report [Order (add cart) 1]
  where
    report money = print (money \`plus\` zero)
`;

test('Haskell: imports and what the file is part of', () => {
  assert.deepEqual(relationLines(SAMPLE, 'haskell').imports, [
    '1 declare Shop.Orders',
    '1 reexport Shop.Money *=',
    '3 import Data.Map *=Map',
    '4 import Shop.Cart Cart,add',
    '5 import Shop.Money *=',
    '6 import Shop.Prices *=Prices,*=',
  ]);
});

test('Haskell: calls, types, parents and what is handed on', () => {
  assert.deepEqual(relationLines(SAMPLE, 'haskell').references, [
    '8 type Cart @Order.Order',
    '10 type Priced @Priced',
    '10 implements Priced @Order',
    '10 type Order @Priced',
    '11 call total @Priced.price',
    '11 call orderCart @Priced.price',
    '13 type Cart @total',
    '13 type Money @total',
    '14 call Prices.rounded/1 @total',
    '16 type Map.Map @run',
    '16 type Order @run',
    '18 call open @run',
    '19 call total @run',
    '20 call report @run',
    '21 call setup/0 @run',
    '22 new Order @run',
    '22 call add @run',
    '24 call plus/2 @run',
  ]);
});

test('Haskell: what names stand for', () => {
  assert.deepEqual(relationLines(SAMPLE, 'haskell').bindings, ['run: report']);
});
