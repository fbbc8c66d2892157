/** Which chunks still need a vector, after files, notes and equal texts have given theirs. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { NoteEntry } from '../../src/git/notes.js';
import { hashKey, planVectors, RecordQueue, VectorDrafts } from '../../src/indexer/vector-plan.js';
import { HASH_BYTES, type VectorRecord } from '../../src/record/format.js';
import type { LexicalShard } from '../../src/shard/lexical-shard.js';
import { readVectorShard, writeVectorShard } from '../../src/shard/vector-shard.js';
import { makeDirectory } from '../support/repositories/repo.js';
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

const PROFILE = '0123456789ab';
const shard = (name: string, documents: number) => ({ name, meta: { documents } }) as unknown as LexicalShard;
const NAME = `lexical-${'1'.repeat(16)}.bin`;
const OTHER = `lexical-${'2'.repeat(16)}.bin`;
const place = () => ({ directory: makeDirectory('shards'), profile: PROFILE });
const vector = (...numbers: number[]) => Int8Array.from(numbers);
const hashes = (...texts: string[]) => new Uint8Array(Buffer.from(texts.map(hashKey).join(''), 'latin1'));

test('a vector that was set is found by its text, from any shard, and is in the file that is saved', () => {
  const at = place();
  const drafts = new VectorDrafts(at, [shard(NAME, 2), shard(OTHER, 1)], 4);
  assert.equal(drafts.find(hashKey('a')), null);
  drafts.set(0, 1, hashKey('a'), vector(1, 2, 3, 4));
  assert.deepEqual(drafts.find(hashKey('a')), vector(1, 2, 3, 4));
  assert.deepEqual(
    [drafts.has(0, 0), drafts.has(0, 1), drafts.has(1, 0), drafts.has(9, 0)],
    [false, true, false, false],
  );
  assert.deepEqual(drafts.copy(0, 1, 1), { hashes: hashes('a'), rows: vector(1, 2, 3, 4) });
  assert.equal(drafts.save(), 2 * (4 + HASH_BYTES), 'the shard that changed alone');
  assert.equal(drafts.save(), 0, 'nothing has changed since');
  const saved = readVectorShard(at.directory, PROFILE, NAME, 2);
  assert.deepEqual(
    [saved?.has(0), saved?.has(1), readVectorShard(at.directory, PROFILE, OTHER, 1)],
    [false, true, null],
  );
  const again = new VectorDrafts(at, [shard(NAME, 2), shard(OTHER, 1)], null);
  assert.deepEqual([again.dimensions, again.has(0, 0), again.has(0, 1)], [4, false, true]);
  assert.deepEqual(again.find(hashKey('a')), vector(1, 2, 3, 4));
});

test('a row of zeros is made again; a file of other dimensions, or without hashes, is not reused', () => {
  const at = place();
  const rows = vector(1, 0, 0, 0, 0, 0, 0, 0);
  const columns = { dimensions: 4, rows, hashes: hashes('a', 'b'), present: null };
  writeVectorShard(at.directory, PROFILE, NAME, columns);
  const present = (dimensions: number | null) => {
    const drafts = new VectorDrafts(at, [shard(NAME, 2)], dimensions);
    return [drafts.has(0, 0), drafts.has(0, 1)];
  };
  assert.deepEqual(present(4), [true, false]);
  assert.deepEqual(present(null), [true, false]);
  assert.deepEqual(present(8), [false, false]);
  writeVectorShard(at.directory, PROFILE, NAME, { ...columns, hashes: null });
  assert.deepEqual(present(4), [false, false]);
});

test('while the number of dimensions is not known there are no vectors; it is fixed once', () => {
  const drafts = new VectorDrafts(place(), [shard(NAME, 1)], null);
  assert.deepEqual(
    [drafts.dimensions, drafts.has(0, 0), drafts.find(hashKey('a')), drafts.save()],
    [null, false, null, 0],
  );
  drafts.fix(4);
  drafts.fix(8);
  assert.equal(drafts.dimensions, 4);
});

const oidOf = (number: number) => number.toString(16).padStart(40, '0');

function recordOf(rows: Int8Array, dimensions: number): VectorRecord {
  for (let at = 0; at < rows.length; at += dimensions) {
    for (let i = at; i < at + dimensions; i++) rows[i] = Math.max(rows[i], -127);
    rows[at] = 127;
  }
  const hashes = new Uint8Array((rows.length / dimensions) * HASH_BYTES);
  return { dimensions, languages: { typescript: { hashes, rows } } };
}
const record = (dimensions: number, chunks = 1) => recordOf(new Int8Array(dimensions * chunks), dimensions);
/** Bytes that no compression makes fewer. */
const heavy = (chunks: number) => recordOf(new Int8Array(randomBytes(4_096 * chunks)), 4_096);

