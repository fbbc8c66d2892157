/**
 * Go types implement each interface whose methods they have: no edge says so. By names alone: what a method takes is not
 * in the graph, so that a type may be counted whose method of that name is another.
 */
import { conventionsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';

/** Most pairs of type and interface: in a hostile repository all interfaces could fit all types. */
const MAX_PAIRS = 50_000;
/** Embedded interfaces and types, one in the other. */
const MAX_EMBEDDED = 200;

interface Fits {
  /** Types that fit an interface. */
  types: Map<number, number[]>;
  /** Interfaces that a type fits. */
  interfaces: Map<number, number[]>;
}

const known = new WeakMap<Graph, Fits>();

/** Interfaces that a type has all methods of. */
export function interfacesOf(graph: Graph, type: number): readonly number[] {
  return isStructural(graph, type) ? (fitsOf(graph).interfaces.get(type) ?? []) : [];
}

/** Types that have all methods of an interface. */
export function typesOf(graph: Graph, face: number): readonly number[] {
  return isStructural(graph, face) ? (fitsOf(graph).types.get(face) ?? []) : [];
}

const hasStructuralInterfaces = (language: string): boolean => conventionsOf(language).structuralInterfaces === true;

const isStructural = (graph: Graph, node: number): boolean =>
  hasStructuralInterfaces(graph.tables.files[graph.fileOf(node)].language);

function fitsOf(graph: Graph): Fits {
  let fits = known.get(graph);
  if (fits === undefined) {
    fits = findFits(graph);
    known.set(graph, fits);
  }
  return fits;
}

function findFits(graph: Graph): Fits {
  const own = methodNames(graph);
  const byMethod = new Map<string, Set<number>>();
  for (const type of own.keys()) {
    if (graph.kind(type) === 'interface') continue;
    for (const name of withEmbedded(graph, type, own)) push(byMethod, name, type);
  }
  const fits: Fits = { types: new Map(), interfaces: new Map() };
  let pairs = 0;
  for (const face of own.keys()) {
    if (graph.kind(face) !== 'interface') continue;
    for (const type of typesWith([...withEmbedded(graph, face, own)], byMethod)) {
      if (++pairs > MAX_PAIRS) return fits;
      list(fits.types, face).push(type);
      list(fits.interfaces, type).push(face);
    }
  }
  return fits;
}

/** Methods of types and interfaces; those that a type has from what it embeds are not among them. */
function methodNames(graph: Graph): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  const { files, nodeBase } = graph.tables;
  for (const [file, { language }] of files.entries()) {
    if (!hasStructuralInterfaces(language)) continue;
    for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++) {
      const container = graph.container(node);
      if (graph.kind(node) === 'struct' && !found.has(node)) found.set(node, new Set());
      if (graph.isFile(container) || !METHODS.has(graph.kind(node))) continue;
      push(found, container, graph.name(node));
    }
  }
  return found;
}

const METHODS: ReadonlySet<string> = new Set(['method', 'constructor']);

/** With the methods of what it embeds. */
function withEmbedded(graph: Graph, node: number, own: ReadonlyMap<number, ReadonlySet<string>>): Set<string> {
  const parts = new Set([node]);
  const names = new Set<string>();
  for (const part of parts) {
    for (const name of own.get(part) ?? []) names.add(name);
    const [start, end] = graph.edgeRange(part);
    for (let edge = start; edge < end && parts.size < MAX_EMBEDDED; edge++) {
      const to = graph.target(edge);
      if (to >= 0 && graph.edgeKind(edge) === 'extends') parts.add(to);
    }
  }
  return names;
}

function typesWith(names: readonly string[], byMethod: ReadonlyMap<string, ReadonlySet<number>>): number[] {
  const sets = names.map((name) => byMethod.get(name) ?? new Set<number>()).sort((a, b) => a.size - b.size);
  const [fewest, ...others] = sets;
  return fewest === undefined ? [] : [...fewest].filter((type) => others.every((set) => set.has(type)));
}

function push<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}

function list<K, V>(map: Map<K, V[]>, key: K): V[] {
  let found = map.get(key);
  if (found === undefined) {
    found = [];
    map.set(key, found);
  }
  return found;
}
