/**
 * The syntax record of one blob as bytes: the same facts give the same bytes on every machine, and every byte
 * sequence that decodes is the one that encoding its record gives.
 */
import { SocraticodeError } from '../base/errors.js';
import { type BlobFacts, CONTENT_SKIP_REASONS, type ContentSkipReason } from '../extract/facts.js';
import { type CborValue, decodeCanonical, encodeCanonical } from './cbor.js';
import { open, seal } from './envelope.js';
import { MAX_LANGUAGES, RECORD_FORMAT, RECORD_LIMITS } from './limits.js';
import { packFacts } from './pack.js';
import type { DecodeResult, SyntaxRecord } from './types.js';
import { unpackFacts } from './unpack.js';

export type { DecodeResult, SyntaxRecord } from './types.js';

export const SYNTAX_KIND = 'syntax';

/** Language ids are keys of plain objects after decoding, so `__proto__` must not be one. */
const LANGUAGE_ID = /^[a-z][a-z0-9+#._-]{0,31}$/;

function toPayload(record: SyntaxRecord): CborValue {
  if ('skip' in record) return { skip: record.skip };
  const facts = Object.entries(record.facts).map(([id, value]): [string, CborValue] => [id, packFacts(value)]);
  return { facts: new Map(facts) };
}

function corrupt(what: string): never {
  throw new SocraticodeError('RECORD_CORRUPT', what);
}

function fromPayload(payload: unknown): SyntaxRecord {
  if (!(payload instanceof Map) || payload.size !== 1) corrupt('the payload is not a map of one entry');
  const skip = payload.get('skip');
  if (CONTENT_SKIP_REASONS.includes(skip as ContentSkipReason)) return { skip: skip as ContentSkipReason };
  const languages = payload.get('facts');
  if (!(languages instanceof Map)) corrupt('the payload has neither facts nor a known skip reason');
  if (languages.size === 0 || languages.size > MAX_LANGUAGES) corrupt(`facts for ${languages.size} languages`);
  const facts: Record<string, BlobFacts> = {};
  for (const [id, value] of languages) {
    if (typeof id !== 'string' || !LANGUAGE_ID.test(id)) corrupt('bad language id');
    facts[id] = unpackFacts(value);
  }
  return { facts };
}

/** The record of blob `oid` as bytes, for a reader that decodes it before it trusts it. */
export function encodeUnchecked(oid: string, record: SyntaxRecord): Uint8Array {
  return seal(SYNTAX_KIND, RECORD_FORMAT, oid, encodeCanonical(toPayload(record)));
}

/**
 * The record of blob `oid` (hex of SHA-1 or SHA-256) as bytes. Throws INTERNAL for what `decodeSyntaxRecord` would
 * refuse: it decodes its own output, so that a writer's bug never reaches the notes of a repository.
 */
export function encodeSyntaxRecord(oid: string, record: SyntaxRecord): Uint8Array {
  const bytes = encodeUnchecked(oid, record);
  const check = decodeSyntaxRecord(bytes, oid);
  if (!check.ok)
    throw new SocraticodeError('INTERNAL', `the record of ${oid} would be ${check.reason}: ${check.detail}`);
  return bytes;
}

/** Reads the record of blob `oid`. Never throws; takes milliseconds and few megabytes whatever the bytes are. */
export function decodeSyntaxRecord(bytes: Uint8Array, oid: string): DecodeResult {
  const opened = open(SYNTAX_KIND, RECORD_FORMAT, oid, bytes);
  if (!opened.ok) return opened;
  try {
    return { ok: true, record: fromPayload(decodeCanonical(opened.payload, RECORD_LIMITS)) };
  } catch (error) {
    return { ok: false, reason: 'malformed', detail: error instanceof Error ? error.message : String(error) };
  }
}
