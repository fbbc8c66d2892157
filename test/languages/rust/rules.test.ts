import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../extract/helpers.js';
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

test('rust: an import of a module itself, of a name and of a crate has the name that `as` gives it, else its own', () => {
  const importsOf = (source: string) => relationLines(source, 'rust').imports;
  assert.deepEqual(importsOf('use shop::cart::{self, Item};\n'), ['import shop::cart [* cart, Item]']);
  assert.deepEqual(importsOf('use shop::cart::{self as basket, Item as Thing};\n'), [
    'import shop::cart [* basket, Item Thing]',
  ]);
  assert.deepEqual(importsOf('use shop::{cart::{self as basket}, bank::{self}};\n'), [
    'import shop::cart [* basket]',
    'import shop::bank [* bank]',
  ]);
  assert.deepEqual(importsOf('use serde;\nuse crate as shop;\n'), ['import serde [* serde]', 'import crate [* shop]']);
  assert.deepEqual(importsOf('use shop::Named as _;\n'), []);
});

test('rust: a type is named by an alias, by an impl block, and by the default of a trait; one without a value is not', () => {
  const bindingsOf = (source: string) => relationLines(source, 'rust').bindings;
  assert.deepEqual(bindingsOf('type Money = Price;\n'), [': Money: Price']);
  assert.deepEqual(bindingsOf('impl Shop for Cart { type Money = Price; }\n'), ['Cart.Money: Money: Price']);
  assert.deepEqual(bindingsOf('trait Shop { type Money = Price; type Item; }\n'), ['Shop.Money: Money: Price']);
});

test('rust: functions of a block whose attribute hands them over are visible, notes to the compiler change nothing', () => {
  const visible = (attributes: string) =>
    factsOf(`${attributes}impl Cart {\n    fn total(&self) -> u8 { 1 }\n}\n`, 'rust')
      .symbols.filter(({ name }) => name === 'total')
      .map(({ exported }) => exported);
  for (const handed of ['#[pymethods]\n', '#[ napi ]\n', '#[uniffi::export]\n', '#[allow(dead_code)]\n#[godot_api]\n'])
    assert.deepEqual(visible(handed), [true], handed);
  assert.deepEqual(visible('#[cfg_attr(feature = "python", pymethods)]\n'), [true]);
  for (const note of ['', '#[allow(dead_code)]\n', '#[cfg(unix)]\n', '/// Of carts.\n#[doc(hidden)]\n'])
    assert.deepEqual(visible(note), [false], note);
});
