/** Bounds of a record (data). Writers refuse to exceed them, readers refuse what does. */
import type { CborLimits } from './prescan.js';

/** Versions of the formats, one per kind; see the history in `schemas/record.cddl`. Bump it when the bytes change meaning. */
export const RECORD_FORMAT = 2;
export const VECTOR_FORMAT = 1;

/** A whole record. The largest real ones (20,000 symbols with long names) stay below a third of it. */
export const MAX_RECORD_BYTES = 1_048_576;

/** The largest `maxFileBytes` a person can configure, so no offset in a record can lie beyond it. */
export const MAX_BLOB_BYTES = 16 * 1_048_576;

export const MAX_CHUNKS = 20_000;
export const MAX_SYMBOLS = 20_000;

/** Per blob and language. What the extractor finds beyond them is left out: no person's file comes near. */
export const MAX_IMPORTS = 5_000;
export const MAX_NAMES_PER_IMPORT = 2_000;
export const MAX_IMPORTED_NAMES = 20_000;
export const MAX_EXPORTS = 20_000;
export const MAX_REFERENCES = 20_000;
export const MAX_BINDINGS = 20_000;

/** Of the strings of relations, in UTF-16 code units. */
export const MAX_RELATION_STRING = 200;
/** Distinct ones: every reference could have three of its own, and they would still fit. */
export const MAX_RELATION_STRINGS = 100_000;

/** Numbers per vector: less is no embedding, more is what no model in use gives. */
export const MIN_DIMENSIONS = 16;
export const MAX_DIMENSIONS = 4_096;

/** Of a chunk's embedded text. Equal texts are looked for among the chunks of one repository: 2^64 is plenty. */
export const HASH_BYTES = 8;

/** In UTF-16 code units, as `String.length` counts. Longer names are cut by the extractor. */
export const MAX_NAME_LENGTH = 512;

/** Languages one blob can be read as; two are common (`.h`), more than a handful never happens. */
export const MAX_LANGUAGES = 16;

/** What the CBOR of an envelope or of a payload may hold: both are a few dozen items around byte strings. */
export const RECORD_LIMITS: CborLimits = {
  maxBytes: MAX_RECORD_BYTES,
  maxDepth: 16,
  maxItems: 1_024,
  maxEntries: 64,
  maxString: MAX_RECORD_BYTES,
};
