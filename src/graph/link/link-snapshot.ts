/**
 * Links the facts of all files of a snapshot to one graph, and assembles its columns. After a small change only the
 * affected files are linked again: edges of unchanged files are copied.
 */
import { addTo } from '../../base/lists.js';
import { Project } from '../../languages/roles/project.js';
import type { Import, ImportKind } from '../../languages/roles/relation-facts.js';
import { Graph } from '../graph.js';
import { withNamedUses, withoutNamedUses } from '../named-uses.js';
import { joinRoutes } from '../routes.js';
import {
  EDGE_KINDS,
  type EdgeKind,
  EVIDENCE_TIERS,
  type EvidenceTier,
  factsKey,
  type GraphTables,
  LINK_VERSION,
  type LinkedSnapshot,
  type LinkInput,
  REEXPORT_KINDS,
  REEXPORTED,
  type SourceFile,
} from '../tables.js';
import { filesToLink, type Recorded, Recorder, ResolutionTexts, resolveInputOf, resolverOver } from './invalidation.js';
import {
  type Before,
  factsByKey,
  hasFacts,
  type LinkMemory,
  MemoryWriter,
  SnapshotFiles,
  Strings,
  unchangedUntil,
} from './link-memory.js';
import { outsideMembers } from './members.js';
import { QUESTIONS } from './questions.js';
import { referenceEdges } from './references.js';
import { Nodes } from './symbol-index.js';
import { Context, type ResolvedImport, Snapshot } from './symbol-table.js';
import type { SymbolRef } from './values.js';

interface LinkedFile {
  edges: LinkedEdge[];
  owned: OwnedMember[];
  recorded: Recorded;
}

