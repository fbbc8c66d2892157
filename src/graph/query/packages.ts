/** Imports of a whole package (Go, Java, C#): of its files those count that are used. */
import type { Graph } from '../graph.js';
import { lastNodeOf, outgoing } from './uses.js';

const NONE: ReadonlySet<number> = new Set();
const known = new WeakMap<Graph, ReadonlySet<number>[]>();

/**
 * Numbers of the files to which nothing but an import of their package leads from a file, while it uses others of that package.
 * Where it uses none that is known, all of them count, and the set is empty.
 */
export function unusedParts(graph: Graph, file: number): ReadonlySet<number> {
  let all = known.get(graph);
  if (all === undefined) {
    all = [];
    known.set(graph, all);
  }
  all[file] ??= findUnusedParts(graph, file);
  return all[file];
}

function findUnusedParts(graph: Graph, file: number): ReadonlySet<number> {
  const { packages, named } = importsOf(graph, file);
  if (packages.size === 0) return NONE;
  const used = usedFiles(graph, file);
  const usedPackages = new Set([...packages].flatMap(([to, names]) => (used.has(to) ? [...names] : [])));
  const isUnused = ([to, names]: [number, Set<string>]) =>
    !used.has(to) && !named.has(to) && [...names].every((name) => usedPackages.has(name));
  return new Set([...packages].filter(isUnused).map(([to]) => to));
}

/** Imports of packages, by the files to which they lead; and files that an import names. */
function importsOf(graph: Graph, file: number): { packages: Map<number, Set<string>>; named: Set<number> } {
  const packages = new Map<number, Set<string>>();
  const named = new Set<number>();
  for (const edge of edgesOf(graph, file)) {
    const to = graph.target(edge) < 0 ? -1 : graph.fileOf(graph.target(edge));
    if (to < 0 || to === file || !graph.isFileEdge(edge)) continue;
    if (graph.tier(edge) !== 'package') {
      named.add(to);
      continue;
    }
    const names = packages.get(to) ?? new Set();
    packages.set(to, names.add(`${graph.tables.edgeLine[edge]} ${graph.edge(edge).name}`));
  }
  return { packages, named };
}

function usedFiles(graph: Graph, file: number): Set<number> {
  const used = new Set<number>();
  for (const edge of edgesOf(graph, file))
    if (graph.target(edge) >= 0 && !graph.isFileEdge(edge)) used.add(graph.fileOf(graph.target(edge)));
  return used;
}

function* edgesOf(graph: Graph, file: number): Generator<number> {
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++) yield* outgoing(graph, node);
}
