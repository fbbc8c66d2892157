import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qualifiedName } from '../../src/extract/extract.js';
import { assertSound, CAP, chunkTexts, factsOf } from './helpers.js';

const line = (i: number) => `  total += values[${i}] * weights[${i}];\n`;
const body = (lines: number) => Array.from({ length: lines }, (_, i) => line(i)).join('');
const fn = (name: string, lines: number) => `export function ${name}(values, weights) {\n${body(lines)}}\n`;

/** Kind and symbol of every chunk. */
function outline(source: string, language: string): string[] {
  const facts = factsOf(source, language);
  assertSound(source, facts);
  return facts.chunks.map((c) => `${c.kind}${c.symbol < 0 ? '' : ` ${qualifiedName(facts.symbols, c.symbol)}`}`);
}

test('imports are a chunk of their own, small neighbours share one, a large definition has its own', () => {
  const imports = Array.from({ length: 12 }, (_, i) => `import { part${i} } from './part${i}.js';\n`).join('');
  const source = `${imports}\n${fn('one', 3)}\n${fn('two', 3)}\n${fn('large', 20)}\n${fn('three', 3)}\n${fn('four', 3)}`;
  assert.deepEqual(outline(source, 'typescript'), ['imports', 'function one', 'function large', 'function three']);
});

test('a tiny file is one chunk, whatever it holds', () => {
  assert.deepEqual(outline('import a from "a";\nexport const b = a;\n', 'typescript'), ['constant b']);
  assert.deepEqual(outline('', 'typescript'), []);
  assert.deepEqual(outline('\n\n\n', 'typescript').length, 1);
});

test('a license header and `use strict` go with the imports, not with the first definition', () => {
  const license = `/*!\n${' * Copyright (c) the authors, all rights.\n'.repeat(4)} */\n`;
  const source = `${license}\n'use strict';\n\nconst a = require('a');\n\n${fn('one', 20)}`;
  assert.deepEqual(outline(source, 'javascript'), ['imports', 'function one']);
  // Without an import, a license is still no part of a definition, and another comment is no license.
  assert.deepEqual(outline(`${license}\n\n${fn('one', 20)}`, 'javascript'), ['imports', 'function one']);
  const about = `/*!\n${' * Adds up the values of everything in the cart.\n'.repeat(4)} */\n`;
  assert.deepEqual(outline(`${about}\n\n${fn('one', 20)}`, 'javascript'), ['function one', 'function one']);
});

test('doc comments, decorators and attributes stay with the definition after them', () => {
  const filler = fn('filler', 25);
  const cases: [string, string, RegExp][] = [
    ['typescript', `${filler}\n/**\n * Doc.\n */\n${fn('documented', 25)}`, /^\/\*\*\n \* Doc\./],
    ['javascript', `${filler}\n/**\n * Doc.\n */\n\n${fn('spaced', 25)}`, /^\/\*\*\n \* Doc\./],
    [
      'python',
      `def a():\n${body(25)}\n\n# About b.\n@cached\n@traced(1)\ndef b():\n${body(25)}`,
      /^# About b\.\n@cached/,
    ],
    [
      'rust',
      `fn a() {\n${body(25)}}\n\n/// About b.\n#[inline]\nfn b() {\n${body(25)}}\n`,
      /^\/\/\/ About b\.\n#\[inline\]/,
    ],
  ];
  for (const [language, source, start] of cases) {
    const texts = chunkTexts(source, factsOf(source, language));
    assert.equal(texts.length, 2, language);
    assert.match(texts[1], start, language);
  }
});

test('documentation too large to share a chunk is still about its definition', () => {
  const doc = Array.from({ length: 40 }, (_, i) => `/// Line ${i} of what the function is about.\n`).join('');
  const source = `use a::b;\n\n${doc}pub fn documented() {\n${body(25)}}\n`;
  const facts = factsOf(source, 'rust');
  assertSound(source, facts);
  const about = facts.chunks.filter((c) => c.symbol >= 0).map((c) => facts.symbols[c.symbol].name);
  assert.deepEqual([...new Set(about)], ['documented']);
  assert.equal(about.length, facts.chunks.length - 1);
});

test('comments, and statements of one line, are glued up to the largest chunk: more of them are cut between two', () => {
  const doc = Array.from({ length: 18 }, (_, i) => `// Line ${i} of what the function is about.\n`).join('');
  const source = `${fn('first', 22)}\n${doc}${fn('second', 22)}`;
  const texts = chunkTexts(source, factsOf(source, 'typescript'));
  assert.deepEqual(texts, [`${fn('first', 22)}\n`, doc, fn('second', 22)]);
  assert.ok(doc.length + fn('second', 22).length > CAP);
  const short = `${fn('first', 22)}\n// About it.\n${fn('second', 22)}`;
  assert.deepEqual(chunkTexts(short, factsOf(short, 'typescript')).length, 2, 'both have room in one');
  const calls = Array.from({ length: 60 }, (_, i) => `add(${i}, {a: [1, {b: ${i}}], c: "word"}); `).join('');
  const parts = chunkTexts(calls, factsOf(calls, 'javascript'));
  assert.ok(parts.length > 2);
  for (const part of parts) assert.match(part, /^add\(.*\); $/);
});

