/** Graphs where uncommitted files are not in the search index: excluded ones, which linking knows all the same. */
import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Graph } from '../../../src/graph/graph.js';
import { type GraphOptions, Graphs, type PreparedGraph } from '../../../src/session/graph/graphs.js';
import { Session } from '../../../src/session/session.js';
import { createRepo, type Files, type TestRepo } from '../../support/repositories/repo.js';
import '../../support/in-process/kept-parsers.js';

function shop(files: Files): TestRepo {
  const repo = createRepo();
  repo.commit({ 'src/price.ts': 'export function price(): number {\n  return 21;\n}\n', ...files });
  return repo;
}

/** What a process of its own answers. */
async function ask<T>(
  repo: TestRepo,
  work: (prepare: (options?: GraphOptions) => Promise<PreparedGraph>) => Promise<T>,
): Promise<T> {
  const session = await Session.open({ directory: repo.dir });
  try {
    const graphs = new Graphs(session);
    return await work((options) => graphs.prepare(options));
  } finally {
    session.close();
  }
}

/** Files of the symbols that the symbols of a file lead to. */
function targetsOf(graph: Graph, path: string): string[] {
  const edges = Array.from({ length: graph.edgeCount }, (_, edge) => edge);
  const own = edges.filter((edge) => graph.edgeKind(edge) === 'call' && graph.path(graph.source(edge)) === path);
  return own.filter((edge) => graph.target(edge) >= 0).map((edge) => graph.path(graph.target(edge)));
}

test('an uncommitted manifest that is excluded says what imports mean, until it is undone', async () => {
  const paths = (to: string) => `{"compilerOptions": {"baseUrl": ".", "paths": {"@shop/*": ["${to}/*"]}}}\n`;
  const repo = shop({
    '.socraticode.json': '{"exclude": ["*.json"]}\n',
    'tsconfig.json': paths('src'),
    'old/price.ts': 'export function price(): number {\n  return 7;\n}\n',
    'src/alias.ts': "import { price } from '@shop/price';\nexport const alias = () => price();\n",
  });
  const targets = (graph: Graph) => targetsOf(graph, 'src/alias.ts');
  const [now, before] = [['src/price.ts'], ['old/price.ts']];
  await ask(repo, async (prepare) => {
    const committed = (await prepare()).graph.tables;
    assert.deepEqual(targets((await prepare()).graph), now);
    repo.write({ 'tsconfig.json': paths('old') });
    assert.deepEqual(targets((await prepare()).graph), before);
    // The same length, in the same moment: what counts is the text.
    repo.write({ 'tsconfig.json': paths('src').replace('src', 'lib') });
    assert.deepEqual(targets((await prepare()).graph), []);
    repo.write({ 'tsconfig.json': paths('old') });
    assert.deepEqual(targets((await prepare()).graph), before);
    assert.deepEqual(targets((await prepare({ committed: true })).graph), now);
    rmSync(join(repo.dir, 'tsconfig.json'));
    assert.deepEqual(targets((await prepare()).graph), []);
    // Elsewhere, or not at all: what lies outside of the work tree is not read.
    const outside = join(repo.commonDir, 'outside.json');
    writeFileSync(outside, paths('old'));
    symlinkSync(outside, join(repo.dir, 'tsconfig.json'));
    assert.deepEqual(targets((await prepare()).graph), []);
    rmSync(join(repo.dir, 'tsconfig.json'));
    repo.write({ 'tsconfig.json': paths('src') });
    assert.deepEqual((await prepare()).graph.tables, committed);
  });
  repo.write({ 'tsconfig.json': paths('old') });
  for (let process = 0; process < 2; process++)
    assert.deepEqual(await ask(repo, async (prepare) => targets((await prepare()).graph)), before);
});

test('uncommitted files that are not in the index are there, or gone, as in a commit', async () => {
  const repo = createRepo();
  repo.commit({
    '.socraticode.json': '{"exclude": ["src/price.ts"]}\n',
    'src/price/index.ts': 'export function price(): number {\n  return 21;\n}\n',
    'src/cart.ts': "import { price } from './price';\nexport const cart = () => price();\n",
  });
  const targets = (options?: GraphOptions) =>
    ask(repo, async (prepare) => targetsOf((await prepare(options)).graph, 'src/cart.ts'));
  assert.deepEqual(await targets(), ['src/price/index.ts']);
  // The file comes before the folder of its name, although nothing is known of it.
  repo.write({ 'src/price.ts': 'export const price = () => 7;\n' });
  assert.deepEqual(await targets(), []);
  repo.commit();
  assert.deepEqual(await targets(), []);
  rmSync(join(repo.dir, 'src/price.ts'));
  assert.deepEqual(await targets(), ['src/price/index.ts']);
  assert.deepEqual(await targets({ committed: true }), []);
});
