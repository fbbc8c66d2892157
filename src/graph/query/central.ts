/** How central each file is: PageRank over the files that use each other, as linked, in both directions. */
import { type Edges, pageRank } from '../../search/centrality.js';
import type { Graph } from '../graph.js';
import { CONFIDENCE, EVIDENCE_TIERS } from '../types.js';
import { classOf, isProduction } from './place.js';

/** Tests, examples and copies: what they use says what is tested or shown, little of what the rest rests on. */
const ASIDE = 0.02;
/** Types alone are used without any of their code running. */
const TYPE_ONLY = 0.5;
const TYPE_KINDS: ReadonlySet<string> = new Set(['type', 'type-import', 'type-reexport']);
const BY_TIER = EVIDENCE_TIERS.map((tier) => CONFIDENCE[tier]);
/** Files that bring much together, beside those that much rests on: a reader needs both. */
const GATHERING = 0.35;
/** Number of lines that give a file half of its worth: a type alias that everything uses says little. */
const HALF_LINES = 40;

const known = new WeakMap<Graph, Float64Array>();

/** One value for each file; higher is more central. */
export function centralityOf(graph: Graph): Float64Array {
  let found = known.get(graph);
  if (found === undefined) {
    found = measure(graph);
    known.set(graph, found);
  }
  return found;
}

const best = new WeakMap<Graph, number>();

/** How central a file is beside the most central one: 0 to 1. */
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
  const starts = Float64Array.from({ length: graph.fileCount }, (_, file) => (isProduction(graph, file) ? 1 : ASIDE));
  const sum = starts.reduce((total, value) => total + value, 0);
  for (let file = 0; file < starts.length; file++) starts[file] /= sum;
  const used = pageRank(graph.fileCount, edges, starts);
  const own = edges.from.map((from) => (isProduction(graph, from) ? 1 : ASIDE));
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
      if (to < 0 || fileOf[to] === file) continue;
      const weight = BY_TIER[edgeTier[edge]] * (TYPE_KINDS.has(graph.edgeKind(edge)) ? TYPE_ONLY : 1);
      sums.set(fileOf[to], (sums.get(fileOf[to]) ?? 0) + weight);
    }
    for (const [to, sum] of sums) {
      edges.from.push(file);
      edges.to.push(to);
      // A hundred calls are more than one, but not a hundred times as much.
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

/** Code that people work on, of a language with definitions: what a map shows. */
export function isOnMap(graph: Graph, file: number): boolean {
  const { state } = graph.tables.files[file];
  const name = classOf(graph, file);
  return isProduction(graph, file) && name !== 'declaration' && (state === 'linked' || state === 'degraded');
}
