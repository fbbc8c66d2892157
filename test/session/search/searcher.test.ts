/** What a search answers beside its results: what became of words, quotes and filters, of vectors, and of files that changed. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { SearchResponse } from '../../../src/questions/search/question.js';
import type { SearchOptions, SimilarOptions } from '../../../src/session/search/searcher.js';
import { unparsedFiles } from '../../../src/session/search/searcher.js';
import { UNPARSED } from '../../../src/shard/lexical-format.js';
import type { LiveSet } from '../../../src/shard/live-set.js';
import { inProcess, Process } from '../../support/in-process/search.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import { deadAddress, index, ollamaAt, startServer } from '../../support/repositories/vectors-repo.js';

const code = (name: string, words: string) => `/** ${words} */\nexport function ${name}() {\n  return '${words}';\n}\n`;
const FILES = {
  'src/cart.ts': code('cartTotal', 'Adds the prices of a basket'),
  'src/tax.ts': code('taxOf', 'Computes the tax of an invoice'),
  'src/session.ts': code('openSession', 'Opens a session for a visitor'),
  'lib/ship.py': 'def ship_parcel():\n    """Sends a parcel to a customer."""\n    return "sent"\n',
  'docs/guide.md': '# Guide\n\nThe basket shows prices with tax.\n',
};

function shop(): TestRepo {
  const repo = createRepo();
  repo.commit(FILES);
  return repo;
}

/** For tests that change nothing. */
const repo = shop();
async function sharedOf(t: TestContext): Promise<Process> {
  const process = await Process.open(repo);
  t.after(() => process.close());
  return process;
}

const placesIn = (results: SearchResponse['results']) =>
  results.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`);
const [CART, TAX, GUIDE] = ['src/cart.ts:1-4', 'src/tax.ts:1-4', 'docs/guide.md:1-3'];

test('words and conditions without a part in the results are told, each in its own words', async (t) => {
  const shared = await sharedOf(t);
  const told = async (query: string, options: Omit<SearchOptions, 'query'> = {}) => {
    const answer = await shared.search(query, options);
    return [answer.told ?? [], placesIn(answer.results)];
  };
  const both = [CART, GUIDE];
  assert.deepEqual(await told('prices of a basket'), [[], both]);
  assert.deepEqual(await told('basket zyzzyva'), [['no file has "zyzzyva"'], both]);
  assert.deepEqual(await told('zzzzq qqqzx wwwwq vvvzq xxxzq yyyzq basket'), [
    ['no file has "zzzzq", "qqqzx", "wwwwq", "vvvzq", "xxxzq"'],
    both,
  ]);
  assert.deepEqual(await told('Warenkorb Preise'), [['searched in English: cart price'], both]);
  assert.deepEqual(await told('"Adds the prices" basket'), [['the quotes left out 1 of the best results'], [CART]]);
  assert.deepEqual(await told('"nothing like this" tax'), [
    ['no file has "nothing"', 'no result has "nothing like this" as quoted; searched for the words'],
    [TAX, GUIDE],
  ]);
  assert.deepEqual(await told('"no such" "other such"'), [
    ['no file has "other"', 'no result has "no such", "other such" as quoted; without quotes its words are searched'],
    [],
  ]);
  assert.deepEqual(await told('"visitor"', { path: ['lib/**'] }), [
    [
      'no result has "visitor" as quoted; without quotes its words are searched',
      'filters by path left out 1 of the best results',
    ],
    [],
  ]);
  const all = { path: ['lib/**'], lang: ['python'], author: 'x', until: 'y', is: ['test'], tag: ['x'] };
  const named = 'path and language and author and date and class and tag';
  assert.deepEqual((await told('tax', all as object))[0], [`filters by ${named} left out 2 of the best results`]);
  assert.deepEqual(await told('tax', { kind: ['function'] }), [
    ['filters by kind left out 1 of the best results'],
    [TAX],
  ]);
  assert.deepEqual(await told('tax', { since: '2030-01-01' } as object), [[], [TAX, GUIDE]], 'it left nothing out');
  assert.deepEqual(await told('tax', { minScore: 1 }), [[], [TAX]]);
  assert.deepEqual(await told('tax', { limit: 1 }), [[], [TAX]]);
});

test('an answer names its kind and mode, its snapshot, its vectors, and corrected words', async (t) => {
  const shared = await sharedOf(t);
  const commit = repo.git('rev-parse', 'HEAD');
  const vectors = { covered: 5, total: 5, reason: null };
  const rest = { schemaVersion: 1, ref: 'HEAD', commit, coverage: { covered: 5, total: 5 }, dirty: 0, overlay: 0 };
  const answered = async (query: string, options: Omit<SearchOptions, 'query'> = {}) => {
    const { results: _, ...answer } = await shared.search(query, options);
    return answer;
  };
  const natural = { ...rest, query: 'basketz prices', kind: 'natural', corrections: { basketz: ['basket'] } };
  assert.deepEqual(await answered('basketz prices'), { ...natural, mode: 'hybrid', vectors });
  assert.deepEqual(await answered('basketz prices', { mode: 'lexical' }), { ...natural, mode: 'lexical' });
  const name = { ...rest, query: 'cartTotal', kind: 'symbol', mode: 'hybrid', vectors };
  assert.deepEqual(await answered('cartTotal'), name);
  assert.deepEqual(await answered('cartTotal', { mode: 'semantic' }), { ...name, mode: 'semantic' });
  for (const query of ['', ' \n'])
    await assert.rejects(shared.search(query), { code: 'EMPTY_QUERY', message: 'the query is empty' });
});

