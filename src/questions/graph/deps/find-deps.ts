/** Finds what a file imports, and which files import it. */
import type { Graph } from '../../../graph/graph.js';
import { filesUsedBy, filesUsing, neighbours } from '../../../graph/query/file-edges.js';
import { cut } from '../../../graph/query/place.js';
import { outgoing } from '../../../graph/query/uses.js';
import type { Deps, OutsideImport, Reached } from './output.js';

interface DepsOptions {
  limit: number;
  /** Hops of imports of imports; undefined: none are followed. */
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
