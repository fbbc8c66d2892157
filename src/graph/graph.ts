/** Read access to a linked graph: nodes and edges by number, and the same edges seen from where they lead. */
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
  /** -1 where it leads nowhere. */
  to: number;
  kind: EdgeKind;
  tier: EvidenceTier;
  confidence: number;
  startLine: number;
  endLine: number;
  /** As used: the name called, or an import's specifier. */
  name: string;
  receiver: string;
  literal: string;
}

const EXPORTED = 1;
/** Records can claim symbols thousands deep: further out than people nest them, names are left out. */
const MAX_LEVELS = 64;

export class Graph {
  private reverse: { base: Uint32Array; edges: Uint32Array; sources: Uint32Array } | null = null;
  private byName: Map<string, number[]> | null = null;
  private byPath: Map<string, number> | null = null;
  private dangling: Map<string, number[]> | null = null;

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

  /** The file with that path, -1 if there is none. */
  findFile(path: string): number {
    this.byPath ??= new Map(this.tables.files.map((file, i) => [file.path, i]));
    return this.byPath.get(path) ?? -1;
  }

  /** The node of a file as a whole. */
  fileNode(file: number): number {
    return this.tables.nodeBase[file];
  }

  /** The file that a node is or stands in. */
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

  /** A symbol's own name; a file's path. */
  name(node: number): string {
    return this.tables.strings[this.tables.nodeName[node]];
  }

  /** `Cart.total`: the name with those of the enclosing symbols; a file's path. */
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

  /** First and one past the last number of the edges that leave a node. */
  edgeRange(node: number): [start: number, end: number] {
    return [this.tables.edgeBase[node], this.tables.edgeBase[node + 1]];
  }

  /** Numbers of the edges that lead to a node. */
  incoming(node: number): Uint32Array {
    const { base, edges } = this.reversed();
    return edges.subarray(base[node], base[node + 1]);
  }

  /** The node that an edge leaves. */
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
    this.byName ??= this.indexNames();
    return this.byName.get(name) ?? [];
  }

  /** Every name that a symbol has. */
  names(): Iterable<string> {
    this.byName ??= this.indexNames();
    return this.byName.keys();
  }

  /** Edges with this name that lead nowhere: ambiguous, external and unresolved ones; imports are not among them. */
  danglingEdges(name: string): readonly number[] {
    this.dangling ??= this.indexDangling();
    return this.dangling.get(name) ?? [];
  }

  private indexNames(): Map<string, number[]> {
    const found = new Map<string, number[]>();
    for (let node = 0; node < this.nodeCount; node++) if (!this.isFile(node)) push(found, this.name(node), node);
    return found;
  }

  private indexDangling(): Map<string, number[]> {
    const { edgeTo, edgeName, strings } = this.tables;
    const found = new Map<string, number[]>();
    for (let edge = 0; edge < edgeTo.length; edge++) {
      if (edgeTo[edge] === -1 && !this.isFileEdge(edge)) push(found, strings[edgeName[edge]], edge);
    }
    return found;
  }

  /** A counting sort of the edges by target. */
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

/** Names made up for what has none in the source (`#120`, `run#1520`) are for linking alone. */
function shown(receiver: string): string {
  return receiver.includes('#') ? receiver.replace(/^#\d+\.?|#\d+/g, '') : receiver;
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
