/**
 * What a record says about one blob. Records are path-free and immutable; `codec.ts` is the only writer and reader of
 * syntax records, `vector-codec.ts` of vector records.
 */
import type { BlobFacts, ContentSkipReason } from '../extract/facts.js';

/** Either why the blob is not indexed, or its facts per language id: one blob can be `.h` in C and in C++. */
export type SyntaxRecord = { skip: ContentSkipReason } | { facts: Record<string, BlobFacts> };

/** One row per chunk of a blob read as one language, in the order of the chunks in its syntax record. */
export interface ChunkVectors {
  /**
   * 8 bytes per chunk: which text was embedded (`textHash`). An edited file keeps the vectors of its unchanged chunks,
   * also on a machine that never saw the text embedded.
   */
  hashes: Uint8Array;
  /** `dimensions` numbers per chunk: a unit vector, its largest component scaled to ±127. Only directions count. */
  rows: Int8Array;
}

/** The vectors of a blob's chunks, per language id. */
export interface VectorRecord {
  dimensions: number;
  languages: Record<string, ChunkVectors>;
}

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
