/**
 * Parts of a SCIP index that this program reads and writes: documents with occurrences of symbols, and what is known of
 * each symbol. Names follow `scip.proto` of github.com/sourcegraph/scip; fields that nobody here needs are left out.
 */

/** Name under which this program writes indexes. */
export const OWN_TOOL = 'git-socraticode';

/** Bits of `ScipOccurrence.roles`. */
export const SCIP_ROLES = {
  definition: 1,
  import: 2,
  write: 4,
  read: 8,
  generated: 16,
  test: 32,
  forwardDefinition: 64,
} as const;

/** Unit of columns: bytes of UTF-8, units of UTF-16, or code points. Indexers of before 2023 leave it unspecified. */
export const SCIP_COLUMNS = { unspecified: 0, utf8: 1, utf16: 2, utf32: 3 } as const;

/** Codes of `ScipSymbol.kind` for kinds of symbol that most languages have. */
export const SCIP_KINDS = {
  unspecified: 0,
  class: 7,
  constant: 8,
  constructor: 9,
  enum: 11,
  enumMember: 12,
  field: 15,
  file: 16,
  function: 17,
  interface: 21,
  macro: 25,
  method: 26,
  module: 29,
  namespace: 30,
  package: 35,
  parameter: 37,
  property: 41,
  protocol: 42,
  struct: 49,
  trait: 53,
  type: 54,
  typeAlias: 55,
  union: 59,
  variable: 61,
} as const;

/** Half-open range [start, end): line and column of its start, line and column of its end, all counted from 0. */
export type ScipRange = readonly [startLine: number, startColumn: number, endLine: number, endColumn: number];

export interface ScipMetadata {
  tool: { name: string; version: string; arguments: readonly string[] };
  /** URI of the folder that paths of documents start from, on the machine that made the index. */
  projectRoot: string;
}

export interface ScipOccurrence {
  range: ScipRange;
  symbol: string;
  /** Sum of SCIP_ROLES. */
  roles: number;
  /** Range of the whole definition, or of the expression around a reference. */
  enclosing?: ScipRange;
}

export interface ScipRelationship {
  symbol: string;
  /** True if references of the other symbol are references of this one as well, as for a method that overrides another. */
  isReference?: boolean;
  isImplementation?: boolean;
  isTypeDefinition?: boolean;
  isDefinition?: boolean;
}

export interface ScipSymbol {
  symbol: string;
  /** Documentation in Markdown. */
  documentation: readonly string[];
  relationships: readonly ScipRelationship[];
  /** One of SCIP's kinds, of which SCIP_KINDS lists some. */
  kind: number;
  displayName: string;
  /** Declaration as text, with SCIP's name of its language. */
  signature?: { language: string; text: string };
}

export interface ScipDocument {
  /** Path from the project root, with `/`. */
  path: string;
  /** Name of the language in SCIP's list; may be empty. */
  language: string;
  /** Value of SCIP_COLUMNS that columns of this document count in. */
  columns: number;
  occurrences: readonly ScipOccurrence[];
  /** Symbols that are defined in this document. */
  symbols: readonly ScipSymbol[];
}
