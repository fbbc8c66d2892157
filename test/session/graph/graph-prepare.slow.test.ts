/** Graphs of snapshots and of what is not committed: the same whether linked anew, from the one before, or read from a file. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { acquireLock } from '../../../src/base/lock.js';
import type { Graph } from '../../../src/graph/graph.js';
import { ParserPool } from '../../../src/indexer/parser-pool.js';
import { type GraphOptions, Graphs, type PreparedGraph } from '../../../src/session/graph/graphs.js';
import { indexRef, warmGraph } from '../../../src/session/indexing/index-operation.js';
import { Session } from '../../../src/session/session.js';
import { createRepo, type Files, type TestRepo } from '../../support/repositories/repo.js';

const SHOP: Files = {
  'src/cart.ts': "import { price } from './price';\nexport function total(): number {\n  return price() * 2;\n}\n",
  'src/price.ts': 'export function price(): number {\n  return 21;\n}\n',
  'src/view.ts': "import { total } from './cart';\nexport const view = () => total();\n",
  'README.md': '# Shop\n',
  'logo.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2),
};

function shop(files: Files = {}): TestRepo {
  const repo = createRepo();
  repo.commit({ ...SHOP, ...files });
  return repo;
}

/** What a process of its own answers. */
async function ask<T>(
  repo: TestRepo,
  work: (prepare: (options?: GraphOptions) => Promise<PreparedGraph>, session: Session) => Promise<T>,
  flags: Record<string, unknown> = {},
): Promise<T> {
  const session = await Session.open({ directory: repo.dir, flags });
  try {
    const graphs = new Graphs(session);
    return await work((options) => graphs.prepare(options), session);
  } finally {
    session.close();
  }
}

const tablesOf = (repo: TestRepo, options?: GraphOptions) =>
  ask(repo, async (prepare) => (await prepare(options)).graph.tables);

/** Files of the cache by name. */
function cached(repo: TestRepo, kind: string): string[] {
  const names = existsSync(repo.state) ? readdirSync(repo.state, { recursive: true, encoding: 'utf8' }) : [];
  return names.filter((name) => name.includes(`graphs/${kind}-`)).map((name) => join(repo.state, name));
}

function forget(repo: TestRepo): void {
  for (const kind of ['graph', 'memory', 'work']) for (const path of cached(repo, kind)) rmSync(path);
}

/** `file:symbol -> file:symbol` of all edges that lead somewhere. */
function edges(graph: Graph): string[] {
  const found: string[] = [];
  const label = (node: number) =>
    graph.isFile(node) ? graph.path(node) : `${graph.path(node)}:${graph.qualifiedName(node)}`;
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    if (graph.target(edge) >= 0)
      found.push(`${label(graph.source(edge))} ${graph.edgeKind(edge)} ${label(graph.target(edge))}`);
  }
  return found.sort();
}

test('a snapshot is indexed and linked at the first question, and read from a file by the next process', async () => {
  const repo = shop();
  const first = await ask(repo, async (prepare) => {
    const { graph, coverage, dirty, overlay, uncommitted, origin } = await prepare();
    assert.deepEqual(
      graph.tables.files.map(({ path, state }) => `${path} ${state}`),
      ['README.md none', 'src/cart.ts linked', 'src/price.ts linked', 'src/view.ts linked'],
    );
    assert.ok(edges(graph).includes('src/cart.ts:total call src/price.ts:price'), edges(graph).join('\n'));
    assert.ok(edges(graph).includes('src/view.ts:view call src/cart.ts:total'));
    assert.deepEqual({ coverage, dirty, overlay }, { coverage: { covered: 4, total: 4 }, dirty: 0, overlay: 0 });
    assert.equal(uncommitted.size, 0);
    assert.equal(origin.resolved.commit, repo.git('rev-parse', 'HEAD'));
    return graph.tables;
  });
  await ask(repo, async (prepare, session) => {
    session.objects.list = () => assert.fail('the tree is listed again');
    assert.deepEqual((await prepare({ ref: 'HEAD~0' })).graph.tables, first);
  });
  forget(repo);
  assert.deepEqual(await tablesOf(repo), first, 'linked anew');
});

