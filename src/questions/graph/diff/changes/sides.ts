/** Both sides of a difference, with the files that are the same file on both. */
import type { Graph } from '../../../../graph/graph.js';
import { movedPaths } from '../../moved-paths.js';

export interface Sides extends ReturnType<typeof movedPaths> {
  before: Graph;
  after: Graph;
  /** Paths after the change that are asked about. */
  accepts: (path: string) => boolean;
}

export function sidesOf(before: Graph, after: Graph, accepts: (path: string) => boolean): Sides {
  return { before, after, accepts, ...movedPaths(before, after) };
}
