/** Searches by meaning from the command line: with a provider, without it, without usearch, without git. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type SearchResponse, searchResponseSchema } from '../../src/questions/search/question.js';
import { check } from '../support/check.js';
import { fixtureRepo, inProcess } from '../support/in-process/search.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { committed, deadAddress, index, ollamaAt, startServer } from '../support/repositories/vectors-repo.js';

const envOf = (url: string): NodeJS.ProcessEnv => ({
  SOCRATICODE_EMBEDDER_NAME: 'ollama',
  SOCRATICODE_EMBEDDER_ENDPOINT: url,
});

test('a provider gets the query with the prefix of its model, once for as many questions', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  const flags = ollamaAt(server.url);
  await index(repo, flags);
  const before = server.inputs.length;
  await inProcess(
    repo,
    async (process) => {
      for (const mode of ['hybrid', 'semantic'] as const) {
        const { mode: used, vectors, results } = await process.search('nearest depot', { mode, explain: true });
        assert.deepEqual([used, vectors?.reason, results[0].path], [mode, null, 'lib/depot.py']);
        assert.ok(results[0].explain?.['rank:vectors'] === 1 && (results[0].explain.dense ?? 0) > 0);
      }
      await process.search('nearest depot', { mode: 'lexical' });
    },
    flags,
  );
  assert.deepEqual(server.inputs.slice(before), [['search_query: nearest depot']]);
});

test('a rename asks the provider for nothing', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  const flags = ollamaAt(server.url);
  await index(repo, flags);
  const before = server.inputs.flat().length;
  repo.git('mv', 'lib/depot.py', 'lib/warehouse.py');
  repo.git('commit', '-q', '-m', 'rename');
  await index(repo, flags);
  const { results } = await inProcess(repo, (process) => process.search('closest depot'), flags);
  assert.equal(results[0].path, 'lib/warehouse.py');
  assert.deepEqual(server.inputs.flat().slice(before), ['search_query: closest depot']);
});

test('a provider that is down: the built-in model is used instead, and a line says why', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  await index(repo, ollamaAt(server.url));
  const options = { cwd: repo.dir, env: envOf(server.url) };
  await server.close();
  const text = await cli(['search', 'rememberToken'], options);
  assert.equal(text.code, 0);
  assert.match(
    text.stdout,
    /src\/session\.ts[\s\S]*\n\nsearched with the vectors of the built-in model: http:\/\/127\.0\.0\.1:\d+ [^\n]+ollama serve[^\n]*\n$/,
  );
  const json: SearchResponse = check(searchResponseSchema, await cliJson(['search', 'rememberToken'], options));
  assert.deepEqual([json.mode, json.results[0].path], ['hybrid', 'src/session.ts']);
  assert.ok(
    json.vectors && json.vectors.covered === json.vectors.total && /ollama serve/.test(json.vectors.reason ?? ''),
  );
  // As if that model were configured.
  const builtin = await inProcess(repo, (process) => process.search('rememberToken', { mode: 'hybrid' }));
  assert.deepEqual(json.results, builtin.results);
  const semantic: SearchResponse = await cliJson(['search', 'depot', '--mode', 'semantic'], options);
  assert.deepEqual([semantic.mode, semantic.results[0].path], ['semantic', 'lib/depot.py']);
  assert.match(semantic.vectors?.reason ?? '', /^searched with the vectors of the built-in model: .*ollama serve/);
  const unknown = await cli(['search', 'qqzzxxkk', '--mode', 'semantic'], options);
  assert.deepEqual([unknown.code, unknown.stdout], [2, '']);
  assert.match(unknown.stderr, /^git-socraticode: http:[^\n]+\n {2}[^\n]*ollama serve[^\n]*\n$/);
  // A cached view can arrive inside an archive, so it must not say where queries are sent.
  const state = join(repo.dir, '.git', 'socraticode');
  const views = readdirSync(state, { recursive: true, encoding: 'utf8' }).filter((name) => /view-.*\.bin$/.test(name));
  assert.ok(views.length > 0);
  for (const view of views) assert.ok(!readFileSync(join(state, view)).includes('http://127.0.0.1'), view);
  // Neighbours need no query vector.
  assert.equal((await cli(['similar', 'lib/depot.py:1'], options)).code, 0);
});

test('a provider that comes back is used again by the same process', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  const flags = ollamaAt(server.url);
  await index(repo, flags);
  await inProcess(
    repo,
    async (process) => {
      server.fail('/api/embed', { kind: 'status', status: 400, error: 'no' });
      const failed = await process.search('depot');
      assert.deepEqual([failed.mode, failed.vectors?.reason?.startsWith('searched with')], ['hybrid', true]);
      const { mode, vectors } = await process.search('depot');
      assert.deepEqual([mode, vectors?.reason], ['hybrid', null]);
    },
    flags,
  );
});

test('chunks without vectors are counted and can be found by their words', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  await index(repo, ollamaAt(server.url));
  repo.commit({ 'src/more.ts': 'export function unheardOf(): void {}\n' });
  await index(repo, ollamaAt(await deadAddress()));
  const env = envOf(server.url);
  // Searching does not embed what is indexed already.
  const answer: SearchResponse = await cliJson(['search', 'unheardOf'], { cwd: repo.dir, env });
  assert.deepEqual([answer.mode, answer.results[0].path], ['hybrid', 'src/more.ts']);
  assert.ok(answer.vectors && answer.vectors.covered < answer.vectors.total);
  assert.match(
    answer.vectors.reason ?? '',
    /\d of \d chunks have vectors of nomic-embed-text; indexing again makes the others/,
  );
  const { stdout } = await cli(['search', 'unheardOf'], { cwd: repo.dir, env });
  assert.ok(stdout.endsWith(`${answer.vectors.reason}\n`), stdout);
  const none = await cli(['similar', 'src/more.ts:1'], { cwd: repo.dir, env });
  assert.deepEqual([none.code, none.stdout.includes('chunks have vectors')], [1, true]);
});

test('beside another model the built-in one keeps its say on rare words', async (t) => {
  const server = await startServer(t);
  const repo = fixtureRepo('ranking');
  await index(repo, ollamaAt(server.url));
  const rare = async (env: NodeJS.ProcessEnv) => {
    const args = ['search', 'how are passwords hashed', '--explain', '--limit', '50'];
    const { mode, results }: SearchResponse = await cliJson(args, { cwd: repo.dir, env });
    assert.equal(mode, 'hybrid');
    return results.map(({ path, startLine, explain = {} }) => [
      `${path}:${startLine}`,
      explain.denseRare?.toFixed(6),
      explain.dense?.toFixed(6),
    ]);
  };
  const [own, other] = [await rare({ SOCRATICODE_EMBEDDER_NAME: 'builtin' }), await rare(envOf(server.url))];
  const known = new Map(own.map(([place, ...values]) => [place, values]));
  const both = other.filter(([place]) => known.has(place));
  assert.ok(both.length > 1);
  for (const [place, denseRare] of both) assert.equal(denseRare, known.get(place)?.[0], place);
  assert.ok(both.some(([place, , dense]) => dense !== known.get(place)?.[1]));
});

test('the same answers without usearch and without git', async () => {
  const repo = fixtureRepo('ranking');
  const asked = [
    ['search', 'how are passwords hashed', '--explain'],
    ['search', 'evict the oldest', '--mode', 'semantic'],
    ['similar', 'src/cache/lru.ts:10'],
  ];
  for (const args of asked) {
    const expected = await cliJson(args, { cwd: repo.dir });
    for (const env of [{ SOCRATICODE_TEST_NO_USEARCH: '1' }, { PATH: makeDirectory('no-git') }] as NodeJS.ProcessEnv[])
      assert.deepEqual(await cliJson(args, { cwd: repo.dir, env }), expected, Object.keys(env).join());
  }
});
