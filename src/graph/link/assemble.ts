/** Assembles the columns of the graph from the edges of newly linked files and the kept edges of unchanged ones. */
import { EDGE_KINDS, EVIDENCE_TIERS, type GraphTables } from '../types.js';
import type { LinkedEdge } from './edges.js';
import { keptUntil, type SnapshotFiles } from './files.js';
import type { Nodes } from './nodes.js';

const KIND_CODES: ReadonlyMap<string, number> = new Map(EDGE_KINDS.map((kind, i) => [kind, i]));
const TIER_CODES: ReadonlyMap<string, number> = new Map(EVIDENCE_TIERS.map((tier, i) => [tier, i]));
/** Maximum value of the span column. */
const MAX_SPAN = 0xffff;

type Columns = Pick<
  GraphTables,
  'edgeTo' | 'edgeKind' | 'edgeTier' | 'edgeLine' | 'edgeSpan' | 'edgeName' | 'edgeReceiver' | 'edgeLiteral'
>;

/** Builds the graph. `edges` returns null for a file whose edges are kept from the previous graph. */
export function assemble(
  files: SnapshotFiles,
  nodes: Nodes,
  edges: (file: number) => readonly LinkedEdge[] | null,
): GraphTables {
  const lists = files.files.map((_, file) => edges(file));
  const tables = files.before?.tables;
  const counts = lists.map((list, file) => {
    if (list !== null) return list.length;
    const older = files.older[file];
    return tables === undefined
      ? 0
      : tables.edgeBase[tables.nodeBase[older + 1]] - tables.edgeBase[tables.nodeBase[older]];
  });
  const columns = newColumns(counts.reduce((sum, count) => sum + count, 0));
  const edgeBase = new Uint32Array(nodes.name.length + 1);
  const moved = tables === undefined ? null : new Moved(files, nodes, tables);
  let at = 0;
  for (let file = 0; file < lists.length; ) {
    const list = lists[file];
    const end = list === null ? keptUntil(files, file, (next) => lists[next] === null) : file + 1;
    if (list !== null) writeEdges(columns, edgeBase, nodes, file, list, at);
    else if (tables !== undefined && moved !== null)
      copyEdges(columns, edgeBase, nodes, [file, end], files.older[file], tables, moved, at);
    for (; file < end; file++) at += counts[file];
  }
  edgeBase[nodes.name.length] = at;
  return finish(files, nodes, edgeBase, columns);
}

function newColumns(total: number): Columns {
  return {
    edgeTo: new Int32Array(total),
    edgeKind: new Uint8Array(total),
    edgeTier: new Uint8Array(total),
    edgeLine: new Uint32Array(total),
    edgeSpan: new Uint16Array(total),
    edgeName: new Uint32Array(total),
    edgeReceiver: new Uint32Array(total),
    edgeLiteral: new Uint32Array(total),
  };
}

/** Writes the edges of one file, sorted by the node that they leave. */
function writeEdges(
  columns: Columns,
  edgeBase: Uint32Array,
  nodes: Nodes,
  file: number,
  list: readonly LinkedEdge[],
  start: number,
): void {
  const first = nodes.base[file];
  const size = nodes.base[file + 1] - first;
  const next = new Uint32Array(size + 1);
  for (const { from } of list) next[from + 2]++;
  for (let i = 1; i <= size; i++) next[i] += next[i - 1];
  // `next[n]` starts as the position of the first edge of node n, and advances with each edge that is written.
  for (let i = 0; i < size; i++) edgeBase[first + i] = start + next[i];
  for (const edge of list) writeEdge(columns, nodes, start + next[edge.from + 1]++, edge);
}

function writeEdge(columns: Columns, nodes: Nodes, at: number, edge: LinkedEdge): void {
  columns.edgeTo[at] = edge.toFile < 0 ? -1 : nodes.base[edge.toFile] + 1 + edge.toSymbol;
  columns.edgeKind[at] = KIND_CODES.get(edge.kind) ?? 0;
  columns.edgeTier[at] = TIER_CODES.get(edge.tier) ?? 0;
  columns.edgeLine[at] = edge.startLine;
  columns.edgeSpan[at] = Math.min(edge.endLine - edge.startLine, MAX_SPAN);
  columns.edgeName[at] = nodes.strings.id(edge.name);
  columns.edgeReceiver[at] = nodes.strings.id(edge.receiver);
  columns.edgeLiteral[at] = nodes.strings.id(edge.literal);
}

