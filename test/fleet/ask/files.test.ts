/** The repositories of a fleet with their refs, and one file of a ref: its lines, or its outline. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listRepositories, pathsOf, readFleetFile } from '../../../fleet/src/ask/files.js';
import { fleetStore } from '../../../fleet/src/ask/store.js';
import { FleetIntake } from '../../../fleet/src/intake.js';
import { keptName } from '../../../fleet/src/keys.js';
import type { PublishedView } from '../../../fleet/src/target.js';
import { encodeFacts, type ViewFacts } from '../../../fleet/src/view.js';
import { materialise } from '../../support/generated/corpus.js';
import { MemoryEngine } from '../../support/servers/memory-engine.js';
import { commitId, keyIn, LANGUAGE, numberedFile, PROFILE, uploadOf, viewOf } from '../made.js';

const METHODS = ['open', 'close', 'pay'].map((name) => ({ name, words: ['common'] }));
const FILES = [0, 1, 2].map((i) => ({ ...numberedFile(i), ...(i === 1 && { methods: METHODS }) }));
const anybody = { mayRead: () => true };

async function publish(engine: MemoryEngine, about: Partial<PublishedView>, keepsText = true) {
  const intake = new FleetIntake(engine, { now: () => 1_700_000_000_000, keepsText });
  const view = viewOf(FILES, about);
  await intake.units({ ...view, units: FILES.map(uploadOf) });
  assert.deepEqual(await intake.view(view), { outcome: 'published' });
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    ({ code }) => code,
  );

test('a repository is listed with 20 refs, branches before kept commits, and as many as were asked for', async () => {
  const engine = new MemoryEngine(PROFILE);
  for (let i = 10; i < 32; i++) await publish(engine, { repo: 'shop', ref: `b${i}`, isDefault: i === 12 });
  await publish(engine, { repo: 'shop', ref: keptName('b12', commitId('a')), isDefault: false });
  await publish(engine, { repo: 'bank', ref: 'main', covered: 2 });
  await publish(engine, { repo: 'alms', ref: keptName('main', commitId('a')), isDefault: false });
  const store = fleetStore(engine);
  const { results, resultsLeftOut, damaged } = await listRepositories(store, {}, anybody);
  assert.deepEqual([results.map(({ repo }) => repo), resultsLeftOut, damaged], [['alms', 'bank', 'shop'], 0, 0]);
  const shop = results[2];
  assert.deepEqual(
    [shop.ref, shop.refs.length, shop.refs[0], shop.refs[19], shop.refsLeftOut, shop.files, shop.coverage],
    ['b12', 20, 'b10', 'b29', 3, 3, { covered: 3, total: 3 }],
  );
  assert.deepEqual(results[1].coverage, { covered: 2, total: 3 });
  const one = await listRepositories(store, { limit: 1, repo: ['*'] }, { mayRead: (repo) => repo !== 'alms' });
  assert.deepEqual([one.results.map(({ repo }) => repo), one.resultsLeftOut], [['bank'], 1]);
});

test('a file is read by its lines, which end where the file does, and its outline has what it defines', async () => {
  const engine = new MemoryEngine(PROFILE);
  await publish(engine, { repo: 'shop', ref: 'main' });
  const store = fleetStore(engine);
  const text = Buffer.from(materialise(FILES[1]).bytes).toString();
  const lines = text.replace(/\n$/, '').split('\n');
  const read = async (more: { from?: number; to?: number; ref?: string; path?: string } = {}) => {
    const found = await readFleetFile(store, { repo: 'shop', path: 'src/file1.ts', ...more }, anybody);
    return [found.startLine, found.endLine, found.content];
  };
  const count = lines.length;
  assert.deepEqual(await read(), [1, count, lines.join('\n')]);
  assert.deepEqual(await read({ from: 2, to: 3 }), [2, 3, lines.slice(1, 3).join('\n')]);
  assert.deepEqual(await read({ from: 2, to: 1 }), [2, 2, lines[1]]);
  assert.deepEqual(await read({ to: 99 }), [1, count, lines.join('\n')]);
  assert.deepEqual(await read({ from: 99 }), [count, count, lines[count - 1]]);
  assert.deepEqual(await read({ path: './src/file1.ts', ref: commitId('a') }), await read());
  assert.deepEqual(await read({ path: '/src/file1.ts' }), await read());
  const outline = await readFleetFile(store, { repo: 'shop', path: 'src/file2.ts', outline: true }, anybody);
  assert.deepEqual([outline.language, outline.content, outline.path], [LANGUAGE, undefined, 'src/file2.ts']);
  assert.deepEqual(outline.symbols, [
    { symbol: 'Class2', kind: 'class', startLine: 1, endLine: 1 },
    { symbol: 'Class2.runClass2', kind: 'method', startLine: 2, endLine: 2 },
  ]);
});

test('what is absent is refused with its own code, and a forbidden repository as an absent one', async () => {
  const engine = new MemoryEngine(PROFILE);
  await publish(engine, { repo: 'shop', ref: 'main' }, false);
  const store = fleetStore(engine);
  const code = (request: Parameters<typeof readFleetFile>[1], reader = anybody) =>
    codeOf(readFleetFile(store, request, reader));
  const file = { repo: 'shop', path: 'src/file1.ts' };
  assert.equal(await code({ ...file, repo: 'none' }), 'BAD_ARGUMENT');
  assert.equal(await code(file, { mayRead: () => false }), 'BAD_ARGUMENT');
  assert.equal(await code({ ...file, ref: 'none' }), 'UNKNOWN_REF');
  assert.equal(await code({ ...file, path: 'src/file9.ts' }), 'BAD_ARGUMENT');
  assert.equal(await code({ ...file, path: 'src' }), 'BAD_ARGUMENT');
  assert.equal(await code(file), 'BAD_ARGUMENT', 'no texts are kept');
  assert.equal(await code({ ...file, outline: true }), 'answered');
});

test('a content has all its paths, and each path leads to its own content', async () => {
  const engine = new MemoryEngine(PROFILE);
  const facts = encodeFacts(
    FILES.map((file, i) => ({
      ...{ key: keyIn('shop', file), language: LANGUAGE, pathClass: 'source' as const, centrality: 0 },
      paths: i === 1 ? ['b/1.ts', 'b/2.ts', 'b/3.ts'] : [`${'ac'[i >> 1]}.ts`],
    })),
  );
  await publish(engine, { repo: 'shop', ref: 'main', facts });
  const store = fleetStore(engine);
  const [view] = (await store.views.fresh()).repositories.get('shop') ?? [];
  assert.deepEqual(
    [0, 1, 2].map((file) => pathsOf(view.facts as ViewFacts, file)),
    [['a.ts'], ['b/1.ts', 'b/2.ts', 'b/3.ts'], ['c.ts']],
  );
  const symbolOf = async (path: string) =>
    (await readFleetFile(store, { repo: 'shop', path, outline: true }, anybody)).symbols?.[0]?.symbol;
  const found = await Promise.all(['a.ts', 'b/1.ts', 'b/2.ts', 'b/3.ts', 'c.ts'].map(symbolOf));
  assert.deepEqual(
    found.map((symbol) => /Class(\d)/.exec(symbol ?? '')?.[1]),
    ['0', '1', '1', '1', '2'],
  );
});