test('a trace is answered by its places: its words are neither corrected nor missed', async (t) => {
  const shared = await sharedOf(t);
  const trace = 'TypeErorr: zyzzyva\n    at openSessionn (src/session.ts:2:3)\n';
  const { told, corrections, results } = await shared.search(trace);
  assert.deepEqual(
    [told, corrections, placesIn(results)[0]],
    [undefined, { openSessionn: ['session'] }, 'src/session.ts:1-4'],
  );
});

test('an uncommitted file is searched as it is, and results in it are marked', async () => {
  const repo = shop();
  await inProcess(repo, async (process) => {
    await process.search('basket');
    repo.write({ 'src/fresh.ts': code('freshBasket', 'Weighs a melon'), 'src/tax.ts': '' });
    const found = await process.search('melon');
    assert.deepEqual(
      [found.dirty, found.overlay, found.results.map(({ path, uncommitted }) => [path, uncommitted])],
      [2, 2, [['src/fresh.ts', true]]],
    );
    assert.deepEqual(placesIn((await process.search('invoice')).results), []);
    const committed = await process.search('invoice', { committed: true });
    assert.deepEqual([committed.dirty, committed.overlay, placesIn(committed.results)], [2, 0, [TAX]]);
    rmSync(join(repo.dir, 'src/fresh.ts'));
    assert.deepEqual(placesIn((await process.search('melon')).results), []);
  });
});

test('the nearest code to a place or a snippet, within limits and filters; a place that is not there is refused', async (t) => {
  const shared = await sharedOf(t);
  const { searcher } = shared;
  const near = async (options: SimilarOptions) => {
    const { place, results, vectors } = await searcher.similar(options);
    assert.deepEqual(vectors, { covered: 5, total: 5, reason: null });
    return [place === null ? null : placesIn([place])[0], placesIn(results)];
  };
  assert.deepEqual(await near({ place: 'src/cart.ts:2', path: ['docs/**'] }), [CART, [GUIDE]]);
  assert.equal((await near({ place: 'src/cart.ts', limit: 1 }))[1]?.length, 1);
  assert.deepEqual(await near({ snippet: "the tax of an 'invoice'", limit: 1 }), [null, [TAX]]);
  await assert.rejects(searcher.similar({ place: 'src/crat.ts' }), {
    ...{ code: 'BAD_ARGUMENT', message: 'no file src/crat.ts is indexed in this snapshot' },
    hint: 'Did you mean src/cart.ts?',
  });
  await assert.rejects(searcher.similar({}), { code: 'EMPTY_QUERY' });
});

test('a query is embedded once; without its server, or of another size, the built-in model stands in, and that is told', async (t) => {
  const repo = shop();
  const server = await startServer(t);
  const flags = ollamaAt(server.url);
  await index(repo, flags);
  const vectors = { covered: 5, total: 5, reason: null };
  await inProcess(
    repo,
    async (process) => {
      const before = server.inputs.flat().length;
      for (const query of ['prices', 'prices', 'invoice'])
        assert.deepEqual((await process.search(query, { mode: 'semantic' })).vectors, vectors);
      assert.deepEqual(server.inputs.flat().slice(before), ['search_query: prices', 'search_query: invoice']);
      await server.close();
      assert.deepEqual((await process.search('prices')).vectors, vectors, 'it is remembered');
      const { vectors: replaced, mode } = await process.search('tax of an invoice', { mode: 'semantic' });
      assert.deepEqual([replaced?.covered, replaced?.total, mode], [5, 5, 'semantic']);
      assert.match(replaced?.reason ?? '', /^searched with the vectors of the built-in model: .+\. .+/);
      // The built-in model knows no such word either.
      await assert.rejects(process.search('zyzzyvaq', { mode: 'semantic' }), { code: /^EMBEDDER_/ });
      const words = await process.search('zyzzyvaq');
      assert.equal(words.mode, 'lexical');
      assert.match(words.vectors?.reason ?? '', /^searched by words alone: /);
    },
    flags,
  );
  const other = await startServer(t, { dimensions: 64 });
  await inProcess(
    repo,
    async (process) => {
      const { vectors: replaced } = await process.search('prices of a basket');
      assert.match(
        replaced?.reason ?? '',
        /^searched with the vectors of the built-in model: .* 64 numbers instead of 768/,
      );
    },
    ollamaAt(other.url),
  );
});

test('an index without vectors of the model is searched with the built-in one, but not by words alone', async () => {
  const reason =
    'searched with the vectors of the built-in model: 0 of 5 chunks have vectors of nomic-embed-text; indexing again makes the others';
  const flags = ollamaAt(await deadAddress());
  const search = async (process: Process, mode: SearchOptions['mode']) => {
    const answer = await process.search('prices of a basket', { mode });
    return [answer.vectors, answer.mode];
  };
  await inProcess(
    shop(),
    async (process) => {
      const vectors = { covered: 5, total: 5, reason };
      for (const mode of ['hybrid', 'semantic'] as const)
        assert.deepEqual(await search(process, mode), [vectors, mode]);
      assert.deepEqual(await search(process, 'lexical'), [undefined, 'lexical']);
    },
    flags,
  );
});

test('files that have only their words so far are counted, of shards that hold units', () => {
  const shard = (units: number, state: string) => ({ meta: { units }, unitState: () => state });
  const count = (...shards: object[]) =>
    unparsedFiles({ shards, files: { shard: [0, 1, 1, 2, -1] } } as unknown as Pick<LiveSet, 'shards' | 'files'>);
  const [parsed, words, empty] = [shard(3, 'parsed'), shard(2, UNPARSED), shard(0, UNPARSED)];
  assert.equal(count(parsed, words, parsed), 2);
  assert.equal(count(words, words, parsed), 3);
  assert.equal(count(parsed, empty, parsed), 0);
});