function queueOf(fails = false) {
  const clock = { now: 0 };
  const writes: number[][] = [];
  const state = { bytes: 0 };
  const write = async (entries: readonly NoteEntry[]) => {
    if (fails) throw new Error('no space for notes');
    writes.push(entries.map(({ target }) => Number.parseInt(target, 16)));
    for (const { note } of entries) state.bytes += (note as Uint8Array).length;
  };
  const queue = new RecordQueue({ write } as unknown as ConstructorParameters<typeof RecordQueue>[0], () => clock.now);
  return { clock, writes, state, queue };
}

test('a batch is written with 64 records after a second, or after five seconds with any, and the rest at the end', async () => {
  const waits = fc.constantFrom(0, 1, 500, 999, 1_000, 1_001, 4_999, 5_000);
  const adds = fc.constantFrom(0, 1, 2, 31, 63, 64, 65);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(waits, adds), { maxLength: 12 }), async (steps) => {
      const { clock, writes, state, queue } = queueOf();
      const expected: number[][] = [];
      let [batch, last, next]: [number[], number, number] = [[], 0, 0];
      const write = (isDue: boolean) => {
        if (!isDue) return;
        if (batch.length > 0) expected.push(batch);
        [batch, last] = [[], clock.now];
      };
      for (const [wait, count] of steps) {
        clock.now += wait;
        await queue.tick();
        const age = () => clock.now - last;
        write(age() >= 5_000 || (batch.length >= 64 && age() >= 1_000));
        for (let i = 0; i < count; i++) {
          await queue.add(oidOf(next), record(16));
          batch.push(next++);
          write(age() >= 5_000 || (batch.length >= 64 && age() >= 1_000));
        }
      }
      await queue.finish();
      write(true);
      assert.deepEqual([writes, queue.bytesAdded], [expected, state.bytes]);
    }),
    { numRuns: 60 },
  );
});

test('four mebibytes of records wait for nothing, each time anew', async () => {
  const { writes, queue } = queueOf();
  for (let i = 0; i < 10; i++) await queue.add(oidOf(i), heavy(254));
  assert.deepEqual(writes, [
    [0, 1, 2, 3, 4],
    [5, 6, 7, 8, 9],
  ]);
});

test('a record over a mebibyte, and one whose dimensions no record may have, stay on this machine', async () => {
  const { writes, queue } = queueOf();
  await queue.add(oidOf(1), heavy(256));
  for (const [i, dimensions] of [15, 16, 4_096, 4_097].entries()) await queue.add(oidOf(10 + i), record(dimensions));
  await queue.finish();
  assert.deepEqual(writes, [[11, 12]]);
});

test('records that cannot be written are an error of the next step, and count for nothing', async () => {
  const { clock, queue } = queueOf(true);
  clock.now = 5_000;
  await queue.add(oidOf(1), record(16));
  await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(queue.finish(), /no space for notes/);
  assert.equal(queue.bytesAdded, 0);
});

test('nothing is written where nothing was added', async () => {
  const { writes, queue } = queueOf();
  await queue.finish();
  assert.deepEqual([writes, queue.bytesAdded], [[], 0]);
});
