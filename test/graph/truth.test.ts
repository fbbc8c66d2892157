/** Uses of symbols per language, against those that were listed by hand: neither recall nor precision may fall. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasGrammar } from '../../src/extract/version.js';
import { languageOf } from '../../src/languages/registry.js';
import {
  judge,
  type Rates,
  type Row,
  readTruth,
  TRUTH,
  TRUTH_FILE,
  type Truth,
  tableOf,
  truthLanguages,
} from '../support/in-process/fixture-truth.js';

const RATES: readonly (keyof Rates)[] = ['recall', 'possible', 'precision'];

for (const language of truthLanguages()) {
  const grammar = languageOf(language)?.grammar?.name;
  const skip = grammar !== undefined && !hasGrammar(grammar) ? 'the grammar is not installed' : false;
  test(`references of ${language} are the uses that were listed by hand`, { skip }, (t) => {
    const rows = judge(language);
    if (process.env.UPDATE_FIXTURES === '1') raiseFloors(language, rows);
    for (const line of [...tableOf(rows), ...rows.flatMap(({ differences }) => differences)]) t.diagnostic(line);
    const { floors = {} } = readTruth(language);
    for (const { group, rates, differences } of rows) {
      const floor = floors[group];
      assert.ok(floor !== undefined, `${language} has no floor for ${group}: UPDATE_FIXTURES=1 writes it`);
      for (const rate of RATES) {
        const message = `${rate} of ${group} is ${rates[rate]}, below ${floor[rate]}\n${differences.join('\n')}`;
        assert.ok(rates[rate] >= floor[rate], message);
      }
    }
  });
}

/** Precision that is aimed at. A higher floor would refuse finding a hundred more uses for the sake of one that is wrong. */
const PRECISION_GOAL = 0.97;

/** Floors only rise. They are rounded down to three digits. */
function raiseFloors(language: string, rows: readonly Row[]): void {
  const truth = readTruth(language);
  const floors: Truth['floors'] = { ...truth.floors };
  for (const { group, rates } of rows) {
    const raised = (rate: keyof Rates) => Math.max(floors[group]?.[rate] ?? 0, Math.floor(rates[rate] * 1000) / 1000);
    const precision = Math.min(raised('precision'), PRECISION_GOAL);
    floors[group] = { recall: raised('recall'), possible: raised('possible'), precision };
  }
  const symbols = truth.symbols.map((symbol) => `    ${JSON.stringify(symbol)}`);
  const text = `{\n  "floors": ${JSON.stringify(floors, null, 2).replaceAll('\n', '\n  ')},\n  "symbols": [\n${symbols.join(',\n')}\n  ]\n}\n`;
  writeFileSync(join(TRUTH, language, TRUTH_FILE), text);
}
