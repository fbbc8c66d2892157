/** The syntax record of one blob as bytes; `record-kind.ts` says what holds for them. */
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

export type { DecodeResult, SyntaxRecord } from './types.js';

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

/** Reads chunks and symbols only: what shards are made of, in half the time. */
const CHUNKS_AND_SYMBOLS: RecordKind<SyntaxRecord> = {
  ...SYNTAX,
  read: (payload) => readSyntax(payload, { relations: false }),
};

/** Chunks and symbols are a fraction of the source they are about: if they need more, it is a bug of the extractor. */
function tooLarge(oid: string): never {
  throw new SocraticodeError('INTERNAL', `the record of ${oid} has more than 1 MiB`);
}

/** The record without its relations, for one that is too large with them: code is found even if its uses are not. */
function withoutRelations(record: SyntaxRecord): SyntaxRecord {
  if ('skip' in record) return record;
  const entries = Object.entries(record.facts);
  return { facts: Object.fromEntries(entries.map(([id, facts]) => [id, { ...facts, relations: noRelations() }])) };
}

/** The record of blob `oid` as bytes, for a reader that decodes it before it trusts it. Relations that do not fit are left out. */
export function encodeUnchecked(oid: string, record: SyntaxRecord): Uint8Array {
  return sealRecord(SYNTAX, oid, record) ?? sealRecord(SYNTAX, oid, withoutRelations(record)) ?? tooLarge(oid);
}

/**
 * The record of blob `oid` (hex of SHA-1 or SHA-256) as bytes; relations that do not fit into 1 MiB are left out. Throws
 * INTERNAL for what `decodeSyntaxRecord` would refuse.
 */
export function encodeSyntaxRecord(oid: string, record: SyntaxRecord): Uint8Array {
  return encodeRecord(SYNTAX, oid, record) ?? encodeRecord(SYNTAX, oid, withoutRelations(record)) ?? tooLarge(oid);
}

/** Reads the syntax record of blob `oid`. Never throws; takes milliseconds and few megabytes whatever the bytes are. */
export function decodeSyntaxRecord(bytes: Uint8Array, oid: string): DecodeResult {
  return decodeRecord(SYNTAX, bytes, oid);
}

/**
 * The same, for readers that need no relations: they come out empty, and are not checked. What is read like this must
 * never be written again, and says nothing about whether to trust the record.
 */
export function decodeChunksAndSymbols(bytes: Uint8Array, oid: string): DecodeResult {
  return decodeRecord(CHUNKS_AND_SYMBOLS, bytes, oid);
}
