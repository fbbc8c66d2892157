/**
 * Types of the linked graph of one snapshot, which is stored as columns, and of the input and result of linking.
 *
 * Nodes are files and their symbols. File `f` is node `nodeBase[f]`, which also stands for code outside of any symbol. Its
 * symbols follow up to node `nodeBase[f + 1] - 1`, in the order of the facts: symbol `i` is node `nodeBase[f] + 1 + i`.
 * Edges are sorted by the node that they leave.
 */
import type { LinkFacts } from '../record/link-facts.js';

/** Ways in which one node uses another. The list is stored by index, so it may only grow at its end. */
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
  // From symbols (or the top level of files) to symbols, or to a file as a whole.
  'call',
  'new',
  'type',
  'extends',
  'implements',
  'decorator',
  'value',
  'read',
  'write',
  /** From a table of routes to the handler that it names. */
  'route',
  /** From code that sends a request to the handler of the route that answers it. */
  'request',
] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

/** Kinds of the edges that lead from file to file. */
export const FILE_EDGE_KINDS: ReadonlySet<EdgeKind> = new Set(EDGE_KINDS.slice(0, EDGE_KINDS.indexOf('call')));

/** Kinds of edges by which a file offers names of another one; the literal of such an edge lists them. */
export const REEXPORT_KINDS: ReadonlySet<EdgeKind> = new Set(['reexport', 'type-reexport']);
/** Separates the names; `*` stands for all. */
export const REEXPORTED = ',';

/**
 * Evidence for the target of an edge, strongest first. Documents and stored graphs call it `tier`. The list is stored by index:
 * with another order, the magic of `store.ts` changes. Edges of the last three have no target (`to` is -1), only the name.
 */
export const EVIDENCE_TIERS = [
  /** The specifier of an import names the file by the rules of its ecosystem. */
  'path',
  /** A compiler said so: its index of these very bytes was imported. */
  'compiler',
  /** The definition is in the same file, in a scope visible from the use. */
  'same-file',
  /** An import of the file names the definition. */
  'imported',
  /** An import names it, and re-exports lead to the definition. */
  'reexported',
  /** The definition is in the same package, namespace or module, which needs no import. */
  'package',
  /** It is a member of the receiver's type, known from `this`, an annotation, `new X()` or a result type. */
  'receiver',
  /** It is a member of a parent of the receiver's type. */
  'inherited',
  /** The repository has only one definition of that name that the use could mean. */
  'unique',
  /** The receiver states no type, and evidence of names points to this definition: likely right, not proven. */
  'likely',
  /** A request by method and path, which a route of the repository fits. */
  'route',
  /** Several definitions could be meant. */
  'ambiguous',
  /** The definition is outside of the repository: in a package or the standard library. */
  'external',
  /** No definition was found, or the receiver is unknown. */
  'unresolved',
] as const;
export type EvidenceTier = (typeof EVIDENCE_TIERS)[number];

/**
 * Probability that an edge with this evidence is right, measured on fixtures and against a compiler; 0 for edges without target.
 */
export const CONFIDENCE: Readonly<Record<EvidenceTier, number>> = {
  path: 1,
  compiler: 0.99,
  'same-file': 0.98,
  imported: 0.98,
  reexported: 0.95,
  package: 0.95,
  receiver: 0.95,
  inherited: 0.9,
  unique: 0.7,
  likely: 0.9,
  /** 319 of 320 requests of four applications that nobody had read led to the right route. */
  route: 0.98,
  ambiguous: 0,
  external: 0,
  unresolved: 0,
};

/** Evidence of names alone: the target is likely, and no type or import proves it. */
export const GUESSED: ReadonlySet<EvidenceTier> = new Set(['unique', 'likely', 'route']);

/** State of a file's facts. `none`: its language has no relation rules, or it has no language. */
export const FILE_STATES = ['linked', 'none', 'degraded', 'unreadable'] as const;
export type FileState = (typeof FILE_STATES)[number];

export interface GraphFile {
  path: string;
  /** Blob id; for an uncommitted file the id that it would get. */
  oid: string;
  /** Language id. */
  language: string;
  state: FileState;
  /** Object id of the note with the compiler's record about the blob, if there is one. */
  compiled?: string;
  /** It has parse errors that may hide declarations and uses. */
  isIncomplete?: true;
  /** A tool wrote it, as its text says or shows. */
  isGenerated?: true;
}

