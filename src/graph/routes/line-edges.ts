/** The edges that leave a node, by line: a file may declare ten thousand routes, each of which asks for those of its own lines. */
import type { Graph } from '../graph.js';
import { outgoing } from '../query/uses.js';

export class LineEdges {
  private readonly known = new Map<number, number[]>();

  constructor(private readonly graph: Graph) {}

  /** Edges of a node that begin on the lines from `first` to `last`, in the order of the lines. */
  between(node: number, first: number, last: number): number[] {
    const { edgeLine } = this.graph.tables;
    const all = this.sorted(node);
    let low = 0;
    for (let high = all.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (edgeLine[all[middle]] < first) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (end < all.length && edgeLine[all[end]] <= last) end++;
    return all.slice(low, end);
  }

  private sorted(node: number): number[] {
    const { edgeLine } = this.graph.tables;
    const edges = this.known.get(node) ?? [...outgoing(this.graph, node)].sort((a, b) => edgeLine[a] - edgeLine[b]);
    this.known.set(node, edges);
    return edges;
  }
}
