/** Which chunks still need a vector, after files, notes and equal texts have given theirs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VectorDrafts } from '../../src/indexer/vector-draft.js';
import { planVectors } from '../../src/indexer/vector-plan.js';
import { hashKey } from '../../src/indexer/vector-units.js';
import { DIMENSIONS, note, source, textsOf, vectorOf, vectorWorld } from './vector-fixture.js';

type World = ReturnType<typeof vectorWorld>;

const draftsOf = ({ place, shards }: World, dimensions: number | null = DIMENSIONS) =>
  new VectorDrafts(place, shards, dimensions);

/** What is missing, as texts and the numbers of their chunks, and the counts. */
async function planned(world: World, drafts = draftsOf(world)) {
  const plan = await planVectors(world.units, drafts, world.context);
  const texts = new Map<string, string>();
  for (const unit of world.units)
    for (const text of await textsOf(world, unit)) texts.set(hashKey(text), text.trim().replaceAll('\n', ' | '));
  const missing = [...plan.missing].map(
    ([key, chunks]) => `${texts.get(key)} of ${chunks.map(({ unit }) => world.units.indexOf(unit))}`,
  );
  const { loaded, reused, unreadable, bad, records } = plan;
  return { missing, counts: { loaded, reused, unreadable }, bad: [...bad], records: [...records.keys()], drafts };
}

const CART = source('Cart', 'add', 'total');
const ORDER = source('Order', 'ship');

test('where nothing is known every text is missing once, in the order of the units, with every chunk that has it', async () => {
  const copy = { ...source('Cart', 'add', 'empty'), path: 'copy.ts' };
  const { missing, counts } = await planned(vectorWorld([CART, ORDER], [copy]));
  assert.deepEqual(missing, [
    'Cart | class Cart of 0,2',
    'Cart.add | def add add of 0,2',
    'Cart.total | def total total of 0',
    'Order | class Order of 1',
    'Order.ship | def ship ship of 1',
    'Cart.empty | def empty empty of 2',
  ]);
  assert.deepEqual(counts, { loaded: 0, reused: 0, unreadable: 0 });
});

test('a record gives the vectors of its chunks, those of the others stay missing', async () => {
  const world = vectorWorld([CART], [ORDER]);
  await note(world, world.units[0], 1);
  const { missing, counts, drafts } = await planned(world);
  assert.deepEqual(missing, ['Order | class Order of 1', 'Order.ship | def ship ship of 1']);
  assert.deepEqual(counts, { loaded: 3, reused: 0, unreadable: 0 });
  assert.deepEqual(drafts.copy(0, 1, 1).rows, vectorOf(2));
  assert.deepEqual(world.refused, []);
});

test('a chunk with the text of another one takes its vector, from whichever record is read later as well', async () => {
  const world = vectorWorld([CART, { ...source('Cart', 'add', 'empty'), path: 'copy.ts' }]);
  await note(world, world.units[1], 7);
  const { missing, counts, drafts } = await planned(world);
  assert.deepEqual(missing, ['Cart.total | def total total of 0']);
  assert.deepEqual(counts, { loaded: 3, reused: 2, unreadable: 0 });
  const { first } = world.units[0];
  assert.deepEqual(drafts.copy(0, first + 1, 1).rows, vectorOf(8));
});

test('of a unit whose vectors are known in part only the rest is counted and asked for', async () => {
  const world = vectorWorld([CART]);
  const drafts = draftsOf(world);
  drafts.set(0, 0, hashKey((await textsOf(world, world.units[0]))[0]), vectorOf(9));
  await note(world, world.units[0], 1);
  const { counts } = await planned(world, drafts);
  assert.deepEqual(counts, { loaded: 2, reused: 0, unreadable: 0 });
  assert.deepEqual(drafts.copy(0, 0, 1).rows, vectorOf(9), 'what was there stays');
  world.context.objects.read = () => assert.fail('a unit with all vectors is not read again');
  const again = await planVectors(world.units, drafts, world.context);
  assert.equal(again.missing.size, 0);
});

