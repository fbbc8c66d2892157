/** Files that use files: by imports, and without one where a language needs none (the same package or namespace). */
import type { Graph } from '../graph.js';
import type { EdgeKind } from '../types.js';
import { unusedParts } from './packages.js';
import { cut, type Some } from './place.js';
import { lastNodeOf, outgoing } from './uses.js';

interface FileLink {
  path: string;
  /** How: kinds of imports; empty where it is used without one. */
  kinds: EdgeKind[];
  /** Lines of the imports; of the uses where there are none. */
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

function collect(graph: Graph, found: Map<number, Collected>, number: number, file: number): void {
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

/** Numbers of the files that a file imports or uses, or that do so with it; its own is not among them. */
export function neighbours(graph: Graph, file: number, direction: 'out' | 'in'): Set<number> {
  const found = new Set<number>();
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++) {
    if (direction === 'in') {
      for (const edge of graph.incoming(node)) found.add(graph.fileOf(graph.source(edge)));
    } else {
      for (const edge of outgoing(graph, node)) {
        const to = graph.target(edge);
        if (to >= 0) found.add(graph.fileOf(to));
      }
    }
  }
  found.delete(file);
  if (direction === 'out') for (const part of unusedParts(graph, file)) found.delete(part);
  else for (const user of found) if (unusedParts(graph, user).has(file)) found.delete(user);
  return found;
}
