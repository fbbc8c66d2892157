import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCanonical } from '../../src/record/cbor.js';
import { decodeSyntaxRecord, encodeSyntaxRecord, SYNTAX_KIND } from '../../src/record/codec.js';
import { open, seal } from '../../src/record/envelope.js';
import { RECORD_FORMAT, VECTOR_FORMAT } from '../../src/record/limits.js';
import type { Decoded, SyntaxRecord, VectorRecord } from '../../src/record/types.js';
import { decodeVectorRecord, encodeVectorRecord, VECTORS_KIND } from '../../src/record/vector-codec.js';
import { type Hostile, hostilePayloads } from './hostile.js';
import { HARMLESS_RELATIONS, relationsPayload } from './hostile-relations.js';
import { HARMLESS_VECTORS, hostileVectorPayloads } from './hostile-vectors.js';
import { SAMPLE, SAMPLE_OID, sealed } from './sample.js';
import { VECTOR_SAMPLE } from './vector-sample.js';

/** Bars S1 of the project: time for one hostile record, and the number of mutations (raised for campaigns). */
const MAX_MS = 50;
const MUTATIONS = 5_000;

type Decode = (bytes: Uint8Array, oid: string) => Decoded<unknown>;

/** Decodes, and fails if that took too long; processor time, so that a busy machine fails nothing. */
function timed(decode: Decode, bytes: Uint8Array, name: string): Decoded<unknown> {
  let spent = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5 && spent > MAX_MS; attempt++) {
    const { user, system } = process.cpuUsage();
    decode(bytes, SAMPLE_OID);
    const after = process.cpuUsage({ user, system });
    spent = (after.user + after.system) / 1000;
  }
  assert.ok(spent <= MAX_MS, `${name} took ${spent} ms`);
  return decode(bytes, SAMPLE_OID);
}

/** mulberry32: the same mutations on every machine, for any count. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** One to four changes: a byte set, a byte removed or doubled, a stretch copied elsewhere, or the end cut. */
function mutate(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  let result = bytes.slice();
  for (let n = 1 + random(4); n > 0; n--) {
    const at = random(result.length);
    const kind = random(6);
    if (kind < 2) result[at] = random(256);
    else if (kind === 2) result = new Uint8Array([...result.subarray(0, at), ...result.subarray(at + 1)]);
    else if (kind === 3) result = new Uint8Array([...result.subarray(0, at + 1), ...result.subarray(at)]);
    else if (kind === 4) result.copyWithin(at, random(result.length), random(result.length));
    else result = result.slice(0, Math.max(1, result.length - random(8)));
  }
  return result;
}

interface Kind {
  name: string;
  version: number;
  decode: Decode;
  /** Encodes what `decode` gave. */
  encode: (record: unknown) => Uint8Array | null;
  sample: unknown;
}

const KINDS: Kind[] = [
  {
    ...{ name: SYNTAX_KIND, version: RECORD_FORMAT, decode: decodeSyntaxRecord, sample: SAMPLE },
    encode: (record) => encodeSyntaxRecord(SAMPLE_OID, record as SyntaxRecord),
  },
  {
    ...{ name: VECTORS_KIND, version: VECTOR_FORMAT, decode: decodeVectorRecord, sample: VECTOR_SAMPLE },
    encode: (record) => encodeVectorRecord(SAMPLE_OID, record as VectorRecord),
  },
];

/** What is hostile to one kind has to be refused by every other too. */
const HOSTILE: Hostile[] = [...hostilePayloads(), ...hostileVectorPayloads()];

function sampleBytes(kind: Kind): Uint8Array {
  const bytes = kind.encode(kind.sample);
  assert.ok(bytes !== null);
  return bytes;
}

function samplePayload(kind: Kind): Uint8Array {
  const opened = open(kind.name, kind.version, SAMPLE_OID, sampleBytes(kind));
  assert.ok(opened.ok);
  return opened.payload;
}

