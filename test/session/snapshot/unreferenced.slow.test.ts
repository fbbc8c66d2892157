/** Snapshots that no ref names are answered from memory: the same answers, records in notes, and no file but that of the last one. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SearchResponse } from '../../../src/questions/search/question.js';
import { inProcess } from '../../support/in-process/search.js';
import { cliJson } from '../../support/processes/cli.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';

/** HEAD, and before it two commits with other versions of two files. */
function project(): TestRepo {
  const repo = createRepo();
  repo.commit({ ...PROJECT, 'lib/weigh.py': 'def weigh_parcel(scale):\n    return scale.read()\n' });
  repo.commit({ 'lib/weigh.py': 'def weigh_letter(scale):\n    return scale.read()\n' });
  repo.commit({ 'lib/weigh.py': 'def weigh_pallet(scale):\n    return scale.read()\n' });
  return repo;
}

const found = (repo: TestRepo, ref?: string) =>
  inProcess(repo, async (process) => {
    const { ref: _, ...response } = await process.search('weigh', { ref, committed: true, explain: true });
    return response;
  });

const localFiles = (repo: TestRepo) =>
  readdirSync(repo.state, { recursive: true, encoding: 'utf8' })
    // `checked.bin` lists files that are older than two seconds, which depends on how busy the machine is.
    .filter((name) => /\.bin$/.test(name) && !PAST.test(name) && !name.endsWith('checked.bin'))
    .sort();

const PAST = /past-[0-9a-f]+\.bin$/;
const pastFiles = (repo: TestRepo) =>
  readdirSync(repo.state, { recursive: true, encoding: 'utf8' })
    .filter((name) => PAST.test(name))
    .map((name) => join(repo.state, name));

/** Asks in a new process; the commit is kept when the process ends. */
const asked = (repo: TestRepo, ref: string) =>
  inProcess(repo, async (process) => {
    const { ref: _, ...response } = await process.search('weigh', { ref, committed: true, explain: true });
    return { response, listed: process.listed };
  });

const notes = (repo: TestRepo) => repo.git('for-each-ref', '--format=%(objectname)', 'refs/notes/socraticode').trim();

/** Records are written after the answer. */
async function awaitNotes(repo: TestRepo, before: string): Promise<void> {
  for (let i = 0; i < 400 && notes(repo) === before; i++) await sleep(25);
  assert.notEqual(notes(repo), before, 'the records of the old files are kept');
}

test('an old commit is searched without shards, vectors or views of it, and its records are kept', async () => {
  const repo = project();
  await found(repo);
  const before = { files: localFiles(repo), notes: notes(repo) };
  const old = await found(repo, 'HEAD~2');
  assert.equal(old.results[0].symbol, 'weigh_parcel');
  assert.deepEqual(old.coverage, { covered: Object.keys(PROJECT).length + 1, total: Object.keys(PROJECT).length + 1 });
  assert.deepEqual(localFiles(repo), before.files);
  await awaitNotes(repo, before.notes);
  assert.deepEqual(await found(repo, 'HEAD~2'), old, 'read from records, the answer is the same');
});

test('the answer is that of the same commit under a tag, which is indexed', async () => {
  const repo = project();
  await found(repo);
  const before = localFiles(repo);
  const old = await found(repo, 'HEAD~1');
  for (const path of pastFiles(repo)) rmSync(path);
  repo.git('tag', 'v1', 'HEAD~1');
  assert.deepEqual(await found(repo, 'v1'), old);
  assert.notDeepEqual(localFiles(repo), before);
});

test('one process walks over commits, and a question asked again lists no tree', async () => {
  const repo = project();
  await found(repo);
  const before = notes(repo);
  await inProcess(repo, async (process) => {
    const ask = (ref: string) => process.search('weigh', { ref });
    const [first, second] = [await ask('HEAD~2'), await ask('HEAD~1')];
    const { listed } = process;
    assert.deepEqual(await ask('HEAD~2'), first);
    assert.deepEqual(await ask('HEAD~1'), second);
    assert.equal(process.listed, listed);
    assert.deepEqual(
      [first, second].map(({ results }) => results[0].symbol),
      ['weigh_parcel', 'weigh_letter'],
    );
  });
  await awaitNotes(repo, before);
});

