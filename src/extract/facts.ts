/**
 * Facts that extraction finds in one blob: path-free facts that depend only on the blob's bytes and a language id.
 * Offsets are byte offsets into the blob, or into its text in UTF-8 if that is stored in another encoding; lines are 1-based and inclusive.
 */
import type { ChunkKind, SymbolKind } from '../languages/roles/definitions.js';
import type { Relations } from '../languages/roles/relation-facts.js';

export * from '../languages/roles/definitions.js';

export interface Chunk {
  start: number;
  end: number;
  startLine: number;
  endLine: number;
  kind: ChunkKind;
  /** Index into `symbols` of the definition the chunk is about (or is a part of), -1 if there is none. */
  symbol: number;
}

export interface ByteRange {
  start: number;
  end: number;
}

/** Functions with more parameters are told apart by their types alone. */
export const MAX_ARITY = 13;
/** Number of parameters of a member that have marks: its first ones. */
export const MARKED_PARAMETERS = 3;
/** Number of values that a mark can have; it is 0 for a type that may be any. */
export const MARK_UNIT = 128;
/** One more than the largest `CodeSymbol.parameters`. */
export const PARAMETERS_END = MARK_UNIT ** MARKED_PARAMETERS;

/** Mark of a type: the same for types of one name, in capital or small letters, and rarely for others. */
export function parameterMark(type: string): number {
  let hash = 0;
  for (const char of type.toLowerCase()) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0;
  return (hash % (MARK_UNIT - 1)) + 1;
}

/** Kinds of symbols that are no code: colons in their names join nothing. */
const TEXT_KINDS: ReadonlySet<string> = new Set(['selector', 'section', 'key']);

const PATH_OF_NAMES = /^(?:::)?[\p{L}\p{N}_]+(?:::[\p{L}\p{N}_]+)+$/u;

/** A symbol's name as a part of a qualified one, which dots alone join: `Order.Number` of Ruby's `class Order::Number`. */
export function namePart({ name, kind }: { name: string; kind: string }): string {
  return PATH_OF_NAMES.test(name) && !TEXT_KINDS.has(kind) ? name.replace(/^::/, '').replaceAll('::', '.') : name;
}

export interface CodeSymbol {
  name: string;
  kind: SymbolKind;
  /** Index of the enclosing symbol in the same list, -1 at top level; always smaller than the symbol's own index. */
  container: number;
  /** Is it visible outside its file, by the rules of its language? */
  exported: boolean;
  /** No member of a subtype takes its place: it is static, private or not virtual. */
  fixed?: true;
  /**
   * Number of its parameters, where each call gives all of them and the language states it; at most `MAX_ARITY`. Languages that declare
   * functions apart from their definitions state it only of overloads and of definitions that this file does not declare, and count
   * parameters with a default.
   */
  arity?: number;
  /**
   * Marks of the types or labels of its first parameters (`parameterMark`), `MARK_UNIT` each, the first one lowest. Stated of members of
   * types in languages where a member overrides another one only with the same ones, and with `arity` of functions declared apart. Where
   * a type fits an interface by its methods alone: marks of the parts of their signatures (`ParameterRules.parts`).
   */
  parameters?: number;
  /** The whole definition, with decorators and modifiers, without the doc comment. */
  start: number;
  end: number;
  startLine: number;
  endLine: number;
  /** Byte offset where the name itself stands. */
  nameStart: number;
  /** From `start` to the body: what a skeleton shows. */
  signature: ByteRange;
  /** The doc comment (or docstring), if there is one. */
  doc: ByteRange | null;
}

/** Lines that a grammar could not read. */
export interface ParseError {
  startLine: number;
  endLine: number;
  /** May declarations stand there that were not found? Else the error is small and inside something that was. */
  lost: boolean;
}

/** Reasons that depend on content alone and therefore belong to a record. */
export const CONTENT_SKIP_REASONS = ['binary', 'lfs-pointer', 'secret'] as const;
export type ContentSkipReason = (typeof CONTENT_SKIP_REASONS)[number];

/** Why a blob got line chunks although its language has a grammar. Depends on the machine, so it is never shared. */
export const DEGRADED_REASONS = [
  'grammar-missing',
  'parse-timeout',
  'parse-crash',
  'record-too-large',
  'record-refused',
] as const;
export type DegradedReason = (typeof DEGRADED_REASONS)[number];

export interface BlobFacts {
  /** Number of lines; 0 for an empty blob. */
  lines: number;
  /** Sorted by start; they tile the blob: no gap, no overlap. */
  chunks: Chunk[];
  /** Sorted by start, then by descending end: a container stands before what it contains. */
  symbols: CodeSymbol[];
  /** Does the content itself say that a tool wrote it ("@generated", "DO NOT EDIT", minified…)? */
  generated: boolean;
  /** Relations name symbols by their indexes in `symbols`. */
  relations: Relations;
  /** In the order of their first lines. */
  parseErrors: ParseError[];
}

export type Extraction = { facts: BlobFacts; degraded?: DegradedReason } | { skip: ContentSkipReason };
