/** Finds the definition that the name at a line and column of a file means: the target of a use, or the definition itself. */
import type { Graph } from '../graph.js';
import { CONFIDENCE, type EvidenceTier } from '../tables.js';
import { outgoing } from './uses.js';

/** A line of a file, and a name on it. `before`: the line up to the name. */
export interface NamedPlace {
  file: number;
  line: number;
  name: string;
  before: string;
  /** First line from `from` to `to` that has the name, null if none has it. */
  firstLine: (from: number, to: number) => number | null;
}

export interface ResolvedName {
  /** Nodes that the name means there; a file's node for a path. */
  nodes: number[];
  tier: EvidenceTier;
  confidence: number;
}

/** Maximum number of possible definitions of a name whose use there has no certain target. */
const MAX_POSSIBLE = 20;

/** Follows the name. `possible`: definitions of that name if its use has no known target. */
export function definitionAt(graph: Graph, place: NamedPlace): { resolved: ResolvedName | null; possible: number[] } {
  const own = definedAt(graph, place);
  if (own.length > 0) return { resolved: { nodes: own, tier: 'same-file', confidence: 1 }, possible: [] };
  const edges = usesAt(graph, place);
  const known = edges.filter((edge) => graph.target(edge) >= 0);
  if (known.length > 0) return { resolved: resolvedBy(graph, known), possible: [] };
  const imported = importedAt(graph, place);
  if (imported !== null) return { resolved: imported, possible: [] };
  const isUnknown = edges.some((edge) => graph.tier(edge) !== 'external');
  return { resolved: null, possible: isUnknown ? graph.nodesNamed(place.name).slice(0, MAX_POSSIBLE) : [] };
}

/** Definitions of that name whose first mention is on the line. */
function definedAt(graph: Graph, { file, line, name, firstLine }: NamedPlace): number[] {
  const first = graph.fileNode(file);
  const end = graph.tables.nodeBase[file + 1];
  return graph.nodesNamed(name).filter((node) => {
    if (node <= first || node >= end || graph.startLine(node) > line || graph.endLine(node) < line) return false;
    return firstLine(graph.startLine(node), line) === line;
  });
}

/** Uses of the name that begin on the line or reach it. Those with the receiver on the line come first. */
function usesAt(graph: Graph, { file, line, name, before }: NamedPlace): number[] {
  const { nodeBase, edgeBase, edgeLine, edgeSpan } = graph.tables;
  const found: number[] = [];
  for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++) {
    if (graph.isFileEdge(edge) || edgeLine[edge] > line || edgeLine[edge] + edgeSpan[edge] < line) continue;
    if (lastPart(graph.edge(edge).name) === name) found.push(edge);
  }
  const onLine = found.filter((edge) => edgeLine[edge] === line);
  const near = onLine.length > 0 ? onLine : found;
  const receiver = /([\p{L}\p{N}_$]+)\s*(?:\(\s*\))?\s*(?:\?\.|!\.|\.|::|->)\s*$/u.exec(before)?.[1];
  const fitting = near.filter((edge) => lastPart(graph.edge(edge).receiver) === (receiver ?? ''));
  return fitting.length > 0 ? fitting : near;
}

const lastPart = (name: string): string => name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);

function resolvedBy(graph: Graph, edges: readonly number[]): ResolvedName {
  const tiers = edges.map((edge) => graph.tier(edge));
  const best = tiers.reduce((a, b) => (CONFIDENCE[b] > CONFIDENCE[a] ? b : a));
  const nodes = [...new Set(edges.map((edge) => graph.target(edge)))];
  return { nodes: nodes.flatMap((node) => overloads(graph, node)), tier: best, confidence: CONFIDENCE[best] };
}

/** All declarations of an overloaded function: an edge leads to one of them. */
function overloads(graph: Graph, node: number): number[] {
  if (graph.isFile(node)) return [node];
  const [container, kind, file] = [graph.container(node), graph.kind(node), graph.fileOf(node)];
  const same = graph.namesakes(node).filter((other) => graph.fileOf(other) === file && graph.kind(other) === kind);
  return same.filter((other) => graph.container(other) === container);
}

/** Maximum number of re-exporting files that are followed. */
const MAX_BARRELS = 50;

/** The definition that an import on the line brings in, or the imported file if the name is a part of its path. */
function importedAt(graph: Graph, { file, line, name }: NamedPlace): ResolvedName | null {
  const { edgeLine, edgeSpan } = graph.tables;
  for (const edge of outgoing(graph, graph.fileNode(file))) {
    const target = graph.target(edge);
    if (!graph.isFileEdge(edge) || target < 0 || edgeLine[edge] > line || edgeLine[edge] + edgeSpan[edge] < line)
      continue;
    const found = exportedFrom(graph, target, name);
    const isPath = graph.edge(edge).name.includes(name);
    if (found.length > 0) return { nodes: found, tier: 'imported', confidence: CONFIDENCE.imported };
    if (isPath && graph.isFile(target)) return { nodes: [target], tier: graph.tier(edge), confidence: CONFIDENCE.path };
  }
  return null;
}

function exportedFrom(graph: Graph, target: number, name: string): number[] {
  const files = new Set([graph.fileOf(target)]);
  for (const file of files) {
    const found = graph
      .nodesNamed(name)
      .filter((node) => graph.fileOf(node) === file && graph.isFile(graph.container(node)));
    if (found.length > 0) return found;
    for (const edge of outgoing(graph, graph.fileNode(file))) {
      const next = graph.target(edge);
      if (next >= 0 && /reexport/.test(graph.edgeKind(edge)) && files.size < MAX_BARRELS) files.add(graph.fileOf(next));
    }
  }
  return [];
}
