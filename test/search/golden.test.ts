/** The ranking on a small project in several languages (fixtures/ranking), indexed and searched as a user would. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { fixtureRepo, Process } from '../support/in-process/search.js';

const repo = fixtureRepo('ranking');
let shop: Process;
before(async () => {
  shop = await Process.open(repo);
});
after(() => shop.close());

type Result = SearchResponse['results'][number];

/** Query -> the first results, in order. */
const GOLDEN: Record<string, string[]> = {
  // A name: its definition, before declarations, users, re-exports, tests and generated code.
  SessionStore: ['src/auth/session.ts'],
  'SessionStore.revoke': ['src/auth/session.ts'],
  hashPassword: ['src/auth/passwords.ts'],
  Router: ['src/http/router.ts', 'src/http/server.ts'],
  login: ['src/auth/login.ts'],
  reserve_stock: ['api/v2/orders.py'],
  // The same name in another style.
  reserveStock: ['api/v2/orders.py'],
  '`runMigrations`': ['src/store/migrations.ts'],
  // The trait, not one of the methods that implement it.
  Deserialize: ['crates/wire/src/lib.rs', 'crates/wire/src/stock.rs', 'crates/wire/src/price.rs'],
  // A capital is meant: the type, not the function.
  Cancel: ['src/messages.ts', 'src/queue.ts'],
  // Questions.
  'how are passwords hashed': ['src/auth/passwords.ts'],
  'where are the settings loaded': ['src/config/loader.ts'],
  'where is the value added tax computed': ['internal/invoice/invoice.go'],
  'exponential backoff': ['worker/retry.py'],
  'roll back a failed transaction': ['src/store/database.ts', 'src/store/migrations.ts'],
  'evict the oldest cache entry': ['src/cache/lru.ts'],
  'token bucket': ['src/http/limiter.ts'],
  // File names.
  history: ['src/editor/history.ts'],
  // The limiter and the server that uses it; the document that merely mentions it comes after code.
  'rate limiting': ['src/http/limiter.ts', 'src/http/server.ts', 'docs/authentication.md'],
  mailer: ['worker/mailer.py'],
  // The current version before the superseded one, unless that one is asked for.
  'place an order': ['api/v2/orders.py', 'api/v1/orders.py'],
  'v1 orders': ['api/v1/orders.py', 'api/v2/orders.py'],
  // Tests, examples and documents come first only where they are asked for.
  'tests for password hashing': ['tests/passwords.test.ts', 'src/auth/passwords.ts'],
  'example of a login': ['examples/login.ts'],
  'docs about authentication': ['docs/authentication.md'],
  // Three places rather than three chunks of the same file.
  'product filter': ['src/products/filters.ts', 'src/products/page.ts', 'worker/feed.py'],
};

for (const [query, expected] of Object.entries(GOLDEN)) {
  test(`"${query}" finds ${expected[0]}`, async () => {
    const { results } = await shop.search(query);
    assert.deepEqual(
      results.slice(0, expected.length).map(({ path }) => path),
      expected,
    );
  });
}

test('a question for code is answered by code before tests, examples and documents', async () => {
  const { results } = await shop.search('password');
  assert.match(results[0].path, /^src\//);
  const { results: tests } = await shop.search('SessionStore', { path: ['src', 'tests', 'docs', 'examples'] });
  const first = (directory: string) => tests.findIndex(({ path }) => path.startsWith(directory));
  for (const directory of ['tests/', 'docs/', 'examples/']) {
    assert.ok(first(directory) === -1 || first(directory) > first('src/'), directory);
  }
});

test('a further chunk of a file counts half, and the less the worse it is than the best one', async () => {
  const { results } = await shop.search('product filter', { explain: true, limit: 50 });
  const own = results.filter(({ path }) => path === 'src/products/filters.ts');
  const [first, ...further] = own.map(({ score, explain }) => {
    const { saturation = 1, calls = 0 } = explain ?? {};
    return { own: (score - calls) / saturation, saturation };
  });
  assert.equal(first.saturation, 1);
  assert.ok(further.length > 1);
  for (const { own, saturation } of further)
    assert.ok(Math.abs(saturation - 0.5 * (own / first.own) ** 2) < 1e-4, JSON.stringify(further));
});

test('a file that is about the question all over gains on one that mentions it once', async () => {
  const { results } = await shop.search('product filter', { explain: true });
  const gain = (path: string) => results.find((result) => result.path === path)?.explain?.coherence ?? 0;
  assert.ok(gain('src/products/filters.ts') > 2 * gain('src/products/page.ts'));
  assert.ok(gain('src/products/page.ts') > 0);
});

/**
 * What the explanation says the score is: features, times the factor of the class, plus coherence, times saturation.
 * Places in lists (`rank:`) count for nothing.
 */
function explained({ explain = {} }: Result): number {
  let score = 0;
  for (const [name, value] of Object.entries(explain)) {
    if (name.startsWith('rank:')) continue;
    if (name.startsWith('factor:') || name === 'saturation') score *= value;
    else score += value;
  }
  return score;
}

const MODES = ['hybrid', 'lexical', 'semantic'] as const;

test('the parts of an explanation add up to the score, for names, descriptions and questions, in every mode', async () => {
  const queries = [
    ...['SessionStore', 'hashed password', 'product filter', 'place an order', 'orders v1'],
    ...['how are passwords hashed', 'where is the value added tax computed'],
  ];
  for (const query of queries) {
    for (const mode of MODES) {
      const { results } = await shop.search(query, { explain: true, limit: 50, mode });
      assert.ok(mode === 'semantic' || results.length > 1, `${mode} ${query}`);
      for (const result of results) {
        const about = `${mode} ${query}: ${JSON.stringify(result.explain)}`;
        assert.ok(Math.abs(explained(result) - result.score) < 1e-4, about);
        assert.ok(
          Object.keys(result.explain ?? {}).some((name) => name.startsWith('rank:') || name === 'definition'),
          about,
        );
      }
      const scores = results.map(({ score }) => score);
      assert.deepEqual(
        scores,
        [...scores].sort((a, b) => b - a),
      );
    }
  }
});

test('the explanation names the class that a file was ranked down for', async () => {
  const { results } = await shop.search('place an order', { explain: true });
  const factors = Object.fromEntries(results.map(({ path, explain }) => [path, Object.keys(explain ?? {})]));
  assert.ok(factors['api/v1/orders.py'].includes('factor:legacy'));
  assert.ok(factors['generated/client.ts'].includes('factor:generated'));
  assert.ok(!factors['api/v2/orders.py'].some((name) => name.startsWith('factor:')));
});

test('the sources of a result name the reasons why it was found', async () => {
  const [router] = (await shop.search('Router', { explain: true })).results;
  assert.deepEqual(router.sources, ['lexical', 'definition', 'path', 'semantic']);
  const [backoff] = (await shop.search('exponential backoff', { explain: true })).results;
  assert.deepEqual(backoff.sources, ['lexical', 'semantic']);
  for (const mode of ['lexical', 'semantic'] as const) {
    const [only] = (await shop.search('exponential backoff', { mode, explain: true })).results;
    assert.deepEqual(only.sources, [mode]);
  }
});

test('the same query gives the same answer every time', async () => {
  assert.deepEqual(await shop.search('password'), await shop.search('password'));
});

test('a result is shown under the definition that was asked for, not under its neighbour in the chunk', async () => {
  for (const name of ['hashPassword', 'verifyPassword']) {
    const [first] = (await shop.search(name, { limit: 1 })).results;
    assert.equal(first.symbol?.split('.').pop(), name);
  }
});
