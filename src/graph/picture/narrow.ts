/** Narrows a drawing: to the surroundings of some nodes, to linked nodes, or to a size. */
import type { Drawing } from './types.js';

/** Drawing of only these nodes and the edges between them; `numbers` maps old nodes to new ones. */
export function keepNodes(
  drawing: Drawing,
  keep: (node: number) => boolean,
): { drawing: Drawing; numbers: Int32Array } {
  const numbers = new Int32Array(drawing.nodes.length).fill(-1);
  let next = 0;
  const nodes = drawing.nodes.filter((_, i) => {
    if (!keep(i)) return false;
    numbers[i] = next++;
    return true;
  });
  const edges = drawing.edges.flatMap((edge) => {
    const [from, to] = [numbers[edge.from], numbers[edge.to]];
    return from < 0 || to < 0 ? [] : [{ ...edge, from, to }];
  });
  return { drawing: { ...drawing, nodes, edges }, numbers };
}

/** Nodes at most `depth` steps away from `starts`, in either direction. */
export function around({ nodes, edges }: Drawing, starts: readonly number[], depth: number): Set<number> {
  const next: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) {
    next[from].push(to);
    next[to].push(from);
  }
  const seen = new Set(starts);
  let edge = [...starts];
  for (let step = 0; step < depth && edge.length > 0; step++) {
    edge = edge.flatMap((node) => next[node].filter((other) => !seen.has(other) && seen.add(other)));
  }
  return seen;
}

/** Number of links of each node, in both directions. */
export function degrees({ nodes, edges }: Pick<Drawing, 'nodes' | 'edges'>): Uint32Array {
  const found = new Uint32Array(nodes.length);
  for (const { from, to } of edges) {
    found[from]++;
    found[to]++;
  }
  return found;
}

export interface Cut {
  nodes: number;
  edges: number;
}

/** Cuts a drawing to a size: keeps the most connected nodes (and all of `keep`), then the edges with the most uses. */
export function fit(
  drawing: Drawing,
  { maxNodes, maxEdges, keep = -1 }: { maxNodes: number; maxEdges: number; keep?: number },
): { drawing: Drawing; cut: Cut; keep: number } {
  const { nodes, edges } = drawing;
  let kept = drawing;
  let place = keep;
  if (nodes.length > maxNodes) {
    const degree = degrees(drawing);
    if (keep >= 0) degree[keep] = 0xffffffff;
    const order = nodes.map((_, i) => i).sort((a, b) => degree[b] - degree[a] || a - b);
    const chosen = new Set(order.slice(0, maxNodes));
    const part = keepNodes(drawing, (node) => chosen.has(node));
    kept = part.drawing;
    if (keep >= 0) place = part.numbers[keep];
  }
  if (kept.edges.length > maxEdges) {
    const order = kept.edges.map((_, i) => i).sort((a, b) => kept.edges[b].count - kept.edges[a].count || a - b);
    const chosen = new Set(order.slice(0, maxEdges));
    kept = { ...kept, edges: kept.edges.filter((_, i) => chosen.has(i)) };
  }
  return {
    drawing: kept,
    keep: place,
    cut: { nodes: nodes.length - kept.nodes.length, edges: edges.length - kept.edges.length },
  };
}
