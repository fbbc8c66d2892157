/** Copying a store beside itself: the same rows, whatever is published or damaged meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FleetIntake } from '../../fleet/src/intake.js';
import { copyViews } from '../../fleet/src/rebuild.js';
import type { PublishedView } from '../../fleet/src/target.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';
import { commitId, keyIn, numberedFile, PROFILE, uploadOf, viewOf } from './made.js';

async function publish(engine: MemoryEngine, number: number, about: Partial<PublishedView>): Promise<void> {
  const intake = new FleetIntake(engine, { now: () => 1_000_000 });
  const view = viewOf([numberedFile(number)], about);
  await intake.units({ ...view, units: [uploadOf(numberedFile(number))] });
  assert.deepEqual(await intake.view(view), { outcome: 'published' });
}

const candidates = (engine: MemoryEngine) => {
  const vector = new Float32Array(PROFILE.dimensions).fill(0.1);
  return engine.candidates({ terms: ['common', 'word2'], vector, families: null, count: 9 });
};

test('the copy proposes the same units with the same scores, and has the same views', async () => {
  const [from, to] = [new MemoryEngine(PROFILE), new MemoryEngine(PROFILE)];
  await publish(from, 1, { repo: 'one' });
  await publish(from, 2, { repo: 'two', ref: 'next', isDefault: false });
  assert.deepEqual(await copyViews(from, to), { copied: 2, left: [] });
  assert.deepEqual(await candidates(to), await candidates(from));
  const rows = async (engine: MemoryEngine) => (await engine.readViews({ parts: 'all' }))?.views;
  assert.deepEqual(await rows(to), await rows(from));
  const keys = [keyIn('one', numberedFile(1))];
  assert.deepEqual([await to.records(keys), await to.texts(keys)], [await from.records(keys), await from.texts(keys)]);
});

test('a second copy brings what was published and deleted since, and takes nothing back', async () => {
  const [from, to] = [new MemoryEngine(PROFILE), new MemoryEngine(PROFILE)];
  await publish(from, 1, { repo: 'one' });
  await publish(from, 2, { repo: 'two' });
  await copyViews(from, to);
  await publish(from, 3, { repo: 'one', commit: commitId('b'), previous: commitId('a') });
  const none = new Uint8Array(0);
  const deleted = { commit: '', previous: commitId('a'), tree: '', facts: none, stats: none, links: none };
  await new FleetIntake(from).view(viewOf([], { repo: 'two', ...deleted }));
  assert.equal((await copyViews(from, to)).copied, 2);
  const commits = (await to.readViews({ parts: 'heads' }))?.views.map(({ commit }) => commit);
  assert.deepEqual(commits, [commitId('b'), '']);
  // Somebody published into the new store already.
  await new FleetIntake(to, { now: () => 9e12 }).view(
    viewOf([numberedFile(3)], { repo: 'one', commit: commitId('c'), previous: commitId('b') }),
  );
  assert.deepEqual(await copyViews(from, to), { copied: 0, left: [] });
});

test('a damaged or absent record leaves its views out by name, and costs no other', async () => {
  const [from, to] = [new MemoryEngine(PROFILE), new MemoryEngine(PROFILE)];
  await publish(from, 1, { repo: 'one' });
  await publish(from, 2, { repo: 'two' });
  await publish(from, 3, { repo: 'three' });
  const key = keyIn('one', numberedFile(1));
  const record = (await from.records([key])).get(key) ?? assert.fail();
  await from.append([], [{ ...record, payload: record.payload.slice(0, -1), text: new Uint8Array(0) }]);
  await from.remove({ units: [keyIn('three', numberedFile(3))] });
  const { copied, left } = await copyViews(from, to);
  assert.equal(copied, 1);
  assert.deepEqual(left.map(({ repo, commit }) => [repo, commit]).sort(), [
    ['one', commitId('a')],
    ['three', commitId('a')],
  ]);
  const repos = (await to.readViews({ parts: 'heads' }))?.views.map(({ repo }) => repo);
  assert.deepEqual(repos, ['two']);
});
