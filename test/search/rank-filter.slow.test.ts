/** A filter chooses among results: it changes neither scores nor order. And words ask for tests only where tests are not the topic. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { SearchOptions } from '../../src/session/search/searcher.js';
import { fixtureRepo, Process } from '../support/in-process/search.js';
import { createRepo } from '../support/repositories/repo.js';

const ALL = 1_000;
const repo = fixtureRepo('ranking');
let shop: Process;
before(async () => {
  shop = await Process.open(repo);
});
after(() => shop.close());

const QUERIES = [
  'product filter',
  'how are passwords hashed',
  'SessionStore',
  'place an order',
  'tests for password hashing',
];
const FILTERS: Partial<SearchOptions>[] = [
  { path: ['src'] },
  { path: ['src/products/filters.ts'] },
  { path: ['!src'] },
  { path: ['tests', 'docs'] },
  { lang: ['python'] },
  { kind: ['function'] },
  { path: ['src'], kind: ['class', 'function'] },
];
const MODES = ['hybrid', 'lexical', 'semantic'] as const;
const placeOf = ({ path, startLine, score }: { path: string; startLine: number; score: number }) =>
  `${path}:${startLine} ${score}`;

test('results under a filter are those without it, filtered, in the same order with the same scores', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...QUERIES),
      fc.constantFrom(...FILTERS),
      fc.constantFrom(...MODES),
      async (query, filter, mode) => {
        const all = (await shop.search(query, { mode, limit: ALL })).results.map(placeOf);
        const found = (await shop.search(query, { mode, limit: ALL, ...filter })).results.map(placeOf);
        const first = (await shop.search(query, { mode, limit: 3, ...filter })).results.map(placeOf);
        const kept = new Set(found);
        const expected = all.filter((place) => kept.has(place));
        assert.deepEqual(found.slice(0, expected.length), expected);
        assert.deepEqual(first, found.slice(0, 3));
      },
    ),
    { numRuns: 40 },
  );
});

test('a filter that the first hundreds of candidates fail still fills its page', async () => {
  const many = createRepo();
  for (let i = 0; i < 120; i++) {
    const body = Array.from(
      { length: 8 },
      (_, j) => `export function parsePacket${i}x${j}(packet) {\n${'  packet.parse(packet);\n'.repeat(24)}}\n`,
    );
    many.write({ [`src/packet${i}.js`]: body.join('\n') });
  }
  for (let i = 0; i < 20; i++)
    many.write({
      [`far/away${i}.js`]: `export function other${i}() {\n${`  log(${i});\n`.repeat(30)}  return packet;\n}\n`,
    });
  many.commit();
  const process = await Process.open(many);
  try {
    const { results } = await process.search('parse packet', { mode: 'lexical', path: ['far'], limit: 10 });
    assert.equal(results.length, 10);
    const scores = results.map(({ score }) => score);
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a),
    );
  } finally {
    process.close();
  }
});

test('"test" asks for tests, but not in a repository about tests', async () => {
  const runner = createRepo();
  const code = (what: string) =>
    `export function ${what}Suite(queue) {\n  // Every test of the queue is run, then the next test.\n  return queue.map((test) => test.run());\n}\n`;
  for (const what of ['collect', 'order', 'run', 'report']) runner.write({ [`src/${what}.js`]: code(what) });
  runner.write({ 'tests/queue.js': "check('tests of a queue run in order', () => { runSuite([one, two]); });\n" });
  runner.commit();
  const process = await Process.open(runner);
  try {
    const { results } = await process.search('how are tests run', { mode: 'lexical' });
    assert.match(results[0].path, /^src\//);
    const factors = (await process.search('how are tests run', { mode: 'lexical', explain: true })).results;
    assert.equal(factors.find(({ path }) => path.startsWith('tests/'))?.explain?.['factor:test'], 0.3);
  } finally {
    process.close();
  }
});
