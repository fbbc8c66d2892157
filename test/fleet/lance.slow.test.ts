/** LanceDB on a disk passes the contract, and names what it lacks or refuses. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { rebuildFleet } from '../../fleet/src/answers/rebuild.js';
import type { FleetEngine } from '../../fleet/src/contract.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { checkFleet } from '../../fleet/src/look-after.js';
import { openEngine, rebuildEngine } from '../../fleet/src/open.js';
import { openText } from '../../fleet/src/unit.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { testContract } from './contract.js';
import { commitId, keyIn, numberedFile, PROFILE, storedUnit, uploadOf, viewOf } from './made.js';

testContract('lance on a disk', async () => {
  const address = pathToFileURL(makeDirectory('fleet')).href;
  return { engine: await openEngine(address, PROFILE), other: await openEngine(address, PROFILE) };
});

test('a disk keeps every commit', async () => {
  const address = pathToFileURL(makeDirectory('fleet')).href;
  await (await openEngine(address, PROFILE, { probe: true })).close();
});

test('tables of another shape are refused', async () => {
  const address = pathToFileURL(makeDirectory('fleet')).href;
  await (await openEngine(address, PROFILE)).close();
  const other = { ...PROFILE, dimensions: 16 };
  await assert.rejects(openEngine(address, other), { code: 'FLEET_STORE', message: /unit_1 has the columns/ });
  await assert.rejects(openEngine('ftp://x', PROFILE), { code: 'BAD_ARGUMENT' });
});

test('a removed repository is in no file after maintenance, however small a part of the store it was', async () => {
  const folder = makeDirectory('fleet');
  const engine = await openEngine(pathToFileURL(folder).href, PROFILE);
  const kept = Array.from({ length: 30 }, (_, i) => storedUnit(numberedFile(i), 'shop', 9_000));
  const gone = storedUnit(numberedFile(99), 'bank', 9_000);
  const all = [...kept, gone];
  await engine.append(
    all.map(({ unit }) => unit),
    all.map(({ record }) => record),
  );
  const secrets = [Buffer.from(gone.record.text), Buffer.from(gone.unit.key)];
  const holds = (secret: Buffer) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).some(
      (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(secret),
    );
  assert.deepEqual(secrets.map(holds), [true, true]);
  await engine.remove({ family: gone.unit.family });
  const ages = { orphansBefore: 0, versionsBefore: 10_000, graceMs: 0, force: true };
  await engine.maintain({ holder: 'one', now: 10_000, ...ages });
  assert.deepEqual(secrets.map(holds), [false, false]);
  const { words } = await engine.candidates({ terms: ['common'], vector: null, families: null, count: 40 });
  assert.equal(words.length, 30);
  await engine.close();
});

async function publishedStore(): Promise<{ folder: string; address: string }> {
  const folder = makeDirectory('fleet');
  const address = pathToFileURL(folder).href;
  const intake = new FleetIntake(await openEngine(address, PROFILE));
  for (const number of [1, 2]) {
    const view = viewOf([numberedFile(number)], { repo: `repo${number}` });
    await intake.units({ ...view, units: [uploadOf(numberedFile(number))] });
    assert.deepEqual(await intake.view(view), { outcome: 'published' });
  }
  await intake.close();
  return { folder: join(folder, PROFILE.id), address };
}

function cutAll(folder: string, bytes: number): void {
  for (const name of readdirSync(folder)) truncateSync(join(folder, name), bytes);
}

test('contents that a view names and that a killed maintainer took away are there again after the next maintenance', async () => {
  const { address } = await publishedStore();
  const engine = await openEngine(address, PROFILE);
  const keys = [1, 2].map((number) => keyIn(`repo${number}`, numberedFile(number)));
  await engine.remove({ units: keys });
  assert.deepEqual(await engine.missing(keys), keys);
  const now = Math.floor(Date.now() / 1_000);
  const ages = { orphansBefore: now - 86_400, versionsBefore: now - 900, graceMs: 0 };
  await engine.maintain({ holder: 'next', now, ...ages });
  assert.deepEqual(await engine.missing(keys), []);
  assert.deepEqual((await checkFleet(engine)).damaged, []);
  const { words } = await engine.candidates({ terms: ['common'], vector: null, families: null, count: 9 });
  assert.equal(words.length, 2);
  const { tables } = await engine.status();
  assert.deepEqual([tables.unit.rows, tables.record.rows], [2, 2]);
  await engine.close();
});

test('simultaneous publications of a process share commits, and a content that two of them send is stored once', async () => {
  const engine = await openEngine(pathToFileURL(makeDirectory('fleet')).href, PROFILE);
  const send = (...numbers: number[]) => {
    const made = numbers.map((number) => storedUnit(numberedFile(number)));
    return engine.append(
      made.map(({ unit }) => unit),
      made.map(({ record }) => record),
    );
  };
  await Promise.all([send(0), send(1, 2), send(2, 3), send(4)]);
  const { tables } = await engine.status();
  assert.deepEqual([tables.unit.rows, tables.record.rows], [5, 5]);
  await engine.close();
});

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

/** Answers of a store by words, by meaning, of views and of contents; or why there are none. */
async function answersOf(engine: FleetEngine): Promise<string[]> {
  const { unit } = storedUnit(numberedFile(1), 'repo1');
  const keys = [1, 2].map((number) => keyIn(`repo${number}`, numberedFile(number)));
  const asked = [
    engine.candidates({ terms: ['common', 'word1'], vector: unit.vector, families: null, count: 9 }),
    engine.readViews({ parts: 'heads' }).then((found) => found?.views),
    engine
      .texts(keys)
      .then((texts) => keys.map((key) => openText(key, texts.get(key) ?? new Uint8Array(0))?.toString())),
  ];
  return (await Promise.allSettled(asked)).map((each) =>
    each.status === 'rejected' ? 'fails' : JSON.stringify(each.value),
  );
}

test('a flipped bit in the rows of a table is found by fsck, or changes no answer', async () => {
  const { folder, address } = await publishedStore();
  const whole = await openEngine(address, PROFILE);
  const expected = await answersOf(whole);
  await whole.close();
  const files = ['unit_1', 'record_1', 'view_1'].flatMap((table) => {
    const data = join(folder, `${table}.lance/data`);
    return readdirSync(data).map((name) => join(data, name));
  });
  for (const file of files) {
    const bytes = readFileSync(file);
    // Names and ids stand in the file as they are; the rest is a sample.
    const named = ['repo1', commitId('a'), 'common'].map((text) => bytes.indexOf(text)).filter((at) => at >= 0);
    for (let at = 0; at < bytes.length; at += 151) named.push(at);
    for (const at of named) {
      const flipped = Uint8Array.from(bytes);
      flipped[at] ^= 1 << (at % 8);
      writeFileSync(file, flipped);
      const engine = await openEngine(address, PROFILE).catch(() => null);
      const found = engine === null ? null : await checkFleet(engine).catch(() => null);
      const isFound = found === null || found.faults.length + found.damaged.length > 0;
      if (engine !== null && !isFound) assert.deepEqual(await answersOf(engine), expected, `${file} ${at}`);
      await engine?.close();
    }
    writeFileSync(file, bytes);
  }
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
