/** Definitions in one version of a file: what they are called. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extract, loadAllRules } from '../../src/extract/extract.js';
import { type BlobSource, TracedName } from '../../src/history/file-versions.js';

await loadAllRules();

function symbolsOf(text: string, language: string, name: string): string[] {
  const bytes = Buffer.from(text);
  const found = extract(bytes, language);
  const facts = 'facts' in found ? found.facts : null;
  return new TracedName({} as BlobSource, name)
    .learn({ oid: '0', path: 'a' }, facts, bytes)
    .map(({ symbol }) => symbol);
}

test('a method that stands in another file than its type has the name of that type', () => {
  const go = [
    'package shop',
    'func (c *Cart) Total() int { return 1 }',
    'func (Basket) Total() int { return 2 }',
    'func (l *List[T]) Total() int { return 3 }',
    'func Total(c (Cart)) int { return 4 }',
  ].join('\n');
  assert.deepEqual(symbolsOf(go, 'go', 'Total'), ['Cart.Total', 'Basket.Total', 'List.Total', 'Total']);
});

test('a method has the name of its type once, wherever that stands in the file', () => {
  const below = 'package shop\nfunc (c *Cart) Total() int { return 1 }\ntype Cart struct{}\n';
  const above = 'package shop\ntype Cart struct{}\nfunc (c *Cart) Total() int { return 1 }\n';
  assert.deepEqual(
    [below, above].map((text) => symbolsOf(text, 'go', 'Total')),
    [['Cart.Total'], ['Cart.Total']],
  );
});

test('a method of C++ has the name of its class in the namespace around it', () => {
  const cpp = 'namespace shop {\nint Cart::total() const { return 1; }\nint List<T>::Node::total() { return 2; }\n}\n';
  assert.deepEqual(symbolsOf(cpp, 'cpp', 'total'), ['shop.Cart.total', 'shop.List.Node.total']);
});