test('a commit is linked from the graph before it, with the same result as without one', async () => {
  const repo = shop();
  await tablesOf(repo);
  repo.git('rm', '-q', 'src/view.ts');
  repo.commit({
    'src/price.ts':
      'export function price(): number {\n  return tax();\n}\nexport function tax(): number {\n  return 3;\n}\n',
    'src/page.ts': "import { total } from './cart';\nexport const page = () => total();\n",
  });
  const linked = await tablesOf(repo);
  forget(repo);
  assert.deepEqual(linked, await tablesOf(repo));
});

test('uncommitted changes are part of the graph: changed, new and deleted files', async () => {
  const repo = shop();
  await tablesOf(repo);
  repo.write({
    'src/cart.ts': "import { cost } from './cost';\nexport function total(): number {\n  return cost();\n}\n",
    'src/cost.ts': 'export function cost(): number {\n  return 1;\n}\n',
  });
  rmSync(join(repo.dir, 'src/view.ts'));
  const dirty = await ask(repo, async (prepare) => {
    const { graph, dirty, overlay, uncommitted, objects } = await prepare();
    assert.deepEqual({ dirty, overlay }, { dirty: 3, overlay: 3 });
    assert.deepEqual([...uncommitted].sort(), ['src/cart.ts', 'src/cost.ts']);
    assert.ok(edges(graph).includes('src/cart.ts:total call src/cost.ts:cost'), edges(graph).join('\n'));
    assert.equal(graph.findFile('src/view.ts'), -1);
    const { oid } = graph.tables.files[graph.findFile('src/cost.ts')];
    assert.match((await objects.read(oid))?.content.toString() ?? '', /return 1/);
    const committed = await prepare({ committed: true });
    assert.ok(edges(committed.graph).includes('src/cart.ts:total call src/price.ts:price'));
    assert.deepEqual([committed.dirty, committed.overlay], [3, 0]);
    assert.deepEqual((await prepare({ ref: 'HEAD' })).graph.tables, committed.graph.tables);
    assert.deepEqual((await prepare()).graph.tables, graph.tables);
    return graph.tables;
  });
  repo.commit();
  forget(repo);
  assert.deepEqual(await tablesOf(repo), dirty, 'committed as it is');
});

test('the next process reads the graph of uncommitted files, and links it again after an edit', async () => {
  const repo = shop();
  repo.write({ 'src/price.ts': 'export function price(): number {\n  return 1;\n}\n' });
  const first = await tablesOf(repo);
  assert.equal(cached(repo, 'work').length, 1);
  const [memory] = cached(repo, 'memory');
  const kept = readFileSync(memory);
  rmSync(memory); // Nothing can be linked without it: the answer can only come from the file.
  for (const path of cached(repo, 'graph')) rmSync(path);
  assert.deepEqual(await tablesOf(repo), first);
  assert.equal(cached(repo, 'memory').length, 0);
  writeFileSync(memory, kept);
  repo.write({ 'src/more.ts': "import { price } from './price';\nexport const more = () => price();\n" });
  const more = await tablesOf(repo);
  assert.equal(cached(repo, 'work').length, 2);
  forget(repo);
  assert.deepEqual(more, await tablesOf(repo));
});

test('an edited file is parsed once, for its words and its relations, and not again by the next process', async (t) => {
  const repo = shop();
  await tablesOf(repo);
  const parse = t.mock.method(ParserPool.prototype, 'parse');
  const parsed = async () => {
    const before = parse.mock.callCount();
    await tablesOf(repo);
    return parse.mock.callCount() - before;
  };
  repo.write({ 'src/price.ts': 'export function price(): number {\n  return 1;\n}\n' });
  assert.equal(await parsed(), 1);
  assert.equal(await parsed(), 0);
  repo.write({ 'src/cart.ts': 'export function total(): number {\n  return 1;\n}\n' });
  assert.equal(await parsed(), 1);
  repo.commit();
  assert.equal(await parsed(), 2, 'once more, for their records');
});

