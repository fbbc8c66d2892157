/** What a document mentions: names, paths, links, and names of samples with what they are imported from. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { abbreviates, headingPath, type Mention, mentionOf, readDocument } from '../../src/documents/read.js';

const read = (text: string, language = 'markdown') => readDocument(Buffer.from(text), language);
const shown = ({ kind, text, line, from, args, named, isCall }: Mention): string =>
  [
    line,
    kind,
    text,
    ...(from === undefined ? [] : [`from ${from}`]),
    ...(isCall ? ['()'] : []),
    ...(args === undefined ? [] : [args]),
    ...(named === undefined ? [] : [`and ${named} by name`]),
  ].join(' ');

test('words set as code are names, paths, or nothing of the repository', () => {
  const meant = (text: string) => {
    const found = mentionOf(text);
    return found === null ? null : `${found.kind} ${found.text}${found.isCall ? ' ()' : ''}${found.to ?? ''}`;
  };
  assert.equal(meant('Cart.total(a, b)'), 'name Cart.total ()');
  assert.equal(meant('@Entity()'), 'name Entity ()');
  assert.equal(meant('Repository<User>'), 'name Repository');
  assert.equal(meant('Cart#total'), 'name Cart#total');
  assert.equal(meant('a::b::C'), 'name a::b::C');
  assert.equal(meant('src/cart.ts:42'), 'path src/cart.ts42');
  assert.equal(meant('./src/cart/'), 'path ./src/cart/');
  for (const text of ['npm install x', '--flag', 'true', 'string', '1.2.3', '{}', 'a = b', '"x"', 'x', '*.ts'])
    assert.equal(meant(text), null, text);
});

test('mentions stand in their sections, with the lines of the document', async () => {
  const { sections, mentions } = await read('`before()`\n# A\n## B\n`Cart.total`\n# C\n[x](../src/cart.ts#L7)\n');
  assert.deepEqual(mentions.map(shown), ['1 name before ()', '4 name Cart.total', '6 link ../src/cart.ts']);
  assert.deepEqual(
    mentions.map(({ section }) => headingPath(sections, section)),
    [[], ['A', 'B'], ['C']],
  );
  assert.equal(mentions[2].to, 7);
});

test('samples: imported names and what is done with them, and calls of other names', async () => {
  const text = `
\`\`\`ts
import { Cart, type Item as Line } from 'shop'
import * as all from 'shop/all'
const cart = new Cart(1, [2, 3])
cart.add(item, (a, b) => c).then(x)
own.call(Line)
all.sum(...items)
class Basket {}
\`\`\`

\`\`\`ts
cart.total()
\`\`\`
`;
  const { mentions, defined } = await read(text);
  assert.deepEqual(mentions.map(shown), [
    '3 import Cart from shop',
    '3 import Item from shop',
    '5 use Cart from shop () 2',
    '6 use Cart.add from shop () 2',
    '7 use own.call () 1',
    '7 use Item from shop',
    '8 use sum from shop/all ()',
    '13 use Cart.total from shop () 0',
  ]);
  assert.deepEqual(defined, ['cart', 'Basket']);
});

test('samples: modules, prompts of a session, and paths of other languages', async () => {
  const python =
    '```python\n>>> from shop.cart import Cart\n>>> import shop\n>>> c = shop.Cart(1, tax=2)\n>>> c.total()\n```\n';
  assert.deepEqual((await read(python)).mentions.map(shown), [
    '2 import Cart from shop.cart',
    '4 use Cart from shop () 1 and 1 by name',
    '5 use Cart.total from shop () 0',
  ]);
  const rust = '```rust\nuse shop::cart::{Cart, Item};\nlet c = Cart::new(1);\n```\n';
  assert.deepEqual((await read(rust)).mentions.map(shown), [
    '2 import Cart from shop::cart',
    '2 import Item from shop::cart',
    '3 use Cart.new from shop::cart ()',
  ]);
});

test('links to other sites are no mentions, those to a file on a forge are', async () => {
  const { mentions } = await read(
    '[a](https://x.org/a) [b](mailto:x) [c](#d) [e](https://github.com/o/r/blob/main/src/a.ts#L3-L9) [f](%E0%A4%A)',
  );
  assert.deepEqual(
    mentions.map(({ text, to }) => [text, to]),
    [
      ['/src/a.ts', 3],
      ['%E0%A4%A', undefined],
    ],
  );
});

test('any text gives mentions within its lines and sections', async () => {
  const pieces = fc.constantFrom(
    '`',
    '```ts\n',
    '```\n',
    'import { a } from "b"\n',
    'a.b(',
    ')',
    '# h\n',
    '[x](y)',
    '\n',
    'new a(',
    'const a = new a(',
    ',',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(pieces, fc.string({ maxLength: 6 })), { maxLength: 60 }), async (parts) => {
      const text = parts.join('');
      const { sections, mentions } = await read(text);
      const lines = text.split('\n').length;
      for (const { line, section } of mentions)
        assert.ok(line >= 1 && line <= lines && section >= -1 && section < sections.length);
    }),
  );
});

test('hostile samples are read in linear time', async () => {
  const bound = 'import { a } from "b"\n';
  for (const piece of [
    'a(',
    'a.a',
    'import {',
    'import (\n"a/b"\n',
    'import "a/',
    'import (\n',
    'from a import (',
    'use a::{',
    'a = new a(',
    '(',
    '{',
    'class ',
    '>>> ',
  ]) {
    const started = process.cpuUsage();
    await read(`${bound}\`\`\`ts\n${bound}${piece.repeat(Math.ceil(1_000_000 / piece.length))}\n\`\`\`\n`);
    const { user, system } = process.cpuUsage(started);
    assert.ok(user + system < 2_000_000, `${(user + system) / 1000} ms for ${JSON.stringify(piece)}`);
  }
});

test('AsciiDoc: paragraphs that are shown as they are mention nothing, items of a list do', async () => {
  const text = '= Guide\n\n `shown_here` xref:a.adoc[]\n and `shown_too`\n\n * `first_item`\n\nText\n  `goes_on`.\n';
  assert.deepEqual((await read(text, 'asciidoc')).mentions.map(shown), ['6 name first_item', '9 name goes_on']);
});

test('samples: packages that are imported whole go by the last part of their path, or by the name given', async () => {
  const go =
    '```go\ntill.Open()\n```\n```go\nimport (\n\t"net/http"\n\tc "example.org/shop/go-cart/v2"\n)\nimport "example.org/shop/till.v1"\nc.Open(1, 2)\ntill.Close()\nother.Open()\n```\n';
  assert.deepEqual((await read(go)).mentions.map(shown), [
    '2 use Open from example.org/shop/till.v1 () 0',
    '10 use Open from example.org/shop/go-cart/v2 () 2',
    '11 use Close from example.org/shop/till.v1 () 0',
  ]);
});

test('samples: each goes by its own import where two packages have one name', async () => {
  const sample = (path: string, call: string) => `\`\`\`go\nimport "${path}"\ncart.${call}()\n\`\`\`\n`;
  const text = `${sample('a.org/cart', 'Open')}${sample('b.org/cart', 'Close')}`;
  assert.deepEqual((await read(text)).mentions.map(shown), [
    '3 use Open from a.org/cart () 0',
    '7 use Close from b.org/cart () 0',
  ]);
});

test('a variable stands for a type if its letters are in the name in their order', () => {
  for (const variable of ['c', 'ctx', 'context']) assert.ok(abbreviates(variable, 'Context'), variable);
  for (const variable of ['x', 'cart', 'contexts', 'tc']) assert.ok(!abbreviates(variable, 'Context'), variable);
});

test("samples: definitions of a cell that nbdev exports are not the document's own", async () => {
  const text = '```python\n#| export\ndef sum_of(x): ...\n```\n```python\n#exported\ndef run_it(x): ...\n```\n';
  assert.deepEqual((await read(text)).defined, ['run_it']);
});
