/** Documents without a grammar: cut at their headings, notebooks at their cells. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { qualifiedName } from '../../src/extract/collect-drafts.js';
import { extract } from '../../src/extract/extract.js';
import { readNotebook } from '../../src/languages/data/readers.js';
import { loadRules } from '../../src/languages/registry.js';
import { chunkFields } from '../../src/shard/builder.js';

before(() => Promise.all(['rst', 'asciidoc', 'notebook', 'markdown', 'css', 'scss', 'less'].map(loadRules)));

function factsOf(text: string, language: string) {
  const result = extract(Buffer.from(text), language);
  assert.ok('facts' in result);
  return result.facts;
}

/** `Guide.Sub: first line of the chunk`, one a chunk. */
function chunksOf(text: string, language: string): string[] {
  const { chunks, symbols } = factsOf(text, language);
  const bytes = Buffer.from(text);
  assert.equal(chunks.map(({ start, end }) => bytes.toString('utf8', start, end)).join(''), text);
  return chunks.map(({ start, end, symbol, kind }) => {
    const [first] = bytes.toString('utf8', start, end).trimStart().split('\n');
    return `${kind} ${symbol < 0 ? '-' : qualifiedName(symbols, symbol)}: ${first}`;
  });
}

test('a heading that is longer than a record allows is cut between characters, and its sections are kept', () => {
  for (const lead of ['', 'x']) {
    const [heading, below] = factsOf(`# ${lead}${'🙂'.repeat(400)}\n\ntext\n\n## Below\n\ntext\n`, 'markdown').symbols;
    assert.equal(heading.name, `${lead}${'🙂'.repeat(lead === '' ? 256 : 255)}`);
    assert.equal(below.name, 'Below');
  }
});

const prose = (word: string) => `${word} is told here in some words. `.repeat(18);

test('sections of reStructuredText are definitions, and the chunks of a file', () => {
  const text = `=====\nGuide\n=====\n\n${prose('Guide')}\n\nSetup\n-----\n\n${prose('Setup')}\n\nUsage\n-----\n\n${prose('Usage')}\n`;
  assert.deepEqual(chunksOf(text, 'rst'), [
    'section Guide: =====',
    'section Guide.Setup: Setup',
    'section Guide.Usage: Usage',
  ]);
});

test('sections of AsciiDoc are as well, and a listing holds no heading', () => {
  const text = `= Guide\n\n${prose('Guide')}\n\n== Setup\n\n----\n== no heading\n----\n${prose('Setup')}\n\n=== Part\n\n${prose('Part')}\n`;
  assert.deepEqual(chunksOf(text, 'asciidoc'), [
    'section Guide: = Guide',
    'section Guide.Setup: == Setup',
    'section Guide.Setup.Part: === Part',
  ]);
});

const cell = (cell_type: string, source: string | string[], outputs?: unknown[]) => ({
  ...{ cell_type, metadata: { source: ['no source'] } },
  ...(outputs !== undefined && { outputs }),
  source,
});
const NOTEBOOK = {
  cells: [
    cell('markdown', ['# Prices\n', '\n', 'What `Cart.total` gives.\n', '## Rounding\n', 'See `round`.']),
    cell(
      'code',
      ['from shop import Cart\n', 'Cart().total()'],
      [{ data: { 'text/plain': ['secretOutput'], source: ['x'] } }],
    ),
    cell('markdown', 'Call `sum()`.\nAnd [code](../src/cart.py).'),
  ],
  metadata: { kernelspec: { language: 'Python' } },
};

test('notebooks are cut at their cells, and no search looks into what a program put out', () => {
  const text = `${JSON.stringify(NOTEBOOK, null, 1)}\n`;
  const { chunks, symbols } = factsOf(text, 'notebook');
  assert.deepEqual(
    symbols.map((_, i) => qualifiedName(symbols, i)),
    ['Prices', 'Prices.Rounding'],
  );
  const bodies = chunkFields(Buffer.from(text), factsOf(text, 'notebook')).map(({ body }) =>
    Buffer.from(body).toString(),
  );
  assert.ok(chunks.some(({ kind }) => kind === 'output'));
  assert.ok(!bodies.join('').includes('secretOutput'));
  for (const word of ['Cart.total', 'from shop import Cart', '[code]']) assert.ok(bodies.join('').includes(word), word);
});

test('mentions in a notebook stand at their lines, whatever form its sources have', () => {
  const text = JSON.stringify(NOTEBOOK, null, 1);
  const lines = text.split('\n');
  const parts = readNotebook(text);
  const found = parts.map((part) => ({ ...part, at: lines[part.line - 1].trim() }));
  const heading = found.filter(({ is }) => is === 'heading').map(({ at }) => at);
  assert.deepEqual(heading, ['"# Prices\\n",', '"## Rounding\\n",']);
  const spans = found.flatMap((part) => (part.is === 'code' ? [`${part.text} in ${part.at}`] : []));
  assert.deepEqual(spans, [
    'Cart.total in "What `Cart.total` gives.\\n",',
    'round in "See `round`."',
    'sum() in "source": "Call `sum()`.\\nAnd [code](../src/cart.py)."',
  ]);
  const [block] = found.filter(({ is }) => is === 'block');
  assert.deepEqual([block.is === 'block' && block.language, block.at], ['python', '"from shop import Cart\\n",']);
  // The same on one line.
  assert.equal(readNotebook(JSON.stringify(NOTEBOOK)).length, parts.length);
});

test('any text is a document: chunks tile it, and no nesting or half of a notebook is too much', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(fc.constantFrom('# a', '= b', '== c', '---', '===', '====', '', '{"cells":[{"source":["', '"]}', '[', '{'))
      .map((all) => all.join('\n')),
    fc.nat(1_000).map((end) => JSON.stringify(NOTEBOOK).slice(0, end)),
  );
  fc.assert(
    fc.property(anything, fc.constantFrom('rst', 'asciidoc', 'notebook'), (text, language) => {
      const bytes = Buffer.from(text);
      const result = extract(bytes, language);
      if (!('facts' in result)) return;
      let end = 0;
      for (const chunk of result.facts.chunks) {
        assert.equal(chunk.start, end);
        end = chunk.end;
      }
      assert.equal(end, bytes.length);
    }),
  );
  for (const deep of ['['.repeat(200_000), '{"cells":[{"source":'.repeat(20_000), '{"a":'.repeat(100_000)])
    readNotebook(deep);
});

test('a quote that is escaped in a style sheet ends no text', () => {
  const sheet =
    '.a::before {\n  content: "\\"} .no {";\n}\n.b {\n  content: \'it\\\'s } .neither {\';\n}\n.c {\n  color: red;\n}\n';
  for (const language of ['css', 'scss', 'less'])
    assert.deepEqual(
      factsOf(sheet, language).symbols.map(({ name }) => name),
      ['.a::before', '.b', '.c'],
      language,
    );
});
