/** Completions of a path or a name that is being typed, likeliest first. */
import { posix } from 'node:path';
import type { Graph } from '../../graph/graph.js';
import { isProduction } from '../../graph/query/place.js';
import { isPlain, usesOf } from '../../graph/query/uses.js';

export interface Completed {
  values: string[];
  total: number;
}

/** Paths that begin so, then those whose file name does, then those that have it anywhere. */
export function completePath(graph: Graph, text: string, limit: number): Completed {
  const wanted = text.toLowerCase();
  const found: Ranked[] = [];
  for (const [file, { path }] of graph.tables.files.entries()) {
    const rank = rankOf(path.toLowerCase(), wanted, posix.basename);
    if (rank !== null) found.push({ value: path, rank: rank * 2 + (isProduction(graph, file) ? 0 : 1), weight: 0 });
  }
  return best(found, limit);
}

/** Names that begin so, then qualified names that do, then those that have it anywhere; what is used most first. */
export function completeName(graph: Graph, text: string, limit: number): Completed {
  const wanted = text.toLowerCase();
  const found = new Map<string, Ranked>();
  for (const name of graph.names()) {
    for (const node of graph.nodesNamed(name)) {
      if (isPlain(graph, node)) continue;
      const value = graph.qualifiedName(node);
      const rank = rankOf(value.toLowerCase(), wanted, (qualified) => qualified.slice(qualified.lastIndexOf('.') + 1));
      if (rank === null) continue;
      const weight = (found.get(value)?.weight ?? 0) + usesOf(graph, node);
      found.set(value, { value, rank, weight });
    }
  }
  return best([...found.values()], limit);
}

interface Ranked {
  value: string;
  /** Fewer is better. */
  rank: number;
  weight: number;
}

function rankOf(text: string, wanted: string, lastPart: (text: string) => string): number | null {
  if (text.startsWith(wanted)) return 0;
  if (lastPart(text).startsWith(wanted)) return 1;
  return text.includes(wanted) ? 2 : null;
}

function best(found: Ranked[], limit: number): Completed {
  found.sort((a, b) => a.rank - b.rank || b.weight - a.weight || (a.value < b.value ? -1 : 1));
  return { values: found.slice(0, limit).map(({ value }) => value), total: found.length };
}
