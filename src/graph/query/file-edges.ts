/** Files that use files: by imports, or without any where a language needs none (the same package or namespace). */
import { type Edges, pageRank } from '../../search/build-corpus.js';
import type { Graph } from '../graph.js';
import { CONFIDENCE, type EdgeKind, EVIDENCE_TIERS } from '../tables.js';
import { namesSpaceAlone, unusedParts } from './dependencies.js';
import { classOf, cut, isProduction, type Some } from './node-place.js';
import { lastNodeOf, outgoing } from './uses.js';

interface FileLink {
  path: string;
  /** Kinds of imports; empty if it is used without one. */
  kinds: EdgeKind[];
  /** Lines of the imports, or of the uses if there are no imports. */
  lines: number[];
  /** Symbols used, most used first. */
  names: Some<string>;
}

const MAX_NAMES = 8;
const MAX_LINES = 8;

interface Collected {
  kinds: Set<EdgeKind>;
  imports: Set<number>;
  uses: Set<number>;
  names: Map<string, number>;
}

/** Imports and uses of a file, in the order of its text. */
export function filesUsedBy(graph: Graph, file: number): FileLink[] {
  const found = new Map<number, Collected>();
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++) {
    for (const edge of outgoing(graph, node)) {
      const to = graph.target(edge);
      if (to >= 0) collect(graph, found, edge, graph.fileOf(to));
    }
  }
  found.delete(file);
  for (const part of unusedParts(graph, file)) found.delete(part);
  return linksOf(graph, found);
}

/** Files that import or use a file, sorted by path. */
export function filesUsing(graph: Graph, file: number): FileLink[] {
  const found = new Map<number, Collected>();
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++)
    for (const edge of graph.incoming(node)) collect(graph, found, edge, graph.fileOf(graph.source(edge)));
  found.delete(file);
  const isUser = ([user]: [number, Collected]) => !unusedParts(graph, user).has(file);
  return linksOf(graph, new Map([...found].filter(isUser).sort((a, b) => a[0] - b[0])));
}

/** A page needs no file of the server that it asks, and a namespace belongs to no file. */
function isFileUse(graph: Graph, edge: number): boolean {
  return graph.edgeKind(edge) !== 'request' && !namesSpaceAlone(graph, edge);
}

function collect(graph: Graph, found: Map<number, Collected>, number: number, file: number): void {
  if (!isFileUse(graph, number)) return;
  let known = found.get(file);
  if (known === undefined) {
    known = { kinds: new Set(), imports: new Set(), uses: new Set(), names: new Map() };
    found.set(file, known);
  }
  const line = graph.tables.edgeLine[number];
  if (graph.isFileEdge(number)) {
    known.kinds.add(graph.edgeKind(number));
    known.imports.add(line);
    return;
  }
  known.uses.add(line);
  const to = graph.target(number);
  const name = graph.isFile(to) ? '' : graph.qualifiedName(to);
  if (name !== '') known.names.set(name, (known.names.get(name) ?? 0) + 1);
}

function linksOf(graph: Graph, found: ReadonlyMap<number, Collected>): FileLink[] {
  return [...found].map(([file, { kinds, imports, uses, names }]) => ({
    path: graph.tables.files[file].path,
    kinds: [...kinds],
    lines: [...(imports.size > 0 ? imports : uses)].sort((a, b) => a - b).slice(0, MAX_LINES),
    names: cut(
      [...names].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name),
      MAX_NAMES,
    ),
  }));
}

/** Numbers of the files that a file imports or uses, or that import or use it, without itself. */
export function neighbours(graph: Graph, file: number, direction: 'out' | 'in'): Set<number> {
  const found = new Set<number>();
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++) {
    if (direction === 'in') {
      for (const edge of graph.incoming(node)) if (isFileUse(graph, edge)) found.add(graph.fileOf(graph.source(edge)));
    } else {
      for (const edge of outgoing(graph, node)) {
        const to = graph.target(edge);
        if (to >= 0 && isFileUse(graph, edge)) found.add(graph.fileOf(to));
      }
    }
  }
  found.delete(file);
  if (direction === 'out') for (const part of unusedParts(graph, file)) found.delete(part);
  else for (const user of found) if (unusedParts(graph, user).has(file)) found.delete(user);
  return found;
}

