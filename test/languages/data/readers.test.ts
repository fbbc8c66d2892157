/** What readers of documents find: headings, words set as code, samples, links. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readAsciidoc, readMarkdown, readRst } from '../../../src/languages/data/readers.js';
import type { DocumentPart, DocumentReader } from '../../../src/languages/roles/definitions.js';

/** One line a part: `3 code Cart.total`. */
const shown = (parts: readonly DocumentPart[]): string[] =>
  parts.map((part) => {
    if (part.is === 'heading') return `${part.line} ${'#'.repeat(part.level)} ${part.text}`;
    if (part.is === 'link') return `${part.line} link ${part.target}`;
    if (part.is === 'block') return `${part.line} block ${part.language}: ${part.text.replaceAll('\n', '|')}`;
    return `${part.line} ${part.isReference ? 'reference' : 'code'} ${part.text}`;
  });

test('Markdown: headings of both forms, code spans, fences, links', () => {
  const text = `---
title: \`not read\`
---
# The \`Cart\` [API](x.md)

Guide
-----
Call \`cart.total()\` or \`\`a \` b\`\`, see [the code](../src/cart.ts#L4) and <https://example.org/a>.

\`\`\`ts title="x"
# no heading \`nor code\`
\`\`\`
- list
  ~~~~
  ~~~
  ~~~~
<!-- \`hidden\`
still --> 
[ref]: ./other.md
a lone \` is nothing
`;
  assert.deepEqual(shown(readMarkdown(text)), [
    '4 # The Cart API',
    '4 code Cart',
    '4 link x.md',
    '6 ## Guide',
    '8 code cart.total()',
    '8 code a ` b',
    '8 link ../src/cart.ts#L4',
    '8 link https://example.org/a',
    '11 block ts: # no heading `nor code`',
    '15 block :   ~~~',
    '19 link ./other.md',
  ]);
});

test('Markdown: the name of a heading is without images, unless it has nothing else', () => {
  const text = [
    '# Shop [![build](a.svg)](ci) ![npm](b.svg) <img src="c.png">',
    '## ![The logo](logo.svg)',
    '## [Cart](cart.md)',
  ];
  const headings = readMarkdown(text.join('\n')).filter(({ is }) => is === 'heading');
  assert.deepEqual(shown(headings), ['1 # Shop', '2 ## The logo', '3 ## Cart']);
});

test('Markdown: an open fence runs to the end, and windows end their lines with two characters', () => {
  assert.deepEqual(shown(readMarkdown('# A\r\n```js\r\ncall()\r\n')), ['1 # A', '3 block js: call()|']);
});

test('reStructuredText: titles by the order of their rules, roles, directives, literal blocks', () => {
  const text = `=====
Guide
=====

Part
----
.. module:: shop

Use :class:\`~shop.Cart\`, :meth:\`Cart.total\`, :func:\`the sum <shop.sum>\` or \`\`plain()\`\` and \`text\`.

.. class:: Cart(items)

   .. method:: total(tax)

.. code-block:: python
   :linenos:

   cart = Cart()

Then::

    total()

Other
-----
`;
  assert.deepEqual(shown(readRst(text)), [
    '2 # Guide',
    '5 ## Part',
    '9 reference shop.Cart',
    '9 reference Cart.total',
    '9 reference shop.sum',
    '9 code plain()',
    '11 reference shop.Cart',
    '13 reference shop.Cart.total',
    '18 block python:    cart = Cart()',
    '22 block python:     total()',
    '24 ## Other',
  ]);
});

test('AsciiDoc: headings, monospaced words, listings with their language, links', () => {
  const text = `= Guide

== Part
Call \`Cart.total\`; see link:src/cart.ts[the code].

[source,ruby]
----
cart.total
== no heading
----
// \`a comment\`
////
\`hidden\`
////
`;
  assert.deepEqual(shown(readAsciidoc(text)), [
    '1 # Guide',
    '3 ## Part',
    '4 code Cart.total',
    '4 link src/cart.ts',
    '8 block ruby: cart.total|== no heading',
  ]);
});

const READERS: Readonly<Record<string, DocumentReader>> = { readMarkdown, readRst, readAsciidoc };
const PIECES = [
  '`',
  '``',
  '```',
  '~~~',
  '# a',
  '===',
  '---',
  '\n',
  '\r\n',
  ' ',
  '[a](b)',
  '.. a::',
  ':a:`b`',
  '<!--',
  '-->',
  '----',
  '::',
  'x',
  '>',
];

test('any text gives parts in the order and range of its lines', () => {
  const texts = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 5 })), { maxLength: 60 });
  fc.assert(
    fc.property(texts, (pieces) => {
      const text = pieces.join('');
      const lines = text.split('\n').length;
      for (const read of Object.values(READERS)) {
        for (const part of read(text)) {
          assert.ok(part.line >= 1 && part.line <= lines + 1, `line ${part.line} of ${lines}`);
          if (part.is === 'heading')
            assert.ok(part.start >= 0 && part.nameStart >= part.start && part.nameStart <= text.length);
        }
      }
    }),
  );
});

test('hostile documents are read in linear time', () => {
  const hostile = [
    '`',
    '`a``b',
    '[',
    '[a](',
    '](',
    '<',
    '<!--',
    '```\n',
    '~~~\n> ',
    '# ',
    'a\n-\n',
    '- ',
    ':a:`',
    '.. x::\n ',
    '::\n ',
    ' ',
    '----\n',
    '"',
    '\\',
  ];
  for (const [name, read] of Object.entries(READERS)) {
    for (const piece of hostile) {
      const started = process.cpuUsage();
      read(piece.repeat(Math.ceil(400_000 / piece.length)));
      const { user, system } = process.cpuUsage(started);
      assert.ok(user + system < 2_000_000, `${name} takes ${(user + system) / 1000} ms for ${JSON.stringify(piece)}`);
    }
  }
});
