/** The syntax record of one blob as bytes; `record-kind.ts` says what holds for them. */
import { SocraticodeError } from '../base/errors.js';
import { CONTENT_SKIP_REASONS, type ContentSkipReason } from '../extract/facts.js';
import type { CborValue } from './cbor.js';
import { corrupt } from './checks.js';
import { readLanguages, writeLanguages } from './languages.js';
import { RECORD_FORMAT } from './limits.js';
import { packFacts } from './pack.js';
import { decodeRecord, encodeRecord, type RecordKind, sealRecord } from './record-kind.js';
import type { DecodeResult, SyntaxRecord } from './types.js';
import { unpackFacts } from './unpack.js';

export type { DecodeResult, SyntaxRecord } from './types.js';

export const SYNTAX_KIND = 'syntax';

const SYNTAX: RecordKind<SyntaxRecord> = {
  name: SYNTAX_KIND,
  version: RECORD_FORMAT,
  write(record): CborValue {
    if ('skip' in record) return { skip: record.skip };
    return { facts: writeLanguages(record.facts, packFacts) };
  },
  read(payload) {
    if (!(payload instanceof Map) || payload.size !== 1) corrupt('the payload is not a map of one entry');
    const skip = payload.get('skip');
    if (CONTENT_SKIP_REASONS.includes(skip as ContentSkipReason)) return { skip: skip as ContentSkipReason };
    return { facts: readLanguages(payload.get('facts'), unpackFacts) };
  },
};

/** Facts are a fraction of the source they are about, so one that needs more is a bug of the extractor. */
function tooLarge(oid: string): never {
  throw new SocraticodeError('INTERNAL', `the record of ${oid} has more than 1 MiB`);
}

/** The record of blob `oid` as bytes, for a reader that decodes it before it trusts it. */
export function encodeUnchecked(oid: string, record: SyntaxRecord): Uint8Array {
  return sealRecord(SYNTAX, oid, record) ?? tooLarge(oid);
}

/**
 * The record of blob `oid` (hex of SHA-1 or SHA-256) as bytes. Throws INTERNAL for what `decodeSyntaxRecord` would
 * refuse.
 */
export function encodeSyntaxRecord(oid: string, record: SyntaxRecord): Uint8Array {
  return encodeRecord(SYNTAX, oid, record) ?? tooLarge(oid);
}

/** Reads the syntax record of blob `oid`. Never throws; takes milliseconds and few megabytes whatever the bytes are. */
export function decodeSyntaxRecord(bytes: Uint8Array, oid: string): DecodeResult {
  return decodeRecord(SYNTAX, bytes, oid);
}
