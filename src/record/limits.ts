/** Bounds of a record (data). Writers never exceed them, and readers refuse records that do. */
import type { CborLimits } from './prescan.js';

/**
 * Versions of the formats, one per kind; `schemas/record.cddl` has their history. Increase one when its bytes change
 * meaning.
 */
export const RECORD_FORMAT = 2;
export const VECTOR_FORMAT = 1;
export const COMPILER_FORMAT = 1;

/** Kind of the records in which compilers tell what names mean, and the fingerprint of their profile: that of the format. */
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

/** Names of one blob whose meaning a compiler told. */
export const MAX_OCCURRENCES = 100_000;

/** Longest string of relations, in UTF-16 code units. */
export const MAX_RELATION_STRING = 200;
/** Distinct strings of relations per blob and language. Even three different ones for every reference would fit. */
export const MAX_RELATION_STRINGS = 100_000;

/** Numbers per vector. Fewer make no embedding, and no model in use gives more. */
export const MIN_DIMENSIONS = 16;
export const MAX_DIMENSIONS = 4_096;

/**
 * Bytes of the hash of a chunk's embedded text. Equal texts are looked for within one repository, for which 2^64 values
 * are plenty.
 */
export const HASH_BYTES = 8;

/** Longest name, in UTF-16 code units as `String.length` counts. The extractor cuts longer names. */
export const MAX_NAME_LENGTH = 512;

/** Languages that one blob can be read as. One is common, two where settings say so, and more than a handful never occur. */
export const MAX_LANGUAGES = 16;

/** Bounds on the CBOR of an envelope or a payload: both are a few dozen items around byte strings. */
export const RECORD_LIMITS: CborLimits = {
  maxBytes: MAX_RECORD_BYTES,
  maxDepth: 16,
  maxItems: 1_024,
  maxEntries: 64,
  maxString: MAX_RECORD_BYTES,
};
