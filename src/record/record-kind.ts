/**
 * Rules that all kinds of record share: each has its own payload in the common envelope, a reader that trusts nothing,
 * and a writer that reads its own output. The same record gives the same bytes on every machine, and each byte sequence
 * that decodes is the only encoding of its record.
 */
import { SocraticodeError } from '../base/errors.js';
import { type CborValue, decodeCanonical, encodeCanonical } from './cbor.js';
import { open, seal } from './envelope.js';
import { RECORD_LIMITS } from './limits.js';
import type { Decoded } from './types.js';

export interface RecordKind<T> {
  /** Name as it appears in the envelope. */
  readonly name: string;
  /** Version of the payload's format, counted per kind. */
  readonly version: number;
  /** Builds the payload of a record. Throws INTERNAL for values that it cannot hold; `read` refuses everything else. */
  write(record: T): CborValue;
  /** Reads the record of an untrusted payload. Throws RECORD_CORRUPT for anything that `write` cannot have written. */
  read(payload: unknown): T;
}

/**
 * Encodes the record of blob `oid` without reading it back, for callers whose reader decodes it before trusting it.
 * Null if it exceeds 1 MiB.
 */
export function sealRecord<T>(kind: RecordKind<T>, oid: string, record: T): Uint8Array | null {
  return seal(kind.name, kind.version, oid, encodeCanonical(kind.write(record)));
}

/**
 * Encodes the record of blob `oid` (hex of SHA-1 or SHA-256); null if it exceeds 1 MiB. Throws INTERNAL for a record
 * that `decodeRecord` would refuse, so that a writer's bug never reaches the notes of a repository.
 */
export function encodeRecord<T>(kind: RecordKind<T>, oid: string, record: T): Uint8Array | null {
  const bytes = sealRecord(kind, oid, record);
  if (bytes === null) return null;
  const check = decodeRecord(kind, bytes, oid);
  if (!check.ok)
    throw new SocraticodeError('INTERNAL', `the record of ${oid} would be ${check.reason}: ${check.detail}`);
  return bytes;
}

/** Decodes the record of blob `oid`. Never throws, and takes milliseconds and few megabytes for any input. */
export function decodeRecord<T>(kind: RecordKind<T>, bytes: Uint8Array, oid: string): Decoded<T> {
  const opened = open(kind.name, kind.version, oid, bytes);
  if (!opened.ok) return opened;
  try {
    return { ok: true, record: kind.read(decodeCanonical(opened.payload, RECORD_LIMITS)) };
  } catch (error) {
    return { ok: false, reason: 'malformed', detail: error instanceof Error ? error.message : String(error) };
  }
}
