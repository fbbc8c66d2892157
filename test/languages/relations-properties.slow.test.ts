import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BlobFacts } from '../../src/extract/extract.js';
import { allLanguages, rulesOf } from '../../src/languages/registry.js';
import { IMPORT_KINDS, REFERENCE_KINDS } from '../../src/languages/roles/relation-facts.js';
import { factsOf, sample } from '../extract/helpers.js';
import { cpuTimer } from '../support/processes/cpu-time.js';

const LANGUAGES = [...allLanguages()].flatMap(({ id, relations }) => (relations ? [id] : []));
const LONGEST = 200;
const NOISE = [
  '\n',
  '{',
  '}',
  '(',
  ')',
  '"',
  "'",
  '`',
  '/*',
  '*/',
  '//',
  '#',
  '😀',
  '<',
  '>',
  ';',
  ',',
  '.',
  '=',
  '=>',
  '@',
  'new ',
];
const WORDS = [
  'import ',
  'export ',
  'from "x"',
  'this.',
  'self.',
  '__proto__',
  'constructor',
  'a.b(c)',
  'f<T>(',
  '...x',
  'return ',
];

const mangled = (language: string) => {
  const source = sample(language);
  const slice = fc
    .tuple(fc.nat(source.length), fc.nat(300), fc.integer({ min: 1, max: 6 }))
    .map(([at, length, times]) => source.slice(at, at + length).repeat(times));
  return fc
    .array(fc.oneof(slice, fc.constantFrom(...NOISE, ...WORDS)), { maxLength: 20 })
    .map((parts) => parts.join(''));
};

/** What must hold for any text: kinds of the lists, indexes and lines in range, sorted, strings bounded. */
function assertRelations(facts: BlobFacts): void {
  const { imports, exports, references, bindings } = facts.relations;
  const inRange = (index: number) => assert.ok(index >= -1 && index < facts.symbols.length);
  const isLine = (line: number) => assert.ok(line >= 1 && line <= Math.max(1, facts.lines), `line ${line}`);
  const isShort = (...texts: string[]) => assert.ok(texts.every((text) => text.length <= LONGEST));
  for (const { kind, specifier, names, symbol, startLine, endLine } of imports) {
    assert.ok(IMPORT_KINDS.includes(kind) && specifier !== '' && startLine <= endLine);
    inRange(symbol);
    [startLine, endLine].forEach(isLine);
    for (const { name, alias } of names) isShort(name, alias, specifier);
  }
  for (const { name, local, line } of exports) {
    isShort(name, local);
    isLine(line);
  }
  for (const { kind, name, receiver, args, literal, symbol, startLine, endLine } of references) {
    assert.ok(REFERENCE_KINDS.includes(kind) && name !== '' && args >= -1 && startLine <= endLine);
    inRange(symbol);
    [startLine, endLine].forEach(isLine);
    isShort(name, receiver, literal);
  }
  for (const { scope, name, type, value, line } of bindings) {
    inRange(scope);
    isLine(line);
    isShort(name, type, value);
  }
  for (const lines of [imports.map((fact) => fact.startLine), references.map((fact) => fact.startLine)])
    assertSorted(lines);
  for (const facts of [exports, bindings]) assertSorted(facts.map((fact) => fact.line));
}

function assertSorted(lines: readonly number[]): void {
  assert.ok(
    lines.every((line, index) => index === 0 || lines[index - 1] <= line),
    'sorted by line',
  );
}

test('any text in any language gives relations that are in range, sorted and bounded', () => {
  for (const language of LANGUAGES) {
    fc.assert(
      fc.property(mangled(language), (source) => assertRelations(factsOf(source, language))),
      { numRuns: 20, seed: 11 },
    );
  }
});

/** What languages open and what they seldom repeat, over and over. */
const REPEATED = ['a.b(', '((((', '"`${"', 'a[0]', '(a)', 'a, ', 'a::', 'x => ', '{', 'import {', '<a>', 'a: B, '];

/** Milliseconds of this process' own work: what else the machine does doesn't count. */
function work(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test('relations of what is repeated endlessly cost no more than a few times their parse', () => {
  for (const language of LANGUAGES) {
    const rules = rulesOf(language);
    const { relations } = rules;
    for (const repeated of REPEATED) {
      const source = repeated.repeat(2_000 / repeated.length);
      const all = work(() => factsOf(source, language));
      // What a reader can't notice isn't measured twice.
      if (all < 300 || relations === undefined) continue;
      rules.relations = undefined;
      const parse = work(() => factsOf(source, language));
      rules.relations = relations;
      assert.ok(all < 5 * parse + 400, `${language} ${JSON.stringify(repeated)}: ${all} ms, ${parse} without`);
    }
  }
});

test('comments that nothing closes cost HTML no quadratic time, and the text before them is read', () => {
  const source = `<h1 id="cart">Cart</h1><!-- a -->${'<!--'.repeat(50_000)}`;
  const usedMs = cpuTimer();
  const { symbols, chunks } = factsOf(source, 'html');
  assert.ok(usedMs() < 10_000);
  assert.equal(symbols.length, 1);
  assert.equal(chunks[chunks.length - 1].end, source.length);
});

test('long lines and endless repetitions cost no more than their parse', () => {
  const long: [string, string][] = [
    ['javascript', `a${'.b(x)'.repeat(8_000)}`],
    ['javascript', 'module.exports={'.repeat(6_000)],
    ['javascript', `var a=${'exports.b=c,'.repeat(10_000)}d`],
    ['javascript', `!function(){${'var a=b(function(c){return d(c,a)});'.repeat(3_000)}}()`],
    ['typescript', `f${' '.repeat(100_000)}(1)`],
    ['typescript', `function f(${'a: B, '.repeat(10_000)}) {}`],
    ['typescript', 'f('.repeat(3_000) + ')'.repeat(3_000)],
    ['scss', '@import "a",'.repeat(10_000)],
    ['typescript', `f({a${' '.repeat(100_000)}:${' '.repeat(100_000)}{b: 1}${' '.repeat(100_000)}});`],
    ['javascript', `exports.a = b${' '.repeat(100_000)}.c;`],
    ['python', `class A:\n  def m(self):\n    ${'self.a, '.repeat(40_000)} = b`],
    ['python', `class A:\n  def m(self):\n    self.${'a'.repeat(100_000)}(b)`],
    ['python', `def f():\n${Array.from({ length: 40_000 }, (_, i) => `  global a${i}\n  b${i} = c\n`).join('')}`],
    ['python', `def f(a):\n${'  a = b\n  if isinstance(a, B): a.c()\n'.repeat(15_000)}`],
    ['go', `package a\ntype A struct { ${Array.from({ length: 30_000 }, (_, i) => `F${i}`).join(', ')} B }`],
    ['swift', `let x: [T] = [${'.a, '.repeat(60_000)}.b]`],
    ['java', `import a${`.${' '.repeat(190)}b`.repeat(3)};\n`.repeat(1_500)],
    ['c', `int f(${' '.repeat(100_000)}*a);`],
    ['vue', `<script>import a from "x"</script>${'<a-b :c="d" '.repeat(8_000)}`],
  ];
  for (const [language, source] of long) {
    const usedMs = cpuTimer();
    const facts = factsOf(source, language);
    assertRelations(facts);
    // Quadratic behaviour takes minutes here; what is linear takes a fraction of a second even on a busy machine.
    assert.ok(usedMs() < 5_000, source.slice(0, 40));
    assert.ok(facts.relations.references.length <= 20_000 && facts.relations.bindings.length <= 20_000);
  }
});
