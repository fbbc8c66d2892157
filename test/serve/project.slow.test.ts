/** A repository that stays open answers from what there is, says how much that is, and follows what happens to it. */
import assert from 'node:assert/strict';
import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EarlyShards, makePlan } from '../../src/indexer/run.js';
import { JobProcess } from '../../src/serve/job.js';
import { graphsOf } from '../../src/session/graph/graphs.js';
import { runContext } from '../../src/session/indexing/index-operation.js';
import { searcherOf } from '../../src/session/search/searcher.js';
import { holdWriterLock, serve, until, untilIdle } from '../support/in-process/serve.js';
import { createRepo, type Files, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

const SHOP: Files = {
  'src/cart.ts': "import { price } from './price';\nexport function total(): number {\n  return price() * 2;\n}\n",
  'src/price.ts': 'export function price(): number {\n  return 21;\n}\n',
};

function shop(): TestRepo {
  const repo = createRepo();
  repo.commit(SHOP);
  return repo;
}

test('a fresh clone is indexed and linked in the background, and the first answers wait for it a moment', async (t) => {
  const projects = serve(t, shop());
  const project = await projects.open();
  const first = await searcherOf(project.session).search({ query: 'total' });
  assert.equal(first.coverage.total, 2);
  // No longer than a moment: on a busy machine the answer comes first.
  if (first.coverage.covered < 2) await untilIdle(project);
  const { coverage, results } = await searcherOf(project.session).search({ query: 'total' });
  assert.deepEqual(coverage, { covered: 2, total: 2 });
  assert.equal(results[0].path, 'src/cart.ts');
  await untilIdle(project);
  const { graph } = await graphsOf(project.session).prepare();
  assert.deepEqual(
    graph.tables.files.map(({ path }) => path),
    ['src/cart.ts', 'src/price.ts'],
  );
  await untilIdle(project);
  const { last, running, queued } = project.background.state();
  assert.deepEqual({ running, queued }, { running: null, queued: [] });
  assert.deepEqual([last?.kind, last?.ok, last?.ref], ['link', true, 'HEAD']);
});

test('questions about thousands of files are answered from those with their words, or else from the first, and none is linked', async (t) => {
  const repo = createRepo();
  const parts = Array.from({ length: 2_100 }, (_, i) => [`src/p${1_000 + i}.ts`, `export const part${i} = ${i};\n`]);
  repo.commit(Object.fromEntries(parts));
  const { session, background } = await serve(t, repo).open();
  const origin = await session.origin(undefined);
  const files = await session.filesOf(origin);
  let free = () => {};
  const end = new Promise<void>((resolve) => {
    free = resolve;
  });
  t.after(() => free());
  // A job that publishes words as each first one does, and whose parsers never answer.
  t.mock.method(JobProcess.prototype, 'run', async () => {
    const [context, manifest] = [runContext(session, files), session.shards.readManifest()];
    const early = new EarlyShards(session.shards, manifest, { afterMs: Number.POSITIVE_INFINITY, prepare: () => {} });
    await early.offerWords(await makePlan(files.catalog.files, [], manifest, context), context);
    return end;
  });
  const [late, early] = await Promise.all(
    ['part2050', 'part17'].map((query) => searcherOf(session).search({ query, limit: 3 })),
  );
  assert.deepEqual([late.results[0].path, late.coverage.total], ['src/p3050.ts', 2_100], 'it has the words');
  assert.equal(early.results[0].path, 'src/p1017.ts', 'another question is not answered from the files of the first');
  assert.ok(early.coverage.covered < 2_100);
  assert.equal(background.state().running?.ref, 'HEAD', 'the rest goes on');
  const narrowed = await searcherOf(session).search({ query: 'part17', path: ['src/**'] });
  assert.deepEqual(narrowed.coverage, { covered: 1_000, total: 2_100 });
  assert.equal(narrowed.results[0].path, 'src/p1017.ts');
  assert.ok(narrowed.told?.includes('files that are not parsed yet, so that only words find them: 1,000'));
  const linked = await graphsOf(session).commits.keepPart(origin);
  assert.equal(
    linked,
    81,
    'words alone say nothing of uses: only the files that were read for both questions are linked',
  );
});

test('while another process writes, answers come from what there is, with honest coverage, and are soon better', async (t) => {
  const repo = shop();
  const project = await serve(t, repo).open();
  await searcherOf(project.session).search({ query: 'total' });
  await untilIdle(project);
  const release = await holdWriterLock(repo);
  t.after(release);
  repo.commit({ 'src/discount.ts': 'export function discount(): number {\n  return 3;\n}\n' });
  const from = performance.now();
  const partial = await searcherOf(project.session).search({ query: 'total' });
  assert.deepEqual(partial.coverage, { covered: 2, total: 3 });
  assert.equal(partial.results[0].path, 'src/cart.ts');
  const waited = performance.now();
  const again = await searcherOf(project.session).search({ query: 'discount' });
  assert.deepEqual([again.coverage, again.commit], [{ covered: 2, total: 3 }, repo.git('rev-parse', 'HEAD')]);
  assert.ok(performance.now() - waited < waited - from, 'the grace time is over for the next ones');
  const { running } = project.background.state();
  assert.deepEqual([running?.phase, running?.holder], ['waiting-for-lock', process.pid]);
  await assert.rejects(graphsOf(project.session).prepare(), {
    code: 'NOT_READY',
    message: new RegExp(`the graph is not linked yet: .*waiting for process ${process.pid}`),
    hint: 'Ask again in ten seconds. Searches, grep and reading answer meanwhile: they need no graph.',
  });
  release();
  await until(async () => (await searcherOf(project.session).search({ query: 'discount' })).coverage.covered === 3);
  const { results } = await searcherOf(project.session).search({ query: 'discount' });
  assert.equal(results[0].path, 'src/discount.ts');
});

test('uncommitted files are found on top of a commit that is not indexed yet', async (t) => {
  const repo = shop();
  const release = await holdWriterLock(repo);
  t.after(release);
  repo.write({ 'src/stock.ts': 'export function stock(): number {\n  return 9;\n}\n' });
  const project = await serve(t, repo).open();
  const { coverage, results, overlay } = await searcherOf(project.session).search({ query: 'stock' });
  assert.deepEqual({ coverage, overlay }, { coverage: { covered: 1, total: 3 }, overlay: 1 });
  assert.equal(results[0].path, 'src/stock.ts');
});

test('a question that is cancelled ends at once, and what it asked for goes on', async (t) => {
  const repo = shop();
  const release = await holdWriterLock(repo);
  t.after(release);
  const project = await serve(t, repo).open();
  const graphs = graphsOf(project.session);
  const cancel = new AbortController();
  const { signal } = cancel;
  const asked = [
    searcherOf(project.session).search({ query: 'total', signal }),
    searcherOf(project.session).search({ query: 'price', signal }),
    graphs.prepare({ signal }),
    project.background.update({}, { signal }),
  ];
  const patient = searcherOf(project.session).search({ query: 'total' });
  await until(() => project.background.isBusy);
  cancel.abort();
  // They end although the lock is still held; one that waited for its grace time instead would have an answer.
  const ends = await Promise.allSettled(asked);
  for (const end of ends) assert.equal(end.status === 'rejected' && end.reason.code, 'CANCELLED');
  release();
  assert.equal((await patient).coverage.total, 2);
  await untilIdle(project);
  assert.equal((await searcherOf(project.session).search({ query: 'total' })).results[0].path, 'src/cart.ts');
});

test('many questions at once are all answered, and the snapshot is indexed once', async (t) => {
  const repo = shop();
  const project = await serve(t, repo).open();
  const graphs = graphsOf(project.session);
  const searches = Array.from({ length: 50 }, (_, i) =>
    searcherOf(project.session).search({ query: i % 2 ? 'total' : 'price', committed: i % 3 === 0 }),
  );
  const linked = Array.from({ length: 10 }, () => graphs.prepare());
  for (const { coverage } of await Promise.all(searches)) assert.equal(coverage.total, 2);
  for (const end of await Promise.allSettled(linked))
    assert.ok(end.status === 'fulfilled' || end.reason.code === 'NOT_READY');
  await untilIdle(project);
  const after = await Promise.all(
    Array.from({ length: 20 }, () => searcherOf(project.session).search({ query: 'total' })),
  );
  for (const { coverage } of after) assert.deepEqual(coverage, { covered: 2, total: 2 });
  assert.equal(repo.git('rev-list', '--count', repo.notesRef), '1');
});

test('the next answer is about where HEAD is then: commits, branches, and back', async (t) => {
  const repo = shop();
  const project = await serve(t, repo).open();
  const paths = async (query: string) => {
    await project.background.relink({});
    return (await searcherOf(project.session).search({ query, noContent: true })).results.map(({ path }) => path);
  };
  assert.ok(!(await paths('refund')).includes('src/refund.ts'));
  repo.git('checkout', '-q', '-b', 'feature');
  repo.commit({ 'src/refund.ts': 'export function refund(): number {\n  return 1;\n}\n' });
  assert.ok((await paths('refund')).includes('src/refund.ts'));
  const { graph } = await graphsOf(project.session).prepare();
  assert.ok(graph.tables.files.some(({ path }) => path === 'src/refund.ts'));
  repo.git('checkout', '-q', 'main');
  assert.ok(!(await paths('refund')).includes('src/refund.ts'));
});

test('changed git configuration counts from the next call on; what git notes of branches changes nothing', async (t) => {
  const repo = shop();
  const projects = serve(t, repo);
  const first = await projects.open();
  await first.background.update({});
  assert.equal((await searcherOf(first.session).search({ query: 'total price' })).results.length, 2);
  repo.git('config', 'branch.main.remote', 'origin');
  assert.equal(await projects.open(), first);
  repo.git('config', 'socraticode.search.limit', '1');
  const second = await projects.open();
  assert.notEqual(second, first);
  assert.equal((await searcherOf(second.session).search({ query: 'total price' })).results.length, 1);
  appendFileSync(process.env.GIT_CONFIG_GLOBAL as string, '[socraticode "search"]\n\tmode = lexical\n');
  t.after(() => writeFileSync(process.env.GIT_CONFIG_GLOBAL as string, ''));
  const third = await projects.open();
  assert.equal((await searcherOf(third.session).search({ query: 'total' })).mode, 'lexical');
});

test('a removed repository is reported, and one made later at its path is another project', async (t) => {
  const directory = join(makeDirectory(), 'repo');
  const repo = createRepo({ directory });
  repo.commit(SHOP);
  const projects = serve(t, repo);
  const project = await projects.open();
  await searcherOf(project.session).search({ query: 'total' });
  renameSync(directory, `${directory}.moved`);
  await assert.rejects(projects.open(), { code: 'NOT_A_REPOSITORY', message: /was removed/ });
  assert.deepEqual(await projects.opened(), []);
  await assert.rejects(projects.open(), { code: 'NOT_A_REPOSITORY' });
  rmSync(`${directory}.moved`, { recursive: true });
  const other = createRepo({ directory });
  other.commit({ 'b.ts': 'export const other = 1;\n' });
  const second = await projects.open();
  await second.background.update({});
  const { results } = await searcherOf(second.session).search({ query: 'other' });
  assert.equal(results[0].path, 'b.ts');
});
