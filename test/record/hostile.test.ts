import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCanonical } from '../../src/record/cbor.js';
import { decodeSyntaxRecord, encodeSyntaxRecord, SYNTAX_KIND } from '../../src/record/codec.js';
import { open, seal } from '../../src/record/envelope.js';
import { RECORD_FORMAT } from '../../src/record/limits.js';
import type { DecodeResult } from '../../src/record/types.js';
import { hostilePayloads } from './hostile.js';
import { SAMPLE, SAMPLE_OID } from './sample.js';

/** Bars S1 of the project: time for one hostile record, and the number of mutations (raised for campaigns). */
const MAX_MS = 50;
const MUTATIONS = Number(process.env.SOCRATICODE_CAMPAIGN ?? 5_000);

/** Decodes, and fails if that took too long; processor time, so that a busy machine fails nothing. */
function timed(bytes: Uint8Array, name: string): DecodeResult {
  let spent = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5 && spent > MAX_MS; attempt++) {
    const { user, system } = process.cpuUsage();
    decodeSyntaxRecord(bytes, SAMPLE_OID);
    const after = process.cpuUsage({ user, system });
    spent = (after.user + after.system) / 1000;
  }
  assert.ok(spent <= MAX_MS, `${name} took ${spent} ms`);
  return decodeSyntaxRecord(bytes, SAMPLE_OID);
}

/** A record with the right blob and checksum around any payload, as a hostile writer would make it. */
function sealed(payload: Uint8Array): Uint8Array {
  return seal(SYNTAX_KIND, RECORD_FORMAT, SAMPLE_OID, payload);
}

test('every hostile payload is refused quickly, bare and inside a valid envelope', () => {
  const payloads = hostilePayloads();
  assert.ok(payloads.length >= 60);
  for (const { name, bytes } of payloads) {
    assert.equal(timed(bytes, name).ok, false, name);
    if (bytes.length > 1_000_000) continue;
    const result = timed(sealed(bytes), name);
    assert.ok(!result.ok && result.reason === 'malformed', `${name}: ${JSON.stringify(result)}`);
  }
});

test('hostile items in place of each field of the envelope', () => {
  const fields = [
    'gsc',
    RECORD_FORMAT,
    SYNTAX_KIND,
    Buffer.from(SAMPLE_OID, 'hex'),
    new Uint8Array(8),
    Uint8Array.of(0xa0),
  ];
  const encoded = fields.map((field) => encodeCanonical(field));
  for (const { name, bytes } of hostilePayloads()) {
    for (let i = 2; i < fields.length; i++) {
      const parts = encoded.map((part, k) => (k === i ? bytes : part));
      const record = Buffer.concat([Uint8Array.of(0x86), ...parts]);
      assert.equal(timed(record, `${name} as field ${i}`).ok, false, `${name} as field ${i}`);
    }
  }
});

test('a payload cut anywhere is refused although its checksum is right', () => {
  const opened = open(SYNTAX_KIND, RECORD_FORMAT, SAMPLE_OID, encodeSyntaxRecord(SAMPLE_OID, SAMPLE));
  assert.ok(opened.ok);
  for (let at = 0; at < opened.payload.length; at++) {
    assert.equal(decodeSyntaxRecord(sealed(opened.payload.subarray(0, at)), SAMPLE_OID).ok, false, `cut at ${at}`);
  }
});

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

test(`${MUTATIONS} mutated payloads: never a crash, and what is accepted has one encoding`, () => {
  const opened = open(SYNTAX_KIND, RECORD_FORMAT, SAMPLE_OID, encodeSyntaxRecord(SAMPLE_OID, SAMPLE));
  assert.ok(opened.ok);
  const random = randomFrom(20_240_607);
  const before = process.memoryUsage().rss;
  let accepted = 0;
  for (let i = 0; i < MUTATIONS; i++) {
    const record = sealed(mutate(opened.payload, random));
    const result = timed(record, `mutation ${i}`);
    if (!result.ok) continue;
    accepted++;
    assert.deepEqual(encodeSyntaxRecord(SAMPLE_OID, result.record), record, `mutation ${i}`);
  }
  assert.ok(accepted > 0, 'no mutation reached the facts: the campaign tests nothing');
  assert.ok(process.memoryUsage().rss - before < 256 * 1_048_576);
});

test('mutated records: noticed before the payload is decoded, or harmless', () => {
  const bytes = encodeSyntaxRecord(SAMPLE_OID, SAMPLE);
  const random = randomFrom(7);
  for (let i = 0; i < MUTATIONS; i++) {
    const result = timed(mutate(bytes, random), `mutation ${i}`);
    if (result.ok) assert.deepEqual(result.record, SAMPLE);
  }
});
