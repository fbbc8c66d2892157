/**
 * What a record says about one blob. Records are path-free and immutable; `codec.ts` is their only writer and reader.
 */
import type { BlobFacts, ContentSkipReason } from '../extract/facts.js';

/** Either why the blob is not indexed, or its facts per language id: one blob can be `.h` in C and in C++. */
export type SyntaxRecord = { skip: ContentSkipReason } | { facts: Record<string, BlobFacts> };

/** Why bytes could not be read as a record. Only `too-new` is worth telling a person: the rest is derived again. */
export type DecodeFault =
  | 'not-a-record'
  | 'too-new'
  | 'outdated'
  | 'wrong-blob'
  | 'checksum'
  | 'too-large'
  | 'malformed';

export type Decoded<T> = { ok: true; record: T } | { ok: false; reason: DecodeFault; detail: string };

export type DecodeResult = Decoded<SyntaxRecord>;
