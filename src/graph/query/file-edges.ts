/** Files that use files: by imports, and without one where a language needs none (the same package or namespace). */
import type { Graph } from '../graph.js';
import type { EdgeKind } from '../types.js';
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
  /** Imports of its package that lead to it, as text and line; and number of imports that name the file itself. */
  packages: Set<string>;
  wholes: number;
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
  return linksOf(graph, withoutUnusedParts(found));
}

/** An import of a package leads to all of its files: those count that are used, or all where none is. */
function withoutUnusedParts(found: ReadonlyMap<number, Collected>): ReadonlyMap<number, Collected> {
  const used = new Set([...found.values()].flatMap(({ uses, packages }) => (uses.size > 0 ? [...packages] : [])));
  const isPart = ({ uses, packages, kinds, wholes }: Collected) =>
    uses.size === 0 && kinds.size > 0 && wholes === 0 && [...packages].every((name) => used.has(name));
  return new Map([...found].filter(([, each]) => !isPart(each)));
}

/** Files that import or use a file, sorted by path. */
export function filesUsing(graph: Graph, file: number): FileLink[] {
  const found = new Map<number, Collected>();
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++)
    for (const edge of graph.incoming(node)) collect(graph, found, edge, graph.fileOf(graph.source(edge)));
  found.delete(file);
  const { path } = graph.tables.files[file];
  const isUser = ([user, { uses, wholes }]: [number, Collected]) =>
    uses.size > 0 || wholes > 0 || filesUsedBy(graph, user).some((link) => link.path === path);
  return linksOf(graph, new Map([...found].filter(isUser).sort((a, b) => a[0] - b[0])));
}

function collect(graph: Graph, found: Map<number, Collected>, number: number, file: number): void {
  let known = found.get(file);
  if (known === undefined) {
    known = { kinds: new Set(), imports: new Set(), uses: new Set(), names: new Map(), packages: new Set(), wholes: 0 };
    found.set(file, known);
  }
  const line = graph.tables.edgeLine[number];
  if (graph.isFileEdge(number)) {
    known.kinds.add(graph.edgeKind(number));
    known.imports.add(line);
    if (graph.tier(number) === 'package') known.packages.add(`${line} ${graph.edge(number).name}`);
    else known.wholes++;
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
    if (direction === 'in') for (const edge of graph.incoming(node)) found.add(graph.fileOf(graph.source(edge)));
    else
      for (const edge of outgoing(graph, node)) {
        const to = graph.target(edge);
        if (to >= 0) found.add(graph.fileOf(to));
      }
  }
  found.delete(file);
  return found;
}
