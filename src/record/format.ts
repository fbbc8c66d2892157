/**
 * Format of records: their versions and bounds, and types of the facts that they hold about one blob. Records are immutable and contain
 * no paths. Writers never exceed a bound, and readers refuse records that do.
 */
import type { BlobFacts, ContentSkipReason } from '../extract/facts.js';
import type { CborLimits } from './cbor.js';

/** Versions of the formats, one per kind; `schemas/record.cddl` has their history. Increase one when its bytes change meaning. */
export const RECORD_FORMAT = 3;
export const VECTOR_FORMAT = 1;
export const COMPILER_FORMAT = 1;

/**
 * Kind of compilers' records about the meaning of names. `COMPILER_FINGERPRINT`: fingerprint of their profile, which names the format.
 */
export const COMPILER_KIND = 'compiler';
export const COMPILER_FINGERPRINT = { kind: COMPILER_KIND, format: COMPILER_FORMAT } as const;

/** Bytes of a whole record. The largest real ones (20,000 symbols with long names) stay below a third of it. */
export const MAX_RECORD_BYTES = 1_048_576;

/** Bytes of the largest `maxFileBytes` that a person can configure, so no offset in a record can lie beyond it. */
export const MAX_BLOB_BYTES = 16 * 1_048_576;

export const MAX_CHUNKS = 20_000;
export const MAX_SYMBOLS = 20_000;

/** Bounds per blob and language. The extractor drops anything beyond them; no hand-written file comes near. */
export const MAX_IMPORTS = 5_000;
export const MAX_NAMES_PER_IMPORT = 2_000;
export const MAX_IMPORTED_NAMES = 20_000;
export const MAX_EXPORTS = 20_000;
export const MAX_REFERENCES = 20_000;
export const MAX_BINDINGS = 20_000;

/** Regions of lines per blob and language that the grammar could not read. */
export const MAX_PARSE_ERRORS = 100;

/** Names of one blob whose meaning a compiler recorded. */
export const MAX_OCCURRENCES = 100_000;

/** Longest string of relations, in UTF-16 code units. */
export const MAX_RELATION_STRING = 200;
/** Distinct strings of relations per blob and language. Even three different ones for every reference would fit. */
export const MAX_RELATION_STRINGS = 100_000;

/** Numbers per vector. Fewer make no embedding, and no model in use gives more. */
export const MIN_DIMENSIONS = 16;
export const MAX_DIMENSIONS = 4_096;

/** Bytes of the hash of a chunk's embedded text. Equal texts are looked for within one repository, for which 2^64 values are plenty. */
export const HASH_BYTES = 8;

/** Longest name, in UTF-16 code units as `String.length` counts. The extractor cuts longer names. */
export const MAX_NAME_LENGTH = 512;

/** Languages that one blob can be read as. One is common, two occur with settings for them, and more than a handful never. */
export const MAX_LANGUAGES = 16;

/** Bounds on the CBOR of an envelope or a payload: both are a few dozen items around byte strings. */
export const RECORD_LIMITS: CborLimits = {
  maxBytes: MAX_RECORD_BYTES,
  maxDepth: 16,
  maxItems: 1_024,
  maxEntries: 64,
  maxString: MAX_RECORD_BYTES,
};

/** Reason why the blob is not indexed, or its facts by language id. Settings can give one blob two languages by two names. */
export type SyntaxRecord = { skip: ContentSkipReason } | { facts: Record<string, BlobFacts> };

/** Vectors of a blob read as one language: one row per chunk, in the order of the chunks in its syntax record. */
export interface ChunkVectors {
  /**
   * Hashes of the embedded texts (`textHash`), 8 bytes per chunk. With them, an edited file keeps the vectors of its unchanged chunks,
   * even on a machine that never saw the embedded text.
   */
  hashes: Uint8Array;
  /** `dimensions` numbers per chunk: a vector scaled so that its largest component is ±127. Only its direction counts. */
  rows: Int8Array;
}

export interface VectorRecord {
  dimensions: number;
  languages: Record<string, ChunkVectors>;
}

/** Name in a blob whose meaning a compiler recorded. */
export interface CompilerOccurrence {
  /** Line, counted from 1. */
  line: number;
  /** First UTF-16 unit of the name, counted from 0. */
  column: number;
  name: string;
  /** Number of the compiler's symbol (`moniker`). */
  moniker: number;
  isDefinition: boolean;
  isWrite: boolean;
  /** True for a symbol that only its file knows, such as a parameter or a variable of a function. */
  isLocal: boolean;
  /** True for the name of a member, after a `.` or the like. */
  isMember: boolean;
}

/** Names of a blob, in the order of lines and columns. */
export interface CompilerRecord {
  occurrences: readonly CompilerOccurrence[];
}

/**
 * Reason why bytes could not be read as a record. Only `too-new` is worth telling a person; all others are repaired by deriving the facts
 * again.
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
