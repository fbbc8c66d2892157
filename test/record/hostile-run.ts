/**
 * Gives hostile and mutated records to every decoder, in a process that may crash: `node hostile-run.js`, sizes as
 * JSON on stdin, figures as JSON on stdout. Ends with an error if a bar does not hold.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { encodeCanonical, open, seal } from '../../src/record/cbor.js';
import {
  type Decoded,
  MAX_RECORD_BYTES,
  RECORD_FORMAT,
  type SyntaxRecord,
  VECTOR_FORMAT,
  type VectorRecord,
} from '../../src/record/format.js';
import {
  decodeChunksAndSymbols,
  decodeSyntaxRecord,
  encodeSyntaxRecord,
  SYNTAX_KIND,
} from '../../src/record/syntax-codec.js';
import { decodeVectorRecord, encodeVectorRecord, VECTORS_KIND } from '../../src/record/vector-codec.js';
import { pick, type Random, randomFrom } from '../support/generated/random.js';
import { type Hostile, hostilePayloads } from './hostile.js';
import { HARMLESS_RELATIONS, relationsPayload } from './hostile-relations.js';
import { HARMLESS_VECTORS, hostileVectorPayloads } from './hostile-vectors.js';
import { anyRecord, SAMPLE, SAMPLE_OID, sealed } from './sample.js';
import { anyVectorRecord, VECTOR_SAMPLE } from './vector-sample.js';

export interface HostileRun {
  /** Of each kind of record. */
  mutations: number;
  golden: number;
  seed: number;
}

/** Of one record: processor time, so that a busy machine fails nothing, and memory. */
const MAX_MS = 50;
const MAX_MB = 64;

type Decode = (bytes: Uint8Array, oid: string) => Decoded<unknown>;
const DECODERS: Decode[] = [decodeSyntaxRecord, decodeChunksAndSymbols, decodeVectorRecord];

interface Kind {
  name: string;
  version: number;
  decode: Decode;
  /** Encodes what `decode` gave. */
  encode: (record: unknown) => Uint8Array | null;
  /** Sound records, of many shapes. */
  golden: unknown[];
}

function kindsOf({ golden: numRuns, seed }: HostileRun): Kind[] {
  return [
    {
      ...{ name: SYNTAX_KIND, version: RECORD_FORMAT, decode: decodeSyntaxRecord },
      encode: (record) => encodeSyntaxRecord(SAMPLE_OID, record as SyntaxRecord),
      golden: [SAMPLE, ...fc.sample(anyRecord, { seed, numRuns })],
    },
    {
      ...{ name: VECTORS_KIND, version: VECTOR_FORMAT, decode: decodeVectorRecord },
      encode: (record) => encodeVectorRecord(SAMPLE_OID, record as VectorRecord),
      golden: [VECTOR_SAMPLE, ...fc.sample(anyVectorRecord, { seed, numRuns })],
    },
  ];
}

/** What is hostile to one kind has to be refused by every other too. */
const HOSTILE: Hostile[] = [...hostilePayloads(), ...hostileVectorPayloads()];

const worst = { ms: 0, mb: 0 };
let decoded = 0;

/** Heap, and what typed arrays hold beside it. */
function megabytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1_048_576;
}

/**
 * Decodes, and fails if that takes too long each time of five, or too much memory: all that is allocated counts, since
 * nothing is collected within so short a time; if something was, it is measured again.
 */
function timed(decode: Decode, bytes: Uint8Array, name: string): Decoded<unknown> {
  for (let attempt = 0; ; attempt++) {
    const [before, memory] = [process.cpuUsage(), megabytes()];
    const result = decode(bytes, SAMPLE_OID);
    const mb = megabytes() - memory;
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1_000;
    decoded++;
    if (attempt < 5 && (ms > MAX_MS || mb < 0)) continue;
    assert.ok(ms <= MAX_MS && mb <= MAX_MB, `${name} took ${ms} ms and ${mb} MB`);
    worst.ms = Math.max(worst.ms, ms);
    worst.mb = Math.max(worst.mb, mb);
    return result;
  }
}