export interface GraphTables {
  /** Files sorted by path, in the order of UTF-16 units. */
  files: GraphFile[];
  /** One more value than files. */
  nodeBase: Uint32Array;
  /** Index into `strings`, per node: the symbol's name, or the file's path. */
  nodeName: Uint32Array;
  /** Kind per node: 0 for files, else 1 + index into SYMBOL_KINDS. */
  nodeKind: Uint8Array;
  /** Flags per node: 1 for exported, 2 for a member that no subtype overrides; above them 4 * (number of parameters + 1), 0 if unknown. */
  nodeFlags: Uint8Array;
  /** Marks of the types of parameters per node, as `CodeSymbol.parameters`, 0 for none. Empty if no node has any. */
  nodeParameters: Uint32Array;
  /** Enclosing node: a symbol, or the file for symbols at top level; -1 for files. */
  nodeContainer: Int32Array;
  /**
   * The type of a member that is written outside of it (`func (c *Cart) Total`, `int Cart::total()`), -1 for all other nodes. Empty if
   * there is no such member.
   */
  nodeOwner: Int32Array;
  /** Lines, 1-based and inclusive; for a file, 1 and its number of lines. */
  nodeStartLine: Uint32Array;
  nodeEndLine: Uint32Array;
  /**
   * Number of the compiler's symbol that is defined there, 0 for none: two values a node, low and high 32 bits. Empty if no
   * file has a compiler's record.
   */
  nodeMoniker: Uint32Array;
  /** One more value than nodes: node `n` has the edges [edgeBase[n], edgeBase[n + 1]). */
  edgeBase: Uint32Array;
  /** Target node, or -1. */
  edgeTo: Int32Array;
  /** Indexes into EDGE_KINDS and EVIDENCE_TIERS. */
  edgeKind: Uint8Array;
  edgeTier: Uint8Array;
  /** First line of the use, and the number of further lines. */
  edgeLine: Uint32Array;
  edgeSpan: Uint16Array;
  /** Index into `strings`: the name as used (`total`), or the specifier of an import. */
  edgeName: Uint32Array;
  /** Index into `strings`: the receiver of a use as an access path, '' for none. */
  edgeReceiver: Uint32Array;
  /** Index into `strings`: a literal argument that matters (the path of a route), '' for none. */
  edgeLiteral: Uint32Array;
  strings: string[];
}

// Input and result of the link step.

/** File of the snapshot. `oid` and `language` identify its facts. */
export interface SourceFile {
  path: string;
  oid: string;
  language: string;
  state: FileState;
  /** Object id of the note with the compiler's record about the blob, if there is one. */
  compiled?: string;
  /** It has parse errors that may hide declarations and uses. */
  isIncomplete?: true;
  /** A tool wrote it, as its text says or shows. */
  isGenerated?: true;
  /** Size of its blob in bytes, if known. */
  size?: number;
}

export interface LinkInput {
  /** Files in the order of `GraphTables.files`. */
  files: readonly SourceFile[];
  /** Facts of files with the state `linked` or `degraded` that `missingFacts` lists, best as bytes: a repository's objects fill a gigabyte. */
  facts: ReadonlyMap<string, LinkFacts | Uint8Array>;
  /** Paths of the snapshot that are not in the graph, such as binary and excluded files. */
  others: ReadonlySet<string>;
  /** Text of the manifests by path. They determine how import specifiers resolve (see `isManifest`). */
  manifests: ReadonlyMap<string, string>;
}

/** Key of a file in `LinkInput.facts`. */
export function factsKey({ oid, language, compiled }: Pick<SourceFile, 'oid' | 'language' | 'compiled'>): string {
  return compiled === undefined ? `${oid} ${language}` : `${oid} ${language} ${compiled}`;
}

/** Linked snapshot: its graph, and a memory that makes relinking after a small change cheap. */
export interface LinkedSnapshot {
  tables: GraphTables;
  /** Opaque outside of `link/` and `store.ts`. */
  memory: unknown;
}

/** Version of the link rules. Snapshots linked under another version are linked again. */
export const LINK_VERSION = 22;

/**
 * Evidence of an edge between repositories, strongest first, with its confidence. The numbers were set by hand: too few
 * edges were judged (docs/linked.md) to measure each kind.
 */
export const LINKED_CONFIDENCE = {
  /** The file imports the name, and the package exports it. */
  exported: 0.98,
  /** As before, through other modules of the package. */
  reexported: 0.95,
  /** A member of an exported type, of which the file has an instance by its own words. */
  typed: 0.9,
  /** A member of the type that an exported function is declared to return. */
  result: 0.85,
  /** The file imports the module; the names that it uses are not known. */
  module: 0.3,
} as const;
export type LinkedEvidence = keyof typeof LINKED_CONFIDENCE;

/** Evidence that a request means a route, strongest first, with its confidence, set by hand. docs/linked.md has judged matches. */
export const ROUTE_CONFIDENCE = {
  /** All parts of both paths agree. */
  path: 0.9,
  /** One path is the end of the other: an unknown path may precede the server's routes or the client's requests. */
  end: 0.7,
} as const;
export type RouteEvidence = keyof typeof ROUTE_CONFIDENCE;
