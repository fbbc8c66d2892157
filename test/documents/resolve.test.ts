/** What mentions in documents lead to: one definition, or none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDocument } from '../../src/documents/read.js';
import { Resolver, readComments } from '../../src/documents/resolve.js';
import type { CodeSymbol } from '../../src/extract/facts.js';
import { graphOf, placeOf } from '../graph/build.js';
import { cpuTimer } from '../support/processes/cpu-time.js';

const graph = graphOf({
  files: {
    'README.md': { symbols: ['section Title'], language: 'markdown' },
    'docs/guide.md': [],
    'src/shop/cart.ts': [
      'class Cart',
      'method Cart.total',
      'method Cart.add',
      'function sumOf',
      'function run',
      'class Local',
    ],
    'src/shop/base.ts': ['class Base', 'method Base.save', 'interface CartOptions', 'property CartOptions.taxRate'],
    'src/shop/order.ts': ['class Order', 'method Order.add', 'class BigOrder', 'function sameName'],
    'src/other/order.ts': ['function sameName'],
    'test/cart.test.ts': ['class TestCart', 'class User'],
  },
  edges: ['src/shop/cart.ts:Cart -> src/shop/base.ts:Base extends'],
});

async function links(text: string, path = 'docs/guide.md'): Promise<string[]> {
  const document = { path, facts: await readDocument(Buffer.from(text), 'markdown') };
  const resolver = new Resolver(graph, [document]);
  return resolver.links(document).map(({ mention, node }) => `${mention.text} -> ${placeOf(graph, node)}`);
}

test('a qualified name leads to a member, its own or an inherited one', async () => {
  assert.deepEqual(await links('`Cart.total()` `Cart.save` `src.shop.Cart` `cart.total()` `Cart.nothing`'), [
    'Cart.total -> src/shop/cart.ts:Cart.total',
    'Cart.save -> src/shop/base.ts:Base.save',
    'src.shop.Cart -> src/shop/cart.ts:Cart',
    'cart.total -> src/shop/cart.ts:Cart.total',
  ]);
});

test('a word alone leads somewhere if no sentence would hold it and one definition has it', async () => {
  assert.deepEqual(await links('`sumOf` `taxRate` `BigOrder` `Order` `sameName` `add` `total` `run` `TestCart`'), [
    'sumOf -> src/shop/cart.ts:sumOf',
    'taxRate -> src/shop/base.ts:CartOptions.taxRate',
    'BigOrder -> src/shop/order.ts:BigOrder',
    'Order -> src/shop/order.ts:Order',
  ]);
  assert.deepEqual(await links('`run()`'), ['run -> src/shop/cart.ts:run']);
});

test('a member is meant where the section speaks of its class', async () => {
  assert.deepEqual(await links('# Cart API\nCall `add()`.\n# Other\nCall `add()`.\n'), [
    'add -> src/shop/cart.ts:Cart.add',
  ]);
  assert.deepEqual(await links('# A\n`Order` has `add()`.\n'), [
    'Order -> src/shop/order.ts:Order',
    'add -> src/shop/order.ts:Order.add',
  ]);
  assert.deepEqual(await links('# A\n`Order` and `Cart` have `add()`.\n').then((all) => all.length), 2);
});

test('names that samples of the document define are theirs', async () => {
  assert.deepEqual(await links('```ts\nclass Order {}\n```\nThe `Order` of the sample.'), []);
});

test('names in samples count if they are imported from a package of this repository', async () => {
  const sample = (from: string) =>
    `\`\`\`ts\nimport { Cart, Order, foreign } from '${from}'\nnew Cart().total()\n\`\`\``;
  assert.deepEqual(await links(sample('shop')), [
    'Cart -> src/shop/cart.ts:Cart',
    'Order -> src/shop/order.ts:Order',
    'Cart -> src/shop/cart.ts:Cart',
  ]);
  assert.deepEqual(await links("```ts\nimport { Cart, a, b } from 'theirs'\nnew Cart()\n```"), []);
  assert.deepEqual(await links("```ts\nimport { Cart } from 'elsewhere'\n```"), []);
});

test('paths and links lead to files, from the document or from the top', async () => {
  assert.deepEqual(
    await links('`src/shop/cart.ts` [x](../src/shop/order.ts) [y](../README) [z](gone.md) `shop/base.ts` `a/order.ts`'),
    [
      'src/shop/cart.ts -> src/shop/cart.ts',
      'shop/base.ts -> src/shop/base.ts',
      '../src/shop/order.ts -> src/shop/order.ts',
      '../README -> README.md',
    ],
  );
});

test('links to a forge lead here if they are to this repository, which most of its linked paths tell', async () => {
  const on = (name: string, ...paths: string[]) =>
    paths.map((path) => `[x](https://forge.org/${name}/blob/main/${path})`);
  const ours = on('acme/shop', 'src/shop/cart.ts', 'src/shop/base.ts#L4', 'gone.ts');
  const theirs = on('acme/tool', 'README.md', 'src/a.ts');
  assert.deepEqual(await links([...ours, ...theirs, ...on('acme/one', 'README.md')].join(' ')), [
    '/src/shop/cart.ts -> src/shop/cart.ts',
    '/src/shop/base.ts -> src/shop/base.ts',
  ]);
});

function symbol(name: string, doc: [number, number], signature: [number, number]): CodeSymbol {
  const [range, of] = [doc, signature].map(([start, end]) => ({ start, end }));
  return { name, container: -1, startLine: 1, doc: range, signature: of } as CodeSymbol;
}

test('many comments take time as their file is long: each says its own line', async () => {
  const count = 20_000;
  const symbols: CodeSymbol[] = [];
  let text = '';
  for (let i = 0; i < count; i++) {
    const start = text.length;
    const doc = `/** See \`name${i}\`. */\n`;
    text += `${doc}function f() {}\n`;
    symbols.push(symbol('f', [start, start + doc.length - 1], [start + doc.length, start + doc.length + 12]));
  }
  const spent = cpuTimer();
  const { mentions } = await readComments(Buffer.from(text), symbols);
  const cpu = spent();
  const last = mentions.at(-1);
  assert.deepEqual([mentions.length, last?.text, last?.line], [count, `name${count - 1}`, 2 * count - 1]);
  // Usually .4 s; counting lines anew for each comment took ten times as much.
  assert.ok(cpu < 4_000, `${cpu} ms`);
});

test('parameters are no mentions, however long a signature is', async () => {
  const doc = `/** ${'`first` `other_thing` '.repeat(800)}*/\n`;
  const signature = `f(first, ${'x, '.repeat(300_000)})`;
  const end = doc.length + signature.length;
  const symbols = [symbol('f', [0, doc.length - 1], [doc.length, end])];
  const { mentions } = await readComments(Buffer.from(doc + signature), symbols);
  assert.deepEqual([...new Set(mentions.map(({ text }) => text))], ['other_thing']);
});
