/** Order of the uses of something, as answers list them. */
import type { Graph } from '../../graph/graph.js';
import { byPlace, isProduction } from '../../graph/query/place.js';
import type { Use } from './output-parts.js';

/** Sorts in place: production code before tests and copies, direct uses before those of an overridden member, then by place. */
export function sortUses(graph: Graph, uses: Use[]): Use[] {
  const rank = ({ path, through }: Use) =>
    (isProduction(graph, graph.findFile(path)) ? 0 : 2) + (through === undefined ? 0 : 1);
  return uses.sort((a, b) => rank(a) - rank(b) || byPlace(a, b));
}
