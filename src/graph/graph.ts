/** Read access to a linked graph: nodes and edges by number, and incoming edges by node. */
import { firstFrom } from '../base/lists.js';
import { namePart, SYMBOL_KINDS, type SymbolKind } from '../extract/facts.js';
import {
  CONFIDENCE,
  EDGE_KINDS,
  type EdgeKind,
  EVIDENCE_TIERS,
  type EvidenceTier,
  type GraphTables,
} from './tables.js';

export type NodeKind = 'file' | SymbolKind;

export interface GraphEdge {
  from: number;
  /** Target node, or -1 for none. */
  to: number;
  kind: EdgeKind;
  tier: EvidenceTier;
  confidence: number;
  startLine: number;
  endLine: number;
  /** Name as written at the use: the called name, or the specifier of an import. */
  name: string;
  receiver: string;
  literal: string;
}

/** Kinds of nodes by their codes. */
export const NODE_KINDS: readonly NodeKind[] = ['file', ...SYMBOL_KINDS];

const EXPORTED = 1;
const FIXED = 2;
const ARITY_UNIT = 4;
const FUNCTION_CODE = SYMBOL_KINDS.indexOf('function') + 1;
const METHOD_CODE = SYMBOL_KINDS.indexOf('method') + 1;
/** Receiver of a key, and of a member of something that cannot be followed. */
export const UNKNOWN_RECEIVER = '?';
/** Maximum number of container names in a qualified name. Hostile records can claim symbols nested thousands deep. */
const MAX_LEVELS = 64;

export class Graph {
  private reverse: Incoming | null = null;
  private byName: Lists | null = null;
  /** The first symbol by its name as text. Hashing all names takes longer than most answers. */
  private byText: Map<string, number> | null = null;
  private nodeFile: Uint32Array | null = null;
  /** Lists requested so far, by string. */
  private readonly named = new Map<number, readonly number[]>();
  private dangling: Lists | null = null;
  private readonly containers: Int32Array;
  private readonly kinds: Uint8Array;

  constructor(readonly tables: GraphTables) {
    const { nodeContainer, nodeKind, nodeOwner } = tables;
    this.containers = nodeOwner.length === 0 ? nodeContainer : nodeContainer.slice();
    this.kinds = nodeOwner.length === 0 ? nodeKind : nodeKind.slice();
    for (let node = 0; node < nodeOwner.length; node++) {
      if (nodeOwner[node] < 0) continue;
      this.containers[node] = nodeOwner[node];
      if (nodeKind[node] === FUNCTION_CODE) this.kinds[node] = METHOD_CODE;
    }
  }

  get fileCount(): number {
    return this.tables.files.length;
  }

  get nodeCount(): number {
    return this.tables.nodeName.length;
  }

  get edgeCount(): number {
    return this.tables.edgeTo.length;
  }

  /** Number of the file at a path, -1 if there is none. Files are in the order of their paths. */
  findFile(path: string): number {
    const { files } = this.tables;
    const at = firstFrom(files.length, (file) => files[file].path < path);
    return files[at]?.path === path ? at : -1;
  }

  /** Node that stands for a whole file. */
  fileNode(file: number): number {
    return this.tables.nodeBase[file];
  }

  /** File of a node. */
  fileOf(node: number): number {
    this.nodeFile ??= filesOfNodes(this.tables);
    return this.nodeFile[node];
  }

  path(node: number): string {
    return this.tables.files[this.fileOf(node)].path;
  }

  isFile(node: number): boolean {
    return this.tables.nodeKind[node] === 0;
  }

  kind(node: number): NodeKind {
    return NODE_KINDS[this.kinds[node]];
  }

  /** Index of its kind in `NODE_KINDS`. */
  kindCode(node: number): number {
    return this.kinds[node];
  }

  /** Simple name of a symbol; path of a file. */
  name(node: number): string {
    return this.tables.strings[this.tables.nodeName[node]];
  }

  /** Name with those of the enclosing symbols (`Cart.total`); path of a file. */
  qualifiedName(node: number): string {
    if (this.isFile(node)) return this.name(node);
    const part = (at: number) => namePart({ name: this.name(at), kind: this.kind(at) });
    const names = [part(node)];
    for (
      let at = this.container(node);
      at >= 0 && !this.isFile(at) && names.length < MAX_LEVELS;
      at = this.container(at)
    )
      names.push(part(at));
    return names.reverse().join('.');
  }

  /** The enclosing symbol or file. A member has its type, also one in another file (`func (c *Cart) Total`). */
  container(node: number): number {
    return this.containers[node];
  }

