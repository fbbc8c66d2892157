/** Encodes and decodes the syntax record of one blob; `record-kind.ts` states the rules for the bytes. */
import { SocraticodeError } from '../base/errors.js';
import { CONTENT_SKIP_REASONS, type ContentSkipReason } from '../extract/facts.js';
import { noRelations } from '../languages/roles/relation-facts.js';
import type { CborValue } from './cbor.js';
import { corrupt } from './checks.js';
import { readLanguages, writeLanguages } from './languages.js';
import { RECORD_FORMAT } from './limits.js';
import { packFacts } from './pack.js';
import { decodeRecord, encodeRecord, type RecordKind, sealRecord } from './record-kind.js';
import type { DecodeResult, SyntaxRecord } from './types.js';
import { unpackFacts } from './unpack.js';

export const SYNTAX_KIND = 'syntax';

const SYNTAX: RecordKind<SyntaxRecord> = {
  name: SYNTAX_KIND,
  version: RECORD_FORMAT,
  write(record): CborValue {
    if ('skip' in record) return { skip: record.skip };
    return { facts: writeLanguages(record.facts, packFacts) };
  },
  read: (payload) => readSyntax(payload, { relations: true }),
};

function readSyntax(payload: unknown, options: { relations: boolean }): SyntaxRecord {
  if (!(payload instanceof Map) || payload.size !== 1) corrupt('the payload is not a map of one entry');
  const skip = payload.get('skip');
  if (CONTENT_SKIP_REASONS.includes(skip as ContentSkipReason)) return { skip: skip as ContentSkipReason };
  return { facts: readLanguages(payload.get('facts'), (facts) => unpackFacts(facts, options)) };
}

/** Reads only the chunks and symbols, which shards are made of, in half the time. */
const CHUNKS_AND_SYMBOLS: RecordKind<SyntaxRecord> = {
  ...SYNTAX,
  read: (payload) => readSyntax(payload, { relations: false }),
};

/** Reports a bug of the extractor: chunks and symbols take a fraction of the size of the source that they describe. */
function tooLarge(oid: string): never {
  throw new SocraticodeError('INTERNAL', `the record of ${oid} has more than 1 MiB`);
}

/** Returns a too large record without its relations: its code can still be found, though not its uses. */
function withoutRelations(record: SyntaxRecord): SyntaxRecord {
  if ('skip' in record) return record;
  const entries = Object.entries(record.facts);
  return { facts: Object.fromEntries(entries.map(([id, facts]) => [id, { ...facts, relations: noRelations() }])) };
}

/**
 * Encodes the record of blob `oid` without reading it back, for callers whose reader decodes it before trusting it.
 * Leaves out relations that do not fit.
 */
export function encodeUnchecked(oid: string, record: SyntaxRecord): Uint8Array {
  return sealRecord(SYNTAX, oid, record) ?? sealRecord(SYNTAX, oid, withoutRelations(record)) ?? tooLarge(oid);
}

/**
 * Encodes the record of blob `oid` (hex of SHA-1 or SHA-256). Leaves out relations that do not fit into 1 MiB. Throws
 * INTERNAL for a record that `decodeSyntaxRecord` would refuse.
 */
export function encodeSyntaxRecord(oid: string, record: SyntaxRecord): Uint8Array {
  return encodeRecord(SYNTAX, oid, record) ?? encodeRecord(SYNTAX, oid, withoutRelations(record)) ?? tooLarge(oid);
}

/** Decodes the syntax record of blob `oid`. Never throws, and takes milliseconds and few megabytes for any input. */
export function decodeSyntaxRecord(bytes: Uint8Array, oid: string): DecodeResult {
  return decodeRecord(SYNTAX, bytes, oid);
}

/**
 * Decodes a syntax record for readers that need no relations, which come out empty and unchecked. Never write such a
 * record again, and do not conclude from it that the record can be trusted.
 */
export function decodeChunksAndSymbols(bytes: Uint8Array, oid: string): DecodeResult {
  return decodeRecord(CHUNKS_AND_SYMBOLS, bytes, oid);
}
