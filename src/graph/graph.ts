/** Read access to a linked graph: nodes and edges by number, and incoming edges by node. */
import { SYMBOL_KINDS, type SymbolKind } from '../extract/facts.js';
import {
  CONFIDENCE,
  EDGE_KINDS,
  type EdgeKind,
  EVIDENCE_TIERS,
  type EvidenceTier,
  FILE_EDGE_KINDS,
  type GraphTables,
} from './types.js';

export type NodeKind = 'file' | SymbolKind;

interface GraphEdge {
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

const EXPORTED = 1;
/** Receiver of a member of something that cannot be followed, and of a key. */
export const UNKNOWN_RECEIVER = '?';
/** Maximum number of container names in a qualified name. Hostile records can claim symbols nested thousands deep. */
const MAX_LEVELS = 64;

export class Graph {
  private reverse: { base: Uint32Array; edges: Uint32Array; sources: Uint32Array } | null = null;
  private byName: { first: Map<string, number>; next: Int32Array } | null = null;
  private byPath: Map<string, number> | null = null;
  /** Lists that were asked for. */
  private readonly named = new Map<string, readonly number[]>();
  private dangling: { first: Int32Array; next: Int32Array } | null = null;

  constructor(readonly tables: GraphTables) {}

  get fileCount(): number {
    return this.tables.files.length;
  }

  get nodeCount(): number {
    return this.tables.nodeName.length;
  }

  get edgeCount(): number {
    return this.tables.edgeTo.length;
  }

  /** Number of the file at a path, -1 if there is none. */
  findFile(path: string): number {
    this.byPath ??= new Map(this.tables.files.map((file, i) => [file.path, i]));
    return this.byPath.get(path) ?? -1;
  }

  /** Node that stands for a whole file. */
  fileNode(file: number): number {
    return this.tables.nodeBase[file];
  }

  /** File of a node. */
  fileOf(node: number): number {
    const { nodeBase } = this.tables;
    let low = 0;
    let high = this.fileCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (nodeBase[middle] <= node) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  path(node: number): string {
    return this.tables.files[this.fileOf(node)].path;
  }

  isFile(node: number): boolean {
    return this.tables.nodeKind[node] === 0;
  }

  kind(node: number): NodeKind {
    const code = this.tables.nodeKind[node];
    return code === 0 ? 'file' : SYMBOL_KINDS[code - 1];
  }

  /** Simple name of a symbol; path of a file. */
  name(node: number): string {
    return this.tables.strings[this.tables.nodeName[node]];
  }

  /** Name with those of the enclosing symbols (`Cart.total`); path of a file. */
  qualifiedName(node: number): string {
    const names = [this.name(node)];
    for (
      let at = this.container(node);
      at >= 0 && !this.isFile(at) && names.length < MAX_LEVELS;
      at = this.container(at)
    )
      names.push(this.name(at));
    return names.reverse().join('.');
  }

  container(node: number): number {
    return this.tables.nodeContainer[node];
  }

  isExported(node: number): boolean {
    return (this.tables.nodeFlags[node] & EXPORTED) !== 0;
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
    const { base, edges } = this.reversed();
    return edges.subarray(base[node], base[node + 1]);
  }

  /** Node that an edge leaves. */
  source(edge: number): number {
    return this.reversed().sources[edge];
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
    return FILE_EDGE_KINDS.has(this.edgeKind(edge));
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
    const known = this.named.get(name);
    if (known !== undefined) return known;
    this.byName ??= this.indexNames();
    const { first, next } = this.byName;
    const found: number[] = [];
    for (let node = first.get(name) ?? -1; node >= 0; node = next[node]) found.push(node);
    if (found.length > 0) this.named.set(name, found);
    return found;
  }

  /** All names of symbols. */
  names(): Iterable<string> {
    this.byName ??= this.indexNames();
    return this.byName.first.keys();
  }

  /** Edges with this name and no target: ambiguous, external and unresolved uses. Imports are left out. */
  danglingEdges(name: string): readonly number[] {
    this.dangling ??= this.indexDangling();
    const { first, next } = this.dangling;
    const found: number[] = [];
    const text = this.textOf(name);
    for (let edge = text < 0 ? -1 : first[text]; edge >= 0; edge = next[edge]) found.push(edge);
    return found;
  }

  /** Index of a name in the strings; -1 if nothing has it. Nearly all names that are asked for are names of symbols. */
  private textOf(name: string): number {
    this.byName ??= this.indexNames();
    const node = this.byName.first.get(name);
    return node === undefined ? this.tables.strings.indexOf(name) : this.tables.nodeName[node];
  }

  /** Lists of nodes by name, linked in one column: a list of its own for each name would take ten times as long. */
  private indexNames(): NonNullable<Graph['byName']> {
    const { nodeName, nodeKind, strings } = this.tables;
    const heads = new Int32Array(strings.length).fill(-1);
    const next = new Int32Array(this.nodeCount).fill(-1);
    const first = new Map<string, number>();
    for (let node = this.nodeCount - 1; node >= 0; node--) {
      if (nodeKind[node] === 0) continue;
      next[node] = heads[nodeName[node]];
      heads[nodeName[node]] = node;
    }
    for (let node = 0; node < this.nodeCount; node++)
      if (nodeKind[node] !== 0 && heads[nodeName[node]] === node) first.set(strings[nodeName[node]], node);
    return { first, next };
  }

  private indexDangling(): NonNullable<Graph['dangling']> {
    const { edgeTo, edgeName, edgeKind, strings } = this.tables;
    const isFileKind = EDGE_KINDS.map((kind) => FILE_EDGE_KINDS.has(kind));
    const first = new Int32Array(strings.length).fill(-1);
    const next = new Int32Array(edgeTo.length).fill(-1);
    for (let edge = edgeTo.length - 1; edge >= 0; edge--) {
      if (edgeTo[edge] !== -1 || isFileKind[edgeKind[edge]]) continue;
      next[edge] = first[edgeName[edge]];
      first[edgeName[edge]] = edge;
    }
    return { first, next };
  }

  /** Sorts the edges by target (counting sort). */
  private reversed(): NonNullable<Graph['reverse']> {
    if (this.reverse !== null) return this.reverse;
    const { edgeTo, edgeBase } = this.tables;
    const base = new Uint32Array(this.nodeCount + 1);
    for (const to of edgeTo) if (to >= 0) base[to + 1]++;
    for (let i = 0; i < this.nodeCount; i++) base[i + 1] += base[i];
    const next = base.slice();
    const edges = new Uint32Array(base[this.nodeCount]);
    const sources = new Uint32Array(edgeTo.length);
    for (let node = 0; node < this.nodeCount; node++) {
      for (let edge = edgeBase[node]; edge < edgeBase[node + 1]; edge++) {
        sources[edge] = node;
        if (edgeTo[edge] >= 0) edges[next[edgeTo[edge]]++] = edge;
      }
    }
    this.reverse = { base, edges, sources };
    return this.reverse;
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
    ...{ nodeName: none, nodeKind: bytes, nodeFlags: bytes, nodeContainer: new Int32Array(0) },
    ...{
      nodeStartLine: none,
      nodeEndLine: none,
      nodeMoniker: none,
      edgeTo: new Int32Array(0),
      edgeKind: bytes,
      edgeTier: bytes,
    },
    ...{ edgeLine: none, edgeSpan: new Uint16Array(0), edgeName: none, edgeReceiver: none, edgeLiteral: none },
  });
}
