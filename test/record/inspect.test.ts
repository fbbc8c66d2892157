/** What is told of notes of every kind: how many chunks a record has, and what is wrong with one that is none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeSyntaxRecord } from '../../src/record/codec.js';
import { encodeCompilerRecord } from '../../src/record/compiler-codec.js';
import { seal } from '../../src/record/envelope.js';
import { inspectRecord } from '../../src/record/inspect.js';
import { COMPILER_FORMAT, RECORD_FORMAT, VECTOR_FORMAT } from '../../src/record/limits.js';
import { encodeVectorRecord } from '../../src/record/vector-codec.js';
import { SAMPLE, SAMPLE_OID } from './sample.js';
import { VECTOR_SAMPLE } from './vector-sample.js';

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
