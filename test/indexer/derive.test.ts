/** Records that a parser gives and that are refused: a file is then cut by lines, with the reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveBlobs } from '../../src/indexer/derive.js';
import { MAX_RECORD_BYTES } from '../../src/record/format.js';

const OID = 'a'.repeat(40);
const BYTES = Buffer.from('export const cart = 1;\n');

async function stateWith(record: Uint8Array): Promise<{ state: string | undefined; note: Uint8Array | null }> {
  const context = {
    objects: {
      info: async () => ({ oid: OID, type: 'blob' as const, size: BYTES.length }),
      read: async () => ({ oid: OID, type: 'blob' as const, size: BYTES.length, content: BYTES }),
    },
    store: { read: async () => null },
    pool: { parse: async () => ({ record, degraded: null }) },
    maxFileBytes: 1_000,
    onBadRecord: () => {},
  };
  const plan = [{ oid: OID, languages: ['typescript'], sharded: false }];
  for await (const { units, note } of deriveBlobs(plan as unknown as Parameters<typeof deriveBlobs>[0], context))
    return { state: units[0].state, note };
  throw new Error('nothing was derived');
}

test('a record over the limit of bytes is too large, any other one is refused, and neither is shared', async () => {
  assert.deepEqual(await stateWith(Buffer.from('no record')), { state: 'record-refused', note: null });
  assert.deepEqual(await stateWith(Buffer.alloc(MAX_RECORD_BYTES + 1)), { state: 'record-too-large', note: null });
});

test('sizes that were asked for ahead may fail after the reader has gone', async () => {
  const plan = ['a', 'b', 'c'].map((digit) => ({ oid: digit.repeat(40), languages: ['typescript'], sharded: false }));
  const context = {
    objects: {
      info: async (oid: string) => {
        if (oid !== OID) throw new Error('closed');
        return null;
      },
      read: async () => null,
    },
    store: { read: async () => null },
    pool: { parse: async () => ({ record: BYTES, degraded: null }) },
    maxFileBytes: 1_000,
    onBadRecord: () => {},
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    const derived = deriveBlobs(plan as unknown as Parameters<typeof deriveBlobs>[0], context);
    await assert.rejects(derived.next(), /closed/);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(unhandled, []);
  } finally {
    process.off('unhandledRejection', note);
  }
});