  isExported(node: number): boolean {
    return (this.tables.nodeFlags[node] & EXPORTED) !== 0;
  }

  /** Does no member of a subtype take its place? */
  isFixed(node: number): boolean {
    return (this.tables.nodeFlags[node] & FIXED) !== 0;
  }

  /** Number of parameters; -1 where it is not known, or a call may give fewer. */
  arity(node: number): number {
    return Math.floor(this.tables.nodeFlags[node] / ARITY_UNIT) - 1;
  }

  /** Marks of the types of its first parameters, 0 where none is stated. */
  parameters(node: number): number {
    return this.tables.nodeParameters[node] ?? 0;
  }

  startLine(node: number): number {
    return this.tables.nodeStartLine[node];
  }

  endLine(node: number): number {
    return this.tables.nodeEndLine[node];
  }

  /** Range of the edges that leave a node; `end` is exclusive. */
  edgeRange(node: number): [start: number, end: number] {
    return [this.tables.edgeBase[node], this.tables.edgeBase[node + 1]];
  }

  /** Numbers of the edges that lead to a node. */
  incoming(node: number): Uint32Array {
    const { base, edges } = this.incomingLists();
    return edges.subarray(base[node], base[node + 1]);
  }

  /** Lists of incoming edges, for loops over many nodes. */
  incomingLists(): Incoming {
    this.reverse ??= reverseEdges(this.tables);
    return this.reverse;
  }

  /** Node that an edge leaves. */
  source(edge: number): number {
    if (this.reverse !== null) return this.reverse.sources[edge];
    const { edgeBase } = this.tables;
    // The last node whose edges begin at or before this one: those between have none.
    return firstFrom(edgeBase.length - 1, (node) => edgeBase[node] <= edge) - 1;
  }

  target(edge: number): number {
    return this.tables.edgeTo[edge];
  }

  edgeKind(edge: number): EdgeKind {
    return EDGE_KINDS[this.tables.edgeKind[edge]];
  }

  tier(edge: number): EvidenceTier {
    return EVIDENCE_TIERS[this.tables.edgeTier[edge]];
  }

  /** Does the edge lead from file to file? */
  isFileEdge(edge: number): boolean {
    return this.tables.edgeKind[edge] < FIRST_USE;
  }

  edge(edge: number): GraphEdge {
    const { edgeTo, edgeLine, edgeSpan, edgeName, edgeReceiver, edgeLiteral, strings } = this.tables;
    const tier = this.tier(edge);
    return {
      from: this.source(edge),
      to: edgeTo[edge],
      kind: this.edgeKind(edge),
      tier,
      confidence: CONFIDENCE[tier],
      startLine: edgeLine[edge],
      endLine: edgeLine[edge] + edgeSpan[edge],
      name: strings[edgeName[edge]],
      receiver: shown(strings[edgeReceiver[edge]]),
      literal: strings[edgeLiteral[edge]],
    };
  }

  /** Symbols with exactly this name, in the order of files and lines. */
  nodesNamed(name: string): readonly number[] {
    const node = this.namesByText().get(name);
    return node === undefined ? [] : this.namesakes(node);
  }

  /** Symbols with the name of this one, itself included. Takes a fraction of the time of looking for the name. */
  namesakes(node: number): readonly number[] {
    const name = this.tables.nodeName[node];
    const known = this.named.get(name);
    if (known !== undefined) return known;
    this.byName ??= indexNames(this.tables);
    const { heads, next } = this.byName;
    const found: number[] = [];
    for (let at = heads[name]; at >= 0; at = next[at]) found.push(at);
    this.named.set(name, found);
    return found;
  }

  /** All names of symbols. */
  names(): Iterable<string> {
    return this.namesByText().keys();
  }

  /** Edges with this name and no target: ambiguous, external and unresolved uses. Imports are left out. */
  danglingEdges(name: string): readonly number[] {
    // Nearly all requested names are names of symbols.
    const node = this.namesByText().get(name);
    if (node !== undefined) return this.danglingNamesakes(node);
    const text = this.tables.strings.indexOf(name);
    return text < 0 ? [] : this.danglingAt(text);
  }

  /** Edges with the name of this node and no target. */
  danglingNamesakes(node: number): readonly number[] {
    return this.danglingAt(this.tables.nodeName[node]);
  }

  private danglingAt(text: number): readonly number[] {
    this.dangling ??= indexDangling(this.tables);
    const { heads, next } = this.dangling;
    const found: number[] = [];
    for (let edge = heads[text]; edge >= 0; edge = next[edge]) found.push(edge);
    return found;
  }

