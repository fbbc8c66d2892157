/** Both sides of a difference, with the files that are the same file on both. */
import type { Graph } from '../../../../graph/graph.js';
import { movedFiles } from '../../../../graph/query/moved-files.js';

export interface Sides {
  before: Graph;
  after: Graph;
  /** Paths before, by those after. */
  moved: ReadonlyMap<string, string>;
  /** Path that a file of `before` has after the change; its own where it is gone. */
  pathAfter: (file: number) => string;
  /** Paths after the change that are asked about. */
  accepts: (path: string) => boolean;
}

export function sidesOf(before: Graph, after: Graph, accepts: (path: string) => boolean): Sides {
  const moved = movedFiles(before, after);
  const now = new Map([...moved].map(([path, old]) => [old, path]));
  const pathAfter = (file: number) => {
    const { path } = before.tables.files[file];
    return now.get(path) ?? path;
  };
  return { before, after, moved, pathAfter, accepts };
}
