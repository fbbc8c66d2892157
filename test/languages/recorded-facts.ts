/**
 * All facts of the files in fixtures/facts, as lines beside them. After a change that is meant:
 * `UPDATE_FIXTURES=1 node build/test/languages/roles/facts.test.js`, and read the difference.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { qualifiedName } from '../../src/extract/extract.js';
import { assertSound, factsOf } from '../extract/helpers.js';
import { relationLines } from './relations-support.js';

const FOLDER = fileURLToPath(new URL('../../../fixtures/facts/', import.meta.url));

/** Languages that have a file. */
export const RECORDED = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.slice(0, -'.txt'.length))
  .sort();

/** Checks that each language gives the facts that are recorded. */
export function testFacts(...languages: readonly string[]): void {
  for (const language of languages)
    test(`${language}: definitions, imports, uses and types of a file are those that were recorded`, () => {
      const source = readFileSync(`${FOLDER}${language}.txt`, 'utf8');
      const found = `${factLines(source, language).join('\n')}\n`;
      const kept = `${FOLDER}${language}.facts`;
      if (process.env.UPDATE_FIXTURES === '1') writeFileSync(kept, found);
      assert.deepEqual(found.split('\n'), readFileSync(kept, 'utf8').split('\n'));
    });
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
