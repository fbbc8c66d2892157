/** Records of vectors wait for each other and for a second, so that notes are written seldom, and never for long. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { NoteEntry } from '../../src/git/notes.js';
import { RecordQueue } from '../../src/indexer/vector-records.js';
import { HASH_BYTES } from '../../src/record/limits.js';
import type { VectorRecord } from '../../src/record/types.js';

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
