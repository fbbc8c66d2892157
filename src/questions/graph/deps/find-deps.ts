/** `deps`: what a file imports, and who imports it. */
import type { Graph } from '../../../graph/graph.js';
import type { EdgeKind, FileState } from '../../../graph/types.js';
import { type FileLink, filesUsedBy, filesUsing, neighbours } from '../../../graph/query/file-edges.js';
import { cut, type Some } from '../../../graph/query/place.js';
import { outgoing } from '../../../graph/query/uses.js';

export interface OutsideImport {
  specifier: string;
  kind: EdgeKind;
  line: number;
}

/** A file at the end of a chain of imports. */
export interface Reached {
  path: string;
  hops: number;
  /** The file before it on the way; '' is never one. */
  via: string;
}

export interface Deps {
  file: { path: string; language: string; state: FileState; lines: number };
  imports: Some<FileLink>;
  /** Packages and standard libraries, each once. */
  external: Some<OutsideImport>;
  /** Imports that should lead to a file and do not. */
  unresolved: Some<OutsideImport>;
  dependents: Some<FileLink>;
  transitive?: { depth: number; imports: Some<Reached>; dependents: Some<Reached> };
}

export interface DepsOptions {
  limit: number;
  /** Follow imports of imports so far. */
  depth?: number;
}

export function depsOf(graph: Graph, file: number, { limit, depth }: DepsOptions): Deps {
  const { path, language, state } = graph.tables.files[file];
  const node = graph.fileNode(file);
  return {
    file: { path, language, state, lines: graph.endLine(node) },
    imports: cut(filesUsedBy(graph, file), limit),
    external: cut(outside(graph, node, 'external'), limit),
    unresolved: cut(outside(graph, node, 'unresolved'), limit),
    dependents: cut(filesUsing(graph, file), limit),
    ...(depth !== undefined && {
      transitive: {
        depth,
        imports: cut(reach(graph, file, { direction: 'out', depth }), limit),
        dependents: cut(reach(graph, file, { direction: 'in', depth }), limit),
      },
    }),
  };
}

function outside(graph: Graph, node: number, tier: 'external' | 'unresolved'): OutsideImport[] {
  const found = new Map<string, OutsideImport>();
  for (const number of outgoing(graph, node)) {
    if (!graph.isFileEdge(number) || graph.target(number) >= 0) continue;
    const edge = graph.edge(number);
    const isWanted = tier === 'external' ? edge.tier === 'external' : edge.tier !== 'external';
    if (!isWanted || found.has(edge.name)) continue;
    found.set(edge.name, { specifier: edge.name, kind: edge.kind, line: edge.startLine });
  }
  return [...found.values()];
}

function reach(
  graph: Graph,
  file: number,
  { direction, depth }: { direction: 'in' | 'out'; depth: number },
): Reached[] {
  const seen = new Set([file]);
  const found: Reached[] = [];
  let level = [file];
  for (let hops = 1; hops <= depth && level.length > 0; hops++) {
    const next: number[] = [];
    for (const from of level) {
      for (const to of neighbours(graph, from, direction)) {
        if (seen.has(to)) continue;
        seen.add(to);
        next.push(to);
        found.push({ path: graph.tables.files[to].path, hops, via: graph.tables.files[from].path });
      }
    }
    level = next;
  }
  return found.sort((a, b) => a.hops - b.hops || (a.path < b.path ? -1 : 1));
}