function assertHarmless(): void {
  assert.ok(hostilePayloads().length >= 60 && hostileVectorPayloads().length >= 60);
  assert.equal(
    new Set(HOSTILE.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'))).size,
    HOSTILE.length,
  );
  assert.ok(decodeVectorRecord(sealed(VECTORS_KIND, VECTOR_FORMAT, HARMLESS_VECTORS), SAMPLE_OID).ok);
  for (const [name, relations] of Object.entries(HARMLESS_RELATIONS)) {
    const record = sealed(SYNTAX_KIND, RECORD_FORMAT, relationsPayload(relations));
    const result = decodeSyntaxRecord(record, SAMPLE_OID);
    assert.ok(result.ok, `${name}: ${JSON.stringify(result)}`);
    assert.deepEqual(encodeSyntaxRecord(SAMPLE_OID, result.record), record, name);
  }
}

/** Bare, inside a valid envelope, and in place of each field of one. */
function assertRefused({ name: kind, version, decode }: Kind): void {
  const fields = ['gsc', version, kind, Buffer.from(SAMPLE_OID, 'hex'), new Uint8Array(8), Uint8Array.of(0xa0)];
  const encoded = fields.map((field) => encodeCanonical(field));
  for (const { name, bytes } of HOSTILE) {
    for (const each of DECODERS) assert.equal(timed(each, bytes, name).ok, false, name);
    const record = seal(kind, version, SAMPLE_OID, bytes);
    if (record !== null) {
      const result = timed(decode, record, name);
      assert.ok(!result.ok && result.reason === 'malformed', `${name}: ${JSON.stringify(result)}`);
      if (kind === SYNTAX_KIND) timed(decodeChunksAndSymbols, record, name);
    }
    for (let i = 2; i < fields.length; i++) {
      const parts = encoded.map((part, k) => (k === i ? bytes : part));
      const wrong = Buffer.concat([Uint8Array.of(0x86), ...parts]);
      assert.equal(timed(decode, wrong, `${name} as field ${i}`).ok, false, `${name} as field ${i}`);
    }
  }
}

function assertBounded({ name, version, decode, encode, golden }: Kind): void {
  const sample = encode(golden[0]) as Uint8Array;
  const large = seal(name, version, SAMPLE_OID, new Uint8Array(MAX_RECORD_BYTES - 200));
  assert.ok(large !== null && large.length <= MAX_RECORD_BYTES && !timed(decode, large, 'a full record').ok);
  assert.equal(seal(name, version, SAMPLE_OID, new Uint8Array(MAX_RECORD_BYTES)), null);
  const beyond = new Uint8Array(MAX_RECORD_BYTES + 1);
  beyond.set(sample);
  assert.equal(timed(decode, beyond, 'a record beyond 1 MiB').ok, false);
  const payload = payloadOf(name, version, sample);
  for (let at = 0; at < payload.length; at++)
    assert.equal(decode(sealed(name, version, payload.subarray(0, at)), SAMPLE_OID).ok, false, `cut at ${at}`);
}

function payloadOf(kind: string, version: number, record: Uint8Array): Uint8Array {
  const opened = open(kind, version, SAMPLE_OID, record);
  assert.ok(opened.ok);
  return opened.payload;
}

/** One to four changes: a byte set, a byte removed or doubled, a stretch copied elsewhere, or the end cut. */
function mutate(bytes: Uint8Array, random: Random): Uint8Array {
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

/** Half of them have a right checksum again: what is accepted of those has one encoding. Returns how many were. */
function assertMutations(kind: Kind, { mutations }: HostileRun, random: Random): number {
  const { name, version, decode, encode, golden } = kind;
  const records = golden.map((record) => encode(record) as Uint8Array);
  let accepted = 0;
  for (let i = 0; i < mutations; i++) {
    const at = random(records.length);
    if (i % 2 === 0) {
      const result = timed(decode, mutate(records[at], random), `mutation ${i}`);
      if (result.ok) assert.deepEqual(encode(result.record), records[at], `mutation ${i} says something else`);
      continue;
    }
    const record = sealed(name, version, mutate(payloadOf(name, version, pick(random, records)), random));
    const result = timed(decode, record, `mutation ${i}`);
    if (name === SYNTAX_KIND) timed(decodeChunksAndSymbols, record, `mutation ${i}`);
    if (!result.ok) continue;
    accepted++;
    assert.deepEqual(encode(result.record), record, `mutation ${i}`);
  }
  assert.ok(accepted > 0, 'no mutation reached the record: this proves nothing');
  return accepted;
}

const run = JSON.parse(await text(process.stdin)) as HostileRun;
const kinds = kindsOf(run);
assertHarmless();
for (const kind of kinds)
  for (const record of kind.golden) assert.ok(kind.decode(kind.encode(record) as Uint8Array, SAMPLE_OID).ok);
let accepted = 0;
for (const kind of kinds) {
  assertRefused(kind);
  assertBounded(kind);
  accepted += assertMutations(kind, run, randomFrom(run.seed));
}
process.stdout.write(
  JSON.stringify({
    'hostile payloads': HOSTILE.length,
    mutations: run.mutations * kinds.length,
    'mutations with one encoding all the same': accepted,
    'records decoded': decoded,
    'slowest record (ms of processor)': Math.round(worst.ms * 10) / 10,
    'most memory for one (MB)': Math.round(worst.mb * 10) / 10,
  }),
);
