/** Dependencies between files as rules about them mean it: what a file imports, or uses where its language needs no import. */
import type { Graph } from '../graph.js';
import { EVIDENCE_TIERS, type EvidenceTier } from '../types.js';
import { unusedParts } from './packages.js';
import { TYPE_IMPORT_KINDS } from './uses.js';

/** One file depends on another. */
export interface Dependency {
  /** Numbers of the files. */
  from: number;
  to: number;
  /** The edge that says so: an import before a use, and a value before a type. */
  edge: number;
  /** Nothing but types is imported. */
  types: boolean;
}

/**
 * Uses that name what another file defines: by an import that stands for many files, or in the same package. A member of an
 * object that came from elsewhere (`receiver`) makes no dependency, nor does what a third file re-exports.
 */
const DIRECT_TIERS: ReadonlySet<EvidenceTier> = new Set(['path', 'imported', 'package']);
const IS_DIRECT = EVIDENCE_TIERS.map((tier) => DIRECT_TIERS.has(tier));

const known = new WeakMap<Graph, ReadonlyMap<number, ReadonlyMap<number, Dependency>>>();

/** Dependencies by the files that have them, then by those they lead to. No file depends on itself. */
export function dependenciesOf(graph: Graph): ReadonlyMap<number, ReadonlyMap<number, Dependency>> {
  let found = known.get(graph);
  if (found === undefined) {
    found = findDependencies(graph);
    known.set(graph, found);
  }
  return found;
}

function findDependencies(graph: Graph): Map<number, Map<number, Dependency>> {
  const { nodeBase, edgeBase, edgeTo, edgeTier } = graph.tables;
  const found = new Map<number, Map<number, Dependency>>();
  for (let from = 0; from < graph.fileCount; from++) {
    const own = new Map<number, Dependency>();
    for (let edge = edgeBase[nodeBase[from]]; edge < edgeBase[nodeBase[from + 1]]; edge++) {
      const target = edgeTo[edge];
      if (target < 0 || (target >= nodeBase[from] && target < nodeBase[from + 1])) continue;
      const isImport = graph.isFileEdge(edge);
      if (isImport ? graph.edgeKind(edge) === 'module' : !IS_DIRECT[edgeTier[edge]]) continue;
      const to = graph.fileOf(target);
      if (isImport && unusedParts(graph, from).has(to)) continue;
      const types = TYPE_IMPORT_KINDS.has(graph.edgeKind(edge));
      const before = own.get(to);
      // Imports come first: they leave the file's own node. A use adds nothing to one, not even to one of types alone.
      if (before === undefined || (isImport && before.types && !types)) own.set(to, { from, to, edge, types });
    }
    if (own.size > 0) found.set(from, own);
  }
  return found;
}
