/** Definitions in one version of a file: what they are called, and which versions have to be parsed for them. */
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

/** What is found in a version after another one, with the number of versions that were parsed for it. */
async function foundAfter(texts: { first: string; then: string }, language: string, name: string) {
  let parsed = 0;
  const source: BlobSource = {
    unreadable: new Set(),
    bytes: async (oid) => Buffer.from(texts[oid as 'first' | 'then']),
    facts: async ({ oid }) => {
      parsed++;
      const found = extract(Buffer.from(texts[oid as 'first' | 'then']), language);
      return 'facts' in found ? found.facts : null;
    },
  };
  const [first, then] = ['first', 'then'].map((oid) => ({ oid, path: 'a' }));
  const near = new TracedName(source, name);
  await near.at(first);
  const quick = await near.at(then, first);
  const sum = parsed;
  return { quick, parsed: sum, exact: await new TracedName(source, name).at(then) };
}

const cart = (members: string, rest = '') =>
  `package shop;\n\npublic class ShoppingCart extends Base {\n${members}}\n${rest}`;

test('a type that changed inside of its body is found without parsing, as parsing finds it', async () => {
  const first = cart('  int total() {\n    return 1;\n  }\n');
  for (const then of [
    cart('  int total() {\n    return 2;\n  }\n\n  int count() { return 0; }\n'),
    `import java.util.List;\n${cart('  List<String> names;\n')}`,
    cart(''),
  ]) {
    const { quick, parsed, exact } = await foundAfter({ first, then }, 'java', 'ShoppingCart');
    assert.equal(parsed, 1, then);
    assert.deepEqual(quick, exact, then);
  }
});

test('a type whose head, place or neighbours changed is parsed', async () => {
  const first = cart('  int total;\n');
  for (const then of [
    first.replace('extends Base', 'extends Other'),
    cart('  int count;\n', '\nclass Late {\n  int more;\n}\n'),
    `class Outer {\n  public class ShoppingCart extends Base {\n    int count;\n  }\n}\n`,
    first.replace('int total;', 'class Inner { ShoppingCart parent; }'),
    cart('  int total;\n').replace(/\n\}/, '\n  }'),
  ]) {
    const { quick, parsed, exact } = await foundAfter({ first, then }, 'java', 'ShoppingCart');
    assert.equal(parsed, 2, then);
    assert.deepEqual(quick, exact, then);
  }
});
