/**
 * The envelope around the payload of every kind of record. Magic and version come first, at fixed offsets, so that they
 * are readable before anything else is decoded; the kind, the id of the blob and a checksum follow.
 * The checksum detects damage, not malice: anybody who can write a note can compute it, so payloads are validated
 * anyway.
 */
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../base/errors.js';
import { decodeCanonical, encodeCanonical } from './cbor.js';
import { MAX_RECORD_BYTES, RECORD_LIMITS } from './limits.js';
import type { DecodeFault } from './types.js';

const MAGIC = 'gsc';
/** Encoding of an array of six whose first item is the text "gsc". */
const MAGIC_BYTES = Uint8Array.of(0x86, 0x63, 0x67, 0x73, 0x63);
/** CBOR head of an empty text, and the longest text whose head is one byte. */
const TEXT_HEAD = 0x60;
const MAX_KIND_LENGTH = 23;
const CHECKSUM_BYTES = 8;
const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

type Opened = { ok: true; payload: Uint8Array } | { ok: false; reason: DecodeFault; detail: string };

function fault(reason: DecodeFault, detail: string): Opened & { ok: false } {
  return { ok: false, reason, detail };
}

function checksum(payload: Uint8Array): Uint8Array {
  return createHash('sha256').update(payload).digest().subarray(0, CHECKSUM_BYTES);
}

/** `payload` as a record of `kind` about blob `oid` (hex); null if that exceeds 1 MiB. Throws INTERNAL for a bad oid. */
export function seal(kind: string, version: number, oid: string, payload: Uint8Array): Uint8Array | null {
  if (!OID.test(oid)) throw new SocraticodeError('INTERNAL', `not a blob id: ${oid}`);
  const bytes = encodeCanonical([MAGIC, version, kind, Buffer.from(oid, 'hex'), checksum(payload), payload]);
  return bytes.length > MAX_RECORD_BYTES ? null : bytes;
}

/** The version at its fixed offset, or -1 if the bytes there are no small integer. */
function readVersion(bytes: Uint8Array): number {
  const first = bytes[MAGIC_BYTES.length] ?? 0xff;
  if (first < 24) return first;
  return first === 0x18 ? (bytes[MAGIC_BYTES.length + 1] ?? -1) : -1;
}

/**
 * True if these are the first bytes of a record of another kind. Versions are counted per kind, so compare the kind
 * first.
 */
function isOfAnotherKind(bytes: Uint8Array, kind: string): boolean {
  const at = MAGIC_BYTES.length + (bytes[MAGIC_BYTES.length] < 24 ? 1 : 2);
  const length = bytes[at] - TEXT_HEAD;
  if (!(length >= 0 && length <= MAX_KIND_LENGTH)) return false;
  return Buffer.from(bytes.subarray(at + 1, at + 1 + length)).toString('latin1') !== kind;
}

/**
 * Returns the id of the blob that a record claims to describe; null if the bytes are no envelope. `open` has to check
 * the rest.
 */
export function aboutBlob(bytes: Uint8Array): string | null {
  if (bytes.length > MAX_RECORD_BYTES || MAGIC_BYTES.some((byte, i) => bytes[i] !== byte)) return null;
  try {
    const about = (decodeCanonical(bytes, RECORD_LIMITS) as unknown[])[3];
    const oid = about instanceof Uint8Array ? Buffer.from(about).toString('hex') : '';
    return OID.test(oid) ? oid : null;
  } catch {
    return null;
  }
}

/** Checks everything around the payload, for the version that this program writes. Never throws. */
export function open(kind: string, version: number, oid: string, bytes: Uint8Array): Opened {
  const start = checkStart(kind, bytes);
  if (!start.ok) return start;
  if (start.version > version) return fault('too-new', `version ${start.version}, this program reads ${version}`);
  if (start.version < version) return fault('outdated', `version ${start.version}, this program writes ${version}`);
  return openWhole(kind, oid, bytes);
}

/**
 * Checks everything around the payload of a record of any version, even one that this program does not know. Never
 * throws.
 */
export function openAnyVersion(kind: string, oid: string, bytes: Uint8Array): Opened {
  const start = checkStart(kind, bytes);
  return start.ok ? openWhole(kind, oid, bytes) : start;
}

/** Checks size, magic, version and kind without decoding anything. */
function checkStart(kind: string, bytes: Uint8Array): { ok: true; version: number } | (Opened & { ok: false }) {
  if (bytes.length > MAX_RECORD_BYTES) return fault('too-large', `${bytes.length} bytes`);
  if (MAGIC_BYTES.some((byte, i) => bytes[i] !== byte)) return fault('not-a-record', 'no magic');
  const version = readVersion(bytes);
  if (version < 0) return fault('malformed', 'no version');
  if (isOfAnotherKind(bytes, kind)) return fault('not-a-record', `not a ${kind} record`);
  return { ok: true, version };
}

function openWhole(kind: string, oid: string, bytes: Uint8Array): Opened {
  try {
    return openFields(kind, oid, decodeCanonical(bytes, RECORD_LIMITS) as unknown[]);
  } catch (error) {
    return fault('malformed', error instanceof Error ? error.message : String(error));
  }
}

function openFields(kind: string, oid: string, fields: unknown[]): Opened {
  const [, , foundKind, foundOid, sum, payload] = fields;
  if (foundKind !== kind) return fault('not-a-record', `not a ${kind} record`);
  if (!(foundOid instanceof Uint8Array) || !(sum instanceof Uint8Array) || !(payload instanceof Uint8Array)) {
    return fault('malformed', 'blob id, checksum or payload is not a byte string');
  }
  const about = Buffer.from(foundOid).toString('hex');
  if (!OID.test(about)) return fault('malformed', 'the blob id has a wrong length');
  if (about !== oid) return fault('wrong-blob', `the record is about ${about}`);
  if (Buffer.compare(checksum(payload), sum) !== 0) return fault('checksum', 'the payload is damaged');
  return { ok: true, payload };
}
