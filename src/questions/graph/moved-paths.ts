/** Files that are the same file on both sides of a change. */
import type { Graph } from '../../graph/graph.js';
import { movedFiles } from '../../graph/query/moved-files.js';

interface MovedPaths {
  /** Paths before, by those after. */
  moved: ReadonlyMap<string, string>;
  /** Path that a file of the older graph has after the change; its own where it is gone. */
  pathAfter: (file: number) => string;
}

export function movedPaths(before: Graph, after: Graph): MovedPaths {
  const moved = movedFiles(before, after);
  const now = new Map([...moved].map(([path, old]) => [old, path]));
  const pathAfter = (file: number) => {
    const { path } = before.tables.files[file];
    return now.get(path) ?? path;
  };
  return { moved, pathAfter };
}
