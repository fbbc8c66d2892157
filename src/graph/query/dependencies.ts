/**
 * Dependencies between files as rules about them mean it: imports, or uses if the language needs no import. An imported
 * package (Go, Java, C#) counts as those of its files that are used.
 */
import { semanticsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { EVIDENCE_TIERS, type EvidenceTier } from '../tables.js';
import { directMembers, INHERIT_KINDS, isFunction, lastNodeOf, outgoing, TYPE_IMPORT_KINDS } from './uses.js';

export interface Dependency {
  /** Numbers of the files. */
  from: number;
  to: number;
  /** Edge that proves it: an import rather than a use, a value rather than a type. */
  edge: number;
  /** True if only types are imported. */
  types: boolean;
}

/**
 * Evidence of uses that count: by an import that stands for many files, or in the same package. A member of an object
 * from elsewhere (`receiver`) makes no dependency, nor does a name that a third file re-exports.
 */
const DIRECT_TIERS: ReadonlySet<EvidenceTier> = new Set(['path', 'imported', 'package']);
const IS_DIRECT = EVIDENCE_TIERS.map((tier) => DIRECT_TIERS.has(tier));

const knownDependencies = new WeakMap<Graph, ReadonlyMap<number, ReadonlyMap<number, Dependency>>>();

/** Dependencies by the file that has them, then by the file that it depends on. No file depends on itself. */
export function dependenciesOf(graph: Graph): ReadonlyMap<number, ReadonlyMap<number, Dependency>> {
  let found = knownDependencies.get(graph);
  if (found === undefined) {
    found = findDependencies(graph);
    knownDependencies.set(graph, found);
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
      if (namesSpaceAlone(graph, edge)) continue;
      if (isImport && unusedParts(graph, from).has(to)) continue;
      const types = TYPE_IMPORT_KINDS.has(graph.edgeKind(edge));
      const before = own.get(to);
      // Imports come first: they leave the file's own node. A use adds nothing to an import, even to one of types alone.
      if (before === undefined || (isImport && before.types && !types)) own.set(to, { from, to, edge, types });
    }
    if (own.size > 0) found.set(from, own);
  }
  return found;
}

// Imports of whole packages.

const NONE: ReadonlySet<number> = new Set();
const knownParts = new WeakMap<Graph, ReadonlySet<number>[]>();

/**
 * Numbers of the files that a file reaches only by importing their package, while it uses other files of that package.
 * The set is empty if it uses none of them for certain: then all files of the package count.
 */
export function unusedParts(graph: Graph, file: number): ReadonlySet<number> {
  let all = knownParts.get(graph);
  if (all === undefined) {
    all = [];
    knownParts.set(graph, all);
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

/** Imports of packages by the files to which they lead, and the files that an import names. */
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
    if (graph.target(edge) >= 0 && !graph.isFileEdge(edge) && !namesSpaceAlone(graph, edge))
      used.add(graph.fileOf(graph.target(edge)));
  return used;
}

function* edgesOf(graph: Graph, file: number): Generator<number> {
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++) yield* outgoing(graph, node);
}

// Namespaces.

const knownSpaces = new WeakMap<Graph, ReadonlySet<number>>();

/** Modules and namespaces that several files open, in languages where all of them together are one. */
export function sharedSpaces(graph: Graph): ReadonlySet<number> {
  const known = knownSpaces.get(graph) ?? findSharedSpaces(graph);
  knownSpaces.set(graph, known);
  return known;
}

function findSharedSpaces(graph: Graph): Set<number> {
  const byName = new Map<string, number[]>();
  for (let file = 0; file < graph.fileCount; file++) {
    const { language } = graph.tables.files[file];
    const { parts, family } = semanticsOf(language);
    if (parts !== 'anywhere' && parts !== 'package') continue;
    for (let node = graph.fileNode(file) + 1; node < lastNodeOf(graph, graph.fileNode(file)); node++) {
      if (graph.kind(node) !== 'module' && graph.kind(node) !== 'namespace') continue;
      const name = `${family} ${graph.qualifiedName(node).replaceAll('::', '.')}`;
      const nodes = byName.get(name);
      if (nodes === undefined) byName.set(name, [node]);
      else nodes.push(node);
    }
  }
  const areShared = (nodes: number[]): boolean => nodes.some((node) => graph.fileOf(node) !== graph.fileOf(nodes[0]));
  return new Set([...byName.values()].filter(areShared).flat());
}

/**
 * Does a use mean nothing but a namespace that several files open? No file has it, so the use is one of none of them. What is
 * used of its members has edges of its own; functions of a module that is mixed in are used without their names.
 */
export function namesSpaceAlone(graph: Graph, edge: number): boolean {
  const target = graph.target(edge);
  if (target < 0 || !sharedSpaces(graph).has(target)) return false;
  if (!INHERIT_KINDS.has(graph.edgeKind(edge))) return true;
  return ![...directMembers(graph, target)].some((member) => isFunction(graph, member));
}
