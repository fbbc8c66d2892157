import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { extract, LANGUAGE_IDS } from '../../src/extract/extract.js';
import { EXPECTED } from './expected.js';
import { assertSound, factsOf, sample } from './helpers.js';

const PARSED = [...Object.keys(EXPECTED).filter((language) => language !== 'jsx')];
const samples = new Map(PARSED.map((language) => [language, sample(language)]));
const NOISE = [
  '\n',
  '\r\n',
  '\r',
  '{',
  '}',
  '(',
  '"',
  "'",
  '`',
  '/*',
  '*/',
  '#',
  '😀',
  'é',
  '\t',
  '<',
  '>',
  ';',
  '\ufeff',
];

/** A sample with pieces of it repeated, cut out and mixed with noise: programs that are almost right. */
const mangled = (language: string) => {
  const source = samples.get(language) ?? '';
  const slice = fc
    .tuple(fc.nat(source.length), fc.nat(400), fc.integer({ min: 1, max: 12 }))
    .map(([at, length, times]) => source.slice(at, at + length).repeat(times));
  return fc.array(fc.oneof(slice, fc.constantFrom(...NOISE)), { maxLength: 12 }).map((parts) => parts.join(''));
};

test('chunks tile whatever the program, in every language', () => {
  for (const language of PARSED) {
    fc.assert(
      fc.property(mangled(language), (source) => assertSound(source, factsOf(source, language))),
      { numRuns: 25, seed: 7 },
    );
  }
});

test('chunks tile any bytes that are not skipped', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 6_000, min: 1 }), fc.constantFrom(...PARSED), (bytes, language) => {
      const facts = factsOf(bytes, language);
      assert.equal(facts.chunks.at(-1)?.end ?? 0, bytes.length);
      facts.chunks.forEach((chunk, index) => {
        assert.equal(chunk.start, index === 0 ? 0 : facts.chunks[index - 1].end);
      });
    }),
    { numRuns: 60, seed: 7 },
  );
});

test('the same bytes give the same facts', () => {
  for (const [language, source] of samples) {
    const once = extract(Buffer.from(source), language);
    assert.deepEqual(extract(Buffer.from(source), language), once);
  }
});

test('every language id is accepted', () => {
  for (const language of LANGUAGE_IDS) assertSound('a\nb\n', factsOf('a\nb\n', language));
});

test('deep nesting and endless lists cost no stack', () => {
  const deep: [string, string][] = [
    ['javascript', `x = ${'('.repeat(3_000)}1${')'.repeat(3_000)};\n`],
    ['html', `${'<div>\n'.repeat(1_500)}${'</div>\n'.repeat(1_500)}`],
    ['json', `${'['.repeat(3_000)}${']'.repeat(3_000)}`],
    ['scss', `${'a {\n'.repeat(3_000)}${'}\n'.repeat(3_000)}`],
    ['typescript', `const s = ${"'a' +\n".repeat(4_000)}'b';\n`],
    ['python', `x = [${'1, '.repeat(20_000)}]\n`],
  ];
  for (const [language, source] of deep) assertSound(source, factsOf(source, language));
});
