/** Damaged tables are found, name their next step, and are made anew. */
import assert from 'node:assert/strict';
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rebuildFleet } from '../../../../fleet/src/answers/rebuild.js';
import { checkFleet } from '../../../../fleet/src/look-after.js';
import { openEngine, rebuildEngine } from '../../../../fleet/src/open.js';
import { PROFILE, publishedStore } from '../../made.js';

function cutAll(folder: string, bytes: number): void {
  for (const name of readdirSync(folder)) truncateSync(join(folder, name), bytes);
}

const OPTIONS = { from: [], keepsText: true, signal: new AbortController().signal, settleMs: 0 };

const wordsOf = async (address: string) => {
  const engine = await openEngine(address, PROFILE);
  const { words } = await engine.candidates({ terms: ['common'], vector: null, families: null, count: 9 });
  await engine.close();
  return words.length;
};

test('a search table that is cut is found by fsck, and made anew from the records', async () => {
  const { folder, address } = await publishedStore();
  cutAll(join(folder, 'unit_1.lance/data'), 100);
  const engine = await openEngine(address, PROFILE);
  const { faults } = await checkFleet(engine);
  assert.match(faults[0], /^unit: /);
  await assert.rejects(
    engine.payloads([]).then(() => engine.missing(['x'.repeat(22)])),
    (error: Error) => {
      assert.match((error as unknown as { hint: string }).hint, /fleet rebuild/);
      return true;
    },
  );
  await engine.close();
  const report = await rebuildFleet(await rebuildEngine(address, PROFILE), { ...OPTIONS, force: false });
  assert.deepEqual(report, { copied: 2, published: 0, left: [], unreadable: null, switched: true });
  const whole = await openEngine(address, PROFILE);
  assert.deepEqual(await checkFleet(whole), { checked: 2, damaged: [], faults: [] });
  const now = { now: 5_000, orphansBefore: 0, versionsBefore: 0, graceMs: 0 };
  await whole.maintain({ ...now, holder: 'test', force: true });
  assert.deepEqual(readdirSync(folder).sort(), ['fleet.lance', 'record_2.lance', 'unit_2.lance', 'view_2.lance']);
  await whole.close();
  assert.equal(await wordsOf(address), 2);
});

test('records that are cut are left out by name, and the store switches only where that is forced', async () => {
  const { folder, address } = await publishedStore();
  cutAll(join(folder, 'record_1.lance/data'), 100);
  const kept = await rebuildFleet(await rebuildEngine(address, PROFILE), { ...OPTIONS, force: false });
  assert.deepEqual([kept.switched, kept.left.map(({ repo }) => repo)], [false, ['repo1', 'repo2']]);
  const forced = await rebuildFleet(await rebuildEngine(address, PROFILE), { ...OPTIONS, force: true });
  assert.deepEqual([forced.switched, forced.copied], [true, 0]);
  assert.equal(await wordsOf(address), 0);
});

test('a manifest that is cut names its own next step, and one of the agreement costs nothing', async () => {
  const { folder, address } = await publishedStore();
  cutAll(join(folder, 'fleet.lance/_versions'), 5);
  await assert.rejects(openEngine(address, PROFILE), (error: Error) => {
    assert.match((error as unknown as { hint: string }).hint, /fleet rebuild/);
    return true;
  });
  const report = await rebuildFleet(await rebuildEngine(address, PROFILE), { ...OPTIONS, force: false });
  assert.deepEqual([report.copied, report.switched], [2, true]);
  assert.equal(await wordsOf(address), 2);
});
