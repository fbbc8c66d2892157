import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relationLines } from '../relations-lines.js';

const SOURCE = `use crate::{models::{Item, Named as N}, rules::*};
pub use self::rules::Discount;
mod rules;

pub struct Cart<T> { items: Vec<Item>, store: Option<Store<T>> }

impl<T: N> N for Cart<T> {
    fn total(&self, rule: &dyn Rule) -> Result<Item, Error> {
        let item = Item::parse("x")?;
        if let Some(store) = &self.store { store.put(item.name()); }
        assert_eq!(self.items.iter().map(|x| x.cost()).sum::<u64>(), super::limit(1));
        for one in &self.items { rule.apply(one); }
        T::make().run(handle);
        Ok(Self { items: vec![], ..Self::empty() })
    }
}
fn handle() {}
`;

test('rust: paths, impl blocks, patterns and calls in macros', () => {
  const { imports, references, bindings } = relationLines(SOURCE, 'rust');
  assert.deepEqual(imports, [
    'import crate::models [Item, Named N]',
    'import crate::rules [*]',
    'reexport self::rules [Discount]',
    'module rules [* rules]',
  ]);
  assert.deepEqual(references, [
    'Cart.items: type Item',
    'Cart.store: type Store',
    'Cart: type N',
    'Cart: implements N',
    'Cart: type Cart',
    'Cart.total: type Rule',
    'Cart.total: type Item',
    'Cart.total: type Error',
    'Cart.total: call Item.parse/1',
    'Cart.total: call store.put/1',
    'Cart.total: call item.name/0',
    'Cart.total: call this.items.iter/0',
    'Cart.total: call this.items.iter().map/1',
    'Cart.total: call x.cost/0',
    'Cart.total: call this.items.iter().map().sum/0',
    'Cart.total: call super.limit/1',
    'Cart.total: call rule.apply/1',
    'Cart.total: call T.make/0',
    'Cart.total: call T.make().run/1',
    'Cart.total: value handle',
    'Cart.total: new Cart',
    'Cart.total: call this.empty/0',
  ]);
  assert.deepEqual(bindings, [
    ': T',
    'Cart: items: Vec<Item>',
    'Cart: store: Option<Store<T>>',
    'Cart: <T>: N',
    ': T: N',
    'Cart.total: (): Result<Item, Error>',
    'Cart.total: rule: &dyn Rule',
    'Cart.total: item = Item.parse()',
    'Cart.total: store = this.store',
  ]);
});
