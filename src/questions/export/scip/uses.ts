/** Uses that the graph has of a file, and the occurrences that are made of them. */
import type { Graph } from '../../../graph/graph.js';
import { outgoing } from '../../../graph/query/uses.js';
import type { GraphFile } from '../../../graph/types.js';
import { SCIP_ROLES, type ScipOccurrence, type ScipRange } from '../../../scip/types.js';

export interface Use {
  edge: number;
  from: number;
  line: number;
  name: string;
  receiver: string;
  isCall: boolean;
}

function* edgesOf(graph: Graph, file: number): Generator<number> {
  const { nodeBase } = graph.tables;
  for (let node = nodeBase[file]; node < nodeBase[file + 1]; node++) yield* outgoing(graph, node);
}

/** Edges to other files that have a document. */
export function fileEdges(graph: Graph, file: number): number[] {
  return [...edgesOf(graph, file)].filter((edge) => {
    const to = graph.target(edge);
    return graph.isFileEdge(edge) && to >= 0 && isDescribed(graph, to);
  });
}

/** Data and documents that code imports have no document of their own in the index. */
export function isDescribed(graph: Graph, node: number): boolean {
  return hasDocument(graph.tables.files[graph.fileOf(node)]);
}

export function hasDocument({ state }: GraphFile): boolean {
  return state === 'linked';
}

/** Uses of names in a file by line, counted from 0. Those without a target hold the places of names as well. */
export function usesByLine(graph: Graph, file: number): Map<number, Use[]> {
  const found: Use[] = [];
  for (const edge of edgesOf(graph, file)) {
    if (graph.isFileEdge(edge)) continue;
    const { from, startLine, name, kind } = graph.edge(edge);
    const receiver = graph.tables.strings[graph.tables.edgeReceiver[edge]];
    found.push({ edge, from, line: startLine - 1, name, receiver, isCall: kind === 'call' || kind === 'new' });
  }
  return groupBy(found, ({ line }) => line);
}

const IMPORTED: ReadonlySet<string> = new Set(['imported', 'reexported', 'package', 'compiler']);
export const WORDS = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Meaning of names without a receiver that come from imports, and of the names that these have where they are defined. */
export function importedNames(graph: Graph, file: number): Map<string, number> {
  const found = new Map<string, number>();
  const add = (name: string, to: number): void => {
    const known = found.get(name);
    // A name of two meanings leads nowhere.
    found.set(name, known === undefined || known === to ? to : -1);
  };
  for (const edge of edgesOf(graph, file)) {
    const { to, name, receiver, tier } = graph.edge(edge);
    if (to < 0 || receiver !== '' || graph.isFileEdge(edge) || !IMPORTED.has(tier)) continue;
    if (graph.fileOf(to) === file) continue;
    add(name, to);
    if (graph.name(to) !== name) add(graph.name(to), to);
  }
  return found;
}

export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Occurrences without repetitions. A definition or an import leaves no room for a plain use of the symbol there. */
export class Occurrences {
  private readonly found = new Map<string, ScipOccurrence>();

  add(range: ScipRange, symbol: string, roles: number, around?: ScipRange): void {
    const key = `${range.join(' ')} ${symbol}`;
    const known = this.found.get(key);
    if (known !== undefined && (known.roles & SCIP_ROLES.definition || !(roles & SCIP_ROLES.definition))) return;
    this.found.set(key, { range, symbol, roles, ...(around !== undefined && { enclosing: around }) });
  }

  sorted(): ScipOccurrence[] {
    return [...this.found.values()].sort(
      (a, b) =>
        a.range[0] - b.range[0] || a.range[1] - b.range[1] || a.range[3] - b.range[3] || (a.symbol < b.symbol ? -1 : 1),
    );
  }
}
