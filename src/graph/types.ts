/**
 * The linked graph of one snapshot, as columns. Nodes are files and the symbols in them: file `f` has the nodes
 * `nodeBase[f]` (the file itself, for code outside of any symbol) to `nodeBase[f + 1] - 1` (its symbols, in the order of its
 * facts, so that symbol `i` is node `nodeBase[f] + 1 + i`). Edges are sorted by the node they leave.
 */

/** How one node uses another; a closed list that only grows at its end. */
export const EDGE_KINDS = [
  // Between files.
  'import',
  'type-import',
  'dynamic-import',
  'require',
  'reexport',
  'type-reexport',
  'include',
  'module',
  // From symbols (or from the top level of files) to symbols, sometimes to a file as a whole.
  'call',
  'new',
  'type',
  'extends',
  'implements',
  'decorator',
  'value',
] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

/** Edges of these kinds are file uses file. */
export const FILE_EDGE_KINDS: ReadonlySet<EdgeKind> = new Set(EDGE_KINDS.slice(0, EDGE_KINDS.indexOf('call')));

/**
 * Why an edge is believed to lead where it does, strongest first; a closed list that only grows at its end.
 * Edges of the last three lead nowhere (`to` is -1): they keep the name.
 */
export const EVIDENCE_TIERS = [
  /** An import whose specifier names a file by the rules of its ecosystem. */
  'path',
  /** Defined in the same file, in a scope that the use can see. */
  'same-file',
  /** Named by an import of the file. */
  'imported',
  /** Imported, and found behind re-exports. */
  'reexported',
  /** In the same package, namespace or module, which needs no import. */
  'package',
  /** Member of the type that the receiver is known to have (`this`, an annotation, `new X()`, a result's type). */
  'receiver',
  /** Member of a parent type of it. */
  'inherited',
  /** The only definition of that name in the repository that the use could mean. */
  'unique',
  /** Several definitions could be meant. */
  'ambiguous',
  /** Outside of the repository: a package, the standard library. */
  'external',
  /** Nothing of that name was found, or the receiver is not known. */
  'unresolved',
] as const;
export type EvidenceTier = (typeof EVIDENCE_TIERS)[number];

/** How likely an edge of that tier is right, as fixtures and a compiler say (0 for those that lead nowhere). */
export const CONFIDENCE: Readonly<Record<EvidenceTier, number>> = {
  path: 1,
  'same-file': 0.98,
  imported: 0.98,
  reexported: 0.95,
  package: 0.95,
  receiver: 0.95,
  inherited: 0.9,
  unique: 0.7,
  ambiguous: 0,
  external: 0,
  unresolved: 0,
};

/** What is known of a file. `none`: its language has no call facts, or it is not a language at all. */
export const FILE_STATES = ['linked', 'none', 'degraded', 'unreadable'] as const;
export type FileState = (typeof FILE_STATES)[number];

export interface GraphFile {
  path: string;
  /** Blob id; of an uncommitted file the id that it would get. */
  oid: string;
  /** Language id. */
  language: string;
  state: FileState;
}

export interface GraphTables {
  /** Sorted by path, in the order of its UTF-16 units. */
  files: GraphFile[];
  /** One more value than files. */
  nodeBase: Uint32Array;
  /** Per node. `name` is an index into `strings` (a file's is its path). */
  nodeName: Uint32Array;
  /** 0 for files, else 1 + index into SYMBOL_KINDS. */
  nodeKind: Uint8Array;
  /** 1: exported. */
  nodeFlags: Uint8Array;
  /** The node that encloses it: a symbol, or the file for symbols at top level; -1 for files. */
  nodeContainer: Int32Array;
  /** 1-based, inclusive; files: 1 and their number of lines. */
  nodeStartLine: Uint32Array;
  nodeEndLine: Uint32Array;
  /** One more value than nodes: node `n` has the edges [edgeBase[n], edgeBase[n + 1]). */
  edgeBase: Uint32Array;
  /** Node, or -1. */
  edgeTo: Int32Array;
  /** Indexes into EDGE_KINDS and EVIDENCE_TIERS. */
  edgeKind: Uint8Array;
  edgeTier: Uint8Array;
  /** First line of the evidence, and how many more lines it has. */
  edgeLine: Uint32Array;
  edgeSpan: Uint16Array;
  /** Index into `strings`: the name as used (`total`), of imports the specifier. */
  edgeName: Uint32Array;
  /** Index into `strings`: the receiver chain of a use, '' for none. */
  edgeReceiver: Uint32Array;
  /** Index into `strings`: a literal that tells something (the path of a route), '' for none. */
  edgeLiteral: Uint32Array;
  strings: string[];
}
