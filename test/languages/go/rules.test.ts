import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, symbolLines } from '../../extract/helpers.js';
import { relationLines } from '../relations-lines.js';

const SOURCE = `package cart

import (
	"example.org/shop/v2"
	log "example.org/log"
	_ "embed"
)

type Cart[T any] struct {
	shop.Base
	items []*Item
}

func (c *Cart[T]) Add(items ...Item) (first *Item, err error) {
	for _, item := range c.items {
		item.Total()
	}
	made, err := shop.New[Item](Item{Name: "x"})
	other := made.(*Item)
	log.Printf("%s", other.Name, handler)
	return other.Copy(), nil
}

func handler(x interface{ Do() }) { x.Do() }
`;

test('go: receivers, results, embedded types and composite literals', () => {
  const { imports, references, bindings } = relationLines(SOURCE, 'go');
  assert.deepEqual(imports, [
    'declare cart []',
    'import example.org/shop/v2 [* shop]',
    'import example.org/log [* log]',
    'import embed []',
  ]);
  assert.deepEqual(references, [
    'Cart: extends shop.Base',
    'Cart.items: type Item',
    'Cart.Add: type Item',
    'Cart.Add: type Item',
    'Cart.Add: call item.Total/0',
    'Cart.Add: call shop.New/1',
    'Cart.Add: type Item',
    'Cart.Add: new Item',
    'Cart.Add: type Item',
    'Cart.Add: call log.Printf/3',
    'Cart.Add: value handler',
    'Cart.Add: call other.Copy/0',
    'handler: call x.Do/0',
  ]);
  assert.deepEqual(bindings, [
    'Cart: Base: shop.Base',
    'Cart: items: []*Item',
    'Cart.Add: this: *Cart[T]',
    'Cart.Add: c: *Cart[T]',
    'Cart.Add: (): *Item',
    'Cart.Add: item = c.items[]',
    'Cart.Add: other: *Item',
    'handler: x: interface{ Do() }',
  ]);
});

test('go: patterns of routes', () => {
  const source = 'package main\nfunc main() {\n\tmux.HandleFunc("GET /items", items)\n\tlog.Print("/x")\n}\n';
  const { references } = relationLines(source, 'go');
  assert.deepEqual(references, ['main: call mux.HandleFunc/2 "GET /items"', 'main: call log.Print/1']);
});

test('go: a method is exported by its own name, whatever its type is', () => {
  const source = `package cart

type Cart struct{}

func (c *Cart) total() int { return 1 }

func (c *Cart) Total() int { return c.total() }

type shelf struct{}

func (s shelf) Open() {}

func (b *Basket) weigh() {}

type Basket struct{}
`;
  assert.deepEqual(symbolLines(factsOf(source, 'go')), [
    '+ struct Cart',
    '- method Cart.total',
    '+ method Cart.Total',
    '- struct shelf',
    '+ method shelf.Open',
    '- method weigh',
    '+ struct Basket',
  ]);
});