/** Copies the edges of a range of files that was contiguous in the previous graph, where it began at file `older`. */
function copyEdges(
  columns: Columns,
  edgeBase: Uint32Array,
  nodes: Nodes,
  [file, last]: readonly [first: number, end: number],
  older: number,
  tables: GraphTables,
  moved: Moved,
  at: number,
): void {
  const firstNode = tables.nodeBase[older];
  const start = tables.edgeBase[firstNode];
  const end = tables.edgeBase[tables.nodeBase[older + last - file]];
  const shift = at - start;
  const size = nodes.base[last] - nodes.base[file];
  for (let i = 0; i < size; i++) edgeBase[nodes.base[file] + i] = tables.edgeBase[firstNode + i] + shift;
  columns.edgeKind.set(tables.edgeKind.subarray(start, end), at);
  columns.edgeTier.set(tables.edgeTier.subarray(start, end), at);
  columns.edgeLine.set(tables.edgeLine.subarray(start, end), at);
  columns.edgeSpan.set(tables.edgeSpan.subarray(start, end), at);
  columns.edgeName.set(tables.edgeName.subarray(start, end), at);
  columns.edgeReceiver.set(tables.edgeReceiver.subarray(start, end), at);
  columns.edgeLiteral.set(tables.edgeLiteral.subarray(start, end), at);
  for (let edge = start; edge < end; edge++) {
    const to = tables.edgeTo[edge];
    columns.edgeTo[edge + shift] = to < 0 ? -1 : moved.node(to);
  }
}

/** Maps nodes of the previous graph to nodes of the new one. */
class Moved {
  private readonly fileOf: Uint32Array;
  /** New number of each node of an unchanged file, -1 for other nodes. */
  private readonly kept: Int32Array;
  private readonly changed = new Map<number, Int32Array>();

  constructor(
    private readonly files: SnapshotFiles,
    private readonly nodes: Nodes,
    private readonly tables: GraphTables,
  ) {
    this.fileOf = new Uint32Array(tables.nodeName.length);
    this.kept = new Int32Array(tables.nodeName.length).fill(-1);
    for (let file = 0; file < tables.files.length; file++) {
      const [start, end] = [tables.nodeBase[file], tables.nodeBase[file + 1]];
      this.fileOf.fill(file, start, end);
      const newer = files.newer[file];
      if (newer < 0 || files.kept[newer] === 0) continue;
      const shift = nodes.base[newer] - start;
      for (let node = start; node < end; node++) this.kept[node] = node + shift;
    }
  }

  node(older: number): number {
    return this.kept[older] >= 0 ? this.kept[older] : this.ofChanged(older);
  }

  private ofChanged(older: number): number {
    const file = this.fileOf[older];
    const newer = this.files.newer[file];
    const local = older - this.tables.nodeBase[file];
    if (newer < 0) throw new Error('a kept edge leads to a deleted file');
    if (local === 0) return this.nodes.base[newer] + local;
    const found = this.symbolsOf(file, newer)[local];
    if (found < 0) throw new Error('a kept edge leads to a deleted symbol');
    return found;
  }

  /** Maps the symbols of a changed file by name and position: the second `total` to the second `total`. */
  private symbolsOf(file: number, newer: number): Int32Array {
    const known = this.changed.get(file);
    if (known !== undefined) return known;
    const { strings, nodeName, nodeBase } = this.tables;
    const byName = new Map<string, number[]>();
    for (let node = this.nodes.base[newer] + 1; node < this.nodes.base[newer + 1]; node++) {
      const name = this.nodes.nameOf(node);
      const list = byName.get(name);
      if (list === undefined) byName.set(name, [node]);
      else list.push(node);
    }
    const found = new Int32Array(nodeBase[file + 1] - nodeBase[file]).fill(-1);
    const seen = new Map<string, number>();
    for (let local = 1; local < found.length; local++) {
      const name = strings[nodeName[nodeBase[file] + local]];
      const count = seen.get(name) ?? 0;
      seen.set(name, count + 1);
      found[local] = byName.get(name)?.[count] ?? -1;
    }
    this.changed.set(file, found);
    return found;
  }
}

function finish({ files }: SnapshotFiles, nodes: Nodes, edgeBase: Uint32Array, columns: Columns): GraphTables {
  const { edgeName, edgeReceiver, edgeLiteral } = columns;
  return {
    files: files.map(({ path, oid, language, state, compiled }) => ({
      ...{ path, oid, language, state },
      ...(compiled !== undefined && { compiled }),
    })),
    nodeBase: nodes.base,
    nodeName: nodes.name,
    nodeKind: nodes.kindCode,
    nodeFlags: nodes.flags,
    nodeContainer: nodes.container,
    nodeStartLine: nodes.startLine,
    nodeEndLine: nodes.endLine,
    nodeMoniker: nodes.moniker,
    edgeBase,
    ...columns,
    strings: nodes.strings.renumber([nodes.name, edgeName, edgeReceiver, edgeLiteral]),
  };
}
