/** A flipped bit is found, or changes no answer. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FleetEngine } from '../../../../fleet/src/contract.js';
import { checkFleet } from '../../../../fleet/src/look-after.js';
import { openEngine } from '../../../../fleet/src/open.js';
import { openText } from '../../../../fleet/src/unit.js';
import { commitId, keyIn, numberedFile, PROFILE, publishedStore, storedUnit } from '../../made.js';

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

test('a flipped bit in the rows or the indexes of a table is found by fsck, or changes no answer', async () => {
  const { folder, address } = await publishedStore();
  const whole = await openEngine(address, PROFILE);
  const expected = await answersOf(whole);
  await whole.close();
  const files = ['unit_1', 'record_1', 'view_1'].flatMap((table) => {
    const of = join(folder, `${table}.lance`);
    const names = readdirSync(of, { recursive: true }) as string[];
    return names.filter((name) => /^(?:data|_indices).*\.lance$/.test(name)).map((name) => join(of, name));
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
