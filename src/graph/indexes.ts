/** Indexes over the columns of a graph. Each is made when the first question needs it, since making one takes milliseconds. */
import { EDGE_KINDS, type GraphTables } from './types.js';

/** Lists linked in columns: a list of its own for each key would take ten times as long to make. */
export interface Lists {
  /** First member by key, -1 for none. */
  heads: Int32Array;
  /** The next member of the same list by member, -1 for none. */
  next: Int32Array;
}

/** The edges that lead to node `n` are `edges` from `base[n]` to before `base[n + 1]`. */
export interface Incoming {
  base: Uint32Array;
  edges: Uint32Array;
  /** Node that an edge leaves, by edge. */
  sources: Uint32Array;
}

/** Kinds of edges between files come before it. */
export const FIRST_USE = EDGE_KINDS.indexOf('call');

/** Symbols by the string that is their name, in order. */
export function indexNames({ nodeName, nodeKind, strings }: GraphTables): Lists {
  const heads = new Int32Array(strings.length).fill(-1);
  const next = new Int32Array(nodeName.length).fill(-1);
  for (let node = nodeName.length - 1; node >= 0; node--) {
    if (nodeKind[node] === 0) continue;
    next[node] = heads[nodeName[node]];
    heads[nodeName[node]] = node;
  }
  return { heads, next };
}

/** Edges without a target by the string that is their name, in order. Imports are left out. */
export function indexDangling({ edgeTo, edgeName, edgeKind, strings }: GraphTables): Lists {
  const heads = new Int32Array(strings.length).fill(-1);
  const next = new Int32Array(edgeTo.length).fill(-1);
  for (let edge = edgeTo.length - 1; edge >= 0; edge--) {
    if (edgeTo[edge] !== -1 || edgeKind[edge] < FIRST_USE) continue;
    next[edge] = heads[edgeName[edge]];
    heads[edgeName[edge]] = edge;
  }
  return { heads, next };
}

/** Sorts the edges by target (counting sort). */
export function reverseEdges({ edgeTo, edgeBase, nodeName }: GraphTables): Incoming {
  const [nodes, all] = [nodeName.length, edgeTo.length];
  const base = new Uint32Array(nodes + 1);
  for (let edge = 0; edge < all; edge++) if (edgeTo[edge] >= 0) base[edgeTo[edge] + 1]++;
  for (let i = 0; i < nodes; i++) base[i + 1] += base[i];
  const next = base.slice();
  const edges = new Uint32Array(base[nodes]);
  for (let edge = 0; edge < all; edge++) if (edgeTo[edge] >= 0) edges[next[edgeTo[edge]]++] = edge;
  const sources = new Uint32Array(all);
  for (let node = 0; node < nodes; node++) sources.fill(node, edgeBase[node], edgeBase[node + 1]);
  return { base, edges, sources };
}

/** File by node. */
export function filesOfNodes({ nodeBase, nodeName, files }: GraphTables): Uint32Array {
  const found = new Uint32Array(nodeName.length);
  for (let file = 0; file < files.length; file++) found.fill(file, nodeBase[file], nodeBase[file + 1]);
  return found;
}