test('an undo in the work tree gives the graph of the commit again', async () => {
  const repo = shop();
  await ask(repo, async (prepare) => {
    const before = (await prepare()).graph.tables;
    repo.write({ 'src/price.ts': 'export const nothing = 0;\n' });
    const changed = (await prepare()).graph;
    assert.ok(!edges(changed).some((edge) => edge.includes(':price')));
    repo.write({ 'src/price.ts': SHOP['src/price.ts'] });
    assert.deepEqual((await prepare()).graph.tables, before);
  });
});

test('an uncommitted manifest says what imports mean', async () => {
  const repo = shop({ 'src/alias.ts': "import { price } from '@shop/price';\nexport const alias = () => price();\n" });
  const edge = 'src/alias.ts:alias call src/price.ts:price';
  await ask(repo, async (prepare) => {
    assert.ok(!edges((await prepare()).graph).includes(edge));
    repo.write({ 'tsconfig.json': '{"compilerOptions": {"baseUrl": ".", "paths": {"@shop/*": ["src/*"]}}}\n' });
    const { graph } = await prepare();
    assert.ok(edges(graph).includes(edge), edges(graph).join('\n'));
  });
  repo.commit();
  assert.ok(await ask(repo, async (prepare) => edges((await prepare()).graph).includes(edge)));
});

test('who asks while a graph is being made waits for the same', async () => {
  const repo = shop();
  await ask(repo, async (prepare) => {
    const [a, b, c] = await Promise.all([prepare(), prepare({ ref: 'HEAD' }), prepare({ committed: true })]);
    assert.ok(a.graph === b.graph && b.graph === c.graph);
  });
});

test('damaged files of the cache are made again', async () => {
  const repo = shop();
  repo.write({ 'src/new.ts': 'export const fresh = 1;\n' });
  const good = [await tablesOf(repo), await tablesOf(repo, { ref: 'HEAD' })];
  for (const damage of [
    () => Buffer.alloc(0),
    (file: Buffer) => file.subarray(0, -7),
    (file: Buffer) => flipped(file),
  ]) {
    for (const kind of ['graph', 'memory', 'work'])
      for (const path of cached(repo, kind)) writeFileSync(path, damage(readFileSync(path)));
    assert.deepEqual([await tablesOf(repo), await tablesOf(repo, { ref: 'HEAD' })], good);
  }
});

function flipped(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  copy[copy.length >> 1] ^= 1;
  return copy;
}

test('without records the files are parsed, with the same result', async () => {
  const repo = shop();
  const first = await tablesOf(repo);
  forget(repo);
  repo.git('update-ref', '-d', repo.notesRef);
  assert.deepEqual(await tablesOf(repo), first);
});

test('files beyond the size limit and files that are no text are known, not linked', async () => {
  const repo = shop({
    'src/large.ts': `export const large = '${'x'.repeat(3000)}';\n`,
    'src/data.ts': Uint8Array.of(0, 1, 2, 3),
  });
  const states = await ask(
    repo,
    async (prepare) => (await prepare()).graph.tables.files.map(({ path, state }) => `${path} ${state}`),
    { maxFileBytes: 2048 },
  );
  assert.ok(states.includes('src/large.ts none') && states.includes('src/data.ts none'), states.join('\n'));
  assert.ok(states.includes('src/cart.ts linked'));
});

