/** Opened units and their texts, each read from the store once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FleetUnits } from '../../../fleet/src/ask/units.js';
import { materialise } from '../../support/generated/corpus.js';
import { numberedFile, storedUnit } from '../made.js';

const FILES = [0, 1, 2].map(numberedFile);
const STORED = FILES.map((file) => storedUnit(file));
const KEYS = STORED.map(({ unit }) => unit.key);

function engineOf(texts = true) {
  const asked: string[] = [];
  const answer = (what: 'payload' | 'text', keys: readonly string[]) => {
    asked.push(`${what} ${keys.map((key) => KEYS.indexOf(key)).join()}`);
    const held = STORED.filter(({ unit }) => keys.includes(unit.key) && unit.key !== KEYS[2]);
    return new Map(held.map(({ record }): [string, Uint8Array] => [record.key, record[what]]));
  };
  return {
    asked,
    payloads: async (keys: readonly string[]) => answer('payload', keys),
    texts: async (keys: readonly string[]) => (texts ? answer('text', keys) : new Map<string, Uint8Array>()),
  };
}

test('units are opened once, in one request, and absent ones are left out', async () => {
  const engine = engineOf();
  const units = new FleetUnits(engine);
  assert.deepEqual([...(await units.open([KEYS[0]])).keys()], [KEYS[0]]);
  const both = await units.open([KEYS[0], KEYS[1], KEYS[2]]);
  assert.deepEqual([...both.keys()], [KEYS[0], KEYS[1]]);
  assert.equal((await units.open([KEYS[1]])).get(KEYS[1]), both.get(KEYS[1]));
  assert.equal((await units.open([])).size, 0);
  assert.deepEqual(engine.asked, ['payload 0', 'payload 1,2']);
});

test('texts are read once, alone or ahead, and an absent one is null', async () => {
  const engine = engineOf();
  const units = new FleetUnits(engine);
  const text = async (i: number) => (await units.text(KEYS[i]))?.toString() ?? null;
  const contents = FILES.map((file) => Buffer.from(materialise(file).bytes).toString());
  assert.equal(await text(0), contents[0]);
  await units.readTexts([KEYS[0], KEYS[1]]);
  await units.readTexts([KEYS[0], KEYS[1]]);
  assert.deepEqual([await text(1), await text(0)], [contents[1], contents[0]]);
  assert.deepEqual([await text(2), await text(2)], [null, null]);
  assert.deepEqual(engine.asked, ['text 0', 'text 1', 'text 2']);
  assert.equal(await new FleetUnits(engineOf(false)).text(KEYS[0]), null);
});