  private namesByText(): ReadonlyMap<string, number> {
    if (this.byText !== null) return this.byText;
    const { strings } = this.tables;
    this.byName ??= indexNames(this.tables);
    const { heads } = this.byName;
    this.byText = new Map();
    for (let text = 0; text < heads.length; text++) if (heads[text] >= 0) this.byText.set(strings[text], heads[text]);
    return this.byText;
  }
}

/** Removes the generated parts of a receiver (`#120`, `run#1520`): they name anonymous code and serve linking only. */
function shown(receiver: string): string {
  return receiver.includes('#') ? receiver.replace(/^#\d+\.?|#\d+/g, '') : receiver;
}
/** The graph before the first commit. */
export function emptyGraph(): Graph {
  const [none, bytes] = [new Uint32Array(0), new Uint8Array(0)];
  return new Graph({
    ...{ files: [], strings: [], nodeBase: new Uint32Array(1), edgeBase: new Uint32Array(1) },
    ...{ nodeName: none, nodeKind: bytes, nodeFlags: bytes, nodeParameters: none },
    nodeContainer: new Int32Array(0),
    nodeOwner: new Int32Array(0),
    nodeStartLine: none,
    nodeEndLine: none,
    nodeMoniker: none,
    edgeTo: new Int32Array(0),
    edgeKind: bytes,
    edgeTier: bytes,
    ...{ edgeLine: none, edgeSpan: new Uint16Array(0), edgeName: none, edgeReceiver: none, edgeLiteral: none },
  });
}

// Indexes over the columns. Each is made when a question first needs it: making one takes milliseconds.

/** Linked lists in columns: making an array for each key would take ten times as long. */
interface Lists {
  /** First member by key, -1 for none. */
  heads: Int32Array;
  /** The next member of the same list by member, -1 for none. */
  next: Int32Array;
}

/** The edges that lead to node `n` are `edges` from `base[n]` to before `base[n + 1]`. */
interface Incoming {
  base: Uint32Array;
  edges: Uint32Array;
  /** Node that an edge leaves, by edge. */
  sources: Uint32Array;
}

/** Index of the first kind of edges between symbols; those between files come before it. */
const FIRST_USE = EDGE_KINDS.indexOf('call');

/** Symbols by the string that is their name, in order. */
function indexNames({ nodeName, nodeKind, strings }: GraphTables): Lists {
  const heads = new Int32Array(strings.length).fill(-1);
  const next = new Int32Array(nodeName.length).fill(-1);
  for (let node = nodeName.length - 1; node >= 0; node--) {
    if (nodeKind[node] === 0) continue;
    next[node] = heads[nodeName[node]];
    heads[nodeName[node]] = node;
  }
  return { heads, next };
}

/** Edges without a target by the string that is their name, in order. Imports are left out. */
function indexDangling({ edgeTo, edgeName, edgeKind, strings }: GraphTables): Lists {
  const heads = new Int32Array(strings.length).fill(-1);
  const next = new Int32Array(edgeTo.length).fill(-1);
  for (let edge = edgeTo.length - 1; edge >= 0; edge--) {
    if (edgeTo[edge] !== -1 || edgeKind[edge] < FIRST_USE) continue;
    next[edge] = heads[edgeName[edge]];
    heads[edgeName[edge]] = edge;
  }
  return { heads, next };
}

/** Sorts the edges by target (counting sort). */
function reverseEdges({ edgeTo, edgeBase, nodeName }: GraphTables): Incoming {
  const [nodes, all] = [nodeName.length, edgeTo.length];
  const base = new Uint32Array(nodes + 1);
  for (let edge = 0; edge < all; edge++) if (edgeTo[edge] >= 0) base[edgeTo[edge] + 1]++;
  for (let i = 0; i < nodes; i++) base[i + 1] += base[i];
  const next = base.slice();
  const edges = new Uint32Array(base[nodes]);
  for (let edge = 0; edge < all; edge++) if (edgeTo[edge] >= 0) edges[next[edgeTo[edge]]++] = edge;
  const sources = new Uint32Array(all);
  for (let node = 0; node < nodes; node++) sources.fill(node, edgeBase[node], edgeBase[node + 1]);
  return { base, edges, sources };
}

/** File by node. */
function filesOfNodes({ nodeBase, nodeName, files }: GraphTables): Uint32Array {
  const found = new Uint32Array(nodeName.length);
  for (let file = 0; file < files.length; file++) found.fill(file, nodeBase[file], nodeBase[file + 1]);
  return found;
}