/** Links a snapshot in one go, which takes seconds for thousands of files. See `linkSteps`. */
export function linkSnapshot(input: LinkInput, previous: LinkedSnapshot | null): LinkedSnapshot {
  const steps = linkSteps(input, previous);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Links a snapshot in steps of one file, so that the caller can hear signals in between; yields how many files are done. `previous` is a
 * linked snapshot of any commit; it saves work and never changes the result. Throws RECORD_CORRUPT if facts in it are damaged; the caller
 * then links without it.
 */
export function* linkSteps(input: LinkInput, previous: LinkedSnapshot | null): Generator<number, LinkedSnapshot> {
  const linkedBefore = usable(previous);
  const before = linkedBefore && { ...linkedBefore, tables: withoutNamedUses(linkedBefore.tables) };
  const files = new SnapshotFiles(input, before);
  const nodes = nodesOf(files);
  const resolver = resolverOver(input, files, nodes);
  const fingerprint = resolver.fingerprint();
  if (previous !== null && before !== null && isSame(files, before, fingerprint)) return previous;
  const texts = new ResolutionTexts(resolver);
  const dirty = filesToLink(files, texts, fingerprint === before?.memory.fingerprint);
  const snapshot = new Snapshot(input.files, nodes, resolver, files);
  // Each file is written at once: the edges of a repository as objects would fill hundreds of megabytes.
  const columns = new GraphWriter(files, nodes);
  const memory = new MemoryWriter(files, texts, fingerprint, LINK_VERSION);
  for (let file = 0; file < dirty.length; ) {
    if (before === null || dirty[file] === 1) {
      const linked = linkFile(snapshot, file);
      columns.add(file, linked);
      memory.add(file, linked.recorded);
      files.index(file).release();
      yield ++file;
      continue;
    }
    const end = unchangedUntil(files, file, (next) => dirty[next] === 0);
    columns.keep(file, end);
    memory.keep(before, file, end);
    file = end;
  }
  const graph = new Graph(columns.finish());
  joinRoutes(graph);
  return { tables: withNamedUses(graph), memory: memory.finish() };
}

/** Opens a snapshot for lookups without linking it; all files need their facts. `project`: files and manifests as resolvers see them. */
export function openSnapshot(input: LinkInput): { snapshot: Snapshot; project: Project } {
  const files = new SnapshotFiles(input, null);
  const nodes = nodesOf(files);
  const snapshot = new Snapshot(input.files, nodes, resolverOver(input, files, nodes), files);
  return { snapshot, project: new Project(resolveInputOf(input, files, nodes)) };
}

/** Are all files unchanged, and everything that import resolution depends on? */
function isSame({ unchanged, newer }: SnapshotFiles, { memory }: Before, fingerprint: string): boolean {
  return fingerprint === memory.fingerprint && unchanged.length === newer.length && !unchanged.includes(0);
}

/** Files whose facts `previous` lacks, so that `LinkInput.facts` needs them. */
export function missingFacts(files: readonly SourceFile[], previous: LinkedSnapshot | null): SourceFile[] {
  const before = usable(previous);
  const held = before === null ? null : factsByKey(before);
  return files.filter((file) => hasFacts(file) && !held?.has(factsKey(file)));
}

function usable(previous: LinkedSnapshot | null): Before | null {
  const memory = previous?.memory as LinkMemory | undefined;
  if (previous === null || memory?.version !== LINK_VERSION) return null;
  // The graph and the memory are read from two files, so they may belong to different snapshots.
  return memory.facts.length === previous.tables.files.length ? { tables: previous.tables, memory } : null;
}

function nodesOf(files: SnapshotFiles): Nodes {
  const { before } = files;
  const tables: GraphTables | null = before?.tables ?? null;
  const source = (file: number) => {
    if (files.unchanged[file] === 1) return { before: files.older[file], symbols: [], monikers: null, lines: 0 };
    const { symbols, facts, monikers } = files.index(file);
    return { before: -1, symbols, monikers, lines: facts.lines };
  };
  return new Nodes(files.files, source, tables, new Strings(tables?.strings ?? []));
}

function linkFile(snapshot: Snapshot, file: number): LinkedFile {
  const recorder = new Recorder(file, snapshot.nodes);
  const ctx = new Context(snapshot, recorder, QUESTIONS);
  const uses = referenceEdges(ctx);
  const owned = outsideMembers(ctx);
  return { edges: [...importEdges(ctx, uses), ...uses], owned, recorded: recorder.finish() };
}

// Edges between files, from imports.

const KINDS: Readonly<Record<Exclude<ImportKind, 'declare'>, EdgeKind>> = {
  import: 'import',
  type: 'type-import',
  dynamic: 'dynamic-import',
  require: 'require',
  reexport: 'reexport',
  'type-reexport': 'type-reexport',
  include: 'include',
  'include-system': 'include',
  module: 'module',
};

/** A package of Python offers the names that its file imports. */
const PACKAGE = /(?:^|\/)__init__\.pyi?$/;

/**
 * Makes one edge per file that an import resolves to, or one edge without target. For a package or namespace, only
 * files that the references use get an edge, if there are any. `uses` are the edges of the file's references.
 */
function importEdges(ctx: Context, uses: readonly LinkedEdge[]): LinkedEdge[] {
  const used = usedFiles(uses);
  const { headers, importsAreExports } = ctx.symbols.semantics(ctx.file);
  const isPackage = importsAreExports && PACKAGE.test(ctx.symbols.path(ctx.file));
  const edges: LinkedEdge[] = [];
  ctx.symbols.snapshot.index(ctx.file).imports.forEach((item, at) => {
    // `using shop::Cart` names a namespace, and its files have edges from includes.
    if (item.kind === 'declare' || (item.kind === 'import' && headers)) return;
    const kind = item.kind === 'import' && isPackage ? 'reexport' : KINDS[item.kind];
    const resolved = ctx.symbols.resolution(ctx.file, at);
    // A file that may be missing.
    if (resolved.kind !== 'files' && item.specifier[0] === '|') return;
    if (resolved.kind !== 'files') edges.push(edgeOf(item, kind, -1, resolved.kind));
    else
      for (const file of narrowed(resolved, item, used))
        if (file !== ctx.file) edges.push(edgeOf(item, kind, file, resolved.tier));
  });
  return edges;
}

function usedFiles(uses: readonly LinkedEdge[]): ReadonlySet<number> {
  const used = new Set<number>();
  for (const { toFile } of uses) {
    if (toFile >= 0) used.add(toFile);
  }
  return used;
}

function narrowed(
  { files, tier }: ResolvedImport & { kind: 'files' },
  { names }: Import,
  used: ReadonlySet<number>,
): readonly number[] {
  // An import of a whole package uses all of its files.
  if (tier === 'path' || files.length < 2 || names.every(({ name, alias }) => name === '*' && alias !== ''))
    return files;
  const some = files.filter((file) => used.has(file));
  return some.length > 0 ? some : files;
}

function edgeOf(item: Import, kind: EdgeKind, toFile: number, tier: LinkedEdge['tier']): LinkedEdge {
  const { startLine, endLine, specifier, names } = item;
  const name = specifier[0] === '|' ? specifier.slice(1) : specifier;
  const literal = REEXPORT_KINDS.has(kind) ? names.map((each) => each.name).join(REEXPORTED) : '';
  return { from: -1, toFile, toSymbol: -1, kind, tier, startLine, endLine, name, receiver: '', literal };
}

// Columns of the graph, from the edges of newly linked files and those of unchanged ones.

const KIND_CODES: ReadonlyMap<string, number> = new Map(EDGE_KINDS.map((kind, i) => [kind, i]));
const TIER_CODES: ReadonlyMap<string, number> = new Map(EVIDENCE_TIERS.map((tier, i) => [tier, i]));
const ROUTE_CODE = EVIDENCE_TIERS.indexOf('route');
const EXTERNAL_CODE = EVIDENCE_TIERS.indexOf('external');
/** Maximum value of the span column. */
const MAX_SPAN = 0xffff;

type Columns = Pick<
  GraphTables,
  | 'edgeBase'
  | 'edgeTo'
  | 'edgeKind'
  | 'edgeTier'
  | 'edgeLine'
  | 'edgeSpan'
  | 'edgeName'
  | 'edgeReceiver'
  | 'edgeLiteral'
>;

/** Edges for which a graph has room at first, beside those of the graph before. */
const SPARE_EDGES = 1 << 16;

/** Builds the graph, file by file in their order. */
class GraphWriter {
  private columns: Columns;
  private readonly owners: Int32Array;
  private readonly moved: Moved | null;
  private at = 0;

  constructor(
    private readonly files: SnapshotFiles,
    private readonly nodes: Nodes,
  ) {
    const tables = files.before?.tables;
    this.columns = newColumns(nodes.name.length, (tables?.edgeTo.length ?? 0) + SPARE_EDGES);
    this.owners = new Int32Array(nodes.name.length).fill(-1);
    this.moved = tables === undefined ? null : new Moved(files, nodes, tables);
  }

  /** Adds a file that was linked. */
  add(file: number, { edges, owned }: LinkedFile): void {
    const { nodes } = this;
    this.reserve(edges.length);
    writeEdges(this.columns, nodes, file, edges, this.at);
    this.at += edges.length;
    for (const { symbol, owner } of owned)
      this.owners[nodes.base[file] + 1 + symbol] = nodes.base[owner.file] + 1 + owner.symbol;
  }

  /** Adds files up to `end` - 1, which the previous graph had in one range too, from that graph. */
  keep(file: number, end: number): void {
    const { moved, files } = this;
    if (moved === null) return;
    const count = moved.countEdges(files.older[file], files.older[file] + end - file);
    this.reserve(count);
    moved.copyEdges(this.columns, file, end, this.at);
    this.at += count;
    for (let each = file; each < end; each++) moved.copyOwners(this.owners, each);
  }

  private reserve(more: number): void {
    const total = this.columns.edgeTo.length;
    if (this.at + more > total)
      this.columns = resized(this.columns, this.at, Math.max(this.at + more, total + (total >> 1)));
  }

  finish(): GraphTables {
    const { nodes, owners } = this;
    const columns = resized(this.columns, this.at, this.at);
    columns.edgeBase[nodes.name.length] = this.at;
    const nodeOwner = owners.some((owner) => owner >= 0) ? owners : new Int32Array(0);
    return finish(this.files, nodes, { ...columns, nodeOwner });
  }
}

/** The columns with room for `total` edges, of which the first `used` are there. */
function resized({ edgeBase, ...columns }: Columns, used: number, total: number): Columns {
  const { edgeBase: _, ...larger } = newColumns(0, total);
  for (const key of Object.keys(columns) as (keyof typeof columns)[]) larger[key].set(columns[key].subarray(0, used));
  return { edgeBase, ...larger };
}

function newColumns(nodes: number, total: number): Columns {
  return {
    edgeBase: new Uint32Array(nodes + 1),
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
function writeEdges(columns: Columns, nodes: Nodes, file: number, list: readonly LinkedEdge[], start: number): void {
  const first = nodes.base[file];
  const size = nodes.base[file + 1] - first;
  const next = new Uint32Array(size + 1);
  for (const { from } of list) next[from + 2]++;
  for (let i = 1; i <= size; i++) next[i] += next[i - 1];
  // `next[n]` starts as the position of the first edge of node n, and advances with each edge that is written.
  for (let i = 0; i < size; i++) columns.edgeBase[first + i] = start + next[i];
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

/** The previous graph: copies its edges, and maps its nodes to nodes of the new one. */
class Moved {
  private readonly fileOf: Uint32Array;
  /** New number of each node of an unchanged file, -1 for other nodes. */
  private readonly unchanged: Int32Array;
  private readonly changed = new Map<number, Int32Array>();

  constructor(
    private readonly files: SnapshotFiles,
    private readonly nodes: Nodes,
    private readonly tables: GraphTables,
  ) {
    this.fileOf = new Uint32Array(tables.nodeName.length);
    this.unchanged = new Int32Array(tables.nodeName.length).fill(-1);
    for (let file = 0; file < tables.files.length; file++) {
      const [start, end] = [tables.nodeBase[file], tables.nodeBase[file + 1]];
      this.fileOf.fill(file, start, end);
      const newer = files.newer[file];
      if (newer < 0 || files.unchanged[newer] === 0) continue;
      const shift = nodes.base[newer] - start;
      for (let node = start; node < end; node++) this.unchanged[node] = node + shift;
    }
  }

  /** Number of edges of the files from `first` to `last` - 1 of the previous graph. */
  countEdges(first: number, last: number): number {
    const { edgeBase, nodeBase } = this.tables;
    return edgeBase[nodeBase[last]] - edgeBase[nodeBase[first]];
  }

  /** Copies the edges of the files from `file` to `last` - 1, which the previous graph had in one range too. */
  copyEdges(columns: Columns, file: number, last: number, at: number): void {
    const { tables, nodes } = this;
    const older = this.files.older[file];
    const firstNode = tables.nodeBase[older];
    const start = tables.edgeBase[firstNode];
    const end = tables.edgeBase[tables.nodeBase[older + last - file]];
    const shift = at - start;
    const size = nodes.base[last] - nodes.base[file];
    for (let i = 0; i < size; i++) columns.edgeBase[nodes.base[file] + i] = tables.edgeBase[firstNode + i] + shift;
    columns.edgeKind.set(tables.edgeKind.subarray(start, end), at);
    columns.edgeTier.set(tables.edgeTier.subarray(start, end), at);
    columns.edgeLine.set(tables.edgeLine.subarray(start, end), at);
    columns.edgeSpan.set(tables.edgeSpan.subarray(start, end), at);
    columns.edgeName.set(tables.edgeName.subarray(start, end), at);
    columns.edgeReceiver.set(tables.edgeReceiver.subarray(start, end), at);
    columns.edgeLiteral.set(tables.edgeLiteral.subarray(start, end), at);
    for (let edge = start; edge < end; edge++) {
      const to = tables.edgeTo[edge];
      // Any file may declare the route, so these edges are joined anew.
      const isJoined = tables.edgeTier[edge] === ROUTE_CODE;
      if (isJoined) columns.edgeTier[edge + shift] = EXTERNAL_CODE;
      columns.edgeTo[edge + shift] = to < 0 || isJoined ? -1 : this.node(to);
    }
  }

  /** Copies the owners of a file. */
  copyOwners(column: Int32Array, file: number): void {
    const { nodeOwner, nodeBase } = this.tables;
    const older = this.files.older[file];
    const shift = this.nodes.base[file] - nodeBase[older];
    if (nodeOwner.length === 0) return;
    for (let node = nodeBase[older]; node < nodeBase[older + 1]; node++)
      if (nodeOwner[node] >= 0) column[node + shift] = this.node(nodeOwner[node]);
  }

  private node(older: number): number {
    return this.unchanged[older] >= 0 ? this.unchanged[older] : this.ofChanged(older);
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
    for (let node = this.nodes.base[newer] + 1; node < this.nodes.base[newer + 1]; node++)
      addTo(byName, this.nodes.nameOf(node), node);
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

function finish(
  { files }: SnapshotFiles,
  nodes: Nodes,
  columns: Columns & Pick<GraphTables, 'nodeOwner'>,
): GraphTables {
  const { edgeName, edgeReceiver, edgeLiteral } = columns;
  return {
    files: files.map(({ path, oid, language, state, compiled, isIncomplete, isGenerated }) => ({
      ...{ path, oid, language, state },
      ...(compiled !== undefined && { compiled }),
      ...(isIncomplete && { isIncomplete }),
      ...(isGenerated && { isGenerated }),
    })),
    nodeBase: nodes.base,
    nodeName: nodes.name,
    nodeKind: nodes.kindCode,
    nodeFlags: nodes.flags,
    nodeParameters: nodes.parameters,
    nodeContainer: nodes.container,
    nodeStartLine: nodes.startLine,
    nodeEndLine: nodes.endLine,
    nodeMoniker: nodes.moniker,
    ...columns,
    strings: nodes.strings.renumber([nodes.name, edgeName, edgeReceiver, edgeLiteral]),
  };
}

/** A member that is written outside of its type. */
export interface OwnedMember {
  symbol: number;
  owner: SymbolRef;
}

export interface LinkedEdge {
  /** Index of the symbol that the edge leaves, -1 for the file. */
  from: number;
  /** Target file, -1 for an edge without target. */
  toFile: number;
  /** Target symbol, -1 for the whole file. */
  toSymbol: number;
  kind: EdgeKind;
  tier: EvidenceTier;
  startLine: number;
  endLine: number;
  name: string;
  receiver: string;
  literal: string;
}
