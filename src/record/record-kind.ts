/**
 * What every kind of record has in common: a payload of its own in the envelope, a reader that trusts nothing, and a
 * writer that reads its own output. The same record gives the same bytes on every machine, and every byte sequence
 * that decodes is the one that encoding its record gives.
 */
import { SocraticodeError } from '../base/errors.js';
import { type CborValue, decodeCanonical, encodeCanonical } from './cbor.js';
import { open, seal } from './envelope.js';
import { RECORD_LIMITS } from './limits.js';
import type { Decoded } from './types.js';

export interface RecordKind<T> {
  /** As it stands in the envelope. */
  readonly name: string;
  /** Of the payload's format, counted per kind. */
  readonly version: number;
  /** The payload of a record. Throws INTERNAL for what it cannot hold; everything else is left for `read` to refuse. */
  write(record: T): CborValue;
  /** The record of an untrusted payload. Throws RECORD_CORRUPT for anything that `write` cannot have written. */
  read(payload: unknown): T;
}

/** The record of blob `oid` as bytes, for a reader that decodes it before it trusts it; null if it exceeds 1 MiB. */
export function sealRecord<T>(kind: RecordKind<T>, oid: string, record: T): Uint8Array | null {
  return seal(kind.name, kind.version, oid, encodeCanonical(kind.write(record)));
}

/**
 * The record of blob `oid` (hex of SHA-1 or SHA-256) as bytes; null if it exceeds 1 MiB. Throws INTERNAL for what
 * `decodeRecord` would refuse: a writer's bug never reaches the notes of a repository.
 */
export function encodeRecord<T>(kind: RecordKind<T>, oid: string, record: T): Uint8Array | null {
  const bytes = sealRecord(kind, oid, record);
  if (bytes === null) return null;
  const check = decodeRecord(kind, bytes, oid);
  if (!check.ok)
    throw new SocraticodeError('INTERNAL', `the record of ${oid} would be ${check.reason}: ${check.detail}`);
  return bytes;
}

/** Reads the record of blob `oid`. Never throws; takes milliseconds and few megabytes whatever the bytes are. */
export function decodeRecord<T>(kind: RecordKind<T>, bytes: Uint8Array, oid: string): Decoded<T> {
  const opened = open(kind.name, kind.version, oid, bytes);
  if (!opened.ok) return opened;
  try {
    return { ok: true, record: kind.read(decodeCanonical(opened.payload, RECORD_LIMITS)) };
  } catch (error) {
    return { ok: false, reason: 'malformed', detail: error instanceof Error ? error.message : String(error) };
  }
}