test('the corpora are as large as promised, and nothing in them is there twice', () => {
  assert.ok(hostilePayloads().length >= 60 && hostileVectorPayloads().length >= 60);
  assert.equal(new Set(HOSTILE.map(({ bytes }) => Buffer.from(bytes).toString('latin1'))).size, HOSTILE.length);
});

test('what the hostile vectors are made from is harmless', () => {
  const result = decodeVectorRecord(sealed(VECTORS_KIND, VECTOR_FORMAT, HARMLESS_VECTORS), SAMPLE_OID);
  assert.ok(result.ok, JSON.stringify(result));
});

test('what the hostile relations are made from is harmless', () => {
  for (const [name, relations] of Object.entries(HARMLESS_RELATIONS)) {
    const record = sealed(SYNTAX_KIND, RECORD_FORMAT, relationsPayload(relations));
    const result = decodeSyntaxRecord(record, SAMPLE_OID);
    assert.ok(result.ok, `${name}: ${JSON.stringify(result)}`);
    assert.deepEqual(encodeSyntaxRecord(SAMPLE_OID, result.record), record, name);
  }
});

for (const kind of KINDS) {
  const { name: kindName, version, decode } = kind;

  test(`${kindName}: every hostile payload is refused quickly, bare and inside a valid envelope`, () => {
    for (const { name, bytes } of HOSTILE) {
      assert.equal(timed(decode, bytes, name).ok, false, name);
      const record = seal(kindName, version, SAMPLE_OID, bytes);
      if (record === null) continue;
      const result = timed(decode, record, name);
      assert.ok(!result.ok && result.reason === 'malformed', `${name}: ${JSON.stringify(result)}`);
    }
  });

  test(`${kindName}: hostile items in place of each field of the envelope`, () => {
    const oid = Buffer.from(SAMPLE_OID, 'hex');
    const fields = ['gsc', version, kindName, oid, new Uint8Array(8), Uint8Array.of(0xa0)];
    const encoded = fields.map((field) => encodeCanonical(field));
    for (const { name, bytes } of HOSTILE) {
      for (let i = 2; i < fields.length; i++) {
        const parts = encoded.map((part, k) => (k === i ? bytes : part));
        const record = Buffer.concat([Uint8Array.of(0x86), ...parts]);
        assert.equal(timed(decode, record, `${name} as field ${i}`).ok, false, `${name} as field ${i}`);
      }
    }
  });

  test(`${kindName}: a payload cut anywhere is refused although its checksum is right`, () => {
    const payload = samplePayload(kind);
    for (let at = 0; at < payload.length; at++) {
      assert.equal(decode(sealed(kindName, version, payload.subarray(0, at)), SAMPLE_OID).ok, false, `cut at ${at}`);
    }
  });

  test(`${kindName}: ${MUTATIONS} mutated payloads never crash, and what is accepted has one encoding`, () => {
    const payload = samplePayload(kind);
    const random = randomFrom(20_240_607);
    const before = process.memoryUsage().rss;
    let accepted = 0;
    for (let i = 0; i < MUTATIONS; i++) {
      const record = sealed(kindName, version, mutate(payload, random));
      const result = timed(decode, record, `mutation ${i}`);
      if (!result.ok) continue;
      accepted++;
      assert.deepEqual(kind.encode(result.record), record, `mutation ${i}`);
    }
    assert.ok(accepted > 0, 'no mutation reached the record: the campaign tests nothing');
    assert.ok(process.memoryUsage().rss - before < 256 * 1_048_576);
  });

  test(`${kindName}: mutated records are noticed before the payload is decoded, or harmless`, () => {
    const bytes = sampleBytes(kind);
    const random = randomFrom(7);
    for (let i = 0; i < MUTATIONS; i++) {
      const result = timed(decode, mutate(bytes, random), `mutation ${i}`);
      if (result.ok) assert.deepEqual(result.record, kind.sample);
    }
  });
}
