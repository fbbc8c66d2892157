/**
 * All facts of the files in fixtures/facts, as lines beside them. After a change that is meant: `UPDATE_FIXTURES=1 node
 * build/test/languages/roles/facts.test.js`, for samples that of the language's own folder, and read the difference.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type extract, qualifiedName } from '../../src/extract/extract.js';
import { type LanguageId, languageOf } from '../../src/languages/registry.js';
import { assertSound, factsOf, sample } from '../extract/helpers.js';
import { FEATURES } from './features.js';
import { ORDINARY } from './ordinary.js';
import { relationLines } from './relations-support.js';

const FOLDER = fileURLToPath(new URL('../../../fixtures/facts/', import.meta.url));

/** Languages that have a file. */
export const RECORDED = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.slice(0, -'.txt'.length))
  .sort();

/** Checks that the file of each language gives the facts that are recorded, and that the language is declared as it was. */
export function testFacts(read: typeof extract, ...languages: readonly string[]): void {
  for (const language of languages) {
    test(`${language}: definitions, imports, uses and types of a file are those that were recorded`, () => {
      const source = readFileSync(`${FOLDER}${language}.txt`, 'utf8');
      const extraction = read(Buffer.from(source), language);
      assert.ok('facts' in extraction);
      compare(`${language}.facts`, factLines(source, language, extraction.facts));
    });
    test(`${language}: names, conventions and semantics are those that were recorded`, () => {
      compare(`${language}.declaration`, JSON.stringify(languageOf(language), shown, 1).split('\n'));
    });
  }
}

/**
 * Checks the facts of the texts that each language has beside its file: the sample in test/extract, a piece of ordinary code, and the
 * features of newer versions. All are recorded in fixtures/facts/samples.
 */
export function testSamples(read: typeof extract, ...languages: readonly string[]): void {
  const check = (language: string, source: string) => {
    const extraction = read(Buffer.from(source), language);
    assert.ok('facts' in extraction);
    return factLines(source, language, extraction.facts);
  };
  for (const language of languages) {
    test(`the sample of ${language} has the definitions, chunks and uses that were recorded`, () => {
      compare(`samples/${language}.facts`, check(language, sample(language)));
    });
    const texts = Object.entries({ ...ordinaryOf(language), ...FEATURES[language] });
    if (texts.length === 0) continue;
    test(`ordinary code and newer features of ${language} have the facts that were recorded`, () => {
      compare(
        `samples/${language}.features.facts`,
        texts.flatMap(([name, source]) => [`## ${name}`, ...check(language, source)]),
      );
    });
  }
}

function ordinaryOf(language: string): Record<string, string> {
  const ordinary = ORDINARY[language as LanguageId];
  if (ordinary === undefined) return {};
  const { before = '', piece, after = '' } = ordinary;
  return { 'ordinary code': `${before}${piece}${after}`.replaceAll('#N', '1') };
}

/** Sets and expressions as text; functions are left out. */
function shown(_: string, value: unknown): unknown {
  if (value instanceof Set) return `{${[...value].join(' ')}}`;
  if (value instanceof Map) return [...value].map(([key, each]) => [key, shown('', each)]);
  return value instanceof RegExp ? String(value) : value;
}

function compare(name: string, found: readonly string[]): void {
  if (process.env.UPDATE_FIXTURES === '1') writeFileSync(`${FOLDER}${name}`, `${found.join('\n')}\n`);
  assert.deepEqual(found, readFileSync(`${FOLDER}${name}`, 'utf8').trimEnd().split('\n'));
}

/** All facts of a file as lines. */
export function factLines(source: string, language: string, facts = factsOf(source, language)): string[] {
  assertSound(source, facts);
  const bytes = Buffer.from(source);
  const textOf = ({ start, end }: { start: number; end: number }) =>
    bytes.toString('utf8', start, end).replace(/\s+/g, ' ').trim();
  const symbols = facts.symbols.map((symbol, i) => {
    const { kind, exported, fixed, arity, parameters, startLine, endLine, signature, doc } = symbol;
    const marks = [exported ? '+' : '-', kind, qualifiedName(facts.symbols, i), fixed ? 'fixed' : ''];
    const counts = [arity === undefined ? '' : `/${arity}`, parameters === undefined ? '' : `#${parameters}`];
    const about = doc === null ? '' : ` | ${textOf(doc)}`;
    return `${startLine}-${endLine} ${[...marks, ...counts].filter((mark) => mark !== '').join(' ')}: ${textOf(signature)}${about}`;
  });
  const chunks = facts.chunks.map(
    ({ startLine, endLine, kind, symbol }) =>
      `${startLine}-${endLine} ${kind}${symbol < 0 ? '' : ` ${qualifiedName(facts.symbols, symbol)}`}`,
  );
  const types = facts.relations.references.flatMap(({ startLine, name, types: of }) =>
    of === undefined ? [] : [`${startLine} ${name}(${of})`],
  );
  const errors = facts.parseErrors.map(
    ({ startLine, endLine, lost }) => `${startLine}-${endLine}${lost ? ' lost' : ''}`,
  );
  const sections = { symbols, chunks, ...relationLines(source, language), arguments: types, errors };
  return Object.entries(sections).flatMap(([name, lines]) => (lines.length === 0 ? [] : [`# ${name}`, ...lines]));
}