test('a walk that leaves all that is indexed, half of the files a step, writes no shard', async () => {
  const repo = createRepo();
  const versions = (names: string[], word: string) =>
    Object.fromEntries(
      names.map((name) => [`lib/${name}.py`, `def weigh_${name}_${word}(scale):\n    return scale.read()\n`]),
    );
  repo.commit(versions(['a', 'b', 'c', 'd', 'e', 'f'], 'parcel'));
  repo.commit(versions(['a', 'b', 'c'], 'letter'));
  repo.commit(versions(['d', 'e', 'f'], 'pallet'));
  repo.commit(versions(['a', 'b', 'c'], 'crate'));
  await found(repo);
  const before = localFiles(repo);
  await inProcess(repo, async (process) => {
    const symbols = async (ref: string) => {
      const { results, coverage } = await process.search('weigh', { ref, committed: true });
      return { symbols: results.map(({ symbol }) => symbol).sort(), coverage };
    };
    const expected = (first: string, second: string) => ({
      symbols: [
        ...['a', 'b', 'c'].map((name) => `weigh_${name}_${first}`),
        ...['d', 'e', 'f'].map((name) => `weigh_${name}_${second}`),
      ],
      coverage: { covered: 6, total: 6 },
    });
    assert.deepEqual(await symbols('HEAD~1'), expected('letter', 'pallet'));
    assert.deepEqual(await symbols('HEAD~2'), expected('letter', 'parcel'));
    assert.deepEqual(await symbols('HEAD~3'), expected('parcel', 'parcel'));
  });
  assert.deepEqual(localFiles(repo), before);
});

test('a process that asks about a commit again lists no tree and gets the same answer', async () => {
  const repo = project();
  await found(repo);
  const first = await asked(repo, 'HEAD~2');
  assert.equal(pastFiles(repo).length, 1);
  const again = await asked(repo, 'HEAD~2');
  assert.deepEqual([first.listed, again.listed], [1, 0]);
  assert.deepEqual(again.response, first.response);
});

test('a damaged file of a past commit is not used', async () => {
  const repo = project();
  await found(repo);
  const first = await asked(repo, 'HEAD~2');
  for (const path of pastFiles(repo)) {
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(path, bytes);
  }
  assert.deepEqual(await asked(repo, 'HEAD~2'), first);
});

test('past commits together take a bounded share of the local state', async () => {
  const repo = project();
  for (let i = 0; i < 8; i++) repo.commit({ 'lib/weigh.py': `def weigh_${i}(scale):\n    return scale.read()\n` });
  await found(repo);
  const size = (paths: readonly string[]) => paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const atHead = size(localFiles(repo).map((name) => join(repo.state, name)));
  for (let i = 1; i < 9; i++) await asked(repo, `HEAD~${i}`);
  const past = pastFiles(repo);
  assert.ok(past.length > 0 && past.length <= 4, `${past.length} files`);
  assert.ok(size(past) <= 2 * atHead, `${size(past)} bytes beside ${atHead}`);
});

test('of a tag with thousands of files that are not indexed, those with the words are searched at once, and all of them later', async () => {
  const repo = createRepo();
  const count = 2_200;
  const files = Array.from({ length: count }, (_, i) => [
    `old/f${i}.py`,
    `def ${i === 1_234 ? 'calibrate_balance' : 'keep'}_${i}(scale):\n    return scale\n`,
  ]);
  repo.commit({ ...PROJECT, ...Object.fromEntries(files) });
  repo.git('tag', 'v1');
  repo.git('rm', '-rq', 'old');
  repo.commit({ 'lib/now.py': 'def now():\n    return 1\n' });
  await cliJson(['index'], { cwd: repo.dir });
  const ask = () => cliJson<SearchResponse>(['search', 'calibrate the balance', '--ref', 'v1'], { cwd: repo.dir });
  const first = await ask();
  assert.equal(first.results[0].path, 'old/f1234.py');
  assert.ok(first.coverage.total > count && first.coverage.covered < 200, JSON.stringify(first.coverage));
  assert.match(first.told?.join('\n') ?? '', /read first; the others of v1 are being indexed in the background/);
  const covered = async () =>
    (await cliJson<Pick<SearchResponse, 'coverage'>>(['status', '--ref', 'v1'], { cwd: repo.dir })).coverage.covered;
  for (let i = 0; i < 300 && (await covered()) < first.coverage.total; i++) await sleep(100);
  const later = await ask();
  assert.deepEqual(later.coverage, { covered: first.coverage.total, total: first.coverage.total });
  assert.equal(later.results[0].path, 'old/f1234.py');
  assert.doesNotMatch(later.told?.join('\n') ?? '', /read first/);
});
