/**
 * Numbers for kinds and flags in columns (data). Append to the lists of kinds only at their ends: stored records hold
 * these numbers.
 */
import { PLAIN_CHUNK_KINDS, SYMBOL_KINDS } from '../extract/facts.js';
import { IMPORT_KINDS, REFERENCE_KINDS } from '../languages/roles/relation-facts.js';

/**
 * First number of the chunk kinds that are not symbol kinds, so that both lists can grow without renumbering the other.
 */
export const FIRST_PLAIN_KIND = 64;

export const KIND_CODES: ReadonlyMap<string, number> = new Map<string, number>([
  ...SYMBOL_KINDS.map((kind, i): [string, number] => [kind, i]),
  ...PLAIN_CHUNK_KINDS.map((kind, i): [string, number] => [kind, FIRST_PLAIN_KIND + i]),
]);

export const IMPORT_CODES: ReadonlyMap<string, number> = new Map(IMPORT_KINDS.map((kind, i) => [kind, i]));
export const REFERENCE_CODES: ReadonlyMap<string, number> = new Map(REFERENCE_KINDS.map((kind, i) => [kind, i]));

/** Flags of a symbol. */
export const EXPORTED = 1;
export const HAS_DOC = 2;

/**
 * Flags of a reference, one for each sparse column that has a value for it. The kind is stored above them, in units of
 * KIND_UNIT.
 */
export const HAS_RECEIVER = 1;
export const HAS_LITERAL = 2;
export const HAS_SPAN = 4;
export const KIND_UNIT = 8;
