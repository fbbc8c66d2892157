/**
 * Types of the facts that a record holds about one blob. Records are immutable and contain no paths. Only `codec.ts`
 * writes and reads syntax records, only `vector-codec.ts` vector records.
 */
import type { BlobFacts, ContentSkipReason } from '../extract/facts.js';

/** Either the reason why the blob is not indexed, or its facts by language id: settings can give one blob two by two names. */
export type SyntaxRecord = { skip: ContentSkipReason } | { facts: Record<string, BlobFacts> };

/** Vectors of a blob read as one language: one row per chunk, in the order of the chunks in its syntax record. */
export interface ChunkVectors {
  /**
   * Hashes of the embedded texts (`textHash`), 8 bytes per chunk. With them, an edited file keeps the vectors of its
   * unchanged chunks, even on a machine that never saw the embedded text.
   */
  hashes: Uint8Array;
  /**
   * `dimensions` numbers per chunk: a vector scaled so that its largest component is ±127. Only its direction counts.
   */
  rows: Int8Array;
}

/** Vectors of a blob's chunks, by language id. */
export interface VectorRecord {
  dimensions: number;
  languages: Record<string, ChunkVectors>;
}

/** Name in a blob whose meaning a compiler told. */
export interface CompilerOccurrence {
  /** Line, counted from 1. */
  line: number;
  /** First UTF-16 unit of the name, counted from 0. */
  column: number;
  /** Name as it is written there. */
  name: string;
  /** Number of the compiler's symbol (`moniker`). */
  moniker: number;
  isDefinition: boolean;
  isWrite: boolean;
  /** True for what only its file knows, such as parameters and variables of a function. */
  isLocal: boolean;
  /** True behind a `.` or the like: the name of a member. */
  isMember: boolean;
}

/** Names of a blob, in the order of lines and columns. */
export interface CompilerRecord {
  occurrences: readonly CompilerOccurrence[];
}

/**
 * Reason why bytes could not be read as a record. Only `too-new` is worth telling a person; all others are repaired by
 * deriving the facts again.
 */
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
