/** Records that are derived again: what is said of a note that somebody else wrote. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blobOid } from '../../src/git/objects.js';
import { compareAgain, deriveAgain, inspectRecord } from '../../src/indexer/verify-records.js';
import { seal } from '../../src/record/cbor.js';
import { COMPILER_FORMAT, MAX_BLOB_BYTES, RECORD_FORMAT, VECTOR_FORMAT } from '../../src/record/format.js';
import { encodeCompilerRecord } from '../../src/record/store.js';
import { encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { encodeVectorRecord } from '../../src/record/vector-codec.js';
import { SAMPLE, SAMPLE_OID } from '../record/sample.js';
import { VECTOR_SAMPLE } from '../record/vector-sample.js';
import { materialise } from '../support/generated/corpus.js';
import { source } from './vector-fixture.js';

const CART = materialise(source('Cart', 'add'));
const RECORD = encodeSyntaxRecord(CART.oid, { facts: { typescript: CART.facts } });
type Derived = Parameters<typeof compareAgain>[0];

const unit = (state?: string, facts: unknown = CART.facts) => ({ language: 'typescript', facts, state });
const derived = (more: object = {}) =>
  ({ oid: CART.oid, bytes: CART.bytes, size: 1, units: [unit()], note: RECORD, source: 'parse', ...more }) as Derived;

test('a note is equal when it has the bytes of the record, in either format of names', () => {
  for (const format of ['sha1', 'sha256'] as const) {
    const name = blobOid(RECORD as Uint8Array, format);
    assert.deepEqual(compareAgain(derived(), name, format), { isEqual: true, why: '' });
    assert.deepEqual(compareAgain(derived(), blobOid(Buffer.from('x'), format), format), { isEqual: false, why: '' });
  }
  assert.deepEqual(compareAgain(derived(), undefined, 'sha1'), { isEqual: false, why: '' });
});

test('nothing is said of a record that this machine cannot make, and the reason is told', () => {
  const why = (more: object) => {
    const { isEqual, why: reason } = compareAgain(derived(more), 'x', 'sha1');
    assert.equal(isEqual, null);
    return reason;
  };
  assert.equal(why({ bytes: null, note: null, units: [] }), 'not-here');
  assert.equal(why({ units: [unit(), unit('parse-timeout')] }), 'parse-timeout');
  assert.equal(why({ units: [unit('too-large', null)] }), 'too-large');
  assert.equal(why({ note: null }), 'not-derived');
  // What the content alone decides is a record as any other.
  assert.equal(compareAgain(derived({ units: [unit('binary', null)] }), 'x', 'sha1').isEqual, false);
});

test('the largest file that a record may describe is derived, whatever the settings of this machine, with relations', async () => {
  const asked: unknown[] = [];
  const pool = { size: 1, parse: async () => ({ record: RECORD, degraded: null }) };
  const derive = async (size: number, signal?: AbortSignal) => {
    const objects = {
      info: async (oid: string) => ({ oid, type: 'blob' as const, size }),
      read: async (oid: string) => ({ oid, type: 'blob' as const, size, content: CART.bytes }),
    };
    const blobs = [{ oid: CART.oid, languages: ['typescript'], path: 'cart.ts', sharded: false }];
    for await (const blob of deriveAgain({ objects, signal }, blobs, pool as never)) asked.push(blob);
    return asked.pop() as Derived;
  };
  const { note, source: from, units } = await derive(MAX_BLOB_BYTES);
  assert.deepEqual([note, from, units[0].state], [RECORD, 'parse', undefined]);
  assert.equal((await derive(MAX_BLOB_BYTES + 1)).units[0].state, 'too-large');
  await assert.rejects(derive(1, AbortSignal.abort()), { name: 'AbortError' });
});

test('bytes that are no record are a fault in every kind, under the own profile and under others', () => {
  for (const kind of ['syntax', 'vectors', 'compiler'])
    for (const isOwn of [true, false])
      for (const bytes of [[], [0], [...Buffer.from('something else')]]) {
        const found = inspectRecord(kind, Uint8Array.from(bytes), 'a'.repeat(40), isOwn);
        assert.equal(found.ok, false, `${kind} ${isOwn} ${bytes.length}`);
      }
});

const inspect = (kind: string, bytes: Uint8Array | null, isOwn = true) =>
  inspectRecord(kind, bytes ?? assert.fail(), SAMPLE_OID, isOwn);

test('a record is told with its chunks by language, and the size of its blob where it covers one', () => {
  const chunks = 'facts' in SAMPLE ? Object.entries(SAMPLE.facts).map(([id, facts]) => [id, facts.chunks.length]) : [];
  const size = 'facts' in SAMPLE ? (SAMPLE.facts.cpp.chunks.at(-1)?.end ?? null) : null;
  assert.ok(chunks.length === 2 && Number(size) > 0);
  const syntax = inspect('syntax', encodeSyntaxRecord(SAMPLE_OID, SAMPLE));
  assert.deepEqual(syntax, { ok: true, chunks: new Map(chunks as [string, number][]), size, isRead: true });
  const vectors = inspect('vectors', encodeVectorRecord(SAMPLE_OID, VECTOR_SAMPLE));
  const rows = new Map(Object.entries({ c: 3, cpp: 4, 'empty-blob': 0 }));
  assert.deepEqual(vectors, { ok: true, chunks: rows, size: null, isRead: true });
});

test('a blob without chunks, and what compilers told, have none', () => {
  const none = { ok: true, chunks: null, size: null, isRead: true };
  assert.deepEqual(inspect('syntax', encodeSyntaxRecord(SAMPLE_OID, { skip: 'binary' })), none);
  assert.deepEqual(inspect('compiler', encodeCompilerRecord(SAMPLE_OID, { occurrences: [] })), none);
});

test('a record of another version is a fault under the own profile; under others only its envelope is checked', () => {
  for (const [kind, format] of [
    ['syntax', RECORD_FORMAT],
    ['vectors', VECTOR_FORMAT],
    ['compiler', COMPILER_FORMAT],
  ] as const)
    for (const [version, reason] of [
      [format + 1, 'too-new'],
      [format - 1, 'outdated'],
    ] as const) {
      const sealed = seal(kind, version, SAMPLE_OID, Uint8Array.of(1)) ?? assert.fail();
      const own = inspect(kind, sealed);
      assert.equal(own.ok ? 'ok' : own.reason, reason);
      assert.deepEqual(inspect(kind, sealed, false), { ok: true, chunks: null, size: null, isRead: false });
      sealed[sealed.length - 1] ^= 1;
      const damaged = inspect(kind, sealed, false);
      assert.equal(damaged.ok ? 'ok' : damaged.reason, 'checksum');
    }
});