/** Weight of uses in tests, examples and copies: they show what is tested, but little of what the rest depends on. */
const SECONDARY_WEIGHT = 0.02;
/** Weight of uses of types alone, which run no code. */
const TYPE_ONLY = 0.5;
const TYPE_KINDS: ReadonlySet<string> = new Set(['type', 'type-import', 'type-reexport']);
const BY_TIER = EVIDENCE_TIERS.map((tier) => CONFIDENCE[tier]);
/** Share of files that use many others, beside files that many others use: a reader needs both. */
const GATHERING = 0.35;
/** Number of lines that give a file half of its worth: a type alias that everything uses means little. */
const HALF_LINES = 40;

const known = new WeakMap<Graph, Float64Array>();

/** Centrality of each file; higher is more central. */
export function centralityOf(graph: Graph): Float64Array {
  let found = known.get(graph);
  if (found === undefined) {
    found = measure(graph);
    known.set(graph, found);
  }
  return found;
}

const best = new WeakMap<Graph, number>();

/** Centrality of a file as a share of the most central one's: 0 to 1. */
export function shareOfBest(graph: Graph, file: number): number {
  const ranks = centralityOf(graph);
  let most = best.get(graph);
  if (most === undefined) {
    most = ranks.reduce((a, b) => Math.max(a, b), 0);
    best.set(graph, most);
  }
  return most === 0 ? 0 : ranks[file] / most;
}

function measure(graph: Graph): Float64Array {
  const edges = fileUses(graph);
  const starts = Float64Array.from({ length: graph.fileCount }, (_, file) =>
    isProduction(graph, file) ? 1 : SECONDARY_WEIGHT,
  );
  const sum = starts.reduce((total, value) => total + value, 0);
  for (let file = 0; file < starts.length; file++) starts[file] /= sum;
  const used = pageRank(graph.fileCount, edges, starts);
  const own = edges.from.map((from) => (isProduction(graph, from) ? 1 : SECONDARY_WEIGHT));
  const weight = edges.weight.map((value, i) => value * own[i]);
  const gathering = pageRank(graph.fileCount, { from: edges.to, to: edges.from, weight }, starts);
  return used.map((value, file) => {
    const lines = graph.endLine(graph.fileNode(file));
    return ((1 - GATHERING) * value + GATHERING * gathering[file]) * (lines / (lines + HALF_LINES));
  });
}

function fileUses(graph: Graph): Edges {
  const { nodeBase, edgeBase, edgeTo, edgeTier } = graph.tables;
  const edges: Edges = { from: [], to: [], weight: [] };
  const fileOf = filesByNode(graph);
  for (let file = 0; file < graph.fileCount; file++) {
    const sums = new Map<number, number>();
    for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++) {
      const to = edgeTo[edge];
      if (to < 0 || fileOf[to] === file || namesSpaceAlone(graph, edge)) continue;
      const weight = BY_TIER[edgeTier[edge]] * (TYPE_KINDS.has(graph.edgeKind(edge)) ? TYPE_ONLY : 1);
      sums.set(fileOf[to], (sums.get(fileOf[to]) ?? 0) + weight);
    }
    for (const [to, sum] of sums) {
      edges.from.push(file);
      edges.to.push(to);
      // A hundred calls weigh more than one, but not a hundred times as much.
      edges.weight.push(Math.sqrt(sum));
    }
  }
  return edges;
}

function filesByNode(graph: Graph): Uint32Array {
  const fileOf = new Uint32Array(graph.nodeCount);
  for (let file = 0; file < graph.fileCount; file++)
    fileOf.fill(file, graph.tables.nodeBase[file], graph.tables.nodeBase[file + 1]);
  return fileOf;
}

/** Does a map show the file? It has code that people work on, in a language with definitions. */
export function isOnMap(graph: Graph, file: number): boolean {
  const { state } = graph.tables.files[file];
  const name = classOf(graph, file);
  return isProduction(graph, file) && name !== 'declaration' && (state === 'linked' || state === 'degraded');
}
