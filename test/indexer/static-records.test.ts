/** Records of the built-in model's vectors: which blobs get one, and with which rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeStaticRecords } from '../../src/indexer/static-records.js';
import { hashKey, keyAt } from '../../src/indexer/vector-units.js';
import { VectorShard } from '../../src/shard/vector-shard.js';
import { DIMENSIONS, note, numbersIn, source, textsOf, vectorOf, vectorWorld } from './vector-fixture.js';

type World = ReturnType<typeof vectorWorld>;

/** Vectors of every shard, numbered by their rows from 1 on; `missing` are rows of the first shard that have none. */
function vectorsOf({ shards }: World, ...missing: number[]): VectorShard[] {
  return shards.map(({ meta: { documents } }, shard) => {
    const rows = new Int8Array(documents * DIMENSIONS);
    for (let row = 0; row < documents; row++) rows.set(vectorOf(row + 1), row * DIMENSIONS);
    const present = Uint8Array.from({ length: documents }, (_, row) => Number(shard > 0 || !missing.includes(row)));
    return new VectorShard({ dimensions: DIMENSIONS, rows, present });
  });
}

const write = (world: World, ...missing: number[]) =>
  writeStaticRecords(world.units, vectorsOf(world, ...missing), world.context);

const CART = source('Cart', 'add', 'total');
const ORDER = source('Order', 'ship');
const LATE = source('Late');

test('every blob gets a record of its own rows and texts, and the bytes written are told', async () => {
  const world = vectorWorld([CART, ORDER], [LATE]);
  let bytes = 0;
  const { write: kept } = world.context.store;
  world.context.store.write = async (entries) => {
    for (const entry of entries) bytes += (entry.note as Uint8Array).length;
    await kept(entries);
  };
  assert.equal(await write(world), bytes);
  assert.deepEqual(
    world.written,
    world.units.map(({ oid }) => oid),
  );
  for (const unit of world.units) {
    const expected = Array.from({ length: unit.count }, (_, i) => unit.first + i + 1);
    assert.deepEqual(numbersIn(world, unit.oid), expected);
    const decoded = world.notes.get(unit.oid);
    assert.ok(decoded?.ok);
    const { hashes } = decoded.record.languages.typescript;
    const texts = await textsOf(world, unit);
    assert.deepEqual(
      texts.map((_, i) => keyAt(hashes, i)),
      texts.map(hashKey),
    );
  }
});

test('a blob that has a record, was cut by lines, or lacks a vector gets none', async () => {
  for (const row of [0, 1, 2]) {
    const world = vectorWorld([CART, ORDER], [LATE]);
    const first = world.units.find(({ shard, first: at }) => shard === 0 && at === 0) ?? assert.fail();
    const last = first.count - 1;
    const others = world.units.filter((unit) => unit !== first).map(({ oid }) => oid);
    await write(world, Math.min(row, last));
    assert.deepEqual(world.written, others, `row ${row}`);
  }
  const world = vectorWorld([CART, ORDER], [LATE]);
  world.units[0].isLocal = true;
  await note(world, world.units[1], 1);
  await write(world);
  assert.deepEqual(world.written, [world.units[2].oid]);
});

test('a blob in two languages has both in one record, or none while one of them lacks a vector', async () => {
  const world = vectorWorld([ORDER], [LATE]);
  const [order, late] = world.units;
  world.units[1] = { ...late, oid: order.oid, language: 'tsx' };
  await write(world, 0);
  assert.deepEqual(world.written, []);
  await write(world);
  assert.deepEqual(world.written, [order.oid]);
  assert.deepEqual([numbersIn(world, order.oid), numbersIn(world, order.oid, 'tsx')], [[1, 2], [1]]);
});

test('a blob that cannot be read is left out, and a run that is cancelled writes nothing more', async () => {
  const world = vectorWorld([CART], [LATE]);
  world.contents.delete(world.units[0].oid);
  await write(world);
  assert.deepEqual(world.written, [world.units[1].oid]);
  const cancelled = vectorWorld([CART]);
  cancelled.context.signal = AbortSignal.abort();
  assert.equal(await write(cancelled), 0);
  assert.deepEqual(cancelled.written, []);
});
