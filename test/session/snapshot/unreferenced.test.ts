/** Commits that no ref names: answered from memory, the same as if they were indexed, and their records kept. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { StateFiles } from '../../../src/base/cache.js';
import { createCorpus } from '../../../src/search/build-corpus.js';
import type { Session } from '../../../src/session/session.js';
import { readFirst, readPast, UnreferencedUnits } from '../../../src/session/snapshot/unreferenced.js';
import { localStateOf } from '../../../src/session/snapshot/view-cache.js';
import { createLiveSet } from '../../../src/shard/live-set.js';
import { buildShard, catalogFile } from '../../support/generated/corpus.js';
import { inProcess, type Process } from '../../support/in-process/search.js';
import { cloneRepo, createRepo, makeDirectory, type TestRepo } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';

const weigh = (what: string) => `def weigh_${what}(scale):\n    return scale.read()\n`;
const repo = createRepo();
repo.commit({ ...PROJECT, 'lib/weigh.py': weigh('parcel'), 'lib/bad.py': Buffer.from([0, 1, 2]) });
repo.commit({ 'lib/weigh.py': weigh('letter'), 'lib/more.py': weigh('stone') });
repo.commit({ 'lib/weigh.py': weigh('pallet') });

const symbols = async (process: Process, ref?: string) => {
  const { results, coverage } = await process.search('weigh', { ref, committed: true, path: ['lib/*'] });
  return [results.map(({ path, symbol }) => `${path} ${symbol}`).sort(), coverage.covered, coverage.total];
};
const notes = () => repo.git('for-each-ref', '--format=%(objectname)', 'refs/notes/socraticode').trim();
const shards = () =>
  (readdirSync(repo.state, { recursive: true }) as string[]).filter((name) => /lexical-/.test(name)).length;

test('an old commit is searched without shards of it, again from memory and in another process, as if it were indexed', async () => {
  await inProcess(repo, (process) => symbols(process));
  const before = { notes: notes(), shards: shards() };
  const [first, second] = await inProcess(repo, async (process) => {
    const found = [await symbols(process, 'HEAD~2'), await symbols(process, 'HEAD~1')];
    assert.deepEqual(await symbols(process, 'HEAD~2'), found[0]);
    for (let i = 0; i < 400 && notes() === before.notes; i++) await sleep(25);
    return found;
  });
  assert.deepEqual(first, [['lib/weigh.py weigh_parcel'], 5, 5]);
  assert.deepEqual(second, [['lib/more.py weigh_stone', 'lib/weigh.py weigh_letter'], 6, 6]);
  assert.notEqual(notes(), before.notes, 'the records of the old files are kept');
  assert.equal(shards(), before.shards);
  assert.deepEqual(await inProcess(repo, (process) => symbols(process, 'HEAD~2')), first);
  repo.git('branch', 'old', 'HEAD~2');
  assert.deepEqual(await inProcess(repo, (process) => symbols(process, 'old')), first);
});

test('a view of an old commit that lacks files is read until another shard or readable file may complete it, a whole one always', () => {
  const files = new StateFiles(makeDirectory('views'));
  const source = { path: 'a.ts', className: 'Cart', methods: [] };
  const shard = buildShard([source]);
  const { live, entries } = createLiveSet([shard], [catalogFile(source)]);
  const view = { corpus: createCorpus(live, entries), extra: null };
  const key = '0'.repeat(24);
  const write = (localState: string | null) => {
    const ends: (() => void)[] = [];
    const shards = { readManifest: () => ({ shards: [{ bytes: 1 << 20 }] }) };
    const session = { state: files, shards, onClose: (end: () => void) => ends.push(end) } as unknown as Session;
    new UnreferencedUnits(session).remember(key, { ...view, localState } as never);
    for (const end of ends) end();
  };
  const isUsed = (localState: string) => readPast(files, key, { shards: [shard], localState } as never) !== null;
  const states = [
    localStateOf([shard.name], ['unreadable']),
    localStateOf([shard.name, 'another'], ['unreadable']),
    localStateOf([shard.name], []),
  ];
  write(states[0]);
  assert.deepEqual(states.map(isUsed), [true, false, false]);
  write(null);
  assert.deepEqual(states.map(isUsed), [true, true, true]);
});

/** Paths of the files that a server reads first for a question about parcels and depots; `missing`: files that are not indexed. */
const firstOf = (asked: TestRepo, missing: number) =>
  inProcess(asked, async ({ session }) => {
    const origin = { ...(await session.origin(undefined)), words: ['parcel', 'depot'] };
    const served = { ...session, backgroundIndexer: {} } as unknown as Session;
    const counts = { missing, files: 0 } as Parameters<typeof readFirst>[3];
    const found = await readFirst(served, origin, await session.filesOf(origin), counts);
    return found?.map(({ path }) => path) ?? null;
  });

test('the files with the words are read first: those with all before those with some; without a blob nobody knows which', async () => {
  const words = createRepo();
  words.commit({ 'a.py': 'parcel\nparcel\n', 'b.py': 'parcel of the depot\n', 'c.py': 'stone\n' });
  words.git('config', 'uploadpack.allowFilter', 'true');
  assert.deepEqual(await firstOf(words, 3_000), ['b.py', 'a.py']);
  assert.equal(await firstOf(words, 2_000), null);
  assert.equal(await firstOf(cloneRepo(words, '--filter=blob:none', '--no-checkout'), 3_000), null);
});

test('of the files to read first, large ones behind the first 24 give way to small ones', async () => {
  const large = (lines: number) => 'parcel depot\n'.repeat(lines) + `# ${'x'.repeat(78)}\n`.repeat(4_200);
  const first = Array.from({ length: 24 }, (_, i) => `first${String(i).padStart(2, '0')}.py`);
  const repo = createRepo();
  const files = Object.fromEntries(first.map((path) => [path, 'parcel depot\n'.repeat(3)]));
  repo.commit({ ...files, 'large.py': large(2), 'small.py': 'parcel depot\n' });
  assert.deepEqual(await firstOf(repo, 3_000), [...first, 'small.py']);
  repo.commit({ 'large.py': large(4) });
  assert.deepEqual(await firstOf(repo, 3_000), ['large.py', ...first.slice(0, 23)]);
});