test('a blob that is not there makes its file unreadable, until it is there', async () => {
  const repo = shop();
  const oid = repo.git('rev-parse', 'HEAD:src/price.ts');
  const path = join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2));
  const object = readFileSync(path);
  rmSync(path);
  const state = () =>
    ask(repo, async (prepare) => {
      const { graph, coverage } = await prepare({ ref: 'HEAD' });
      return [graph.tables.files[graph.findFile('src/price.ts')].state, coverage.covered, coverage.total];
    });
  assert.deepEqual(await state(), ['unreadable', 3, 4]);
  writeFileSync(path, object);
  await ask(repo, async (_, session) => indexRef(session));
  assert.deepEqual(await state(), ['linked', 4, 4]);
});

test('a server takes the graph that another process linked anew, not an older one that it holds', async () => {
  const repo = shop();
  repo.git('checkout', '-q', '-b', 'other');
  repo.commit({ 'src/page.ts': 'export const page = 1;\n' });
  repo.git('checkout', '-q', 'main');
  const oid = repo.git('rev-parse', 'HEAD:src/price.ts');
  rmSync(join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2)));
  await ask(repo, async (prepare, session) => {
    const unreadable = async () =>
      (await prepare({ ref: 'main' })).graph.tables.files.filter(({ state }) => state === 'unreadable').length;
    assert.equal(await unreadable(), 1);
    // Whatever is indexed next may improve a graph that lacks a file.
    await ask(repo, async (_, other) => indexRef(other, { ref: 'other' }));
    session.backgroundIndexer = {
      start: () => {},
      index: async () => null,
      link: async (origin) => {
        await ask(repo, async (_, other) => new Graphs(other).commits.linkWithMemory(origin, {}));
        return 'whole';
      },
    };
    assert.equal(await unreadable(), 1);
  });
});

test('before the first commit, and in a bare repository', async () => {
  const unborn = createRepo();
  unborn.write(SHOP);
  assert.ok(
    await ask(unborn, async (prepare) =>
      edges((await prepare()).graph).includes('src/view.ts:view call src/cart.ts:total'),
    ),
  );
  const source = shop();
  const bare = createRepo({ bare: true });
  bare.git('fetch', '-q', source.dir, 'HEAD:refs/heads/main');
  bare.git('symbolic-ref', 'HEAD', 'refs/heads/main');
  assert.deepEqual(await tablesOf(bare), await tablesOf(source));
});

test('a graph is made ready for the next question only where one was asked before', async () => {
  const repo = shop();
  await ask(repo, async (_, session) => {
    await indexRef(session);
    await warmGraph(session);
  });
  assert.equal(cached(repo, 'graph').length, 0);
  await tablesOf(repo);
  repo.commit({ 'src/price.ts': 'export function price(): number {\n  return 5;\n}\n' });
  await ask(repo, async (_, session) => {
    await indexRef(session);
    await warmGraph(session);
  });
  assert.equal(cached(repo, 'graph').length, 2);
});

test('of two processes that need one graph, one links it and the other reads it; a claim of the dead holds nobody up', async () => {
  const repo = shop();
  const first = await tablesOf(repo);
  const [path] = cached(repo, 'graph');
  const bytes = readFileSync(path);
  rmSync(path);
  const lock = path.replace(/graph-(\w+)\.bin$/, '$1.lock');
  const release = await acquireLock(lock);
  await ask(repo, async (prepare, session) => {
    session.objects.list = () => assert.fail('it is linked twice');
    const second = prepare();
    // The other process keeps what it has linked, then lets go.
    await new Promise((resolve) => setTimeout(resolve, 300));
    writeFileSync(path, bytes);
    release();
    assert.deepEqual((await second).graph.tables, first);
  });
  forget(repo);
  const other = lock.replace(/\w+\.lock$/, `${'0'.repeat(24)}.lock`);
  const dead = JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), started: '1', id: 'a'.repeat(32) });
  for (const path of [lock, other]) writeFileSync(path, dead);
  assert.deepEqual(await tablesOf(repo), first);
  assert.deepEqual([lock, other].filter(existsSync), []);
});
