/** Numbers that stand for kinds and flags in columns (data). Both lists of kinds only ever grow at their ends. */
import { PLAIN_CHUNK_KINDS, SYMBOL_KINDS } from '../extract/facts.js';

/** Plain kinds are numbered from here, so that both lists can grow without moving the other. */
export const FIRST_PLAIN_KIND = 64;

export const KIND_CODES: ReadonlyMap<string, number> = new Map<string, number>([
  ...SYMBOL_KINDS.map((kind, i): [string, number] => [kind, i]),
  ...PLAIN_CHUNK_KINDS.map((kind, i): [string, number] => [kind, FIRST_PLAIN_KIND + i]),
]);

/** Flags of a symbol. */
export const EXPORTED = 1;
export const HAS_DOC = 2;
