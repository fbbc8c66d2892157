/**
 * Layout of a lexical shard, shared by writer, reader and merger.
 *
 * A document is one chunk of one unit; a unit is one blob in one language. Postings of a term, sorted by document:
 * varint(document delta), then one byte tf (< 128) if the term stands in the body alone, or 0x80 | field bits
 * followed by a varint tf for each field present. Fields are those of BM25F: body, names defined in the chunk, names
 * of the definitions around it.
 *
 * Versions of layout and terms (bump when either changes; older shards are rebuilt):
 * 01 first, 02 capital flag, 03 terms of plurals and CJK, 04 names without joiners, 05 which unit
 * is that of the content, 06 words that are no past tense.
 */
import {
  CONTENT_SKIP_REASONS,
  type ContentSkipReason,
  type DegradedReason,
  PLAIN_CHUNK_KINDS,
  SYMBOL_KINDS,
} from '../extract/facts.js';

export const LEXICAL_MAGIC = 'GSCLEX07';

/** Numbers of the fields of a document. */
export const BODY = 0;
export const NAME = 1;
export const ENCLOSING = 2;

export const UNIT_GENERATED = 1;
/** The unit has only imports and re-exports, and no definition of its own. */
export const UNIT_FORWARDING = 2;
/**
 * The language was detected from the content, or the unit was left out entirely. This unit serves files whose names
 * tell no language.
 */
export const UNIT_OF_CONTENT = 4;
/** Bits 4-7 hold the unit's state: 0 if a record backs the unit, else 1 + index into UNIT_STATES. */
export const UNIT_STATE_SHIFT = 4;

/** Reasons why no shared record backs a unit: it has line chunks because parsing failed, or nothing at all. Shards hold their indexes. */
export const UNIT_STATES = [
  'grammar-missing',
  'parse-timeout',
  'parse-crash',
  'record-too-large',
  ...CONTENT_SKIP_REASONS,
  'too-large',
  'record-refused',
] as const satisfies readonly (DegradedReason | ContentSkipReason | 'too-large')[];
export type UnitState = (typeof UNIT_STATES)[number];

/** Kinds of chunks, by their code in shards. */
export const CHUNK_KINDS = [...SYMBOL_KINDS, ...PLAIN_CHUNK_KINDS] as const;

/** Flag bits of one definition. */
export const DEFINITION_EXPORTED = 1;
export const DEFINITION_TOP_LEVEL = 2;
/** The name starts with a capital. In most languages that marks a type, and the lower-case name a function or value. */
export const DEFINITION_CAPITAL = 4;

export interface LexicalMeta {
  oidBytes: number;
  languages: string[];
  units: number;
  documents: number;
  terms: number;
  names: number;
}
