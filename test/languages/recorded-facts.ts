/**
 * All facts of the files in fixtures/facts, as lines beside them. After a change that is meant:
 * `UPDATE_FIXTURES=1 node build/test/languages/roles/facts.test.js`, and read the difference.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type extract, qualifiedName } from '../../src/extract/extract.js';
import { languageOf } from '../../src/languages/registry.js';
import { assertSound, factsOf } from '../extract/helpers.js';
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
