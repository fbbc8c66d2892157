/**
 * The ranking on fixtures/ranking in numbers: what each part of a score is, so that an answer changes only where somebody means it to.
 * After a change that is meant: `UPDATE_FIXTURES=1 node build/test/search/scoring-golden.test.js`, and read the difference.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as numbers from '../../src/search/weights.js';
import { fixtureRepo, Process } from '../support/in-process/search.js';

const KEPT = fileURLToPath(new URL('../../../fixtures/scores/ranking.json', import.meta.url));

/** Names, descriptions and questions, with code, phrases, literals, typing errors and words of other classes of files among them. */
const QUERIES = [
  ...['SessionStore', 'Deserialize', 'SessionStore.revoke', 'reserve_stock', 'history', 'Router', 'Cancel'],
  ...['how are passwords hashed', 'where is the value added tax computed', 'how does the rate limiter count tokens'],
  ...['product filter', 'place an order', 'rate limiting', 'evict the oldest cache entry', 'config loader settings'],
  ...['tests for password hashing', 'docs about authentication', 'v1 orders', 'pasword hashng', 'log out of a session'],
  ...['store.revoke(', '"oldest entry"', 'authenticate', 'wie werden die Passwörter gespeichert'],
];
const MODES = ['hybrid', 'lexical', 'semantic'] as const;
const RESULTS = 5;
/** Sums of vectors may round otherwise on another processor. */
const TOLERANCE = 2e-3;

/** Numbers that no answer of the fixture shows, such as bounds on what is read, are measured as the others are. */
const NUMBERS = 'numbers of the ranking';

type Row = [place: string, score: number, parts: Record<string, number>];

const repo = fixtureRepo('ranking');
let shop: Process;
before(async () => {
  shop = await Process.open(repo);
});
after(() => shop.close());

const round = (value: number) => Math.round(value * 1e4) / 1e4;

async function rowsOf(query: string, mode: (typeof MODES)[number]): Promise<Row[]> {
  const { results } = await shop.search(query, { mode, explain: true, limit: RESULTS });
  return results.map(({ path, startLine, symbol, score, explain = {} }) => [
    `${path}:${startLine} ${symbol}`,
    round(score),
    Object.fromEntries(Object.entries(explain).map(([name, value]) => [name, round(value)])),
  ]);
}

/** Each part of a score that is not what it was. */
function differences(found: readonly Row[], kept: readonly Row[]): string[] {
  const places = (rows: readonly Row[]) => rows.map(([place]) => place).join(', ');
  if (places(found) !== places(kept)) return [`found ${places(found)}`, `not ${places(kept)}`];
  return found.flatMap(([place, score, parts], i) => {
    const [now, before] = [
      { score, ...parts },
      { score: kept[i][1], ...kept[i][2] },
    ] as Record<string, number>[];
    const names = [...new Set([...Object.keys(now), ...Object.keys(before)])];
    const changed = names.filter((name) => !(Math.abs(now[name] - before[name]) <= TOLERANCE));
    return changed.map((name) => `${place}: ${name} is ${now[name]}, not ${before[name]}`);
  });
}

if (process.env.UPDATE_FIXTURES) {
  test('scores are written', async () => {
    const lines = [`  ${JSON.stringify(NUMBERS)}: ${JSON.stringify(numbers)}`];
    for (const mode of MODES)
      for (const query of QUERIES) {
        const rows = (await rowsOf(query, mode)).map((row) => `    ${JSON.stringify(row)}`);
        lines.push(`  ${JSON.stringify(`${mode}: ${query}`)}: [\n${rows.join(',\n')}\n  ]`);
      }
    writeFileSync(KEPT, `{\n${lines.join(',\n')}\n}\n`);
  });
} else {
  const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as Record<string, Row[]>;
  test('the numbers of the ranking are those that were measured', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(numbers)), kept[NUMBERS]);
  });

  for (const mode of MODES)
    test(`every part of a score is what it was, mode ${mode}`, async () => {
      for (const query of QUERIES)
        assert.deepEqual(differences(await rowsOf(query, mode), kept[`${mode}: ${query}`]), [], query);
    });
}
