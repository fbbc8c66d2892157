/** Maintenance takes away what was removed, and brings back what a killed maintainer took. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { connect } from '@lancedb/lancedb';
import { checkFleet } from '../../../../fleet/src/look-after.js';
import { openEngine } from '../../../../fleet/src/open.js';
import { makeDirectory } from '../../../support/repositories/repo.js';
import { keyIn, numberedFile, PROFILE, publishedStore, storedUnit } from '../../made.js';

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

test('of rows that stand for the same unit one is left, of however many', async () => {
  const folder = makeDirectory('fleet');
  const engine = await openEngine(pathToFileURL(folder).href, PROFILE);
  const units = [1, 2].map((number) => storedUnit(numberedFile(number), 'shop', 9_000));
  await engine.append(
    units.map(({ unit }) => unit),
    units.map(({ record }) => record),
  );
  const store = await connect(join(folder, PROFILE.id));
  for (const name of (await store.tableNames()).filter((each) => /^(?:unit|record)_\d+$/.test(each))) {
    const table = await store.openTable(name);
    // More than are deleted at a time.
    for (let doubled = 0; doubled < 10; doubled++) await table.add(await table.query().toArrow());
  }
  const rows = async () => {
    const { tables } = await engine.status();
    return [tables.unit.rows, tables.record.rows];
  };
  assert.deepEqual(await rows(), [2_048, 2_048]);
  await engine.maintain({ holder: 'one', now: 10_000, orphansBefore: 0, versionsBefore: 10_000, graceMs: 0 });
  assert.deepEqual(await rows(), [2, 2]);
  await engine.close();
});