test('a large class is split into its head and its members, and no part is a lone bracket', () => {
  const method = (i: number) => `  method${i}(values, weights) {\n${body(8)}  }\n\n`;
  const methods = Array.from({ length: 12 }, (_, i) => method(i)).join('');
  const source = `/** A class. */\nexport class Large extends Base {\n  field = 1;\n\n${methods}}\n`;
  const kinds = outline(source, 'typescript');
  assert.equal(kinds[0], 'class Large');
  assert.ok(kinds.slice(1).every((kind) => kind.startsWith('method Large.method')));
  for (const text of chunkTexts(source, factsOf(source, 'typescript'))) assert.ok(text.length > 200, text);
});

test('a huge function is split between statements, every part about that function', () => {
  const source = fn('huge', 200);
  const facts = factsOf(source, 'typescript');
  assertSound(source, facts);
  for (const text of chunkTexts(source, facts)) assert.match(text, /;\n(?:}\n)?$/);
  assert.ok(facts.chunks.length >= 4);
  assert.ok(facts.chunks.every((chunk) => chunk.kind === 'function' && facts.symbols[chunk.symbol].name === 'huge'));
});

test('branches are cut at line starts', () => {
  const branch = (i: number) => ` else if (kind === ${i}) {\n${body(12)}  }`;
  const source = `function f(kind) {\n  if (kind) {\n  }${Array.from({ length: 12 }, (_, i) => branch(i)).join('')}\n}\n`;
  const texts = chunkTexts(source, factsOf(source, 'javascript'));
  assert.ok(texts.length > 2);
  assert.ok(texts.every((text) => text.endsWith('\n')));
});

test('minified code is cut at safe characters and reported as generated', () => {
  const source = Array.from({ length: 800 }, (_, i) => `function a${i}(b){return b+${i}}`).join('');
  const facts = factsOf(source, 'javascript');
  assertSound(source, facts);
  assert.ok(facts.generated);
  for (const text of chunkTexts(source, facts).slice(0, -1)) assert.match(text, /[};,)\s]$/);
});

test('text without any safe place is cut at the cap, never inside a surrogate pair', () => {
  const source = `x${'😀'.repeat(3_000)}`;
  const facts = factsOf(source, 'text');
  assertSound(source, facts);
  for (const text of chunkTexts(source, facts)) {
    assert.ok(!text.includes('\ufffd'));
    assert.ok(text.length <= CAP);
  }
});

test('line chunks prefer blank lines', () => {
  for (const end of ['\n', '\r\n']) {
    const source = `${`words in a line of text${end}`.repeat(12)}${end}`.repeat(12);
    const texts = chunkTexts(source, factsOf(source, 'text'));
    assert.ok(texts.length > 2);
    assert.ok(texts.every((text) => text.endsWith(end + end)));
  }
});

test('windows line ends change neither chunks nor symbols', () => {
  const source = `import a from 'a';\n\n/** Doc. */\n${fn('one', 20)}\n${fn('two', 20)}`;
  const windows = source.replace(/\n/g, '\r\n');
  const facts = factsOf(windows, 'typescript');
  assertSound(windows, facts);
  assert.deepEqual(
    facts.chunks.map((c) => [c.kind, c.startLine, c.endLine]),
    factsOf(source, 'typescript').chunks.map((c) => [c.kind, c.startLine, c.endLine]),
  );
  assert.ok(facts.symbols[0].doc);
});

test('without its grammar a language is cut by lines, and says why', () => {
  const source = fn('one', 60);
  const facts = factsOf(source, 'typescript', { degrade: 'grammar-missing' });
  assertSound(source, facts);
  assert.deepEqual(facts.symbols, []);
  assert.ok(facts.chunks.every((chunk) => chunk.kind === 'code'));
});

test('scripts in Vue files are read as what they are, the rest as markup', () => {
  const source = `<template>\n  <p>é</p>\n</template>\n\n<script setup lang="ts">\n${fn('roll', 60)}</script>\n\n<style>\n.a { top: 0 }\n</style>\n`;
  const kinds = outline(source, 'vue');
  assert.equal(kinds[0], 'markup');
  assert.equal(kinds[1], 'function roll');
  assert.equal(kinds.at(-1), 'markup');
});

test('Markdown is cut at headings', () => {
  const section = (i: number) => `## Part ${i}\n\n${'Some words about it.\n'.repeat(28)}\n`;
  const source = `# Title\n\nIntro.\n\n${section(1)}${section(2)}`;
  assert.deepEqual(outline(source, 'markdown'), ['section Title.Part 1', 'section Title.Part 2']);
});

test('a cut of a long line falls between no two signs that are one: a line break of Windows, a pair of surrogates', () => {
  for (const pair of ['\r\n', '😀']) {
    const source = `${'x'.repeat(CAP - 1)}${pair}${'y'.repeat(CAP)}`;
    const facts = factsOf(source, 'text');
    assertSound(source, facts);
    const texts = chunkTexts(source, facts);
    assert.ok(texts.length > 1);
    for (const text of texts) assert.doesNotMatch(text, /\r$|^\n|\ufffd/);
  }
});

test('a large statement behind a large definition begins a chunk, however short the end of the definition is', () => {
  const entries = Array.from({ length: 80 }, (_, i) => `  name${i}: 'value number ${i}',\n`).join('');
  for (const last of [6, 10, 14]) {
    const methods = `  first(values, weights) {\n${body(60)}  }\n  last(values, weights) {\n${body(last)}  }\n`;
    const source = `export class Cart {\n${methods}}\nregister({\n${entries}});\n`;
    const facts = factsOf(source, 'typescript');
    assertSound(source, facts);
    const starts = chunkTexts(source, facts).map((text) => text.slice(0, 9));
    assert.ok(starts.includes('register('), `${last}: ${starts.join(' | ')}`);
  }
});