test('a record with hashes of other texts gives nothing, is named once, and is to be written again', async () => {
  const world = vectorWorld([CART, ORDER]);
  await note(world, world.units[1], 1);
  world.notes.set(world.units[0].oid, world.notes.get(world.units[1].oid) as never);
  world.notes.delete(world.units[1].oid);
  const twice = { ...world, units: [world.units[0], world.units[0]] };
  const { missing, counts, bad, records } = await planned(twice);
  assert.deepEqual([missing.length, counts.loaded, bad, records], [3, 0, [world.units[0].oid], []]);
  assert.deepEqual(world.refused, [`${world.units[0].oid.slice(0, 7)} its hashes belong to other texts`]);
});

test('one hash of another text, and one hash too many, make a whole record useless', async () => {
  const world = vectorWorld([CART]);
  const [unit] = world.units;
  await note(world, unit, 1);
  const decoded = world.notes.get(unit.oid);
  assert.ok(decoded?.ok);
  const { hashes, rows } = decoded.record.languages.typescript;
  const swapped = Uint8Array.from([...hashes.subarray(0, 8), ...hashes.subarray(16), ...hashes.subarray(8, 16)]);
  const longer = Uint8Array.from([...hashes, ...hashes.subarray(0, 8)]);
  for (const wrong of [swapped, longer]) {
    decoded.record.languages.typescript = { hashes: wrong, rows };
    const { missing, counts, bad } = await planned(world);
    assert.deepEqual([missing.length, counts.loaded, bad], [3, 0, [unit.oid]]);
  }
});

test('a record that cannot be read, or has other dimensions, is refused with its reason', async () => {
  const world = vectorWorld([CART], [ORDER]);
  await note(world, world.units[0], 1, DIMENSIONS - 4);
  world.notes.set(world.units[1].oid, { ok: false, reason: 'malformed', detail: 'a list ends early' } as never);
  const { missing, bad } = await planned({ ...world, units: [...world.units, world.units[1]] });
  assert.equal(missing.length, 5);
  assert.deepEqual(bad.sort(), world.units.map(({ oid }) => oid).sort());
  assert.deepEqual(world.refused.map((line) => line.slice(8)).sort(), [
    '12 dimensions instead of 16',
    'malformed: a list ends early',
  ]);
});

test('the first record fixes the dimensions where nobody configured them', async () => {
  const world = vectorWorld([CART], [ORDER]);
  await note(world, world.units[0], 1);
  await note(world, world.units[1], 1, DIMENSIONS - 4);
  const { drafts, bad } = await planned(world, draftsOf(world, null));
  assert.deepEqual([drafts.dimensions, bad], [DIMENSIONS, [world.units[1].oid]]);
});

test('a blob that cannot be read counts its chunks as unreadable; one cut by lines has no record to read', async () => {
  const world = vectorWorld([CART], [ORDER]);
  world.contents.delete(world.units[0].oid);
  await note(world, world.units[1], 1);
  world.units[1].isLocal = true;
  const { missing, counts } = await planned(world);
  assert.deepEqual(counts, { loaded: 0, reused: 0, unreadable: 3 });
  assert.equal(missing.length, 2, 'those of the other blob');
});

test('every unit of a large snapshot is planned, and a plan that is cancelled ends', async () => {
  const files = Array.from({ length: 65 }, (_, i) => source(`Class${i}`));
  const world = vectorWorld(files);
  assert.equal((await planned(world)).missing.length, 65);
  world.context.signal = AbortSignal.abort();
  await assert.rejects(planVectors(world.units, draftsOf(world), world.context), { code: 'CANCELLED' });
});

test('a record is read once for all units of its blob, a refused one as well', async () => {
  for (const isGood of [true, false]) {
    const world = vectorWorld([CART, ...Array.from({ length: 40 }, (_, i) => source(`Class${i}`))]);
    if (isGood) await note(world, world.units[0], 1);
    else world.notes.set(world.units[0].oid, { ok: false, reason: 'malformed', detail: 'x' } as never);
    let reads = 0;
    const { read } = world.context.store;
    world.context.store.read = async (oid) => {
      reads += Number(oid === world.units[0].oid);
      return read(oid);
    };
    // In another language it is a unit of its own, here far behind the first.
    const { records } = await planned({ ...world, units: [...world.units, { ...world.units[0], language: 'tsx' }] });
    assert.deepEqual([reads, records], [1, isGood ? [world.units[0].oid] : []]);
  }
});
