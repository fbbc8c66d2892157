/**
 * All facts of the samples beside this file, one for each language, as lines in fixtures/facts/samples. After a change that is meant:
 * `UPDATE_FIXTURES=1 node build/test/extract/recorded-samples.test.js`, and read the difference.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { extract, loadAllRules } from '../../src/extract/extract.js';
import { factLines } from '../languages/recorded-facts.js';
import { sample } from './helpers.js';

await loadAllRules();

const SAMPLES = fileURLToPath(new URL('../../../test/extract/samples/', import.meta.url));
const KEPT = fileURLToPath(new URL('../../../fixtures/facts/samples/', import.meta.url));

for (const name of readdirSync(SAMPLES).sort()) {
  const language = name.replace(/\.txt$/, '');
  test(`the sample of ${language} has the definitions, chunks and uses that were recorded`, () => {
    const source = sample(language);
    const extraction = extract(Buffer.from(source), language);
    assert.ok('facts' in extraction);
    const found = factLines(source, language, extraction.facts);
    if (process.env.UPDATE_FIXTURES === '1') writeFileSync(`${KEPT}${language}.facts`, `${found.join('\n')}\n`);
    assert.deepEqual(found, readFileSync(`${KEPT}${language}.facts`, 'utf8').trimEnd().split('\n'));
  });
}
