/** Records that a parser gives and that are refused: a file is then cut by lines, with the reason. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DegradedReason } from '../../src/extract/facts.js';
import { deriveBlobs } from '../../src/indexer/derive.js';
import { MAX_RECORD_BYTES } from '../../src/record/format.js';
import { decodeSyntaxRecord, encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { materialise } from '../support/generated/corpus.js';
import { source } from './vector-fixture.js';

const OID = 'a'.repeat(40);
const BYTES = Buffer.from('export const cart = 1;\n');

async function stateWith(
  record: Uint8Array,
  degraded: DegradedReason | null = null,
): Promise<{ state: string | undefined; note: Uint8Array | null }> {
  const context = {
    objects: {
      info: async () => ({ oid: OID, type: 'blob' as const, size: BYTES.length }),
      read: async () => ({ oid: OID, type: 'blob' as const, size: BYTES.length, content: BYTES }),
    },
    store: { read: async () => null },
    pool: { parse: async () => ({ record, degraded }) },
    maxFileBytes: 1_000,
    onBadRecord: () => {},
  };
  const plan = [{ oid: OID, languages: ['typescript'], sharded: false }];
  for await (const { units, note } of deriveBlobs(plan as unknown as Parameters<typeof deriveBlobs>[0], context))
    return { state: units[0].state, note };
  throw new Error('nothing was derived');
}

test('a note that is no record, or that says what the text does not, is told with its reason and parsed anew', async () => {
  const parsed = encodeSyntaxRecord(OID, { facts: { typescript: materialise(source('Cart', 'add')).facts } });
  const derived = async (noted: object) => {
    const told: string[] = [];
    const context = {
      objects: {
        info: async () => ({ oid: OID, type: 'blob' as const, size: BYTES.length }),
        read: async () => ({ oid: OID, type: 'blob' as const, size: BYTES.length, content: BYTES }),
      },
      store: { read: async () => noted },
      pool: { parse: async () => ({ record: parsed, degraded: null }) },
      maxFileBytes: 1_000,
      onBadRecord: (oid: string, reason: string) => told.push(`${oid.slice(0, 2)} ${reason}`),
    };
    const plan = [{ oid: OID, languages: ['typescript'], sharded: false }];
    const [blobs, own] = [plan, context] as unknown as Parameters<typeof deriveBlobs>;
    for await (const { source: from } of deriveBlobs(blobs, own)) return [from, ...told];
    throw new Error('nothing was derived');
  };
  const broken = await derived({ ok: false, reason: 'corrupt', detail: 'no envelope' });
  assert.deepEqual(broken, ['parse', 'aa corrupt: no envelope']);
  const lying = await derived({ ok: true, record: { skip: 'binary' } });
  assert.deepEqual(lying, ['parse', "aa the record says binary, but the blob's content does not"]);
});

test('a record over the limit of bytes is too large, any other one is refused, and neither is shared', async () => {
  assert.deepEqual(await stateWith(Buffer.from('no record')), { state: 'record-refused', note: null });
  assert.deepEqual(await stateWith(Buffer.alloc(MAX_RECORD_BYTES + 1)), { state: 'record-too-large', note: null });
});

test('a record that a failure of the parser made worse is not shared', async () => {
  const record = encodeSyntaxRecord(OID, { facts: { typescript: materialise(source('Cart', 'add')).facts } });
  assert.deepEqual(await stateWith(record, 'parse-timeout'), { state: 'parse-timeout', note: null });
  assert.deepEqual(await stateWith(record), { state: undefined, note: record });
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

test('many large blobs pass one after the other, however many bytes they have together', async () => {
  const plan = Array.from({ length: 200 }, (_, i) => ({
    ...{ oid: i.toString(16).padStart(40, '0'), languages: ['typescript'], sharded: false },
  }));
  const context = {
    objects: { info: async (oid: string) => ({ oid, type: 'blob' as const, size: 1 << 28 }), read: async () => null },
    store: { read: async () => null },
    pool: { parse: async () => ({ record: BYTES, degraded: null }) },
    maxFileBytes: 1_000,
    onBadRecord: () => {},
  };
  const states: unknown[] = [];
  for await (const { units } of deriveBlobs(plan as unknown as Parameters<typeof deriveBlobs>[0], context))
    states.push(units[0].state);
  assert.deepEqual(states, Array(200).fill('too-large'));
});

test('a blob that is read in one more language gets a record of all of them', async () => {
  const { oid, bytes, facts } = materialise(source('Cart', 'add'));
  const known = encodeSyntaxRecord(oid, { facts: { typescript: facts } });
  const parsed: string[] = [];
  const context = {
    objects: {
      info: async () => ({ oid, type: 'blob' as const, size: bytes.length }),
      read: async () => ({ oid, type: 'blob' as const, size: bytes.length, content: bytes }),
    },
    store: { read: async () => decodeSyntaxRecord(known, oid) },
    pool: {
      parse: async ({ language }: { language: string }) => {
        parsed.push(language);
        return { record: encodeSyntaxRecord(oid, { facts: { [language]: facts } }), degraded: null };
      },
    },
    maxFileBytes: 1_000,
    onBadRecord: () => {},
  };
  const plan = [{ oid, languages: ['typescript', 'javascript'], sharded: false }];
  for await (const { units, note } of deriveBlobs(plan as unknown as Parameters<typeof deriveBlobs>[0], context)) {
    assert.deepEqual(units.map(({ language }) => language).sort(), ['javascript', 'typescript']);
    const record = decodeSyntaxRecord(note as Uint8Array, oid);
    assert.deepEqual(record.ok && 'facts' in record.record && Object.keys(record.record.facts).sort(), [
      'javascript',
      'typescript',
    ]);
  }
  assert.deepEqual(parsed, ['javascript']);
});
